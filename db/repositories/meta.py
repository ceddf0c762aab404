"""Single values, such as the digest of the commands that Discord knows."""

from __future__ import annotations

from db.database import Source, Transaction
from db.statements import put as put_row

PUT = put_row("meta", ("key",), ("value",))


async def get(source: Source, key: str) -> str | None:
    """A value, or None."""
    row = await source.one("SELECT value FROM meta WHERE key = ?", (key,))
    return None if row is None else str(row["value"])


async def put(tx: Transaction, key: str, value: str) -> None:
    """Sets a value."""
    tx.put(PUT, (key, value))


async def drop(tx: Transaction, key: str) -> None:
    """Takes a value away."""
    tx.put("DELETE FROM meta WHERE key = ?", (key,))
