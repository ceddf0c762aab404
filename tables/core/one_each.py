"""One at a time for each user: who asks much waits for that alone, and nobody else does."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

IDLE_S = 0.002  # a round of the loop that is not busy
SHARE = 4.0  # rounds that go by before somebody's next is let in
MOST_S = 0.25
PATIENCE_S = 2.5  # Discord takes the first answer for three seconds
MOST_WAITING = 30  # of one user: nobody presses so fast


class Queues:
    """A lock a user: all that he asks is done, one after another."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def of(self, user_id: int) -> asyncio.Lock:
        """The user's lock."""
        lock = self._locks.get(user_id)
        if lock is None:
            lock = self._locks[user_id] = asyncio.Lock()
        return lock


class Door:
    """A queue a user before what only looks: the busier the loop is, the slower it lets somebody's next in.

    Who floods waits at his own door, and what is played goes in between. Nobody waits longer than an answer
    may take.
    """

    def __init__(self) -> None:
        self._queues = Queues()
        self._waiting = Counter[int]()

    async def passed(self, user_id: int) -> bool:
        """Waits for the user's turn, and then some rounds of the loop where those are long.

        False for what waited in vain: it is too late to answer it, or too many were waiting.
        """
        loop = asyncio.get_running_loop()
        begin = loop.time()
        if self._waiting[user_id] >= MOST_WAITING:
            return False
        self._waiting[user_id] += 1
        try:
            async with self._queues.of(user_id):
                if loop.time() - begin > PATIENCE_S:
                    return False
                round_begin = loop.time()
                await asyncio.sleep(0)
                late = loop.time() - round_begin
                if late > IDLE_S:
                    await asyncio.sleep(min(SHARE * late, MOST_S))
                return True
        finally:
            self._waiting[user_id] -= 1
            if not self._waiting[user_id]:
                del self._waiting[user_id]

    def __len__(self) -> int:
        """Users who wait."""
        return len(self._waiting)


class OneEach:
    """One that waits beside the one that goes on: a newer one takes its place.

    Who asks again before there is an answer wants the newest alone.
    """

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Future[bool] | None] = {}  # by user, while one goes on

    @asynccontextmanager
    async def turn(self, user_id: int) -> AsyncIterator[bool]:
        """Waits for the user's turn. False where a newer one came while this one waited: nothing is to do."""
        if user_id in self._waiting:
            mine = asyncio.get_running_loop().create_future()
            older, self._waiting[user_id] = self._waiting[user_id], mine
            if older is not None and not older.done():
                older.set_result(False)
            try:
                wanted = await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled() and mine.result():
                    self._next(user_id)  # it was given the turn in the same moment
                raise
            if not wanted:
                yield False
                return
        else:
            self._waiting[user_id] = None
        try:
            yield True
        finally:
            self._next(user_id)

    def _next(self, user_id: int) -> None:
        """The one that waits has its turn."""
        following = self._waiting[user_id]
        if following is None or following.done():
            del self._waiting[user_id]
        else:
            self._waiting[user_id] = None
            following.set_result(True)

    def __len__(self) -> int:
        """Users for whom one goes on."""
        return len(self._waiting)
