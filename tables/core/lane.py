"""A thread of its own for what takes long, so that moves never wait for it in the pool that answers them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Lane:
    """One after another, in the order in which they were asked for."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._closed = False

    async def run(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What `work` returns or raises."""
        if self._closed:  # what is still asked for while everything ends
            return await asyncio.to_thread(work, *given, **named)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: work(*given, **named))

    async def close(self) -> None:
        """Lets what runs finish and begins nothing more."""
        self._closed = True
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)
