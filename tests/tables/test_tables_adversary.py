"""People and consent, as somebody would use them who wants to break them."""

from __future__ import annotations

import asyncio

from tables.core import clocks
from tables.core.model import Vote
from tables.core.options import UNITS
from tables.seats.handover import GRACE_MS, MOST_SILENCE, Successor
from tests.tables.players import ANN, BEN, CAT, DAN
from tests.tables.test_tables_clocks import plan
from tests.tables.test_tables_people import replaced, take
from tests.tables.test_tables_play import refusal
from tests.tables.test_tables_time import lines, live_until, reminded

DAY, HOUR = UNITS["d"], UNITS["h"]


async def four(house, words=""):
    """Ann, Ben, Cat and Dan at a game in which who resigns is out and the others play on."""
    table = await house.new(BEN, CAT, DAN, words=f"seat=first seats=4 {words}".strip(), game="shogun")
    table = await house.tables.start(table.id, ANN.id, next(house.ids))
    assert table.status == "running"
    return table


async def three(house, words=""):
    table = await house.new(BEN, CAT, words=f"seat=first three=true seats=3 {words}".strip())
    return await house.tables.start(table.id, ANN.id, next(house.ids))


async def resign(house, table, user):
    await house.tables.resign(table.id, user.id, next(house.ids))


async def votes_for(house, asked, *users):
    for user in users:
        asked = await house.tables.vote(asked.id, user.id, True, next(house.ids))
    return asked


async def claim(house, table, by, whom):
    return await house.tables.claim(table.id, by.id, table.seat_of(whom.id), next(house.ids))


# -- who has a say ------------------------------------------------------------------------------


async def test_who_is_out_of_the_game_neither_holds_a_question_up_nor_refuses_nor_asks_it(house):
    table = await four(house, "clock=fast")
    await resign(house, table, BEN)
    asked = await house.tables.pause(table.id, ANN.id, next(house.ids))
    assert set(asked.wanted) == {table.seat_of(user.id) for user in (CAT, DAN)}
    no = house.tables.vote(asked.id, BEN.id, False, next(house.ids))
    assert (await refusal(no)).code == "retired"
    assert (await votes_for(house, asked, CAT, DAN)).status == "agreed"
    for asks in (
        house.tables.pause(table.id, ANN.id, next(house.ids)),  # ends the pause
        house.tables.offer_draw(table.id, ANN.id, next(house.ids)),
    ):
        await asks
    for refused in (
        house.tables.change_clock(table.id, BEN.id, "slow", next(house.ids)),
        house.tables.cancel(table.id, BEN.id, next(house.ids)),
        claim(house, table, BEN, ANN),
        claim(house, table, ANN, BEN),
        replaced(house, table, ANN, seat=table.seat_of(BEN.id)),
        replaced(house, table, BEN),
    ):
        assert (await refusal(refused)).code == "retired"
    assert await house.tables.check() == []


async def test_who_left_the_server_does_not_hold_the_others_up(house):
    table = await three(house)
    asked = await house.tables.pause(table.id, ANN.id, next(house.ids))
    await votes_for(house, asked, BEN)
    await house.tables.gone(CAT.id, "left", 1)
    again = await house.tables.pause(table.id, ANN.id, next(house.ids))  # all who are left have agreed
    assert (again.id, again.status) == (asked.id, "agreed")
    assert (await house.tables.get(table.id)).paused_at is not None


async def test_a_draw_is_not_agreed_on_with_nobody(house):
    table = await house.new(BEN)
    await house.tables.gone(BEN.id, "left", 1)
    house.clock.ms += GRACE_MS
    assert (await refusal(house.tables.offer_draw(table.id, ANN.id, 1))).code == "nobody-to-ask"
    assert (await house.tables.claim(table.id, ANN.id, None, 2)).result["winners"] == [0]


async def test_two_different_questions_of_a_kind_are_not_taken_for_one(house):
    table = await house.new(BEN)
    asked = await house.tables.change_clock(table.id, ANN.id, "slow", next(house.ids))
    for user in (ANN, BEN):
        other = house.tables.change_clock(table.id, user.id, "fast", next(house.ids))
        assert (await refusal(other)).code == "vote-open"
    same = await house.tables.change_clock(table.id, ANN.id, "slow", next(house.ids))
    assert (same.id, same.status) == (asked.id, "open")
    agreed = await house.tables.change_clock(table.id, BEN.id, "slow", next(house.ids))
    assert (agreed.id, agreed.status) == (asked.id, "agreed")
    assert (await house.tables.get(table.id)).table_options["clock"] == "slow"


async def test_two_questions_at_once_are_each_carried_out(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    pause = await house.tables.pause(table.id, ANN.id, next(house.ids))
    clock = await house.tables.change_clock(table.id, BEN.id, "clock=custom bank=5d", next(house.ids))
    draw = await house.tables.offer_draw(table.id, ANN.id, next(house.ids))
    assert (await votes_for(house, pause, BEN)).status == "agreed"
    house.clock.ms += 3 * DAY
    assert (await votes_for(house, clock, ANN)).status == "agreed"
    house.clock.ms += 3 * DAY
    seat = (await house.tables.get(table.id)).seats[0]
    assert (seat.bank, seat.ticks_since) == (5 * DAY, None)  # another clock does not end the pause
    await house.tables.pause(table.id, BEN.id, next(house.ids))
    house.clock.ms += DAY
    assert (await house.tables.get(table.id)).seats[0].ticks_since == house.clock.ms - DAY
    assert (await votes_for(house, draw, BEN)).status == "agreed"
    assert (await house.tables.get(table.id)).result["reason"] == "draw"


async def test_a_vote_to_go_on_without_somebody_lapses_when_he_acts_or_is_out(house):
    table = await three(house)
    house.clock.ms += MOST_SILENCE
    asked = await claim(house, table, ANN, BEN)
    assert isinstance(asked, Vote)
    view = (await house.tables.show(table.id, BEN.id)).view
    await house.act(table, BEN, f"bid {view.hand[0]}")
    late = house.tables.vote(asked.id, CAT.id, True, next(house.ids))
    assert (await refusal(late)).params["status"] == "lapsed"
    table = await four(house)
    house.clock.ms += MOST_SILENCE
    asked = await claim(house, table, ANN, BEN)
    offer = await replaced(house, table, ANN, seat=table.seat_of(BEN.id))
    await resign(house, table, BEN)
    for open_vote in (asked, offer):
        late = house.tables.vote(open_vote.id, CAT.id, True, next(house.ids))
        assert (await refusal(late)).params["status"] == "lapsed"
    assert await house.tables.check() == []


async def test_an_offered_seat_of_who_has_resigned_is_taken_by_nobody(house):
    table = await four(house)
    await replaced(house, table, BEN)
    await resign(house, table, BEN)
    eve = type(ANN)(106, "Eve", "en-GB")
    assert (await refusal(take(house, table, eve, table.seat_of(BEN.id)))).code == "no-offer"


# -- presses at the same moment --------------------------------------------------------------


async def test_two_who_claim_at_once_leave_one_player_once(house):
    table = await four(house, "clock=fast")
    for user in (ANN, CAT, DAN):
        await plan(house, table, user)
    await live_until(house, house.clock.ms + 4 * DAY)
    done = await claim(house, table, ANN, BEN)
    assert done.status == "running"
    assert (await refusal(claim(house, table, CAT, BEN))).code == "retired"
    assert (await lines(house)).count("claimed") == 1


async def test_a_paused_table_calls_nobody_and_a_vacation_ends_quietly_there(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    asked = await house.tables.pause(table.id, ANN.id, next(house.ids))
    await votes_for(house, asked, BEN)
    await house.tables.vacation(ANN, house.clock.ms + DAY)
    assert (await refusal(house.tables.remind(table.id, BEN.id))).code == "paused"
    await live_until(house, house.clock.ms + 2 * DAY)
    assert [post[2]["mention"] for post in await house.posts("line") if post[2]["code"] == "returned"] == [[]]
    await house.tables.pause(table.id, BEN.id, next(house.ids))
    assert (await house.posts("line"))[-1][2]["mention"] == [ANN.id]


# -- bots ---------------------------------------------------------------------------------------


async def test_a_seat_goes_to_the_bot_and_back_to_the_same_player(house):
    table = await house.new(BEN)
    seat = table.seat_of(BEN.id)
    await replaced(house, table, BEN, Successor(level="easy"))
    await replaced(house, table, ANN, Successor(user=BEN), seat=seat)
    assert (await take(house, table, BEN, seat)).seat_of(BEN.id) == seat
    await house.tables.settled()
    assert (await house.tables.get(table.id)).seats[seat].level is None
    assert await house.tables.check() == []


async def test_the_bots_thought_is_not_played_for_the_human_who_has_come_meanwhile(house):
    table = await house.new(BEN)
    seat = table.seat_of(BEN.id)
    thinking, go_on = asyncio.Event(), asyncio.Event()
    real = house.thinker.choose

    async def slowly(*args):
        thinking.set()
        await go_on.wait()
        return await real(*args)

    house.thinker.choose = slowly
    await replaced(house, table, BEN, Successor(level="easy"))
    await asyncio.wait_for(thinking.wait(), 5)
    await replaced(house, table, ANN, Successor(user=CAT), seat=seat)
    await take(house, table, CAT, seat)
    go_on.set()
    await house.tables.settled()
    assert seat in (await house.tables.get(table.id)).to_act, "the choice is the newcomer's own"
    assert await house.tables.check() == []


async def test_nobody_is_voted_out_by_one_who_sits_among_bots(house):
    table = await four(house)
    for user in (CAT, DAN):
        await replaced(house, table, user, Successor(level="easy"))
    assert (await refusal(claim(house, table, ANN, BEN))).code in ("not-absent", "not-waiting")
    assert (await refusal(claim(house, table, ANN, CAT))).code == "seat-of-bot"


# -- a server without the bot ------------------------------------------------------------------


async def test_no_clock_runs_while_the_bot_is_not_in_the_server(house):
    table = await house.new(BEN, words="seat=first clock=fast timeout=lose")
    view = (await house.tables.show(table.id, ANN.id)).view
    await house.act(table, ANN, f"bid {view.hand[0]}")
    silent = await house.new(CAT)
    house.clock.ms += 10 * HOUR
    await house.tables.removed(1)
    await live_until(house, house.clock.ms + 30 * DAY)
    assert (await house.tables.get(table.id)).status == "running"
    for waits in (table, silent):
        assert (
            await refusal(house.tables.claim(waits.id, ANN.id, None, next(house.ids)))
        ).code == "not-absent"
    await house.tables.invited_back(1)
    back = house.clock.ms
    seat = (await house.tables.get(table.id)).seats[table.seat_of(BEN.id)]
    assert clocks.left(seat, house.clock.ms) == 3 * DAY - 10 * HOUR
    assert (await refusal(house.tables.claim(silent.id, ANN.id, None, next(house.ids)))).code == "not-absent"
    await live_until(house, back + 3 * DAY - 10 * HOUR - 1)
    assert (await house.tables.get(table.id)).status == "running"
    assert [when - back for when, _ in await reminded(house, BEN)] == [
        14 * HOUR
    ]  # a day after the turn began
    await live_until(house, back + 3 * DAY - 10 * HOUR)
    table = await house.tables.get(table.id)
    assert (table.status, table.result["winners"]) == ("over", [table.seat_of(ANN.id)])
    assert await house.tables.check() == []


# -- clocks and zones of another world ----------------------------------------------------------


async def test_a_machine_whose_clock_is_set_back_gives_nobody_time(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    house.clock.ms -= 5 * DAY
    view = (await house.tables.show(table.id, ANN.id)).view
    await house.act(table, ANN, f"bid {view.hand[0]}")
    seat = (await house.tables._house.rows(table.id))[1][0]
    assert (seat.bank, seat.turns, seat.thought_ms) == (3 * DAY, 1, 0)


async def test_a_zone_that_is_not_known_any_more_costs_nobody_the_reminders(house):
    await house.tables.prefer(ANN, {"zone": "Europe/Atlantis", "quiet_from": 60, "quiet_to": 120})
    await house.new(BEN)
    start = house.clock.ms
    await live_until(house, start + 2 * DAY)
    assert [when - start for when, _ in await reminded(house, ANN)] == [DAY]


async def test_an_offered_seat_counts_among_the_tables_that_one_may_have(house, monkeypatch):
    table = await house.new(BEN)
    await house.new(CAT)
    await replaced(house, table, BEN)
    monkeypatch.setattr("tables.core.caps.USER_TABLES", 1)
    assert (await refusal(take(house, table, CAT, table.seat_of(BEN.id)))).code == "too-many-tables"
    assert (await take(house, table, DAN, table.seat_of(BEN.id))).seat_of(DAN.id) is not None
