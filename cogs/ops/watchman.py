"""Once a minute the tables hear that the process lives, and whether Discord is heard."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from discord.ext import commands

from db.errors import DatabaseError

if TYPE_CHECKING:
    from cogs.services import Services

log = logging.getLogger("hatamoto.outages")
EVERY_S = 60.0


class Watchman(commands.Cog):
    """Marks when play is possible; the time from the last mark to the next one counts for nobody."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot
        self._silent: set[int] = set()  # shards that do not hear Discord
        self._handle: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard_id: int) -> None:
        """It may come back within seconds, or in days."""
        self._silent.add(shard_id)

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard_id: int) -> None:
        """Heard again, with what was missed."""
        self._silent.discard(shard_id)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Heard, from now on."""
        self._silent.discard(shard_id)

    def heard(self) -> bool:
        """Whether some shard hears Discord."""
        return self.bot.is_ready() and len(self._silent) < len(self.bot.shards)

    def start(self) -> None:
        """Now, and once a minute until `stop`. A look that takes longer is not overtaken by the next."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look(), name="watchman")
        self._handle = asyncio.get_running_loop().call_later(EVERY_S, self.start)

    def stop(self) -> None:
        """Looks no more."""
        if self._handle is not None:
            self._handle.cancel()

    async def _look(self) -> None:
        if not self.bot.is_ready():  # it has not begun
            return
        try:
            await self.bot.tables.alive(heard=self.heard())
        except DatabaseError as error:  # the mark stays: what cannot be written down cannot be played
            log.warning("no mark: %s", error)
