"""Who left the server and joined it again, in every game: found by what he does, by a call, by a claim."""

from __future__ import annotations

import pytest

from tests.discord.months_tables import DAY, TWO, Months, begun, every_game
from tests.discord.test_months_absence import GONE, pinged, waited

pytestmark = pytest.mark.usefixtures("sketches")
LEFT = GONE[10007]


async def back_in_the_server(world, game, extra=""):
    """Somebody who had to act left, was missed, and has joined again; nobody knows that yet."""
    months = await begun(world, game, extra)
    left = (await months.acting())[0]
    world.guild.remove_member(left)
    await waited(world, DAY)
    assert months.count(LEFT) == 1
    await waited(world, 3 * DAY)
    world.guild.add_member(left.user)
    await months.posted()
    assert LEFT in await months.say(months.dan, "game info")
    return months, left


async def known(months: Months, left):
    """Told once, and nowhere any more that he has left."""
    await months.posted()
    assert months.count(f"{left.name} is back") == 1
    assert LEFT not in await months.say(months.dan, "game info")


@every_game
async def test_whatever_he_presses_first_tells_that_he_is_back_and_he_is_reminded_again(world, game):
    months, left = await back_in_the_server(world, game)
    await left.click(months.board(), label="Your turn")
    await known(months, left)
    await months.say(left, "games")
    await waited(world, DAY - 60)
    assert pinged(months, left) == 0
    await waited(world, 120)
    assert pinged(months, left) == 1
    await known(months, left)


@every_game
async def test_a_call_finds_him(world, game):
    months, left = await back_in_the_server(world, game)
    nudger = months.others(left)[0]
    world.env.inject_error("GET", f"/guilds/*/members/{left.id}", status=500, code=0, times=None)
    await months.say(nudger, "game remind")
    await months.posted()
    assert months.count("is back") == 0, "that nothing can be found out is no proof"
    world.env.backend.faults.clear()
    await waited(world, 3700)
    await months.say(nudger, "game remind")
    await known(months, left)
    assert left.id in {user.id for user in months.said("reminds you that it is your turn").mentions}
    await waited(world, DAY + 60)
    assert pinged(months, left) == 1


@every_game
async def test_a_claim_looks_for_him_first(world, game):
    months, left = await back_in_the_server(world, game)
    claimer = months.others(left)[0]
    answer = await months.say(claimer, "game claim", player=left.user)
    await known(months, left)
    assert (await months.table()).status == "running"
    if game in TWO:
        assert "still has time" in answer
    offered = await months.say(claimer, "game replace", player=left.user)
    if game in TWO:
        assert "is still there" in offered


@every_game
async def test_nobody_who_left_is_called_by_anything(world, game):
    months = await begun(world, game)
    left = (await months.acting())[0]
    world.guild.remove_member(left)
    await world.env.advance_time(DAY / 2 + 60)
    await months.say(months.others(left)[0], "game remind")
    await months.posted()
    assert months.count(LEFT) == 1
    assert left.id not in {user.id for user in months.said("reminds you that it is your turn").mentions}
    await months.say(months.others(left)[0], "game cancel")
    await months.posted()
    assert left.id not in {user.id for m in months.thread.history()[-2:] for user in m.mentions}


async def test_who_comes_back_to_a_private_table_is_brought_to_its_thread_again(world):
    months = await begun(world, "kamisado", "private=yes")
    left = (await months.acting())[0]
    path = f"/channels/{months.thread.id}/thread-members/{left.id}"
    world.guild.remove_member(left)
    await waited(world, DAY)
    assert months.count(LEFT) == 1
    brought = [request.path for request in world.env.http_requests].count(path)
    world.guild.add_member(left.user)
    await left.slash(world.channel, "games")
    await months.posted()
    assert months.count("is back") == 1
    assert [request.path for request in world.env.http_requests].count(path) == brought + 1
