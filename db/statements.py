"""Statements that several places write."""

from __future__ import annotations

from collections.abc import Sequence


def put(table: str, key: Sequence[str], others: Sequence[str]) -> str:
    """A row, new or in the place of the one with its key, whose other columns become these."""
    sets = ", ".join(f"{name} = excluded.{name}" for name in others)
    return f"{_row(table, (*key, *others))} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {sets}"


def add(table: str, names: Sequence[str]) -> str:
    """A new row; one that is there with its key stays as it is."""
    return f"{_row(table, names)} ON CONFLICT DO NOTHING"


def _row(table: str, names: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})"  # noqa: S608
