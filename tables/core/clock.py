"""The one place where wall time is read."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """What time it is, in integer milliseconds since 1970 UTC."""

    def now(self) -> int:
        """Milliseconds since 1970 UTC."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Milliseconds since 1970 UTC."""
        return time.time_ns() // 1_000_000
