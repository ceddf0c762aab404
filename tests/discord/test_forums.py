"""A post a table in a forum, with tags for the game and for how it stands that are kept in step (17.5)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from cogs.posting import forums
from cogs.text.layout import laid_out
from locales import words
from tests.discord.conftest import button, buttons, text_of
from tests.discord.months import delivered
from tests.unsent import destinations

pytestmark = pytest.mark.usefixtures("sketches")
NEW = {"game": "kamisado", "options": "match=single seat=first"}


@pytest.fixture
async def forum(world):
    """A forum that the server's manager, Eve, has chosen."""
    boss = world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    eve = world.guild.add_member(world.env.create_user("Eve"), roles=[boss])
    made = world.guild.create_forum_channel("games")
    made.told = text_of(await eve.slash(world.channel, "settings", forum=made))
    return made


def tags_of(world):
    """The tags of the newest post, by name."""
    return sorted(tag.name for tag in post_of(world).applied_tags)


def post_of(world):
    """The newest thread of the bot's server."""
    return max(world.bot.get_guild(world.guild.id).threads, key=lambda thread: thread.id)


async def test_a_table_has_a_post_in_the_servers_forum_and_its_tags_follow_it(world, forum):
    assert f"each gets a post in <#{forum.id}>" in forum.told
    await world.ann.slash(world.channel, "game new", opponent=world.ben.user, **NEW)
    await delivered(world)
    post, table = post_of(world), await world.bot.tables.get(1)
    assert (post.parent_id, post.id) == (forum.id, table.place.thread_id)
    assert tags_of(world) == ["Kamisado", "open"]
    await world.ben.slash(world.channel, "game join", table=1)
    await delivered(world)
    assert tags_of(world) == ["Kamisado", "running"]
    assert post_of(world).name == "#1 Kamisado: Ann, Ben"
    thread = forum.threads[-1]
    assert thread.history()[-1].attachments
    asked = (await world.ann.slash(world.channel, "game resign", table=1)).response
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    await delivered(world)
    assert tags_of(world) == ["Kamisado", "finished"]


async def test_a_post_is_named_by_who_plays_now_unless_people_have_named_it(world, forum):  # 17.5
    await world.ann.slash(world.channel, "game new", opponent=world.ben.user, **NEW)
    await world.ben.slash(world.channel, "game join", table=1)
    await delivered(world)
    await hands_over(world, forum, world.ann, world.cho)
    assert post_of(world).name == "#1 Kamisado: Cho, Ben"
    await post_of(world).edit(name="Friday's game")
    dan = world.guild.add_member(world.env.create_user("Dan"))
    await hands_over(world, forum, world.ben, dan)
    assert post_of(world).name == "Friday's game"


async def hands_over(world, forum, old, new):
    """A player gives the own seat to somebody else, who takes it."""
    thread = forum.threads[-1]
    await old.slash(thread, "game replace", new=new.user)
    await delivered(world)
    offer = next(m for m in reversed(thread.history()) if "Take the seat" in buttons(m).values())
    await new.click(offer, custom_id=button(offer, "Take the seat"))
    await delivered(world)


async def test_a_game_made_in_a_post_gets_a_post_of_its_own_and_a_private_one_none(world):
    forum = world.guild.create_forum_channel("games")
    me = world.bot.get_channel(forum.id)
    talk = (await me.create_thread(name="talk", view=laid_out("Who plays?"))).thread
    await world.env.settle()
    await world.ann.slash(forum.threads[-1], "game new", opponent=world.ben.user, **NEW)
    await delivered(world)
    table = await world.bot.tables.get(1)
    assert table.place.channel_id == forum.id
    assert table.place.thread_id not in (None, talk.id)
    private = {**NEW, "options": f"{NEW['options']} private=yes"}
    await world.ann.slash(forum.threads[0], "game new", opponent=world.ben.user, **private)
    assert (await world.bot.tables.get(2)).place.thread_id == forum.threads[0].id


async def test_a_post_that_was_made_before_a_crash_is_not_made_again(world, forum, monkeypatch):
    made = []
    real = discord.ForumChannel.create_thread

    async def cut_off(channel, **values):
        made.append(await real(channel, **values))
        raise OSError("the line broke after Discord had it")

    with monkeypatch.context() as cut:
        cut.setattr(discord.ForumChannel, "create_thread", cut_off)
        await world.ann.slash(world.channel, "game new", opponent=world.ben.user, **NEW)
        await delivered(world)
    await world.restart()
    await world.env.advance_time(60)
    await delivered(world)
    assert len(made) == 1
    assert [thread.id for thread in forum.threads] == [made[0].thread.id]
    assert (await world.bot.tables.get(1)).place.thread_id == made[0].thread.id


async def test_what_begins_a_post_is_not_sent_again_where_the_crash_came_after_its_place_was_known(
    world, forum, monkeypatch
):
    real = world.bot.tables.placed

    async def cut_off(*args, **values):
        await real(*args, **values)
        raise OSError("the line broke after the place was written")

    with monkeypatch.context() as cut:
        cut.setattr(world.bot.tables, "placed", cut_off)
        await world.ann.slash(world.channel, "game new", opponent=world.ben.user, **NEW)
        await delivered(world)
    await world.env.advance_time(30)
    await delivered(world)
    [thread] = forum.threads
    assert len(thread.history()) == 1
    assert (await world.bot.tables.get(1)).lobby_message_id == thread.history()[0].id


async def test_tags_that_discord_does_not_take_now_send_no_post_twice(world, forum, monkeypatch):
    async def breaks(*_args):
        raise OSError("the line broke")

    monkeypatch.setattr(forums, "in_step", breaks)
    await world.ann.slash(world.channel, "game new", opponent=world.ben.user, **NEW)
    await world.ben.slash(world.channel, "game join", table=1)
    await delivered(world)
    said = len(forum.threads[-1].history())
    await world.env.advance_time(600)
    await delivered(world)
    assert len(forum.threads[-1].history()) == said
    assert await destinations(world.bot.database.reads) == []


async def test_tags_that_were_not_taken_with_the_last_post_are_set_later(world, forum):  # 17.5
    await world.ann.slash(world.channel, "game new", opponent=world.ben.user, **NEW)
    await world.ben.slash(world.channel, "game join", table=1)
    await delivered(world)
    asked = (await world.ann.slash(world.channel, "game resign", table=1)).response
    world.env.inject_error("PATCH", f"/channels/{post_of(world).id}", status=503, times=6)
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    await delivered(world)
    assert tags_of(world) == ["Kamisado", "running"]
    said = len(forum.threads[-1].history())
    await world.env.advance_time(3600)
    await delivered(world)
    assert tags_of(world) == ["Kamisado", "finished"]
    assert len(forum.threads[-1].history()) == said
    assert await destinations(world.bot.database.reads) == []


async def test_a_post_that_is_deleted_is_followed_by_another(world, forum):
    await world.ann.slash(world.channel, "game new", opponent=world.ben.user, **NEW)
    await world.ben.slash(world.channel, "game join", table=1)
    await delivered(world)
    first = post_of(world)
    await first.delete()
    await world.env.settle()
    offered = await world.ann.autocomplete(world.channel, "move", "move", "#1 ")
    await world.ann.slash(world.channel, "move", move=str(offered[0]["value"]))
    await delivered(world)
    table = await world.bot.tables.get(1)
    assert table.place.thread_id not in (None, first.id)
    assert table.barred_at is None


async def test_what_the_bot_lacks_for_tags_is_said_where_the_forum_is_chosen(world):
    boss = world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    eve = world.guild.add_member(world.env.create_user("Eve"), roles=[boss])
    forum = world.guild.create_forum_channel("games")
    manage = discord.Permissions(manage_channels=True).value
    me = Overwrite(target_id=world.bot.user.id, type=OverwriteType.MEMBER, allow=0, deny=manage)
    stored = world.env.backend.get_channel(forum.id)
    world.env.backend.edit_channel(forum.id, {}, overwrites=[*stored.overwrites, me])
    await world.env.settle()
    told = text_of(await eve.slash(world.channel, "settings", forum=forum))
    assert "Give me **Manage Channels** in that forum" in told
    assert "Kamisado" in told


async def test_a_forum_that_wants_a_tag_and_has_none_of_ours_takes_one_of_its_own():
    free, staff = (discord.ForumTag(name=name, moderated=name == "staff") for name in ("chat", "staff"))
    me: Any = SimpleNamespace(manage_channels=False, manage_threads=False)
    forum: Any = SimpleNamespace(
        permissions_for=lambda _: me,
        guild=SimpleNamespace(me=None),
        available_tags=[staff, free],
        flags=SimpleNamespace(require_tag=True),
    )
    table: Any = SimpleNamespace(game="kamisado", status="open")
    assert await forums.tags_for(forum, table, words("en")) == [free]
    forum.flags.require_tag = False
    assert await forums.tags_for(forum, table, words("en")) == []
