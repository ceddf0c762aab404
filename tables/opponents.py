"""The built-in opponents, thinking in a worker process of their own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol

from engines.base import Json
from tables.process import WORKER, Worker, WorkerError


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
        question = json.dumps(["choose", game, view, level, seed.hex(), entry])
        try:
            answer = json.loads(await self._worker.ask(lambda: question))
        except WorkerError as error:
            raise OpponentError(str(error)) from error
        if "answer" not in answer:
            raise OpponentError(answer.get("fault", "no answer"))
        return str(answer["answer"])

    async def close(self) -> None:
        """Ends the worker at once, whatever it thinks about."""
        await self._worker.close()
