"""Vacations: one row each, cut short where somebody is back, so that a year's days can be counted."""

from __future__ import annotations

from db.database import Source, Transaction


async def add(tx: Transaction, user_id: int, since: int, until: int) -> None:
    """A vacation begins."""
    tx.put(
        "INSERT OR REPLACE INTO vacations (user_id, since, until) VALUES (?, ?, ?)", (user_id, since, until)
    )


async def cut(tx: Transaction, user_id: int, now: int) -> None:
    """The vacation that runs ends now."""
    tx.put("DELETE FROM vacations WHERE user_id = ? AND since >= ?", (user_id, now))
    tx.put("UPDATE vacations SET until = ? WHERE user_id = ? AND until > ?", (now, user_id, now))


async def spent(source: Source, user_id: int, first: int, end: int, now: int | None) -> int:
    """Ms of vacation between two times; of one that runs, what is over by `now` (None: all of it)."""
    row = await source.one(
        "SELECT coalesce(sum(max(min(until, ?2, coalesce(?3, until)) - max(since, ?1), 0)), 0) AS ms "
        "FROM vacations WHERE user_id = ?4",
        (first, end, now, user_id),
    )
    return int(row["ms"]) if row else 0
