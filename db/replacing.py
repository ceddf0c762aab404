"""One database put in the place of another, so that a kill at any moment leaves one of them.

What is to come stands beside the database as `NAME.ready`, complete and flushed; from then on whoever holds
the lock finishes: the one that is there is put aside, the one that is ready takes its place.
"""

from __future__ import annotations

from pathlib import Path

from db.address import beside
from db.backup import flush
from db.files import ENDS

PARTS = (*ENDS[1:], ENDS[0])  # the database last: while it stands the number of what is put aside is free


def ready(database: Path) -> Path:
    """Where a database waits that is to take the place of this one."""
    return beside(database, ".ready")


def finish(database: Path) -> Path | None:
    """Does what a restore has left to do, if anything; where the database that was there is now.

    The caller holds the lock. May be killed and repeated at any moment.
    """
    made = ready(database)
    if not made.exists():
        return None
    old = put_aside(database)
    made.replace(database)
    flush(database.parent)
    return old


def put_aside(database: Path) -> Path | None:
    """Moves the database and its log out of the way."""
    if not any(beside(database, end).exists() for end in PARTS):
        return None
    number = 1
    while (old := beside(database, f".before-restore-{number}")).exists():
        number += 1
    for end in PARTS:
        part = beside(database, end)
        if part.exists():
            part.rename(beside(old, end))
    flush(database.parent)
    return old
