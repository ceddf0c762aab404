"""People come and go: plans that are not inherited, who is gone, a bot that was away."""

from __future__ import annotations

import pytest

from cogs.posting import presence as presence_module
from engines.capabilities import Drafts
from tables.core.errors import TableError
from tests.discord import months_tables
from tests.discord.conftest import answer_of, button, last_board, text_of
from tests.discord.months import begun, first_move, said, warmed
from tests.discord.months_tables import DAY, every_game
from tests.discord.test_courier import deny
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")


async def test_a_seat_that_is_to_go_to_somebody_by_name_is_his_when_the_others_agree(world):
    months = await months_tables.begun(world, "shogun")
    ann, ben, cho = months.players
    assert "still has time" in await months.say(ann, "game replace", player=ben.user, new=months.dan.user)
    await world.env.advance_time(7 * DAY)
    await world.env.settle()
    await months.say(ann, "game replace", player=ben.user, new=months.dan.user)
    question = months.said("wants to offer")
    assert months.dan.name in wording(question)
    await months.press(cho, question, "Yes")
    offer = months.said("would you like to take")
    await months.press(months.dan, offer, "Take the seat")
    assert await months.seat_of(months.dan) is not None
    assert "don't play" in await months.say(ben, "hand")


async def test_a_plan_that_was_begun_is_not_inherited(world):
    months = await months_tables.begun(world, "shogun")
    old, tables = (await months.acting())[0], world.bot.tables
    seat = await months.seat_of(old)
    assert seat is not None
    assert isinstance(months.rules, Drafts)
    first = months.rules.begun(await months.state(), seat)
    assert first is not None
    begun_with = first.text
    await months.say(old, "move", move="plan fill")
    assert (await tables.draft(1, old.id)).text != begun_with
    await months.hand_over(old, months.dan)
    assert (await tables.draft(1, months.dan.id)).text == begun_with
    with pytest.raises(TableError, match="not-seated"):
        await tables.draft(1, old.id)


# -- absence ----------------------------------------------------------------------------------


async def test_a_deleted_user_is_found_out_by_a_hand_that_cannot_be_sent(world):
    world.env.inject_error(
        "POST", f"/channels/{world.ben.user.dm_channel.id}/messages", status=404, code=10013, times=None
    )
    thread = await begun(world, "rokumon")
    said(thread, "no longer on Discord")


# -- who may come near ---------------------------------------------------------------------------


async def test_a_private_table_is_closed_to_strangers_also_in_a_public_thread(world):
    await deny(world, create_private_threads=False)
    thread = await begun(world, "kamisado", "private=yes")
    for command in ("board", "game info", "game replay", "game export", "game verify", "note"):
        assert "no such table" in text_of(await world.cho.slash(thread, command, table=1)), command
    board = last_board(thread)
    assert "no such table" in wording(
        answer_of(await world.cho.click(board, custom_id=button(board, "Board in words")))
    )
    assert "**#1 " not in text_of(await world.cho.slash(world.channel, "game list"))
    assert "**#1 " in text_of(await world.ben.slash(world.channel, "game list", show="mine"))
    assert text_of(await world.ben.slash(thread, "game info"))


# -- who is gone, seen at a board; a server that removed the bot while it did not run --------------


@every_game
async def test_who_left_is_noticed_when_a_board_is_to_ping_him(world, game):
    months = await months_tables.begun(world, game)
    await world.env.advance_time(DAY / 2 + 60)  # longer than a look-up holds, and before any reminder
    at_once = len((await months.table()).to_act) > 1  # then the last one's action calls the first one
    gone = months.players[0 if at_once else -1]
    world.env.backend.remove_member(world.guild.id, gone.id)
    while not months.count("has left the server"):
        assert (await months.table()).status == "running"
        await months.play(1)
    assert gone.name in wording(months.said("has left the server"))
    assert gone.id not in {user.id for user in months.board().mentions}


async def test_a_player_is_looked_up_once_in_half_a_day_at_most_and_not_while_he_plays(world, monkeypatch):
    looked: list[int] = []
    real = presence_module.whereabouts

    async def counted(guild, user_id):
        looked.append(user_id)
        return await real(guild, user_id)

    monkeypatch.setattr(presence_module, "whereabouts", counted)
    thread = await begun(world, "kamisado")
    for _ in range(3):
        await first_move(world, thread)
    assert looked == []
    await world.env.advance_time(DAY / 2 + 1)
    mover = await first_move(world, thread)
    for _ in range(2):
        await first_move(world, thread)
    assert looked == [world.ann.id + world.ben.id - mover.id]


async def test_a_look_up_that_fails_holds_up_no_board(world):
    thread = await begun(world, "kamisado")
    await world.env.advance_time(DAY)
    boards = len([message for message in thread.history() if message.attachments])
    world.env.inject_error("GET", "/guilds/*/members/*", status=503, times=None)
    await first_move(world, thread)
    assert len([message for message in thread.history() if message.attachments]) == boards + 1
    assert len(last_board(thread).mentions) == 1
    assert not [message for message in thread.history() if "has left" in wording(message)]


async def test_a_hand_that_cannot_be_sent_asks_whether_its_player_is_gone(world):
    dm = world.ben.user.dm_channel
    world.env.inject_error("POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None)
    warmed("rokumon")
    new = {"game": "rokumon", "opponent": world.ben.user, "options": "act=3 seat=first"}
    await world.ann.slash(world.channel, "game new", **new)
    world.env.inject_error("GET", f"/guilds/*/members/{world.ben.id}", status=404, code=10007, times=None)
    await world.ben.slash(world.channel, "game join", table=1)
    thread = world.thread()
    assert world.ben.name in wording(said(thread, "has left the server"))
    assert not [message for message in thread.history() if "closed" in wording(message)]


async def forgets(world, guild_id):
    """Discord does not tell the next start of a server."""
    kept = world.env.backend.guilds.pop(guild_id)
    await world.restart()
    await world.env.settle()
    return kept


@every_game
async def test_a_server_that_removed_the_bot_while_it_did_not_run_waits_and_is_told_once(world, game):
    months = await months_tables.begun(world, game)
    place, before = (await months.table()).place, len(months.thread.history())
    kept = await forgets(world, world.guild.id)
    assert await world.bot.tables.is_removed(world.guild.id)
    await world.env.advance_time(3 * DAY)
    world.env.backend.guilds[kept.id] = kept
    for _ in range(2):  # GUILD_CREATE comes with each start
        await world.restart()
        await world.env.settle()
        assert not await world.bot.tables.is_removed(world.guild.id)
        after = months.thread.history()[before:]
        assert ["I am back" in wording(message) for message in after] == [True, False]
        assert after[1].attachments
    assert (await months.table()).place == place


async def test_a_server_that_only_does_not_answer_is_not_taken_for_removed(world):
    thread = await begun(world, "kamisado")
    before = len(thread.history())
    world.env.inject_error("GET", f"/guilds/{world.guild.id}", status=503, times=None)
    kept = await forgets(world, world.guild.id)
    assert not await world.bot.tables.is_removed(world.guild.id)
    world.env.backend.guilds[kept.id] = kept
    await world.restart()
    await world.env.settle()
    assert len(thread.history()) == before


async def test_an_unavailable_server_is_not_looked_up(world):
    await begun(world, "kamisado")
    world.bot.get_guild(world.guild.id).unavailable = True
    world.env.inject_error("GET", f"/guilds/{world.guild.id}", status=404, code=10004, times=None)
    await world.bot.get_cog("PresenceCog").on_ready()
    assert not await world.bot.tables.is_removed(world.guild.id)
