"""Drafts: a seat's secret choice as far as it has come. One a seat, for one occasion (`mark`)."""

from __future__ import annotations

from collections.abc import Iterable

from db.database import Source, Transaction
from db.statements import put as put_row

PUT = put_row("drafts", ("table_id", "seat"), ("mark", "draft", "at"))


async def get(source: Source, table_id: int, seat: int, mark: str) -> str | None:
    """The seat's draft for this occasion."""
    row = await source.one(
        "SELECT draft FROM drafts WHERE table_id = ? AND seat = ? AND mark = ?", (table_id, seat, mark)
    )
    return None if row is None else str(row["draft"])


async def put(tx: Transaction, table_id: int, seat: int, *, mark: str, draft: str, now: int) -> None:
    """Keeps a draft in place of the one before."""
    tx.put(PUT, (table_id, seat, mark, draft, now))


async def keep_only(tx: Transaction, table_id: int, marks: Iterable[tuple[int, str]]) -> None:
    """Drops the drafts of a table but those of these seats for these occasions."""
    kept = list(marks)
    clause = "".join(" AND NOT (seat = ? AND mark = ?)" for _ in kept)
    params = [value for pair in kept for value in pair]
    tx.put(f"DELETE FROM drafts WHERE table_id = ?{clause}", [table_id, *params])  # noqa: S608 - no input


async def drop(tx: Transaction, table_id: int, seat: int) -> None:
    """Drops a seat's draft: somebody else sits there now."""
    tx.put("DELETE FROM drafts WHERE table_id = ? AND seat = ?", (table_id, seat))


async def tables_with(source: Source, games: Iterable[str]) -> list[int]:
    """Running tables of these games at which something is drafted."""
    names = list(games)
    marks = ", ".join("?" for _ in names)
    rows = await source.all(
        "SELECT DISTINCT d.table_id FROM drafts d JOIN tables t ON t.id = d.table_id "  # noqa: S608 - marks
        f"WHERE t.status = 'running' AND t.game IN ({marks}) ORDER BY d.table_id",
        names,
    )
    return [int(row["table_id"]) for row in rows]
