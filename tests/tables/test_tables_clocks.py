"""Clocks to the millisecond: bank, increment and cap, several at once, and who loses when several run out."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from db.repositories import timers
from engines.capabilities import random_action
from engines.chance import Chance
from engines.registry import engine
from tables.core import clocks
from tables.core.options import UNITS
from tests.tables.players import ANN, BEN, CAT, DAN
from tests.tables.test_tables_play import refusal
from tests.tables.test_tables_time import lines, live_until

DAY, HOUR, MINUTE = UNITS["d"], UNITS["h"], UNITS["m"]
USERS = {user.id: user for user in (ANN, BEN, CAT, DAN)}


async def shown(house, table):
    """What each player's clock shows, by id; None where there is none."""
    seats = (await house.tables._house.rows(table.id))[1]
    return {s.user_id: None if s.bank is None else clocks.left(s, house.clock.ms) for s in seats}


async def bid(house, table, user):
    view = (await house.tables.show(table.id, user.id)).view
    await house.act(table, user, f"bid {view.hand[0]}")


async def whose_turn(house, table):
    found = await house.tables.get(table.id)
    (turn,) = found.to_act
    return USERS[found.seats[turn].user_id]


@pytest.mark.parametrize(
    ("words", "bank", "increment", "cap"),
    [
        ("clock=slow", 14 * DAY, DAY, 14 * DAY),
        ("clock=fast", 3 * DAY, 12 * HOUR, 3 * DAY),
        ("clock=custom bank=2d increment=6h cap=50h", 2 * DAY, 6 * HOUR, 50 * HOUR),
        ("clock=custom bank=90m increment=0h cap=90m", 90 * MINUTE, 0, 90 * MINUTE),
        ("clock=custom bank=10d increment=1d cap=1d", 10 * DAY, DAY, DAY),  # a bank above the cap is not cut
    ],
)
async def test_a_turn_costs_its_time_and_earns_the_increment_up_to_the_cap(
    house, words, bank, increment, cap
):
    table = await house.new(BEN, words=f"seat=first {words}")
    assert await shown(house, table) == {ANN.id: bank, BEN.id: bank}
    house.clock.ms += 20 * MINUTE
    await bid(house, table, ANN)  # her turn is done, his goes on
    after_turn = min(bank - 20 * MINUTE + increment, max(cap, bank - 20 * MINUTE))
    house.clock.ms += 7 * MINUTE
    assert await shown(house, table) == {ANN.id: after_turn, BEN.id: bank - 27 * MINUTE}
    await house.again()
    assert await shown(house, table) == {ANN.id: after_turn, BEN.id: bank - 27 * MINUTE}
    await bid(house, table, BEN)
    winner = await whose_turn(house, table)
    left = await shown(house, table)
    house.clock.ms += 10 * MINUTE
    await house.act(table, winner, "step")  # the turn goes on: nothing is earned, nothing is lost twice
    house.clock.ms += 5 * MINUTE
    await house.act(table, winner, "pass")  # and then all think again at once
    now = await shown(house, table)
    other = BEN if winner is ANN else ANN
    assert now[other.id] == left[other.id]
    assert now[winner.id] == left[winner.id] - 15 * MINUTE
    house.clock.ms += MINUTE
    assert await shown(house, table) == {user: time - MINUTE for user, time in now.items()}


async def test_without_a_clock_nothing_runs_out(house):
    table = await house.new(BEN, words="seat=first clock=none")
    await live_until(house, house.clock.ms + 100 * DAY)
    assert await shown(house, table) == {ANN.id: None, BEN.id: None}
    assert await house.posts("claim") == []


async def test_clocks_of_a_common_phase_run_together_and_stand_each_for_itself(house):
    words = "seat=first three=true seats=3 clock=custom bank=2d increment=1h cap=2d"
    table = await house.new(BEN, CAT, words=words)
    table = await house.tables.start(table.id, ANN.id, next(house.ids))
    house.clock.ms += 10 * HOUR
    await house.tables.vacation(CAT, house.clock.ms + 5 * DAY)
    house.clock.ms += 2 * HOUR
    await bid(house, table, BEN)
    house.clock.ms += 3 * HOUR
    assert await shown(house, table) == {ANN.id: 33 * HOUR, BEN.id: 37 * HOUR, CAT.id: 38 * HOUR}
    asked = await house.tables.pause(table.id, ANN.id, next(house.ids))
    house.clock.ms += HOUR  # a question does not stop the clock
    for user in (BEN, CAT):
        await house.tables.vote(asked.id, user.id, True, next(house.ids))
    await live_until(house, house.clock.ms + 20 * DAY)  # the vacation ends within the pause
    assert await shown(house, table) == {ANN.id: 32 * HOUR, BEN.id: 37 * HOUR, CAT.id: 38 * HOUR}
    await house.tables.pause(table.id, BEN.id, next(house.ids))
    house.clock.ms += 2 * HOUR
    assert await shown(house, table) == {ANN.id: 30 * HOUR, BEN.id: 37 * HOUR, CAT.id: 36 * HOUR}
    start = house.clock.ms
    await live_until(house, start + 10 * DAY)
    claims = [json.loads(row["payload"])["params"]["seats"] for row in await claim_rows(house)]
    assert claims == [[0], [2]]  # each told when it ran out, once
    assert [row["created_at"] - start for row in await claim_rows(house)] == [30 * HOUR, 36 * HOUR]


async def claim_rows(house):
    return await house.database.reads.all("SELECT * FROM outbox WHERE kind = 'claim' ORDER BY id")


# -- claims ----------------------------------------------------------------------------------


async def test_who_has_no_time_left_himself_moves_before_he_claims(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    await live_until(house, house.clock.ms + 4 * DAY)  # both were to bid, neither did
    (told,) = await house.posts("claim")
    assert told[2]["params"]["seats"] == [0, 1]
    for user in (ANN, BEN):
        assert (
            await refusal(house.tables.claim(table.id, user.id, None, next(house.ids)))
        ).code == "act-first"
    await bid(house, table, BEN)
    assert (await house.tables.claim(table.id, BEN.id, None, next(house.ids))).result["winners"] == [1]


async def test_a_claim_of_the_silent_without_a_clock_wants_the_same(house):
    table = await house.new(BEN)
    house.clock.ms += 15 * DAY
    assert (await refusal(house.tables.claim(table.id, ANN.id, None, next(house.ids)))).code == "act-first"
    await bid(house, table, ANN)
    assert (await house.tables.claim(table.id, ANN.id, None, next(house.ids))).status == "over"


# -- tables that chose to lose ------------------------------------------------------------------


async def with_banks(house, table, banks):
    """Clocks of a running table as they would be after turns of different length."""
    inner = house.tables._house
    loaded = await inner.load(table.id)
    seats = tuple(replace(s, bank=banks[s.user_id], ticks_since=house.clock.ms) for s in loaded.seats)
    async with inner.revising(replace(loaded, seats=seats), []):
        pass


@pytest.mark.parametrize("sooner", [ANN, BEN])
@pytest.mark.parametrize("awake", [True, False])
async def test_of_two_the_one_whose_clock_ran_out_first_loses_whatever_the_seats(house, sooner, awake):
    table = await house.new(BEN, words="seat=first clock=fast timeout=lose")
    await with_banks(house, table, {user.id: DAY + (user is not sooner) for user in (ANN, BEN)})  # 1 ms
    if awake:
        await live_until(house, house.clock.ms + 3 * DAY)
    else:  # the bot was down while both ran out
        house.clock.ms += 3 * DAY
        await house.again()
    table = await house.tables.get(table.id)
    assert (table.status, table.result["reason"]) == ("over", "claimed")
    assert [table.seats[seat].user_id for seat in table.result["winners"]] == [BEN.id + ANN.id - sooner.id]
    assert await lines(house) == ["ended-clock"]
    ((_, _, told),) = await house.posts("line")
    assert (told["mention"], told["params"]["seat"]) == ([ANN.id, BEN.id], table.seat_of(sooner.id))
    assert len(await house.posts("over")) == 1


async def test_two_who_ran_out_at_the_same_moment_end_the_game_without_a_loser(house):
    table = await house.new(BEN, words="seat=first clock=fast timeout=lose")
    await live_until(house, house.clock.ms + 30 * DAY)
    table = await house.tables.get(table.id)
    assert (table.status, table.result) == (
        "cancelled",
        {"winners": [], "scores": [], "reason": "cancelled"},
    )
    assert table.seed is not None
    assert await lines(house) == ["ended-clocks"]
    assert await house.tables.leaderboard("duel", 1) == []
    assert await house.tables.check() == []


async def shogun(house, *guests, words=""):
    table = await house.new(
        *guests,
        words=f"seat=first seats={len(guests) + 1} clock=fast timeout=lose {words}".strip(),
        game="shogun",
    )
    return await house.tables.start(table.id, ANN.id, next(house.ids)) if table.status == "open" else table


async def plan(house, table, user):
    """The user sends some plan."""
    rules = engine("shogun")
    loaded = await house.tables._house.load(table.id)
    seat = loaded.seat_of(user.id)
    number = 0
    while seat in loaded.to_act:
        action = random_action(rules, loaded.state, seat, Chance(b"clocks", number))
        await house.act(table, user, rules.format(action))
        loaded, number = await house.tables._house.load(table.id), number + 1


async def test_of_several_all_who_ran_out_together_lose_together(house):
    table = await shogun(house, BEN, CAT, DAN)
    await live_until(house, house.clock.ms + 3 * DAY - HOUR)
    for user in (BEN, DAN):
        await plan(house, table, user)
    late = sorted((await house.tables.get(table.id)).to_act)
    assert late == sorted(table.seat_of(user.id) for user in (ANN, CAT))
    await live_until(house, house.clock.ms + 2 * HOUR)
    told = [
        post[2]["params"]["seats"] for post in await house.posts("line") if post[2]["code"] == "clock-lost"
    ]
    assert told == [late]
    after = await house.tables.get(table.id)
    assert after.status == "running"
    assert not after.to_act & set(late)
    assert await house.tables.check() == []


async def test_of_several_who_ran_out_one_after_another_the_last_one_is_left(house):
    table = await shogun(house, BEN, CAT, DAN)
    at_table = sorted(table.seats, key=lambda seat: -seat.seat)
    loaded = await house.tables._house.load(table.id)
    banks = {info.user_id: DAY + place for place, info in enumerate(at_table)}
    seats = tuple(replace(s, bank=banks[s.user_id], ticks_since=house.clock.ms) for s in loaded.seats)
    async with house.tables._house.revising(replace(loaded, seats=seats), []):
        pass
    house.clock.ms += 3 * DAY  # the bot was down meanwhile
    await house.again()
    told = [
        post[2]["params"]["seats"] for post in await house.posts("line") if post[2]["code"] == "clock-lost"
    ]
    after = await house.tables.get(table.id)
    assert told == [[3], [2], [1]]
    assert (after.status, after.result["winners"]) == ("over", [0])
    assert await house.tables.check() == []


async def test_where_nobody_would_be_left_nobody_loses(house):
    table = await shogun(house, BEN, CAT)
    loaded = await house.tables._house.load(table.id)
    together = replace(
        loaded, seats=tuple(replace(s, bank=0, ticks_since=house.clock.ms) for s in loaded.seats)
    )
    async with house.tables._house.revising(together, []):
        pass
    await live_until(house, house.clock.ms + MINUTE)
    after = await house.tables.get(table.id)
    assert (after.status, after.result["winners"]) == ("cancelled", [])
    assert "ended-clocks" in await lines(house)


async def test_whoever_left_is_claimed_also_by_one_who_is_late_himself(house):
    table = await house.new(BEN)
    house.clock.ms += 15 * DAY
    await house.tables.gone(BEN.id, "left", 1)
    house.clock.ms += DAY  # to come back in
    assert (await house.tables.claim(table.id, ANN.id, None, 1)).result["winners"] == [0]


async def test_a_clock_that_is_agreed_away_leaves_no_timer(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    asked = await house.tables.change_clock(table.id, ANN.id, "none", next(house.ids))
    await house.tables.vote(asked.id, BEN.id, True, next(house.ids))
    kinds = await house.database.reads.all("SELECT kind FROM timers WHERE table_id = ?", (table.id,))
    assert {row["kind"] for row in kinds} == {"remind"}
    async with house.database.transaction() as tx:  # as an earlier version left it
        await timers.put(tx, clocks.CLOCK, house.clock.ms, table_id=table.id)
    await house.tables.run_due()
    kinds = await house.database.reads.all("SELECT kind FROM timers WHERE table_id = ?", (table.id,))
    assert {row["kind"] for row in kinds} == {"remind"}
