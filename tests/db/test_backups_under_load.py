"""A backup ends however much is written meanwhile (14.3), and its folder is looked at in time (13.A9)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from cogs.ops.timers import Backups
from db import backup as backups
from db.backup import copies, dated, part_of, swept
from db.database import Database
from db.errors import DatabaseError
from tables.core.clock import SystemClock

MEGABYTES = 30


@pytest.fixture
def large(tmp_path):
    path = tmp_path / "large.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("PRAGMA journal_mode=WAL")
        made.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, x BLOB)")
        made.executemany("INSERT INTO t (x) VALUES (zeroblob(?))", [(1_000_000,)] * MEGABYTES)
        made.commit()
    return path


class StarvedError(Exception):
    """A copy that does not come to an end."""


def always_written(path: Path) -> type[sqlite3.Connection]:
    """Connections whose copies are interrupted by a commit after each step, as SQLite lets others do."""

    class Interrupted(sqlite3.Connection):
        steps = 0

        def backup(self, target: sqlite3.Connection, *, pages: int = -1, **_more: object) -> None:
            def commit(_status: int, remaining: int, _total: int) -> None:
                Interrupted.steps += 1
                if Interrupted.steps > 4 * MEGABYTES:
                    raise StarvedError
                with closing(sqlite3.connect(path)) as other:
                    other.execute("UPDATE t SET x = randomblob(1000000) WHERE n = 1")
                    other.commit()

            super().backup(target, pages=pages, progress=commit)

    return Interrupted


async def test_a_backup_ends_however_often_others_commit(large, tmp_path, monkeypatch):  # 14.3
    """A copy made page by page is begun anew by SQLite at each of these commits, and never ends."""
    connect = partial(sqlite3.connect, factory=always_written(large))
    monkeypatch.setattr(backups, "sqlite3", SimpleNamespace(connect=connect))
    await backups.backup(large, tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copied:
        assert copied.execute("SELECT count(*) FROM t").fetchone() == (MEGABYTES,)


def test_what_a_killed_backup_left_is_removed_and_nothing_else(tmp_path):  # 13.A9
    whole, part, other = dated(tmp_path, 5), part_of(dated(tmp_path, 9)), tmp_path / "holiday.part"
    for file in (whole, part, other):
        file.write_text("x")
    assert swept(tmp_path) == [part]
    assert sorted(tmp_path.iterdir()) == sorted([whole, other])


async def test_a_folder_that_cannot_be_written_is_found_at_the_start(tmp_path, caplog):  # 13.A9
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(DatabaseError, match="cannot be opened or written"):
        swept(tmp_path / "file")
    database = await Database.open(tmp_path / "t.db")
    made = Backups(database, SystemClock(), tmp_path / "file", 24.0)
    try:
        await made.start()
        reading = made.reading()
    finally:
        await made.close()
        await database.close()
    assert "HATAMOTO_BACKUPS" in caplog.text
    assert reading is not None
    assert (reading.failing, reading.age) == (True, None)


async def test_the_age_of_the_newest_copy_is_known(tmp_path):  # 13.A9
    clock = SystemClock()
    database = await Database.open(tmp_path / "t.db")
    folder = tmp_path / "copies"
    made = Backups(database, clock, folder, 24.0)
    try:
        await made.start()
        none_yet = made.reading()
        await backups.backup(database.path, dated(folder, clock.now() // 1000 - 3600))
        reading = made.reading()
    finally:
        await made.close()
        await database.close()
    assert len(copies(folder)) == 1
    assert none_yet is not None
    assert none_yet.age is None
    assert reading is not None
    assert reading.age is not None
    assert 3600 <= reading.age < 3700
    assert not reading.failing
    assert Backups(database, clock, None, 24.0).reading() is None
