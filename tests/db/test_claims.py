"""Claims of processes that share a PostgreSQL (19.2): two `Database` objects are two processes."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from cogs.ops import timers
from db.claims import Claims
from db.database import Database
from db.repositories import outbox
from db.rows import Message
from tables.core.clock import SystemClock


@pytest.fixture
async def two(server):
    address = server.lend()
    made = [await Database.open(address, alone=False) for _ in range(2)]
    yield made
    for one in made:
        await one.close()
    server.take_back(address)


def cut_lines(database):
    """The server ends the connections on which something is claimed."""
    with psycopg.connect(database.where.url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'hatamoto %'"
        )


async def rows_of(database, *destinations):
    async with database.transaction() as tx:
        await outbox.queue(tx, [Message(None, place, "line", "{}") for place in destinations], 5)
    return [head.row for head in await outbox.heads(database.reads, 10, 1000, 10)]


async def test_a_claim_is_one_processs_until_it_lets_go_or_ends(two):
    here, there = (one.claims for one in two)
    assert await here.take("post:a")
    assert not await there.take("post:a")
    assert await there.take("post:b")
    here.let_go("post:a")
    await there.hold("post:a")
    assert not await here.take("post:a")
    await two[1].close()
    await here.hold("post:a")
    assert await here.take("post:b")


async def test_who_waits_for_a_claim_and_is_cancelled_leaves_none(two):
    here, there = (one.claims for one in two)
    assert await here.take("table:1")
    waiting = asyncio.create_task(there.hold("table:1"))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait({waiting})
    here.let_go("table:1")
    await here.hold("table:1")
    assert here.holds("table:1")


async def test_claims_are_lost_with_the_line_but_those_for_good_are_taken_again(two):
    here, there = (one.claims for one in two)
    displaced = list[str]()
    here.displaced = displaced.append
    await here.keep("shard:3")
    assert await here.take("post:a")
    (row,) = await rows_of(two[0], "user:1")
    cut_lines(two[0])
    assert await here.depart("post:a", row, 10) is None, "another may have it by now"
    assert not here.holds("post:a")
    assert here.holds("shard:3")
    assert not await there.take("shard:3")
    assert displaced == []


async def test_a_row_is_marked_before_it_is_sent_and_whoever_finds_it_so_knows(two):
    here, there = (one.claims for one in two)
    (row,) = await rows_of(two[0], "user:1")
    assert await here.take("post:user:1")
    taken = await here.depart("post:user:1", row, 77)
    assert taken.state == "queued"
    here.let_go("post:user:1")
    await there.hold("post:user:1")
    found = await there.depart("post:user:1", row, 99)
    assert (found.state, found.flying_since) == ("flying", 77)


async def test_a_row_that_somebody_works_on_is_passed_over(two):
    here, _ = (one.claims for one in two)
    (row,) = await rows_of(two[0], "user:1")
    assert await here.take("post:user:1")
    async with two[1].transaction() as tx:
        await tx.all("SELECT id FROM outbox WHERE id = ? FOR UPDATE", (row.id,))
        assert await here.depart("post:user:1", row, 77) is None
    async with two[1].transaction() as tx:
        await outbox.sent(tx, row.id, 1, 80)
    assert await here.depart("post:user:1", row, 90) is None, "it was sent"


async def test_the_others_hear_which_tables_have_changed(two):
    here, there = (one.claims for one in two)
    heard: asyncio.Queue[tuple[frozenset[int], bool]] = asyncio.Queue()
    there.heard = lambda tables, waits: heard.put_nowait((tables, waits))
    here.heard = lambda _tables, _waits: pytest.fail("nobody hears himself")
    here.tell(*range(1, 1001))
    found = frozenset[int]()
    while len(found) < 1000:
        tables, waits = await asyncio.wait_for(heard.get(), 10)
        found |= tables
        assert not waits, "it is not looked for posts and timers"
    assert found == frozenset(range(1, 1001))
    here.tell()
    here.tell(7)
    assert await asyncio.wait_for(heard.get(), 10) == (frozenset({7}), True)
    there.hear("of-a-version-before:8")
    assert heard.get_nowait() == (frozenset({8}), True)


async def test_turns_are_apart_whoever_asks(two):
    here, there = (one.claims for one in two)
    waits = [await one.turn("identify:0", 5000) for one in (here, there, here)]
    assert waits[0] == 0
    assert 4000 < waits[1] <= 5000
    assert 9000 < waits[2] <= 10_000
    assert await there.turn("identify:1", 5000) == 0


async def test_posts_in_servers_are_those_of_the_shards_and_posts_to_users_anybodys(two):
    await rows_of(two[0], "user:7")
    async with two[0].transaction() as tx:
        for number in (1, 2):
            await tx.run(
                "INSERT INTO tables (id, game, rules, status, options, table_options, guild_id, channel_id,"
                " in_place, locale, private, creator_id, commitment, seed, created_at)"
                " VALUES (?, 'x', 1, 'open', '{}', '{}', ?, 1, 0, 'en', 0, 1, '', ?, 0)",
                (number, number << 22, b"x" * 32),
            )
        await outbox.queue(tx, [Message(n, f"table:{n}", "line", "{}") for n in (1, 2)], 5)
    found = await outbox.heads(two[0].reads, 10, 1000, 10, outbox.Part(0, 1, 4))
    assert sorted(head.row.destination for head in found) == ["table:1", "user:7"]


async def test_copies_are_made_by_one_process_and_by_another_when_that_is_gone(two, tmp_path, monkeypatch):
    made = list[str]()

    async def copy(_where, target):
        made.append(target.parent.name)

    monkeypatch.setattr(timers, "copy", copy)
    backups = [
        timers.Backups(one, SystemClock(), tmp_path / name, 24.0)
        for one, name in zip(two, ("first", "second"), strict=True)
    ]
    for one in backups:
        await one.copy()
        await one.copy()
    assert made == ["first", "first"]
    await backups[0].close()
    await two[0].close()
    await two[1].claims.hold(timers.COPIES)  # the server is a moment late
    await backups[1].copy()
    assert made == ["first", "first", "second"]
    await backups[1].close()


async def test_one_process_alone_has_everything_for_itself():
    alone = Claims()
    assert not alone.shared
    assert await alone.take("post:a")
    assert await alone.take("post:a")
    assert alone.holds("post:b")
    assert await alone.turn("identify:0", 5000) == 0
