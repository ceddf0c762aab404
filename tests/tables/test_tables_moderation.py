"""Moderators set limits, end tables and hand seats over; they never come to see a hand."""

from __future__ import annotations

import pytest

from tables.core.errors import TableError
from tables.core.model import Place, User
from tables.seats.handover import Successor
from tests.tables.players import ANN, BEN, CAT, DAN

GUILD, DAY = 1, 24 * 3600 * 1000
MOD = User(900, "Mod", "en")


async def refusal(work):
    with pytest.raises(TableError) as refused:
        await work
    return refused.value.code


async def test_a_moderator_cannot_have_the_seat_that_he_gives_away(house):
    table, hand_over = await house.new(BEN), house.tables.hand_over
    assert await refusal(hand_over(GUILD, table.id, MOD.id, 1, Successor(MOD), 1)) == "moderator-seat"
    await hand_over(GUILD, table.id, MOD.id, 1, Successor(), next(house.ids))
    assert await refusal(house.tables.take(table.id, MOD, 1, next(house.ids))) == "moderators-own-offer"
    taken = await house.tables.take(table.id, CAT, 1, next(house.ids))
    assert taken.seats[1].user_id == CAT.id
    assert (await house.tables.show(table.id, MOD.id)).seat is None


async def test_a_moderator_who_plays_uses_what_players_have(house):
    table = await house.new(BEN)
    work = house.tables.hand_over(GUILD, table.id, ANN.id, 1, Successor(CAT), 1)
    assert await refusal(work) == "moderator-plays"


async def test_a_moderator_does_not_call_off_a_game_that_he_is_losing(house):
    table, alone = await house.new(BEN), await house.new(bot_seat=True)
    assert await refusal(house.tables.end(GUILD, table.id, ANN.id, next(house.ids))) == "moderator-plays"
    assert (await house.tables.get(table.id)).status == "running"
    assert (await house.tables.end(GUILD, alone.id, ANN.id, next(house.ids))).status == "cancelled"
    await house.ruin(table)
    assert await refusal(house.tables.show(table.id, ANN.id)) == "broken"
    assert (await house.tables.end(GUILD, table.id, ANN.id, next(house.ids))).status == "cancelled"


async def test_tables_of_another_server_are_not_his(house):
    table = await house.new(BEN)
    assert await refusal(house.tables.end(2, table.id, MOD.id, 1)) == "no-table"
    assert await refusal(house.tables.hand_over(2, table.id, MOD.id, 1, Successor(CAT), 1)) == "no-table"
    ended = await house.tables.end(GUILD, table.id, MOD.id, next(house.ids))
    assert ended.status == "cancelled"
    assert ended.seed is not None


async def test_tables_are_made_where_moderators_allow_them(house):
    assert await house.tables.allow_channel(GUILD, 77, allowed=True) == [77]
    assert await refusal(house.new(BEN)) == "channel-not-allowed"
    elsewhere = await house.tables.create(ANN, "duel", "", Place(GUILD, 77), interaction_id=next(house.ids))
    assert elsewhere.status == "open"
    assert await house.tables.allow_channel(GUILD, 77, allowed=False) == []
    assert (await house.new(BEN)).status == "running"


async def test_limits_of_a_server_hold_there(house):
    limits = await house.tables.limits(GUILD, user_tables=1, server_tables=2)
    assert (limits.user, limits.server, limits.now) == (1, 2, 0)
    await house.new(BEN)
    assert await refusal(house.new(CAT)) == "too-many-tables"
    await house.tables.create(CAT, "duel", "", Place(GUILD, 10), interaction_id=next(house.ids))
    work = house.tables.create(DAN, "duel", "", Place(GUILD, 10), interaction_id=next(house.ids))
    assert await refusal(work) == "server-full"
    assert await refusal(house.tables.limits(GUILD, user_tables=-1)) == "bad-limit"
    assert (await house.tables.limits(GUILD, user_tables=0)).user == 100


async def test_stuck_tables_are_found_with_the_reason(house):
    table = await house.new(BEN)
    await house.tables.create(CAT, "duel", "", Place(GUILD, 10), interaction_id=next(house.ids))
    assert await house.tables.stuck(GUILD) == []
    house.clock.ms += 2 * 3600 * 1000
    assert {one.why for one in await house.tables.stuck(GUILD)} == {"unsent"}
    async with house.database.transaction() as tx:
        await tx.run("UPDATE outbox SET state = 'sent'")
    house.clock.ms += 15 * DAY
    assert [(one.table.id, one.why) for one in await house.tables.stuck(GUILD)] == [
        (table.id, "waiting"),
        (2, "lobby"),
    ]
