"""Chapters: what is going on at a table (a battle) while its boards are one message."""

from __future__ import annotations

from db.database import Source, Transaction
from db.rows import ChapterRow, whole


async def get(source: Source, table_id: int) -> ChapterRow | None:
    """The table's chapter."""
    row = await source.one("SELECT * FROM chapters WHERE table_id = ?", (table_id,))
    return None if row is None else whole(ChapterRow, row)


async def put(tx: Transaction, table_id: int, key: str, told: str) -> None:
    """Keeps what was told of a chapter, in place of the one before."""
    tx.put(
        "INSERT INTO chapters (table_id, key, told) VALUES (?, ?, ?) ON CONFLICT (table_id) DO UPDATE SET "
        "key = excluded.key, told = excluded.told",
        (table_id, key, told),
    )


async def drop(tx: Transaction, table_id: int) -> None:
    """Forgets the table's chapter."""
    tx.put("DELETE FROM chapters WHERE table_id = ?", (table_id,))
