"""Aids that a seat set for itself in secret. One a seat, until somebody else sits there."""

from __future__ import annotations

from db.database import Source, Transaction
from db.rows import AidRow, wholes
from db.statements import put as put_row

PUT = put_row("aids", ("table_id", "seat"), ("aid",))


async def of_table(source: Source, table_id: int) -> dict[int, str]:
    """The aids of a table by seat."""
    rows = await source.all("SELECT * FROM aids WHERE table_id = ?", (table_id,))
    return {row.seat: row.aid for row in wholes(AidRow, rows)}


async def put(tx: Transaction, table_id: int, seat: int, aid: str) -> None:
    """Keeps an aid in place of the one before."""
    tx.put(PUT, (table_id, seat, aid))


async def drop(tx: Transaction, table_id: int, seat: int) -> None:
    """Drops a seat's aid: somebody else sits there now."""
    tx.put("DELETE FROM aids WHERE table_id = ? AND seat = ?", (table_id, seat))
