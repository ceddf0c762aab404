"""A table as it is written, read by a process that owns no connection of the bot's: by one of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from db.address import Address, Where
from db.database import Row
from db.errors import reported
from db.rows import ActionRow, SeatRow, SnapshotRow, TableRow, row_of

BUSY_S = 5.0


class Ledger(NamedTuple):
    """The rows of a table, all of one moment."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    log: list[ActionRow]
    snapshot: SnapshotRow | None


class Found(Protocol):
    """The rows of a query."""

    def __iter__(self) -> Iterator[Any]: ...

    def fetchone(self) -> Any:
        """The next of them, None after the last."""

    def fetchall(self) -> list[Any]:
        """All that are left."""


class Reading(Protocol):
    """What answers queries."""

    def execute(self, sql: str, parameters: Any = (), /) -> Found:
        """The rows of a query."""


@contextmanager
def reading(where: Where) -> Iterator[Reading]:
    """What sees one moment, read only. Raises DatabaseError."""
    with reading_server(where) if isinstance(where, Address) else reading_file(where) as connection:
        yield connection


def each(connection: Reading, sql: str) -> Generator[Row, None, None]:
    """The rows of a query one after the other, however many they are."""
    if isinstance(connection, sqlite3.Connection):
        yield from connection.execute(sql)
    else:
        yield from cast("Any", connection).each(sql)


@contextmanager
def reading_server(address: Address) -> Iterator[Reading]:
    """A connection to a server that sees one moment."""
    with import_module("db.postgresql.reading").reading(address) as connection:
        yield connection


@contextmanager
def reading_file(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file that sees one moment."""
    with reported(str(path)), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda stored: stored.decode("utf-8", "replace")
        connection.execute(f"PRAGMA busy_timeout={int(BUSY_S * 1000)}")
        connection.execute("BEGIN")
        yield connection


def ledger(path: Where, table_id: int) -> Ledger | None:
    """The rows of a table, None where there is no such table. Raises DatabaseError."""
    with reading(path) as connection:
        row = connection.execute("SELECT * FROM tables WHERE id = ?", (table_id,)).fetchone()
        seats = connection.execute("SELECT * FROM seats WHERE table_id = ? ORDER BY seat", (table_id,))
        there = tuple(row_of(SeatRow, seat) for seat in seats)
        entries = connection.execute("SELECT * FROM actions WHERE table_id = ? ORDER BY seq", (table_id,))
        log = [row_of(ActionRow, entry) for entry in entries]
        kept = connection.execute("SELECT * FROM snapshots WHERE table_id = ?", (table_id,)).fetchone()
    if row is None:
        return None
    return Ledger(row_of(TableRow, row), there, log, None if kept is None else row_of(SnapshotRow, kept))
