"""New migrations are carried out on a copy first; the database as it was before them is kept beside it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from db.address import beside
from db.backup import copy
from db.errors import DatabaseError
from db.fitting import sound
from db.migrating import bring_up


def older_copy(path: Path, version: int) -> Path:
    """Where the database of an older version is kept."""
    return beside(path, f".version-{version}")


def try_out(path: Path, version: int) -> None:
    """Brings a copy of a database of `version` up to date.

    Raises DatabaseError `migration` where one fails or leaves damage behind; the database is untouched then.
    """
    copy(path, older_copy(path, version))
    trial = beside(path, ".trial")
    try:
        copy(older_copy(path, version), trial)
        with closing(sqlite3.connect(trial, isolation_level=None)) as connection:
            bring_up(connection)
            if not sound(connection) or connection.execute("PRAGMA foreign_key_check").fetchone():
                raise DatabaseError("migration", str(path))
    except sqlite3.Error as error:
        raise DatabaseError("migration", str(path)) from error
    finally:
        for left in (trial, *(beside(trial, end) for end in ("-wal", "-shm", "-journal"))):
            left.unlink(missing_ok=True)
