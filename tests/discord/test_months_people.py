"""People come and go, and agree: seats handed on, claims, votes, private tables, a bot that was away."""

from __future__ import annotations

import pytest
from simcord.builders import UserHandle

from cogs import presence as presence_module
from engines.registry import engine
from tables.errors import TableError
from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.discord.months import HIDDEN, begun, delivered, first_move, said, stranger
from tests.discord.test_courier import deny

GAMES = ("kamisado", *HIDDEN, "sekigahara")
DAY = 24 * 3600


async def yes(member, question):
    return await member.click(question, custom_id=button(question, "Yes"))


async def no(member, question):
    return await member.click(question, custom_id=button(question, "No"))


# -- a seat changes hands ---------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
async def test_a_seat_offered_at_the_table_is_taken_with_its_secrets(world, game):
    thread = await begun(world, game)
    dan, eve = stranger(world), stranger(world, "Eve")
    told = await world.ben.slash(thread, "game replace")
    assert "offered at the table" in text_of(told)
    offer = said(thread, "free for whoever takes it")
    before = len(world.ben.user.dm_channel.history(viewer=world.ben.user))
    taken = await dan.click(offer, custom_id=button(offer, "Take the seat"))
    assert "You play at table #1" in answer_of(taken).content
    assert (
        "not offered any more"
        in answer_of(await eve.click(offer, custom_id=button(offer, "Take the seat"))).content
    )
    assert dan.mention in said(thread, "takes the seat of").content
    table = await world.bot.tables.get(1)
    assert dan.id in {seat.user_id for seat in table.seats}
    # the old player, a spectator: the public view and no more
    for outsider in (world.ben, eve):
        assert "do not play" in text_of(await outsider.slash(thread, "hand"))
        assert await outsider.autocomplete(thread, "move", "move", "") == []
        board = last_board(thread)
        pressed = await outsider.click(board, custom_id=button(board, "Your turn"))
        assert "do not play" in answer_of(pressed).content
    if engine(game).hidden:
        assert answer_of(await dan.slash(thread, "hand")).attachments
        assert len(dan.user.dm_channel.history(viewer=dan.user)) == 1
        await first_move(world, thread) if min(table.to_act) != 1 else None
        assert len(world.ben.user.dm_channel.history(viewer=world.ben.user)) == before
        assert eve.user.dm_channel.history(viewer=eve.user) == []


async def test_a_seat_offered_to_one_user_is_his_alone_and_may_be_kept_after_all(world):
    thread = await begun(world, "rokumon")
    dan, eve = stranger(world), stranger(world, "Eve")
    await world.ben.slash(thread, "game replace", new=dan.user)
    offer = said(thread, "would you take the seat")
    assert [user.id for user in offer.mentions] == [dan.id]
    refused = await eve.click(offer, custom_id=button(offer, "Take the seat"))
    assert "somebody else" in answer_of(refused).content
    kept = await world.ben.click(offer, custom_id=button(offer, "Take the seat"))
    assert "keep your seat" in answer_of(kept).content
    gone = await dan.click(offer, custom_id=button(offer, "Take the seat"))
    assert "not offered any more" in answer_of(gone).content


@pytest.mark.parametrize("game", ["kamisado", "rokumon"])
async def test_the_bot_takes_over_and_plays(world, game):
    thread = await begun(world, game)
    mover = world.ann if 0 in (await world.bot.tables.get(1)).to_act else world.ben
    told = await mover.slash(thread, "game replace", new=UserHandle(world.env, world.env.backend.bot_user))
    await world.bot.tables.settled()
    await world.env.settle()
    assert "I play this seat" in text_of(told)
    assert "The bot takes the seat of" in said(thread, "The bot takes").content
    table = await world.bot.tables.get(1)
    assert (await world.bot.tables.story(1, mover.id))[0].seat == table.seat_of(None) or table.version > 2
    assert "do not play" in text_of(await mover.slash(thread, "hand"))


async def test_somebody_elses_seat_wants_the_others_consent(world):
    thread = await begun(world, "shogun")
    dan = stranger(world)
    await world.ann.slash(thread, "game replace", player=world.ben.user, new=dan.user)
    question = said(thread, "asks to offer the seat of")
    assert [user.id for user in question.mentions] == [world.cho.id]
    await no(world.cho, question)
    assert "everybody keeps their seat" in thread.last_message.content
    await world.ann.slash(thread, "game replace", player=world.ben.user, new=dan.user)
    await yes(world.cho, said(thread, "asks to offer the seat of"))
    offer = said(thread, "would you take the seat")
    await dan.click(offer, custom_id=button(offer, "Take the seat"))
    assert (await world.bot.tables.get(1)).seat_of(dan.id) is not None
    assert "do not play" in text_of(await world.ben.slash(thread, "hand"))


# -- votes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["kamisado", *HIDDEN, "sekigahara"])
async def test_whatever_all_have_to_agree_on_is_asked_in_one_way(world, game):
    thread = await begun(world, game)
    others = [world.ben] if len((await world.bot.tables.get(1)).seats) == 2 else [world.ben, world.cho]
    dan = stranger(world)
    for command, options, part, refused in (
        ("game pause", {}, "asks for a pause", "wants no pause"),
        ("game clock", {"clock": "slow"}, "asks for another clock", "keep the clock"),
        ("game offer-draw", {}, "offers a draw", "does not take the draw"),
    ):
        assert text_of(await world.ann.slash(thread, command, **options))
        question = said(thread, part)
        assert {user.id for user in question.mentions} == {member.id for member in others}
        assert "do not play" in answer_of(await yes(dan, question)).content
        await no(world.ben, question)
        assert refused in thread.last_message.content
        assert "closed" in answer_of(await yes(world.ben, question)).content
    await world.ann.slash(thread, "game clock", clock="slow")
    for member in others:
        await yes(member, said(thread, "asks for another clock"))
    assert "full bank" in said(thread, "The clock is changed").content
    await world.ann.slash(thread, "game pause")
    for member in others:
        await yes(member, said(thread, "asks for a pause"))
    assert (await world.bot.tables.get(1)).paused_at is not None
    assert "Paused since" in text_of(await dan.slash(thread, "game info"))
    assert "goes on" in text_of(await world.ben.slash(thread, "game pause"))
    sure = answer_of(await world.ann.slash(thread, "game cancel"))
    await world.ann.click(sure, custom_id=next(iter(controls(sure))))
    for member in others:
        await yes(member, said(thread, "end this game without a result"))
    assert (await world.bot.tables.get(1)).status == "cancelled"


@pytest.mark.parametrize("game", ["kamisado", "rokumon"])
async def test_a_turn_that_passed_is_taken_back_only_with_the_others_consent(world, game):
    thread = await begun(world, game)
    mover = await first_move(world, thread)
    other, dan = (world.ben if mover is world.ann else world.ann), stranger(world)
    moved = (await world.bot.tables.get(1)).to_act
    for answer, after in ((no, moved), (yes, None)):
        await mover.slash(thread, "game undo")
        question = said(thread, "asks to take back")
        assert "do not play" in answer_of(await yes(dan, question)).content
        await answer(other, question)
        assert after is None or (await world.bot.tables.get(1)).to_act == after
    assert (
        mover.id == (await world.bot.tables.get(1)).seats[min((await world.bot.tables.get(1)).to_act)].user_id
    )
    assert "took back" in said(thread, "took back").content


async def test_a_plan_that_was_begun_is_not_inherited(world):
    thread = await begun(world, "shogun")
    await first_move(world, thread)
    while not [seat for seat in (await world.bot.tables.get(1)).to_act if await drafted(world, seat)]:
        await first_move(world, thread)
    seat = min((await world.bot.tables.get(1)).to_act)
    user = (await world.bot.tables.get(1)).seats[seat].user_id
    old = next(member for member in (world.ann, world.ben, world.cho) if member.id == user)
    for card in await old.autocomplete(thread, "move", "move", "castle="):
        await old.slash(thread, "move", move=str(card["value"]))
    dan = stranger(world)
    assert (await world.bot.tables.draft(1, old.id)).text != await drafted(world, seat)
    await old.slash(thread, "game replace", new=dan.user)
    offer = said(thread, "would you take the seat")
    await dan.click(offer, custom_id=button(offer, "Take the seat"))
    assert (await world.bot.tables.draft(1, dan.id)).text == await drafted(world, seat)
    with pytest.raises(TableError, match="not-seated"):
        await world.bot.tables.draft(1, old.id)


async def drafted(world, seat):
    """What a seat's draft begins with, None where it has nothing to draft."""
    loaded = await world.bot.tables._house.look(1)
    first = loaded.engine.begun(loaded.state, seat)
    return None if first is None else first.text


# -- absence ----------------------------------------------------------------------------------


async def test_reminders_come_with_not_now_and_a_clock_that_ran_out_with_claim(world):
    thread = await begun(world, "kamisado", "clock=fast")
    mover = world.ann if 0 in (await world.bot.tables.get(1)).to_act else world.ben
    other = world.ben if mover is world.ann else world.ann
    await world.env.advance_time(DAY)
    call = said(thread, "your turn, since")
    assert [user.id for user in call.mentions] == [mover.id]
    later = await mover.click(call, custom_id=button(call, "Not now"))
    assert "not remind you" in answer_of(later).content
    wrong = await other.click(call, custom_id=button(call, "Not now"))
    assert "not your turn" in answer_of(wrong).content
    early = await other.slash(thread, "game claim")
    assert "still has time" in text_of(early)
    await world.env.advance_time(2 * DAY)
    line = said(thread, "has run out")
    assert sum("has run out" in message.content for message in thread.history()) == 1
    assert "your own seat" in answer_of(await mover.click(line, custom_id=button(line, "Claim"))).content
    await other.click(line, custom_id=button(line, "Claim"))
    table = await world.bot.tables.get(1)
    assert (table.status, table.result["reason"]) == ("over", "claimed")
    assert "claims the game" in said(thread, "claims the game").content
    profile = text_of(await other.slash(thread, "profile"))
    assert "1 of 1 won" in profile


async def test_at_a_bigger_table_a_claimed_seat_resigns_and_the_others_play_on(world):
    thread = await begun(world, "shogun", "clock=fast")
    await world.env.advance_time(4 * DAY)
    line = said(thread, "has run out")
    table = await world.bot.tables.get(1)
    late = min(table.to_act)
    rest = [m for m in (world.ann, world.ben, world.cho) if m.id != table.seats[late].user_id]
    told = await rest[0].click(line, custom_id=button(line, "Claim"))
    assert "goes on without that player" in answer_of(told).content
    assert "goes on without" in said(thread, f"{rest[0].name} goes on without").content
    table = await world.bot.tables.get(1)
    assert table.status == "running"
    assert late not in table.to_act
    assert (await world.bot.tables.story(1, rest[0].id))[-1].seat == late


@pytest.mark.parametrize("game", ["rokumon", "sekigahara"])
async def test_the_secrets_of_a_claimed_game_are_open_to_all_at_its_end(world, game):
    thread = await begun(world, game, "clock=fast")
    dan = stranger(world)
    await world.env.advance_time(4 * DAY)
    table = await world.bot.tables.get(1)
    late = min(table.to_act)
    other = world.ben if table.seats[late].user_id == world.ann.id else world.ann
    await other.slash(thread, "game claim")
    table = await world.bot.tables.get(1)
    assert table.status == "over"
    assert table.result["winners"] == [1 - late]
    for seat in (0, 1):
        assert (await world.bot.tables.replay(1, dan.id, 0, seat)).shown.seat == seat
    assert "all is well" in text_of(await dan.slash(thread, "game verify"))


@pytest.mark.parametrize(("code", "part"), [(10007, "has left the server"), (10013, "no longer on Discord")])
async def test_who_is_gone_is_found_out_when_he_is_called(world, code, part):
    thread = await begun(world, "kamisado")
    mover = world.ann if 0 in (await world.bot.tables.get(1)).to_act else world.ben
    other = world.ben if mover is world.ann else world.ann
    world.env.inject_error("GET", f"/guilds/*/members/{mover.id}", status=404, code=code, times=None)
    await world.env.advance_time(DAY)
    said(thread, part)
    assert not [message for message in thread.history() if "your turn, since" in message.content]
    await world.env.advance_time(30 * DAY)
    assert sum(part in message.content for message in thread.history()) == 1
    await other.slash(thread, "game claim")
    assert (await world.bot.tables.get(1)).status == "over"


async def test_a_deleted_user_is_found_out_by_a_hand_that_cannot_be_sent(world):
    world.env.inject_error(
        "POST", f"/channels/{world.ben.user.dm_channel.id}/messages", status=404, code=10013, times=None
    )
    thread = await begun(world, "rokumon")
    said(thread, "no longer on Discord")


async def test_a_vacation_is_told_at_the_tables_and_in_the_settings(world):
    thread = await begun(world, "kamisado")
    mover = world.ann if 0 in (await world.bot.tables.get(1)).to_act else world.ben
    told = text_of(await mover.slash(thread, "settings", vacation=7))
    assert "On vacation until" in told
    assert "is away until" in said(thread, "is away").content
    await world.env.advance_time(6 * DAY)
    assert not [message for message in thread.history() if "your turn, since" in message.content]
    await world.env.advance_time(DAY + 60)
    back = said(thread, "is back")
    assert [user.id for user in back.mentions] == [mover.id]


async def test_a_server_that_removed_the_bot_gets_its_boards_again(world):
    thread = await begun(world, "kamisado")
    boards = len([message for message in thread.history() if message.attachments])
    guild = world.bot.get_guild(world.guild.id)
    presence = world.bot.get_cog("PresenceCog")
    await presence.on_guild_remove(guild)
    await world.env.advance_time(3 * DAY)
    assert not [message for message in thread.history() if "your turn, since" in message.content]
    for _ in range(2):  # both events of a server that comes back
        await presence.on_guild_join(guild)
    await delivered(world)
    assert len([message for message in thread.history() if message.attachments]) == boards + 1
    said(thread, "I am back")


# -- who may come near ---------------------------------------------------------------------------


async def test_a_blocked_user_neither_invites_nor_joins(world):
    assert "Blocked: " in text_of(await world.ann.slash(world.channel, "settings", block=world.cho.user))
    told = text_of(await world.cho.slash(world.channel, "game new", game="kamisado", opponent=world.ann.user))
    assert "cannot play with" in told
    await world.ann.slash(world.channel, "game new", game="kamisado")
    assert "cannot play with" in text_of(await world.cho.slash(world.channel, "game join", table=1))
    await world.ann.slash(world.channel, "settings", unblock=world.cho.user)
    assert "has started" in text_of(await world.cho.slash(world.channel, "game join", table=1))


async def test_a_private_table_is_closed_to_strangers_also_in_a_public_thread(world):
    await deny(world, create_private_threads=False)
    thread = await begun(world, "kamisado", "private=yes")
    for command in ("board", "game info", "game replay", "game export", "game verify", "note"):
        assert "private" in text_of(await world.cho.slash(thread, command, table=1)), command
    board = last_board(thread)
    assert (
        "private"
        in answer_of(await world.cho.click(board, custom_id=button(board, "Board in words"))).content
    )
    assert "**#1 " not in text_of(await world.cho.slash(world.channel, "game list"))
    assert "**#1 " in text_of(await world.ben.slash(world.channel, "game list", show="mine"))
    assert text_of(await world.ben.slash(thread, "game info"))


async def test_more_guests_are_invited_one_by_one(world):
    await world.ann.slash(world.channel, "game new", game="shogun", options="private=yes")
    for guest in (world.ben, world.cho):
        assert "has been told" in text_of(
            await world.ann.slash(world.channel, "game invite", player=guest.user, table=1)
        )
        line = said(world.channel, "to this table")
        assert [user.id for user in line.mentions] == [guest.id]
        await guest.click(line, custom_id=button(line, "Join"))
    assert len([s for s in (await world.bot.tables.get(1)).seats if s.user_id]) == 3


async def test_open_tables_are_found_by_player(world):
    await world.ann.slash(world.channel, "game new", game="kamisado")
    await world.ben.slash(world.channel, "game new", game="kamisado")
    listed = text_of(await world.cho.slash(world.channel, "game list", show="open", player=world.ben.user))
    assert "**#2 " in listed
    assert "**#1 " not in listed


# -- who is gone, seen at a board; a server that removed the bot while it did not run --------------


async def test_who_left_is_noticed_when_a_board_is_to_ping_him(world):
    thread = await begun(world, "kamisado")
    mover = world.ann if 0 in (await world.bot.tables.get(1)).to_act else world.ben
    other = world.ben if mover is world.ann else world.ann
    await world.env.advance_time(DAY)  # longer than a look-up holds
    world.env.backend.remove_member(world.guild.id, other.id)
    await first_move(world, thread)
    board = last_board(thread)
    assert board.mentions == []
    assert other.name in said(thread, "has left the server").content
    await mover.slash(thread, "game claim")
    assert (await world.bot.tables.get(1)).status == "over"


async def test_a_player_is_looked_up_twice_a_day_at_most(world, monkeypatch):
    looked: list[int] = []
    real = presence_module.gone

    async def counted(guild, user_id):
        looked.append(user_id)
        return await real(guild, user_id)

    monkeypatch.setattr(presence_module, "gone", counted)
    thread = await begun(world, "kamisado")
    for _ in range(3):
        await first_move(world, thread)
    assert sorted(looked) == sorted({world.ann.id, world.ben.id})
    await world.env.advance_time(DAY / 2 + 1)
    for _ in range(2):
        await first_move(world, thread)
    assert len(looked) == 4


async def test_a_look_up_that_fails_holds_up_no_board(world):
    thread = await begun(world, "kamisado")
    await world.env.advance_time(DAY)
    boards = len([message for message in thread.history() if message.attachments])
    world.env.inject_error("GET", "/guilds/*/members/*", status=503, times=None)
    await first_move(world, thread)
    assert len([message for message in thread.history() if message.attachments]) == boards + 1
    assert len(last_board(thread).mentions) == 1
    assert not [message for message in thread.history() if "has left" in message.content]


async def test_a_hand_that_cannot_be_sent_asks_whether_its_player_is_gone(world):
    dm = world.ben.user.dm_channel
    world.env.inject_error("POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None)
    world.env.inject_error("GET", f"/guilds/*/members/{world.ben.id}", status=404, code=10007, times=None)
    thread = await begun(world, "rokumon")
    assert world.ben.name in said(thread, "has left the server").content
    assert not [message for message in thread.history() if "closed" in message.content]


async def forgets(world, guild_id):
    """Discord does not tell the next start of a server."""
    kept = world.env.backend.guilds.pop(guild_id)
    await world.restart()
    await world.env.settle()
    return kept


async def test_a_server_that_removed_the_bot_while_it_did_not_run_waits_and_is_told_once(world):
    thread = await begun(world, "kamisado")
    place = (await world.bot.tables.get(1)).place
    before = thread.history()
    kept = await forgets(world, world.guild.id)
    assert await world.bot.tables.is_removed(world.guild.id)
    await world.env.advance_time(3 * DAY)
    world.env.backend.guilds[kept.id] = kept
    await world.restart()  # GUILD_CREATE comes with the start
    await world.env.settle()
    assert not await world.bot.tables.is_removed(world.guild.id)
    after = thread.history()[len(before) :]
    assert ["I am back" in message.content for message in after] == [True, False]
    assert after[1].attachments
    assert (await world.bot.tables.get(1)).place == place
    await world.restart()
    await world.env.settle()
    assert len(thread.history()) == len(before) + 2


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
