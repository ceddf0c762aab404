"""Rules of the games: pure and deterministic, without Discord, Pillow or a database."""
