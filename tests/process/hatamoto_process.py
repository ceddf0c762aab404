"""The bot as it is shipped: `python bot.py ...` in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from copy import copy
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import MappingProxyType
from typing import Protocol

from tests.places import served
from tests.process.discord_client import DEADLINE, ROOT, Discord

CLOCK = "HATAMOTO_TEST_CLOCK"  # of the launcher: a file with milliseconds
SKETCHES = "HATAMOTO_TEST_SKETCHES"  # of the launcher: nothing is drawn


class Process(Protocol):
    """What is needed of a process; asyncio's has it."""

    @property
    def pid(self) -> int: ...
    @property
    def returncode(self) -> int | None: ...
    async def wait(self) -> int: ...
    def send_signal(self, signal: int, /) -> None: ...
    def kill(self) -> None: ...


class Hatamoto:
    """One start of the bot; its output is kept in a file beside the database."""

    def __init__(self, process: Process, output: Path) -> None:
        self.process = process
        self.output = output

    async def ended(self) -> int:
        """Its exit status, once it has ended."""
        return await asyncio.wait_for(self.process.wait(), DEADLINE)

    async def stop(self) -> int:
        """SIGTERM, and the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return await self.ended()

    async def kill(self) -> None:
        """SIGKILL: as if the power had failed."""
        if self.process.returncode is None:
            self.process.kill()
        await self.ended()

    @property
    def children(self) -> list[int]:
        """Processes that it has started, whichever of its threads did."""
        lists = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(process) for one in lists for process in one.read_text().split()]

    @property
    def words(self) -> str:
        """Everything it has printed so far."""
        return self.output.read_text()


def lives(process: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def named(database: Path) -> str:
    """The setting that names a database: the file, or what stands for it."""
    where = served(database)
    return str(where) if isinstance(where, Path) else where.url


def environment(database: Path, api: str, token: str, more: Mapping[str, str]) -> dict[str, str]:
    """Ours without settings of the bot, and those of this start."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DISCORD_", "HATAMOTO_"))}
    settings = {"DISCORD_TOKEN": token, "HATAMOTO_DATABASE": named(database), **more}
    return {**kept, **settings, **({"DISCORD_API_BASE": api} if api else {})}


async def start(
    database: Path,
    *arguments: str,
    api: str = "",
    token: str = "loopback",
    log: str = "bot",
    more: Mapping[str, str] = MappingProxyType({}),
    within: Sequence[str] = (),
) -> Hatamoto:
    """Starts `python bot.py <arguments>` and does not wait for anything.

    more    environment variables beside the usual; HATAMOTO_TEST_CLOCK starts it by the launcher
    within  a command that becomes the one behind it
    """
    program = ("-m", "tests.process.launcher") if CLOCK in more else ("bot.py",)
    output = database.with_name(f"{log}.log")
    with output.open("ab") as file:
        process = await asyncio.create_subprocess_exec(
            *within,
            sys.executable,
            *program,
            *arguments,
            cwd=ROOT,
            env=environment(database, api, token, more),
            stdout=file,
            stderr=file,
        )
    return Hatamoto(process, output)


class Forked:
    """A bot that a launcher has forked; it can be waited for and killed as any other."""

    def __init__(self, pid: int, end: Future[int]) -> None:
        self.pid, self._end = pid, end

    @property
    def returncode(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._end.result() if self._end.done() else None

    async def wait(self) -> int:
        """Its exit status, once it has ended."""
        return await asyncio.shield(asyncio.wrap_future(self._end))

    def send_signal(self, signal: int, /) -> None:
        """A signal, if it still runs."""
        if self.returncode is None:
            os.kill(self.pid, signal)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)


class Launcher:
    """Starts bots from a process that has imported everything: two seconds less each. Of no loop's own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._starts: SimpleQueue[tuple[int, Future[int]]] = SimpleQueue()
        self._usual = {"HATAMOTO_EMOJI": "false"}
        Thread(target=self._hear, daemon=True).start()

    def sketching(self) -> Launcher:
        """The same, of bots whose pictures nobody looks at: they are not drawn."""
        found = copy(self)
        found._usual = {**self._usual, SKETCHES: "1"}
        return found

    def _hear(self) -> None:
        """What it says, until it ends."""
        assert self._process.stdout is not None
        ends: dict[int, Future[int]] = {}  # of those that run: a process id comes again after many
        for line in self._process.stdout:
            found = json.loads(line)
            if "pid" in found:
                ends[found["pid"]] = end = Future[int]()
                self._starts.put((found["pid"], end))
            else:
                ends.pop(found["ended"]).set_result(found["status"])

    async def start(
        self,
        database: Path,
        *arguments: str,
        api: str,
        log: str = "bot",
        more: Mapping[str, str] = MappingProxyType({}),
        limits: Mapping[int, int] = MappingProxyType({}),
    ) -> Hatamoto:
        """As `start` of this module, with `resource` limits, and without emoji, which no test looks at."""
        output = database.with_name(f"{log}.log")
        order = {
            "arguments": arguments,
            "environment": environment(database, api, "loopback", {**self._usual, **more}),
            "output": str(output),
            "limits": list(limits.items()),
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return Hatamoto(Forked(*await asyncio.to_thread(self._starts.get)), output)


@contextmanager
def launcher() -> Iterator[Launcher]:
    """A launcher, gone at the end; many tests may share one."""
    command = [sys.executable, "-m", "tests.process.launcher"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Launcher(process)
        finally:
            process.kill()


@asynccontextmanager
async def running(
    discord: Discord,
    database: Path,
    *,
    by: Launcher | None = None,
    more: Mapping[str, str] = MappingProxyType({}),
    limits: Mapping[int, int] = MappingProxyType({}),
    within: Sequence[str] = (),
) -> AsyncIterator[Hatamoto]:
    """The bot connected to this Discord; killed at the end if it still runs.

    `by` starts it in less time, and alone can put `limits`; without it may be `within` something.
    """
    await discord.read(0)
    begin = len(discord.log)
    if by is None:
        assert not limits
        bot = await start(database, "run", api=discord.api, more=more, within=within)
    else:
        bot = await by.start(database, "run", api=discord.api, more=more, limits=limits)
    try:
        connected = asyncio.ensure_future(discord.connected(begin))
        ended = asyncio.ensure_future(bot.process.wait())
        await asyncio.wait({connected, ended}, return_when=asyncio.FIRST_COMPLETED)
        assert not ended.done(), f"the bot ended by itself:\n{bot.words}"
        await connected
        yield bot
    finally:
        await bot.kill()
