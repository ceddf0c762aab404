"""A backup put in the place of the database. The bot must not run; what was there is kept beside it.

What happened since the backup is lost, but not unseen: buttons were drawn, questions asked, seeds posted.
So nothing is numbered twice, what ended stays ended, and what goes on is drawn anew.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from db.address import beside
from db.backup import copy, flush
from db.errors import DatabaseError, reported
from db.fitting import sound
from db.migrating import APPLICATION, bring_up, look_at_sqlite, migrations, settle_misfits
from db.replacing import finish, ready
from db.sqlite import seize
from db.upkeep import lost

BEYOND = 10_000  # versions that a table may have grown by since the backup: buttons of those are stale
LIVE = "SELECT id FROM tables WHERE status IN ('open', 'running')"
# what the backup had not sent may have been sent since: the courier looks for it before it posts
SOUGHT = """UPDATE outbox SET state = 'flying', flying_since = created_at, attempts = max(attempts, 1)
    WHERE state = 'queued'"""
GROWN = f"UPDATE tables SET version = version + {BEYOND} WHERE id IN ({LIVE})"  # noqa: S608 - constants
STALE = f"""UPDATE seats SET choice_version = (SELECT version FROM tables WHERE id = table_id)
    WHERE table_id IN ({LIVE})"""  # noqa: S608 - constants
NOTED = "INSERT OR REPLACE INTO meta (key, value) VALUES ('restored', ?)"

log = logging.getLogger("hatamoto.restore")


class Restored(NamedTuple):
    """What a restore did.

    old       where the database that was there is now
    compared  whether what happened since the backup was read from it; else numbers jump, and a game that
              ended since then runs again, with new chances
    ended     tables that ended since the backup, and stay so
    """

    old: Path | None
    compared: bool
    ended: tuple[int, ...]


def restore(backup: Path, database: Path) -> Restored:
    """Puts a copy of `backup` where the database is.

    Raises DatabaseError with the path at fault: `missing`, `corrupt`, `foreign`, `newer`,
    `second-process`, `full`, `unwritable`.
    """
    backup, database = backup.absolute(), database.absolute()
    look_at_sqlite(database)
    examine(backup)
    database.parent.mkdir(parents=True, exist_ok=True)
    held = seize(database)
    try:
        finish(database)  # an earlier one that was killed
        made = beside(database, ".restoring")
        try:
            copy(backup, made)
            compared, ended = prepare(made, database)
            flush(made)
            made.replace(ready(database))
        finally:
            for left in (made, beside(made, "-journal")):
                left.unlink(missing_ok=True)
        flush(database.parent)
        old = finish(database)
    finally:
        os.close(held)
    return Restored(old, compared, ended)


def prepare(made: Path, database: Path) -> tuple[bool, tuple[int, ...]]:
    """Makes a copy of a backup ready to go on from: whether it could be compared, which tables have ended."""
    with reported(str(made)), closing(sqlite3.connect(made, isolation_level=None)) as connection:
        try:
            lines = bring_up(connection) or settle_misfits(connection)
        except sqlite3.Error as error:
            raise DatabaseError("migration", str(made)) from error
        for line in lines:
            log.error("%s", line)
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN IMMEDIATE")
        later = lost.read(connection, database)
        ended = () if later is None else lost.carry(connection, later)
        connection.execute(SOUGHT)
        connection.execute(GROWN)
        lost.raise_numbers(connection, later)
        connection.execute(STALE)
        lost.draw_anew(connection)
        connection.execute(NOTED, (json.dumps({"ended": ended, "after": 0}),))
        connection.execute("COMMIT")
    return later is not None, ended


def examine(backup: Path) -> None:
    """Whether it is a sound database of ours."""
    if not backup.exists():
        raise DatabaseError("missing", str(backup))
    with (
        reported(str(backup)),
        closing(sqlite3.connect(f"{backup.as_uri()}?mode=ro", uri=True)) as connection,
    ):
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise DatabaseError("foreign", str(backup))
        if connection.execute("PRAGMA user_version").fetchone()[0] > len(migrations()):
            raise DatabaseError("newer", str(backup))
        if not sound(connection):
            raise DatabaseError("corrupt", str(backup))
