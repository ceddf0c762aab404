"""Fixtures: a loopback Discord, a database file, a place with people in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.process.castle import Castle
from tests.process.discord_client import Discord, Loopbacks, loopbacks
from tests.process.hatamoto_process import Launcher, launcher


@pytest.fixture(scope="session")
def discords() -> Iterator[Loopbacks]:
    """What starts Discords quickly, for all tests of this process."""
    with loopbacks() as found:
        yield found


@pytest.fixture
async def discord(discords: Loopbacks) -> AsyncIterator[Discord]:
    """A Discord of this test's own."""
    async with discords.one() as found:
        yield found


@pytest.fixture(scope="session")
def by() -> Iterator[Launcher]:
    """What starts bots quickly; it has imported them once for all tests of this process."""
    with launcher() as found:
        yield found


@pytest.fixture
def quick(by: Launcher) -> Launcher:
    """Starts bots more quickly still, for tests in which nobody looks at a picture or at a process."""
    return by.sketching()


@pytest.fixture
async def castle(discord: Discord, stand_in: Path) -> Castle:
    """A guild with a channel, Ann and Ben, and a database that is not there yet."""
    guild = await discord.guild()
    channel = await discord.channel(guild)
    players = (await discord.user("Ann"), await discord.user("Ben"))
    return Castle(discord, guild, channel, players, stand_in)
