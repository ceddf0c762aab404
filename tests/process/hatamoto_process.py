"""The bot as it is shipped: `python bot.py ...` in a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.process.discord_client import DEADLINE, ROOT, Discord


class Hatamoto:
    """One start of the bot; its output is kept in a file beside the database."""

    def __init__(self, process: asyncio.subprocess.Process, output: Path) -> None:
        self.process = process
        self.output = output

    async def ended(self) -> int:
        """Its exit status, once it has ended."""
        return await asyncio.wait_for(self.process.wait(), DEADLINE)

    async def stop(self) -> int:
        """SIGTERM, and the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return await self.ended()

    async def kill(self) -> None:
        """SIGKILL: as if the power had failed."""
        if self.process.returncode is None:
            self.process.kill()
        await self.ended()

    @property
    def children(self) -> list[int]:
        """Processes that it has started, whichever of its threads did."""
        lists = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(process) for one in lists for process in one.read_text().split()]

    @property
    def words(self) -> str:
        """Everything it has printed so far."""
        return self.output.read_text()


def lives(process: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def start(
    database: Path, *arguments: str, api: str = "", token: str = "loopback", log: str = "bot"
) -> Hatamoto:
    """Starts `python bot.py <arguments>` and does not wait for anything."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DISCORD_", "HATAMOTO_"))}
    settings = {"DISCORD_TOKEN": token, "HATAMOTO_DATABASE": str(database)}
    if api:
        settings["DISCORD_API_BASE"] = api
    output = database.with_name(f"{log}.log")
    with output.open("ab") as file:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "bot.py", *arguments, cwd=ROOT, env={**kept, **settings}, stdout=file, stderr=file
        )
    return Hatamoto(process, output)


@asynccontextmanager
async def running(discord: Discord, database: Path) -> AsyncIterator[Hatamoto]:
    """The bot connected to this Discord; killed at the end if it still runs."""
    await discord.read(0)
    begin = len(discord.log)
    bot = await start(database, "run", api=discord.api)
    try:
        connected = asyncio.ensure_future(discord.connected(begin))
        ended = asyncio.ensure_future(bot.process.wait())
        await asyncio.wait({connected, ended}, return_when=asyncio.FIRST_COMPLETED)
        assert not ended.done(), f"the bot ended by itself:\n{bot.words}"
        await connected
        yield bot
    finally:
        await bot.kill()
