"""Kamisado in pictures and words."""
