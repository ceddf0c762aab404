"""Work that goes on to its end, whoever waits for it."""

from __future__ import annotations

import asyncio
from typing import TypeVar

T = TypeVar("T")


async def ended(task: asyncio.Future[T]) -> T:
    """What became of a task; who is cancelled meanwhile, however often, goes on when it has ended, too.

    Whoever writes holds the lock of what is written: it is let go when the disk has said what it holds.
    """
    await outlasted(task)
    return task.result()


async def outlasted(task: asyncio.Future[T]) -> None:
    """Returns when a task has ended, whatever became of it; who was cancelled meanwhile hears it then."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()  # nobody else asks for it
        raise cancelled
