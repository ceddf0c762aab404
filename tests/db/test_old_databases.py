"""Databases as they are found: of every earlier version, of a later one, empty, foreign, after a kill.

`old/version-N.sql` is what the program of version N left of a few games that it played; version 4 is made
of version 3 by its own migration.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import asynccontextmanager, closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import bot
from db import trial
from db.database import Database
from db.errors import LINES, DatabaseError
from db.migrating import migrations
from tables.service import Tables
from tests.tables.players import FakeClock
from workers.thinking import Opponents

OLD = Path(__file__).parent / "old"
KEPT = (3, 4)  # the last version of which there is a file, and what its migration makes
PLAYERS = (900000000000000101, 900000000000000102)


@asynccontextmanager
async def opened(path):
    """The tables of a database, in the days when the old programs played."""
    clock = FakeClock()
    clock.ms = 1_764_000_100_000
    database = await Database.open(path)
    tables = Tables(database, clock, Opponents(), lambda: None)
    try:
        yield database, tables
    finally:
        await tables.close()
        await database.close()


def made(path, version):
    """A database of an earlier version."""
    path.write_bytes(content(version))
    return path


@cache
def content(version):
    """Of such a file; made once for all tests of a process."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "old.db")
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((OLD / f"version-{min(version, KEPT[0])}.sql").read_text())
            for number, file in enumerate(migrations(), 1):
                if KEPT[0] < number <= version:
                    connection.executescript(f"{file.read_text()}; PRAGMA user_version = {number}")
            connection.execute("PRAGMA journal_mode=WAL")
        return path.read_bytes()


def rows(path, *tables):
    """Rows as they are, by table; columns that came later left out by the caller."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in tables}


@pytest.mark.parametrize("version", range(1, KEPT[1] + 1))
async def test_a_game_of_every_earlier_version_goes_on_and_nothing_is_lost(tmp_path, version):
    path = made(tmp_path / "h.db", version)
    names = ("tables", "seats", "actions", "snapshots", "users", "timers", "outbox", "interactions")
    before = rows(path, *names)
    async with opened(path) as (_, tables):
        assert await tables.check() == []
        for name, found in rows(path, *names).items():
            kept = [{key: row[key] for key in before[name][0]} for row in found]
            assert kept == before[name], name
        for number in (1, 2):
            table = await tables.get(number)
            (seat, *_) = sorted(table.to_act)
            user = table.seats[seat].user_id
            assert user in PLAYERS
            (choice, *_) = await tables.complete(number, user, 10, "")
            assert (
                await tables.act(number, user, choice, interaction_id=10_000 + number)
            ).table.version > table.version
        over = await tables.get(3)
        assert (over.status, over.result is not None) == ("over", True)
        assert json.loads(json.dumps(await tables.export(3, PLAYERS[0])))["actions"]
        assert (await tables.verify(3, PLAYERS[0])).fault is None
        assert await tables.check() == []
    with closing(sqlite3.connect(trial.older_copy(path, version))) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == version
    assert rows(trial.older_copy(path, version), *names) == before


@pytest.mark.parametrize("version", range(1, KEPT[1] + 1))
def test_an_older_database_is_not_checked_but_told_of_and_can_be_copied_and_restored(
    tmp_path, version, monkeypatch, capsys
):
    path = made(tmp_path / "h.db", version)
    monkeypatch.setenv("HATAMOTO_DATABASE", str(path))
    assert bot.main(["check"]) == 1
    assert LINES["older"] in capsys.readouterr().err
    assert bot.main(["backup", str(tmp_path / "copy.db")]) == 0
    assert bot.main(["restore", str(tmp_path / "copy.db")]) == 0
    assert bot.main(["check"]) == 0, "restoring brought it up to date"


def test_a_newer_version_an_empty_file_and_another_programs_file_are_told_apart(
    tmp_path, monkeypatch, capsys
):
    path = made(tmp_path / "h.db", 3)
    monkeypatch.setenv("HATAMOTO_DATABASE", str(path))
    for content, said in (
        (None, LINES["newer"]),
        (b"this is no database, whatever its name", LINES["corrupt"]),
        (b"SQLite format 3\0" + b"\1" * 600, LINES["corrupt"]),
    ):
        if content is None:
            with closing(sqlite3.connect(path)) as connection:
                connection.execute(f"PRAGMA user_version = {len(migrations()) + 1}")
        else:
            path.write_bytes(content)
        before = path.read_bytes()
        for verb in (["check"], ["check", "--mend"], ["run"]):
            monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
            assert bot.main(verb) == 1
            error = capsys.readouterr().err
            assert said in error, (verb, error)
            assert "Traceback" not in error
        assert path.read_bytes() == before
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE somebody (s)")
    assert bot.main(["check"]) == 1
    assert LINES["foreign"] in capsys.readouterr().err


def test_an_empty_file_is_a_new_database(tmp_path, monkeypatch, capsys):
    path = tmp_path / "h.db"
    path.touch()
    monkeypatch.setenv("HATAMOTO_DATABASE", str(path))
    assert bot.main(["check"]) == 1
    assert "another program" in capsys.readouterr().err or path.stat().st_size == 0
    assert bot.main(["check", "--mend"]) in (0, 1)
    assert bot.main(["check"]) == 0


WRITER = """
import os, sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("PRAGMA journal_mode=WAL"); c.execute("PRAGMA wal_autocheckpoint=0")
c.execute("INSERT INTO meta VALUES ('acknowledged', 'yes')")
c.execute("BEGIN IMMEDIATE"); c.execute("INSERT INTO meta VALUES ('half', 'no')")
os._exit(9)
"""


async def test_a_log_that_a_killed_process_left_is_taken_up_also_through_a_migration(tmp_path):
    path = made(tmp_path / "h.db", 2)
    subprocess.run([sys.executable, "-c", WRITER, str(path)], check=False)  # noqa: ASYNC221
    assert path.with_name("h.db-wal").stat().st_size > 0
    async with opened(path) as (database, _):
        found = {row["key"]: row["value"] for row in await database.reads.all("SELECT * FROM meta")}
    assert found.get("acknowledged") == "yes"
    assert "half" not in found
    assert rows(trial.older_copy(path, 2), "meta")["meta"][-1]["key"] == "acknowledged", (
        "the copy has the log's rows too"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
async def test_a_folder_that_cannot_be_written_is_told_and_left(tmp_path):
    (tmp_path / "locked").mkdir()
    path = made(tmp_path / "locked" / "h.db", 3)
    (tmp_path / "locked").chmod(0o500)
    with pytest.raises(DatabaseError) as refused:
        await Database.open(path)
    assert refused.value.code in ("unwritable", "read-only")
    (tmp_path / "locked").chmod(0o700)


async def test_a_migration_without_room_for_its_copy_leaves_the_database_as_it_was(tmp_path, monkeypatch):
    path = made(tmp_path / "h.db", 3)
    before = rows(path, "tables", "actions", "snapshots")

    def full(_source, target):
        raise DatabaseError("full", str(target))

    monkeypatch.setattr(trial, "copy", full)
    with pytest.raises(DatabaseError) as refused:
        await Database.open(path)
    assert refused.value.code == "full"
    assert rows(path, "tables", "actions", "snapshots") == before
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == 3
    monkeypatch.undo()
    await (await Database.open(path)).close()
