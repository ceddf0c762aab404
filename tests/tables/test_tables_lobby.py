"""From `/game new` to the start, and to the rematch."""

from __future__ import annotations

import asyncio

import pytest

from engines.registry import GAMES
from tables.core.errors import TableError
from tables.core.model import Filters, Place
from tables.core.options import OFFERED, levels, read_words
from tables.lobby.seating import OPEN_MS
from tests.games import released
from tests.tables.players import ANN, BEN, CAT, DAN, PLACE
from tests.tables.test_tables_play import refusal


@pytest.mark.parametrize(
    ("words", "code", "params"),
    [
        ("goal", "bad-option-word", {"word": "goal", "example": "goal=3 seat=first"}),
        ("goal=", "bad-option", {"name": "goal", "value": "–", "allowed": ["1", "3"]}),
        ("goal=1 Goal=3", "option-twice", {"name": "goal"}),
        ("clock=slow bank=3d", "needs-custom-clock", {"name": "bank", "clock": "slow"}),
        ("goal=2", "bad-option", {"name": "goal", "value": "2", "allowed": ["1", "3"]}),
        ("three=perhaps", "bad-option", {"name": "three", "value": "perhaps", "allowed": ["true", "false"]}),
        (
            "seat=middle",
            "bad-option",
            {"name": "seat", "value": "middle", "allowed": ["random", "first", "last"]},
        ),
        (
            "seat=fixed",
            "bad-option",
            {"name": "seat", "value": "fixed", "allowed": ["random", "first", "last"]},
        ),
        ("level=9", "bad-option", {"name": "level", "value": "9", "allowed": ["easy", "normal", "hard"]}),
        ("seats=3", "bad-option", {"name": "seats", "value": "3", "allowed": ["2"]}),
        ("seats=many", "bad-option", {"name": "seats", "value": "many", "allowed": ["2", "3"]}),
        (
            "colour=red",
            "unknown-option",
            {"name": "colour", "allowed": ["goal", "three", "seats", *OFFERED]},
        ),
    ],
)
async def test_options_that_do_not_exist_name_what_is_allowed(house, words, code, params):
    error = await refusal(house.new(words=words))
    assert (error.code, error.params) == (code, params)


@pytest.mark.parametrize("game", GAMES)
def test_a_level_is_taken_only_where_the_bot_has_it(game):  # 13.B14
    offered = levels(game)
    assert offered == ["easy", "normal", "hard"] or not released(game)
    for level in offered:
        assert read_words(game, f"level={level}").table.level == level
    with pytest.raises(TableError) as caught:
        read_words(game, "level=master")
    assert (caught.value.code, caught.value.params["allowed"]) == ("bad-option", offered)


async def test_options_are_the_tables_or_the_games(house):
    table = await house.new(words="GOAL=1, seat=last level=hard")
    assert table.options == {"goal": 1, "three": False}
    assert table.table_options == {"seat": "last", "level": "hard"}


async def test_an_unknown_game_is_refused(house):
    assert (await refusal(house.new(game="chess"))).code == "unknown-game"


async def test_the_creator_sits_where_wished_and_by_lot_else(house):
    places = set()
    for _ in range(12):
        places.add((await house.new(BEN, words="")).seat_of(ANN.id))
    assert places == {0, 1}
    assert (await house.new(BEN, words="seat=last")).seat_of(ANN.id) == 1


async def test_a_seat_is_kept_for_the_invited_until_declined(house):
    table = await house.new(BEN, join=False)
    assert (await refusal(house.tables.join(table.id, CAT, 1))).code == "reserved"
    assert (await refusal(house.tables.join(table.id, ANN, 2))).code == "already-seated"
    declined = await house.tables.leave(table.id, BEN.id, 3)
    assert len(declined.seats) == 1
    assert (await house.tables.join(table.id, CAT, 4)).status == "running"
    assert (await refusal(house.tables.join(table.id, DAN, 5))).code == "not-open"


async def test_two_who_take_the_last_seat_at_once(house):
    table = await house.new()
    both = await asyncio.gather(
        house.tables.join(table.id, BEN, 1), house.tables.join(table.id, CAT, 2), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in both) == ["Table", "TableError"]


async def test_creating_is_done_once_for_an_interaction(house):
    both = await asyncio.gather(
        *(house.tables.create(ANN, "duel", "", PLACE, interaction_id=1) for _ in range(2))
    )
    assert both[0].id == both[1].id
    assert len(await house.posts("lobby")) == 1


async def test_three_players_start_by_hand_and_not_too_early(house):
    table = await house.new(words="three=true")
    error = await refusal(house.tables.start(table.id, ANN.id, 1))
    assert (error.code, error.params) == ("not-enough", {"have": 1, "least": 2, "allowed": [2, 3]})
    await house.tables.join(table.id, BEN, 2)
    assert (await refusal(house.tables.start(table.id, CAT.id, 3))).code == "not-seated"
    assert (await house.tables.join(table.id, CAT, 4)).status == "open"
    assert (await refusal(house.tables.join(table.id, DAN, 5))).code == "full"
    started = await house.tables.start(table.id, CAT.id, 6)
    assert (started.status, len(started.seats)) == ("running", 3)


async def test_the_bot_takes_a_seat_when_it_is_asked_and_those_that_are_missing_at_the_start(house):
    table = await house.new(words="three=true seats=3 level=easy")
    assert (await refusal(house.tables.seat_bot(table.id, BEN.id, 1))).code == "not-seated"
    seated = await house.tables.seat_bot(table.id, ANN.id, 2)
    assert [(s.name, s.level) for s in seated.seats] == [("Ann", None), ("Hatamoto", "easy")]
    assert (await house.tables.seat_bot(table.id, ANN.id, 2)).seats == seated.seats, "delivered twice"
    await house.tables.invite(table.id, ANN.id, BEN, 3)
    assert (await refusal(house.tables.start(table.id, ANN.id, 4))).code == "not-enough", "Ben is still asked"
    await house.tables.leave(table.id, BEN.id, 5)
    started = await house.tables.start(table.id, ANN.id, 6)
    assert started.status == "running"
    assert sorted(s.name for s in started.seats) == ["Ann", "Hatamoto", "Okubo"]


async def test_a_start_without_the_bot_fills_nothing(house):
    table = await house.new(words="three=true seats=3")
    await house.tables.join(table.id, BEN, 1)
    assert (await refusal(house.tables.start(table.id, ANN.id, 2))).code == "not-enough"


async def test_a_game_for_two_begins_when_the_bot_has_the_second_seat(house):
    table = await house.new()
    assert (await house.tables.seat_bot(table.id, ANN.id, 1)).status == "running"
    error = await refusal(house.tables.seat_bot(table.id, ANN.id, 2))
    assert error.code == "not-open"


async def test_times_without_a_clock_make_it_a_custom_one(house):
    table = await house.new(words="bank=5d")
    assert table.table_options == {"clock": "custom", "bank": "5d"}


async def test_a_lobby_closes_after_a_week_with_a_line(house):
    table = await house.new()
    assert await house.tables.next_due() == table.created_at + OPEN_MS
    other = await house.new(BEN)
    house.clock.ms += OPEN_MS - 1
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "open"
    house.clock.ms += 1
    await house.again()
    assert (await house.tables.get(table.id)).status == "cancelled"
    assert [post[2]["code"] for post in await house.posts("line")] == ["lobby-expired"]
    assert await house.database.reads.all("SELECT 1 FROM timers WHERE kind = 'lobby'") == []
    assert (await house.tables.get(other.id)).status == "running"


async def test_only_its_creator_or_a_moderator_cancels_a_lobby(house):
    table = await house.new()
    assert (await refusal(house.tables.cancel(table.id, BEN.id, 1))).code == "not-creator"
    assert (await house.tables.cancel(table.id, BEN.id, 2, moderator=True)).status == "cancelled"
    assert (await house.tables.leave((await house.new()).id, ANN.id, 3)).status == "cancelled"


async def test_a_rematch_swaps_the_seats_and_the_second_press_joins_it(house):
    table = await house.new(BEN)
    assert (await refusal(house.tables.rematch(table.id, ANN, 1))).code == "not-over"
    await house.tables.resign(table.id, ANN.id, 2)
    assert (await refusal(house.tables.rematch(table.id, CAT, 3))).code == "not-seated"
    both = await asyncio.gather(
        house.tables.rematch(table.id, BEN, 4), house.tables.rematch(table.id, ANN, 5)
    )
    assert both[0].id == both[1].id
    following = await house.tables.get(both[0].id)
    assert following.status == "running"
    assert [seat.user_id for seat in following.seats] == [BEN.id, ANN.id]
    assert following.rematch_of == table.id
    assert (await house.tables.get(table.id)).rematch_id == following.id
    assert (await house.tables.rematch(table.id, ANN, 6)).id == following.id
    assert (await house.tables.rematch(table.id, ANN, 5)).id == following.id


async def test_against_the_bot_a_game_starts_at_once_and_so_does_its_rematch(house):
    table = await house.new(bot_seat=True)
    assert table.status == "running"
    await house.tables.settled()
    assert (await house.tables.show(table.id, None)).view.has_bid == (False, True)
    await house.tables.resign(table.id, ANN.id, 1)
    following = await house.tables.rematch(table.id, ANN, 2)
    assert following.status == "running"
    assert following.seats[0].level == "normal"


async def test_a_bot_that_had_to_act_at_a_stop_acts_after_the_start(house):
    table = await house.new(bot_seat=True)
    await house.end()
    await house.begin()
    await house.tables.settled()
    assert (await house.tables.show(table.id, None)).view.has_bid == (False, True)
    assert house.thinker.asked >= 1


async def test_the_table_meant_is_found(house):
    assert (await refusal(house.tables.find(ANN.id, 10))).code == "no-table-here"
    first = await house.new(BEN)
    assert (await house.tables.find(CAT.id, 10)).id == first.id
    await house.tables.placed(first.id, thread_id=55)
    second = await house.new(CAT)
    await house.tables.placed(second.id, thread_id=56, board_message_id=9)
    assert (await house.tables.get(second.id)).board_message_id == 9
    assert (await house.tables.find(ANN.id, 55)).id == first.id
    error = await refusal(house.tables.find(ANN.id, 10))
    assert (error.code, error.params["tables"]) == ("which-table", [first.id, second.id])
    assert (await house.tables.find(CAT.id, 99)).id == second.id
    assert (await house.tables.find(ANN.id, 99, first.id)).id == first.id


async def test_of_several_tables_in_a_channel_the_one_is_meant_where_it_can_be_done(house):
    def meant(user, purpose):
        return house.tables.find(user.id, 10, None, 1, purpose)

    open_one = await house.new()
    running = await house.new(BEN)
    assert (await meant(ANN, "running")).id == running.id
    assert (await meant(ANN, "played")).id == running.id
    assert (await meant(ANN, "open")).id == open_one.id
    assert (await meant(CAT, "join")).id == open_one.id
    error = await refusal(meant(DAN, "any"))
    assert error.params == {"tables": [running.id, open_one.id], "games": ["duel", "duel"]}
    for _ in range(2):
        again = await house.new(BEN)
        await house.tables.resign(again.id, ANN.id, next(house.ids))
    assert (await meant(ANN, "over")).id == again.id, "the last one that was played"
    why = "nothing to join but the own one: the command says why"
    assert (await meant(ANN, "join")).id == running.id, why
    await house.tables.resign(running.id, ANN.id, next(house.ids))
    assert (await meant(ANN, "played")).id == again.id, (
        "none runs: the last one, before one that has not begun"
    )
    assert (await meant(ANN, "running")).id == open_one.id


async def test_games_that_wait_for_me_come_first_the_longest_first(house):
    first = await house.new(BEN)
    house.clock.ms += 5
    second = await house.new(BEN)
    third = await house.new(BEN)
    hand = (await house.tables.show(first.id, ANN.id)).view.hand
    await house.act(first, ANN, f"bid {hand[0]}")
    waiting = await house.tables.mine(ANN.id)
    assert [(w.table.id, w.mine) for w in waiting] == [(second.id, True), (third.id, True), (first.id, False)]


async def test_private_tables_are_only_for_those_who_were_asked(house):
    table = await house.new(BEN, private=True)
    assert await house.tables.listing(1) == []
    assert [t.id for t in await house.tables.listing(1, Filters(user_id=BEN.id))] == [table.id]
    assert (await refusal(house.tables.show(table.id, CAT.id))).code == "no-table"
    public = await house.new()
    assert [t.id for t in await house.tables.listing(1, Filters(status="open"))] == [public.id]
    assert await house.tables.listing(2) == []


async def test_a_table_in_a_thread_opens_none(house):
    await house.tables.create(
        ANN, "duel", "", Place(1, 10, 20), bot_seat=True, in_place=True, interaction_id=1
    )
    assert await house.posts("thread") == []
