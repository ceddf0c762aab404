"""Nim in pictures and words."""
