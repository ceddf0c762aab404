"""One call at one time: what sleeps until the earliest due row, without a task that idles."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tables.core.clock import Clock

LONGEST_S = 3600.0  # then it looks at the clock again, so a clock that was set does no harm


class Alarm:
    """Calls `ring` when `at` has come; setting an earlier time replaces a later one."""

    def __init__(self, clock: Clock, ring: Callable[[], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._at: int | None = None
        self._handle: asyncio.TimerHandle | None = None

    def set(self, at: int | None) -> None:
        """Rings at `at`, ms UTC; None never."""
        if at == self._at:
            return
        self.cancel()
        self._at = at
        if at is not None:
            delay = min(max((at - self._clock.now()) / 1000, 0.0), LONGEST_S)
            self._handle = asyncio.get_running_loop().call_later(delay, self._due)

    def cancel(self) -> None:
        """Does not ring any more."""
        if self._handle is not None:
            self._handle.cancel()
        self._at = self._handle = None

    def _due(self) -> None:
        at, self._at, self._handle = self._at, None, None
        if at is not None and at > self._clock.now():
            self.set(at)
        else:
            self._ring()
