"""Games alone and against the bot in direct messages, also of who installed the bot for themselves (17.5)."""

from __future__ import annotations

import pytest

from tests.discord.conftest import answer_of, button, buttons, text_of
from tests.discord.months import delivered
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")


def posts(member):
    """The bot's posts in a member's direct messages, answers not among them."""
    sent = member.user.dm_channel.history(viewer=member.user)
    return [message for message in sent if not message.flags.ephemeral]


async def test_a_game_against_the_bot_is_played_in_direct_messages_to_its_end(world):
    dm = world.ann.user.dm_channel
    await world.ann.user.slash("game new", game="kamisado", options="match=marathon seat=first level=easy")
    await delivered(world)
    table = await world.bot.tables.get(1)
    assert (table.status, table.place.guild_id, table.place.channel_id) == ("running", None, dm.id)
    assert table.private
    assert [seat.level for seat in table.seats] == [None, "easy"]
    board = posts(world.ann)[-1]
    panel = answer_of(await world.ann.user.click(board, custom_id=button(board, "Your turn")))
    assert panel.attachments
    offered = await world.ann.user.autocomplete("move", "move", "")
    before = len(posts(world.ann))
    await world.ann.user.slash("move", move=str(offered[0]["value"]))
    await world.bot.tables.settled()
    await delivered(world)
    assert len(posts(world.ann)) > before
    asked = answer_of(await world.ann.user.slash("game resign"))
    await world.ann.user.click(asked, custom_id=button(asked, "Yes, resign"))
    await delivered(world)
    over = posts(world.ann)[-1]
    await world.ann.user.click(over, custom_id=button(over, "Rematch"))
    assert (await world.bot.tables.get(2)).place.channel_id == dm.id


async def test_nobody_else_sees_a_table_of_direct_messages(world):
    await world.ann.user.slash("game new", game="kamisado", options="match=single seat=first")
    told = [
        await world.ben.slash(world.channel, "board", table=1),
        await world.ben.user.slash("board", table=1),
    ]
    assert {"There is no such table here" in text_of(one) for one in told} == {True}


async def test_play_asks_in_direct_messages_only_for_who_needs_no_server(world):
    which = answer_of(await world.ann.user.slash("play"))
    whom = answer_of(await world.ann.user.click(which, custom_id="g:rokumon:ask"))
    assert {"g:rokumon:bot", "g:rokumon:solo"} <= set(buttons(whom))
    assert "g:rokumon:open" not in buttons(whom)
    assert "in direct messages" in wording(whom)
    await world.ann.user.click(whom, custom_id="g:rokumon:solo")
    table = await world.bot.tables.get(1)
    assert (table.status, len(table.seats), table.place.guild_id) == ("running", 1, None)


async def test_a_person_cannot_be_invited_to_direct_messages(world):
    told = await world.ann.user.slash("game new", game="kamisado", opponent=world.ben.user)
    assert "To play against people, use a server" in text_of(told)


async def test_nobody_is_given_a_seat_where_they_cannot_read_along(world):
    await world.ann.user.slash("game new", game="kamisado", options="match=single seat=first")
    told = await world.ann.user.slash("game replace", new=world.ben.user, table=1)
    assert "where nobody else can see it" in text_of(told)
    await world.ann.user.slash("game new", game="shogun")
    told = await world.ann.user.slash("game invite", player=world.ben.user, table=2)
    assert "where nobody else can see it" in text_of(told)


async def test_where_the_bot_is_no_member_a_game_against_it_is_one_of_direct_messages(world, monkeypatch):
    monkeypatch.setattr(world.bot, "get_guild", lambda _: None)
    which = answer_of(await world.ann.slash(world.channel, "play"))
    await world.ann.click(which, custom_id="g:kamisado:ask")
    await world.ann.slash(world.channel, "game new", game="rokumon", options="solo=easy")
    table = await world.bot.tables.get(1)
    assert (table.place.guild_id, table.place.channel_id) == (None, world.ann.user.dm_channel.id)
