"""Backups rotate and come back; migrations are tried on a copy; a copy that is no backup changes nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from db import migrating, trial
from db.backup import backup, copies, dated, rotate
from db.database import Database
from db.errors import DatabaseError
from db.upkeep.restore import restore

OLD = 3  # a version that was in use


def count(path, sql="SELECT count(*) FROM meta"):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchone()[0]


@pytest.fixture
async def filled(tmp_path):
    """A database with one row, closed."""
    path = tmp_path / "h.db"
    database = await Database.open(path)
    async with database.transaction() as tx:
        tx.put("INSERT INTO meta VALUES ('a', '1')")
        tx.put("INSERT INTO outbox (destination, kind, payload, nonce, due_at, created_at) VALUES "
               "('channel:1', 'line', '{}', '1', 0, 5)")  # fmt: skip
    await database.close()
    return path


def test_rotation_keeps_the_newest_and_touches_nothing_else(tmp_path):
    for seconds in (5, 30, 200, 1000):
        dated(tmp_path, seconds).touch()
    for other in ("hatamoto-by-hand.db", "notes.txt"):
        (tmp_path / other).touch()
    assert rotate(tmp_path, 2) == [dated(tmp_path, 5), dated(tmp_path, 30)]
    assert copies(tmp_path) == [dated(tmp_path, 200), dated(tmp_path, 1000)]
    assert len(list(tmp_path.iterdir())) == 4


async def test_a_backup_comes_back_and_what_was_there_is_kept(filled, tmp_path):
    copied = tmp_path / "copy.db"
    await backup(filled, copied)
    database = await Database.open(filled)
    async with database.transaction() as tx:
        tx.put("INSERT INTO meta VALUES ('b', '2')")
    with pytest.raises(DatabaseError) as running:
        restore(copied, filled)
    assert running.value.code == "second-process"
    await database.close()
    old = restore(copied, filled).old
    assert old is not None
    ours = "SELECT count(*) FROM meta WHERE key <> 'restored'"
    assert (count(filled, ours), count(old)) == (1, 2)
    sent = "SELECT state || flying_since || attempts FROM outbox"
    assert count(filled, sent) == "flying51", "what the backup had not sent is looked for first"
    await (await Database.open(filled)).close()


@pytest.mark.parametrize("content", [b"", b"nonsense", b"SQLite format 3\0" + b"x" * 5000])
def test_what_is_no_backup_changes_nothing(filled, tmp_path, content):
    (tmp_path / "copy.db").write_bytes(content)
    with pytest.raises(DatabaseError):
        restore(tmp_path / "copy.db", filled)
    assert count(filled) == 1


@pytest.fixture
def older(tmp_path):
    """A database of an older version."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as connection:
        for file in migrating.migrations()[:OLD]:
            connection.executescript(file.read_text())
        connection.execute(f"PRAGMA user_version={OLD}")
        connection.execute(f"PRAGMA application_id={migrating.APPLICATION}")
        connection.execute("INSERT INTO meta VALUES ('a', '1')")
        connection.commit()
    return path


async def test_a_migration_leaves_the_database_as_it_was_beside_the_new_one(older):
    await (await Database.open(older)).close()
    assert count(older, "PRAGMA user_version") == len(migrating.migrations())
    assert count(trial.older_copy(older, OLD), "PRAGMA user_version") == OLD
    assert not older.with_name("old.db.trial").exists()


async def test_a_migration_that_fails_on_the_copy_touches_nothing(older, tmp_path, monkeypatch):
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in migrating.migrations()[:OLD]:
        (broken / file.name).write_text(file.read_text())
    (broken / f"{OLD + 1:04}_wrong.sql").write_text("DELETE FROM meta; INSERT INTO nowhere VALUES (1)")
    monkeypatch.setattr(migrating, "MIGRATIONS", broken)
    with pytest.raises(DatabaseError) as refused:
        await Database.open(older)
    assert refused.value.code == "migration"
    assert (count(older), count(older, "PRAGMA user_version")) == (1, OLD)
