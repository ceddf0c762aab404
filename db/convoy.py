"""Transactions that read nothing and stand in line together are written together.

A commit waits for the disk, and its way there and back through a busy loop takes longer still. So
what gathers while one is on its way shares the next one: the busier the bot, the more do. Each of them hears
what became of its own: where one of several is refused, each is written alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from db.database import Step
from db.errors import DatabaseError

MOST = 32  # that share a commit
EACH_ITS_OWN = frozenset({"locked", "full"})  # faults of storage that the next transaction need not meet


class Cart(NamedTuple):
    """A whole transaction, and what becomes of it."""

    steps: Sequence[Step]
    written: asyncio.Future[None]


class Convoy:
    """What stands in line, in its order. `write` commits all that it is given, or nothing, and raises."""

    def __init__(self, write: Callable[[Sequence[Step]], Awaitable[None]]) -> None:
        self._write = write
        self._line: list[Cart] = []
        self._moving: asyncio.Task[None] | None = None

    def join(self, steps: Sequence[Step]) -> asyncio.Future[None]:
        """At the end of the line."""
        cart = Cart(steps, asyncio.get_running_loop().create_future())
        self._line.append(cart)
        if self._moving is None:
            self._moving = asyncio.create_task(self._move(), name="convoy")
        return cart.written

    async def gone(self) -> None:
        """Returns when nothing stands in line."""
        while self._moving is not None:
            await asyncio.wait({self._moving})

    async def _move(self) -> None:
        try:
            while self._line:
                together, self._line = self._line[:MOST], self._line[MOST:]
                await self._carry(together)
        finally:
            self._moving = None

    async def _carry(self, together: Sequence[Cart]) -> None:
        """In one commit; alone where it may be that only one of them is refused."""
        try:
            await self._write([step for cart in together for step in cart.steps])
        except DatabaseError as error:
            if len(together) > 1 and error.code in EACH_ITS_OWN:
                await self._carry_each(together)
                return
            for cart in together:  # what became of them may be unknown: none is written again
                cart.written.set_exception(DatabaseError(error.code, error.path))
        except Exception as error:  # noqa: BLE001 - it is for who wrote it
            if len(together) > 1:
                await self._carry_each(together)
                return
            together[0].written.set_exception(error)
        else:
            for cart in together:
                cart.written.set_result(None)

    async def _carry_each(self, together: Sequence[Cart]) -> None:
        for cart in together:
            await self._carry([cart])
