"""Queries that are asked for at the same moment share one trip; each has its own rows, or its own fault."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest

from db import sqlite as module
from db.database import Database


@pytest.fixture
def trips(monkeypatch):
    """How many queries each trip answered."""
    found: list[int] = []
    real = module.look_up

    def counted(connection, asked):
        found.append(len(asked))
        return real(connection, asked)

    monkeypatch.setattr(module, "look_up", counted)
    return found


async def test_what_is_asked_together_is_one_trip_and_in_order(database, trips):
    asked = [database.reads.one("SELECT ? AS n", (number,)) for number in range(20)]
    assert [row["n"] for row in await asyncio.gather(*asked)] == list(range(20))
    assert trips == [20]
    assert (await database.reads.one("SELECT 7 AS n"))["n"] == 7
    assert trips == [20, 1]


async def test_a_query_that_fails_fails_alone(database):
    good, bad, other = (
        asyncio.ensure_future(database.reads.one(sql)) for sql in ("SELECT 1", "SELECT nothing", "SELECT 2")
    )
    with pytest.raises(sqlite3.OperationalError):
        await bad
    assert [tuple(await good), tuple(await other)] == [(1,), (2,)]


async def test_who_is_cancelled_does_not_keep_the_others_from_their_rows(database):
    gone = asyncio.ensure_future(database.reads.all("SELECT 1"))
    stays = asyncio.ensure_future(database.reads.all("SELECT 2"))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await stays)[0][0] == 2
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert (await database.reads.one("SELECT 3 AS n"))["n"] == 3


async def test_a_closed_database_answers_nobody(tmp_path):
    database = await Database.open(tmp_path / "closed.db")
    await database.close()
    for _ in range(2):
        with pytest.raises(ValueError, match=r"closed|no active connection"):
            await database.reads.all("SELECT 1")


async def test_what_was_committed_is_read_by_who_asks_after_it(database):
    for number in range(5):
        async with database.transaction() as tx:
            tx.put("INSERT OR REPLACE INTO meta (key, value) VALUES ('n', ?)", (str(number),))
        row = await database.reads.one("SELECT value FROM meta WHERE key = 'n'")
        assert row["value"] == str(number)
