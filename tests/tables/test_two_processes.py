"""Two processes on one PostgreSQL (19.2): here two services, each with a cache and claims of its own."""

from __future__ import annotations

import asyncio
import itertools

import psycopg
import pytest

from db.errors import DatabaseError
from db.postgresql import line
from db.repositories import tables
from engines import registry
from tables.core.loaded import Loaded
from tests.tables.players import ANN, BEN, Fixture

PATIENCE_S = (
    60  # a line that a loaded machine answers late is cut, its claims are lost, and a bot is asked again
)


@pytest.fixture
async def two(server, monkeypatch):
    monkeypatch.setitem(registry.GAMES, "duel", "tests.tables.fake_duel:Duel")
    address = server.lend()
    made = [Fixture(address, monkeypatch) for _ in range(2)]
    made[1].ids = itertools.count(5000)
    made[1].clock = made[0].clock
    monkeypatch.setattr(line, "PATIENCE_S", PATIENCE_S)
    for one in made:
        one.busy_ms, one.alone = 1000 * PATIENCE_S, False
        await one.begin()
    yield made
    for one in made:
        await one.end()
    server.take_back(address)


def cut_lines(database):
    """The server ends every connection that holds a claim."""
    with psycopg.connect(database.address.url, autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")


async def test_what_one_process_did_the_other_sees(two):
    here, there = two
    table = await here.new(BEN)
    for one, user in ((here, ANN), (there, BEN)):
        view = (await one.tables.show(table.id, user.id)).view
        await one.act(table, user, f"bid {view.hand[0]}")
    now = await here.tables.get(table.id)
    (turn,) = now.to_act
    await there.act(table, (ANN, BEN)[turn], "pass")
    seen = [(await one.tables.show(table.id, ANN.id)).view for one in two]
    assert seen[0] == seen[1]
    assert (await here.tables.get(table.id)).version == (await there.tables.get(table.id)).version


async def test_two_processes_act_at_one_table_at_the_same_moment_each_once(two):
    here, there = two
    table = await here.new(BEN)
    views = [(await one.tables.show(table.id, user.id)).view for one, user in ((here, ANN), (there, BEN))]
    await asyncio.gather(
        here.act(table, ANN, f"bid {views[0].hand[0]}"), there.act(table, BEN, f"bid {views[1].hand[0]}")
    )
    rows = await here.database.reads.all("SELECT seq, seat FROM actions WHERE table_id = ?", (table.id,))
    assert sorted(row["seq"] for row in rows) == [1, 2]
    assert sorted(row["seat"] for row in rows) == [0, 1]


async def test_an_action_looks_its_table_up_by_one_look_and_writes_its_row_once(two, monkeypatch):
    here, _ = two
    table = await here.new(BEN)
    hand = (await here.tables.show(table.id, ANN.id)).view.hand
    asked, mark = [], tables.mark

    def noted(source, number):
        asked.append(number)
        return mark(source, number)

    monkeypatch.setattr(tables, "mark", noted)
    assert (await here.tables.find(ANN.id, 1, table.id, purpose="running")).id == table.id
    assert asked == [table.id]
    writes = await updates(here)
    await here.act(table, ANN, f"bid {hand[0]}")
    assert await updates(here) == writes + 1


async def updates(house):
    """How often rows of tables were written."""
    async with house.database.transaction() as tx:
        await tx.all("SELECT pg_stat_force_next_flush()")  # of this connection, which writes
    row = await house.database.reads.one("SELECT n_tup_upd FROM pg_stat_all_tables WHERE relname = 'tables'")
    return row["n_tup_upd"]


async def test_a_press_that_came_to_both_processes_is_carried_out_once(two):
    here, there = two
    table = await here.new(BEN)
    bid = f"bid {(await here.tables.show(table.id, ANN.id)).view.hand[0]}"
    await asyncio.gather(here.act(table, ANN, bid, iid=77), there.act(table, ANN, bid, iid=77))
    assert len(await here.database.reads.all("SELECT seq FROM actions WHERE table_id = ?", (table.id,))) == 1


async def test_who_lost_its_claim_writes_nothing_over_what_another_did(two):
    here, there = two
    table = await here.new(BEN)
    house = here.tables._house
    bid = f"bid {(await there.tables.show(table.id, BEN.id)).view.hand[0]}"

    async def overtaken():
        async with house.lock(table.id):
            loaded = await house.load(table.id)
            cut_lines(here.database)
            await there.act(table, BEN, bid)
            async with house.revising(loaded.updated(reminded_at=1), []):
                pass

    with pytest.raises(DatabaseError) as refused:
        await overtaken()
    assert refused.value.code == "overtaken"
    kept = Loaded(*await there.tables._house.stored_rows(table.id))
    assert kept.row.reminded_at is None
    assert kept.row.entries == 1


async def test_a_bots_move_is_thought_about_by_one_process(two):
    here, there = two
    table = await here.new(bot_seat=True, words="seat=first level=easy")
    bid = f"bid {(await here.tables.show(table.id, ANN.id)).view.hand[0]}"
    await here.act(table, ANN, bid)
    for one in two:
        await one.tables.take_over()
    for one in two:
        await one.tables.settled()
    rows = await here.database.reads.all(
        "SELECT seat FROM actions WHERE table_id = ? AND seat = 1", (table.id,)
    )
    assert len(rows) == here.thinker.asked + there.thinker.asked > 0


async def test_a_timer_rings_in_one_process(two):
    here, _ = two
    await here.new(BEN, join=False)
    here.clock.ms += 8 * 24 * 3600 * 1000
    await asyncio.gather(*(one.tables.run_due() for one in two))
    closed = await here.database.reads.all(
        "SELECT id FROM outbox WHERE kind = 'lobby' AND payload LIKE '%cancel%'"
    )
    rows = await here.database.reads.all("SELECT status FROM tables")
    assert [row["status"] for row in rows] == ["cancelled"]
    assert len(closed) <= 1
