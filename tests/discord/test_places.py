"""Places where the bot cannot post: the table stands, everybody is told, and it goes on elsewhere (13.A1)."""

from __future__ import annotations

import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from tests.discord.conftest import answer_of, button, text_of
from tests.discord.test_courier import deny, unsent
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

FAST = "match=single seat=first clock=fast timeout=lose"


def dms(member):
    return [wording(message) for message in member.user.dm_channel.history(viewer=member.user)]


async def days(world, count):
    for _ in range(count):
        await world.env.advance_time(24 * 3600)


async def resign(world, thread):
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    await world.env.settle()


async def close(world, thread, how):
    """The table's place is taken away."""
    backend = world.env.backend
    if how == "deleted":
        backend.delete_channel(thread.id)
        backend.delete_channel(world.channel.id)
    elif how == "hidden":
        await deny(world, view_channel=False)
    else:
        status, code = how
        for place in (thread, world.channel):
            world.env.inject_error(
                "POST", f"/channels/{place.id}/messages", status=status, code=code, times=None
            )
    await world.env.settle()


SAID = [(403, 50013), (404, 10003), (400, 50008), (400, 50024)]  # by Discord, of a place that takes no posts


@pytest.mark.parametrize(
    "how", ["hidden", *(pytest.param(how, marks=pytest.mark.long) for how in ("deleted", *SAID))]
)
async def test_where_nothing_can_be_posted_nobody_loses_by_time_and_everybody_is_told(world, how):
    thread = await world.start(FAST)
    hall = world.guild.create_text_channel("hall")
    await close(world, thread, how)
    await world.ann.slash(hall, "move", move="d8-d4", table=1)
    called = [text for text in dms(world.ben) if "your turn" in text or "is waiting for you" in text]
    assert called
    assert "can't post" in called[0]
    await days(world, 4)
    table = await world.bot.tables.get(1)
    assert table.status == "running"
    assert table.barred_at is not None
    assert "can't post" in text_of(await world.ben.slash(hall, "games"))
    told = text_of(await world.ben.slash(hall, "move", move=(await moves_in(world, hall))[0], table=1))
    assert "Played" in told
    assert "/game move-here" in told
    assert any("is waiting for you" in text for text in dms(world.ann)), "who is called is called by DM"
    world.env.backend.faults.clear()
    moved = text_of(await world.ann.slash(hall, "game move-here", table=1))
    assert "#1" in moved
    assert await unsent(world) == []
    table = await world.bot.tables.get(1)
    assert table.place.channel_id == hall.id
    assert table.barred_at is None
    (again,) = hall.threads
    posted = [wording(message) for message in again.history() if "moves" in wording(message)]
    assert len(posted) >= 2, "what could not be posted is posted"
    assert world.clock.now() - (await world.bot.tables.get(1)).seats[0].ticks_since < 60_000
    await move_in(world, again)
    assert await unsent(world) == []


async def moves_in(world, channel):
    mover = await world.to_move()
    return [str(choice["value"]) for choice in await mover.autocomplete(channel, "move", "move", "", table=1)]


async def move_in(world, channel):
    mover = await world.to_move()
    return await mover.slash(channel, "move", move=(await world.moves(channel))[0])


async def test_when_the_bot_may_post_again_the_table_goes_on_by_itself_where_it_was(world):
    thread = await world.start(FAST)
    await deny(world, view_channel=False)
    await move_in(world, thread)
    bank = (await world.bot.tables.get(1)).seats[1].bank
    await days(world, 2)
    world.env.backend.get_channel(world.channel.id).overwrites.clear()
    before = len(thread.history())
    await world.env.advance_time(3700)
    assert len(thread.history()) >= before + 2, "its thread was open again, and the table had not left it"
    assert "can post here again" in wording(thread.history()[-1])
    table = await world.bot.tables.get(1)
    assert table.barred_at is None
    assert table.place.thread_id == thread.id
    assert table.seats[1].bank == bank, "the time in between counts for nobody"


async def test_managers_see_the_tables_where_nothing_can_be_posted(world):
    thread = await world.start(FAST)
    hall = world.guild.create_text_channel("hall")
    await close(world, thread, "deleted")
    found = await world.bot.tables.stuck(world.guild.id)
    assert [(one.table.id, one.why) for one in found] == [(1, "barred")]
    await world.ben.slash(hall, "game move-here", table=1)
    assert await world.bot.tables.stuck(world.guild.id) == []


async def test_a_table_is_moved_by_who_plays_there_and_to_where_the_bot_may_post(world):
    thread = await world.start(FAST)
    hall = world.guild.create_text_channel("hall")
    assert "don't play" in text_of(await world.cho.slash(hall, "game move-here", table=1))
    assert "already" in text_of(await world.ann.slash(world.channel, "game move-here", table=1))
    assert (await world.bot.tables.get(1)).place.thread_id == thread.id
    await world.ann.slash(hall, "game move-here", table=1)
    (again,) = hall.threads
    assert (await world.bot.tables.get(1)).place.thread_id == again.id
    await move_in(world, again)
    assert again.history()[-1].attachments


async def test_nobody_takes_a_game_to_where_the_other_cannot_follow(world):  # 14.6, 14.7
    """Who does not hear of a turn loses by the clock; a moderator who plays can make such a channel."""
    thread = await world.start(FAST)
    back_room = world.guild.create_text_channel("back-room")
    hidden = Overwrite(target_id=world.ben.id, type=OverwriteType.MEMBER, allow=0, deny=1 << 10)
    world.env.backend.set_overwrite(back_room.id, hidden)
    await world.env.settle()
    told = text_of(await world.ann.slash(back_room, "game move-here", table=1))
    assert "Ben can't see" in told
    assert (await world.bot.tables.get(1)).place.thread_id == thread.id
    hall = world.guild.create_text_channel("hall")
    assert "#1" in text_of(await world.ben.slash(hall, "game move-here", table=1))
    assert (await world.bot.tables.get(1)).place.channel_id == hall.id


async def test_a_lobby_in_a_channel_that_is_gone_does_not_start_there(world):
    hall = world.guild.create_text_channel("hall")
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user)
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    assert "nobody can see it" in dms(world.ann)[-1]
    told = text_of(await world.ben.slash(hall, "game join", table=1))
    assert "/game move-here" in told
    assert (await world.bot.tables.get(1)).status == "open"
    await world.ann.slash(hall, "game move-here", table=1)
    await world.ben.slash(hall, "game join", table=1)
    assert (await world.bot.tables.get(1)).status == "running"
    assert hall.threads[-1].history()[-1].attachments
    assert await unsent(world) == []


async def test_a_rematch_of_a_game_whose_channel_is_gone_is_played_where_it_is_asked_for(world):
    thread = await world.start("match=single seat=first")
    await resign(world, thread)
    hall = world.guild.create_text_channel("hall")
    await close(world, thread, "deleted")
    await world.ann.slash(hall, "game rematch", table=1)
    await world.ben.slash(hall, "game rematch", table=1)
    table = await world.bot.tables.get(2)
    assert table.status == "running"
    assert table.place.channel_id == hall.id
    assert hall.threads[-1].history()[-1].attachments


async def test_the_end_of_a_game_that_cannot_be_posted_is_told_by_dm(world):
    thread = await world.start("match=single seat=first")
    await close(world, thread, (403, 50013))
    await resign(world, thread)
    assert "is over" in dms(world.ben)[-1]
    assert await unsent(world) == []


async def test_a_post_that_is_refused_for_what_it_says_calls_by_dm(world):
    thread = await world.start("match=single seat=first")
    world.env.inject_error("POST", f"/channels/{thread.id}/messages", status=400, code=200000, times=1)
    mover = await world.to_move()
    await mover.slash(thread, "move", move=(await world.moves(thread))[0])
    assert "accept my post" in dms(await world.to_move())[-1]
    assert (await world.bot.tables.get(1)).barred_at is None


async def test_a_channel_that_is_closed_and_opened_again_is_noticed_at_once(world):
    thread = await world.start(FAST)
    me = world.guild.me
    hidden = Overwrite(target_id=me.id, type=OverwriteType.MEMBER, allow=0, deny=1 << 10)
    world.env.backend.set_overwrite(world.channel.id, hidden)
    await world.env.settle()
    assert (await world.bot.tables.get(1)).barred_at is not None
    assert "can't post" in dms(world.ben)[-1]
    world.env.backend.delete_overwrite(world.channel.id, me.id)
    await world.env.settle()
    assert (await world.bot.tables.get(1)).barred_at is None
    assert "can post here again" in wording(thread.history()[-1])
