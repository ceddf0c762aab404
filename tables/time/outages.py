"""Time in which nobody could act does not count: the process was down, the clock jumped, nothing was posted.

A mark in the database says when play was last possible. What lies between it and the moment at which play is
possible again is an outage: turns, clocks, reminders and lobbies go on as if it had not been, and a line at
the tables says so. It is carried out table by table, and taken up where a crash left it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace

from db.errors import DatabaseError
from db.repositories import guilds, meta, outbox, tables, timers
from db.rows import Message
from tables.core import letters
from tables.core.clock import Steady
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.moments import moment
from tables.core.options import UNITS

log = logging.getLogger("hatamoto.outages")
OUTAGES = -1  # no table's number: the lock under which one outage is given back at a time, and once
ALIVE, OUTAGE = "alive", "outage"  # in the database: the mark, and an outage that is being carried out
SHORTEST_MS = 5 * UNITS["m"]  # less than this counts
TOLD_MS = UNITS["h"]  # less than this is not told
SETTLES_MS = 10 * UNITS["m"]  # after the clock has jumped nothing falls due: it may jump back
PUT_OFF = ("remind", "lobby")  # timers that are later by an outage; clocks are armed anew


class OutageWatch:
    """Knows whether play is possible, and gives back the time in which it was not."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._steady: Callable[[], int] | None = None
        if isinstance(house.clock, Steady):
            self._steady = house.clock.steady
        self._mark: int | None = None  # when play was last possible
        self._steady_mark = 0
        self._settled_at = 0  # by the steady clock
        self._failing_since: int | None = None
        self._failing: set[str] = set()  # destinations
        self._silent_since: int | None = None
        house.unheard = self.stands

    def stands(self) -> bool:
        """Whether nobody can act, or be told, at any table now."""
        now = self._house.clock.now()
        times = (self._failing_since, self._silent_since)
        if any(since is not None and abs(now - since) > SHORTEST_MS for since in times):
            return True
        return self._steady is not None and self._steady() < self._settled_at

    async def begin(self) -> None:
        """At the start: what was left undone, and the time since the mark."""
        async with self._house.lock(OUTAGES):
            await self._finish()
            text = await meta.get(self._house.database.reads, ALIVE)
            now = self._house.clock.now()
            self._set(int(text) if text is not None and text.isdecimal() else now)
            await self._until(now)

    async def mark(self, *, heard: bool = True) -> None:
        """Now and again: play is possible now, if Discord is `heard` and takes posts."""
        now = self._house.clock.now()
        if self._mark is None:
            return  # not begun
        if not heard:
            self._silent_since = now if self._silent_since is None else self._silent_since
            return
        self._silent_since = None
        if self._failing_since is None:
            async with self._house.lock(OUTAGES):
                await self._until(now)

    async def close(self) -> None:
        """At the end: until now play was possible, if it was."""
        if self._mark is None:
            return
        times = [at for at in (self._failing_since, self._silent_since) if at is not None]
        try:
            async with self._house.database.transaction() as tx:
                await meta.put(tx, ALIVE, str(min([self._house.clock.now(), *times])))
        except DatabaseError as error:  # the stop goes on: the mark is the last one that could be written
            log.warning("the time of the stop is not kept: %s", error)

    async def look(self) -> None:
        """Before time is asked for: whether the clock has jumped. Cheap."""
        if self._steady is None or self._mark is None:
            return
        if abs(self._jump(self._steady)) > SHORTEST_MS:
            await self._house.finish(self._jumped(self._steady))

    def _jump(self, steady: Callable[[], int]) -> int:
        """How far the clock is from where it has to be, ms."""
        return self._house.clock.now() - ((self._mark or 0) + steady() - self._steady_mark)

    async def _jumped(self, steady: Callable[[], int]) -> None:
        async with self._house.lock(OUTAGES):
            jump, now = self._jump(steady), self._house.clock.now()
            if abs(jump) > SHORTEST_MS:
                log.warning("the clock has jumped by %d s", jump // 1000)
                self._settled_at = steady() + SETTLES_MS
                await self._outage(now - jump, now)

    # -- posts -----------------------------------------------------------------------------

    def post_failed(self, destination: str, *, everywhere: bool) -> None:
        """Discord was in trouble. One place's trouble is not everybody's, a broken line is."""
        self._failing.add(destination)
        if self._failing_since is None and (everywhere or len(self._failing) > 1):
            self._failing_since = self._house.clock.now()

    @property
    def failing(self) -> bool:
        """Whether a post was not taken of late."""
        return bool(self._failing) or self._failing_since is not None

    async def post_taken(self) -> None:
        """Discord takes posts again, after it was `failing`."""
        since, now = self._failing_since, self._house.clock.now()
        self._failing.clear()
        self._failing_since = None
        if since is not None and now - since > SHORTEST_MS:
            async with self._house.lock(OUTAGES):
                self._house.counted_at = now
                await self._outage(since, now)

    # -- giving it back ----------------------------------------------------------------------

    def _set(self, mark: int) -> None:
        self._mark = mark
        self._steady_mark = 0 if self._steady is None else self._steady()

    async def _until(self, now: int) -> None:
        """Play is possible now: was it since the mark?"""
        since = now if self._mark is None else self._mark
        if self._house.database.claims.shared:  # what this one missed another may have heard
            text = await meta.get(self._house.database.reads, ALIVE)
            since = max(since, int(text)) if text is not None and text.isdecimal() else since
        if abs(now - since) > SHORTEST_MS:
            await self._outage(since, now)
            return
        async with self._house.database.transaction() as tx:
            await meta.put(tx, ALIVE, str(now))
        self._set(now)

    async def _outage(self, since: int, until: int) -> None:
        """Gives this time back at every table; `until` lies before `since` where the clock was set back."""
        log.warning("the time from %d to %d counts for nobody", since, until)
        newest = await tables.newest(self._house.database.reads)
        left = {"since": since, "until": until, "after": 0, "last": newest}
        async with self._house.database.transaction() as tx:
            await meta.put(tx, OUTAGE, json.dumps(left))
            await meta.put(tx, ALIVE, str(until))
        self._set(until)
        await self._finish()

    async def _finish(self) -> None:
        """Carries out an outage, from where it was left."""
        text = await meta.get(self._house.database.reads, OUTAGE)
        if text is None:
            return
        left = json.loads(text)
        while ids := await tables.live(self._house.database.reads, left["after"], left["last"]):
            for table_id in ids:
                left["after"] = table_id
                await give_time(self._house, table_id, left["since"], left["until"], left)
        async with self._house.database.transaction() as tx:
            await meta.drop(tx, OUTAGE)
        self._house.queued()


def outage_line(loaded: Loaded, since: int, until: int) -> Message:
    """That this time counts for nobody."""
    return letters.line(loaded, "outage", since=moment(since), until=moment(until))


def later(loaded: Loaded, since: int, until: int) -> Loaded:
    """A table as if the time between had not been: turns are as old, and clocks show as much, as before."""

    def moved(at: int | None) -> int | None:
        return None if at is None else min(at + until - since, until)

    seats = (
        replace(s, ticks_since=moved(s.ticks_since), acts_since=moved(s.acts_since)) for s in loaded.seats
    )
    return replace(loaded, seats=tuple(seats))


# -- one server, one table ---------------------------------------------------------------------------------


async def unheard(house: House, table_id: int, guild_id: int | None) -> bool:
    """Whether a table's players may not know what they are late with: its posts have not come for a while."""
    if house.unheard() or await guilds.silent(house.database.reads, guild_id):
        return True
    waiting = await outbox.waiting(house.database.reads, f"table:{table_id}", most=1)
    tried = bool(waiting) and waiting[0].attempts > 0
    return tried and house.clock.now() - waiting[0].created_at > SHORTEST_MS


async def out_of_reach(house: House, guild_id: int) -> None:
    """Discord cannot reach a server: its tables wait."""
    if not await guilds.silent(house.database.reads, guild_id):
        async with house.database.transaction() as tx:
            await guilds.set_silent(tx, guild_id, house.clock.now())


async def within_reach(house: House, guild_id: int) -> None:
    """Discord reaches a server again: what it was silent for counts for nobody there."""
    async with house.lock(-guild_id):
        since, now = (await guilds.get(house.database.reads, guild_id)).silent_at, house.clock.now()
        if since is None:
            return
        long = now - since > SHORTEST_MS
        for table_id in await tables.live_of_guild(house.database.reads, guild_id) if long else ():
            await give_time(house, table_id, since, now)
        async with house.database.transaction() as tx:
            await guilds.set_silent(tx, guild_id, None)
    house.queued()


async def give_time(
    house: House, table_id: int, since: int, until: int, left: dict[str, int] | None = None
) -> None:
    """One table goes on as if the time between had not been; what is `left` to be done is kept with it.

    Where that is not kept it may be done twice: it gives more then, not less.
    """
    gap = until - since
    async with house.lock(table_id):
        loaded = Loaded(*await house.rows(table_id))
        runs = loaded.row.status in ("open", "running") and not loaded.stands and not loaded.aside
        after = later(loaded, since, until) if runs else loaded
        told = runs and gap >= TOLD_MS and loaded.row.status == "running"
        async with house.revising(after, [outage_line(after, since, until)] if told else []) as tx:
            for kind in PUT_OFF if runs else ():
                await timers.delay(tx, kind, table_id, gap)
            if left is not None:
                await meta.put(tx, OUTAGE, json.dumps(left))


async def heard_late(house: House, table_id: int, since: int) -> None:
    """A post of that time has only come now: until then nobody could know what it says."""
    async with house.lock(table_id):
        loaded, now = Loaded(*await house.rows(table_id)), house.clock.now()
        since = max(since, house.counted.get(table_id, 0), house.counted_at)
        if loaded.row.status != "running" or loaded.stands or now - since <= SHORTEST_MS:
            return
        house.counted[table_id] = now
        async with house.revising(later(loaded, since, now), []) as tx:
            await timers.delay(tx, "remind", table_id, now - since)
