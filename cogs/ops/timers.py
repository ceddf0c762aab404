"""What the tables have to do at a time, such as closing a lobby that nobody joined."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cogs.ops.alarm import Alarm
from db.backup import copies, dated, moment, part_of, rotate, swept
from db.errors import DatabaseError
from db.upkeep.copies import copy

if TYPE_CHECKING:
    from db.database import Database
    from tables.core.clock import Clock
    from tables.service import Tables

log = logging.getLogger("hatamoto.timers")
AGAIN_MS = 60_000  # after a fault of the database
COPIES = "duty:backups"
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


class BackupReading(NamedTuple):
    """Copies on a timer: seconds since the newest, whether the last try failed, how far one is."""

    age: float | None
    failing: bool
    progress: float | None


def length(file: Path) -> int | None:
    """A file's bytes; None where it is not there, or any more: a copy may end at this moment."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return None


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
        self._making: Path | None = None
        self._failing = False

    async def start(self) -> None:
        """Looks whether copies can be made at all, and removes what killed ones left."""
        if self._folder is None:
            return
        try:
            left = await asyncio.to_thread(swept, self._folder)
        except DatabaseError as error:
            self._failing = True
            log.error("HATAMOTO_BACKUPS: there will be no backups until this is mended: %s", error)  # noqa: TRY400
        else:
            for file in left:
                log.info("removed %s, which a backup that was cut off had left", file)
        self.look()

    def reading(self) -> BackupReading | None:
        """How the copies are; None where none are asked for."""
        if self._folder is None:
            return None
        made, making = copies(self._folder), self._making
        done = None if making is None else length(making)
        where = self._database.where
        whole = length(where) if isinstance(where, Path) else None
        return BackupReading(
            age=(self._clock.now() / 1000 - moment(made[-1])) if made else None,
            failing=self._failing,
            progress=None if done is None or not whole else min(1.0, done / whole),
        )

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
        self._task = asyncio.create_task(self.copy(), name="backup")

    async def _is_ours(self) -> bool:
        """Whether this process makes the copies: the first that was to, of several, until it is gone."""
        claims = self._database.claims
        return claims.holds(COPIES) or await claims.take(COPIES)

    async def copy(self) -> None:
        """Makes one, and removes the oldest; where that fails it is tried again."""
        if self._folder is None:
            return
        now = self._clock.now()
        target = dated(self._folder, now // 1000)
        self._making = part_of(target)
        try:
            if not await self._is_ours():
                self._alarm.set(now + AGAIN_MS)
                return
            await copy(self._database.where, target)
            await asyncio.to_thread(rotate, self._folder, self._keep)
        except (DatabaseError, OSError) as error:
            self._failing = True
            log.warning("no backup: %s", error)
            self._alarm.set(now + min(self._every_ms, AGAIN_MS * 60))
            return
        finally:
            self._making = None
        self._failing = False
        self.look()
