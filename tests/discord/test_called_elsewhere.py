"""Called by DM with the way to the table, or once a day; at the table where no DM arrives (17.5, 17.6)."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import cast

import pytest

from cogs.posting.chapter_posts import nudges
from db.rows import OutboxRow, UserRow
from tables.core.elsewhere import Elsewhere
from tables.core.model import Table
from tests.discord.conftest import answer_of, button, text_of
from tests.discord.months import delivered, said
from tests.messages import parts_of, wording

pytestmark = pytest.mark.usefixtures("sketches")


def letters_to(member):
    """The bot's direct messages to a member, answers to presses not among them."""
    sent = member.user.dm_channel.history(viewer=member.user)
    return [message for message in sent if not message.flags.ephemeral]


async def move(world, member, thread):
    """The first thing that this member may do."""
    offered = await member.autocomplete(thread, "move", "move", "")
    await member.slash(thread, "move", move=str(offered[0]["value"]))


async def test_a_call_by_dm_has_the_panel_and_the_way_to_the_table_and_one_stays(world):
    told = text_of(await world.ben.slash(world.channel, "settings", call="dm"))
    assert "I tell you that it is your turn: by direct message" in told
    thread = await world.start()
    await move(world, world.ann, thread)
    assert not any(world.ben.id in message.raw_mentions for message in thread.history())
    await delivered(world)
    [call] = letters_to(world.ben)
    assert "**#1 Kamisado**: it is your turn." in wording(call)
    ways = [part["url"] for part in parts_of(call) if part.get("url")]
    assert ways[0].startswith(f"https://discord.com/channels/{world.guild.id}/{thread.id}")
    panel = answer_of(await world.ben.user.click(call, custom_id=button(call, "Your turn")))
    assert panel.attachments
    await move(world, world.ben, thread)
    await move(world, world.ann, thread)
    await delivered(world)
    [newer] = letters_to(world.ben)
    assert newer.id != call.id


async def test_whom_no_dm_reaches_is_called_at_the_table_from_then_on(world):
    await world.ben.slash(world.channel, "settings", call="dm")
    world.env.inject_error(
        "POST", f"/channels/{world.ben.user.dm_channel.id}/messages", status=403, code=50007, times=None
    )
    thread = await world.start()
    await move(world, world.ann, thread)
    line = said(thread, "I couldn't send you a direct message, so I will call you here")
    assert [user.id for user in line.mentions] == [world.ben.id]
    assert "at the table" in text_of(await world.ben.slash(world.channel, "settings"))


async def test_a_digest_lists_what_waits_with_a_button_each(world):
    await world.ben.slash(world.channel, "settings", call="digest", digest="6:30pm", zone="Asia/Tokyo")
    thread = await world.start()
    await move(world, world.ann, thread)
    assert letters_to(world.ben) == []
    await world.env.advance_time(24 * 3600)
    await delivered(world)
    [digest] = letters_to(world.ben)
    assert "Games that wait for you" in wording(digest)
    assert "#1 Kamisado" in wording(digest)
    assert answer_of(await world.ben.user.click(digest, custom_id=button(digest, "Your turn"))).attachments


async def test_who_gets_no_digest_is_called_at_each_table_that_waits(world):  # 17.6
    await world.ben.slash(world.channel, "settings", call="digest")
    thread = await world.start()
    await move(world, world.ann, thread)
    world.env.inject_error(
        "POST", f"/channels/{world.ben.user.dm_channel.id}/messages", status=403, code=50007, times=None
    )
    await world.env.advance_time(24 * 3600)
    await delivered(world)
    line = said(thread, "I couldn't send you a direct message, so I will call you here")
    assert [user.id for user in line.mentions] == [world.ben.id]
    assert "at the table" in text_of(await world.ben.slash(world.channel, "settings"))


def test_the_line_below_a_board_in_direct_messages_calls_there():  # 17.5
    told = {"table": 1, "game": "kamisado", "version": 1, "locale": "en", "names": [], "users": [7]}
    board = json.dumps({**told, "mention": [7], "direct": True})
    row = OutboxRow(1, 1, "table:1", "board", board, "1", "queued", 0, 0, None, None, None, 0, None)
    [nudge] = nudges(row, cast(Table, SimpleNamespace(id=1)))
    elsewhere = Elsewhere()
    elsewhere.note(7, UserRow(7, "Ben", None, None, dm=True, call_by="digest"))
    assert elsewhere.redirected([nudge]) == ([nudge], frozenset())
