"""What every part of a running game shares: rows in memory, lock, clock, how changes are written."""
