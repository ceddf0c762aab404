"""A backup put in the place of the database. The bot must not run; what was there is kept beside it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from db.backup import copy
from db.database import APPLICATION, migrations, seize
from db.errors import DatabaseError, reported

BEYOND = 10_000  # versions that a table may have grown by since the backup: buttons of those are stale
LIVE = "SELECT id FROM tables WHERE status IN ('open', 'running')"
# what the backup had not sent may have been sent since: the courier looks for it before it posts
SOUGHT = """UPDATE outbox SET state = 'flying', flying_since = created_at, attempts = max(attempts, 1)
    WHERE state = 'queued'"""
GROWN = f"UPDATE tables SET version = version + {BEYOND} WHERE id IN ({LIVE})"  # noqa: S608 - constants
STALE = f"""UPDATE seats SET choice_version = (SELECT version FROM tables WHERE id = table_id)
    WHERE table_id IN ({LIVE})"""  # noqa: S608 - constants


def restore(backup: Path, database: Path) -> Path | None:
    """Puts a copy of `backup` where the database is; where the database that was there is now.

    Raises DatabaseError with the path at fault: `missing`, `corrupt`, `foreign`, `newer`,
    `second-process`, `full`, `unwritable`.
    """
    backup, database = backup.absolute(), database.absolute()
    examine(backup)
    database.parent.mkdir(parents=True, exist_ok=True)
    held = seize(database)
    try:
        made = database.with_name(f"{database.name}.restored")
        copy(backup, made)
        with reported(str(made)), closing(sqlite3.connect(made)) as connection, connection:
            for statement in (SOUGHT, GROWN, STALE):
                connection.execute(statement)
        old = put_aside(database)
        made.replace(database)
    finally:
        os.close(held)
    return old


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
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise DatabaseError("corrupt", str(backup))


def put_aside(database: Path) -> Path | None:
    """Moves the database and its log out of the way."""
    if not database.exists():
        return None
    number = 1
    while (old := database.with_name(f"{database.name}.before-restore-{number}")).exists():
        number += 1
    for end in ("-wal", "-shm", ""):
        part = database.with_name(f"{database.name}{end}")
        if part.exists():
            part.rename(old.with_name(f"{old.name}{end}"))
    return old
