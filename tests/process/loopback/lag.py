"""How late this process is with what it is to do: what a client must not take for lateness of the bot."""

from __future__ import annotations

import asyncio

EVERY_S = 0.005


class Lag:
    """Measures the loop's lateness from the first `read` on."""

    def __init__(self) -> None:
        self._late: list[float] = []
        self._due: float | None = None

    def read(self) -> list[float]:
        """Milliseconds by which the loop was late, once every five, since the last reading."""
        late, self._late = self._late, []
        if self._due is None:
            self._next()
        return late

    def _next(self) -> None:
        loop = asyncio.get_running_loop()
        self._due = loop.time() + EVERY_S
        loop.call_at(self._due, self._look)

    def _look(self) -> None:
        if self._due is not None:
            self._late.append(max(0.0, asyncio.get_running_loop().time() - self._due) * 1000)
        self._next()
