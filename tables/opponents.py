"""The built-in opponents, thinking in one worker process that is started at first use."""

from __future__ import annotations

from typing import Protocol

from engines.base import Json
from engines.opponents import Level


class Thinker(Protocol):
    """Chooses for a bot's seat from its view alone."""

    async def choose(self, game: str, view: Json, level: Level, seed: bytes, entry: int) -> str:
        """The action in canonical notation for `view` (JSON of the seat's view)."""

    async def close(self) -> None:
        """Ends the worker, if it runs."""


class Opponents:
    """The worker process; it survives being killed by being started anew, once a question."""

    async def choose(self, game: str, view: Json, level: Level, seed: bytes, entry: int) -> str:
        """The action in canonical notation for `view` (JSON of the seat's view)."""
        raise NotImplementedError

    async def close(self) -> None:
        """Ends the worker, if it runs."""
        raise NotImplementedError
