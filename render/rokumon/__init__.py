"""Rokumon in pictures and words."""
