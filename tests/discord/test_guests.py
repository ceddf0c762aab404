"""Who is not there is not invited, and nothing starts with who has left (13.A5)."""

from __future__ import annotations

import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from tables.core.model import User
from tables.reading import keepers
from tests.discord.conftest import button, text_of
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

NEW = {"game": "kamisado", "options": "match=single seat=first"}
VIEW = 1 << 10


def hidden_from(world, member):
    hidden = Overwrite(target_id=member.id, type=OverwriteType.MEMBER, allow=0, deny=VIEW)
    world.env.backend.set_overwrite(world.channel.id, hidden)


def leaves(world, member):
    world.env.backend.remove_member(world.guild.id, member.id)


async def statuses(world):
    rows = await world.bot.database.reads.all("SELECT status FROM tables ORDER BY id")
    return [row["status"] for row in rows]


async def test_who_is_not_in_the_server_is_not_invited(world):
    outside = world.env.create_user("Dan")
    told = text_of(await world.ann.slash(world.channel, "game new", opponent=outside, **NEW))
    assert "Dan isn't in this server" in told
    assert await statuses(world) == []
    await world.ann.slash(world.channel, "game new", **NEW)
    told = text_of(await world.ann.slash(world.channel, "game invite", player=outside, table=1))
    assert "Dan isn't in this server" in told
    await world.ben.slash(world.channel, "game join", table=1)
    told = text_of(await world.ben.slash(world.thread(), "game replace", new=outside))
    assert "Dan isn't in this server" in told


async def test_who_cannot_see_the_channel_is_not_invited(world):
    hidden_from(world, world.cho)
    await world.env.settle()
    hall = world.guild.create_text_channel("hall")
    told = text_of(await world.ann.slash(world.channel, "game new", opponent=world.cho.user, **NEW))
    assert "Cho can't see" in told
    assert await statuses(world) == []
    await world.ann.slash(world.channel, "game new", **NEW)
    told = text_of(await world.ann.slash(hall, "game invite", player=world.cho.user, table=1))
    assert f"Cho can't see <#{world.channel.id}>" in told, "the table's channel, not the one of the command"


async def test_a_lobby_does_not_start_with_a_host_who_has_left(world):
    await world.ann.slash(world.channel, "game new", opponent=world.ben.user, **NEW)
    leaves(world, world.ann)
    world.bot.sightings.forget(world.guild.id, world.ann.id)
    told = text_of(await world.ben.slash(world.channel, "game join", table=1))
    assert "Ann has left the server" in told
    assert "running" not in await statuses(world)


async def test_a_table_of_several_does_not_start_with_a_guest_who_has_left(world):
    await world.ann.slash(world.channel, "game new", game="shogun")
    for member in (world.ben, world.cho):
        await member.slash(world.channel, "game join", table=1)
    leaves(world, world.cho)
    world.bot.sightings.forget(world.guild.id, world.cho.id)
    told = text_of(await world.ann.slash(world.channel, "game start", table=1))
    assert "Cho has left the server" in told
    table = await world.bot.tables.get(1)
    assert table.status == "open"
    assert table.seat_of(world.cho.id) is None, "the seat is free"


async def test_a_rematch_with_who_has_left_is_refused(world):
    thread = await world.start("match=single seat=first")
    asked = (await world.ben.slash(thread, "game resign")).response
    await world.ben.click(asked, custom_id=button(asked, "Yes, resign"))
    leaves(world, world.ben)
    world.bot.sightings.forget(world.guild.id, world.ben.id)
    told = text_of(await world.ann.slash(thread, "game rematch", table=1))
    assert "Ben has left the server" in told
    assert await statuses(world) == ["over"]


async def test_who_left_and_plays_on_by_dm_is_said_to_have_left_once_and_is_not_claimed_from(world):
    thread = await world.start("match=standard seat=first")
    await world.ann.slash(thread, "move", move="d8-d4")
    leaves(world, world.ben)
    world.bot.sightings.forget(world.guild.id, world.ben.id)
    with world.env._bot_scope():
        await world.bot.tables.gone(world.ben.id, "left", world.guild.id)
    await world.env.settle()
    for _ in range(3):
        for user in (world.ben, world.ann):
            options = await world.bot.tables.complete(1, user.id, thread.id, "")
            with world.env._bot_scope():
                guild = None if user is world.ben else world.guild.id
                await world.bot.tables.act(
                    1, user.id, options[0], interaction_id=hash((user.id, options[0])), guild_id=guild
                )
            await world.env.settle()
            await world.env.advance_time(13 * 3600)
    said = [message for message in thread.history() if "has left the server" in wording(message)]
    assert len(said) == 1
    assert (await world.bot.tables.get(1)).seats[1].gone == "outside"
    told = text_of(await world.ann.slash(thread, "game claim", table=1))
    assert (await world.bot.tables.get(1)).status == "running", told


async def test_where_the_bot_is_no_member_no_table_is_made_and_the_way_to_invite_it_is_named(
    world, monkeypatch
):  # 13.A7
    monkeypatch.setattr(world.bot, "get_guild", lambda _: None)
    told = text_of(await world.ann.slash(world.channel, "game new", opponent=world.ben.user, **NEW))
    assert "not a member of this server" in told
    assert f"client_id={world.bot.application_id}" in told
    assert await statuses(world) == []


async def test_what_a_player_needs_is_there_for_who_installed_the_bot_for_themselves(world):  # 17.5
    commands = [command.to_dict(world.bot.tree) for command in world.bot.tree.get_commands()]
    for_servers = {one["name"] for one in commands if tuple(one["integration_types"]) == (0,)}
    assert for_servers == {"admin", "leaderboard"}
    assert all(tuple(one["integration_types"]) in {(0,), (0, 1)} for one in commands)
    everywhere = {one["name"] for one in commands if tuple(one["contexts"]) == (0, 1, 2)}
    assert {"game", "play", "move", "board", "hand", "games", "rules", "settings", "help"} <= everywhere


async def test_the_leaderboard_leaves_out_who_has_left(world, monkeypatch):  # 13.A10
    monkeypatch.setattr(keepers, "LEAST", 0)
    thread = await world.start("match=single seat=first")
    asked = (await world.ann.slash(thread, "game resign")).response
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    told = text_of(await world.cho.slash(world.channel, "leaderboard", game="kamisado"))
    assert "Ann" in told
    assert "Ben" in told
    leaves(world, world.ben)
    world.bot.sightings.forget(world.guild.id, world.ben.id)
    told = text_of(await world.cho.slash(world.channel, "leaderboard", game="kamisado"))
    assert "Ann" in told
    assert "Ben" not in told


async def test_a_zone_that_todays_list_lacks_is_told(world):  # 13.A10
    with world.env._bot_scope():
        await world.bot.tables.prefer(User(world.ann.id, "Ann"), {"zone": "Mars/Phobos"})
    assert "Mars/Phobos no longer exists" in text_of(await world.ann.slash(world.channel, "settings"))


@pytest.mark.parametrize("private", ["no", "yes"])
async def test_threads_are_kept_for_as_long_as_discord_allows(world, private):  # 13.A10
    await world.start(f"match=single seat=first private={private}")
    thread = world.bot.get_channel(world.thread().id)
    assert thread.auto_archive_duration == 10_080
