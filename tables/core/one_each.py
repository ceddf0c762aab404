"""One at a time for each user: who asks much waits for that alone, and nobody else does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

IDLE_S = 0.002  # a round of the loop that is not busy
SHARE = 4.0  # rounds that go by before somebody's next is let in
MOST_S = 0.25
LOOK_S = 0.05  # until whoever makes way looks whether the loop is still busy
K = TypeVar("K", bound=Hashable)


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


class OneEach(Generic[K]):
    """For each key, a user or what a user does: one that waits beside the one that goes on, and a newer one
    takes its place.

    Who asks again before there is an answer wants the newest alone.
    """

    def __init__(self) -> None:
        self._waiting: dict[K, asyncio.Future[bool] | None] = {}  # by key, while one goes on

    @asynccontextmanager
    async def turn(self, key: K) -> AsyncIterator[bool]:
        """Waits for the key's turn. False where a newer one came while this one waited: nothing is to do."""
        if key in self._waiting:
            mine = asyncio.get_running_loop().create_future()
            older, self._waiting[key] = self._waiting[key], mine
            if older is not None and not older.done():
                older.set_result(False)
            try:
                wanted = await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled() and mine.result():
                    self._next(key)  # it was given the turn in the same moment
                raise
            if not wanted:
                yield False
                return
        else:
            self._waiting[key] = None
        try:
            yield True
        finally:
            self._next(key)

    def _next(self, key: K) -> None:
        """The one that waits has its turn."""
        following = self._waiting[key]
        if following is None or following.done():
            del self._waiting[key]
        else:
            self._waiting[key] = None
            following.set_result(True)

    def __len__(self) -> int:
        """Keys for which one goes on."""
        return len(self._waiting)


class Door:
    """A queue a user before what only looks: the busier the loop is, the slower it lets somebody's next in.

    Who floods waits at their own door, and what is played goes in between. Of each kind of request one waits,
    the newest: those whose place it takes are let go at once, to be told so while Discord still listens.
    """

    def __init__(self) -> None:
        self._queues = Queues()
        self._newest = OneEach[tuple[int, str]]()
        self._playing = 0
        self._free = asyncio.Event()

    @contextmanager
    def playing(self) -> Iterator[None]:
        """While somebody's action is carried out."""
        self._playing += 1
        self._free.clear()
        try:
            yield
        finally:
            self._playing -= 1
            if not self._playing:
                self._free.set()

    async def made_way(self, seconds: float) -> None:
        """Waits while somebody plays and the loop is busy: an action takes many rounds, and whatever else is
        in them makes each of them longer. No longer than for so many seconds.
        """
        loop = asyncio.get_running_loop()
        now, end = loop.time(), loop.time() + seconds
        while self._playing and now < end and await lateness() > IDLE_S:
            with suppress(TimeoutError):
                async with asyncio.timeout(min(LOOK_S, end - now)):
                    await self._free.wait()
            now = loop.time()

    async def passed(self, user_id: int, kind: str) -> bool:
        """Waits for the user's turn, and then some rounds of the loop where those are long.

        False as soon as the user asked for something newer of this kind: that is done in its place.
        """
        async with self._newest.turn((user_id, kind)) as mine:
            if not mine:
                return False
            async with self._queues.of(user_id):
                if (late := await lateness()) > IDLE_S:
                    await asyncio.sleep(min(SHARE * late, MOST_S))
                    await self.made_way(MOST_S)
                return True

    def __len__(self) -> int:
        """Users and kinds that are at the door."""
        return len(self._newest)


async def lateness() -> float:
    """Seconds of a round of the loop."""
    loop = asyncio.get_running_loop()
    begin = loop.time()
    await asyncio.sleep(0)
    return loop.time() - begin
