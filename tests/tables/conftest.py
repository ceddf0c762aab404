"""Fixtures of this folder."""

from tests.tables.players import house

__all__ = ["house"]
