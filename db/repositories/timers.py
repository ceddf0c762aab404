"""Things to do at a time. A timer is removed only after it did its work, so that a crash repeats it."""

from __future__ import annotations

from collections.abc import Iterable

from db.database import Source, Transaction
from db.rows import TimerRow, row_of

NEVER = 1 << 62  # what is no number comes after it
# others wait for `check`: the row was damaged
WHOLE = (
    "typeof(kind) = 'text' AND typeof(table_id) = 'integer' AND typeof(user_id) = 'integer' "
    "AND typeof(payload) = 'text' AND json_valid(payload)"
)


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


async def rouse(  # noqa: PLR0917 - a turn and whose it is
    tx: Transaction,
    kind: str,
    table_id: int,
    user_id: int,
    since: int,
    default_hours: int,
    *,
    counted_from: int | None = None,
) -> None:
    """Sets a reminder for a turn that began at `since`, after the user's own interval; one set for it stays.

    counted_from    when the interval begins, where that is not the turn's own beginning

    Who wants none (0 hours) gets none.
    """
    begins = since if counted_from is None else counted_from
    tx.put(
        "INSERT INTO timers (kind, table_id, user_id, due_at, payload) "
        "SELECT ?1, ?2, ?3, ?6 + h.hours * 3600000, json_object('since', ?4, 'sent', 0) FROM (SELECT "
        "coalesce((SELECT remind_hours FROM users WHERE id = ?3 AND typeof(remind_hours) = 'integer'), ?5) "
        "AS hours) h WHERE h.hours > 0 "
        "ON CONFLICT (kind, table_id, user_id) DO UPDATE SET due_at = excluded.due_at, "
        "payload = excluded.payload "
        "WHERE CASE WHEN json_valid(payload) THEN json_extract(payload, '$.since') END IS NOT ?4",
        (kind, table_id, user_id, since, default_hours, begins),
    )


async def rouse_all(tx: Transaction, kind: str, now: int, default_hours: int, most: int) -> None:
    """Sets a reminder for everybody who has to act and has none, as `rouse` does.

    Who has waited for longer than all `most` of them take together gets the last one alone.
    """
    tx.put(
        "INSERT OR IGNORE INTO timers (kind, table_id, user_id, due_at, payload) "
        "SELECT ?1, table_id, user_id, since + pause, json_object('since', since, 'sent', "
        "CASE WHEN since + pause * ((1 << ?4) - 1) < ?2 THEN ?4 - 1 ELSE 0 END) FROM ("
        "SELECT s.table_id, s.user_id, s.acts_since AS since, "
        "CASE WHEN typeof(u.remind_hours) = 'integer' THEN u.remind_hours ELSE ?3 END * 3600000 AS pause "
        "FROM tables t JOIN seats s ON s.table_id = t.id LEFT JOIN users u ON u.id = s.user_id "
        "WHERE t.status = 'running' AND t.paused_at IS NULL AND s.acts AND typeof(s.acts_since) = 'integer' "
        "AND s.user_id IS NOT NULL AND NOT s.away AND s.gone IS NULL AND NOT s.flagged) WHERE pause > 0",
        (kind, now, default_hours, most),
    )


async def of_user(source: Source, kind: str, user_id: int) -> list[TimerRow]:
    """A user's timers of a kind."""
    rows = await source.all(
        f"SELECT * FROM timers WHERE kind = ? AND user_id = ? AND {WHOLE}",  # noqa: S608 - our own words
        (kind, user_id),
    )
    return [row_of(TimerRow, row) for row in rows]


async def of_table(source: Source, kind: str, table_id: int) -> list[TimerRow]:
    """A table's timers of a kind."""
    rows = await source.all(
        f"SELECT * FROM timers WHERE kind = ? AND table_id = ? AND {WHOLE}",  # noqa: S608 - our own words
        (kind, table_id),
    )
    return [row_of(TimerRow, row) for row in rows]


async def clear(tx: Transaction, kind: str, table_id: int, but: Iterable[int] = ()) -> None:
    """Removes a table's timers of a kind, but for those of some users."""
    kept = list(but)
    marks = ", ".join("?" for _ in kept)
    tx.put(
        f"DELETE FROM timers WHERE kind = ? AND table_id = ? AND user_id NOT IN ({marks})",  # noqa: S608
        [kind, table_id, *kept],
    )


async def earliest(source: Source) -> int | None:
    """When the first timer is due, ms UTC."""
    row = await source.one(f"SELECT min(due_at) AS due FROM timers WHERE due_at < ? AND {WHOLE}", (NEVER,))  # noqa: S608
    return None if row is None or row["due"] is None else int(row["due"])


async def keep(tx: Transaction, kind: str, due_at: int, *, table_id: int) -> None:
    """Sets a timer where there is none; one that was put off stays."""
    tx.put(
        "INSERT OR IGNORE INTO timers (kind, table_id, user_id, due_at) VALUES (?, ?, 0, ?)",
        (kind, table_id, due_at),
    )


async def delay(tx: Transaction, kind: str, table_id: int, by: int) -> None:
    """A table's timers of a kind are later by so many ms, and so is what they count from."""
    tx.put(
        "UPDATE timers SET due_at = due_at + ?1, payload = CASE "  # noqa: S608 - our own words
        "WHEN json_extract(payload, '$.since') IS NULL THEN payload "
        "ELSE json_set(payload, '$.since', json_extract(payload, '$.since') + ?1) END "
        f"WHERE kind = ?2 AND table_id = ?3 AND {WHOLE}",
        (by, kind, table_id),
    )


async def put_off(tx: Transaction, timer_id: int, due_at: int) -> None:
    """Moves a timer as it is."""
    tx.put("UPDATE timers SET due_at = ? WHERE id = ?", (due_at, timer_id))


async def due(source: Source, now: int, most: int = 100) -> list[TimerRow]:
    """Timers that are due, the earliest first."""
    rows = await source.all(
        f"SELECT * FROM timers WHERE due_at <= ? AND {WHOLE} ORDER BY due_at, id LIMIT ?",  # noqa: S608 - our own
        (now, most),
    )
    return [row_of(TimerRow, row) for row in rows]
