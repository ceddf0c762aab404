"""Messages to be sent: queued with what they tell of, sent in order for each table."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable
from typing import NamedTuple

from db.database import Source, Transaction
from db.rows import Message, OutboxRow, row_of

KEPT_MS = 7 * 24 * 3600 * 1000  # sent rows, for finding out what happened
UNSENT = "state IN ('queued', 'flying')"  # as the index says it: SQLite uses it for no other words
HEADS = f"""SELECT destination, min(id) AS first, count(*) AS waiting FROM outbox
    WHERE {UNSENT} GROUP BY destination"""  # noqa: S608
KNOWN = "SELECT 1 AS one FROM outbox WHERE destination = ?1 AND kind = ?2 AND table_id = ?3 AND"

OURS = """LEFT JOIN tables t ON t.id = o.table_id
    WHERE o.destination LIKE 'user:%' OR t.guild_id IS NULL OR (t.guild_id >> 22) % ?6 BETWEEN ?4 AND ?5"""


class Part(NamedTuple):
    """Shards of all."""

    first: int
    last: int
    of: int


class Head(NamedTuple):
    """The first unsent row of a destination, and how many wait there with it."""

    row: OutboxRow
    waiting: int


async def queue(tx: Transaction, messages: Iterable[Message], now: int) -> None:
    """Puts messages at the end of the line, each with a random nonce; due at once by any clock."""
    tx.many(
        "INSERT INTO outbox (table_id, destination, kind, payload, nonce, due_at, created_at) "
        "VALUES (?, ?, ?, ?, ?, 0, ?)",
        [(m.table_id, m.destination, m.kind, m.payload, str(secrets.randbits(64)), now) for m in messages],
    )


async def heads(source: Source, now: int, farthest: int, most: int, part: Part | None = None) -> list[Head]:
    """At most so many destinations with unsent rows, by the first row of each.

    Those that are due come first, the one with the oldest row before the others; then that which is due
    next. A row due later than `farthest` was put off before the clock went back: it counts as due.

    part  only what is posted by the process of these shards: in their servers; and to users, by any
    """
    ours, shards = ("", ()) if part is None else (OURS, part)
    # payloads of these alone are read
    rows = await source.all(
        "SELECT o.*, f.waiting FROM (SELECT first, waiting, due_at, early FROM (SELECT h.first, h.waiting, "  # noqa: S608
        "o.due_at, CASE WHEN o.due_at > ?1 AND o.due_at <= ?2 THEN 1 ELSE 0 END AS early "
        f"FROM ({HEADS}) h JOIN outbox o ON o.id = h.first {ours}) found "
        "ORDER BY early, CASE WHEN early = 1 THEN due_at ELSE first END LIMIT ?3) f "
        "JOIN outbox o ON o.id = f.first "
        "ORDER BY f.early, CASE WHEN f.early = 1 THEN f.due_at ELSE f.first END",
        (now, farthest, most, *shards),
    )
    return [Head(row_of(OutboxRow, row), int(row["waiting"])) for row in rows]


async def due(source: Source, now: int) -> int:
    """How many rows could be sent now."""
    row = await source.one(
        f"SELECT count(*) AS n FROM outbox WHERE {UNSENT} AND due_at <= ?",  # noqa: S608
        (now,),
    )
    return int(row["n"]) if row else 0


async def last(source: Source) -> int:
    """The number of the newest row."""
    row = await source.one("SELECT max(id) AS id FROM outbox")
    return int(row["id"] or 0) if row else 0


async def last_sent(
    source: Source, destination: str, kind: str, table_id: int | None, since: int
) -> int | None:
    """The message of the last row of this kind sent there for this table since `since`, ms UTC."""
    row = await source.one(
        "SELECT message_id FROM outbox WHERE destination = ? AND kind = ? AND table_id IS ? "
        "AND state = 'sent' AND done_at >= ? AND message_id IS NOT NULL ORDER BY id DESC LIMIT 1",
        (destination, kind, table_id, since),
    )
    return None if row is None or row["message_id"] is None else int(row["message_id"])


async def known(source: Source, destination: str, kind: str, table_id: int) -> bool:
    """Whether a row of this kind was sent there for this table lately, or waits to be."""
    found = await source.one(
        f"{KNOWN} state = 'sent' UNION ALL {KNOWN} {UNSENT} LIMIT 1",  # each by an index of its own
        (destination, kind, table_id),
    )
    return found is not None


async def followed(source: Source, row: OutboxRow) -> bool:
    """Whether another row for the same table waits behind this one at its destination."""
    found = await source.one(
        "SELECT 1 AS one FROM outbox WHERE destination = ? AND table_id IS ? AND id > ? "  # noqa: S608
        f"AND {UNSENT} AND state = 'queued' AND kind IN ('hand', ?) LIMIT 1",
        (row.destination, row.table_id, row.id, row.kind),
    )
    return found is not None


async def newer_board(source: Source, row: OutboxRow) -> OutboxRow | None:
    """The newest board of the same table that waits behind this one."""
    found = await source.one(
        "SELECT * FROM outbox WHERE destination = ? AND table_id IS ? AND id > ? "  # noqa: S608
        f"AND {UNSENT} AND state = 'queued' AND kind IN ('board', 'over') ORDER BY id DESC LIMIT 1",
        (row.destination, row.table_id, row.id),
    )
    return None if found is None else row_of(OutboxRow, found)


async def newest(source: Source, destination: str, without: Collection[str] = ()) -> tuple[int, str | None]:
    """The newest message there of any kind but these, and the chapter that it shows by now; 0 for none."""
    marks = ", ".join("?" for _ in without)
    row = await source.one(
        "SELECT message_id, json_extract(payload, '$.chapter') AS chapter FROM outbox "  # noqa: S608 - only marks
        f"WHERE destination = ? AND state = 'sent' AND kind NOT IN ({marks}) AND message_id IS NOT NULL "
        "ORDER BY message_id DESC, id DESC LIMIT 1",
        (destination, *without),
    )
    return (int(row["message_id"]), row["chapter"]) if row else (0, None)


async def waiting(source: Source, destination: str, most: int = 50) -> list[OutboxRow]:
    """Unsent rows of a destination in order; a `flying` one may be sent already."""
    rows = await source.all(
        f"SELECT * FROM outbox WHERE destination = ? AND {UNSENT} ORDER BY id LIMIT ?",  # noqa: S608
        (destination, most),
    )
    return [row_of(OutboxRow, row) for row in rows]


async def earliest(source: Source) -> int | None:
    """When the first unsent row is due, ms UTC."""
    row = await source.one(f"SELECT min(due_at) AS due FROM outbox WHERE {UNSENT}")  # noqa: S608
    return None if row is None or row["due"] is None else int(row["due"])


async def later(tx: Transaction, row_id: int, due_at: int, error: str) -> None:
    """Puts a row that was tried and not taken back into the line."""
    tx.put(
        "UPDATE outbox SET state = 'queued', flying_since = NULL, attempts = attempts + 1, due_at = ?, "
        "error = ? WHERE id = ?",
        (due_at, error, row_id),
    )


async def queued_next(source: Source) -> int:
    """The least number that a row queued from now on can have."""
    return await source.next_number("outbox")


async def hurry(tx: Transaction, destination: str) -> None:
    """What waits for this destination is due at once: it may be open again."""
    queued = f"destination = ? AND {UNSENT} AND state = 'queued'"
    tx.put(f"UPDATE outbox SET due_at = 0 WHERE {queued}", (destination,))  # noqa: S608


async def behind(tx: Transaction, destination: str, first: int) -> None:
    """Puts the rows that wait for this destination and are older than row `first` at the end of the line."""
    older = f"destination = ? AND {UNSENT} AND state = 'queued' AND id < ?"
    tx.put(
        "INSERT INTO outbox (table_id, destination, kind, payload, nonce, due_at, created_at) "  # noqa: S608
        "SELECT table_id, destination, kind, payload, nonce, 0, created_at FROM outbox "
        f"WHERE {older} ORDER BY id",
        (destination, first),
    )
    tx.put(f"DELETE FROM outbox WHERE {older}", (destination, first))  # noqa: S608


async def sent(
    tx: Transaction, row_id: int, message_id: int | None, now: int, *, chapter: str | None = None
) -> None:
    """Marks a row as sent, keeps of its payload the chapter alone, and forgets rows sent a week ago."""
    payload = json.dumps({"chapter": chapter} if chapter is not None else {})
    tx.put(
        "UPDATE outbox SET state = 'sent', message_id = ?, done_at = ?, payload = ? WHERE id = ?",
        (message_id, now, payload, row_id),
    )
    tx.put("DELETE FROM outbox WHERE done_at < ?", (now - KEPT_MS,))


async def drop(tx: Transaction, row_id: int, error: str, now: int) -> None:
    """Gives a row up: its place is gone or closed."""
    tx.put(
        "UPDATE outbox SET state = 'dropped', error = ?, done_at = ?, payload = '{}' WHERE id = ?",
        (error, now, row_id),
    )


async def discard(tx: Transaction, row_id: int) -> None:
    """A row that cannot be read goes: SQLite lets nobody write into it."""
    tx.put("DELETE FROM outbox WHERE id = ?", (row_id,))
