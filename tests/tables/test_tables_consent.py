"""Undo by oneself and by consent, draws, cancelling, reminders."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tables.core.model import Table, Vote
from tables.time.reminders import EVERY_MS
from tests.tables.players import ANN, BEN, CAT
from tests.tables.test_tables_play import refusal


def other(user):
    return BEN if user is ANN else ANN


async def undo(house, table, user):
    return await house.tables.undo(table.id, user.id, next(house.ids))


async def test_a_step_without_news_is_taken_back_by_oneself_and_the_version_grows(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    before = await house.tables.show(table.id, winner.id)
    await house.act(table, winner, "step")
    back = await undo(house, table, winner)
    assert isinstance(back, Table)
    assert back.version == before.version + 2
    assert (await house.tables.show(table.id, winner.id)).view == before.view
    assert await house.tables.check() == []
    assert (await refusal(house.act(table, winner, "step", version=before.version))).code == "stale"


async def test_ones_own_secret_bid_is_taken_back_while_the_other_still_thinks(house):
    table = await house.new(BEN)
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    assert isinstance(await undo(house, table, ANN), Table)
    assert (await house.tables.show(table.id, ANN.id)).view.hand == hand


@pytest.mark.parametrize("action", ["draw", "pass"])
async def test_what_drew_or_passed_the_turn_needs_the_other(house, action):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    before = await house.tables.show(table.id, winner.id)
    await house.act(table, winner, action)
    asked = await undo(house, table, winner)
    assert isinstance(asked, Vote)
    assert asked.wanted == (asked.table.seat_of(other(winner).id),)
    assert (await refusal(house.tables.vote(asked.id, winner.id, True, 1))).code == "own-vote"
    assert (await refusal(house.tables.vote(asked.id, CAT.id, True, 2))).code == "not-seated"
    done = await house.tables.vote(asked.id, other(winner).id, True, 3)
    assert done.status == "agreed"
    assert (await house.tables.show(table.id, winner.id)).view == before.view
    assert (await house.tables.vote(asked.id, other(winner).id, True, 3)).status == "agreed"
    assert (await refusal(house.tables.vote(asked.id, other(winner).id, True, 4))).code == "vote-closed"
    assert await house.tables.check() == []


async def test_what_was_drawn_and_taken_back_is_drawn_anew(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    drawn = []
    for _ in range(6):
        done = await house.act(table, winner, "draw")
        drawn.append(done.shown.events[0].params["card"])
        asked = await undo(house, table, winner)
        await house.tables.vote(asked.id, other(winner).id, True, next(house.ids))
    assert len(set(drawn)) > 1
    assert await house.tables.check() == []


async def test_a_bid_that_was_shown_is_taken_back_only_by_consent_and_with_what_followed(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    await house.act(table, winner, "step")
    asked = await undo(house, table, other(winner))
    assert isinstance(asked, Vote)
    await house.tables.vote(asked.id, winner.id, True, 8)
    table = await house.tables.get(table.id)
    assert table.seat_of(other(winner).id) in table.to_act
    assert await house.tables.check() == []


async def test_a_refusal_closes_a_vote_and_an_action_lets_it_lapse(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    await house.act(table, winner, "draw")
    first = await undo(house, table, winner)
    assert (await house.tables.vote(first.id, other(winner).id, False, 8)).status == "refused"
    second = await undo(house, table, winner)
    await house.act(table, winner, "draw")
    error = await refusal(house.tables.vote(second.id, other(winner).id, True, 9))
    assert (error.code, error.params["status"]) == ("vote-closed", "lapsed")


async def test_there_is_one_open_vote_of_a_kind_and_asking_for_the_same_agrees(house):
    table = await house.new(BEN)
    offers = [await house.tables.offer_draw(table.id, ANN.id, n) for n in (1, 1, 2)]
    assert len({offer.id for offer in offers}) == 1
    agreed = await house.tables.offer_draw(table.id, BEN.id, 3)
    assert agreed.status == "agreed"
    ended = await house.tables.get(table.id)
    assert (ended.status, ended.result["reason"]) == ("over", "draw")
    assert ended.seed
    assert (await house.posts("over"))[0][2]["seed"] == ended.seed


async def test_agreeing_to_one_question_closes_no_other_that_still_stands(house):  # 13.B13
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    await house.act(table, winner, "draw")
    asked = await undo(house, table, winner)
    offer = await house.tables.offer_draw(table.id, winner.id, 1)
    paused = await house.tables.pause(table.id, winner.id, 2)
    done = await house.tables.vote(asked.id, other(winner).id, True, 3)
    assert (done.status, done.closed) == ("agreed", ())
    again = await house.tables.vote(paused.id, other(winner).id, True, 4)
    assert (again.status, again.closed) == ("agreed", ())
    ended = await house.tables.vote(offer.id, other(winner).id, True, 5)
    assert (ended.status, ended.table.status) == ("agreed", "over")


async def test_who_agrees_hears_which_other_questions_closed_with_it(house):  # 13.B13
    table = await house.new(BEN)
    offer = await house.tables.offer_draw(table.id, ANN.id, 1)
    await house.tables.pause(table.id, ANN.id, 2)
    await house.tables.cancel(table.id, ANN.id, 3)
    done = await house.tables.vote(offer.id, BEN.id, True, 4)
    assert sorted(done.closed) == ["cancel", "pause"]


async def test_a_draw_offer_lapses_when_the_other_plays_on_but_not_by_ones_own_action(house):
    table = await house.new(BEN)
    hands = {u: (await house.tables.show(table.id, u.id)).view.hand for u in (ANN, BEN)}
    offer = await house.tables.offer_draw(table.id, ANN.id, 1)
    await house.act(table, ANN, f"bid {hands[ANN][0]}")
    assert (await house.tables.offer_draw(table.id, ANN.id, 2)).status == "open"
    await house.act(table, BEN, f"bid {hands[BEN][0]}")
    assert (await refusal(house.tables.vote(offer.id, BEN.id, True, 4))).code == "vote-closed"


async def test_three_players_must_all_agree_to_cancel(house):
    table = await house.new(BEN, CAT, words="three=true")
    table = await house.tables.start(table.id, ANN.id, next(house.ids))
    assert table.status == "running"
    vote = await house.tables.cancel(table.id, BEN.id, 1)
    assert isinstance(vote, Vote)
    assert (await house.tables.vote(vote.id, ANN.id, True, 2)).status == "open"
    await house.again()
    assert (await house.tables.vote(vote.id, CAT.id, True, 3)).status == "agreed"
    assert (await house.tables.get(table.id)).status == "cancelled"


async def test_the_bot_agrees_to_an_undo_but_not_to_a_draw(house):
    table = await house.new(bot_seat=True)
    await house.tables.settled()
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    await house.tables.settled()
    assert isinstance(await undo(house, table, ANN), Table)
    assert (await refusal(house.tables.offer_draw(table.id, ANN.id, 5))).code == "bot-declines"
    assert (await house.tables.cancel(table.id, ANN.id, 6)).status == "cancelled"


async def test_there_is_nothing_to_undo_at_the_start(house):
    table = await house.new(BEN)
    assert (await refusal(undo(house, table, ANN))).code == "nothing-to-undo"


async def test_a_reminder_mentions_who_is_late_once_an_hour(house):
    table = await house.new(BEN)
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    await house.tables.remind(table.id, ANN.id)
    assert (await house.posts("line"))[-1][2]["mention"] == [BEN.id]
    error = await refusal(house.tables.remind(table.id, ANN.id))
    assert error.code == "too-soon"
    house.clock.ms += EVERY_MS - 1
    assert (await refusal(house.tables.remind(table.id, ANN.id))).code == "too-soon"
    house.clock.ms += 1
    await house.again()
    await house.tables.remind(table.id, ANN.id)
    assert (await refusal(house.tables.remind(table.id, BEN.id))).code == "your-turn"


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deeds=st.lists(st.tuples(st.sampled_from([ANN, BEN]), st.integers(0, 5)), max_size=25))
def test_any_mix_of_actions_undos_and_restarts_replays_to_its_snapshot(deeds, tmp_path_factory):

    from engines import registry
    from tests.tables.players import Fixture

    registry.GAMES["duel"] = "tests.tables.fake_duel:Duel"

    async def play():
        house = await Fixture(tmp_path_factory.mktemp("mix") / "t.db", None).begin()
        table = await house.new(BEN)
        for user, number in deeds:
            if number == 0:
                asked = await attempt(undo(house, table, user))
                if isinstance(asked, Vote):
                    await house.tables.vote(asked.id, other(user).id, True, next(house.ids))
            elif number == 1:
                await house.again()
            else:
                texts = await house.tables.complete(table.id, user.id, 0, "")
                if texts:
                    await house.act(table, user, texts[number % len(texts)])
        faults = await house.tables.check()
        await house.end()
        return faults

    try:
        assert asyncio.run(play()) == []
    finally:
        del registry.GAMES["duel"]


async def attempt(awaited):
    from tables.core.errors import TableError

    try:
        return await awaited
    except TableError as error:
        if error.code not in ("nothing-to-undo", "over", "ended-secrets"):
            raise
        return None
