"""What the tables have to do at a time, such as closing a lobby that nobody joined."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from cogs.ops.alarm import Alarm
from db.backup import backup, copies, dated, moment, rotate
from db.errors import DatabaseError

if TYPE_CHECKING:
    from db.database import Database
    from tables.core.clock import Clock
    from tables.service import Tables

log = logging.getLogger("hatamoto.timers")
AGAIN_MS = 60_000  # after a fault of the database
SOON_MS = 60_000  # until the first copy


class Timers:
    """One alarm for the earliest timer; each ring is a short task."""

    def __init__(self, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._alarm = Alarm(clock, self.look)
        self._task: asyncio.Task[None] | None = None
        self._again = False
        self._closed = False

    def look(self) -> None:
        """Does what is due and sets the alarm for what comes next. Cheap; may be called at any time."""
        if self._closed:
            return
        self._again = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="timers")

    async def close(self) -> None:
        """Lets running work finish and rings no more."""
        self._closed = True
        self._alarm.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        upcoming: int | None = None
        try:
            while self._again:
                self._again = False
                upcoming = await self._tables.next_due()
                if upcoming is not None and upcoming <= self._clock.now():
                    await self._tables.run_due()
                    self._again = True
        except DatabaseError as error:
            log.warning("timers wait a minute: %s", error)
            upcoming = self._clock.now() + AGAIN_MS
        if not self._closed:
            self._alarm.set(upcoming)


class Backups:
    """A dated copy of the database every so many hours, where a folder is set; the newest are kept."""

    def __init__(
        self, database: Database, clock: Clock, folder: Path | None, hours: float, keep: int = 14
    ) -> None:
        self._database = database
        self._clock = clock
        self._folder = folder
        self._every_ms = int(hours * 3_600_000)
        self._keep = keep
        self._alarm = Alarm(clock, self._begin)
        self._task: asyncio.Task[None] | None = None

    def look(self) -> None:
        """Sets the alarm for the next copy: so long after the last one, whichever process made it."""
        if self._folder is None:
            return
        now = self._clock.now()
        made = [moment(file) * 1000 for file in copies(self._folder)]
        last = max((at for at in made if at <= now), default=None)
        self._alarm.set(now + SOON_MS if last is None else max(last + self._every_ms, now + SOON_MS))

    async def close(self) -> None:
        """Lets a copy that is being made finish."""
        self._alarm.cancel()
        self._folder, folder = None, self._folder
        if folder is not None and self._task is not None:
            await asyncio.wait([self._task])

    def _begin(self) -> None:
        self._task = asyncio.create_task(self._copy(), name="backup")

    async def _copy(self) -> None:
        if self._folder is None:
            return
        now = self._clock.now()
        try:
            await backup(self._database.path, dated(self._folder, now // 1000))
            await asyncio.to_thread(rotate, self._folder, self._keep)
        except (DatabaseError, OSError) as error:
            log.warning("no backup: %s", error)
            self._alarm.set(now + min(self._every_ms, AGAIN_MS * 60))
            return
        self.look()
