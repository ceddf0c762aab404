"""Work in a connection's own thread, one trip whatever it does there (12.7)."""

from __future__ import annotations

import asyncio
import sqlite3
import threading

import pytest

from db import sqlite as module
from db import trips
from db.errors import RowError


@pytest.fixture
async def connection(tmp_path):
    opened = await trips.connect((tmp_path / "trips.db").as_uri())
    await opened.execute_fetchall("CREATE TABLE t (n INTEGER PRIMARY KEY)")
    yield opened
    await opened.close()


@pytest.fixture
def made(monkeypatch):
    """What was done in each trip."""
    found, in_thread = [], trips.in_thread

    async def counted(connection, work, *given):
        found.append(work.__name__)
        return await in_thread(connection, work, *given)

    monkeypatch.setattr(module, "in_thread", counted)
    return found


def three(connection: sqlite3.Connection, first: int, *, then: int) -> tuple[list[int], int]:
    """Two rows written, all read, and the thread it was done in."""
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO t VALUES (?)", [(first,), (then,)])
    connection.execute("COMMIT")
    return [n for (n,) in connection.execute("SELECT n FROM t")], threading.get_ident()


async def test_work_of_several_statements_is_done_in_the_thread_that_every_statement_is_done_in(connection):
    await connection.create_function("thread", 0, threading.get_ident)
    (other,) = await connection.execute_fetchall("SELECT thread()")
    rows, thread = await trips.in_thread(connection, three, 3, then=5)
    assert rows == [3, 5]
    assert thread == other[0] != threading.get_ident()


async def test_work_is_done_after_what_was_asked_before(connection):
    async def before():
        await connection.execute_fetchall("INSERT INTO t VALUES (1)")

    _, (rows, _) = await asyncio.gather(before(), trips.in_thread(connection, three, 3, then=5))
    assert rows == [1, 3, 5]


async def test_what_work_raises_reaches_who_asked_and_no_other(connection):
    with pytest.raises(sqlite3.IntegrityError):
        await trips.in_thread(connection, three, 3, then=3)
    await trips.in_thread(connection, sqlite3.Connection.rollback)
    assert (await trips.in_thread(connection, three, 3, then=5))[0] == [3, 5]


async def test_work_may_return_nothing(connection):
    nothing: list[object] = [await trips.in_thread(connection, lambda _connection: None)]
    assert nothing == [None]


async def test_a_closed_connection_does_no_work(tmp_path):
    opened = await trips.connect((tmp_path / "closed.db").as_uri())
    await opened.close()
    with pytest.raises(ValueError, match=r"closed|no active connection"):
        await trips.in_thread(opened, three, 3, then=5)


async def test_a_query_in_a_transaction_goes_in_the_trip_of_what_was_put_before_it(database, made):
    async with database.transaction() as tx:
        tx.put("INSERT INTO meta (key, value) VALUES ('a', '1')")
        tx.put("INSERT INTO meta (key, value) VALUES ('b', '2')")
        rows = await tx.all("SELECT value FROM meta WHERE key IN ('a', 'b') ORDER BY key")
    assert [row["value"] for row in rows] == ["1", "2"]
    assert made == ["look_up_after", "perform"]  # the second is the commit


async def test_a_query_after_what_cannot_be_put_is_not_asked(database):
    async def twice():
        async with database.transaction() as tx:
            tx.put("INSERT INTO meta (key, value) VALUES ('a', '1')")
            tx.put("INSERT INTO meta (key, value) VALUES ('a', '2')")
            await tx.all("SELECT 1")

    with pytest.raises(RowError):
        await twice()
    assert await database.reads.all("SELECT 1 FROM meta WHERE key = 'a'") == []
