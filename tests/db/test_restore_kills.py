"""A restore killed at any moment leaves one database or the other; files that vanish are noticed (14.15)."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from db.backup import backup, copy
from db.database import Database
from db.errors import DatabaseError
from db.upkeep.restore import restore


class Killed(BaseException):
    """What stands for SIGKILL: nothing is cleaned up by the steps that follow."""


def value(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT value FROM meta WHERE key = 'which'").fetchone()[0]


async def written(path, which):
    database = await Database.open(path)
    async with database.transaction() as tx:
        tx.put("INSERT OR REPLACE INTO meta VALUES ('which', ?)", (which,))
    return database


def killing(monkeypatch, at):
    """Every rename counts; the `at`-th never happens, nor anything after it."""
    done = [0]

    def counted(name):
        original = getattr(Path, name)

        def step(self, target):
            done[0] += 1
            if done[0] > at:
                raise Killed
            return original(self, target)

        monkeypatch.setattr(Path, name, step)

    counted("rename")
    counted("replace")
    real = Path.unlink
    monkeypatch.setattr(
        Path, "unlink", lambda self, **more: None if done[0] > at else real(self, **more)
    )  # who is killed cleans nothing up


@pytest.mark.parametrize("at", range(7))
async def test_a_restore_killed_between_its_renames_is_finished_or_never_began(tmp_path, monkeypatch, at):
    path, copied = tmp_path / "h.db", tmp_path / "copy.db"
    database = await written(path, "backup")
    await backup(path, copied)
    await database.close()
    database = await written(path, "later")
    for part in ("-wal", "-shm"):  # as a kill leaves it: with a log
        (tmp_path / f"kept{part}").write_bytes(path.with_name(f"h.db{part}").read_bytes())
    (tmp_path / "kept").write_bytes(path.read_bytes())
    await database.close()
    for part in ("", "-wal", "-shm"):
        path.with_name(f"h.db{part}").write_bytes((tmp_path / f"kept{part}").read_bytes())
    with monkeypatch.context() as patch:
        killing(patch, at)
        try:
            restore(copied, path)
        except Killed:
            pass
        else:
            assert at == 6, "every rename was tried"
    began = path.with_name("h.db.ready").exists()
    if began:
        with pytest.raises(DatabaseError) as refused:
            await Database.open(path, read_only=True)
        assert refused.value.code == "restoring"
    database = await Database.open(path)
    found = await database.reads.one("SELECT value FROM meta WHERE key = 'which'")
    assert found is not None
    assert found["value"] == ("later" if at < 2 else "backup")
    await database.close()
    if at >= 2:
        assert value(tmp_path / "h.db.before-restore-1") == "later", "its log went with it"
    left = [file.name for file in tmp_path.iterdir() if ".restoring" in file.name or ".ready" in file.name]
    assert left == []


@pytest.mark.parametrize("end", ["", ".lock", "-wal", "-shm"])
@pytest.mark.parametrize("how", ["deleted", "replaced"])
async def test_a_file_that_vanishes_while_it_is_used_is_noticed_before_a_write(tmp_path, end, how):
    path = tmp_path / "h.db"  # 14.15
    database = await written(path, "1")
    file = path.with_name(f"h.db{end}")
    file.rename(tmp_path / "away")
    if how == "replaced":
        file.write_bytes((tmp_path / "away").read_bytes())
    assert await database.failing() == "gone"
    with pytest.raises(DatabaseError, match="deleted, moved or replaced") as refused:
        async with database.transaction() as tx:
            tx.put("INSERT INTO meta VALUES ('lost', '1')")
    assert refused.value.code == "gone"
    file.unlink(missing_ok=True)
    (tmp_path / "away").rename(file)
    assert await database.failing() is None, "put back, it goes on"
    async with database.transaction() as tx:
        tx.put("INSERT INTO meta VALUES ('kept', '1')")
    await database.close()


@pytest.mark.parametrize("how", ["deleted", "emptied"])
async def test_a_database_that_was_deleted_under_a_killed_bot_is_not_begun_anew_beside_its_log(
    tmp_path, how
):  # 14.15
    path, aside = tmp_path / "h.db", tmp_path / "aside"
    await (await written(path, "backup")).close()
    copy(path, tmp_path / "copy.db")
    database = await written(path, "later")
    aside.mkdir()
    for part in ("", "-wal", "-shm"):  # as a kill leaves it
        (aside / f"h.db{part}").write_bytes((tmp_path / f"h.db{part}").read_bytes())
    await database.close()
    for file in aside.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    path.write_bytes(b"") if how == "emptied" else path.unlink()
    log = (tmp_path / "h.db-wal").read_bytes()
    with pytest.raises(DatabaseError, match="what was played last is in there") as refused:
        await Database.open(path)
    assert refused.value.code == "log-alone"
    if how == "emptied":
        for look in (lambda: Database.open(path, read_only=True), lambda: backup(path, tmp_path / "no.db")):
            with pytest.raises(DatabaseError) as refused:
                await look()
            assert refused.value.code == "log-alone"
    assert (tmp_path / "h.db-wal").read_bytes() == log
    (tmp_path / "h.db").write_bytes((aside / "h.db").read_bytes())
    await (await Database.open(path)).close()
    assert value(path) == "later", "put back, it has what was played last"
    path.unlink()
    (tmp_path / "h.db-wal").write_bytes(log)
    restore(tmp_path / "copy.db", path)
    await (await Database.open(path)).close()
    assert value(path) == "backup"


async def test_a_file_that_vanishes_during_a_transaction_takes_nothing_with_it(tmp_path):  # 14.15
    path = tmp_path / "h.db"
    database = await written(path, "1")

    async def writing():
        async with database.transaction() as tx:
            await tx.run("INSERT INTO meta VALUES ('lost', '1')")
            path.rename(tmp_path / "away")

    with pytest.raises(DatabaseError) as refused:
        await writing()
    assert refused.value.code == "gone"
    (tmp_path / "away").rename(path)
    assert await database.reads.one("SELECT 1 FROM meta WHERE key = 'lost'") is None
    await database.close()


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


async def test_files_are_for_their_owner_alone(tmp_path):  # 14.16
    path = tmp_path / "h.db"
    before = os.umask(0)
    try:
        database = await written(path, "1")
        copy(path, tmp_path / "copy.db")
        wide = {file.name: oct(mode(file)) for file in tmp_path.iterdir() if mode(file) & 0o077}
        assert wide == {}
        await database.close()
        restore(tmp_path / "copy.db", path)
        wide = {file.name: oct(mode(file)) for file in tmp_path.iterdir() if mode(file) & 0o077}
        assert wide == {}
        for file in tmp_path.iterdir():
            file.chmod(0o644)
        await (await Database.open(path)).close()
        assert (mode(path), mode(path.with_name("h.db.lock"))) == (0o600, 0o600), "also one from before"
    finally:
        os.umask(before)


async def test_what_a_killed_copy_left_beside_the_database_goes_at_the_start(tmp_path):  # 13.A9
    path = tmp_path / "h.db"
    await (await written(path, "1")).close()
    left = ["h.db.restoring", "h.db.restoring-journal", "h.db.trial", "h.db.version-3.part"]
    others = ["h.db.version-3", "h.db.before-restore-1", "notes.part", "other.db.trial"]
    for name in (*left, *others):
        (tmp_path / name).touch()
    await (await Database.open(path)).close()
    assert not [name for name in left if (tmp_path / name).exists()]
    assert [name for name in others if (tmp_path / name).exists()] == others
