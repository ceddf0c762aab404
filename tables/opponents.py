"""The built-in opponents, thinking in one worker process that is started at first use."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from engines.base import Json

ROOT = Path(__file__).parent.parent
WORKER = (sys.executable, "-m", "tables.worker")


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
    """The worker process: a line of JSON in, a line out, one question at a time.

    It is no child of `multiprocessing`: it imports the engines alone, hears no Ctrl-C meant for the
    bot, and ends by itself when the bot is gone, because its input ends.
    """

    def __init__(self, command: Sequence[str] = WORKER) -> None:
        self._command = list(command)
        self._process: subprocess.Popen[str] | None = None
        self._thread = ThreadPoolExecutor(1, "opponent")

    @property
    def pid(self) -> int | None:
        """The worker's process id while it runs."""
        return None if self._process is None else self._process.pid

    async def choose(self, game: str, view: Json, level: str, seed: bytes, entry: int) -> str:
        """The action in canonical notation. A killed worker is started anew, once. Raises OpponentError."""
        question = json.dumps([game, view, level, seed.hex(), entry])
        reply = await asyncio.get_running_loop().run_in_executor(self._thread, self._ask, question)
        answer = json.loads(reply)
        if "action" not in answer:
            raise OpponentError(answer.get("error", "no answer"))
        return str(answer["action"])

    async def close(self) -> None:
        """Ends the worker at once, whatever it thinks about."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
        await asyncio.to_thread(self._thread.shutdown)
        if process is not None:
            await asyncio.to_thread(end, process)

    def _ask(self, question: str) -> str:
        """In the thread: the worker's line, after one more try where it died."""
        return self._once(question) or self._once(question) or '{"error": "the worker died twice"}'

    def _once(self, question: str) -> str:
        process = self._process or self._begin()
        if process.stdin is None or process.stdout is None:
            raise OpponentError("the worker has no pipes")
        try:
            process.stdin.write(question + "\n")
            process.stdin.flush()
            reply = process.stdout.readline()
        except BrokenPipeError:
            reply = ""
        if not reply.endswith("\n"):
            self._process = None
            end(process)
            return ""
        return reply

    def _begin(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            start_new_session=True,
        )
        return self._process


def end(process: subprocess.Popen[str]) -> None:
    """Reaps a worker and closes its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):  # what was not read any more
                pipe.close()
