"""Things to do at a time. A timer is removed only after it did its work, so that a crash repeats it."""

from __future__ import annotations

from db.database import Source, Transaction
from db.rows import TimerRow, row_of


async def put(
    tx: Transaction, kind: str, due_at: int, *, table_id: int = 0, user_id: int = 0, payload: str = "{}"
) -> None:
    """Sets a timer, or moves the one of this kind, table and user."""
    tx.put(
        "INSERT INTO timers (kind, table_id, user_id, due_at, payload) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (kind, table_id, user_id) "
        "DO UPDATE SET due_at = excluded.due_at, payload = excluded.payload",
        (kind, table_id, user_id, due_at, payload),
    )


async def remove(tx: Transaction, kind: str, *, table_id: int = 0, user_id: int = 0) -> None:
    """Removes a timer, if it is there."""
    tx.put("DELETE FROM timers WHERE kind = ? AND table_id = ? AND user_id = ?", (kind, table_id, user_id))


async def earliest(source: Source) -> int | None:
    """When the first timer is due, ms UTC."""
    row = await source.one("SELECT min(due_at) AS due FROM timers")
    return None if row is None or row["due"] is None else int(row["due"])


async def due(source: Source, now: int, most: int = 100) -> list[TimerRow]:
    """Timers that are due, the earliest first."""
    rows = await source.all("SELECT * FROM timers WHERE due_at <= ? ORDER BY due_at, id LIMIT ?", (now, most))
    return [row_of(TimerRow, row) for row in rows]
