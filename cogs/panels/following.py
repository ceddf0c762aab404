"""A panel that goes on by itself: once it has said what was done, it stays open for its owner's next turn.

In memory: a panel can be changed for a quarter of an hour after its last press, and whoever comes later, or
after a restart, has the button below the board.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from db.errors import DatabaseError
from tables.core.clock import Clock
from tables.core.errors import TableError

log = logging.getLogger("hatamoto.following")
TROUBLE = (aiohttp.ClientError, TimeoutError, OSError)  # on the way to Discord
STAYS_MS = 840_000  # Discord takes changes for 15 minutes
MOST = 2_000  # panels that are open at once, for all tables


class Following:
    """Panels whose owners wait for their turn, and what shows each of them that it has come."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._open: OrderedDict[tuple[int, int], tuple[int, Callable[[], Awaitable[None]]]] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def wait(self, table_id: int, user_id: int, go_on: Callable[[], Awaitable[None]]) -> None:
        """Calls `go_on` when it is this user's turn at the table, unless that is too late for the panel."""
        self.forget(table_id, user_id)
        self._open[table_id, user_id] = self._clock.now() + STAYS_MS, go_on
        while len(self._open) > MOST:
            self._open.popitem(last=False)

    def forget(self, table_id: int, user_id: int) -> None:
        """The user has opened another panel: this one stays as it is."""
        self._open.pop((table_id, user_id), None)

    def awaits(self, table_id: int) -> bool:
        """Whether a panel waits for a turn at this table."""
        return any(table == table_id for table, _ in self._open)

    def turned(self, table_id: int, users: frozenset[int]) -> None:
        """Something was committed: these users have to act at the table now."""
        for user_id in users:
            until, go_on = self._open.pop((table_id, user_id), (0, None))
            if go_on is not None and self._clock.now() < until:
                task = asyncio.create_task(self._shown(table_id, go_on), name=f"panel of table {table_id}")
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _shown(self, table_id: int, go_on: Callable[[], Awaitable[None]]) -> None:
        try:
            await go_on()
        except (TableError, DatabaseError, discord.HTTPException, *TROUBLE) as error:
            log.info("a panel of table %s stays as it was: %s", table_id, error)  # the board has its button

    async def settled(self) -> None:
        """Returns when no panel is being changed (for the demo and tests)."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    async def close(self) -> None:
        """Changes nothing more."""
        self._open.clear()
        tasks = set(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
