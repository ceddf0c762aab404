"""Starts `bot.py` for tests: with a clock that they can set, or again and again without importing anew.

`python -m tests.process.launcher run` is `python bot.py run`, but that the milliseconds in the file
HATAMOTO_TEST_CLOCK, where it is set, are added to the machine's clock, HATAMOTO_TEST_KILL=n is a SIGKILL
at the n-th moment of the timers' work: before and after each of its commits, and HATAMOTO_TEST_DISK=pid lets
it see the disks that this process has mounted for itself. With HATAMOTO_TEST_SKETCHES nothing is drawn, and
logs are folded in the bot's own process; HATAMOTO_TEST_APART=ms is how far apart shards identify.

`python -m tests.process.launcher` imports the bot, and then for each line of JSON on stdin (arguments,
environment, output, limits) forks a process that becomes the bot as a fresh one would: nothing but imports
came before. It prints `{"pid": n}`, and when that process has ended `{"ended": n, "status": n}`, as Popen's
returncode.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import resource
import select
import signal
import sqlite3
import sys
import traceback
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from pathlib import Path
from typing import NoReturn
from weakref import WeakSet

import bot
from db import sqlite
from db.database import Database, Done, Step, Transaction
from db.postgresql import database as postgresql
from db.rows import TimerRow
from db.sqlite import Writing
from db.trips import in_thread
from tables import timing
from tables.core.clock import SystemClock
from tables.core.house import House
from tables.reading.archive import HereLibrary
from tests.sketches import marked
from workers.drawing import HereStudio, Workshop

CLOCK = "HATAMOTO_TEST_CLOCK"
KILL = "HATAMOTO_TEST_KILL"
DISK = "HATAMOTO_TEST_DISK"
SKETCHES = "HATAMOTO_TEST_SKETCHES"
APART = "HATAMOTO_TEST_APART"

Write = Callable[[Database, Sequence[Step]], Awaitable[None]]  # of a whole transaction, or of several in one


def set_clock() -> None:
    """From now on the clock is the machine's and what the file says."""
    if not (name := os.environ.get(CLOCK)):
        return
    offset, machine = Path(name), SystemClock.now

    def now(self: SystemClock) -> int:
        return machine(self) + int(offset.read_text())

    SystemClock.now = now  # type: ignore[method-assign]


def set_disk() -> None:
    """From now on files are those that the process sees; wants that we have no threads yet."""
    if not (process := os.environ.get(DISK)):
        return
    here, libc = Path.cwd(), ctypes.CDLL(None, use_errno=True)
    spaces = [os.open(f"/proc/{process}/ns/{name}", os.O_RDONLY) for name in ("user", "mnt")]
    for space in spaces:
        if libc.setns(space, 0):
            raise OSError(ctypes.get_errno(), f"the disks of process {process} cannot be seen")
        os.close(space)
    os.chdir(here)


def set_up() -> None:
    """What the environment asks for."""
    set_disk()
    set_clock()
    set_kill()
    set_sketches()
    set_apart()


def set_apart() -> None:
    """From now on identifies are so many ms apart."""
    bot.APART_MS = int(os.environ.get(APART) or bot.APART_MS)


def set_sketches() -> None:
    """From now on no process that draws or folds is started: nothing is drawn, and logs are folded here."""
    if SKETCHES in os.environ:
        vars(bot)["Library"] = HereLibrary
        Workshop.draw = marked  # type: ignore[assignment,method-assign]
        Workshop.expect = HereStudio.expect  # type: ignore[assignment,method-assign]


def set_kill() -> None:
    """From now on a SIGKILL waits at that moment of the timers' work."""
    if not (at := os.environ.get(KILL)):
        return
    moments, tasks = count(1), set[object]()
    flush, carry_out, steps_of = Writing.flush, sqlite.carry_out, vars(Transaction)["whole"]
    begin, commit = postgresql.Writing.__init__, postgresql.Writing.commit
    at_work_there, deadly = WeakSet[postgresql.Writing](), list[Step]()

    def moment() -> None:
        if next(moments) == int(at):
            os.kill(os.getpid(), signal.SIGKILL)

    def at_work(real: timing.Work) -> timing.Work:
        async def work(house: House, timer: TimerRow) -> None:
            task = asyncio.current_task()
            tasks.add(task)
            try:
                await real(house, timer)
            finally:
                tasks.discard(task)

        return work

    def fatal(connection: sqlite3.Connection, step: Step) -> Done:
        if step.sql != "COMMIT":
            return carry_out(connection, step)
        moment()
        done = carry_out(connection, step)
        moment()
        return done

    def all_of(connection: sqlite3.Connection, steps: list[Step]) -> Done:
        return [fatal(connection, step) for step in steps][-1]

    async def flushed(self: Writing) -> Done:
        if asyncio.current_task() not in tasks:
            return await flush(self)
        await self.alone()
        steps, self._steps = self._steps, []
        return await in_thread(self._connection, all_of, steps)

    def of_a_server(self: postgresql.Writing, home: postgresql.Postgres) -> None:
        begin(self, home)
        if asyncio.current_task() in tasks:
            at_work_there.add(self)

    async def committed(self: postgresql.Writing) -> None:
        fatally = self in at_work_there
        if fatally:
            moment()
        await commit(self)
        if fatally:
            moment()

    def in_line(self: Transaction) -> Sequence[Step]:
        steps: Sequence[Step] = steps_of.__get__(self)
        if asyncio.current_task() in tasks:
            deadly.extend(steps)
        return steps

    def fatally(write: Write) -> Write:
        async def together(self: Database, steps: Sequence[Step]) -> None:
            dies = any(step is one for step in steps for one in deadly)
            if dies:
                moment()
            await write(self, steps)
            if dies:
                moment()

        return together

    Transaction.whole = property(in_line)  # type: ignore[assignment,method-assign]
    for home in (sqlite.Sqlite, postgresql.Postgres):
        home._write = fatally(vars(home)["_write"])  # type: ignore[assignment,method-assign]
    postgresql.Writing.__init__ = of_a_server  # type: ignore[method-assign]
    postgresql.Writing.commit = committed  # type: ignore[method-assign]
    Writing.flush = flushed  # type: ignore[method-assign]
    for kind, work in timing.WORK.items():
        timing.WORK[kind] = at_work(work)


def put_limits(limits: list[tuple[int, int]]) -> None:
    """Limits of this process alone; a write beyond RLIMIT_FSIZE fails as one over a quota does."""
    for limit, most in limits:
        resource.setrlimit(limit, (most, resource.getrlimit(limit)[1]))
        if limit == resource.RLIMIT_FSIZE:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def become_the_bot(order: dict[str, object]) -> NoReturn:
    """In the forked process: `bot.py` with this environment, output and arguments."""
    status = 1
    try:
        output = os.open(str(order["output"]), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for number, file in enumerate((nothing, output, output)):
            os.dup2(file, number)
        os.environ.clear()
        os.environ.update(order["environment"])  # type: ignore[call-overload]
        put_limits(order["limits"])  # type: ignore[arg-type]
        set_up()
        status = bot.main(order["arguments"])  # type: ignore[arg-type]
    except BaseException:  # noqa: BLE001 - as the interpreter would; what called `fork` must not go on here
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def tell(what: dict[str, int]) -> None:
    """A line of JSON on stdout."""
    print(json.dumps(what), flush=True)


def forked(line: bytes) -> int:
    """The process that a line orders."""
    pid = os.fork()
    if pid == 0:
        become_the_bot(json.loads(line))
    tell({"pid": pid})
    return pid


def serve() -> None:
    """A bot for each line, until stdin ends. No thread: what is forked has none of another's locks."""
    gc.collect()
    gc.freeze()  # what is imported is not walked over, and so not copied, in each of them
    bots: dict[int, int] = {}  # process ids by what is readable when they have ended
    text = b""
    while True:
        for ready in select.select([0, *bots], [], [])[0]:
            if ready in bots:
                pid = bots.pop(ready)
                os.close(ready)
                _, status = os.waitpid(pid, 0)
                tell({"ended": pid, "status": os.waitstatus_to_exitcode(status)})
            elif more := os.read(0, 65536):
                *lines, text = (text + more).split(b"\n")
                bots |= {os.pidfd_open(pid): pid for pid in map(forked, lines)}
            else:
                return


if __name__ == "__main__":
    if sys.argv[1:]:
        set_up()
        sys.exit(bot.main(sys.argv[1:]))
    serve()
