"""Whatever a user asks that folds a whole log, one of it is folded at a time (14.1)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord.conftest import text_of
from tests.discord.test_why import against_bot

pytestmark = pytest.mark.usefixtures("sketches")
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("game why", {}),
    ("game replay", {"at": 0}),
    ("game export", {}),
    ("game verify", {}),
    ("board", {"since": "0"}),
    ("board", {"since": "mine"}),
    ("board", {"log": True}),
    ("privacy export", {}),
)


class Watched:
    """An archive that notes what it is asked, and who has a turn at reading then."""

    def __init__(self, archive, reading):
        self.archive, self.reading, self.asked = archive, reading, []

    async def ask(self, task, *given, read):
        self.asked.append((task, set(self.reading._waiting)))
        return await self.archive.ask(task, *given, read=read)

    async def close(self):
        await self.archive.close()


async def test_the_archive_is_asked_in_the_users_own_turn_whatever_the_command(world):  # 14.1
    thread = await against_bot(world, "kamisado", "seat=first level=normal")
    await world.ann.slash(thread, "move", move="d8-d3")
    await world.bot.tables.settled()
    await world.env.settle()
    house = world.bot.tables._house
    house.archive = watched = Watched(house.archive, world.bot.reading)
    for command, options in ASKED:
        watched.asked.clear()
        assert text_of(await world.ann.slash(thread, command, **options))
        if command == "game verify":  # while it runs nothing is folded
            continue
        assert watched.asked, command
        assert all(users == {world.ann.id} for _, users in watched.asked), (command, options, watched.asked)
