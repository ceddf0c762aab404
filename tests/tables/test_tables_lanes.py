"""What folds whole logs is out of the way of play, one request a user at a time; logs are bounded (14)."""

from __future__ import annotations

import asyncio
import threading

import pytest

from db.database import Transaction
from db.repositories import actions
from tables.core import one_each
from tables.core.errors import TableError
from tables.core.lane import Lane
from tables.core.one_each import Door, OneEach
from tables.play import consent
from tables.reading import folding
from tests.tables.players import ANN, BEN
from tests.tables.test_tables_folds import imported, long_record


@pytest.fixture
async def held(house, monkeypatch):
    """A table whose folds wait until they are let go, the threads in which they wait, and that one does."""
    free, threads, begun = threading.Event(), list[str](), asyncio.Event()
    loop = asyncio.get_running_loop()
    real = folding.tell

    def slow(*given):
        threads.append(threading.current_thread().name)
        loop.call_soon_threadsafe(begun.set)
        assert free.wait(30)
        return real(*given)

    monkeypatch.setattr(folding, "tell", slow)
    yield free, threads, begun
    free.set()


async def test_a_move_is_answered_while_others_stories_are_folded(house, held):  # 14.1
    free, threads, begun = held
    table = await house.new(BEN, game="kamisado", words="seat=first match=single")
    told = [asyncio.create_task(house.tables.story(table.id, ANN.id)) for _ in range(60)]
    await begun.wait()
    mover = table.seats[min(table.to_act)].user_id
    offered = await house.tables.complete(table.id, mover, 1, "")
    await house.tables.act(table.id, mover, offered[0].partition(" · ")[0], interaction_id=900)
    assert threads
    assert not any(task.done() for task in told)
    free.set()
    assert len(await asyncio.gather(*told)) == 60
    assert {name.rpartition("_")[0] for name in threads} == {"archive"}


async def test_an_import_is_read_and_carried_out_in_the_same_lane(house, monkeypatch):  # 14.2
    where = list[str]()

    def carried(data):
        where.append(threading.current_thread().name)
        raise TableError("bad-record")

    monkeypatch.setattr(folding, "carried", carried)
    with pytest.raises(TableError, match="bad-record"):
        await house.tables.study(ANN, b"{}", 901, str)
    assert [name.rpartition("_")[0] for name in where] == ["archive"]


async def test_who_asks_again_before_the_answer_gets_the_newest_alone():  # 14.1
    one, order = OneEach[int](), list[tuple[int, bool]]()
    first = asyncio.Event()

    async def ask(number: int) -> None:
        async with one.turn(7) as mine:
            order.append((number, mine))
            if number == 0:
                await first.wait()

    tasks = [asyncio.create_task(ask(number)) for number in range(5)]
    for _ in range(10):
        await asyncio.sleep(0)
    assert order == [(0, True), (1, False), (2, False), (3, False)]
    first.set()
    await asyncio.gather(*tasks)
    assert order[-1] == (4, True)
    assert len(one) == 0, "nothing is kept of who asked"


async def test_one_user_does_not_wait_for_another():  # 14.1
    one = OneEach[int]()
    async with one.turn(1) as mine, one.turn(2) as others:
        assert mine
        assert others


async def test_nothing_is_taken_back_of_a_log_that_is_full(house, monkeypatch):  # 14.4
    table = await house.new(BEN, game="kamisado", words="seat=first match=single")
    mover = table.seats[min(table.to_act)].user_id
    offered = await house.tables.complete(table.id, mover, 1, "")
    await house.tables.act(table.id, mover, offered[0].partition(" · ")[0], interaction_id=902)
    monkeypatch.setattr(consent, "MOST_ENTRIES", 1)
    with pytest.raises(TableError, match="log-full"):
        await house.tables.undo(table.id, mover, 903)
    other = ANN.id if mover == BEN.id else BEN.id
    offered = await house.tables.complete(table.id, other, 1, "")
    await house.tables.act(table.id, other, offered[0], interaction_id=904)


async def test_who_looks_makes_way_for_who_plays_while_the_loop_is_busy_and_no_longer(monkeypatch):  # 14.1
    rounds = iter([1.0] * 100)

    async def lateness():
        return next(rounds, 0.0)

    monkeypatch.setattr(one_each, "lateness", lateness)
    door = Door()
    await door.made_way(1e6)
    assert next(rounds), "nobody plays: nothing is waited for"
    with door.playing():
        with door.playing():
            waiting = asyncio.create_task(door.made_way(1e6))
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not waiting.done(), "another still plays"
        await door.made_way(0.0)
    await waiting
    rounds = iter(())
    with door.playing():
        await door.made_way(1e6)  # the loop has time for both


async def test_a_lane_does_one_thing_at_a_time_in_the_order_of_asking():  # 14.1
    lane, done = Lane("test"), list[int]()
    await asyncio.gather(*(lane.run(done.append, number) for number in range(20)))
    assert done == [*range(20)]
    await lane.close()


async def test_of_those_who_wait_at_a_door_only_the_newest_is_let_in_and_the_others_hear_it_at_once():  # 14.1
    door = Door()
    assert await door.passed(7, "reading")
    async with door._queues.of(7):
        waiting = [asyncio.create_task(door.passed(7, "reading")) for _ in range(100)]
        others = asyncio.create_task(door.passed(7, "importing"))
        for _ in range(5):
            await asyncio.sleep(0)
        assert [task.result() for task in waiting if task.done()] == [False] * 98, (
            "the first and the newest stay"
        )
        assert await door.passed(8, "reading"), "another's door is another"
    assert [waiting[0], waiting[-1]] == [task for task in waiting if await task]
    assert await others, "what is of another kind is overtaken by none of these"
    assert len(door) == 0, "nothing is kept of who waited"


async def test_a_studys_log_is_written_by_one_statement_however_long_it_is(house, monkeypatch):  # 14.1
    rows, many = list[int](), Transaction.many

    def counted(tx, sql, given):
        given = list(given)
        rows.append(len(given))
        many(tx, sql, given)

    monkeypatch.setattr(Transaction, "many", counted)
    study = await imported(house, long_record(entries=120))
    assert sum(rows) < 20, "its seats, and seeds where a game was taken up again"
    assert len(await actions.log(house.database.reads, study.id)) == 120
