"""Called where one wishes: at the table, by DM, once a day; and more time for one player (17.6)."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import pytest

from tables.core.elsewhere import next_at
from tables.core.errors import TableError
from tables.core.model import Vote
from tables.core.moments import moment
from tables.core.options import UNITS
from tests.tables.players import ANN, BEN, CAT
from tests.tables.test_tables_play import refusal
from tests.tables.test_tables_time import live_until

DAY, HOUR = UNITS["d"], UNITS["h"]


async def dms(house, kind="call"):
    """Codes of the rows by DM, with whom they are for."""
    return [(where, data.get("code")) for where, _, data in await house.posts(kind)]


async def three(house):
    """A running table of three, all of whom have to bid."""
    table = await house.new(BEN, CAT, words="seat=first three=true")
    if table.status == "open":
        table = await house.tables.start(table.id, ANN.id, next(house.ids))
    return table


async def bid(house, table, user, card=0):
    hand = (await house.tables.show(table.id, user.id)).view.hand
    await house.act(table, user, f"bid {hand[card]}")


async def test_who_wishes_it_is_called_by_dm_and_not_pinged_at_the_table(house):  # 17.6
    await house.tables.prefer(BEN, {"call_by": "dm"})
    table = await house.new(BEN)
    first = (await house.posts("board"))[0][2]
    assert first["mention"] == [ANN.id]
    assert await dms(house) == [(f"user:{BEN.id}", "call-turn")]
    assert "view" not in (await house.posts("call"))[0][2]
    await house.tables.remind(table.id, ANN.id)
    assert (await dms(house))[1:] == [(f"user:{BEN.id}", "call-reminded")]


async def test_what_is_wished_holds_after_a_restart_and_until_another_wish(house):
    await house.tables.prefer(BEN, {"call_by": "dm"})
    await house.again()
    await house.new(BEN)
    assert len(await dms(house)) == 1
    await house.tables.prefer(BEN, {"call_by": "table"})
    await house.new(BEN)
    assert len(await dms(house)) == 1
    assert (await house.posts("board"))[-1][2]["mention"] == [ANN.id, BEN.id]


async def test_a_digest_comes_once_a_day_while_something_waits_and_ends_after_a_week(house):
    await house.tables.prefer(BEN, {"call_by": "digest", "digest_at": 18 * 60, "remind_hours": 0})
    await house.new(BEN)
    await house.new(BEN)
    assert all(BEN.id not in post[2]["mention"] for post in await house.posts("board"))
    assert await dms(house) == []
    await live_until(house, house.clock.ms + 20 * DAY)
    rows = await house.database.reads.all("SELECT * FROM outbox WHERE kind = 'digest' ORDER BY id")
    hours = [datetime.fromtimestamp(row["created_at"] / 1000, UTC).hour for row in rows]
    assert hours == [18] * 7
    assert {row["destination"] for row in rows} == {f"user:{BEN.id}"}


async def test_a_digest_is_not_sent_where_nothing_waits_any_more(house):
    await house.tables.prefer(BEN, {"call_by": "digest"})
    table = await house.new(BEN)
    await bid(house, table, BEN)
    await live_until(house, house.clock.ms + 2 * DAY)
    assert await house.posts("digest") == []


async def test_what_waits_already_is_in_the_digest_of_who_wishes_one_now(house):
    await house.new(BEN)
    await house.tables.prefer(BEN, {"call_by": "digest"})
    await live_until(house, house.clock.ms + DAY)
    assert len(await house.posts("digest")) == 1


@pytest.mark.parametrize(
    ("zone", "now", "then"),
    [
        ("UTC", (2026, 3, 1, 17, 59), (2026, 3, 1, 18, 0)),
        ("UTC", (2026, 3, 1, 18, 0), (2026, 3, 2, 18, 0)),
        ("Europe/Budapest", (2026, 3, 28, 17, 30), (2026, 3, 29, 16, 0)),  # the clocks go forward
    ],
)
def test_the_hour_of_a_digest_is_that_of_the_persons_own_clock(zone, now, then):
    def ms(year, month, day, hour, minute):
        return int(datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp() * 1000)

    assert next_at(zone, 18 * 60, ms(*now)) == ms(*then)


async def test_the_last_of_three_is_told_that_all_wait_for_them_alone(house):  # 17.6
    table = await three(house)
    await bid(house, table, ANN)
    assert await house.posts("nudge") == []
    await bid(house, table, BEN)
    [(where, _, data)] = await house.posts("nudge")
    assert (where, data["code"], data["mention"]) == (f"table:{table.id}", "last", [CAT.id])


async def test_the_last_of_two_is_told_nothing_more(house):
    table = await house.new(BEN)
    await bid(house, table, ANN)
    assert await house.posts("nudge") == []


async def test_the_last_is_told_by_dm_where_that_is_wished(house):
    table = await three(house)
    await house.tables.prefer(CAT, {"call_by": "dm"})
    await bid(house, table, ANN)
    await bid(house, table, BEN)
    assert await house.posts("nudge") == []
    assert await dms(house) == [(f"user:{CAT.id}", "call-last")]


# -- more time for one ------------------------------------------------------------------------


def clock_of(table, user):
    return next(seat for seat in table.seats if seat.user_id == user.id)


async def test_more_time_for_oneself_wants_the_other_and_leaves_their_clock(house):  # 17.6
    table = await house.new(BEN, words="seat=first clock=fast")
    before = [clock_of(table, user).bank for user in (ANN, BEN)]
    asked = await house.tables.more_time(table.id, ANN.id, None, "2d", next(house.ids))
    assert isinstance(asked, Vote)
    assert asked.kind == "time"
    await house.tables.vote(asked.id, BEN.id, True, next(house.ids))
    after = await house.tables.get(table.id)
    assert [clock_of(after, user).bank for user in (ANN, BEN)] == [before[0] + 2 * DAY, before[1]]
    assert (await house.posts("line"))[-1][2]["code"] == "time-given"


async def test_time_is_given_to_the_opponent_without_asking_anybody(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    house.clock.ms += 4 * DAY
    await house.tables.run_due()
    given = await house.tables.more_time(table.id, ANN.id, 1, "12h", next(house.ids))
    assert clock_of(given, BEN).bank == 12 * HOUR  # it had run out
    assert (await refusal(house.tables.claim(table.id, ANN.id, 1, next(house.ids)))).code == "not-absent"


async def test_of_three_the_one_who_gets_time_has_no_say(house):
    table = await house.new(BEN, CAT, words="seat=first three=true clock=fast")
    if table.status == "open":
        table = await house.tables.start(table.id, ANN.id, next(house.ids))
    asked = await house.tables.more_time(table.id, ANN.id, 1, "1d", next(house.ids))
    assert asked.wanted == (2,)
    assert (
        await refusal(house.tables.vote(asked.id, BEN.id, True, next(house.ids)))
    ).code == "vote-about-you"
    await house.tables.vote(asked.id, CAT.id, False, next(house.ids))
    assert (await house.posts("line"))[-1][2]["code"] == "time-refused"


async def test_no_time_is_given_without_a_clock_nor_in_words_that_are_no_span(house):
    table = await house.new(BEN)
    assert (
        await refusal(house.tables.more_time(table.id, ANN.id, None, "2d", next(house.ids)))
    ).code == "no-clock"
    assert (
        await refusal(house.tables.more_time(table.id, ANN.id, None, "soon", next(house.ids)))
    ).code == "bad-span"
    timed = await house.new(BEN, words="seat=first clock=fast")
    assert (
        await refusal(house.tables.more_time(timed.id, ANN.id, None, "31d", next(house.ids)))
    ).code == "much-time"


async def test_a_day_is_given_once_to_who_ran_out_however_often_its_button_is_pressed(house):  # 17.6
    table = await house.new(BEN, words="seat=first clock=fast")
    house.clock.ms += 4 * DAY
    await house.tables.run_due()
    for _ in range(2):
        with suppress(TableError):
            given = await house.tables.more_time(table.id, ANN.id, 1, "1d", next(house.ids), late=True)
    assert clock_of(given, BEN).bank == DAY
    again = house.tables.more_time(table.id, ANN.id, 1, "1d", next(house.ids), late=True)
    error = await refusal(again)
    assert (error.code, error.params["until"]) == ("not-absent", moment(house.clock.ms + DAY))


async def test_who_was_given_time_does_not_get_what_they_asked_for_as_well(house):  # 17.6
    table = await house.new(BEN, words="seat=first clock=fast")
    asked = await house.tables.more_time(table.id, BEN.id, None, "1d", next(house.ids))
    given = await house.tables.more_time(table.id, ANN.id, 1, "1d", next(house.ids))
    late = await refusal(house.tables.vote(asked.id, ANN.id, True, next(house.ids)))
    assert late.code == "vote-closed"
    assert clock_of(await house.tables.get(table.id), BEN).bank == clock_of(given, BEN).bank


async def test_time_that_was_asked_for_on_one_clock_is_not_given_on_another(house):  # 17.6
    table = await house.new(BEN, words="seat=first clock=fast")
    asked = await house.tables.more_time(table.id, BEN.id, None, "1d", next(house.ids))
    other = await house.tables.change_clock(table.id, ANN.id, "none", next(house.ids))
    await house.tables.vote(other.id, BEN.id, True, next(house.ids))
    assert (await refusal(house.tables.vote(asked.id, ANN.id, True, next(house.ids)))).code == "vote-closed"
    assert clock_of(await house.tables.get(table.id), BEN).bank is None


@pytest.mark.parametrize("way", ["dm", "digest"])
async def test_who_is_next_and_wishes_calls_elsewhere_is_not_pinged_at_the_table(house, way):  # 17.6
    table = await three(house)
    for user in (ANN, BEN, CAT):
        await house.tables.prefer(user, {"next_ping": True, "call_by": way})
    hands = {user: (await house.tables.show(table.id, user.id)).view.hand[0] for user in (ANN, BEN, CAT)}
    for user in sorted(hands, key=lambda one: -hands[one]):  # so who bids last does not win
        await bid(house, table, user)
    board, told = (await house.posts("board"))[-1][2], await dms(house)
    [turn] = (await house.tables.get(table.id)).to_act
    assert board["next"] == (turn + 1) % 3
    assert board["mention"] == [], "nobody is pinged there, who acts or who is next"
    acts = f"user:{table.seats[turn].user_id}"
    assert [where for where, code in told if code == "call-turn"] == ([acts] if way == "dm" else [])


async def test_time_given_by_one_interaction_is_given_once_however_often_it_arrives(house):  # 17.6
    table = await house.new(BEN, words="seat=first clock=fast")
    before = clock_of(await house.tables.get(table.id), BEN).bank
    number = next(house.ids)
    for _ in range(3):
        given = await house.tables.more_time(table.id, ANN.id, 1, "1d", number)
    assert clock_of(given, BEN).bank == before + DAY
    assert [post[2]["code"] for post in await house.posts("line")].count("time-given") == 1


async def test_time_asked_for_by_one_interaction_is_asked_for_once_and_answered_alike(house):  # 17.6
    table = await house.new(BEN, words="seat=first clock=fast")
    before, number = clock_of(await house.tables.get(table.id), ANN).bank, next(house.ids)
    asked = [await house.tables.more_time(table.id, ANN.id, None, "1d", number) for _ in range(2)]
    assert isinstance(asked[1], Vote), "the second time it is not said to be given"
    assert asked[0].id == asked[1].id
    await house.tables.vote(asked[0].id, BEN.id, True, next(house.ids))
    again = await house.tables.more_time(table.id, ANN.id, None, "1d", number)
    assert isinstance(again, Vote)
    assert clock_of(await house.tables.get(table.id), ANN).bank == before + DAY


@pytest.mark.parametrize("seat", [-1, 2, 999])
async def test_a_seat_that_no_table_has_gets_no_time(house, seat):
    table = await house.new(BEN, words="seat=first clock=fast")
    for late in (False, True):
        work = house.tables.more_time(table.id, ANN.id, seat, "1d", next(house.ids), late=late)
        assert (await refusal(work)).code == "bad-seat"


@pytest.mark.parametrize("way", ["paused", "barred"])
async def test_the_list_of_the_day_names_no_table_at_which_no_time_runs(house, way):  # 17.6
    standing, other = await house.new(BEN), await house.new(BEN)
    if way == "barred":
        await house.tables.barred(standing.id)
    else:
        asked = await house.tables.pause(standing.id, ANN.id, next(house.ids))
        await house.tables.vote(asked.id, BEN.id, True, next(house.ids))
    assert [one.table.id for one in await house.tables.daily(BEN.id)] == [other.id]


@pytest.mark.parametrize("asks", ["pause", "change_clock"])
async def test_what_is_asked_by_one_interaction_twice_is_answered_alike(house, asks):
    table = await house.new(BEN, words="seat=first clock=fast")
    given, number = (() if asks == "pause" else ("slow",)), next(house.ids)
    first, second = [await getattr(house.tables, asks)(table.id, ANN.id, *given, number) for _ in range(2)]
    assert isinstance(second, Vote)
    assert first.id == second.id
