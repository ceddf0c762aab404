"""The files of a database: for their owner alone, the same ones all the time, none left by a kill."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from db.address import beside
from db.errors import DatabaseError

OWN = 0o600  # they hold hands and seeds
ENDS = ("", "-wal", "-shm")
LEFT = ("restoring*", "trial*", "version-*.part*")  # copies that were not finished


def sweep(path: Path) -> list[Path]:
    """Removes what a kill left of copies beside the database, whose lock is held; those that are gone."""
    begun = f"{path.name}."
    left = [file for end in LEFT for file in path.parent.glob(f"*.{end}") if file.name.startswith(begun)]
    for file in left:
        file.unlink(missing_ok=True)
    return left


def with_its_log(path: Path) -> None:
    """Raises `log-alone` where a log lies beside no database, or an empty one: SQLite would remove it."""
    log = beside(path, "-wal")
    if log.exists() and log.stat().st_size and not (path.exists() and path.stat().st_size):
        raise DatabaseError("log-alone", str(path))


def tighten(path: Path) -> None:
    """Takes a database from everybody but its owner."""
    for file in (*(beside(path, end) for end in ENDS), beside(path, ".lock")):
        with suppress(FileNotFoundError, PermissionError):  # another owner's stays as that one wants it
            if stat.S_IMODE(file.stat().st_mode) & ~OWN:
                file.chmod(OWN)


class FileIdentity:
    """Whether a database, its log and its lock are still the files that were opened.

    SQLite goes on writing into a file that has no name any more, and the kernel keeps its lock.
    """

    def __init__(self, path: Path, lock: int | None) -> None:
        self._path = path
        self._lock = lock
        self._files = [str(beside(path, end)) for end in (".lock", *ENDS)]  # every write looks
        self._known: dict[str, tuple[int, int]] = {}
        if lock is not None:
            held = os.fstat(lock)
            self._known[self._files[0]] = (held.st_dev, held.st_ino)

    def look(self) -> None:
        """Raises DatabaseError `gone` where one of them is another file, or none."""
        if self._lock is None:
            return
        for file in self._files:
            try:
                found = os.stat(file)  # noqa: PTH116 - a path for each look takes as long as the look
            except FileNotFoundError:
                if file in self._known or file == self._files[1]:
                    raise DatabaseError("gone", str(self._path)) from None
                continue  # its log, which the first access makes
            except OSError as error:
                raise DatabaseError("unwritable", str(self._path)) from error
            if self._known.setdefault(file, (found.st_dev, found.st_ino)) != (found.st_dev, found.st_ino):
                raise DatabaseError("gone", str(self._path))
