"""SIGKILL: whatever was acknowledged is there once after the next start, and so is every message.

At random moments of random games, and often: `test_faults.py`.
"""

from __future__ import annotations

import pytest

from tests.process.castle import Castle
from tests.process.discord_client import Discord
from tests.process.hatamoto_process import Launcher, lives, running

POSTS = "POST /channels/.*/messages"


async def hang(discord: Discord, when: str, pattern: str) -> int:
    """From now on matching requests hang; the log's length, to find the first that does."""
    await discord.read(0)
    await discord.control("freeze", when=when, pattern=pattern)
    return len(discord.log)


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_board_in_flight_at_a_kill_is_posted_once(castle: Castle, quick: Launcher, when: str) -> None:
    discord = castle.discord
    async with running(discord, castle.database, by=quick) as bot:
        place = await castle.open_table()
        await castle.all_sent()
        turn = await castle.turn(place)
        assert turn is not None
        begin = await hang(discord, when, POSTS)
        await castle.play(place, turn.player, turn.moves[0])
        await discord.until(lambda: discord.entries("held", begin), "a post that hangs")
        await bot.kill()
    await discord.control("thaw")
    async with running(discord, castle.database, by=quick):
        await castle.all_sent()
        castle.assert_sent_once()
        assert [entry.action for entry in castle.log()] == [turn.moves[0]]
        assert len(castle.boards()) == 2


async def test_a_bot_that_was_killed_while_it_thought_answers_once_after_the_restart(
    castle: Castle, by: Launcher
) -> None:
    discord = castle.discord
    async with running(discord, castle.database, by=by) as bot:
        await castle.against_the_bot()
        worker = (await discord.until(lambda: bot.children, "the opponent's process"))[0]
        await bot.kill()
    await discord.until(lambda: not lives(worker), "the opponent's process to end by itself")
    async with running(discord, castle.database, by=by):
        await discord.until(lambda: len(castle.log()) == 2, "the answer")
        await castle.all_sent()
        castle.assert_sent_once()
        assert [entry.seat for entry in castle.log()] == [0, 1]
