"""A copy of the running database as one file, by SQLite's online backup."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

from db.address import beside
from db.errors import DatabaseError, reported
from db.files import with_its_log
from db.fitting import sound

WHOLE = -1  # in one step: SQLite begins a paged copy anew at every commit of another connection


async def backup(source: str | Path, target: str | Path) -> None:
    """Copies the database `source`, which may be in use, to `target`; a file there is replaced whole.

    Raises DatabaseError with the path at fault: `missing`, `log-alone`, `corrupt`, `full`, `unwritable`,
    `locked`.
    """
    thread = ThreadPoolExecutor(1, "backup")  # its own: the others carry out what players do
    try:
        work = partial(copy, Path(source).absolute(), Path(target).absolute())  # noqa: ASYNC240
        await asyncio.get_running_loop().run_in_executor(thread, work)
    finally:
        thread.shutdown(wait=False)


def copy(source: Path, target: Path) -> None:
    """The copy is made beside `target`, checked, flushed to disk, then renamed."""
    if not source.exists():
        raise DatabaseError("missing", str(source))
    with_its_log(source)
    part = part_of(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))  # it holds hands and seeds
        with (
            reported(str(target)),
            closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as original,
            closing(sqlite3.connect(part)) as made,
        ):
            original.backup(made, pages=WHOLE)
            made.execute("PRAGMA journal_mode=DELETE")
            if not sound(made, "quick_check"):
                raise DatabaseError("corrupt", str(source))  # noqa: TRY301 - told as SQLite's own fault is
        flush(part)
        part.replace(target)
        flush(target.parent)
    except DatabaseError as error:
        raise DatabaseError(error.code, str(source if error.code == "corrupt" else target)) from error
    except OSError as error:
        raise DatabaseError("unwritable", str(target)) from error
    finally:
        part.unlink(missing_ok=True)


def part_of(target: Path) -> Path:
    """Where a copy is while it is being made."""
    return beside(target, ".part")


def flush(path: Path) -> None:
    """Waits until a file or folder is on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


DATED = "hatamoto-*.db"  # copies that are made on a timer; others in the folder are left alone


def dated(folder: Path, seconds: int) -> Path:
    """The name of a copy made at this time, seconds since 1970 UTC."""
    return folder / f"hatamoto-{seconds}.db"


def copies(folder: Path) -> list[Path]:
    """The copies made on a timer, the oldest first."""
    found = [file for file in folder.glob(DATED) if file.stem.partition("-")[2].isdigit()]
    return sorted(found, key=moment)


def moment(file: Path) -> int:
    """When a dated copy was made, seconds since 1970 UTC."""
    return int(file.stem.partition("-")[2])


def swept(folder: Path) -> list[Path]:
    """Removes what killed processes left of copies on a timer; the folder is made where there is none.

    Raises DatabaseError `unwritable` where nothing can be written there.
    """
    probe = folder / ".writable"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
        left = [*folder.glob(f"{DATED}.part")]
        for file in left:
            file.unlink(missing_ok=True)
    except OSError as error:
        raise DatabaseError("unwritable", str(folder)) from error
    return left


def rotate(folder: Path, keep: int) -> list[Path]:
    """Removes all but the newest copies; those that are gone."""
    old = copies(folder)[:-keep]
    for file in old:
        file.unlink(missing_ok=True)
    return old
