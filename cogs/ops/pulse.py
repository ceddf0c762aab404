"""A sign of life for a container's health check: a file that is touched while Discord hears the bot."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from db.address import Where, beside
from tables.core.clock import Clock

if TYPE_CHECKING:
    import discord

log = logging.getLogger("hatamoto.pulse")
EVERY_S, SOON_S = 30.0, 1.0  # between signs, and while there was none yet
DEAD_MS = 120_000  # older than this nobody is alive


def sign(database: Where, part: str = "") -> Path:
    """The file beside the database, of the process that runs this part of the shards."""
    return beside(database, f".alive{part}")


class Pulse:
    """Touches the file every half minute, as long as the gateway answers its heartbeats and all is `well`."""

    def __init__(
        self,
        bot: discord.Client,
        database: Where,
        well: Callable[[], bool] = lambda: True,
        part: str = "",
    ) -> None:
        self._bot = bot
        self._well = well
        self._file = sign(database, part)
        self._handle: asyncio.TimerHandle | None = None
        self._ours = False

    def beat(self) -> None:
        """Now, and again and again until `stop`."""
        if self._bot.is_ready() and math.isfinite(self._bot.latency) and self._well():
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                self._file.touch()
            except OSError as error:  # a full disk: it tries again, and players get their answers meanwhile
                log.warning("no sign of life: %s", error)
            else:
                self._ours = True
        self._handle = asyncio.get_running_loop().call_later(EVERY_S if self._ours else SOON_S, self.beat)

    def stop(self) -> None:
        """Beats no more; a stopped bot leaves no sign. Another bot's is not touched."""
        if self._handle is not None:
            self._handle.cancel()
        if self._ours:
            try:
                self._file.unlink(missing_ok=True)
            except OSError as error:  # the stop goes on; in two minutes the sign is too old to count
                log.warning("the sign of life stays: %s", error)


def alive(database: Where, clock: Clock, part: str = "") -> bool:
    """Whether a bot on this database was heard of lately."""
    try:
        touched = sign(database, part).stat().st_mtime_ns // 1_000_000
    except FileNotFoundError:
        return False
    return clock.now() - touched < DEAD_MS
