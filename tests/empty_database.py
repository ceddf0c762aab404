"""A database with nothing in it, migrated once for all tests of a process."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from db.database import Database

_made: list[bytes] = []


async def lay(path: Path) -> Path:
    """Puts one there, as a bot leaves it that was started once; how one comes to be is tested in tests/db."""
    if not _made:
        with TemporaryDirectory() as folder:
            first = Path(folder, "empty.db")
            await (await Database.open(first)).close()
            _made.append(_read(first))
    _write(path, _made[0])
    return path


def _read(path: Path) -> bytes:
    return path.read_bytes()


def _write(path: Path, content: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(content)
