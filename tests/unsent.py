"""Where something is still to be posted."""

from __future__ import annotations

from db.database import Source
from db.repositories.outbox import HEADS


async def destinations(source: Source) -> list[str]:
    """All destinations with unsent rows, the one with the oldest row first."""
    rows = await source.all(f"{HEADS} ORDER BY first")
    return [str(row["destination"]) for row in rows]
