"""Transactions that begin while those before are written: what was acknowledged is there, in its order."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import asynccontextmanager, closing

import pytest

from db import sqlite as module
from db.database import Database
from db.errors import DatabaseError, RowError
from db.repositories import meta
from db.trips import in_thread
from tests.db.lost_bits import damaged_inside

NUMBERED = "INSERT INTO meta (key, value) VALUES (?, (SELECT count(*) FROM meta))"


@asynccontextmanager
async def slow_disk(database):
    """The writing thread is busy until the end of the block, and all that began in it stands in its line."""
    free = threading.Event()
    held = asyncio.create_task(in_thread(database._writer, lambda _: free.wait(20)))
    await asyncio.sleep(0)
    try:
        yield
        for _ in range(100):
            await asyncio.sleep(0)
    finally:
        free.set()
        await held


def on_disk(database):
    """What `meta` holds, as another process finds it."""
    with closing(sqlite3.connect(database.path)) as other:
        return dict(other.execute("SELECT key, value FROM meta").fetchall())


async def put(database, key, value, began=None):
    async with database.transaction() as tx:
        if began is not None:
            began.append(key)
        await meta.put(tx, key, value)


async def test_a_full_disk_takes_nothing_that_was_acknowledged_from_those_who_had_begun(database):  # 14.1
    pages = (await database.reads.one("PRAGMA page_count"))[0]
    await database._writer.execute(f"PRAGMA max_page_count={pages}")
    before, began = on_disk(database), list[str]()
    values = {f"{n:02}": "x" * (1_000_000 if n % 3 == 0 else 9) for n in range(12)}
    async with slow_disk(database):
        tasks = {key: asyncio.create_task(put(database, key, text, began)) for key, text in values.items()}
    found = dict(zip(tasks, await asyncio.gather(*tasks.values(), return_exceptions=True), strict=True))
    assert began == list(values), "all of them began while the first stood in line"
    refused = {key: error for key, error in found.items() if error is not None}
    assert set(refused) == {key for key, text in values.items() if len(text) > 9}
    assert {getattr(error, "code", error) for error in refused.values()} == {"full"}
    assert on_disk(database) == before | {key: values[key] for key in values if key not in refused}
    await database._writer.execute("PRAGMA max_page_count=100000")
    await asyncio.gather(*(put(database, key, values[key]) for key in refused))
    assert on_disk(database) == before | values


async def test_a_commit_that_fails_leaves_the_next_that_had_begun_as_it_is(database, monkeypatch):  # 14.1
    real = module.carry_out

    def one_is_full(connection, step):
        if step.sql == "COMMIT" and connection.execute("SELECT 1 FROM meta WHERE key = 'k2'").fetchone():
            raise DatabaseError("full", "t.db")
        return real(connection, step)

    monkeypatch.setattr(module, "carry_out", one_is_full)
    async with slow_disk(database):
        tasks = [asyncio.create_task(put(database, f"k{n}", "x")) for n in range(5)]
        reading = asyncio.create_task(counted(database))
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [getattr(error, "code", error) for error in found] == [None, None, "full", None, None]
    assert [key for key in on_disk(database) if key.startswith("k")] == ["k0", "k1", "k3", "k4"]
    assert await reading == 4, "a block reads after all that stood in line before it, and none of what failed"


async def counted(database):
    async with database.transaction() as tx:
        (row,) = await tx.all("SELECT count(*) AS n FROM meta WHERE key LIKE 'k%'")
        return row["n"]


async def test_deliveries_share_commits_in_each_tables_order(database, monkeypatch):  # 14.1, 14.2
    """Each table's go as the courier does: the next when the one before is written; one of them fails."""
    commits, rows, real = [], range(4), module.carry_out

    def counted(connection, step):
        commits.extend([step] if step.sql == "COMMIT" else [])
        return real(connection, step)

    monkeypatch.setattr(module, "carry_out", counted)
    twice = "INSERT INTO seats (table_id, seat) VALUES (7, 0)"  # of no table

    async def deliver(table, row):
        async with database.transaction() as tx:
            tx.put(NUMBERED, (f"sent {table} {row}",))
            if (table, row) == (1, 1):
                tx.put(twice)

    async def numbered(key):
        async with database.transaction() as tx:
            tx.put(NUMBERED, (key,))

    async def courier(table):
        failed = []
        for row in rows:
            try:
                await deliver(table, row)
            except RowError:
                failed.append(row)
                await numbered(f"again {table} {row}")
        return failed

    async with slow_disk(database):
        couriers = [asyncio.create_task(courier(table)) for table in range(3)]
        moves = [asyncio.create_task(numbered(f"move {n}")) for n in range(5)]
    assert await asyncio.gather(*couriers) == [[], [1], []]
    await asyncio.gather(*moves)
    there = {key: int(at) for key, at in on_disk(database).items() if " " in key}
    keys = sorted(there, key=there.__getitem__)
    assert keys[:8] == [*(f"sent {n} 0" for n in range(3)), *(f"move {n}" for n in range(5))]
    assert len(commits) < len(keys), "no move waits behind a delivery: they share a commit"
    for table in range(3):
        sent = [key.split() for key in keys if key.startswith((f"sent {table}", f"again {table}"))]
        assert [int(row) for _, _, row in sent] == list(rows)
    assert "sent 1 1" not in keys
    assert "again 1 1" in keys


async def test_damage_that_one_meets_refuses_those_that_had_begun(tmp_path):  # 14.1
    path = tmp_path / "t.db"
    data = await damaged_inside(path)
    database = await Database.open(path)

    async def hurt():
        async with database.transaction() as tx:
            tx.put("UPDATE users SET name = 'y'")

    async with slow_disk(database):
        tasks = [asyncio.create_task(hurt()), *(asyncio.create_task(put(database, k, "x")) for k in "ab")]
        await asyncio.sleep(0)
    found = await asyncio.gather(*tasks, return_exceptions=True)
    await database.close()
    assert [getattr(error, "code", error) for error in found] == ["corrupt"] * 3
    assert path.read_bytes() == data


async def test_nothing_is_acknowledged_that_goes_into_a_file_that_was_moved_meanwhile(database):  # 14.1
    await put(database, "kept", "x")
    async with slow_disk(database):
        task = asyncio.create_task(put(database, "lost", "x"))
        for _ in range(20):
            await asyncio.sleep(0)
        database.path.rename(database.path.with_name("moved.db"))
    found = (await asyncio.gather(task, return_exceptions=True))[0]
    assert getattr(found, "code", found) == "gone"
    database.path.with_name("moved.db").rename(database.path)


async def test_a_fault_is_remembered_though_who_waited_for_the_commit_is_gone(database):  # 14.1
    pages = (await database.reads.one("PRAGMA page_count"))[0]
    await database._writer.execute(f"PRAGMA max_page_count={pages}")
    async with slow_disk(database):
        task = asyncio.create_task(put(database, "big", "x" * 1_000_000))
        for _ in range(20):
            await asyncio.sleep(0)
        task.cancel()
    found = (await asyncio.gather(task, return_exceptions=True))[0]
    assert isinstance(found, asyncio.CancelledError)
    assert database.fault == "full"


@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize("times", [1, 2, 5])
async def test_who_is_cancelled_again_and_again_holds_a_lock_until_the_disk_has_answered(
    database, monkeypatch, times, reads
):  # 14: a caller that is cancelled twice during a commit
    lock, free, at_commit, real = asyncio.Lock(), threading.Event(), threading.Event(), module.carry_out

    def slow(connection, step):
        if step.sql == "COMMIT":
            at_commit.set()
            assert free.wait(20)
        return real(connection, step)

    async def write():
        async with lock, database.transaction() as tx:
            if reads:
                await tx.all("SELECT 1")
            await meta.put(tx, "a", "1")

    monkeypatch.setattr(module, "carry_out", slow)
    writing = asyncio.create_task(write())
    assert await asyncio.to_thread(at_commit.wait, 20)
    for _ in range(times):
        writing.cancel()
        for _ in range(20):
            await asyncio.sleep(0)
        assert lock.locked(), "what is written is not known yet"
        assert not writing.done()
    free.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert not lock.locked()
    await put(database, "b", "2")
    assert {key: text for key, text in on_disk(database).items() if key in "ab"} == {"a": "1", "b": "2"}
