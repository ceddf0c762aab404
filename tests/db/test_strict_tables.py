"""The migration to STRICT tables (12.7): all that was there is there, also where a disk had lost a bit."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing

import pytest

import bot
from db import migrating
from db.backup import copy
from db.database import Database
from db.errors import DatabaseError
from db.fitting import PERSONAL, sound
from db.migrating import STRICT
from db.trial import older_copy
from db.upkeep.restore import restore
from tables.core.errors import TableError
from tests.db.lost_bits import lose
from tests.db.test_old_databases import PLAYERS, made, opened

HURT, OTHER = 1, 2  # running tables of the old files


def asked(path, sql, *params):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql, params).fetchall()


@pytest.fixture
def before(tmp_path):
    """A database of the version before, with games that run."""
    return made(tmp_path / "h.db", STRICT - 1)


async def plays(tables, number):
    """The next choice at a table is taken."""
    table = await tables.get(number)
    user = table.seats[min(table.to_act)].user_id
    (choice, *_) = await tables.complete(number, user, 10, "")
    done = await tables.act(number, user, choice, interaction_id=77_000 + number)
    assert done.table.version > table.version


GONE = {("chapters", "message_id")}  # columns that a later migration takes away


async def test_every_table_is_strict_and_its_rows_numbers_and_indices_are_kept(before, tmp_path):
    every = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
    names = [name for (name,) in asked(before, every)]
    with closing(sqlite3.connect(before)) as connection, connection:
        connection.execute("UPDATE sqlite_sequence SET seq = seq + 1000")
    columns = {
        name: [
            column
            for _, column, *_ in asked(before, f"PRAGMA table_info({name})")
            if (name, column) not in GONE
        ]
        for name in names
    }
    whole = {name: f"SELECT {', '.join(columns[name])} FROM {name}" for name in names}
    rows = {name: asked(before, sql) for name, sql in whole.items()}
    numbers = asked(before, "SELECT * FROM sqlite_sequence ORDER BY name")
    assert rows["actions"]
    await (await Database.open(before)).close()
    assert {name: asked(before, sql) for name, sql in whole.items()} == rows
    assert asked(before, "SELECT * FROM sqlite_sequence ORDER BY name") == numbers
    assert {strict for *_, strict in asked(before, "PRAGMA table_list") if not _[1].startswith("sqlite")} == {
        1
    }
    await (await Database.open(tmp_path / "new.db")).close()
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
    assert asked(before, schema) == asked(tmp_path / "new.db", schema)
    assert asked(before, "PRAGMA foreign_key_check") == asked(before, "SELECT * FROM lost") == []


SPARED = {  # what a game goes on without, or its log makes anew
    "when it was reminded": ("tables", "reminded_at = 'ruin'", "id = 1"),
    "its language": ("tables", "locale = x'ff'", "id = 1"),
    "who is to act": ("tables", "to_act = '{broken'", "id = 1"),
    "its snapshot": ("snapshots", "entry = 'ruin'", "table_id = 1"),
    "how long a player thought": ("seats", "thought_ms = -7", "table_id = 1 AND seat = 0"),
    "the time of an entry": ("actions", "at = NULL", "table_id = 1 AND seq = 1"),
    "a player's zone": ("users", "zone = x'ff00'", f"id = {PLAYERS[0]}"),
}


@pytest.mark.parametrize("what", SPARED)
async def test_a_game_goes_on_without_what_it_can_do_without(before, caplog, what):
    table, changes, where = SPARED[what]
    lose(before, table, changes, where)
    async with opened(before) as (database, tables):
        assert f"{table} row" in caplog.text
        assert await database.integrity() == []
        for fault in await tables.faults():
            await fault.mend()
        assert await tables.check() == []
        await plays(tables, HURT)
        await plays(tables, OTHER)


VITAL = {
    "its options": ("tables", "options = '{broken'", "id = 1", "options"),
    "its seed": ("tables", "seed = 7", "id = 1", "seed"),
    "its rules": ("tables", "rules = 'ruin'", "id = 1", "rules"),
    "its state": ("tables", "status = 'runnimg'", "id = 1", "status"),
    "an action": ("actions", "action = '{broken'", "table_id = 1 AND seq = 1", "actions"),
    "the seat of an action": ("actions", "seat = 'ruin'", "table_id = 1 AND seq = 1", "actions"),
    "a player": ("seats", "user_id = 'ruin'", "table_id = 1 AND seat = 0", "seats"),
    "a seat's table": ("seats", "table_id = 987654", "table_id = 1 AND seat = 1", ""),
}


@pytest.mark.parametrize("what", VITAL)
async def test_a_game_that_cannot_be_played_without_it_is_set_aside_loudly_and_the_rest_plays(
    before, caplog, what
):
    table, changes, where, named = VITAL[what]
    entries = asked(before, "SELECT count(*) FROM actions")
    lose(before, table, changes, where)
    with caplog.at_level(logging.ERROR):
        async with opened(before) as (database, tables):
            assert f"{table} row" in caplog.text
            for _ in range(2):
                with pytest.raises(TableError) as refused:
                    await tables.show(HURT, PLAYERS[0])
                assert refused.value.code == "broken"
            assert f"table {HURT} is set aside" in caplog.text
            assert (await tables.get(HURT)).status == "broken"
            await plays(tables, OTHER)
            assert await database.integrity() == []
            for fault in await tables.faults():
                assert fault.aside
    kept = asked(before, "SELECT name, row FROM lost")
    assert [name for name, _ in kept] == [table]
    assert not PERSONAL & json.loads(kept[0][1]).keys(), "who is forgotten must not live on there"
    assert asked(before, "SELECT damaged FROM tables WHERE id = 1") == [(named,)]
    gone = 1 if table == "actions" else 0
    assert asked(before, "SELECT count(*) FROM actions")[0][0] + gone == entries[0][0] + 1  # what was played
    assert asked(older_copy(before, STRICT - 1), "SELECT count(*) FROM actions") == entries


async def test_timers_that_were_lost_are_set_again_at_the_start(before):
    kinds = "SELECT kind, table_id, user_id FROM timers WHERE table_id IN (1, 2) ORDER BY 1, 2, 3"
    timers = asked(before, kinds)
    assert timers
    (number,) = asked(before, "SELECT min(id) FROM timers WHERE table_id = 1")[0]
    lose(before, "timers", "due_at = 'ruin'", "id = ?", number)
    async with opened(before) as (_, tables):
        await tables.start_up()
    assert asked(before, kinds) == timers


async def test_a_migration_whose_rows_cannot_be_settled_changes_nothing(before, monkeypatch):
    lose(before, "tables", "rules = 'ruin'", "id = 1")
    monkeypatch.setattr(migrating, "misfits", lambda *_: [])
    with pytest.raises(DatabaseError) as refused:
        await Database.open(before)
    assert refused.value.code == "migration"
    assert asked(before, "PRAGMA user_version") == [(STRICT - 1,)]
    assert asked(before, "SELECT rules FROM tables WHERE id = 1") == [("ruin",)]


async def test_a_torn_row_stops_neither_backups_nor_their_restore(before, tmp_path, caplog):
    await (await Database.open(before)).close()
    lose(before, "tables", "rules = 'ruin'", "id = 1")
    copy(before, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", before)
    assert "tables row 1: rules" in caplog.text
    with closing(sqlite3.connect(before)) as connection:
        assert sound(connection)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    async with opened(before) as (_, tables):
        await plays(tables, OTHER)


def test_an_sqlite_that_is_too_old_is_told_in_one_line(tmp_path, monkeypatch, capsys):
    path = tmp_path / "h.db"
    monkeypatch.setenv("HATAMOTO_DATABASE", str(path))
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    for verb in (["run"], ["check"], ["restore", str(path)]):
        assert bot.main(verb) == 1
        said = capsys.readouterr().err
        assert "needs SQLite 3.37 or newer" in said
        assert "Traceback" not in said
    assert not path.exists()
