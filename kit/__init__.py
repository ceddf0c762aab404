"""For those who add a game: what it still lacks (`python -m engines check GAME`)."""
