"""Who may come near, in every game: blocked users, private tables, open ones and how they are found."""

from __future__ import annotations

import pytest

from engines.registry import GAMES
from tests.discord.conftest import answer_of, text_of
from tests.discord.months import said
from tests.discord.months_tables import Months, begun, every_game
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")
REFUSED = "can't play with"


@every_game
async def test_a_blocked_user_comes_to_no_table_by_any_way(world, game):
    months = await begun(world, game)
    ann, ben, dan, channel = *months.players[:2], months.dan, world.channel
    assert f"Blocked: <@{dan.id}>" in text_of(await ann.slash(channel, "settings", block=dan.user))
    assert "Blocked" not in text_of(await dan.slash(channel, "settings"))

    assert REFUSED in await months.say(ben, "game replace", new=dan.user)
    await months.say(ben, "game replace")
    offer = months.said("free: anybody can take it")
    assert REFUSED in await months.press(dan, offer, "Take the seat")
    assert await months.seat_of(dan) is None

    assert REFUSED in text_of(await dan.slash(channel, "game new", game=game, opponent=ann.user))
    await ann.slash(channel, "game new", game=game)
    lobby = said(channel, "#2 ")
    assert REFUSED in text_of(await dan.slash(channel, "game join", table=2))
    assert REFUSED in wording(answer_of(await dan.click(lobby, label="Join")))
    await dan.slash(channel, "game new", game=game)
    assert REFUSED in text_of(await dan.slash(channel, "game invite", player=ann.user, table=3))

    assert "Blocked" not in text_of(await ann.slash(channel, "settings", unblock=dan.user))
    joined = await dan.slash(channel, "game join", table=2)
    assert REFUSED not in text_of(joined)
    assert (await world.bot.tables.get(2)).seat_of(dan.id) is not None


COMMANDS = ("board", "hand", "game info", "game replay", "game export", "game verify", "note")


@every_game
async def test_a_private_table_is_there_for_its_players_alone(world, game):
    months = await begun(world, game, "private=yes")
    old, dan, eve, channel = months.players[-1], months.dan, months.eve, world.channel

    async def shut_out(member):
        for command in COMMANDS:
            told = text_of(await member.slash(channel, command, table=1))
            assert told.startswith("There is no such table"), (command, told)
        for show in ("running", "mine"):
            assert "#1 " not in text_of(await member.slash(channel, "game list", show=show))
        assert await member.autocomplete(channel, "move", "move", "", table=1) == []

    async def let_in(member):
        for command in COMMANDS:
            told = text_of(await member.slash(channel, command, table=1))
            assert "no such table" not in told, (command, told)
            assert "don't play" not in told, (command, told)
        assert "#1 " in text_of(await member.slash(channel, "game list", show="mine"))

    await shut_out(dan)
    await let_in(old)
    assert "name the player who should take the seat" in await months.say(old, "game replace")
    await months.say(old, "game replace", new=dan.user)
    offer = said(channel, "would you like to take")  # he does not see the thread yet
    assert "no such table" in await months.press(eve, offer, "Take the seat")
    assert f"<#{months.thread.id}>" in await months.press(dan, offer, "Take the seat")
    await months.posted()
    await let_in(dan)
    for outsider in (old, eve):
        await shut_out(outsider)


@every_game
async def test_invited_guests_come_to_an_open_table_and_decline(world, game):
    months = Months(world, game)
    ann, ben, channel = *months.players[:2], world.channel
    await ann.slash(channel, "game new", game=game, options="private=yes")
    assert "has been told" in text_of(await ann.slash(channel, "game invite", player=ben.user, table=1))
    line = said(channel, "to this table")
    assert [user.id for user in line.mentions] == [ben.id]
    assert "no such table" in text_of(await months.dan.slash(channel, "game join", table=1))
    assert "declined" in wording(answer_of(await ben.click(line, label="Leave or decline")))
    assert "no such table" in text_of(await ben.slash(channel, "game join", table=1))
    await ann.slash(channel, "game invite", player=ben.user, table=1)
    await ben.click(said(channel, "to this table"), label="Join")
    assert (await world.bot.tables.get(1)).seat_of(ben.id) is not None


async def test_tables_are_found_by_what_they_are_and_who_sits_there(world):
    for number, game in enumerate(GAMES, 1):
        maker = world.ann if number % 2 else world.ben
        await maker.slash(world.channel, "game new", game=game)
    running = len(GAMES) + 1
    await world.ann.slash(world.channel, "game new", game="kamisado", options="match=single")
    await world.ben.slash(world.channel, "game join", table=running)

    async def listed(**filters):
        told = text_of(await world.cho.slash(world.channel, "game list", **filters))
        return {number for number in range(1, running + 1) if f"#{number} " in told}

    assert await listed() == set(range(1, running + 1))
    assert await listed(show="running") == {running}
    assert await listed(show="over") == await listed(show="mine") == set()
    everything = set(range(1, running))
    assert await listed(show="open") == everything
    for number, game in enumerate(GAMES, 1):
        assert await listed(show="open", game=game) == {number}
    odd = {number for number in everything if number % 2}
    assert await listed(show="open", player=world.ann.user) == odd
    assert await listed(show="open", player=world.ben.user) == everything - odd
    assert await listed(show="running", player=world.cho.user) == set()
    assert await listed(player=world.ben.user, game="kamisado") == {running}
