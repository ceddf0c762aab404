"""Stones in pictures and words."""
