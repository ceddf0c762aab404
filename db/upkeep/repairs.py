"""Rows that make no sense, and how each is set right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from db.database import Source, Transaction
from db.upkeep import columns

FAR = "waits for a time that is too far away"


class Wrong(NamedTuple):
    """A row's number and what is wrong with it."""

    id: int
    why: str


async def unsendable(source: Source, far: int, most: int) -> list[Wrong]:
    """Unsent posts without a place or content, or due only after `far` (ms UTC)."""
    rows = await source.all(
        "SELECT id, CASE WHEN due_at > ?1 THEN ?3 "
        "WHEN destination NOT GLOB 'table:[0-9]*' AND destination NOT GLOB 'channel:[0-9]*' "
        "AND destination NOT GLOB 'user:[0-9]*' THEN 'has no place to go' "
        "WHEN destination GLOB 'table:*' AND NOT EXISTS "
        "(SELECT 1 FROM tables t WHERE t.id = CAST(substr(destination, 7) AS INTEGER)) "
        "THEN 'is for a table that is not there' END AS why "
        "FROM outbox WHERE state IN ('queued', 'flying') AND why IS NOT NULL ORDER BY id LIMIT ?2",
        (far, most, FAR),
    )
    return [Wrong(row["id"], row["why"]) for row in rows]


async def hurry(tx: Transaction, row_id: int, now: int) -> None:
    """A post is due now."""
    tx.put("UPDATE outbox SET due_at = ? WHERE id = ?", (now, row_id))


async def give_up(tx: Transaction, row_id: int, now: int) -> None:
    """A post is not sent any more; the row says so."""
    tx.put("UPDATE outbox SET state = 'dropped', error = 'mended', done_at = ? WHERE id = ?", (now, row_id))


async def senseless_timers(source: Source, kinds: Sequence[str], far: int, most: int) -> list[Wrong]:
    """Timers of other kinds than these, of tables that are not there, or due only after `far`."""
    marks = ", ".join("?" for _ in kinds)
    rows = await source.all(
        f"SELECT id, CASE WHEN kind NOT IN ({marks}) THEN 'is of a kind that nobody knows' "  # noqa: S608
        "WHEN table_id <> 0 AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.id = table_id) "
        "THEN 'is for a table that is not there' "
        "WHEN due_at > ? THEN 'is due too far away' END AS why "
        "FROM timers WHERE why IS NOT NULL ORDER BY id LIMIT ?",
        [*kinds, far, most],
    )
    return [Wrong(row["id"], row["why"]) for row in rows]


async def remove_timer(tx: Transaction, timer_id: int) -> None:
    """A timer goes."""
    tx.put("DELETE FROM timers WHERE id = ?", (timer_id,))


async def lobbies_without(source: Source, kind: str, most: int) -> list[int]:
    """Open tables without their timer."""
    rows = await source.all(
        "SELECT t.id FROM tables t WHERE t.status = 'open' AND NOT EXISTS "
        "(SELECT 1 FROM timers x WHERE x.kind = ? AND x.table_id = t.id) ORDER BY t.id LIMIT ?",
        (kind, most),
    )
    return [int(row["id"]) for row in rows]


BESIDES = frozenset({"outbox", "interactions", "notes", "results", "handovers", "timers", "votes"})
PERSONAL = frozenset({"user_id", "creator_id", "by_id", "invited", "name"})


async def raw(source: Source, table_id: int) -> dict[str, Any]:
    """Every row of one game's table as it stands, bytes as hex: for a record that outlives repairs.

    Without the people: who is forgotten must not live on in a file.
    """
    found = {}
    for table in await columns.tables_of(source):
        every = [column.name for column in await columns.columns_of(source, table)]
        names = [name for name in every if name not in PERSONAL]
        own = "id" if table == "tables" else "table_id"
        if own in names and table not in BESIDES:
            rows = await source.all(f"SELECT * FROM {table} WHERE {own} = ?", (table_id,))  # noqa: S608
            found[table] = [{name: plain(row[name]) for name in names} for row in rows]
    return found


def plain(value: Any) -> Any:
    """A value of a column as JSON."""
    return value.hex() if isinstance(value, bytes) else value
