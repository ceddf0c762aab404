"""A storage fault as one clear line."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

BY_CODE = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CORRUPT: "corrupt",
    sqlite3.SQLITE_NOTADB: "corrupt",
    sqlite3.SQLITE_CANTOPEN: "unwritable",
    sqlite3.SQLITE_PERM: "unwritable",
    sqlite3.SQLITE_IOERR: "failing",
}
NO_CODE = "unsupported file format"  # what SQLite says of a damaged head, with no code for it
LINES = {
    "locked": "is locked by another program; close it and try again",
    "read-only": "is read-only; the bot needs to write to it and to its folder",
    "full": "cannot grow: the disk is full; make room on it",
    "corrupt": "is damaged or no database; nothing was written. Use a backup: `python bot.py restore PATH`",
    "second-process": "is already in use by another bot process; stop that one first",
    "unwritable": "cannot be opened or written; check the folder and its permissions",
    "failing": "cannot be read or written; look at its disk, which is over a quota, protected or faulty",
    "older": "was made by an older version of the bot: start the bot once, which brings it up to date",
    "newer": "was made by a newer version of the bot; nothing was written. Run that version",
    "foreign": "belongs to another program; nothing was written. Set HATAMOTO_DATABASE to another path",
    "gone": "was deleted, moved or replaced while the bot runs, or its lock was; nothing is written. "
    "Stop the bot, put the file back or `python bot.py restore PATH`, and start it",
    "log-alone": "is gone or empty and its log beside it (-wal) is not: what was played last is in there. "
    "Nothing was written. Put the file back or `python bot.py restore PATH`; to begin anew, move the log",
    "restoring": "is about to be replaced by a backup: start the bot, which finishes that",
    "overtaken": "was changed by another process in the same moment; try again",
    "missing": "does not exist, or is empty; HATAMOTO_DATABASE names it, the first run makes it",
    "sqlite": f"needs SQLite 3.37 or newer, and this Python has {sqlite3.sqlite_version}; "
    "nothing was written. Use a newer Python or system",
    "unreachable": "does not answer; look at its server and at HATAMOTO_DATABASE",
    "refused": "refuses the bot: look at the user, the password and the rights in HATAMOTO_DATABASE",
    "sslmode": "is not reached as `sslmode` in HATAMOTO_DATABASE asks; look at it, and at the certificates",
    "address": "has an address that PostgreSQL does not understand; look at what stands behind the ? in "
    "HATAMOTO_DATABASE, and write %25 for % in the password",
    "missing-there": "does not exist on its server: `createdb` makes it, as docs/operations.md says",
    "crowded": "has no connection left for the bot; see `max_connections` of its server",
    "encoding": "is not in UTF8; nothing was written. Make another with `createdb -E UTF8`",
    "driver": "needs psycopg: `pip install 'hatamoto[postgresql]'`",
    "on-server": "is on a server: use pg_restore, or `python bot.py move FILE ADDRESS` into an empty one",
    "migration": "could not be brought up to date on a copy; it is as it was. Run the version before",
}


class DatabaseError(Exception):
    """The database cannot be used: a stable code and one clear line with its path."""

    def __init__(self, code: str, path: str) -> None:
        super().__init__(f"The database {path} {LINES[code]}.")
        self.code = code
        self.path = path


class RowError(Exception):
    """A row that its table does not let in: its key is there already, or a value makes no sense.

    It quotes no value: a row holds hands and seeds, and errors are logged.
    """


@contextmanager
def reported(path: str) -> Iterator[None]:
    """Turns SQLite's faults of storage into DatabaseError, rows that are not let in into RowError."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise RowError(str(error)) from error
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        known = BY_CODE.get(code & 0xFF) if code is not None else None
        known = "corrupt" if str(error) == NO_CODE else known
        if known is None:
            raise
        raise DatabaseError(known, path) from error
    except UnicodeDecodeError as error:  # SQLite's own word for a damaged schema quotes the damage
        raise DatabaseError("corrupt", path) from error
