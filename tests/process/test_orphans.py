"""Worker processes end with the bot, however it ends."""

from __future__ import annotations

import time

import pytest

from tests.process.castle import Castle
from tests.process.hatamoto_process import Launcher, lives, running


@pytest.mark.parametrize("end", ["SIGTERM", "SIGKILL"])
async def test_the_processes_that_draw_and_think_end_with_the_bot(
    castle: Castle, end: str, by: Launcher
) -> None:
    discord = castle.discord
    async with running(discord, castle.database, by=by) as bot:
        await castle.against_the_bot()
        await discord.until(lambda: len(bot.children) >= 2, "a process that draws and one that thinks")
        workers = bot.children
        begin = time.monotonic()
        if end == "SIGTERM":
            assert await bot.stop() == 0, bot.words
            assert time.monotonic() - begin < 10
        else:
            await bot.kill()
    await discord.until(lambda: not any(map(lives, workers)), "every worker to end")
