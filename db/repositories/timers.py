"""Things to do at a time. A timer is removed only after it did its work, so that a crash repeats it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from db.database import Source, Transaction
from db.rows import TimerRow, row_of, wholes

NEVER = 1 << 62


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
        "SELECT ?1, ?2, ?3, ?6 + h.hours * 3600000, "
        """'{"since":' || ?4 || ',"sent":0}' FROM (SELECT """
        "coalesce((SELECT remind_hours FROM users WHERE id = ?3), ?5) "
        "AS hours) h WHERE h.hours > 0 "
        "ON CONFLICT (kind, table_id, user_id) DO UPDATE SET due_at = excluded.due_at, "
        "payload = excluded.payload "
        "WHERE CASE WHEN json_valid(timers.payload) THEN "
        "CAST(json_extract(timers.payload, '$.since') AS BIGINT) END IS NOT ?4",
        (kind, table_id, user_id, since, default_hours, begins),
    )


async def rouse_daily(tx: Transaction, kind: str, user_id: int, due_at: int) -> None:
    """Sets a user's daily timer; one that is set stays, and counts from new."""
    tx.put(
        """INSERT INTO timers (kind, user_id, due_at, payload) VALUES (?, ?, ?, '{"sent":0}') """
        "ON CONFLICT (kind, table_id, user_id) DO UPDATE SET payload = excluded.payload",
        (kind, user_id, due_at),
    )


async def rouse_all(tx: Transaction, kind: str, now: int, default_hours: int, most: int) -> None:
    """Sets a reminder for everybody who has to act and has none, as `rouse` does.

    Who has waited for longer than all `most` of them take together gets the last one alone.
    """
    tx.put(
        "INSERT INTO timers (kind, table_id, user_id, due_at, payload) "
        "SELECT ?1, table_id, user_id, since + pause, "
        """'{"since":' || since || ',"sent":' || """
        "CASE WHEN since + pause * ?5 < ?2 THEN ?4 - 1 ELSE 0 END || '}' FROM ("
        "SELECT s.table_id, s.user_id, s.acts_since AS since, "
        "coalesce(u.remind_hours, ?3) * 3600000 AS pause "
        "FROM tables t JOIN seats s ON s.table_id = t.id LEFT JOIN users u ON u.id = s.user_id "
        "WHERE t.status = 'running' AND t.paused_at IS NULL AND s.acts = 1 AND s.acts_since IS NOT NULL "
        "AND s.user_id IS NOT NULL AND s.away = 0 AND s.gone IS NULL AND s.flagged = 0) waits "
        "WHERE pause > 0 ON CONFLICT DO NOTHING",
        (kind, now, default_hours, most, (1 << most) - 1),
    )


async def of_user(source: Source, kind: str, user_id: int) -> list[TimerRow]:
    """A user's timers of a kind, those that are for no table."""
    rows = await source.all(
        "SELECT * FROM timers WHERE kind = ? AND table_id = 0 AND user_id = ?", (kind, user_id)
    )
    return wholes(TimerRow, rows)


async def of_table(source: Source, kind: str, table_id: int) -> list[TimerRow]:
    """A table's timers of a kind."""
    rows = await source.all(
        "SELECT * FROM timers WHERE kind = ? AND table_id = ? ORDER BY user_id", (kind, table_id)
    )
    return wholes(TimerRow, rows)


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
    row = await source.one("SELECT min(due_at) AS due FROM timers WHERE due_at < ?", (NEVER,))
    return None if row is None or row["due"] is None else int(row["due"])


async def keep(tx: Transaction, kind: str, due_at: int, *, table_id: int) -> None:
    """Sets a timer where there is none; one that was put off stays."""
    tx.put(
        "INSERT INTO timers (kind, table_id, user_id, due_at) VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING",
        (kind, table_id, due_at),
    )


async def delay(tx: Transaction, kind: str, table_id: int, by: int) -> None:
    """A table's timers of a kind are later by so many ms, and so is what they count from."""
    tx.put(
        "UPDATE timers SET due_at = due_at + ?1, payload = CASE "
        "WHEN json_extract(payload, '$.since') IS NULL THEN payload "
        "ELSE json_set(payload, '$.since', CAST(json_extract(payload, '$.since') AS BIGINT) + ?1) END "
        "WHERE kind = ?2 AND table_id = ?3",
        (by, kind, table_id),
    )


async def put_off(tx: Transaction, timer_id: int, due_at: int) -> None:
    """Moves a timer as it is."""
    tx.put("UPDATE timers SET due_at = ? WHERE id = ?", (due_at, timer_id))


async def due(source: Source, now: int, most: int = 100) -> list[TimerRow]:
    """Timers that are due, the earliest first."""
    rows = await source.all("SELECT * FROM timers WHERE due_at <= ? ORDER BY due_at, id LIMIT ?", (now, most))
    return [row_of(TimerRow, row) for row in rows]


async def discard(tx: Transaction, timer_id: int) -> None:
    """A timer goes that nobody can do anything with."""
    tx.put("DELETE FROM timers WHERE id = ?", (timer_id,))


async def senseless(source: Source, kinds: Sequence[str], far: int, most: int) -> list[tuple[int, str]]:
    """Timers of other kinds than these, of tables that are not there, or due only after `far`; and why."""
    marks = ", ".join("?" for _ in kinds)
    rows = await source.all(
        "SELECT id, why FROM (SELECT id, CASE "  # noqa: S608 - only marks
        f"WHEN kind NOT IN ({marks}) THEN 'is of a kind that nobody knows' "
        "WHEN table_id <> 0 AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.id = table_id) "
        "THEN 'is for a table that is not there' "
        "WHEN due_at > ? THEN 'is due too far away' END AS why "
        "FROM timers) found WHERE why IS NOT NULL ORDER BY id LIMIT ?",
        [*kinds, far, most],
    )
    return [(int(row["id"]), str(row["why"])) for row in rows]


async def lobbies_without(source: Source, kind: str, most: int = 1000) -> list[int]:
    """Open tables without their timer."""
    rows = await source.all(
        "SELECT t.id FROM tables t WHERE t.status = 'open' AND NOT EXISTS "
        "(SELECT 1 FROM timers x WHERE x.kind = ? AND x.table_id = t.id) ORDER BY t.id LIMIT ?",
        (kind, most),
    )
    return [int(row["id"]) for row in rows]
