"""Starts `bot.py` for tests: with a clock that they can set, or again and again without importing anew.

`python -m tests.process.launcher run` is `python bot.py run`, but that the milliseconds in the file
HATAMOTO_TEST_CLOCK, where it is set, are added to the machine's clock, and HATAMOTO_TEST_KILL=n is a SIGKILL
at the n-th moment of the timers' work: before and after each of its commits.

`python -m tests.process.launcher` imports the bot, and then for each line of JSON on stdin (arguments,
environment, output) forks a process that becomes the bot as a fresh one would: nothing but imports came
before. It prints `{"pid": n}`, and when that process has ended `{"status": n}`, as Popen's returncode.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
import traceback
from itertools import count
from pathlib import Path
from typing import NoReturn

import bot
from db import database
from db.database import Done, Step, Transaction
from db.rows import TimerRow
from tables import timing
from tables.clock import SystemClock
from tables.house import House

CLOCK = "HATAMOTO_TEST_CLOCK"
KILL = "HATAMOTO_TEST_KILL"


def set_clock() -> None:
    """From now on the clock is the machine's and what the file says."""
    if not (name := os.environ.get(CLOCK)):
        return
    offset, machine = Path(name), SystemClock.now

    def now(self: SystemClock) -> int:
        return machine(self) + int(offset.read_text())

    SystemClock.now = now  # type: ignore[method-assign]


def set_kill() -> None:
    """From now on a SIGKILL waits at that moment of the timers' work."""
    if not (at := os.environ.get(KILL)):
        return
    moments, tasks = count(1), set[object]()
    flush, carry_out = Transaction.flush, database.carry_out

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
        moment()
        done = carry_out(connection, step)
        moment()
        return done

    async def flushed(self: Transaction) -> Done:
        last = self._steps[-1:]
        if asyncio.current_task() not in tasks or not last or last[0].sql != "COMMIT":
            return await flush(self)
        self._steps.pop()
        await flush(self)
        return await database.in_thread(self._connection, fatal, last[0])

    Transaction.flush = flushed  # type: ignore[method-assign]
    for kind, work in timing.WORK.items():
        timing.WORK[kind] = at_work(work)


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
        set_clock()
        set_kill()
        status = bot.main(order["arguments"])  # type: ignore[arg-type]
    except BaseException:  # noqa: BLE001 - as the interpreter would; what called `fork` must not go on here
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def serve() -> None:
    """One bot after another, until stdin ends."""
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            become_the_bot(order)
        print(json.dumps({"pid": pid}), flush=True)
        _, status = os.waitpid(pid, 0)
        print(json.dumps({"status": os.waitstatus_to_exitcode(status)}), flush=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        set_clock()
        set_kill()
        sys.exit(bot.main(sys.argv[1:]))
    serve()
