"""One at a time for each user, and one that waits: a newer one takes the place of the one that waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class OneEach:
    """Who asks again before he has his answer wants the newest answer alone."""

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Future[bool] | None] = {}  # by user, while one of his goes on

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
        return len(self._waiting)
