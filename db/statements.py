"""Statements that several places write."""

from __future__ import annotations

from collections.abc import Sequence


def put(table: str, key: Sequence[str], others: Sequence[str] = ()) -> str:
    """A row, new or in the place of the one with its key, whose other columns become these."""
    names = (*key, *others)
    sets = ", ".join(f"{name} = excluded.{name}" for name in others)
    instead = f"UPDATE SET {sets}" if others else "NOTHING"
    return (
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)}) "  # noqa: S608
        f"ON CONFLICT ({', '.join(key)}) DO {instead}"
    )
