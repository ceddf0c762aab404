"""Whatever is asked, at whatever time and by whomever, is answered kindly, and to who asked alone."""

from __future__ import annotations

import asyncio

import discord
import pytest
from discord import app_commands
from simcord.backend.models import Overwrite
from simcord.builders import UserHandle
from simcord.enums import OverwriteType

from cogs.text.answers import listed
from locales import words
from render.kamisado import painter
from tables.core.errors import TableError
from tables.core.model import User
from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.discord.test_kamisado_matches import quickest
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

OF_A_TABLE = (
    "join", "leave", "start", "cancel", "info", "resign", "offer-draw", "undo", "replace", "remind", "export",
    "replay", "rematch", "verify", "claim", "pause",
)  # fmt: skip
ELSEWHERE = "There is no such table here"


async def bot_as_user(world):
    return UserHandle(world.env, world.env.backend.get_user(world.bot.user.id))


async def foreigner(world, user=None):
    """Somebody who moderates another server, and a channel there."""
    guild = world.env.create_guild("Elsewhere")
    role = guild.create_role("boss", permissions=discord.Permissions(manage_messages=True, manage_guild=True))
    user = user or world.env.create_user("Eve")
    return guild.add_member(user, roles=[role]), guild.create_text_channel("hall")


async def status(world, number=1):
    return (await world.bot.tables.get(number)).status


async def test_without_a_table_one_is_told_how_to_name_or_make_one(world):
    for command in OF_A_TABLE:
        told = answer_of(await world.cho.slash(world.channel, f"game {command}"))
        assert "`table:`" in wording(told), command
        assert "`/game new`" in wording(told), command
        for number in (0, -1, 2**53 - 1):
            told = answer_of(await world.cho.slash(world.channel, f"game {command}", table=number))
            assert wording(told).startswith(ELSEWHERE), command


async def test_a_table_of_another_server_does_not_exist(world):
    await world.start()
    eve, hall = await foreigner(world)
    await eve.send_dm("hello")
    for command in OF_A_TABLE:
        told = answer_of(await eve.slash(hall, f"game {command}", table=1))
        assert wording(told).startswith(ELSEWHERE), command
        assert not told.attachments
    for command, options in (("board", {}), ("hand", {}), ("note", {}), ("move", {"move": "d8-d4"})):
        for ask in (lambda *a, **o: eve.slash(hall, *a, **o), eve.user.slash):
            told = answer_of(await ask(command, table=1, **options))
            assert wording(told).startswith(ELSEWHERE), command
    assert await eve.autocomplete(hall, "move", "move", "", table=1) == []
    assert await eve.autocomplete(hall, "game info", "table", "1") == []
    assert await status(world) == "running"


async def test_ones_own_table_is_found_from_another_server_but_not_moderated_there(world):
    await world.start()
    ann, hall = await foreigner(world, world.ann.user)
    assert "Ann" in text_of(await ann.slash(hall, "game info", table=1))
    asked = answer_of(await ann.slash(hall, "game cancel", table=1))
    await ann.click(asked, custom_id=button(asked, "Yes, end this game"))
    assert await status(world) == "running"
    assert "Ben" not in wording(asked)
    assert "don't play" in text_of(await world.cho.slash(world.thread(), "game cancel"))


async def test_who_moderates_one_channel_ends_no_table_of_another(world):
    thread = await world.start()
    other = world.guild.create_text_channel("own")
    right = discord.Permissions(manage_messages=True).value
    mine = Overwrite(target_id=world.cho.id, type=OverwriteType.MEMBER, allow=right, deny=0)
    world.env.backend.get_channel(other.id).overwrites.append(mine)
    assert "don't play" in text_of(await world.cho.slash(other, "game cancel", table=1))
    role = world.guild.create_role("mod", permissions=discord.Permissions(manage_messages=True))
    mod = world.guild.add_member(world.env.create_user("Mod"), roles=[role])
    for channel in (other, thread):
        asked = answer_of(await mod.slash(channel, "game cancel", table=1))
        assert "agree" not in wording(asked)
    await mod.click(asked, custom_id=button(asked, "Yes, end this game"))
    assert await status(world) == "cancelled"


async def test_what_a_table_that_has_not_started_cannot_do_is_said_to_who_asks_alone(world):
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user)
    for command in ("board", "hand", "game resign", "game undo", "game rematch", "game replay", "game pause"):
        told = answer_of(await world.ann.slash(world.channel, command, table=1))
        assert "hasn't started yet" in wording(told), command
    assert "1 of 2" in text_of(await world.ann.slash(world.channel, "game start", table=1))


async def test_a_closed_lobby_is_not_a_game_that_is_over(world):
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user)
    await world.ann.slash(world.channel, "game leave", table=1)
    assert "waiting" not in wording(world.channel.last_message)
    for command in ("cancel", "rematch", "resign", "undo", "offer-draw"):
        told = answer_of(await world.ann.slash(world.channel, f"game {command}", table=1))
        assert "before its game began" in wording(told), command


async def test_who_wants_to_leave_a_running_game_is_told_the_ways_out(world):
    thread = await world.start()
    told = text_of(await world.ann.slash(thread, "game leave"))
    assert "`/game resign`" in told
    assert "`/game replace`" in told


async def test_two_who_press_join_at_once_get_one_seat_between_them(world):
    await world.ann.slash(world.channel, "game new", game="kamisado")
    users = [User(member.id, member.name) for member in (world.ben, world.cho)]
    joins = [world.bot.tables.join(1, user, number) for number, user in enumerate(users, 1)]
    assert (
        sum(isinstance(end, TableError) for end in await asyncio.gather(*joins, return_exceptions=True)) == 1
    )
    table = await world.bot.tables.get(1)
    assert table.status == "running"
    assert len({seat.user_id for seat in table.seats}) == len(table.seats) == 2
    late = world.cho if world.ben.id in {seat.user_id for seat in table.seats} else world.ben
    assert "already started" in text_of(await late.slash(world.channel, "game join", table=1))


async def test_nobody_plays_against_himself(world):
    told = await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ann.user)
    assert "Invite somebody else" in wording(answer_of(told))
    assert world.channel.history() == []


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
async def test_the_bot_itself_starts_at_once_and_ends_without_a_vote(world, level):
    options = f"match=single seat=last level={level}"
    me = await bot_as_user(world)
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=me, options=options)
    await world.bot.tables.settled()
    await world.env.settle()
    thread = world.thread()
    assert len([post for post in thread.history() if post.attachments]) == 2
    assert "doesn't accept a draw now" in text_of(await world.ann.slash(thread, "game offer-draw"))
    asked = answer_of(await world.ann.slash(thread, "game cancel"))
    assert "agree" not in wording(asked)
    await world.ann.click(asked, custom_id=button(asked, "Yes, end this game"))
    assert await status(world) == "cancelled"


async def test_a_game_that_has_not_begun_to_move_can_be_looked_back_on(world):
    thread = await world.start()
    shown = answer_of(await world.ann.slash(thread, "game replay"))
    assert "move 0 of 0" in wording(shown)
    assert "isn't that long" in text_of(await world.ann.slash(thread, "game replay", at=7))


async def test_who_has_to_wait_and_writes_nonsense_is_told_to_wait(world):
    thread = await world.start()
    for text in ("hello", "[" * 2000, "9" * 3000, "{}", "null", "\x00", "`@everyone`", "👻"):
        told = answer_of(await (await world.other()).slash(thread, "move", move=text))
        assert "isn't your turn" in wording(told), text
        told = answer_of(await (await world.to_move()).slash(thread, "move", move=text))
        assert "Legal now, for example: `" in wording(told), text


async def test_a_clock_is_asked_for_in_words_of_its_own(world):
    thread = await world.start()
    assert "`slow`" in text_of(await world.ann.slash(thread, "game clock", clock="what?"))
    assert "asked" in text_of(await world.ann.slash(thread, "game clock", clock="custom bank=1d"))
    told = await world.ann.slash(world.channel, "game new", game="kamisado", options="clock=custom bank=0d")
    assert "`bank` can't be `0d`" in text_of(told)


async def test_a_long_note_is_shown_whole(world):
    thread = await world.start()
    told = text_of(await world.ann.slash(thread, "note", note="word " * 190 + "end"))
    assert told.endswith("end")
    assert len(text_of(await world.ann.slash(thread, "note", note="*" * 1000))) <= 2000


async def test_an_undo_that_is_refused_or_lapses_takes_nothing_back(world):
    thread = await world.start()
    for _ in range(2):
        mover = await world.to_move()
        await mover.slash(thread, "move", move=quickest(await world.moves(thread)))
    asker, other = await world.other(), await world.to_move()
    await asker.slash(thread, "game undo")
    await asker.slash(thread, "game undo")
    assert sum("take back" in wording(post) for post in thread.history()) == 1
    question = thread.last_message
    assert "your own question" in text_of(await asker.click(question, custom_id=button(question, "Yes")))
    await other.click(question, custom_id=button(question, "No"))
    assert "nothing changes" in wording(thread.last_message)
    await asker.slash(thread, "game undo")
    question, before = thread.last_message, await world.bot.tables.get(1)
    await other.slash(thread, "move", move=quickest(await world.moves(thread)))
    assert "already closed" in text_of(await other.click(question, custom_id=button(question, "Yes")))
    assert (await world.bot.tables.get(1)).version == before.version + 1


async def test_a_draw_is_no_longer_on_offer_once_the_other_has_moved(world):
    thread = await world.start()
    await (await world.other()).slash(thread, "game offer-draw")
    question, mover = thread.last_message, await world.to_move()
    await mover.slash(thread, "move", move=quickest(await world.moves(thread)))
    assert "already closed" in text_of(await mover.click(question, custom_id=button(question, "Yes")))
    assert await status(world) == "running"


async def test_a_rematch_asked_for_by_all_and_often_is_one_table(world):
    thread = await world.start()
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    for _ in range(2):
        told = await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    assert "is over" in text_of(told)
    last = thread.last_message
    assert "don't play" in text_of(await world.cho.click(last, custom_id=button(last, "Rematch")))
    for player in (world.ann, world.ann, world.ben, world.ann, world.ben):
        await player.click(last, custom_id=button(last, "Rematch"))
        await player.slash(thread, "game rematch")
    assert await status(world, 2) == "running"
    assert "no such table" in text_of(await world.ann.slash(thread, "game info", table=3))


async def test_a_game_for_more_than_two_has_its_start_button_from_the_first(world):
    told = await world.ann.slash(world.channel, "game new", game="shogun", opponent=world.ben.user)
    assert "`/game start`" in text_of(told)
    assert "Start" in controls(world.channel.last_message).values()


async def test_a_restart_between_the_move_and_its_post_loses_nothing(world):
    thread = await world.start()
    before = len(thread.history())
    world.env.inject_error("POST", f"/channels/{thread.id}/messages", status=503, times=None)
    mover = await world.to_move()
    await mover.slash(thread, "move", move=quickest(await world.moves(thread)))
    world.env.backend.faults.clear()
    await world.restart()
    await world.env.advance_time(3600)
    assert len(thread.history()) == before + 1
    assert mover.mention not in wording(last_board(thread))


async def test_where_the_bot_may_not_write_any_more_one_can_still_play_and_read(world):
    thread = await world.start()
    denied = discord.Permissions(view_channel=True).value
    shut = Overwrite(target_id=world.bot.user.id, type=OverwriteType.MEMBER, allow=0, deny=denied)
    world.env.backend.get_channel(world.channel.id).overwrites.append(shut)
    mover = await world.to_move()
    told = answer_of(await mover.slash(thread, "move", move=quickest(await world.moves(thread))))
    assert "Played `" in wording(told)
    assert "View Channel" in wording(told)
    told = await world.cho.slash(world.channel, "game new", game="kamisado")
    assert "View Channel" in wording(answer_of(told))


async def test_a_board_in_words_that_one_message_does_not_hold_comes_in_several(world, monkeypatch):
    thread = await world.start()
    lines = [f"{number} {'word ' * 18}." for number in range(60)]
    monkeypatch.setattr(painter, "describe", lambda _: "\n".join(lines))
    board = last_board(thread)
    for told in (
        await world.cho.slash(world.channel, "board", text=True, table=1),
        await world.cho.click(board, custom_id=button(board, "Board in words")),
    ):
        said = [told.response, *told.followups]
        assert all(part.ephemeral and len(wording(part)) <= 2000 for part in said)
        assert "\n".join(wording(part) for part in said).split("\n") == lines


def test_a_list_that_does_not_fit_counts_what_is_left_out():
    lines = [f"https://discord.com/channels/{number:0120}" for number in range(25)]
    shown = listed(lines, words("en")).split("\n")
    assert len("\n".join(shown)) <= 2000
    assert shown[:-1] == lines[: len(shown) - 1]
    assert str(len(lines) - len(shown) + 1) in shown[-1]
    assert listed(lines[:3], words("en")).split("\n") == lines[:3]


NONSENSE = (
    "at", "at.1", "at.x.o", "at.99.o.1", "at.0.77.f", "take", "take.x", "take.9", "claim", "claim.9",
    "v999y", "p99.9", "p0-99999", "s99~9", "p!0+1~3", "c", "w5", "plan.fill", "L.x",
)  # fmt: skip


async def test_a_button_that_says_nonsense_is_answered(world):
    thread = await world.start()
    board = last_board(thread)
    stored = world.env.backend.get_message(thread.id, board.id)
    for action in NONSENSE:
        made = {"type": 2, "style": 2, "label": "?", "custom_id": f"t:1:1:{action}"}
        for who in (world.ann, world.cho):
            row = {"type": 1, "components": [made]}  # an answer may have taken it away
            stored.components[:] = [{"type": 17, "accent_color": 1, "components": [row]}]
            assert (await who.click(board, custom_id=made["custom_id"])).acknowledged, action
    assert (await world.bot.tables.get(1)).to_act == {0}


@pytest.mark.long
async def test_every_completion_takes_whatever_is_typed(world):
    thread = await world.start()
    await world.ann.slash(world.channel, "game new", game="shogun")
    role = world.guild.create_role("chief", permissions=discord.Permissions(manage_guild=True))
    chief = world.guild.add_member(world.env.create_user("Chief"), roles=[role])
    asked = 0
    for command in world.bot.tree.walk_commands():
        everybody = ((world.ann, thread), (world.cho, world.channel))
        askers = ((chief, thread),) if command.qualified_name.startswith("admin") else everybody
        for option in () if isinstance(command, app_commands.Group) else command.parameters:
            for typed in ("", "9" * 60, "`\x00\u202e💥") if option.autocomplete else ():
                for who, channel in askers:
                    offered = await who.autocomplete(channel, command.qualified_name, option.name, typed)
                    texts = [str(choice[part]) for choice in offered for part in ("name", "value")]
                    assert len(offered) <= 25
                    assert all(1 <= len(text) <= 100 for text in texts)
                    asked += 1
    assert asked > 150


async def test_however_long_a_caption_is_the_ping_and_the_result_are_in_the_post(world, monkeypatch):
    monkeypatch.setattr(painter, "caption", lambda _: "word " * 800)
    thread = await world.start()
    mover = await world.to_move()
    assert mover.mention in wording(last_board(thread))
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    assert wording(thread.last_message).startswith("# Won by ")
    assert all(len(wording(post)) <= 2000 for post in thread.history())


async def test_a_private_table_says_that_it_is_and_to_whom_it_is_closed(world):
    invited = {"opponent": world.ben.user, "options": "private=yes"}
    await world.ann.slash(world.channel, "game new", game="kamisado", **invited)
    lobby = world.channel.last_message
    assert "Private" in wording(lobby)
    for told in (
        await world.cho.click(lobby, custom_id=button(lobby, "Join")),
        await world.cho.slash(world.channel, "game info", table=1),
        await world.cho.slash(world.channel, "game export", table=1),
    ):
        assert "no such table" in wording(answer_of(told))
    assert "started" in text_of(await world.ben.click(lobby, custom_id=button(lobby, "Join")))
