"""Tables with their whole logs, for a process that owns no connection of the bot's."""

from __future__ import annotations

from typing import NamedTuple

from db.address import Where
from db.ledger import ledger
from db.rows import ActionRow, SnapshotRow
from tables.core.errors import TableError
from tables.core.loaded import Loaded, readable

PLACE = "HATAMOTO_ARCHIVE_OF"  # in the environment of the process that folds: the address of a database


class Written(NamedTuple):
    """A table with its whole log, all of one moment; without its state."""

    loaded: Loaded
    log: list[ActionRow]
    snapshot: SnapshotRow | None


def written(path: Where, table_id: int) -> Written:
    """The table. Raises TableError `no-table`, `broken` where its rows cannot be read, DatabaseError."""
    found = ledger(path, table_id)
    if found is None:
        raise TableError("no-table", table=table_id)
    loaded = Loaded(readable(found.table, found.seats), found.seats)
    if loaded.damaged:
        raise TableError("broken", table=table_id, game=loaded.row.game)
    return Written(loaded, found.log, found.snapshot)
