"""Sekigahara in pictures and words."""
