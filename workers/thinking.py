"""The built-in opponents, thinking in a worker process of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engines.protocol import Json
from workers.process import WORKER, Worker, WorkerError


class OpponentError(Exception):
    """The opponent failed at a question: a fault of ours."""


class Thinker(Protocol):
    """Chooses for a bot's seat from its view alone."""

    async def choose(self, game: str, view: Json, level: str, seed: bytes, entry: int) -> str:
        """The action in canonical notation for `view` (JSON of the seat's view).

        `seed` and `entry` make the opponent's own chance; nothing of the table's can be worked out of them.
        """

    async def close(self) -> None:
        """Ends the worker, if it runs."""


class Opponents:
    """Asks the worker process, one question at a time."""

    def __init__(self, command: Sequence[str] = WORKER) -> None:
        self._worker = Worker(command)

    @property
    def pid(self) -> int | None:
        """The worker's process id while it runs."""
        return self._worker.pid

    async def choose(self, game: str, view: Json, level: str, seed: bytes, entry: int) -> str:
        """The action in canonical notation. A killed worker is started anew, once. Raises OpponentError."""
        try:
            return await self._worker.ask(
                lambda: ["choose", game, view, level, seed.hex(), entry], lambda answer, _: str(answer)
            )
        except WorkerError as error:
            raise OpponentError(str(error)) from error

    async def close(self) -> None:
        """Ends the worker at once, whatever it thinks about."""
        await self._worker.close()
