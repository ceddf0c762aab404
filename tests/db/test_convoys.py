"""On PostgreSQL what stands in line shares a commit, what is asked together a trip; each hears of its own."""

from __future__ import annotations

import asyncio
import signal
from contextlib import closing, suppress

import psycopg
import pytest

from db.database import Database
from db.errors import DatabaseError, RowError
from db.postgresql import threaded
from db.repositories import meta
from tests.postgres import cluster

NUMBERED = "INSERT INTO meta (key, value) VALUES (?, (SELECT CAST(count(*) AS TEXT) FROM meta))"
NOBODYS = "INSERT INTO seats (table_id, seat) VALUES (7, 0)"  # of no table
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"


@pytest.fixture
async def opened(server):
    lent = server.lend()
    made = await Database.open(lent)
    yield made
    await made.close()
    server.take_back(lent)


@pytest.fixture
def trips(monkeypatch):
    """The statements of each trip, from now on."""
    real, found = threaded.carried_out, []

    def noted(connection, steps):
        found.append([step.sql for step in steps])
        return real(connection, steps)

    monkeypatch.setattr(threaded, "carried_out", noted)
    return found


def cut(database):
    """The server ends every connection of ours."""
    with closing(psycopg.connect(database.address.url, autocommit=True)) as other:
        other.execute(CUT + " AND datname = current_database()")


async def put(database, key, *more):
    async with database.transaction() as tx:
        tx.put(NUMBERED, (key,))
        for sql in more:
            tx.put(sql)


def commits(trips):
    return sum("COMMIT" in trip for trip in trips)


async def written(database):
    """What stands there, in the order in which it was written."""
    rows = await database.reads.all("SELECT key FROM meta ORDER BY CAST(value AS BIGINT)")
    return [row["key"] for row in rows]


async def test_what_gathers_while_a_commit_is_on_its_way_shares_the_next(opened, trips):  # 19.1
    keys = [f"k{n}" for n in range(12)]
    await asyncio.gather(*(put(opened, key) for key in keys))
    assert commits(trips) == 1
    assert await written(opened) == keys


async def test_of_those_who_share_a_commit_only_who_is_refused_hears_of_it(opened, trips):  # 19.1
    keys = [f"k{n}" for n in range(6)]
    work = (put(opened, key, *([NOBODYS] if key == "k3" else [])) for key in keys)
    found = await asyncio.gather(*work, return_exceptions=True)
    assert [type(error) for error in found] == [type(None)] * 3 + [RowError] + [type(None)] * 2
    assert await written(opened) == ["k0", "k1", "k2", "k4", "k5"]
    assert any(NOBODYS in trip for trip in trips)


async def test_a_block_that_reads_comes_after_all_who_stand_in_line(opened):  # 19.1
    async def counted():
        async with opened.transaction() as tx:
            return (await tx.all("SELECT count(*) AS n FROM meta"))[0]["n"]

    *_, n = await asyncio.gather(*(put(opened, f"k{n}") for n in range(5)), counted())
    assert n == 5


async def test_a_reader_who_is_cancelled_in_line_takes_back_nothing_of_those_before(opened):  # 19.1
    async def read():
        async with opened.transaction() as tx:
            await meta.get(tx, "k0")

    tasks = [asyncio.create_task(put(opened, f"k{n}")) for n in range(3)]
    reader = asyncio.create_task(read())
    for _ in range(6):
        await asyncio.sleep(0)
    reader.cancel()
    await asyncio.gather(*tasks)
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert await written(opened) == ["k0", "k1", "k2"]
    await put(opened, "after")


def lost_at_commit(opened, monkeypatch, *, committed):
    """The connection goes at the next commit, once it is carried out or before it; its statements, then."""
    real, lost = threaded.carried_out, list[object]()

    def carried_out(connection, steps):
        if steps[-1].sql == "COMMIT" and not lost:
            lost.append(steps)
            if committed:
                real(connection, steps)
            cut(opened)
        return real(connection, steps)

    monkeypatch.setattr(threaded, "carried_out", carried_out)
    return lost


@pytest.mark.parametrize("committed", [True, False])
async def test_of_a_line_that_is_lost_at_the_commit_each_is_written_once(
    opened, monkeypatch, committed
):  # 19.2
    """The connection goes once the commit is carried out, or before it."""
    await asyncio.gather(*(put(opened, key) for key in ("a", "b")))
    lost = lost_at_commit(opened, monkeypatch, committed=committed)
    await asyncio.gather(*(put(opened, key) for key in ("c", "d", "e")))
    assert lost
    assert await written(opened) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("committed", [True, False])
async def test_of_what_was_begun_and_is_lost_at_the_commit_it_is_known_what_became(
    opened, monkeypatch, committed
):  # 19.2
    """A block that reads is not repeated: who waits for it hears that it was lost, or nothing."""
    lost = lost_at_commit(opened, monkeypatch, committed=committed)

    async def read_and_put():
        async with opened.transaction() as tx:
            assert await meta.get(tx, "a") is None
            await meta.put(tx, "a", "1")

    if committed:
        await read_and_put()
    else:
        with pytest.raises(DatabaseError) as caught:
            await read_and_put()
        assert caught.value.code == "unreachable"
    assert len(lost) == 1
    assert await meta.get(opened.reads, "a") == ("1" if committed else None)


async def test_what_is_asked_together_shares_a_trip_and_who_asks_wrongly_fails_alone(opened, trips):  # 19.1
    await meta.get(opened.reads, "x")
    trips.clear()
    found = await asyncio.gather(*(meta.get(opened.reads, "x") for _ in range(5)))
    assert found == [None] * 5
    assert len(trips) == 1
    wrong = opened.reads.all("SELECT nothing FROM nowhere")
    *right, error = await asyncio.gather(
        *(meta.get(opened.reads, "x") for _ in range(3)), wrong, return_exceptions=True
    )
    assert right == [None] * 3
    assert isinstance(error, psycopg.errors.UndefinedTable)
    cut(opened)
    assert await asyncio.gather(*(meta.get(opened.reads, "x") for _ in range(3))) == [None] * 3


def started(server):
    """The server again, as soon as what the killed one has started is gone."""
    for _ in range(100):
        with suppress(RuntimeError):
            server.start()
            return
    raise AssertionError("processes of the server that was killed live on")


@pytest.mark.long
@pytest.mark.parametrize("reads", [False, True])
async def test_of_a_commit_that_a_crash_took_nobody_elses_transaction_tells(monkeypatch, reads):  # 19.2
    """The server gives the number of the lost transaction to the next one, which is committed."""
    with cluster(safe=True) as server:
        address = server.new()
        opened = await Database.open(address)
        await put(opened, "a")
        real, lost = threaded.carried_out, list[object]()

        def carried_out(connection, steps):
            if steps[-1].sql == "COMMIT" and not lost:
                lost.append(steps)
                server.stop(signal.SIGKILL)
                started(server)
                with closing(psycopg.connect(address.url, autocommit=True)) as other:
                    for n in range(8):
                        other.execute("INSERT INTO meta (key, value) VALUES (%s, '99')", (f"other {n}",))
            return real(connection, steps)

        monkeypatch.setattr(threaded, "carried_out", carried_out)
        heard = None
        try:
            async with opened.transaction() as tx:
                if reads:
                    await meta.get(tx, "a")
                await meta.put(tx, "mine", "1")
        except DatabaseError as error:
            heard = error.code
        assert lost
        assert heard == ("unreachable" if reads else None)
        assert await meta.get(opened.reads, "mine") == (None if reads else "1")
        await opened.close()
