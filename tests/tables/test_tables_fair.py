"""What an unfair player tries around the game (issue 14, 6 to 10; 13.A6), and what it brings: nothing."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from db.repositories.results import meetings
from db.rows import ActionRow, FormerRow, SeatRow
from engines.protocol import Result
from tables.core import clocks
from tables.core.errors import TableError
from tables.core.model import Table, Vote
from tables.core.options import UNITS
from tables.reading import keepers, results
from tables.seats import handover
from tables.seats.handover import GRACE_MS, MOST_SILENCE, Successor
from tables.time.absences import DAYS_A_YEAR
from tests.tables.players import ANN, BEN, CAT, DAN
from tests.tables.test_tables_clocks import bid, shown, whose_turn
from tests.tables.test_tables_people import replaced, take, three
from tests.tables.test_tables_play import refusal
from tests.tables.test_tables_time import lines, live_until

DAY, HOUR, MINUTE = UNITS["d"], UNITS["h"], UNITS["m"]
GUILD = 1


async def cancel(house, table, user, *, moderator=True):
    return await house.tables.cancel(table.id, user.id, next(house.ids), moderator=moderator)


async def rating(house, user):
    found = await house.tables.profile(user.id)
    return found[0].rating if found else None


async def rows(house, sql):
    return [tuple(row) for row in await house.database.reads.all(sql)]


async def undone(house, table, user):
    return await house.tables.undo(table.id, user.id, next(house.ids))


async def long_game(house, *, loser=ANN, rounds=3):
    """A game of rounds of bids in which who wins a round passes, and that one resigns at last."""
    table = await house.new(BEN, words="seat=first goal=3")
    await played(house, table, rounds)
    await house.tables.resign(table.id, loser.id, next(house.ids))
    return await house.tables.get(table.id)


async def shogun(house):
    table = await house.new(BEN, CAT, words="seat=first", game="shogun")
    return await house.tables.start(table.id, ANN.id, next(house.ids))


@pytest.fixture
def brief(monkeypatch):
    """Two actions of each are enough for a game to be rated: two rounds have as many."""
    monkeypatch.setattr(keepers, "LEAST", 2)


async def played(house, table, rounds, users=(ANN, BEN)):
    """So many rounds of bids, after each of which the turn is passed, or as many as the game has."""
    for _ in range(rounds):
        for user in users:
            view = (await house.tables.show(table.id, user.id)).view
            if view.turn is None and view.bid is None:
                await house.act(table, user, f"bid {view.hand[0]}")
        found = await house.tables.get(table.id)
        if found.status != "running":
            return
        (turn,) = found.to_act
        owner = next(user for user in (*users, ANN, BEN, CAT, DAN) if user.id == found.seats[turn].user_id)
        await house.act(table, owner, "pass")


# -- 14.6: moderators who play ---------------------------------------------------------------


async def test_a_moderator_who_plays_asks_before_the_game_is_called_off(house):  # 14.6
    table = await house.new(BEN)
    asked = await cancel(house, table, ANN)
    assert isinstance(asked, Vote)
    found = await house.tables.get(table.id)
    assert (found.status, found.seed) == ("running", None)
    assert (await cancel(house, table, CAT)).status == "cancelled"  # who plays nowhere here may


async def test_a_moderator_who_gave_the_seat_to_the_bot_first_has_no_power_there(house):  # 14.6
    table = await house.new(BEN)
    await replaced(house, table, ANN, Successor(level="easy"))
    await house.tables.settled()
    assert (await house.tables.get(table.id)).seats[0].user_id is None
    assert (await refusal(cancel(house, table, ANN))).code == "moderator-sat"
    assert (await refusal(house.tables.end(GUILD, table.id, ANN.id, next(house.ids)))).code == "moderator-sat"
    work = replaced(house, table, ANN, Successor(level="easy"), seat=1, moderator=True)
    assert (await refusal(work)).code == "moderator-sat"
    work = house.tables.hand_over(GUILD, table.id, ANN.id, 1, Successor(DAN), next(house.ids))
    assert (await refusal(work)).code == "moderator-sat"
    assert (await house.tables.get(table.id)).status == "running"
    await house.again()
    assert (await refusal(cancel(house, table, ANN))).code == "moderator-sat"


async def test_a_moderator_whose_seat_somebody_took_has_no_power_there(house):  # 14.6
    table = await house.new(BEN)
    await replaced(house, table, ANN)
    await take(house, table, CAT, 0)
    assert (await refusal(cancel(house, table, ANN))).code == "moderator-sat"


async def test_a_moderator_who_was_forgotten_has_no_power_either(house):  # 14.6
    table = await house.new(BEN)
    await house.tables.forget(ANN.id, next(house.ids))
    assert (await refusal(cancel(house, table, ANN))).code == "moderator-sat"


# -- 14.7: clocks ------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 20])
async def test_sending_and_taking_back_brings_a_clock_nothing(house, times):  # 14.7
    table = await house.new(BEN, words="seat=first clock=custom bank=3d increment=12h cap=30d")
    start = house.clock.ms
    for _ in range(times):
        house.clock.ms += MINUTE
        await bid(house, table, ANN)
        house.clock.ms += MINUTE
        await undone(house, table, ANN)
    left = await shown(house, table)
    assert left == {user.id: 3 * DAY - (house.clock.ms - start) for user in (ANN, BEN)}


async def test_taking_back_at_a_table_that_stands_sets_no_clock_going(house):  # 14.7
    table = await house.new(BEN, words="seat=first clock=custom bank=3d increment=12h cap=30d")
    await bid(house, table, ANN)
    await house.tables.barred(table.id)
    await undone(house, table, ANN)
    before = await shown(house, table)
    house.clock.ms += 2 * DAY
    assert await shown(house, table) == before


async def test_an_undo_by_consent_takes_both_increments_back_and_no_time(house):  # 14.7
    table = await house.new(
        BEN, game="kamisado", words="seat=first clock=custom bank=3d increment=12h cap=30d"
    )
    house.clock.ms += HOUR
    await house.act(table, ANN, "d8-d3")
    house.clock.ms += 2 * HOUR
    found = await house.tables.get(table.id)
    assert found.to_act == {1}
    asked = await undone(house, table, ANN)
    await house.tables.vote(asked.id, BEN.id, True, next(house.ids))
    assert await shown(house, table) == {ANN.id: 3 * DAY - HOUR, BEN.id: 3 * DAY - 2 * HOUR}


async def test_a_cap_that_cut_the_increment_gives_back_no_more_than_was_given(house):  # 14.7
    table = await house.new(BEN, words="seat=first clock=fast")
    house.clock.ms += HOUR
    await bid(house, table, ANN)
    assert (await shown(house, table))[ANN.id] == 3 * DAY
    await undone(house, table, ANN)
    assert (await shown(house, table))[ANN.id] == 3 * DAY - HOUR


async def test_time_in_which_a_choice_lay_sent_and_was_taken_back_has_passed(house):  # 14.7
    table = await house.new(BEN, words="seat=first clock=fast")
    await bid(house, table, ANN)
    house.clock.ms += DAY
    await undone(house, table, ANN)
    assert (await shown(house, table))[ANN.id] == 2 * DAY
    await bid(house, table, ANN)
    house.clock.ms += 5 * DAY
    await undone(house, table, ANN)
    assert (await shown(house, table))[ANN.id] == 12 * HOUR  # who takes it back is there


def test_who_had_nothing_to_decide_gains_no_time_by_an_action():  # 14.7: table aids are no turns
    idle = SeatRow(1, 0, user_id=ANN.id, bank=HOUR)
    rate = clocks.Pace(3 * DAY, 12 * HOUR, 3 * DAY, loses=True)
    row = type("Row", (), {"paused_at": None})()
    assert clocks.wound(idle, row, rate, 10, acts=False, acted=True).bank == HOUR


async def test_turns_that_are_taken_back_do_not_count_for_those_who_waited(house):  # 14.7
    table = await house.new(BEN, game="kamisado")
    await house.act(table, ANN, "d8-d3")
    asked = await undone(house, table, ANN)
    await house.tables.vote(asked.id, BEN.id, True, next(house.ids))
    _, seats = await house.tables._house.rows(table.id)
    assert seats[1].turns == 0


# -- 13.A6: vacation ----------------------------------------------------------------------------


async def test_a_year_has_its_days_of_vacation_however_they_are_taken(house):  # 13.A6
    house.clock.ms = int(datetime(2027, 3, 1, tzinfo=UTC).timestamp() * 1000)
    error = await refusal(house.tables.vacation(ANN, house.clock.ms + (DAYS_A_YEAR + 1) * DAY))
    assert (error.code, error.params["left"]) == ("vacation-spent", DAYS_A_YEAR)
    await house.tables.vacation(ANN, house.clock.ms + 20 * DAY)
    house.clock.ms += 10 * DAY
    await house.tables.vacation(ANN, house.clock.ms + 20 * DAY)  # what was left of it is not lost
    house.clock.ms += 5 * DAY
    await house.tables.vacation(ANN, None)
    assert await house.tables.vacation_left(ANN.id) == DAYS_A_YEAR - 15
    assert (await refusal(house.tables.vacation(ANN, house.clock.ms + 16 * DAY))).code == "vacation-spent"
    await house.tables.vacation(ANN, house.clock.ms + 15 * DAY)
    await live_until(house, house.clock.ms + 40 * DAY)
    assert (await refusal(house.tables.vacation(ANN, house.clock.ms + DAY))).code == "vacation-spent"
    house.clock.ms = int(datetime(2028, 1, 1, tzinfo=UTC).timestamp() * 1000)
    await house.tables.vacation(ANN, house.clock.ms + DAY)


async def test_a_vacation_over_new_year_takes_days_of_both_years(house):  # 13.A6
    house.clock.ms = int(datetime(2027, 12, 22, tzinfo=UTC).timestamp() * 1000)
    await house.tables.vacation(ANN, house.clock.ms + 30 * DAY)  # 10 days of this year, 20 of the next
    assert await house.tables.vacation_left(ANN.id) == DAYS_A_YEAR - 10
    house.clock.ms += 12 * DAY
    error = await refusal(house.tables.vacation(ANN, house.clock.ms + 40 * DAY))
    assert (error.code, error.params["year"], error.params["left"]) == ("vacation-spent", 2028, 28)


async def test_a_clock_stands_no_longer_than_a_years_days_whatever_one_renews(house):  # 13.A6
    house.clock.ms = int(datetime(2027, 1, 5, tzinfo=UTC).timestamp() * 1000)
    table = await house.new(BEN, words="seat=first clock=fast timeout=lose")
    await bid(house, table, ANN)
    start = house.clock.ms
    for _ in range(40):
        with suppress(TableError):  # `vacation-spent` from some time on
            await house.tables.vacation(BEN, house.clock.ms + 25 * DAY)
        await live_until(house, house.clock.ms + 5 * DAY)
        if (await house.tables.get(table.id)).status == "over":
            break
    assert house.clock.ms - start <= (DAYS_A_YEAR + 3 + 5) * DAY
    assert (await house.tables.get(table.id)).result["winners"] == [0]


async def test_playing_at_a_table_ends_the_vacation_there_and_nowhere_else(house):  # 13.A6
    first, second = await house.new(BEN, words="seat=first clock=fast"), await house.new(BEN)
    await house.tables.vacation(BEN, house.clock.ms + 10 * DAY)
    house.clock.ms += DAY
    await bid(house, first, BEN)
    assert [(await house.tables.get(t.id)).seats[1].away for t in (first, second)] == [False, True]
    assert await lines(house) == ["away", "away", "returned"]
    await bid(house, first, ANN)
    assert (await house.tables.get(first.id)).status == "running"
    await live_until(house, house.clock.ms + 10 * DAY)
    assert (await lines(house)).count("returned") == 2  # at the second; the first was told already


async def test_taking_back_is_playing_too(house):  # 13.A6
    table = await house.new(BEN)
    await bid(house, table, BEN)
    await house.tables.vacation(BEN, house.clock.ms + 10 * DAY)
    await undone(house, table, BEN)
    assert not (await house.tables.get(table.id)).seats[1].away
    assert await lines(house) == ["away", "returned", "undone"]


async def test_each_new_date_is_told_at_the_table_and_known_there(house):  # 13.A6
    table = await house.new(BEN)
    until = house.clock.ms + 5 * DAY
    for date in (until, until + 3 * DAY):
        await house.tables.vacation(BEN, date)
        assert (await house.tables.get(table.id)).seats[1].away_until == date
        assert (await house.posts("line"))[-1][2]["params"]["until"] == f"<t:{date // 1000}:D>"
    assert await lines(house) == ["away", "away"]
    await house.again()
    assert await lines(house) == ["away", "away"]


async def test_after_the_vacation_the_clock_goes_on_and_can_be_claimed(house):  # 13.A6
    table = await house.new(BEN, words="seat=first clock=fast")
    await bid(house, table, ANN)
    start = house.clock.ms
    await house.tables.vacation(BEN, start + 10 * DAY)
    await live_until(house, start + 13 * DAY - MINUTE)
    assert (await refusal(house.tables.claim(table.id, ANN.id, 1, 1))).code == "not-absent"
    await live_until(house, start + 13 * DAY + MINUTE)
    done = await house.tables.claim(table.id, ANN.id, 1, next(house.ids))
    assert done.result["winners"] == [0]


async def test_who_is_forgotten_leaves_no_vacation_behind(house):  # 13.A6
    await house.tables.vacation(ANN, house.clock.ms + DAY)
    assert json.loads(await house.tables.about(ANN.id))["vacations"]
    await house.tables.forget(ANN.id, next(house.ids))
    assert await rows(house, "SELECT * FROM vacations") == []


# -- 14.8: ratings ------------------------------------------------------------------------------


async def test_who_gives_the_seat_to_the_bot_before_losing_keeps_the_loss(house):  # 14.8
    table = await house.new(BEN, words="seat=first goal=3")
    await played(house, table, 2)
    await replaced(house, table, ANN, Successor(level="easy"))
    await house.tables.settled()
    while (found := await house.tables.get(table.id)).status == "running":
        view = (await house.tables.show(table.id, BEN.id)).view
        await house.act(table, BEN, "pass" if view.turn == 1 else f"bid {view.hand[-1]}")
        await house.tables.settled()
    won = found.result["winners"] == [1]
    kept = dict(await rows(house, "SELECT user_id, won FROM results"))
    assert kept == {ANN.id: not won, BEN.id: won}


def seat_with(*, holder, actions, former=()):
    left = [FormerRow(1, 0, *one) for one in former]
    log = [
        ActionRow(1, number, 0, '{"type": "step"}', None, False, False, who, number)
        for number, who in enumerate(actions, 1)
    ]
    return keepers.keeper(SeatRow(1, 0, user_id=holder), left, log)


@pytest.mark.parametrize(
    ("holder", "actions", "former", "kept"),
    [
        (1, [1, 1], [], 1),
        (None, [1, None, None, None], [(1, 2)], 1),  # the bot takes no result over
        (2, [1, 1, 1, 2, 2], [(1, 4)], 1),
        (2, [1, 2, 2], [(1, 2)], 2),
        (2, [1, 1, 2, 2], [(1, 3)], 2),  # of equal ones the last
        (2, [], [(1, 0)], 1),  # nobody did anything: who sat there first
        (2, [9, 9], [(1, 0)], 1),  # a claim's resignation is no action of the seat's players
        (None, [None, None], [], None),
    ],
)
def test_a_result_is_whose_actions_most_of_a_seats_were(holder, actions, former, kept):  # 14.8
    found = seat_with(holder=holder, actions=actions, former=former)
    assert (None if found is None else found.user_id) == kept


@pytest.mark.parametrize(
    ("types", "counted"),
    [
        ("move deploy resign", "move deploy"),
        ("move takeback deploy takeback move", "move"),
        ("takeback move", "move"),
        ("move surrender", "move surrender"),
    ],
)
def test_neither_giving_up_nor_what_the_rules_let_take_back_is_an_action(types, counted):  # 14.8
    log = [
        ActionRow(1, number, 0, json.dumps({"type": kind}), None, False, False, 1, number)
        for number, kind in enumerate(types.split(), 1)
    ]
    assert [json.loads(row.action or "")["type"] for row in keepers.played(log)] == counted.split()


async def test_who_takes_a_lost_seat_to_resign_it_does_not_take_the_loss(house, brief):  # 14.8
    table = await house.new(BEN, words="seat=first goal=3")
    await played(house, table, 1)
    await replaced(house, table, ANN, Successor(CAT))
    await take(house, table, CAT, 0)
    done = (await rows(house, "SELECT count(*) FROM actions WHERE seat = 0"))[0][0]
    for _ in range(done - 1):
        view = (await house.tables.show(table.id, CAT.id)).view
        await house.act(table, CAT, "step" if view.turn == 0 else f"bid {view.hand[0]}")
    await house.tables.resign(table.id, CAT.id, next(house.ids))
    assert dict(await rows(house, "SELECT user_id, won FROM results")) == {ANN.id: 0, BEN.id: 1}


def test_what_a_forgotten_player_did_counts_without_a_name():  # 14.8
    found = seat_with(holder=2, actions=[None, None, None, 2], former=[(1, 3, True, 27.0, 5.0)])
    assert found is not None
    assert (found.user_id, found.rating) == (None, (27.0, 5.0))


async def test_forgetting_oneself_before_losing_does_not_take_the_win_from_the_other(house, brief):  # 14.8
    table = await house.new(BEN, words="seat=first goal=3")
    await played(house, table, 2)
    await house.act(table, BEN, f"bid {(await house.tables.show(table.id, BEN.id)).view.hand[0]}")
    await house.tables.forget(ANN.id, next(house.ids))
    await house.tables.settled()
    loaded = await house.tables._house.look(table.id)
    won = Result(winners=(1,), scores=(0, 3), reason="points").model_dump_json()
    after = loaded.updated(status="over", ended_at=house.clock.ms, result=won)
    async with house.database.transaction() as tx:
        await results.arm(tx, after)
    assert await rows(house, "SELECT user_id, won, rated FROM results") == [(BEN.id, 1, 1)]
    assert [row[0] for row in await rows(house, "SELECT user_id FROM ratings")] == [BEN.id]
    assert (await rating(house, BEN)) > 1000


async def test_a_partner_who_forgets_himself_each_time_is_no_new_one(house, brief):  # 14.8
    gains, before = [], 1000.0
    for _ in range(6):
        await long_game(house, loser=BEN, rounds=2)
        await house.tables.forget(BEN.id, next(house.ids))
        now = await rating(house, ANN)
        gains.append(now - before)
        before = now
    assert gains[0] > 1.9 * gains[1] > 3 * gains[3] > 3 * gains[5] > 0
    house.clock.ms += DAY
    table = await house.new(DAN, words="seat=first goal=3")
    await house.tables.replace(table.id, ANN.id, 0, Successor(CAT), next(house.ids))
    await take(house, table, CAT, 0)
    await played(house, table, 2, (CAT, DAN))
    await house.tables.resign(table.id, DAN.id, next(house.ids))
    assert {row[0] for row in await rows(house, "SELECT user_id FROM ratings")} == {ANN.id, CAT.id, DAN.id}
    async with house.database.transaction() as tx:
        found = await results.meetings(tx, "duel", [ANN.id, DAN.id, results.FORGOTTEN], 0)
    assert found[ANN.id, DAN.id] == found[ANN.id, results.FORGOTTEN] == 6, "he plays since then only"
    assert (found[DAN.id, ANN.id], found[DAN.id, results.FORGOTTEN]) == (0, 0)
    async with house.database.transaction() as tx:
        await tx.run("UPDATE results SET ended_at = ended_at - ? WHERE user_id = ?", (2 * DAY, DAN.id))
        found = await results.meetings(tx, "duel", [ANN.id, DAN.id], 0)
    assert found[ANN.id, DAN.id] == 0, "he was there before"


async def test_who_has_resigned_and_forgets_himself_ends_the_game_for_nobody_else(house):  # 14.8
    table = await shogun(house)
    await house.tables.resign(table.id, ANN.id, next(house.ids))
    done = await house.tables.forget(ANN.id, next(house.ids))
    assert (done.resigned, done.ended) == (1, 0)
    found = await house.tables.get(table.id)
    assert (found.status, found.seed, found.seats[0].user_id) == ("running", None, None)
    asked = await house.tables.offer_draw(table.id, BEN.id, next(house.ids))
    assert len(asked.wanted) == 1, "nobody asks the bot at a seat that is out of the game"
    await house.tables.vote(asked.id, CAT.id, True, next(house.ids))
    found = dict(await rows(house, "SELECT user_id, place FROM results"))
    assert found == {BEN.id: 1, CAT.id: 1}


async def test_who_has_resigned_has_no_part_in_the_others_draw(house):  # 14.8
    table = await shogun(house)
    await house.tables.resign(table.id, ANN.id, next(house.ids))
    asked = await house.tables.offer_draw(table.id, BEN.id, next(house.ids))
    await house.tables.vote(asked.id, CAT.id, True, next(house.ids))
    assert dict(await rows(house, "SELECT user_id, place FROM results")) == {ANN.id: 3, BEN.id: 1, CAT.id: 1}


def test_who_is_out_of_the_game_is_behind_all_others_whatever_points_are_left():  # L2
    result = Result(winners=(1,), scores=(40, 30, 20), reason="points")
    assert results.places(result, 3) == [2, 1, 3]
    assert results.places(result, 3, {0}) == [3, 1, 2]


async def test_a_game_that_was_hardly_begun_is_not_rated(house):  # 14.8
    for _ in range(5):
        table = await house.new(BEN)
        await house.tables.resign(table.id, BEN.id, next(house.ids))
    assert await rating(house, ANN) is None
    await long_game(house, loser=BEN, rounds=1)
    assert await rating(house, ANN) is None
    assert len(await rows(house, "SELECT * FROM results")) == 12  # they are remembered


async def test_the_same_two_count_less_the_more_often_they_meet(house, brief):  # 14.8
    shown_before, gains = 1000.0, []
    for _ in range(40):
        await long_game(house, loser=BEN, rounds=2)
        now = await rating(house, ANN)
        gains.append(now - shown_before)
        shown_before = now
    assert shown_before < 1900  # 2451 where all count in full
    assert gains[0] > gains[1] > gains[10] > gains[39] > 0


async def test_meetings_of_more_than_a_year_ago_count_no_more(house, brief):  # 14.8
    found = []
    for _ in range(2):
        await long_game(house, loser=BEN, rounds=2)
        async with house.database.transaction() as tx:
            since = house.clock.ms - results.YEAR_MS
            found.append(await meetings(tx, "duel", [ANN.id, BEN.id], since))
        house.clock.ms += 366 * DAY
    assert [list(one.values()) for one in found] == [[1], [1]]


async def test_who_left_has_a_day_to_come_back_before_a_claim(house):  # 14.8
    table = await house.new(BEN)
    await house.tables.gone(BEN.id, "left", 1)
    error = await refusal(house.tables.claim(table.id, ANN.id, None, 1))
    assert error.code == "not-absent"
    assert error.params["until"] == f"<t:{(house.clock.ms + GRACE_MS) // 1000}:f>"
    assert (await refusal(replaced(house, table, ANN, seat=1))).code == "not-absent-replace"
    house.clock.ms += GRACE_MS - 1
    assert (await refusal(house.tables.claim(table.id, ANN.id, None, 1))).code == "not-absent"
    house.clock.ms += 1
    done = await house.tables.claim(table.id, ANN.id, None, next(house.ids))
    assert done.result["winners"] == [0]


async def left_for(house, table, user, time):
    await house.tables.gone(user.id, "left", GUILD)
    house.clock.ms += time
    return await house.tables.get(table.id)


@pytest.mark.parametrize("clock", ["", "clock=fast"])
async def test_who_may_remove_members_gains_nothing_by_an_opponent_who_left_the_server(house, clock):  # 14.6
    table = await house.new(BEN, words=clock)
    await left_for(house, table, BEN, 30 * DAY)
    for work in (
        lambda: house.tables.claim(table.id, ANN.id, None, next(house.ids), removes=True),
        lambda: house.tables.claim(table.id, ANN.id, 1, next(house.ids), removes=True),
        lambda: replaced(house, table, ANN, Successor(level="easy"), 1, removes=True),
        lambda: replaced(house, table, ANN, seat=1, removes=True),
    ):
        assert (await refusal(work())).code == "moderator-gone"
    found = await house.tables.get(table.id)
    assert (found.status, found.seed) == ("running", None)
    assert (await cancel(house, table, CAT)).status == "cancelled", "a moderator who does not play ends it"


async def test_who_may_remove_members_may_still_claim_from_one_who_is_there_and_silent(house):  # 14.6
    table = await house.new(BEN)
    await bid(house, table, ANN)
    house.clock.ms += 40 * DAY
    done = await house.tables.claim(table.id, ANN.id, None, next(house.ids), removes=True)
    assert done.status == "over"


async def test_of_three_the_other_decides_about_one_whom_a_moderator_may_have_removed(house):  # 14.6
    table = await three(house)
    seat = next(one.seat for one in table.seats if one.user_id == BEN.id)
    await left_for(house, table, BEN, 30 * DAY)
    asked = await house.tables.claim(table.id, ANN.id, seat, next(house.ids), removes=True)
    assert (asked.status, len(asked.wanted)) == ("open", 1)
    asked = await replaced(house, table, ANN, seat=seat, removes=True)
    assert asked.status == "open"
    await house.tables.vote(asked.id, CAT.id, True, next(house.ids))
    assert (await house.tables.get(table.id)).status == "running"


def test_a_win_of_the_bots_is_nobodys_rating():  # 14.8
    seats = (SeatRow(1, 0, user_id=ANN.id), SeatRow(1, 1, level="hard"))
    after = type("After", (), {"seats": seats})()
    assert results.won_by_bot(after, Result(winners=(1,), scores=(), reason="points"))
    assert not results.won_by_bot(after, Result(winners=(0,), scores=(), reason="points"))


# -- 14.9: votes about who is there ---------------------------------------------------------------


@pytest.mark.parametrize("kind", ["claim", "replace"])
async def test_two_of_three_do_not_vote_out_who_is_there(house, kind):  # 14.9
    table = await three(house)

    def asked(by=ANN):
        if kind == "claim":
            return house.tables.claim(table.id, by.id, 1, next(house.ids))
        return replaced(house, table, by, seat=1)

    assert (await refusal(asked())).code == "not-absent"
    house.clock.ms += MOST_SILENCE - 1
    assert (await refusal(asked())).code == "not-absent"
    house.clock.ms += 1
    assert isinstance(await asked(), Vote)


async def test_nobody_is_voted_out_for_whom_nobody_waits(house):  # 14.9
    table = await three(house)
    await bid(house, table, BEN)
    house.clock.ms += MOST_SILENCE
    assert (await refusal(house.tables.claim(table.id, ANN.id, 1, 1))).code == "not-waiting"


async def test_who_acts_ends_the_vote_and_has_the_silence_anew(house):  # 14.9
    table = await three(house)
    house.clock.ms += MOST_SILENCE
    vote = await house.tables.claim(table.id, ANN.id, 1, next(house.ids))
    await bid(house, table, BEN)
    assert (await refusal(house.tables.vote(vote.id, CAT.id, True, next(house.ids)))).code == "vote-closed"
    await undone(house, table, BEN)  # has to act again, and was there a moment ago
    assert (await refusal(house.tables.claim(table.id, ANN.id, 1, 1))).code == "not-absent"


async def test_a_vote_does_not_carry_out_what_could_not_be_asked_any_more(house):  # 14.9
    table = await three(house)
    house.clock.ms += MOST_SILENCE
    vote = await house.tables.claim(table.id, ANN.id, 1, next(house.ids))
    await house.tables.vacation(BEN, house.clock.ms + DAY)
    assert (await refusal(house.tables.vote(vote.id, CAT.id, True, next(house.ids)))).code == "not-waiting"
    assert (await house.tables.get(table.id)).seats[1].user_id == BEN.id


@pytest.mark.parametrize(
    ("words", "turns", "thought", "silence"),
    [
        ("clock=slow", 0, 0, 84 * HOUR),
        ("clock=fast", 0, 0, 18 * HOUR),
        ("clock=custom bank=2d increment=1d cap=3d", 9, DAY, DAY),
        ("clock=none", 0, 0, 7 * DAY),
        ("clock=none", 10, 10 * MINUTE, DAY),
        ("clock=none", 10, 10 * DAY, 3 * DAY),
        ("clock=none", 10, 90 * DAY, 7 * DAY),
    ],
)
async def test_the_silence_follows_the_tables_pace(house, words, turns, thought, silence):  # 14.9
    table = await house.new(BEN, words=f"seat=first {words}")
    loaded = await house.tables._house.look(table.id)
    seats = (replace(loaded.seats[0], turns=turns, thought_ms=thought), *loaded.seats[1:])
    assert handover.silence(replace(loaded, seats=seats)) == silence


# -- 14.10: taking back while the other counts as gone ----------------------------------------------


async def test_what_was_revealed_is_not_taken_back_while_the_other_is_gone(house):  # 14.10
    table = await house.new(BEN)
    await bid(house, table, ANN)
    await bid(house, table, BEN)
    winner = await whose_turn(house, table)
    other = BEN if winner is ANN else ANN
    await house.act(table, winner, "draw")
    await house.tables.gone(other.id, "left", 1)
    for span in (0, GRACE_MS, 30 * DAY):
        house.clock.ms += span
        assert (await refusal(undone(house, table, winner))).code == "gone-waits"
    await house.act(table, winner, "step")
    assert isinstance(await undone(house, table, winner), Table)  # nobody else's business


@pytest.mark.parametrize("deed", ["cancel", "pause", "clock"])
async def test_nothing_that_wants_consent_is_free_while_the_other_is_gone(house, deed):  # 14.10
    table = await house.new(BEN)
    await house.tables.gone(BEN.id, "left", 1)
    work = {
        "cancel": lambda: cancel(house, table, ANN, moderator=False),
        "pause": lambda: house.tables.pause(table.id, ANN.id, 5),
        "clock": lambda: house.tables.change_clock(table.id, ANN.id, "custom bank=1m timeout=lose", 6),
    }[deed]
    assert (await refusal(work())).code == "gone-waits"
    found = await house.tables.get(table.id)
    assert (found.status, found.paused_at) == ("running", None)


@pytest.mark.parametrize("deed", ["draw", "cancel", "undo", "clock"])
@pytest.mark.parametrize("asked_first", [False, True])
async def test_of_three_two_do_not_agree_for_one_who_has_left(house, deed, asked_first):  # 14.10
    table = await three(house)
    if deed == "undo":
        for user in (ANN, BEN, CAT):
            await house.act(table, user, f"bid {(await house.tables.show(table.id, user.id)).view.hand[0]}")
    work = {
        "draw": lambda: house.tables.offer_draw(table.id, ANN.id, next(house.ids)),
        "undo": lambda: undone(house, table, ANN),
        "cancel": lambda: cancel(house, table, ANN, moderator=False),
        "clock": lambda: house.tables.change_clock(table.id, ANN.id, "fast", next(house.ids)),
    }[deed]
    asked = await work() if asked_first else None
    before = (await house.tables.get(table.id)).version
    await house.tables.gone(CAT.id, "left", GUILD)
    if asked is None:
        error = await refusal(work())
    else:
        error = await refusal(house.tables.vote(asked.id, BEN.id, True, next(house.ids)))
    assert error.code == "gone-waits"
    found = await house.tables.get(table.id)
    assert (found.status, found.version, found.paused_at) == ("running", before, None)
    if asked is not None:  # whoever is back, or has gone once they agreed, holds up nobody
        await house.tables.here(CAT.id, GUILD)
        await house.tables.vote(asked.id, CAT.id, True, next(house.ids))
        await house.tables.gone(CAT.id, "left", GUILD)
        assert (await house.tables.vote(asked.id, BEN.id, True, next(house.ids))).status == "agreed"


async def test_taking_back_reveals_against_a_bot_that_sits_for_somebody_is_not_rated(house):  # 14.10
    table = await house.new(BEN)
    await bid(house, table, ANN)
    await bid(house, table, BEN)
    winner = await whose_turn(house, table)
    other = BEN if winner is ANN else ANN
    await replaced(house, table, other, Successor(level="easy"))
    await house.tables.settled()
    await house.act(table, winner, "step")
    await undone(house, table, winner)
    assert await rows(house, "SELECT unrated FROM tables") == [(0,)]
    await house.act(table, winner, "draw")
    await undone(house, table, winner)
    assert await rows(house, "SELECT unrated FROM tables") == [(1,)]


@pytest.mark.parametrize("text", ["{", "[]", "null", "17", '{"wish": "best", "creator": 0, "order": [0, 1]}'])
async def test_seating_that_cannot_be_read_is_what_verify_finds(house, text):  # 14.4
    table = await house.new(BEN)
    await house.act(table, ANN, "resign")
    async with house.database.transaction() as tx:
        await tx.run("UPDATE tables SET seating = ? WHERE id = ?", (text, table.id))
    await house.again()
    assert (await house.tables.verify(table.id, ANN.id)).fault == "seating"
