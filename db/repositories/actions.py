"""The log of each table, and the interactions that were carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from db.database import Row, Source, Transaction
from db.rows import ActionRow, row_of

COLUMNS = tuple(name for name in ActionRow.__dataclass_fields__ if name != "damaged")
SHORT = 100  # entries that are read at once
KEPT_MS = 2 * 24 * 3600 * 1000  # an interaction is redelivered within minutes, if at all


async def add(tx: Transaction, row: ActionRow) -> None:
    """Appends an entry; `UNIQUE (table_id, seq)` refuses a second one with its number."""
    tx.put(
        f"INSERT INTO actions ({', '.join(COLUMNS)}) VALUES ({', '.join('?' for _ in COLUMNS)})",  # noqa: S608
        [getattr(row, name) for name in COLUMNS],
    )


async def add_all(tx: Transaction, table_id: int, rows: str, seeds: Mapping[int, bytes], at: int) -> None:
    """Appends the entries of a table that has none yet, all of one time and nobody's.

    They are JSON, `[[number, seat, action, undo], ...]`, and one statement however many they are: each would
    have to get hold of the interpreter again, while everybody waits for the end of the transaction.
    """
    tx.put(
        "INSERT INTO actions (table_id, seq, seat, action, undo, reveals, passes, at) SELECT"
        " CAST(? AS BIGINT),"
        " CAST(json_extract(value, '$[0]') AS BIGINT), CAST(json_extract(value, '$[1]') AS BIGINT),"
        " json_extract(value, '$[2]'), CAST(json_extract(value, '$[3]') AS BIGINT), 0, 0, CAST(? AS BIGINT)"
        " FROM json_each(?)",
        (table_id, at, rows),
    )
    tx.many(
        "UPDATE actions SET seed = ? WHERE table_id = ? AND seq = ?",
        [(seed, table_id, number) for number, seed in seeds.items()],
    )


async def rewrite(tx: Transaction, table_id: int, seq: int, action: str, user_id: int | None) -> None:
    """Another action in the place of a secret choice that nobody else has seen: its number and time stay."""
    tx.put(
        "UPDATE actions SET action = ?, user_id = ? WHERE table_id = ? AND seq = ?",
        (action, user_id, table_id, seq),
    )


async def log(source: Source, table_id: int, after: int = 0) -> list[ActionRow]:
    """A table's entries in order, those after a number; many are not made of their rows on the loop."""
    rows = await source.all(
        "SELECT * FROM actions WHERE table_id = ? AND seq > ? ORDER BY seq", (table_id, after)
    )
    return entries(rows) if len(rows) <= SHORT else await asyncio.to_thread(entries, rows)


async def some(source: Source, table_id: int, numbers: Sequence[int]) -> list[ActionRow]:
    """These entries of a table, in order, whatever lies between them."""
    rows = await source.all(
        "SELECT * FROM actions WHERE table_id = ? "
        "AND seq IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) ORDER BY seq",
        (table_id, str(list(numbers))),
    )
    return entries(rows) if len(rows) <= SHORT else await asyncio.to_thread(entries, rows)


def entries(rows: Sequence[Row]) -> list[ActionRow]:
    """Rows of the log."""
    return [row_of(ActionRow, row) for row in rows]


async def count(source: Source, table_id: int) -> int:
    """How many entries a table's log has."""
    row = await source.one("SELECT count(*) AS n FROM actions WHERE table_id = ?", (table_id,))
    return int(row["n"]) if row else 0


async def last(source: Source, table_id: int) -> ActionRow | None:
    """A table's last action that stands; None without one. Reads no further back than it has to."""
    gone, before = 0, None
    while True:
        row = await source.one(
            "SELECT * FROM actions WHERE table_id = ? AND (CAST(? AS BIGINT) IS NULL OR seq < ?) "
            "ORDER BY seq DESC LIMIT 1",
            (table_id, before, before),
        )
        if row is None:
            return None
        entry = row_of(ActionRow, row)
        before = entry.seq
        if entry.undo is not None:
            gone += entry.undo
        elif gone:
            gone -= 1
        else:
            return entry


async def acted_since(source: Source, table_id: int, seat: int, user_id: int, since: int) -> bool:
    """Whether this user acted from this seat at or after `since`, ms UTC."""
    row = await source.one(
        "SELECT 1 FROM actions WHERE table_id = ? AND seat = ? AND user_id = ? AND at >= ? LIMIT 1",
        (table_id, seat, user_id, since),
    )
    return row is not None


async def last_of(source: Source, table_id: int, seat: int, user_id: int | None) -> int | None:
    """When a seat's player last acted there or took something back, ms UTC."""
    row = await source.one(
        "SELECT max(at) AS at FROM actions WHERE table_id = ?1 AND user_id = ?3 "
        "AND (seat = ?2 OR seat IS NULL)",
        (table_id, seat, user_id),
    )
    return None if row is None or row["at"] is None else int(row["at"])


async def done(source: Source, interaction_id: int) -> str | None:
    """What this interaction brought about (JSON text), if it was carried out before."""
    row = await source.one("SELECT outcome FROM interactions WHERE id = ?", (interaction_id,))
    return None if row is None else str(row["outcome"])


async def remember(tx: Transaction, interaction_id: int, table_id: int, outcome: str, now: int) -> None:
    """Marks an interaction as carried out."""
    tx.put(
        "INSERT INTO interactions (id, table_id, outcome, at) VALUES (?, ?, ?, ?)",
        (interaction_id, table_id, outcome, now),
    )


async def forget(tx: Transaction, now: int) -> None:
    """Forgets interactions that are too old to come again."""
    tx.put("DELETE FROM interactions WHERE at < ?", (now - KEPT_MS,))
