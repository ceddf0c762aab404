"""Nim: three heaps, who takes the last stone wins. An open game whose actions can be listed."""
