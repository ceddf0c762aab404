"""`/games`: all of one's games, the one that has waited longest first, each with its board."""

from __future__ import annotations

import itertools
import re

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.registry import GAMES
from tables.core.model import Place, User
from tests.discord.conftest import text_of
from tests.discord.months import delivered
from tests.discord.test_months_absence import waited
from tests.games import players, table_words

pytestmark = pytest.mark.usefixtures("sketches")
HOUR = 3600
LINE = re.compile(
    r"#(?P<table>\d+) (?P<text>.*)<t:(?P<since>\d+):R>.*"
    r"https://discord\.com/channels/(?P<guild>\d+)/(?P<place>\d+)/(?P<board>\d+)"
)
numbers = itertools.count(1)


async def opened(world, game, *guests):
    """A running table in the channel, a few hours after the last one."""
    creator, *others = [User(member.id, member.name, "en-GB") for member in (world.ann, *guests)]
    with world.env._bot_scope():
        table = await world.bot.tables.create(
            creator,
            game,
            f"{table_words(game)} seat=first",
            Place(world.guild.id, world.channel.id),
            opponents=others,
            guild_locale="en-GB",
            interaction_id=next(numbers),
        )
        for guest in others:
            table = await world.bot.tables.join(table.id, guest, next(numbers))
        if table.status == "open":
            table = await world.bot.tables.start(table.id, creator.id, next(numbers))
    await world.env.settle()
    await delivered(world)
    return table.id


async def acts(world, number, member):
    """What somebody has to do at a table, until he has to do nothing more."""
    house = world.bot.tables._house
    while True:
        loaded = await house.look(number)
        seat = loaded.seat_of(member.id)
        if seat not in loaded.to_act:
            break
        action = random_action(loaded.engine, loaded.state, seat, Chance(b"list", loaded.row.entries))
        with world.env._bot_scope():
            await world.bot.tables.act(
                number, member.id, loaded.engine.format(action), interaction_id=next(numbers)
            )
    await world.env.settle()
    await delivered(world)


async def listed(world, member, where):
    """The lines of a player's `/games`: the table, whether it waits for him, since when."""
    found = []
    for line in text_of(await member.slash(where, "games")).splitlines():
        match = LINE.search(line)
        assert match, line
        table = await world.bot.tables.get(int(match["table"]))
        assert (int(match["guild"]), int(match["place"])) == (world.guild.id, table.place.thread_id)
        assert int(match["board"]) == table.board_message_id, "it leads to the newest board"
        posted = world.env.backend.messages[int(match["place"])][int(match["board"])]
        assert posted.attachments
        found.append((table.id, "others" not in match["text"], int(match["since"])))
    return found


async def test_the_longest_wait_comes_first_mine_before_others_with_links_to_the_boards(world):
    games = [(game, players(game)) for game in (*GAMES, next(iter(GAMES)))]
    tables = []
    for game, seats in games:
        tables.append(await opened(world, game, *(world.ben, world.cho)[: seats - 1]))
        await waited(world, 5 * HOUR)

    def expected(member_id, rows):
        mine, others = [], []
        for loaded in rows:
            seat = loaded.seats[loaded.seat_of(member_id)]
            if seat.acts:
                mine.append((seat.acts_since, loaded.row.id, True))
            else:
                others.append((loaded.row.turn_since, loaded.row.id, False))
        return [(number, me, since // 1000) for since, number, me in sorted(mine) + sorted(others)]

    async def check():
        house = world.bot.tables._house
        rows = [await house.look(number) for number in tables]
        for member in (world.ann, world.ben):
            found = await listed(world, member, world.channel)
            assert found == expected(member.id, rows)
            for whose in (True, False):  # said again without the table's own rows
                waits = [since for _, mine, since in found if mine is whose]
                assert waits == sorted(waits)
        return await listed(world, world.ann, world.channel)

    first = await check()
    assert len(first) == len(tables)
    assert len({since for _, _, since in first}) == len(tables), "each began at an hour of its own"
    oldest = first[0][0]
    await acts(world, oldest, world.ann)
    await waited(world, HOUR)
    second = await check()
    assert [row for row in second if row[0] != oldest] == [row for row in first if row[0] != oldest]
    assert second.index(next(row for row in second if row[0] == oldest)) > 0
    await acts(world, oldest, world.ben)
    await check()
    assert text_of(await world.cho.slash(world.channel, "games")).count("\n") == 0
    with world.env._bot_scope():
        await world.bot.tables.resign(tables[-1], world.ann.id, next(numbers))
    await world.env.settle()
    assert tables[-1] not in [row[0] for row in await listed(world, world.ann, world.channel)]
