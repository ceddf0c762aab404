"""A backup ends however much is written meanwhile (14.3), and its folder is looked at in time (13.A9)."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import cast

import aiohttp
import pytest

from cogs.ops.health import Health
from cogs.ops.timers import Backups, length
from cogs.services import Services
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
        await backups.backup(tmp_path / "t.db", dated(folder, clock.now() // 1000 - 3600))
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


def in_two_parts(half: Event, on: Event) -> type[sqlite3.Connection]:
    """Connections whose copies wait in the middle."""

    class Waiting(sqlite3.Connection):
        def backup(self, target: sqlite3.Connection, *, pages: int = -1, **_more: object) -> None:
            def wait(_status: int, remaining: int, total: int) -> None:
                if remaining <= total // 2 and not half.is_set():
                    half.set()
                    assert on.wait(60)

            super().backup(target, pages=500, progress=wait)

    return Waiting


async def scraped(session: aiohttp.ClientSession, port: int | None) -> dict[str, float]:
    """What the metrics say."""
    async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = (await answer.text()).splitlines()
    return {line.split()[0]: float(line.split()[1]) for line in lines if line.startswith("hatamoto_backup")}


async def test_metrics_say_how_far_a_backup_is_and_how_old_the_newest(tmp_path, monkeypatch):  # 14.3
    half, on, clock = Event(), Event(), SystemClock()
    database = await Database.open(tmp_path / "t.db")
    with closing(
        sqlite3.connect(tmp_path / "t.db")
    ) as more:  # SQLite holds some two megabytes before it writes
        more.execute("CREATE TABLE t (x BLOB)")
        more.executemany("INSERT INTO t VALUES (zeroblob(?))", [(1_000_000,)] * MEGABYTES)
        more.commit()
        more.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connect = partial(sqlite3.connect, factory=in_two_parts(half, on))
    monkeypatch.setattr(backups, "sqlite3", SimpleNamespace(connect=connect, Error=sqlite3.Error))
    made = Backups(database, clock, tmp_path / "copies", 24.0)
    bot = SimpleNamespace(
        clock=clock, database=database, latency=0.1, shards={}, guilds=[], is_ready=bool, is_closed=bool
    )
    health = Health(cast(Services, bot), 0, "127.0.0.1", made)
    await health.start()
    try:
        async with aiohttp.ClientSession() as session:
            before = await scraped(session, health.port)
            copying = asyncio.create_task(made.copy())
            await asyncio.to_thread(half.wait, 60)
            meanwhile = await scraped(session, health.port)
            on.set()
            await copying
            after = await scraped(session, health.port)
    finally:
        on.set()
        await health.close()
        await made.close()
        await database.close()
    assert (before["hatamoto_backup_age_seconds"], before["hatamoto_backup_progress"]) == (-1, 0)
    assert 0.2 < meanwhile["hatamoto_backup_progress"] < 0.8
    assert meanwhile["hatamoto_backup_age_seconds"] == -1
    assert 0 <= after["hatamoto_backup_age_seconds"] < 60
    assert (after["hatamoto_backup_progress"], after["hatamoto_backup_failing"]) == (0, 0)


async def test_a_copy_that_ends_while_it_is_looked_at_is_no_fault(tmp_path):  # 14.3
    """It was there when it was asked for, and is renamed before its size is read."""
    made = Backups(cast(Database, SimpleNamespace(where=tmp_path / "gone.db")), SystemClock(), tmp_path, 24.0)
    gone = tmp_path / "copy.part"
    gone.write_text("x")
    assert length(gone) == 1
    gone.unlink()
    assert length(gone) is None
    assert made.reading() == (None, False, None)
