"""Acting: once, in turn, whole, by whoever may."""

from __future__ import annotations

import asyncio

import pytest

from db import sqlite
from db.errors import DatabaseError, RowError
from engines.record import fold, read_record
from tables.core.errors import TableError
from tests.tables.players import ANN, BEN, CAT


async def refusal(awaited):
    with pytest.raises(TableError) as caught:
        await awaited
    return caught.value


async def test_a_game_for_two_starts_when_the_invited_player_joins(house):
    table = await house.new(BEN)
    assert table.status == "running"
    assert [seat.user_id for seat in table.seats] == [ANN.id, BEN.id]
    assert [seat.role for seat in table.seats] == ["red", "blue"]
    assert table.to_act == {0, 1}
    assert table.seed is None
    assert [kind for _, kind, _ in await house.posts()] == [
        "lobby",
        "lobby",
        "thread",
        "board",
        "hand",
        "hand",
    ]
    board = (await house.posts("board"))[0][2]
    assert board["mention"] == [ANN.id, BEN.id]
    assert board["commitment"] == table.commitment


async def test_an_action_is_committed_and_shown_to_its_actor(house):
    table = await house.new(BEN)
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    done = await house.act(table, ANN, f"BID  {hand[1]}")
    assert done.action == f"bid {hand[1]}"
    assert done.shown.seat == 0
    assert done.shown.view.bid == hand[1]
    assert (await house.tables.get(table.id)).to_act == {1}
    await house.again()
    assert (await house.tables.show(table.id, ANN.id)).view == done.shown.view


async def test_a_redelivered_interaction_is_carried_out_once(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    first = await house.act(table, winner, "step", iid=5)
    await house.again()
    second = await house.act(table, winner, "step", iid=5)
    assert not first.repeated
    assert second.repeated
    assert second.action == "step"
    assert second.shown.view.steps == 1


async def test_of_two_presses_at_once_only_one_counts(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    version = (await house.tables.get(table.id)).version
    both = await asyncio.gather(
        *(house.act(table, winner, "step", version=version) for _ in range(2)), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in both) == ["Outcome", "TableError"]
    assert (await house.tables.show(table.id, None)).view.steps == 1


async def test_many_actions_at_once_are_one_after_the_other(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    done = await asyncio.gather(*(house.act(table, winner, "draw") for _ in range(20)))
    assert sorted(outcome.table.version for outcome in done) == list(range(5, 25))
    assert await house.tables.check() == []


async def test_others_secret_choices_leave_ones_buttons_alone_but_ones_own_make_them_stale(house):
    table = await house.new(BEN)
    version = table.version
    hands = [(await house.tables.show(table.id, user.id)).view.hand for user in (ANN, BEN)]
    await house.act(table, ANN, f"bid {hands[0][0]}", version=version)
    error = await refusal(house.tables.panel(table.id, ANN.id, (), version))
    assert (error.code, error.params) == ("stale", {"version": version + 1})
    panel = await house.tables.panel(table.id, BEN.id, ("1",), version)
    done = await house.act(table, BEN, panel.step.action, version=version)
    assert done.action == f"bid {hands[1][1]}"


async def test_what_is_refused_says_what_is_legal(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    error = await refusal(house.act(table, winner, "bid 3"))
    assert (error.code, error.rules, error.params["legal"]) == ("wrong-time", True, ["step", "draw", "pass"])
    loser = BEN if winner is ANN else ANN
    assert (await refusal(house.act(table, loser, "pass"))).code == "not-your-turn"
    assert (await refusal(house.act(table, CAT, "pass"))).code == "not-seated"
    assert (await refusal(house.tables.get(99))).code == "no-table"
    assert (await refusal(house.tables.panel(table.id, loser.id))).code == "not-your-turn"
    for path in (("9",), ("x",), ("-",), ("0", "0"), ("0+1",), ("²",)):
        assert (await refusal(house.tables.panel(table.id, winner.id, path))).code == "stale-path"


async def test_completions_are_for_the_seats_own_user_only(house):
    table = await house.new(BEN)
    own = await house.tables.complete(table.id, ANN.id, 10, "bid")
    assert own
    assert await house.tables.complete(None, ANN.id, 10, "bid") == own
    for user, text in ((CAT, ""), (BEN, own[0] + "\0")):
        assert await house.tables.complete(table.id, user.id, 10, text) == []
    assert await house.tables.complete(77, ANN.id, 10, "") == []


async def test_a_finished_game_gives_seed_and_a_record_that_replays(house):
    table = await house.new(BEN, words="goal=1 seat=first")
    running = await house.tables.export(table.id, ANN.id)
    assert "seed" not in running
    assert "actions" not in running
    assert running["view"]["viewer"] == 0
    for user in (ANN, BEN):
        hand = (await house.tables.show(table.id, user.id)).view.hand
        await house.act(table, user, f"bid {hand[0]}")
    table = await house.tables.get(table.id)
    assert table.status == "over"
    assert table.result["reason"] == "points"
    over = (await house.posts("over"))[0][2]
    assert over["seed"] == table.seed
    data = await house.tables.export(table.id, CAT.id)
    data = {key: value for key, value in data.items() if key not in ("players", "result")}
    assert (
        fold(read_record(data)).state.model_dump()["points"]
        == (await house.tables.show(table.id, None)).view.points
    )
    assert (await refusal(house.act(table, ANN, "pass"))).code == "over"
    assert (await refusal(house.tables.undo(table.id, ANN.id, 7))).code == "ended-secrets"


async def test_resigning_out_of_turn_ends_the_game(house):
    table = await house.new(BEN)
    done = await house.tables.resign(table.id, BEN.id, 77)
    assert done.table.status == "over"
    assert done.table.result["winners"] == [0]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "statement", ["INSERT INTO outbox", "INSERT INTO actions", "INSERT INTO snap", "COMMIT"]
)
async def test_a_fault_anywhere_in_the_writing_leaves_nothing(house, monkeypatch, statement):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    before = [tuple(row) for row in await house.database.reads.all("SELECT * FROM outbox")]
    real = sqlite.carry_out

    def full(connection, step):
        if step.sql.startswith(statement):
            raise DatabaseError("full", "t.db")
        return real(connection, step)

    monkeypatch.setattr(sqlite, "carry_out", full)
    with pytest.raises(DatabaseError):
        await house.act(table, winner, "step", iid=9)
    monkeypatch.setattr(sqlite, "carry_out", real)
    assert [tuple(row) for row in await house.database.reads.all("SELECT * FROM outbox")] == before
    assert (await house.tables.show(table.id, None)).view.steps == 0
    await house.again()
    done = await house.act(table, winner, "step", iid=9)
    assert not done.repeated
    assert done.shown.view.steps == 1
    assert await house.tables.check() == []


@pytest.mark.sqlite
async def test_a_full_disk_is_said_so_and_the_game_goes_on_when_there_is_room(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    pages = (await house.database.reads.one("PRAGMA page_count"))[0]
    await house.database._writer.execute(f"PRAGMA max_page_count={pages}")

    async def fill():
        for _ in range(200):
            await house.act(table, winner, "draw")

    with pytest.raises(DatabaseError, match="disk is full"):
        await fill()
    shown = (await house.tables.show(table.id, None)).view
    await house.database._writer.execute("PRAGMA max_page_count=100000")
    await house.act(table, winner, "draw")
    assert sum((await house.tables.show(table.id, None)).view.cards) == sum(shown.cards) + 1
    assert await house.tables.check() == []


async def test_a_cancelled_caller_does_not_tear_a_commit(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    for pauses in range(12):
        task = asyncio.create_task(house.act(table, winner, "draw"))
        for _ in range(pauses):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await house.tables._house.close()
    assert await house.tables.check() == []
    await house.again()
    assert await house.tables.check() == []


async def test_a_broken_table_harms_no_other_and_keeps_its_record(house):
    broken, sound = await house.new(BEN), await house.new(BEN)
    await house.ruin(broken)
    assert (await refusal(house.act(broken, ANN, "step"))).code == "broken"
    assert (await house.tables.get(broken.id)).status == "broken"
    await house.bid_all(sound)
    (fault,) = await house.tables.faults()
    assert fault.aside
    assert f"table {broken.id}: set aside since" in fault.text
    assert "does not replay" in fault.text
    kept = await house.database.reads.one("SELECT status FROM tables WHERE id = ?", (broken.id,))
    assert kept["status"] == "running"
    ended = await house.tables.cancel(broken.id, CAT.id, 91, moderator=True)
    assert ended.status == "cancelled"


async def test_check_finds_a_snapshot_that_the_log_does_not_lead_to(house):
    table = await house.new(BEN)
    async with house.database.transaction() as tx:
        await tx.run("UPDATE snapshots SET state = replace(state, '\"goal\":3', '\"goal\":2')")
    await house.again()
    assert await house.tables.check() == [f"table {table.id}: replays to another position than its snapshot"]


async def test_memory_holds_only_the_last_tables(house):
    house.cache = 3
    await house.again()
    tables = [await house.new(BEN) for _ in range(6)]
    assert len(house.tables._house._cache) == 3
    for table in tables:
        assert (await house.tables.show(table.id, ANN.id)).view.hand
    assert len(house.tables._house._cache) == 3
    await house.again()
    assert len(house.tables._house._cache) == 0


async def test_the_log_refuses_a_second_entry_with_the_same_number(house):
    table = await house.new(BEN)
    await house.bid_all(table)
    with pytest.raises(RowError):
        async with house.database.transaction() as tx:
            await tx.run("INSERT INTO actions (table_id, seq, undo, at) VALUES (?, 1, 1, 0)", (table.id,))
