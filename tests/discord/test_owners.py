"""What the owner of a server and every player may do about tables, limits and what is stored."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from simcord.backend.errors import SetupError

from cogs.commands.admin import managed as manages
from cogs.ops.health import Health
from cogs.ops.timers import Backups
from db.backup import copies
from locales import words
from tables.core.errors import TableError
from tables.privacy import FORGOTTEN
from tests.discord.conftest import answer_of, button, last_board, text_of
from tests.looks.galleries import speaking
from tests.messages import wording

ENGLISH = words("en")


@pytest.fixture
def managed(world):
    """With a manager who plays nowhere."""
    role = world.guild.create_role("chief", permissions=discord.Permissions(manage_guild=True))
    world.mod = world.guild.add_member(world.env.create_user("Mod"), roles=[role])
    return world


async def test_a_manager_allows_channels_and_sets_limits(managed):
    other = managed.guild.create_text_channel("elsewhere")
    told = text_of(await managed.mod.slash(managed.channel, "admin channels", channel=other, allowed=True))
    assert f"<#{other.id}>" in told
    refused = await managed.ann.slash(managed.channel, "game new", game="kamisado")
    assert f"<#{other.id}>" in wording(answer_of(refused))
    assert "set up" in text_of(await managed.ann.slash(other, "game new", game="kamisado"))
    await managed.mod.slash(managed.channel, "admin limits", **{"per-user": 1})
    assert "1 table at a time" in text_of(await managed.ann.slash(other, "game new", game="kamisado"))


async def test_a_manager_ends_a_table_after_one_more_question(managed):
    thread = await managed.start()
    asked = answer_of(await managed.mod.slash(managed.channel, "admin end", table=1))
    assert (await managed.bot.tables.get(1)).status == "running"
    press = button(asked, ENGLISH("button.adminend"))
    await managed.mod.click(asked, custom_id=press)
    assert (await managed.bot.tables.get(1)).status == "cancelled"
    last = last_board(thread)
    assert wording(last).startswith("# Ended without a result")
    shown = answer_of(await managed.cho.click(last, custom_id=button(last, "Seed")))
    assert (await managed.bot.tables.get(1)).seed in wording(shown)


async def test_a_manager_hands_a_seat_to_the_bot_but_never_to_himself(managed):
    await managed.start()
    slash, where = managed.mod.slash, managed.channel
    own = await slash(where, "admin hand-over", table=1, seat=1, player=managed.mod.user)
    assert wording(answer_of(own)) == ENGLISH("error.moderator-seat")
    done = await slash(where, "admin hand-over", table=1, seat=2, level="easy")
    assert wording(answer_of(done)) == ENGLISH("admin.handed")
    assert (await managed.bot.tables.get(1)).seats[1].level == "easy"
    assert text_of(await slash(where, "admin tables")) == ENGLISH("admin.no-stuck")


async def test_who_does_not_manage_the_server_does_not_see_the_commands(world):
    with pytest.raises(SetupError, match="default-member-permissions"):
        await world.cho.slash(world.channel, "admin tables")


def test_where_a_server_shows_the_commands_to_others_they_are_refused():
    asker: Any = SimpleNamespace(guild_id=1, permissions=discord.Permissions.none())
    with pytest.raises(TableError, match="not-a-manager"):
        manages(asker)
    asker.permissions.update(manage_guild=True)
    assert manages(asker) == 1


async def test_a_player_has_his_data_and_is_forgotten(world):
    await world.start()
    exported = answer_of(await world.ann.slash(world.channel, "privacy export"))
    found = json.loads(await exported.attachments[0].read()) if exported.attachments else {}
    assert found["user"][0]["name"] == "Ann"
    asked = answer_of(await world.ann.slash(world.channel, "privacy delete"))
    assert ENGLISH("term.forgotten") in wording(asked)
    assert (await world.bot.tables.get(1)).seats[0].user_id == world.ann.id
    done = await world.ann.click(asked, custom_id=button(asked, ENGLISH("button.forget")))
    assert "given to the bot: 1" in text_of(done)
    left = answer_of(await world.ann.slash(world.channel, "privacy export"))
    found = json.loads(await left.attachments[0].read())
    assert found.keys() == {"format", "discord_id", "left_seats"}, "kept until the game ends: he knows a hand"


async def test_who_is_forgotten_is_so_in_the_readers_language(world):  # 17
    thread = await world.start()
    sure = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(sure, custom_id=button(sure, "Yes, resign"))
    await speaking(world, "ja", (world.ann, world.ben))
    asked = answer_of(await world.ann.slash(world.channel, "privacy delete"))
    await world.ann.click(asked, custom_id=button(asked, words("ja")("button.forget")))
    told = [wording(asked)]
    for command, options in (("game info", {}), ("board", {"text": True}), ("board", {"log": True})):
        told.append(text_of(await world.ben.slash(thread, command, **options)))
    told.append(text_of(await world.ben.slash(thread, "game list", show="over")))
    for text in told:
        assert words("ja")("term.forgotten") in text
        assert FORGOTTEN not in text


async def test_health_is_told_on_a_local_port(world):
    await world.start()
    health = Health(world.bot, 0, "127.0.0.1")
    await health.start()
    assert health.port
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{health.port}") as session:
            async with session.get("/metrics") as answer:
                text = await answer.text()
            async with session.get("/healthz") as answer:
                state = await answer.json()
    finally:
        await health.close()
    for name in ("outbox_rows 0.0", "timers_late", "tables_running 1.0", "database_bytes", "shards"):
        assert f"hatamoto_{name}" in text
    assert "hatamoto_commit_seconds_count" in text
    assert "hatamoto_render_seconds_count" in text
    assert state["outbox"] == 0
    assert state["status"] in ("ok", "failing")


async def test_backups_are_made_on_time_also_after_a_restart_and_the_oldest_go(world, tmp_path):
    folder = tmp_path / "copies"
    with world.env._bot_scope():
        backups = Backups(world.bot.database, world.clock, folder, 24.0, keep=2)
        backups.look()
    await world.env.advance_time(120)
    assert len(copies(folder)) == 1, "the first one soon"
    for _ in range(3):
        await world.env.advance_time(24 * 3600 + 120)
    made = copies(folder)
    assert len(made) == 2
    await backups.close()
    with world.env._bot_scope():
        again = Backups(world.bot.database, world.clock, folder, 24.0, keep=2)
        again.look()
    await world.env.advance_time(3600)
    assert copies(folder) == made, "a restart makes none before its time"
    await again.close()
