"""Seats offered to others, and who sat where before."""

from __future__ import annotations

from db.database import Source, Transaction
from db.rows import FormerRow, OfferRow, wholes
from db.statements import put

OFFER = put("offers", ("table_id", "seat"), ("user_id", "at", "by_id"))
HANDED = put("handovers", ("table_id", "seat", "user_id"), ("at", "forgotten", "mu", "sigma"))


async def offer(tx: Transaction, row: OfferRow) -> None:
    """Offers a seat, or offers it anew to somebody else."""
    tx.put(
        OFFER,
        (row.table_id, row.seat, row.user_id, row.at, row.by_id),
    )


async def offers(source: Source, table_id: int) -> dict[int, OfferRow]:
    """A table's offered seats."""
    rows = await source.all("SELECT * FROM offers WHERE table_id = ? ORDER BY seat", (table_id,))
    return {row.seat: row for row in wholes(OfferRow, rows)}


async def withdraw(tx: Transaction, table_id: int, seat: int) -> None:
    """The seat is not offered any more."""
    tx.put("DELETE FROM offers WHERE table_id = ? AND seat = ?", (table_id, seat))


async def handed(tx: Transaction, table_id: int, seat: int, user_id: int, now: int) -> None:
    """Remembers who left a seat."""
    tx.put(
        HANDED,
        (table_id, seat, user_id, now, 0, None, None),
    )


async def former(source: Source, table_id: int) -> list[FormerRow]:
    """Everybody who left a seat of this table."""
    rows = await source.all("SELECT * FROM handovers WHERE table_id = ? ORDER BY at, seat", (table_id,))
    return wholes(FormerRow, rows)


async def sat(source: Source, table_id: int, user_id: int) -> set[int]:
    """Seats that this user left."""
    rows = await source.all(
        "SELECT seat FROM handovers WHERE table_id = ? AND user_id = ?", (table_id, user_id)
    )
    return {int(row["seat"]) for row in rows}
