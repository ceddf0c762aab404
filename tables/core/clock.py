"""The one place where wall time is read."""

from __future__ import annotations

import time
from typing import Protocol, runtime_checkable


class Clock(Protocol):
    """What time it is, in integer milliseconds since 1970 UTC."""

    def now(self) -> int:
        """Milliseconds since 1970 UTC."""


@runtime_checkable
class Steady(Protocol):
    """A clock that knows besides how much time has passed, whatever the machine's clock is set to."""

    def steady(self) -> int:
        """Milliseconds since any moment; only differences mean something."""


class SystemClock:
    """The machine's clock."""

    def steady(self) -> int:
        """Milliseconds since the machine started, without those in which it slept."""
        return time.monotonic_ns() // 1_000_000

    def now(self) -> int:
        """Milliseconds since 1970 UTC."""
        return time.time_ns() // 1_000_000
