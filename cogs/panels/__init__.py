"""The guided panel, and what a game needs beyond it."""
