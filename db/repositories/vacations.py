"""Vacations: one row each, cut short where somebody is back, so that a year's days can be counted."""

from __future__ import annotations

from db.database import Source, Transaction
from db.statements import put as put_row

PUT = put_row("vacations", ("user_id", "since"), ("until",))


async def add(tx: Transaction, user_id: int, since: int, until: int) -> None:
    """A vacation begins."""
    tx.put(PUT, (user_id, since, until))


async def cut(tx: Transaction, user_id: int, now: int) -> None:
    """The vacation that runs ends now."""
    tx.put("DELETE FROM vacations WHERE user_id = ? AND since >= ?", (user_id, now))
    tx.put("UPDATE vacations SET until = ? WHERE user_id = ? AND until > ?", (now, user_id, now))


async def spent(source: Source, user_id: int, first: int, end: int, now: int | None) -> int:
    """Ms of vacation between two times; of one that runs, what is over by `now` (None: all of it)."""
    rows = await source.all(
        "SELECT since, until FROM vacations WHERE user_id = ? AND until > ? AND since < ?",
        (user_id, first, end),
    )
    ends = end if now is None else min(end, now)
    return sum(max(0, min(row["until"], ends) - max(row["since"], first)) for row in rows)
