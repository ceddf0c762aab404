"""Copies, restores, checks and repairs of the one file."""
