"""Places where the bot cannot post: the table stands, everybody is told, and it goes on elsewhere (13.A1)."""

from __future__ import annotations

import pytest

from tests.discord.conftest import text_of
from tests.discord.test_courier import deny, move, unsent

DAY = 24 * 3600
FAST = "match=single seat=first clock=fast timeout=lose"


def dms(member):
    return [message.content for message in member.user.dm_channel.history(viewer=member.user)]


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
            world.env.inject_error("POST", f"/channels/{place.id}/messages", status=status, code=code, times=None)
    await world.env.settle()


@pytest.mark.parametrize("how", ["deleted", "hidden", (403, 50013), (404, 10003), (400, 50008), (400, 50024)])
async def test_where_nothing_can_be_posted_nobody_loses_by_time_and_everybody_is_told(world, how):
    thread = await world.start(FAST)
    hall = world.guild.create_text_channel("hall")
    await close(world, thread, how)
    await world.ann.slash(hall, "move", move="d8-d4", table=1)
    called = [text for text in dms(world.ben) if "your turn" in text or "waits for you" in text]
    assert called
    assert "cannot post" in called[0]
    for _ in range(4):
        await world.env.advance_time(DAY)
    table = await world.bot.tables.get(1)
    assert table.status == "running"
    assert table.barred_at is not None
    assert "cannot post" in text_of(await world.ben.slash(hall, "games"))
    told = text_of(await world.ben.slash(hall, "move", move=(await moves_in(world, hall))[0], table=1))
    assert "Played" in told
    assert "/game move-here" in told
    assert any("waits for you" in text for text in dms(world.ann)), "who is called is called by DM"
    world.env.backend.faults.clear()
    moved = text_of(await world.ann.slash(hall, "game move-here", table=1))
    assert "#1" in moved
    assert await unsent(world) == []
    table = await world.bot.tables.get(1)
    assert table.place.channel_id == hall.id
    assert table.barred_at is None
    (again,) = hall.threads
    told = [message.content for message in again.history() if "moves" in message.content]
    assert len(told) >= 2, "what could not be posted is posted"
    assert world.clock.now() - (await world.bot.tables.get(1)).seats[0].ticks_since < 60_000
    await move_in(world, again)
    assert await unsent(world) == []


async def moves_in(world, channel):
    mover = await world.to_move()
    return [str(choice["value"]) for choice in await mover.autocomplete(channel, "move", "move", "", table=1)]


async def move_in(world, channel):
    mover = await world.to_move()
    return await mover.slash(channel, "move", move=(await world.moves(channel))[0])
