"""Seats that change hands, players who are gone, blocks, private tables and spectators."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

import pytest

from tables.core.model import Filters, Table, User, Vote
from tables.core.options import UNITS
from tables.seats.handover import GRACE_MS, MOST_SILENCE, SILENT_MS, Successor
from tests.tables.players import ANN, BEN, CAT, DAN
from tests.tables.test_tables_play import refusal

DAY = UNITS["d"]


async def replaced(house, table, by, to=None, seat=None, **more):
    return await house.tables.replace(table.id, by.id, seat, to or Successor(), next(house.ids), **more)


async def take(house, table, user, seat):
    return await house.tables.take(table.id, user, seat, next(house.ids))


async def view(house, table, user):
    return (await house.tables.show(table.id, user.id)).view


async def three(house, **more):
    table = await house.new(BEN, CAT, words="seat=first three=true", **more)
    return table if table.status == "running" else await house.tables.start(table.id, ANN.id, next(house.ids))


# -- replacing ---------------------------------------------------------------------------


async def test_the_newcomer_gets_the_hand_and_the_old_one_loses_sight_of_it(house):
    table = await house.new(BEN)
    hand = (await view(house, table, BEN)).hand
    await replaced(house, table, BEN)
    assert (await view(house, table, BEN)).hand == hand  # he plays on until somebody takes it
    offer = (await house.posts("offer"))[-1]
    assert offer[0] == f"table:{table.id}"
    before = len(await house.posts("hand"))
    after = await take(house, table, CAT, 1)
    assert after.seats[1].user_id == CAT.id
    assert (await view(house, table, CAT)).hand == hand
    old = await house.tables.show(table.id, BEN.id)
    assert (old.seat, old.view.hand) == (None, None)
    assert (await refusal(house.act(table, BEN, f"bid {hand[0]}"))).code == "not-seated"
    assert await house.tables.complete(table.id, BEN.id, 10, "") == []
    hands = (await house.posts("hand"))[before:]
    assert [(to, payload["view"]["hand"]) for to, _, payload in hands] == [(f"user:{CAT.id}", list(hand))]
    await house.act(table, CAT, f"bid {hand[0]}")
    assert f"user:{BEN.id}" not in {to for to, _, _ in (await house.posts("hand"))[before:]}
    assert await house.tables.check() == []


async def test_buttons_of_the_old_player_are_stale_for_the_new_one(house):
    table = await house.new(BEN)
    await replaced(house, table, BEN)
    after = await take(house, table, CAT, 1)
    hand = (await view(house, table, CAT)).hand
    assert (await refusal(house.act(table, CAT, f"bid {hand[0]}", version=table.version))).code == "stale"
    await house.act(table, CAT, f"bid {hand[0]}", version=after.version)


async def test_a_seat_offered_to_one_user_is_not_for_another(house):
    table = await house.new(BEN)
    await replaced(house, table, BEN, Successor(user=CAT))
    assert (await house.posts("offer"))[-1][2]["mention"] == [CAT.id]
    assert (await refusal(take(house, table, DAN, 1))).code == "offered-to-another"
    assert (await refusal(take(house, table, ANN, 1))).code == "offered-to-another"
    assert (await take(house, table, CAT, 1)).seats[1].name == "Cat"
    assert (await refusal(take(house, table, DAN, 1))).code == "no-offer"


async def test_who_was_asked_by_name_declines_and_who_offered_is_told_once(house):
    table = await house.new(BEN)
    await replaced(house, table, BEN)  # to whoever comes: nobody was asked
    assert (await refusal(house.tables.decline(table.id, CAT.id, 1, 1))).code == "offered-to-another"
    await replaced(house, table, BEN, Successor(user=CAT))
    assert (await refusal(house.tables.decline(table.id, DAN.id, 1, 2))).code == "offered-to-another"
    for _ in range(2):  # delivered twice
        await house.tables.decline(table.id, CAT.id, 1, 3)
    told = [payload for _, _, payload in await house.posts("line") if payload["code"] == "offer-declined"]
    assert [(one["mention"], one["params"]["seat"]) for one in told] == [([BEN.id], 1)]
    assert (await refusal(house.tables.decline(table.id, CAT.id, 1, 4))).code == "no-offer"
    assert (await refusal(take(house, table, CAT, 1))).code == "no-offer"


async def test_two_who_press_at_once_and_one_who_presses_twice_are_one_newcomer(house):
    table = await house.new(BEN)
    await replaced(house, table, BEN)
    first = await house.tables.take(table.id, CAT, 1, 77)
    assert (await house.tables.take(table.id, CAT, 1, 77)).version == first.version
    assert (await refusal(take(house, table, DAN, 1))).code == "no-offer"
    assert len([post for post in await house.posts("line") if post[2]["code"] == "handed"]) == 1


async def test_the_player_himself_takes_his_offer_back(house):
    table = await house.new(BEN)
    await replaced(house, table, BEN)
    await take(house, table, BEN, 1)
    assert (await refusal(take(house, table, CAT, 1))).code == "no-offer"


async def test_who_knows_another_seats_secrets_may_not_sit_down_again(house):
    table = await house.new(BEN)
    await replaced(house, table, BEN)
    await take(house, table, CAT, 1)
    await replaced(house, table, ANN)
    assert (await refusal(take(house, table, BEN, 0))).code == "knows-too-much"
    assert (await refusal(take(house, table, CAT, 0))).code == "already-seated"
    assert (await refusal(replaced(house, table, ANN, Successor(user=BEN)))).code == "knows-too-much"
    await take(house, table, DAN, 0)
    await replaced(house, table, CAT, Successor(user=BEN))
    assert (await take(house, table, BEN, 1)).seats[1].user_id == BEN.id  # his own seat again


async def test_an_open_question_is_not_inherited(house):
    table = await house.new(BEN)
    asked = await house.tables.offer_draw(table.id, ANN.id, next(house.ids))
    await replaced(house, table, BEN)
    await take(house, table, CAT, 1)
    assert (await refusal(house.tables.vote(asked.id, CAT.id, True, 5))).code == "vote-closed"


async def test_the_bot_takes_a_seat_and_plays_on(house):
    table = await house.new(BEN)
    after = await replaced(house, table, BEN, Successor(level="easy"))
    assert (after.seats[1].user_id, after.seats[1].level) == (None, "easy")
    await house.tables.settled()
    assert house.thinker.asked == 1
    assert (await house.tables.get(table.id)).to_act == {0}
    assert [s[2]["code"] for s in await house.posts("line")][-1] == "handed-to-bot"
    assert (await refusal(replaced(house, table, ANN, Successor(level="easy")))).code == "alone"
    assert (await refusal(replaced(house, table, ANN, Successor(level="mad")))).code == "bad-option"


async def test_somebody_elses_seat_wants_the_others_or_a_moderator_or_his_absence(house):
    table = await three(house)
    house.clock.ms += MOST_SILENCE
    asked = await replaced(house, table, ANN, Successor(level="easy"), seat=1)
    assert isinstance(asked, Vote)
    assert asked.wanted == (2,)  # not whom it is about
    await house.tables.vote(asked.id, CAT.id, True, next(house.ids))
    assert (await house.tables.get(table.id)).seats[1].level == "easy"
    await house.tables.settled()
    two = await house.new(BEN)
    assert (await refusal(replaced(house, two, ANN, seat=1))).code == "not-absent-replace"
    await replaced(house, two, DAN, seat=1, moderator=True)
    await take(house, two, CAT, 1)
    await house.tables.gone(CAT.id, "left", 1)
    house.clock.ms += GRACE_MS
    await replaced(house, two, ANN, seat=1)
    assert (await take(house, two, DAN, 1)).seats[1].user_id == DAN.id


async def test_who_comes_back_and_acts_keeps_the_seat_that_was_offered_without_him(house):
    table = await house.new(BEN)
    await house.tables.gone(BEN.id, "left", 1)
    house.clock.ms += GRACE_MS
    await replaced(house, table, ANN, seat=1)
    house.clock.ms += 1000
    await house.act(table, BEN, f"bid {(await view(house, table, BEN)).hand[0]}")
    assert (await refusal(take(house, table, CAT, 1))).code == "no-offer"


async def test_an_offer_by_the_others_will_is_not_the_players_to_take_back(house):
    table = await three(house)
    house.clock.ms += MOST_SILENCE
    asked = await replaced(house, table, ANN, seat=1, moderator=True)
    assert isinstance(asked, Vote)  # a moderator who plays has no say of his own
    await house.tables.vote(asked.id, CAT.id, True, next(house.ids))
    await house.act(table, BEN, f"bid {(await view(house, table, BEN)).hand[0]}")
    assert (await refusal(take(house, table, BEN, 1))).code == "already-seated"
    assert (await take(house, table, DAN, 1)).seats[1].user_id == DAN.id


async def test_what_the_one_before_did_is_not_the_newcomers_to_take_back_alone(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    other = BEN if winner is ANN else ANN
    await house.act(table, winner, "step")  # which he could take back alone
    await replaced(house, table, winner)
    await take(house, table, CAT, table.seat_of(winner.id))
    asked = await house.tables.undo(table.id, CAT.id, next(house.ids))
    assert isinstance(asked, Vote)
    assert (await view(house, table, CAT)).steps == 1
    assert asked.wanted == (table.seat_of(other.id),)
    await house.tables.vote(asked.id, other.id, True, next(house.ids))
    assert (await view(house, table, CAT)).steps == 0
    await house.act(table, CAT, "step")
    assert isinstance(await house.tables.undo(table.id, CAT.id, next(house.ids)), Table)  # his own


async def test_where_nobody_is_left_to_consent_it_stays(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    await house.act(table, winner, "step")
    await replaced(house, table, winner)
    await take(house, table, CAT, table.seat_of(winner.id))
    other = BEN if winner is ANN else ANN
    await replaced(house, table, other, Successor(level="easy"))
    assert (await refusal(house.tables.undo(table.id, CAT.id, next(house.ids)))).code == "not-your-action"


# -- claiming ------------------------------------------------------------------------------


async def test_without_a_clock_silence_for_two_weeks_lets_the_other_claim(house):
    table = await house.new(BEN)
    hand = (await view(house, table, ANN)).hand
    await house.act(table, ANN, f"bid {hand[0]}")
    house.clock.ms += SILENT_MS - 1
    assert (await refusal(house.tables.claim(table.id, ANN.id, None, 1))).code == "not-absent"
    assert (await refusal(house.tables.claim(table.id, CAT.id, None, 1))).code == "not-seated"
    assert (await refusal(house.tables.claim(table.id, BEN.id, None, 1))).code == "not-waiting"
    house.clock.ms += 1
    done = await house.tables.claim(table.id, ANN.id, None, 2)
    assert (done.result["reason"], done.result["winners"]) == ("claimed", [0])


async def test_at_a_bigger_table_the_others_vote_and_the_seat_resigns(house):
    table = await three(house)
    house.clock.ms += MOST_SILENCE
    asked = await house.tables.claim(table.id, ANN.id, 1, next(house.ids))
    assert (asked.kind, asked.wanted) == ("abandon", (2,))
    assert (await refusal(house.tables.claim(table.id, ANN.id, None, 1))).code == "which-seat"
    assert (await refusal(house.tables.claim(table.id, ANN.id, 0, 1))).code == "own-seat"
    assert (await refusal(house.tables.claim(table.id, ANN.id, 7, 1))).code == "bad-seat"
    done = await house.tables.vote(asked.id, CAT.id, True, next(house.ids))
    assert done.status == "agreed"
    assert (await house.tables.get(table.id)).result["reason"] == "resign"
    log = await house.database.reads.all("SELECT seat, action FROM actions WHERE table_id = ?", (table.id,))
    assert [row["seat"] for row in log] == [1]
    assert (await house.tables.verify(table.id, ANN.id)).fault is None


# -- gone ------------------------------------------------------------------------------------


async def test_who_left_is_told_once_is_reminded_no_more_and_comes_back_by_acting(house):
    table = await house.new(BEN)
    await house.tables.gone(BEN.id, "left", 999)  # another server
    assert await house.posts("line") == []
    for _ in range(2):
        await house.tables.gone(BEN.id, "left", 1)
    assert [post[2]["code"] for post in await house.posts("line")] == ["gone-left"]
    house.clock.ms += DAY
    await house.tables.run_due()
    assert [post[2]["mention"] for post in await house.posts("reminder")] == [[ANN.id]]
    hand = (await view(house, table, BEN)).hand
    await house.act(table, BEN, f"bid {hand[0]}")
    assert (await house.tables.get(table.id)).seats[1].gone is None


async def test_a_server_that_removed_the_bot_waits_and_has_its_boards_again_when_it_is_back(house):
    table = await house.new(BEN)
    await house.tables.removed(1)
    house.clock.ms += 3 * DAY
    await house.tables.run_due()
    assert await house.posts("reminder") == []
    boards = len(await house.posts("board"))
    for _ in range(2):
        await house.tables.invited_back(1)
    assert len(await house.posts("board")) == boards + 1
    assert (await house.posts("board"))[-1][2]["mention"] == [ANN.id, BEN.id]
    house.clock.ms += DAY
    await house.tables.run_due()
    assert len(await house.posts("reminder")) == 1
    assert table.id == 1


# -- blocks, private tables, lists --------------------------------------------------------------


async def block(house, user, other):
    await house.tables.block(user, other.id, on=True)


async def test_a_blocked_user_neither_invites_nor_joins_nor_takes_a_seat(house):
    open_table = await house.new()
    running = await house.new(BEN)
    await block(house, ANN, CAT)
    assert await house.tables.blocked(ANN.id) == [CAT.id]
    assert (await refusal(house.tables.join(open_table.id, CAT, 1))).code == "unwelcome"
    await replaced(house, running, BEN)
    assert (await refusal(take(house, running, CAT, 1))).code == "unwelcome"
    assert (await refusal(replaced(house, running, BEN, Successor(user=CAT)))).code == "unwelcome"
    refused = house.tables.create(
        CAT, "duel", "", open_table.place, opponents=[ANN], guild_locale=None, interaction_id=2
    )
    assert (await refusal(refused)).code == "unwelcome"
    await house.tables.block(ANN, CAT.id, on=False)
    assert (await house.tables.join(open_table.id, CAT, 3)).seat_of(CAT.id) is not None


async def test_a_blocked_user_gets_no_rematch(house):
    table = await house.new(BEN)
    await house.tables.resign(table.id, ANN.id, 1)
    await block(house, ANN, BEN)
    assert (await refusal(house.tables.rematch(table.id, BEN, 2))).code == "unwelcome"


async def test_nobody_names_whom_he_has_blocked_for_his_own_seat_or_beside_it(house):
    old, running, lobby = await house.new(BEN), await house.new(BEN), await house.new(words="three=true")
    await house.tables.resign(old.id, ANN.id, 1)
    await block(house, ANN, BEN)
    await block(house, ANN, CAT)
    refused = [
        replaced(house, running, ANN, Successor(user=CAT)),
        house.tables.invite(lobby.id, ANN.id, CAT, 2),
        house.tables.rematch(old.id, ANN, 3),
        house.tables.create(
            ANN, "duel", "", lobby.place, opponents=[CAT], guild_locale=None, interaction_id=4
        ),
    ]
    for asked in refused:
        assert (await refusal(asked)).code == "your-block"
    await house.tables.block(ANN, CAT.id, on=False)
    await replaced(house, running, ANN, Successor(user=CAT))
    assert (await take(house, running, CAT, running.seat_of(ANN.id))).seat_of(CAT.id) is not None


async def test_a_blocked_user_comes_to_no_seat_that_is_free_for_all(house):
    running = await house.new(BEN)
    await replaced(house, running, ANN)
    await block(house, ANN, CAT)  # after the seat was offered
    assert (await refusal(take(house, running, CAT, running.seat_of(ANN.id)))).code == "unwelcome"
    assert (await take(house, running, DAN, running.seat_of(ANN.id))).seat_of(DAN.id) is not None


async def test_nobody_brings_together_who_is_kept_apart(house):
    table = await house.new(words="three=true")
    await block(house, BEN, CAT)
    both = house.tables.create(
        ANN, "duel", "three=true", table.place, opponents=[BEN, CAT], guild_locale=None, interaction_id=1
    )
    assert (await refusal(both)).code == "unwelcome"
    await house.tables.invite(table.id, ANN.id, BEN, 2)  # he has not come yet
    assert (await refusal(house.tables.invite(table.id, ANN.id, CAT, 3))).code == "unwelcome"
    assert (await refusal(house.tables.join(table.id, CAT, 4))).code == "unwelcome"
    moderated = house.tables.hand_over(1, (await house.new(BEN)).id, DAN.id, 0, Successor(user=CAT), 5)
    assert (await refusal(moderated)).code == "unwelcome"


async def test_what_runs_goes_on_but_a_blocked_user_calls_nobody_who_blocked_him(house):
    table = await house.new(BEN, CAT, words="seat=first three=true")
    table = await house.tables.start(table.id, ANN.id, next(house.ids))
    await block(house, BEN, ANN)
    view = (await house.tables.show(table.id, ANN.id)).view
    await house.act(table, ANN, f"bid {view.hand[0]}")
    await house.tables.remind(table.id, ANN.id)
    assert (await house.posts("line"))[-1][2]["mention"] == [CAT.id]
    house.clock.ms += 25 * 3600 * 1000
    await house.tables.run_due()
    assert (await house.posts("reminder"))[-1][2]["mention"] == [BEN.id, CAT.id]


async def test_a_private_table_is_for_those_who_sit_there(house):
    table = await house.new(BEN, words="private=yes seat=first")
    assert table.private
    for ask in (house.tables.watch, house.tables.replay, house.tables.story, house.tables.verify,
                house.tables.admitted, house.tables.export):  # fmt: skip
        assert (await refusal(ask(table.id, CAT.id))).code == "no-table"
    assert (await house.tables.watch(table.id, BEN.id)).seat is None
    assert await house.tables.listing(1) == []
    assert [t.id for t in await house.tables.listing(1, Filters(user_id=BEN.id))] == [table.id]
    assert await house.tables.listing(1, Filters(player_id=BEN.id)) == []
    assert (await refusal(replaced(house, table, BEN))).code == "private-offer"
    await replaced(house, table, BEN, Successor(user=CAT))
    await take(house, table, CAT, 1)
    assert (await refusal(house.tables.watch(table.id, BEN.id))).code == "no-table"


@pytest.mark.parametrize("state", ["held", "broken", "cold"])
async def test_for_a_stranger_a_private_table_is_neither_loaded_nor_waited_for(house, monkeypatch, state):
    table = await house.new(BEN, words="private=yes seat=first")  # 14.12
    await house.act(table, ANN, f"bid {(await view(house, table, ANN)).hand[0]}")
    if state == "broken":
        await house.ruin(table)
    elif state == "cold":
        await house.again()
    kept = house.tables._house

    def asked(number):
        return (
            house.tables.find(CAT.id, 10, number, 1, "running"),
            house.tables.act(number, CAT.id, "pass", version=None, interaction_id=next(house.ids)),
            house.tables.complete(number, CAT.id, 10, ""),
            house.tables.take(number, CAT, 1, next(house.ids)),
            house.tables.decline(number, CAT.id, 1, next(house.ids)),
            house.tables.note(CAT.id, number),
        )

    async def told(number):
        found = await asyncio.gather(*asked(number), return_exceptions=True)
        return [getattr(one, "code", one) for one in found]

    loads: list[int] = []
    monkeypatch.setattr(kept, "load", loads.append)
    async with kept.lock(table.id) if state == "held" else nullcontext():
        there, not_there = await asyncio.wait_for(told(table.id), 5), await told(77)
    assert there == not_there == ["no-table", "no-table", [], "no-table", "no-table", "no-table"]
    assert loads == []


async def test_a_private_table_of_several_is_filled_by_invitations(house):
    table = await house.new(words="private=yes three=true seats=3")
    assert (await refusal(house.tables.join(table.id, CAT, 1))).code == "no-table"
    for guest in (BEN, CAT):
        await house.tables.invite(table.id, ANN.id, guest, next(house.ids))
    assert [p[2]["mention"] for p in await house.posts("line")] == [[BEN.id], [CAT.id]]
    for by, guest, code in ((ANN, BEN, "invited-twice"), (ANN, DAN, "full"), (DAN, DAN, "no-table"),
                            (ANN, ANN, "already-there")):  # fmt: skip
        assert (await refusal(house.tables.invite(table.id, by.id, guest, 99))).code == code
    for guest in (BEN, CAT):
        await house.tables.join(table.id, guest, next(house.ids))
    assert (await house.tables.start(table.id, ANN.id, next(house.ids))).status == "running"


async def test_who_blocked_one_of_them_is_not_invited(house):
    table = await house.new(words="three=true")
    await block(house, BEN, ANN)
    assert (await refusal(house.tables.invite(table.id, ANN.id, BEN, 1))).code == "unwelcome"


async def test_a_spectator_sees_what_everybody_may(house):
    table = await house.new(BEN)
    seen = await house.tables.watch(table.id, CAT.id)
    assert (seen.seat, seen.view.hand) == (None, None)
    moment = await house.tables.replay(table.id, CAT.id, 0)
    assert (moment.shown.seat, moment.shown.view.hand, moment.open_hands) == (None, None, False)
    for seat in (0, 1):
        assert (await refusal(house.tables.replay(table.id, CAT.id, 0, seat))).code == "not-yours"


async def test_open_tables_are_listed_by_game_and_player(house):
    first = await house.new()
    other = await house.tables.create(
        User(900, "Eve"), "duel", "", first.place, guild_locale=None, interaction_id=8
    )
    assert [t.id for t in await house.tables.listing(1, Filters(status="open"))] == [other.id, first.id]
    assert [t.id for t in await house.tables.listing(1, Filters(player_id=900))] == [other.id]
    assert await house.tables.listing(1, Filters(game="kamisado")) == []


@pytest.mark.parametrize("kind", ["take", "claim", "pause"])
async def test_a_redelivered_press_does_nothing_twice(house, kind):
    table = await house.new(BEN)
    if kind == "take":
        await replaced(house, table, BEN)
        done = [await house.tables.take(table.id, CAT, 1, 5) for _ in range(2)]
    elif kind == "pause":
        await house.tables.vote((await house.tables.pause(table.id, ANN.id, 4)).id, BEN.id, True, 5)
        done = [await house.tables.pause(table.id, ANN.id, 6) for _ in range(2)]
        assert done[-1].paused_at is None
    else:
        await house.tables.gone(BEN.id, "deleted")
        house.clock.ms += GRACE_MS
        done = [await house.tables.claim(table.id, ANN.id, 1, 5) for _ in range(2)]
    assert done[0].version == done[1].version
