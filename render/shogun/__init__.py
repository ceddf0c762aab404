"""Shogun in pictures and words."""
