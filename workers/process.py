"""A worker process of ours: questions and answers as lines of JSON, one at a time, off the bot's interpreter.

Where an answer comes with bytes (a picture), they follow its line as they are, and the line says how many.

It is no child of `multiprocessing`: it imports what its questions need alone, hears no Ctrl-C meant for
the bot, and ends by itself when the bot is gone, because its input ends. It is a process group, but no
session: Linux shares the processor among sessions first (autogroups), and how nice a process is counts only
within its own, so a worker in a session of its own would take as much as all of the bot.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Any, TypeVar

from engines.protocol import Json

T = TypeVar("T")
ROOT = Path(__file__).parent.parent
WORKER = (sys.executable, "-m", "workers")
FIRST = 3  # times the limit for a process's first answer: it starts and reads in what it needs for it
# of the bot alone: as psql, it takes a password from PGPASSWORD or from a file that PGPASSFILE names
SECRETS = re.compile("DISCORD_TOKEN|HATAMOTO_DATABASE|PG[A-Z]+|.*PASSWORD.*")
MEMORY = {  # whole boards (6 MB) and layers at three times their size are given back at once: between them
    "MALLOC_MMAP_THRESHOLD_": "2097152",  # lie sprites that are kept, and what is freed there is never whole
    "MALLOC_TRIM_THRESHOLD_": "2097152",
    # what is large comes in pages of 2 MB where the system has them: a board's 1,400 small ones took six
    # milliseconds to be had, each time
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}


class WorkerError(Exception):
    """The worker gave no answer: it died of the question twice, or took too long."""


class FaultError(WorkerError):
    """The question could not be answered: what happened, and where in our code."""


class Worker:
    """One process, started at the first question and anew when it was killed.

    limit_s  how long a question may take before the worker is killed, the first one FIRST times as long: on a
             slow machine one that was killed while it started would never have started; None: for ever
    most     questions after which a new process takes over, so that its memory stays bounded
    rest_s   seconds without a question after which it ends
    own      what its environment has and nobody else's
    """

    def __init__(
        self,
        command: Sequence[str] = WORKER,
        *,
        limit_s: float | None = None,
        most: int | None = None,
        rest_s: float | None = None,
        own: Mapping[str, str] | None = None,
    ) -> None:
        self._command = list(command)
        self._own = dict(own or {})
        self._limit_s, self._most, self._rest_s = limit_s, most, rest_s
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1, "worker")
        self._answered = 0
        self._resting: asyncio.TimerHandle | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._until: float | None = None  # when a question that is being answered has taken too long
        self._late = False
        self._closed = False
        self.waiting = 0  # questions that are not answered yet

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        return None if self._process is None else self._process.pid

    async def ask(self, make: Callable[[], Json], read: Callable[[Any, bytes], T]) -> T:
        """The answer to a question, made when it is its turn, as `read` makes it of its JSON and its bytes.

        Both are called in the worker's thread: neither a long question nor a long answer holds the loop.
        Raises WorkerError, FaultError, and what `read` raises.
        """
        loop = asyncio.get_running_loop()
        if self._resting is not None:
            self._resting.cancel()
        self.waiting += 1
        if self._limit_s is not None and self._watch is None:
            self._watch = loop.call_later(self._limit_s, self._look)
        try:
            return await loop.run_in_executor(self._thread, self._ask, make, read)
        finally:
            self.waiting -= 1
            if self._rest_s is not None and not self.waiting and not self._closed:
                self._resting = loop.call_later(self._rest_s, self._rest)

    async def close(self) -> None:
        """Ends the process at once, whatever it does."""
        self._closed = True
        for timer in (self._resting, self._watch):
            if timer is not None:
                timer.cancel()
        process, self._process = self._process, None
        if process is not None:
            process.kill()
        await asyncio.to_thread(self._thread.shutdown)
        if process is not None:
            await asyncio.to_thread(end, process)

    def _look(self) -> None:
        """Kills a process that has not answered in time, which ends the wait for its line."""
        self._watch = None
        until, process, now = self._until, self._process, monotonic()
        if until is not None and until <= now and process is not None:
            self._late = True
            process.kill()
        if self.waiting and not self._closed:
            left = until - now if until is not None and until > now else self._limit_s or 0.0
            self._watch = asyncio.get_running_loop().call_later(left, self._look)

    def _rest(self) -> None:
        if not self.waiting and not self._closed:
            self._thread.submit(self._stop)

    # -- in the thread -----------------------------------------------------------------------------

    def _ask(self, make: Callable[[], Json], read: Callable[[Any, bytes], T]) -> T:
        """What the process answers, after one more try where it died."""
        question = json.dumps(make()).encode() + b"\n"
        for _ in range(2):
            reply, data = self._once(question)
            if reply is not None:
                if "answer" not in reply:
                    raise FaultError(reply["fault"])
                return read(reply["answer"], data)
        raise WorkerError("the worker died twice")

    def _once(self, question: bytes) -> tuple[dict[str, Any] | None, bytes]:
        """What the process says, None where it died. Raises WorkerError where it took too long."""
        process = self._process or self._begin()
        if process.stdin is None or process.stdout is None:
            raise WorkerError("the worker has no pipes")
        limit_s = (self._limit_s or 0.0) * (1 if self._answered else FIRST)
        self._late, self._until = False, monotonic() + limit_s if self._limit_s is not None else None
        try:
            process.stdin.write(question)
            process.stdin.flush()
            reply, data = heard(process.stdout)
        except BrokenPipeError:
            reply, data = None, b""
        finally:
            self._until = None
        self._answered += 1
        if reply is None or self._answered == self._most:
            self._stop()
        if self._late and reply is None:
            raise WorkerError(f"the worker took more than {limit_s:g} s")
        return reply, data

    def _begin(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise WorkerError("the worker is closed")
        self._answered = 0
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={name: value for name, value in os.environ.items() if not SECRETS.fullmatch(name)}
            | MEMORY
            | self._own,
            process_group=0,  # no Ctrl-C that was meant for the bot; a session would have a share of its own
        )
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            end(process)


def heard(pipe: IO[bytes]) -> tuple[dict[str, Any] | None, bytes]:
    """An answer with its bytes; None where the process died before it had said all of it."""
    line = pipe.readline()
    if not line.endswith(b"\n"):
        return None, b""
    reply: dict[str, Any] = json.loads(line)
    size = int(reply.get("bytes", 0))
    data = pipe.read(size) if size else b""
    return (reply, data) if len(data) == size else (None, b"")


def end(process: subprocess.Popen[bytes]) -> None:
    """Reaps a worker and closes its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):  # what was not read any more
                pipe.close()
