"""The demo as a newcomer starts it: an address, a page behind it, and a quiet end at Ctrl-C."""

from __future__ import annotations

import asyncio
import re
import signal
from pathlib import Path

import aiohttp

from tests.process.discord_client import DEADLINE
from tests.process.hatamoto_process import Hatamoto, start

ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+/)#\S+")


async def address(bot: Hatamoto) -> str:
    """The page's address, as soon as it is printed."""
    loop = asyncio.get_running_loop()
    end = loop.time() + DEADLINE
    while not (found := ADDRESS.search(bot.words)):
        assert bot.process.returncode is None, bot.words
        assert loop.time() < end, "no address was printed"
        await asyncio.sleep(0.05)  # a file cannot be awaited
    return found.group(1)


async def test_the_demo_prints_an_address_serves_its_page_and_ends_at_ctrl_c(tmp_path: Path) -> None:
    bot = await start(tmp_path / "unused.db", "demo", token="")
    try:
        async with aiohttp.ClientSession() as session, session.get(await address(bot)) as page:
            assert page.status == 200
            assert "<title>" in await page.text()
        bot.process.send_signal(signal.SIGINT)
        assert await bot.ended() == 0, bot.words
    finally:
        await bot.kill()
    assert not (tmp_path / "unused.db").exists(), "the demo's database is its own"
