"""The file: opened, refused in one clear line, never overwritten, backed up."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading

import pytest

from db import backup as backups
from db import migrating
from db.database import Database
from db.errors import LINES, DatabaseError, RowError
from db.migrating import APPLICATION, WHOLE, migrations, worked_out
from db.repositories import guilds, meta, outbox, timers, users
from db.rows import Message
from db.trips import in_thread
from tests.db.lost_bits import damaged_inside
from tests.unsent import destinations


async def opening(path, **more):
    with pytest.raises(DatabaseError) as caught:
        await Database.open(path, busy_ms=20, **more)
    assert str(caught.value) == f"The database {path} {LINES[caught.value.code]}."
    assert "\n" not in str(caught.value)
    return caught.value.code


async def test_it_is_made_as_the_design_says(database):
    for name, value in (
        ("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1),
        ("user_version", len(migrations())), ("application_id", APPLICATION),
    ):  # fmt: skip
        rows = list(await database._writer.execute_fetchall(f"PRAGMA {name}"))
        assert rows[0][0] == value
    assert await database.integrity() == []


async def test_a_second_opening_in_this_or_another_process_is_refused(database):
    assert await opening(database.path) == "second-process"
    program = (
        "import asyncio, sys; from db.database import Database, DatabaseError\n"
        "try: asyncio.run(Database.open(sys.argv[1]))\n"
        "except DatabaseError as e: print(e.code)"
    )
    said = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", program, str(database.path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "second-process\n"


async def test_a_reader_may_look_beside_the_bot(database):
    async with database.transaction() as tx:
        await meta.put(tx, "a", "b")
    beside = await Database.open(database.path, read_only=True)
    assert await meta.get(beside.reads, "a") == "b"
    with pytest.raises(DatabaseError, match="read-only"):
        async with beside.transaction() as tx:
            await meta.put(tx, "a", "c")
    await beside.close()


async def test_a_database_that_another_program_holds_is_locked(tmp_path):
    await (await Database.open(tmp_path / "t.db")).close()
    holder = sqlite3.connect(tmp_path / "t.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert await opening(tmp_path / "t.db") == "locked"
    holder.execute("ROLLBACK")
    opened = await Database.open(tmp_path / "t.db", busy_ms=20)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseError, match="locked"):
        async with opened.transaction():
            pass
    holder.execute("ROLLBACK")
    async with opened.transaction() as tx:
        await meta.put(tx, "a", "b")
    holder.close()
    await opened.close()


@pytest.mark.parametrize(
    "content", [b"hello, this is a note", b"SQLite format 3\0" + b"\xff" * 5000, b"\0" * 4096]
)
async def test_what_is_no_database_is_left_as_it_is(tmp_path, content):
    path = tmp_path / "t.db"
    path.write_bytes(content)
    assert await opening(path) == "corrupt"
    assert path.read_bytes() == content


async def test_damage_inside_is_told_and_ends_all_writing(tmp_path):
    path = tmp_path / "t.db"
    data = await damaged_inside(path)
    database = await Database.open(path)
    assert await database.integrity() != []
    with pytest.raises(DatabaseError, match="damaged"):
        async with database.transaction() as tx:
            await tx.run("UPDATE users SET name = 'y'")
    with pytest.raises(DatabaseError, match="damaged"):
        async with database.transaction() as tx:
            await meta.put(tx, "a", "b")
    await database.close()
    assert path.read_bytes() == data


async def test_a_newer_or_a_foreign_database_is_left_as_it_is(tmp_path):
    path = tmp_path / "t.db"
    await (await Database.open(path)).close()
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA user_version={len(migrations()) + 1}")
    other.close()
    before = path.read_bytes()
    assert await opening(path) == "newer"
    assert path.read_bytes() == before
    foreign = tmp_path / "f.db"
    with sqlite3.connect(foreign) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = foreign.read_bytes()
    assert await opening(foreign) == "foreign"
    assert foreign.read_bytes() == before


async def test_a_folder_in_the_way_or_a_missing_file_is_told(tmp_path):
    (tmp_path / "t.db").mkdir()
    assert await opening(tmp_path / "t.db") == "unwritable"
    (tmp_path / "file").write_text("x")
    assert await opening(tmp_path / "file" / "t.db") == "unwritable"
    assert await opening(tmp_path / "none.db", read_only=True) == "missing"
    assert not (tmp_path / "none.db").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere; the next test covers the code")
async def test_a_file_without_write_permission_is_read_only(tmp_path):
    await (await Database.open(tmp_path / "t.db")).close()
    (tmp_path / "t.db").chmod(0o444)
    assert await opening(tmp_path / "t.db") == "read-only"


async def test_a_read_only_file_is_found_at_the_start(tmp_path, monkeypatch):
    from db import sqlite as module

    await (await Database.open(tmp_path / "t.db")).close()
    real = module.connect

    async def read_only(path, busy_ms, _, opened):
        return await real(path, busy_ms, True, opened)

    monkeypatch.setattr(module, "connect", read_only)
    assert await opening(tmp_path / "t.db") == "read-only"


async def test_a_full_disk_rolls_back_and_is_told(database):
    pages = (await database.reads.one("PRAGMA page_count"))[0]
    await database._writer.execute(f"PRAGMA max_page_count={pages}")

    async def fill():
        async with database.transaction() as tx:
            await meta.put(tx, "kept", "no")
            await meta.put(tx, "big", "x" * 1_000_000)

    with pytest.raises(DatabaseError, match="disk is full"):
        await fill()
    assert await meta.get(database.reads, "kept") is None
    await database._writer.execute("PRAGMA max_page_count=100000")
    await fill()
    assert await meta.get(database.reads, "kept") == "no"


async def test_an_error_or_a_cancellation_in_the_block_rolls_back(database):
    async def fails(error):
        async with database.transaction() as tx:
            await meta.put(tx, "a", "b")
            raise error

    for error in (ValueError("x"), asyncio.CancelledError()):
        with pytest.raises(type(error)):
            await fails(error)
        assert await meta.get(database.reads, "a") is None
    for pauses in range(8):
        task = asyncio.create_task(fails(ValueError("y")))
        for _ in range(pauses):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with database.transaction() as tx:
            await meta.put(tx, "sound", str(pauses))
    assert await meta.get(database.reads, "a") is None
    with pytest.raises(RowError):
        async with database.transaction() as tx:
            await tx.run("INSERT INTO seats (table_id, seat) VALUES (7, 0)")


async def test_writers_take_turns(database):
    async def add(number):
        async with database.transaction() as tx:
            value = int(await meta.get(tx, "n") or 0)
            await asyncio.sleep(0)
            await meta.put(tx, "n", str(value + number))

    await asyncio.gather(*(add(1) for _ in range(20)))
    assert await meta.get(database.reads, "n") == "20"


async def test_a_broken_migration_leaves_the_version_before(tmp_path, monkeypatch):

    folder = tmp_path / "migrations"
    folder.mkdir()
    (folder / "0001_first.sql").write_text("CREATE TABLE a (x);")
    monkeypatch.setattr(migrating, "MIGRATIONS", folder)
    await (await Database.open(tmp_path / "t.db")).close()
    (folder / "0002_second.sql").write_text("CREATE TABLE b (x); CREATE TABLE a (x);")
    with pytest.raises(DatabaseError, match="on a copy"):
        await Database.open(tmp_path / "t.db")
    with sqlite3.connect(tmp_path / "t.db") as other:
        assert other.execute("PRAGMA user_version").fetchone() == (1,)
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("a",)]
    other.close()
    (folder / "0002_second.sql").rename(folder / "0003_second.sql")
    with pytest.raises(ValueError, match="should have number 0002"):
        await Database.open(tmp_path / "t.db")


async def test_a_backup_of_a_database_in_use_is_one_sound_file(database, tmp_path):
    async with database.transaction() as tx:
        await meta.put(tx, "a", "b")
    target = tmp_path / "copies" / "one.db"
    target.parent.mkdir()
    target.write_text("an older copy")
    await backups.backup(database.path, target)
    assert sorted(file.name for file in target.parent.iterdir()) == ["one.db"]
    copy = await Database.open(target)
    assert await meta.get(copy.reads, "a") == "b"
    await copy.close()


async def test_a_backup_that_fails_leaves_the_older_copy(database, tmp_path, monkeypatch):
    target = tmp_path / "one.db"
    target.write_text("an older copy")

    def full(_):
        raise OSError("no space")

    monkeypatch.setattr(backups, "flush", full)
    with pytest.raises(DatabaseError):
        await backups.backup(database.path, target)
    assert target.read_text() == "an older copy"
    assert not (tmp_path / "one.db.part").exists()
    with pytest.raises(DatabaseError, match="does not exist"):
        await backups.backup(tmp_path / "none.db", target)


# -- repositories ----------------------------------------------------------------------


async def test_the_outbox_gives_each_destination_its_rows_in_order(database):
    async with database.transaction() as tx:
        texts = [("table:1", "a"), ("user:5", "b"), ("table:1", "c")]
        await outbox.queue(tx, [Message(1, to, text, "{}") for to, text in texts], 100)
    assert await destinations(database.reads) == ["table:1", "user:5"]
    first, second = await outbox.waiting(database.reads, "table:1")
    assert (first.kind, second.kind) == ("a", "c")
    assert first.nonce != second.nonce
    async with database.transaction() as tx:
        await outbox.later(tx, first.id, 110, "trouble")
    assert (await outbox.waiting(database.reads, "table:1"))[0].attempts == 1
    heads = await outbox.heads(database.reads, 100, 1000, 5)
    assert [(head.row.id, head.waiting) for head in heads] == [(2, 1), (1, 2)], "what is due comes first"
    async with database.transaction() as tx:
        await outbox.later(tx, first.id, 500, "429")
    assert [row.due_at for row in await outbox.waiting(database.reads, "table:1")] == [500, 0]
    async with database.transaction() as tx:
        await outbox.sent(tx, first.id, 7, 600)
        await outbox.drop(tx, second.id, "gone", 600)
    assert await destinations(database.reads) == ["user:5"]
    async with database.transaction() as tx:
        await outbox.sent(tx, 2, 8, 601 + outbox.KEPT_MS)
    assert len(await database.reads.all("SELECT * FROM outbox")) == 1


async def test_settings_and_timers_are_kept(database):
    async with database.transaction() as tx:
        await users.see(tx, 1, "Ann", "hu")
        await users.see(tx, 1, "Anna", None)
        await users.set_dm(tx, 2, "Ben", dm=False)
        await users.set_language(tx, 2, "Ben", "en")
        await guilds.set_threads(tx, 5, threads=False)
        await guilds.set_language(tx, 5, "hu")
        await timers.put(tx, "lobby", 50, table_id=3)
        await timers.put(tx, "lobby", 40, table_id=3)
    ann, ben = [await users.get(database.reads, n) for n in (1, 2)]
    assert ann is not None
    assert ben is not None
    assert (ann.name, ann.locale, ann.dm) == ("Anna", "hu", True)
    assert (ben.language, ben.dm) == ("en", False)
    guild = await guilds.get(database.reads, 5)
    assert (guild.language, guild.threads) == ("hu", False)
    assert (await guilds.get(database.reads, 6)).threads
    assert await timers.earliest(database.reads) == 40
    assert [timer.table_id for timer in await timers.due(database.reads, 40)] == [3]


async def test_the_next_writer_begins_while_one_is_written_and_a_failing_one_leaves_no_trace(database):
    """14.1: how busy the loop is says how long one waits for a commit, and not how long all the others do."""
    began = list[int]()

    async def add(number):
        async with database.transaction() as tx:
            began.append(number)
            tx.put("INSERT INTO meta (key, value) VALUES (?, 'x')", (f"k{number}",))
            if number == 2:
                tx.put("INSERT INTO seats (table_id, seat) VALUES (7, 0)")

    free = threading.Event()
    held = asyncio.create_task(in_thread(database._writer, lambda _: free.wait(20)))
    tasks = [asyncio.create_task(add(number)) for number in range(5)]
    for _ in range(30):
        await asyncio.sleep(0)
    assert len(began) == 5, "all of them begin before the first is written"
    tasks[4].cancel()
    free.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    await held
    assert [type(one) for one in found] == [
        *([type(None)] * 2),
        RowError,
        type(None),
        asyncio.CancelledError,
    ]
    rows = await database.reads.all("SELECT key FROM meta WHERE key LIKE 'k%' ORDER BY key")
    assert [row["key"] for row in rows] == ["k0", "k1", "k3", "k4"], "it was under way as its caller went"


def test_the_schema_kept_beside_the_migrations_is_what_they_come_to():  # 12
    assert WHOLE.read_text("utf-8") == worked_out(tuple(migrations()))
