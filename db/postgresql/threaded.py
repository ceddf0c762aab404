"""Connections that are worked in threads of their own, one each.

On asyncio's own connection each statement is several turns of the loop, in each of which all others go first
that are ready. In a thread several statements are one. Nobody waits at the end of the process for a thread
whose server does not answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, Self, TypeVar

import psycopg

from db.address import Address
from db.database import Params, Step
from db.postgresql.connections import Row, adapt, given, lost, patiently
from db.postgresql.words import said

T = TypeVar("T")
Work = tuple[Callable[[], Any], asyncio.Future[Any]]


class Result(NamedTuple):
    """What a statement found, and how many rows it changed."""

    rows: Sequence[Row]
    changed: int


class Threaded:
    """One connection in autocommit mode."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._asked: SimpleQueue[Work | None] = SimpleQueue()
        self._made: psycopg.Connection[Row] | None = None
        Thread(target=self._work, name="postgresql", daemon=True).start()

    @classmethod
    async def open(cls, address: Address, *, read_only: bool = False, busy_ms: int) -> Self:
        """A connection; one that cannot be had now is asked for again for `busy_ms`. Raises DatabaseError."""
        found = cls()
        how = given(address, read_only=read_only, busy_ms=busy_ms)

        def connect() -> psycopg.Connection[Row]:
            return psycopg.Connection.connect(address.url, cursor_factory=psycopg.RawCursor, **how)

        try:
            found._made = await patiently(address, busy_ms, lambda: found._do(connect))
        except BaseException:
            found._asked.put(None)
            raise
        adapt(found._made.adapters)
        return found

    @property
    def closed(self) -> bool:
        """Whether it is of no use any more."""
        return self._made is None or self._made.closed

    @property
    def idle(self) -> bool:
        """Whether it is between two transactions."""
        return self._made is not None and (
            self._made.info.transaction_status is psycopg.pq.TransactionStatus.IDLE
        )

    def lost(self, error: psycopg.Error) -> bool:
        """Whether a statement failed because the connection, or its server, is gone."""
        return lost(self, error)

    async def ask(self, sql: str, params: Params = ()) -> Sequence[Row]:
        """The rows of one statement."""
        (result,) = await self.carry_out([Step(sql, params)])
        return result.rows

    async def carry_out(self, steps: Iterable[Step]) -> list[Result]:
        """Several statements in one trip, and what each of them did.

        After one that fails the server carries out none of those behind it.
        """
        return await self._do(lambda: carried_out(self._open(), tuple(steps)))

    async def close(self) -> None:
        """Lets go of it, however it is; what was asked of it before is done."""
        made, self._made = self._made, None
        if made is not None:
            with suppress(psycopg.Error):
                await self._do(made.close)
            self._asked.put(None)

    def _open(self) -> psycopg.Connection[Row]:
        if self._made is None:
            raise psycopg.OperationalError("the connection is closed")
        return self._made

    async def _do(self, work: Callable[[], T]) -> T:
        """Does it in the thread, after what was asked before; whoever is cancelled hears nothing of it."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._asked.put((work, future))
        return await future

    def _work(self) -> None:
        while (asked := self._asked.get()) is not None:
            work, future = asked
            try:
                found, error = work(), None
            except BaseException as why:  # noqa: BLE001 - it is for who asked
                found, error = None, why
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(answer, future, found, error)
            del asked, work, future, found, error


def answer(future: asyncio.Future[Any], found: object, error: BaseException | None) -> None:
    """Tells what became of it, if anybody waits."""
    if future.done():
        return
    if error is None:
        future.set_result(found)
    else:
        future.set_exception(error)


def carried_out(connection: psycopg.Connection[Row], steps: Sequence[Step]) -> list[Result]:
    """The statements in one trip to the server."""
    if len(steps) == 1 and not steps[0].many:
        return [result_of(connection.execute(said(steps[0].sql).encode(), steps[0].params))]
    cursors = list[psycopg.Cursor[Row]]()
    with connection.pipeline():
        for step in steps:
            cursors.append(cursor := connection.cursor())
            if step.many:
                cursor.executemany(said(step.sql).encode(), step.params)
            else:
                cursor.execute(said(step.sql).encode(), step.params)
    return [result_of(cursor) for cursor in cursors]


def result_of(cursor: psycopg.Cursor[Row]) -> Result:
    """All that a statement found."""
    return Result([] if cursor.description is None else cursor.fetchall(), cursor.rowcount)


class Pool:
    """A few connections to read from, opened when they are needed."""

    def __init__(self, address: Address, most: int, busy_ms: int) -> None:
        self._address = address
        self._busy_ms = busy_ms
        self._free: list[Threaded] = []
        self._room = asyncio.Semaphore(most)
        self._closed = False

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Threaded]:
        """A connection for one trip; one that broke is left. Raises DatabaseError."""
        async with self._room:
            made = self._free.pop() if self._free else None
            if made is None or made.closed:
                made = await Threaded.open(self._address, read_only=True, busy_ms=self._busy_ms)
            try:
                yield made
            finally:
                if made.closed or self._closed or not made.idle:
                    await made.close()
                else:
                    self._free.append(made)

    async def drop(self) -> None:
        """Those that wait are of a server that is gone."""
        while self._free:
            await self._free.pop().close()

    async def close(self) -> None:
        """Lets go of all of them."""
        self._closed = True
        await self.drop()
