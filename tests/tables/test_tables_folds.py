"""Whole logs are folded where no game waits for them (14.1, 14.2, 14.4)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from db.repositories import actions
from db.rows import row_of
from engines import record
from engines.capabilities import random_action
from engines.chance import Chance
from engines.registry import GAMES, engine
from tables.core.archive import ArchiveError
from tables.core.errors import TableError
from tables.core.milestones import EVERY, Milestones
from tables.core.one_each import OneEach, Queues
from tables.reading import records
from tables.reading.archive import HereLibrary, Library
from tables.reading.folding import Folder
from tests.tables.players import ANN, BEN, CAT
from tests.tables.test_tables_play import refusal


@cache
def long_record(game="kamisado", entries=200, seed=b"\5" * 32, **options):
    """A game of so many entries by chance, with an action taken back now and then."""
    options = options or ({"match": "marathon"} if game == "kamisado" else {})
    history = record.new(game, None, seed, options)
    told = record.begin(history)
    rules = told.record.engine
    for number in range(entries):
        acting = sorted(rules.to_act(told.state))
        if not acting:
            break
        if number % 20 == 19:
            told = record.take_back(told, 2)
            continue
        action = random_action(rules, told.state, acting[0], Chance(bytes([number % 256]), number))
        told = record.append(told, acting[0], record.action_json(action))
    return told


def counted(monkeypatch, game="kamisado"):
    """How many actions are carried out."""
    rules = type(engine(game))
    made = []
    apply = rules.apply

    def count(self, *given):
        made.append(1)
        return apply(self, *given)

    monkeypatch.setattr(rules, "apply", count)
    return made


async def imported(house, told, user=CAT):
    data = json.dumps(told.record.json_value()).encode()
    return await house.tables.study(user, data, next(house.ids))


# -- states on the way -----------------------------------------------------------------------------


async def test_a_press_of_replay_carries_out_no_more_than_the_way_from_the_last_kept_state(
    house, monkeypatch
):
    told = long_record()
    study = await imported(house, told)
    made = counted(monkeypatch)
    await house.tables.replay(study.id, CAT.id)
    assert len(made) <= len(told.plies)
    for at in (0, 1, 50, len(told.plies), 117, 118, len(told.plies) - 1):
        made.clear()
        shown = (await house.tables.replay(study.id, CAT.id, at)).shown
        assert len(made) <= EVERY
        assert shown.view == told.record.engine.view(told.at(at), None)


async def test_a_replay_shows_what_a_fold_of_all_entries_leads_to(house):
    for game in GAMES:
        told = long_record(game, 70)
        study = await imported(house, told)
        for at in range(0, len(told.plies) + 1, 7):
            shown = (await house.tables.replay(study.id, CAT.id, at, 1)).shown
            assert shown.view == told.record.engine.view(told.at(at), 1)
            happened = told.plies[at - 1].events if at else told.start.events
            assert shown.events == tuple(event.seen_by(1) for event in happened)


def test_kept_states_take_a_bounded_amount_of_memory():
    kept = Milestones(most=1_000)
    for number in range(100):
        kept.keep(bytes([number]), "x" * 300)
    assert kept.size == 900
    assert [kept.get(bytes([number])) is not None for number in (0, 96, 97, 98, 99)] == [False, False] + [
        True
    ] * 3


def test_entries_one_by_one_are_what_a_fold_makes_of_them():
    for game in GAMES:
        told = long_record(game, 70)
        assert tuple(record.plies(told.record)) == told.plies


async def test_an_undo_carries_out_a_few_actions_however_long_the_log_is(house, monkeypatch):  # 14.4
    table = await house.new(BEN, game="kamisado", words="match=marathon seat=first")
    users = {0: ANN, 1: BEN}
    for _ in range(60):
        seat = min((await house.tables.get(table.id)).to_act)
        move = (await house.tables.complete(table.id, users[seat].id, 0, ""))[0]
        await house.act(table, users[seat], move)

    async def undone():
        other = min((await house.tables.get(table.id)).to_act)
        asked = await house.tables.undo(table.id, users[1 - other].id, next(house.ids))
        await house.tables.vote(asked.id, users[other].id, True, next(house.ids))

    await undone()
    made = counted(monkeypatch)
    for _ in range(3):
        made.clear()
        await undone()
        assert len(made) <= EVERY + 2
    assert await house.tables.check() == []


async def test_an_undo_reads_the_end_of_a_long_log_alone(house, monkeypatch):  # 14.4
    table, users, length = await long_table(house, 1_990)

    async def undone():
        other = min((await house.tables.get(table.id)).to_act)
        asked = await house.tables.undo(table.id, users[1 - other].id, next(house.ids))
        await house.tables.vote(asked.id, users[other].id, True, next(house.ids))

    await undone()  # the first one after a start reads all of it, once
    rows = []

    def counted_row(*given):
        rows.append(1)
        return row_of(*given)

    monkeypatch.setattr(actions, "row_of", counted_row)
    made = counted(monkeypatch)
    for _ in range(3):
        rows.clear()
        made.clear()
        await undone()
        assert len(rows) <= 4 * EVERY
        assert len(made) <= EVERY + 2
    monkeypatch.undo()
    assert await actions.count(house.database.reads, table.id) == length + 4
    assert await house.tables.check() == []


async def long_table(house, length):
    """A game whose log has so many entries: written as it would be after moves and undos, not played."""
    table = await house.new(BEN, game="kamisado", words="match=marathon seat=first")
    users = {0: ANN, 1: BEN}
    for _ in range(40):
        seat = min((await house.tables.get(table.id)).to_act)
        await house.act(table, users[seat], (await house.tables.complete(table.id, users[seat].id, 0, ""))[0])
    async with house.database.transaction() as tx:
        last = await actions.last(tx, table.id)
        assert last is not None
        pairs = (length - 40) // 2
        for number in range(pairs):  # the last action, taken back and done again, again and again
            seq = 41 + 2 * number
            for row in (
                replace(last, seq=seq, seat=None, action=None, undo=1, fed=None),
                replace(last, seq=seq + 1, fed=None),
            ):
                await actions.add(tx, row)
        tx.put("UPDATE tables SET entries = ? WHERE id = ?", (40 + 2 * pairs, table.id))
        tx.put("UPDATE snapshots SET entry = ? WHERE table_id = ?", (40 + 2 * pairs, table.id))
    house.tables._house.forget(table.id)
    return table, users, 40 + 2 * pairs


# -- away from play ----------------------------------------------------------------------------------


class Stuck:
    """An archive that never answers."""

    def __init__(self):
        self.asked = 0
        self.closed = asyncio.Event()

    async def ask(self, task, *given, read):
        self.asked += 1
        await self.closed.wait()
        raise ArchiveError(task)

    async def close(self):
        self.closed.set()


async def test_moves_are_answered_while_the_archive_works_for_others(house):  # 14.1
    table = await house.new(BEN)
    await house.tables._house.archive.close()
    stuck = house.tables._house.archive = Stuck()
    presses = [asyncio.create_task(house.tables.replay(table.id, CAT.id, 0)) for _ in range(300)]
    presses += [asyncio.create_task(house.tables.chronicle(table.id, CAT.id)) for _ in range(10)]
    presses += [asyncio.create_task(house.tables.study(CAT, b"{}", n)) for n in range(60)]
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await asyncio.wait_for(house.act(table, ANN, f"bid {hand[0]}"), 20)
    async with asyncio.timeout(20):
        while stuck.asked < len(presses):  # noqa: ASYNC110 - imports look one after another
            await asyncio.sleep(0)
    assert not any(press.done() for press in presses)
    await house.tables.close()  # a stop does not wait for them either
    ended = await asyncio.gather(*presses, return_exceptions=True)
    assert {type(one) for one in ended} == {ArchiveError}


async def test_a_game_ends_with_its_result_where_the_archive_cannot_sum_it_up(house):  # 14.1
    table = await house.new(BEN, game="kamisado")
    await house.act(table, ANN, "d8-d7")
    await house.tables.resign(table.id, BEN.id, next(house.ids))
    assert await house.tables.statistics(table.id)
    await house.tables._house.archive.close()
    failing = house.tables._house.archive = Stuck()
    failing.closed.set()
    assert await house.tables.statistics(table.id) == ()
    assert failing.asked == 1


async def test_what_is_read_from_outside_is_never_read_on_the_loop(house, monkeypatch):  # 14.2
    where = []

    def noted(read):
        def run(*given):
            where.append(threading.current_thread())
            return read(*given)

        return run

    monkeypatch.setattr(records, "read", noted(records.read))
    monkeypatch.setattr(actions, "row_of", noted(row_of))
    study = await imported(house, long_record(entries=150))
    assert len(await actions.log(house.database.reads, study.id)) == 150
    assert len(where) == 151
    assert threading.main_thread() not in where


async def test_completions_go_one_at_a_time_and_the_newest_is_answered(house, monkeypatch):
    table = await house.new(BEN)
    entered, go = threading.Event(), threading.Event()
    rules = engine("duel")
    complete = type(rules).complete

    def slow(self, text, state, seat):
        entered.set()
        go.wait(20)
        return complete(self, text, state, seat)

    monkeypatch.setattr(type(rules), "complete", slow)
    typed = [asyncio.create_task(house.tables.complete(table.id, ANN.id, 0, "")) for _ in range(300)]
    await asyncio.to_thread(entered.wait, 20)
    for _ in range(50):
        await asyncio.sleep(0)
    go.set()
    found = await asyncio.gather(*typed)
    assert sum(bool(one) for one in found) < 300
    assert found[-1]


async def test_one_who_goes_away_while_it_waits_leaves_the_turn_to_others():
    turns, gate = OneEach[int](), asyncio.Event()

    async def ask(until):
        async with turns.turn(7) as mine:
            await until.wait()
            return mine

    running = asyncio.create_task(ask(gate))
    await asyncio.sleep(0)
    waiting = asyncio.create_task(ask(gate))
    await asyncio.sleep(0)
    waiting.cancel()
    gate.set()
    assert await running
    assert await asyncio.wait_for(ask(gate), 20)
    assert len(turns) == 0


async def test_another_users_lock_is_another():
    queues = Queues()
    async with queues.of(1), queues.of(2):
        assert queues.of(1).locked()


# -- the process, and what it lets go ----------------------------------------------------------------


@pytest.fixture
async def library(house):
    made = Library(house.path)
    yield made
    await made.close()


async def test_the_process_answers_what_a_thread_here_does_and_is_started_anew(house, library):
    study = await imported(house, long_record("rokumon", 40))
    here = HereLibrary(house.path)
    asked: list[Any] = [("moment", study.id, 7, 0), ("chronicle", study.id), ("story", study.id, None, True)]
    asked += [("record", study.id), ("fault", study.id), ("statistics", study.id)]
    for question in asked:
        assert await library.ask(*question, read=list) == await here.ask(*question, read=list)
    os.kill(library.pid, signal.SIGKILL)
    assert (await library.ask("fault", study.id, read=list))[1] is None
    assert (await refusal(library.ask("fault", 999, read=list))).code == "no-table"
    await here.close()


async def test_nothing_but_what_a_viewer_may_know_leaves_the_archive(house):
    table = await house.new(BEN)
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    seed = (await house.database.reads.one("SELECT seed FROM tables"))["seed"].hex()
    folder = Folder(house.path)
    told = json.dumps(
        [
            folder.moment(table.id, None, 1),
            folder.chronicle(table.id),
            folder.story(table.id, 1, False),
        ]
    )
    assert seed not in told
    assert f"bid {hand[0]}" not in told
    own = folder.moment(table.id, None, 0)
    assert own["view"]["hand"] is not None
    assert folder.moment(table.id, None, 1)["view"]["bid"] is None
    for task in ("record", "statistics", "fault"):
        with pytest.raises(TableError, match="not-over"):
            folder.tasks[task](table.id)


async def test_a_replay_draws_from_what_the_players_added_too(house):
    """14.14: states on the way are those of the mixture, from the start and from a kept one."""
    told = long_record("rokumon", 40)
    nonces = tuple(f"{seat:064x}" for seat in range(told.record.seats))
    mixed = record.begin(told.record.model_copy(update={"nonces": nonces, "actions": ()}))
    rules = mixed.record.engine
    for number in range(40):
        acting = sorted(rules.to_act(mixed.state))
        if not acting:
            break
        action = random_action(rules, mixed.state, acting[0], Chance(bytes([number]), number))
        mixed = record.append(mixed, acting[0], record.action_json(action))
    whole = mixed.record.model_copy(update={"commitment": "", "nonce_commitments": None})
    study = await house.tables.study(CAT, json.dumps(whole.json_value()).encode(), next(house.ids))
    for at in (len(mixed.plies), 3, 20):
        shown = (await house.tables.replay(study.id, CAT.id, at, 1)).shown
        assert shown.view == rules.view(mixed.at(at), 1)
    assert (await house.tables.verify(study.id, CAT.id)).fault is None
