"""Tables, their seats and snapshots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from db.database import Source, Transaction
from db.rows import SeatRow, SnapshotRow, TableRow, row_of, whole
from db.statements import put

SELECT = "SELECT t.*, (SELECT n.id FROM tables n WHERE n.rematch_of = t.id) AS rematch_id FROM tables t"
SEAT_COLUMNS = (
    "table_id", "seat", "role", "user_id", "name", "level", "invited",
    "acts", "acts_since", "choice_mark", "choice_version", "away", "away_until", "gone", "gone_since",
    "bank", "ticks_since", "flagged", "turns", "thought_ms", "account", "nonce", "nonce_told", "unsealed",
)  # fmt: skip
PUT_SEAT = put("seats", SEAT_COLUMNS[:2], SEAT_COLUMNS[2:])
PUT_SNAPSHOT = put("snapshots", ("table_id",), ("entry", "state", "events"))
COLUMNS = frozenset(TableRow.__dataclass_fields__) - {"id", "rematch_id", "damaged"}


async def add(tx: Transaction, values: Mapping[str, Any]) -> int:
    """A new table from column values; its number."""
    known(values)
    marks = ", ".join("?" for _ in values)
    statement = f"INSERT INTO tables ({', '.join(values)}) VALUES ({marks}) RETURNING id"  # noqa: S608 - known names
    rows = await tx.all(statement, list(values.values()))
    return int(rows[0]["id"])


async def change(tx: Transaction, table_id: int, values: Mapping[str, Any]) -> None:
    """Sets columns of a table."""
    tx.put(setting(tuple(values)), [*values.values(), table_id])
    tx.tables.add(table_id)


async def mark(source: Source, table_id: int) -> str | None:
    """What tells the row of a table from those before and after it; PostgreSQL has it of every row."""
    row = await source.one("SELECT CAST(xmin AS TEXT) AS mark FROM tables WHERE id = ?", (table_id,))
    return None if row is None else str(row["mark"])


async def locked(tx: Transaction, table_id: int) -> tuple[str | None, str]:
    """The mark of a table, locked until the end of the transaction, and the one that this gives it."""
    row = await tx.one(
        "SELECT CAST(pg_current_xact_id()::xid AS TEXT) AS next, (SELECT CAST(xmin AS TEXT) FROM tables "
        "WHERE id = ? FOR UPDATE) AS mark",
        (table_id,),
    )
    if row is None:
        raise ValueError("a query without a table has a row")
    return row["mark"], str(row["next"])


def touch(tx: Transaction, table_id: int) -> None:
    """The row of a table is another, if nothing else has made it so: what is kept with it has changed."""
    if table_id not in tx.tables:
        tx.put("UPDATE tables SET version = version WHERE id = ?", (table_id,))


@lru_cache(maxsize=64)
def setting(names: tuple[str, ...]) -> str:
    """The statement that sets these columns of a table: a change at a table always sets the same."""
    known(names)
    sets = ", ".join(f"{name} = ?" for name in names)
    return f"UPDATE tables SET {sets} WHERE id = ?"  # noqa: S608 - known names


def known(names: Iterable[str]) -> None:
    """Only names of columns go into a statement."""
    if strange := {*names} - COLUMNS:
        raise ValueError(f"no such columns: {sorted(strange)}")


async def get(source: Source, table_id: int) -> TableRow | None:
    """A table by its number."""
    row = await source.one(f"{SELECT} WHERE t.id = ?", (table_id,))
    return None if row is None else row_of(TableRow, row)


async def some(source: Source, where: str, params: Iterable[Any], most: int) -> list[TableRow]:
    """Tables that meet a condition of this program's own, newest first."""
    rows = await source.all(f"{SELECT} WHERE {where} ORDER BY t.id DESC LIMIT ?", [*params, most])
    return [row_of(TableRow, row) for row in rows]


async def running(source: Source, after: int = 0, most: int = 100) -> list[int]:
    """Numbers of running tables above `after`, ascending."""
    rows = await source.all(
        "SELECT id FROM tables WHERE status = 'running' AND id > ? ORDER BY id LIMIT ?", (after, most)
    )
    return [int(row["id"]) for row in rows]


async def newest(source: Source) -> int:
    """The highest number of a table, 0 where there is none."""
    row = await source.one("SELECT max(id) AS id FROM tables")
    return int(row["id"] or 0) if row else 0


async def live(source: Source, after: int, last: int, most: int = 100) -> list[int]:
    """Numbers of open and running tables above `after` up to `last`, ascending."""
    rows = await source.all(
        "SELECT id FROM tables WHERE status IN ('open', 'running') AND id > ? AND id <= ? "
        "ORDER BY id LIMIT ?",
        (after, last, most),
    )
    return [int(row["id"]) for row in rows]


async def live_of_guild(source: Source, guild_id: int) -> list[int]:
    """Numbers of a server's open and running tables."""
    rows = await source.all(
        "SELECT id FROM tables WHERE guild_id = ? AND status IN ('open', 'running') ORDER BY id", (guild_id,)
    )
    return [int(row["id"]) for row in rows]


async def aside(source: Source) -> list[int]:
    """Numbers of running tables that were set aside."""
    rows = await source.all(
        "SELECT id FROM tables WHERE status = 'running' AND aside_at IS NOT NULL ORDER BY id"
    )
    return [int(row["id"]) for row in rows]


async def barred_in(source: Source, guild_id: int) -> list[int]:
    """Numbers of a server's live tables where nothing can be posted."""
    rows = await source.all(
        "SELECT id FROM tables WHERE guild_id = ? AND status IN ('open', 'running') "
        "AND barred_at IS NOT NULL ORDER BY id",
        (guild_id,),
    )
    return [int(row["id"]) for row in rows]


async def live_at(source: Source, guild_id: int, channel_id: int) -> list[int]:
    """Numbers of a server's open or running tables in this channel, in its threads, or in this thread."""
    rows = await source.all(
        "SELECT id FROM tables WHERE guild_id = ?1 AND status IN ('open', 'running') "
        "AND ?2 IN (channel_id, thread_id) ORDER BY id",
        (guild_id, channel_id),
    )
    return [int(row["id"]) for row in rows]


async def in_channel(source: Source, channel_id: int, most: int = 50) -> list[int]:
    """Numbers of the tables that are in this thread, or without one in this channel; newest first."""
    rows = await source.all(
        "SELECT id FROM tables WHERE thread_id = ?1 UNION "
        "SELECT id FROM tables WHERE channel_id = ?1 AND thread_id IS NULL ORDER BY id DESC LIMIT ?2",
        (channel_id, most),
    )
    return [int(row["id"]) for row in rows]


async def of_user(source: Source, user_id: int, most: int = 200) -> list[int]:
    """Numbers of the running tables at which this user sits."""
    rows = await source.all(
        "SELECT DISTINCT t.id FROM seats s CROSS JOIN tables t ON t.id = s.table_id "
        "WHERE s.user_id = ? AND t.status = 'running' LIMIT ?",
        (user_id, most),
    )
    return [int(row["id"]) for row in rows]


async def gone_from(source: Source, user_id: int) -> list[int]:
    """Numbers of the running tables at which this user is marked as gone."""
    rows = await source.all(
        "SELECT DISTINCT t.id FROM seats s CROSS JOIN tables t ON t.id = s.table_id "
        "WHERE s.user_id = ? AND s.gone IS NOT NULL AND t.status = 'running' ORDER BY t.id",
        (user_id,),
    )
    return [int(row["id"]) for row in rows]


async def lobbies_of(source: Source, user_id: int) -> int:
    """How many tables of this user's have not started."""
    row = await source.one(
        "SELECT count(*) AS n FROM tables WHERE creator_id = ? AND status = 'open'", (user_id,)
    )
    return int(row["n"]) if row else 0


async def live_of(source: Source, user_id: int) -> int:
    """At how many open or running tables this user sits."""
    row = await source.one(
        "SELECT count(DISTINCT t.id) AS n FROM seats s CROSS JOIN tables t ON t.id = s.table_id "
        "WHERE s.user_id = ? AND t.status IN ('open', 'running')",
        (user_id,),
    )
    return int(row["n"]) if row else 0


async def live_in(source: Source, guild_id: int) -> int:
    """How many open or running tables this server has."""
    row = await source.one(
        "SELECT count(*) AS n FROM tables WHERE guild_id = ? AND status IN ('open', 'running')", (guild_id,)
    )
    return int(row["n"]) if row else 0


async def bots_to_act(source: Source) -> list[int]:
    """Numbers of running tables at which a bot has to act."""
    rows = await source.all(
        "SELECT DISTINCT s.table_id FROM seats s WHERE s.level IS NOT NULL AND s.acts = 1 ORDER BY s.table_id"
    )
    return [int(row["table_id"]) for row in rows]


async def drop_studies(tx: Transaction, user_id: int, kept: int) -> list[int]:
    """Drops a user's oldest study tables but for the newest `kept`; their numbers."""
    rows = await tx.all(
        "SELECT id FROM tables WHERE creator_id = ? AND study = 1 ORDER BY id DESC LIMIT 1000000 OFFSET ?",
        (user_id, kept),
    )
    old = [int(row["id"]) for row in rows]
    tx.many("DELETE FROM tables WHERE id = ?", [(number,) for number in old])
    return old


async def seats(source: Source, table_id: int) -> tuple[SeatRow, ...]:
    """A table's seats in order."""
    rows = await source.all("SELECT * FROM seats WHERE table_id = ? ORDER BY seat", (table_id,))
    return tuple(row_of(SeatRow, row) for row in rows)


async def put_seats(tx: Transaction, rows: Iterable[SeatRow]) -> None:
    """Stores seats, new or changed."""
    tx.many(PUT_SEAT, [[getattr(row, name) for name in SEAT_COLUMNS] for row in rows])


async def clear_seats(tx: Transaction, table_id: int) -> None:
    """Takes away every seat of a table, to be put anew."""
    tx.put("DELETE FROM seats WHERE table_id = ?", (table_id,))


async def snapshot(source: Source, table_id: int) -> SnapshotRow | None:
    """The last state of a table that has started."""
    row = await source.one("SELECT * FROM snapshots WHERE table_id = ?", (table_id,))
    return None if row is None else whole(SnapshotRow, row)


async def put_snapshot(tx: Transaction, row: SnapshotRow) -> None:
    """Stores the last state in place of the one before."""
    tx.put(PUT_SNAPSHOT, (row.table_id, row.entry, row.state, row.events))
