"""Tribute in pictures and words."""
