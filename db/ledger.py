"""A table as it is written, read by a process that owns no connection of the bot's: by one of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from db.errors import reported
from db.rows import ActionRow, SeatRow, SnapshotRow, TableRow, row_of

BUSY_S = 5.0


class Ledger(NamedTuple):
    """The rows of a table, all of one moment."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    log: list[ActionRow]
    snapshot: SnapshotRow | None


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that sees one moment, read only. Raises DatabaseError."""
    with reported(str(path)), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda stored: stored.decode("utf-8", "replace")
        connection.execute(f"PRAGMA busy_timeout={int(BUSY_S * 1000)}")
        connection.execute("BEGIN")
        yield connection


def ledger(path: Path, table_id: int) -> Ledger | None:
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
