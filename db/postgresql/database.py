"""A PostgreSQL database: one writer of this process, connections to read from, other processes beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import Any

import psycopg

from db.address import Address
from db.database import BEGIN, Database, Done, Params, Row, Source, Step, Transaction
from db.errors import DatabaseError
from db.fitting import Misfit
from db.line import CHANNEL, Line
from db.postgresql.connections import Connection, Pool, carry_out, closed, connected, idle
from db.postgresql.faults import code_of, reported
from db.postgresql.migrating import bring_up, check
from db.postgresql.words import said
from db.waiting import ended

READERS = 4
UNKNOWN_S = 30.0  # so long a server may be away that is to say what became of a commit
LOOK_S = 0.05
LISTEN_AGAIN_S = 0.2
NUMBER = "SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END AS next FROM {}_id_seq"
XID = "SELECT CAST(pg_current_xact_id() AS TEXT)"
BECAME = "SELECT pg_xact_status(CAST(? AS xid8))"
ALONE = "SELECT pg_try_advisory_lock(hashtextextended('hatamoto writes', 0))"
AMONG = "SELECT pg_try_advisory_lock_shared(hashtextextended('hatamoto writes', 0))"
Heard = Callable[[str], object]
FAULTS = """SELECT 'the index ' || indexrelid::regclass || ' is not valid' FROM pg_index WHERE NOT indisvalid
    UNION ALL
    SELECT 'the check ' || conname || ' was never carried out' FROM pg_constraint WHERE NOT convalidated"""


async def take(connection: Connection, address: Address, *, alone: bool, busy_ms: int) -> None:
    """What this process writes by is its right to write: alone, or beside others who want the same.

    The server lets go of it with the connection, so that of a killed process is there for a moment.
    Raises DatabaseError `second-process`.
    """
    end = time.monotonic() + busy_ms / 1000
    while True:
        cursor = await connection.execute(ALONE if alone else AMONG)
        row = await cursor.fetchone()
        if row is not None and row[0]:
            return
        if time.monotonic() > end:
            raise DatabaseError("second-process", str(address))
        await asyncio.sleep(LOOK_S)


async def number_after(source: Source, table: str) -> int:
    """The number that a table's sequence gives next."""
    row = await source.one(NUMBER.format(table))
    return int(row["next"]) if row else 1


def lost(connection: Connection, error: psycopg.Error) -> bool:
    """Whether a statement failed because its connection, or its server, is gone."""
    return connection.closed or code_of(error) == "unreachable"


class Reads(Source):
    """The committed state."""

    def __init__(self, address: Address, pool: Pool) -> None:
        self._address = address
        self._pool = pool

    async def all(self, sql: str, params: Params = ()) -> Sequence[Row]:
        """Every row of a query; asked once more where the connection was lost."""
        with reported(self._address):
            rows = await self._asked(sql, params)
            return await self._asked(sql, params, again=True) or () if rows is None else rows

    async def _asked(self, sql: str, params: Params, *, again: bool = False) -> Sequence[Row] | None:
        """The rows; None where the connection was lost and it may be asked `again`."""
        async with self._pool.one() as connection:
            try:
                cursor = await connection.execute(said(sql), params)
                return await cursor.fetchall()
            except psycopg.Error as error:
                if again or not lost(connection, error):
                    raise
                await closed(connection)
                await self._pool.drop()
                return None

    async def next_number(self, table: str) -> int:
        """The next of the table's sequence."""
        return await number_after(self, table)


class Writing(Transaction):
    """A running write transaction."""

    def __init__(self, home: Postgres) -> None:
        super().__init__()
        self._home = home

    async def all(self, sql: str, params: Params = ()) -> Sequence[Row]:
        """Every row of a query, after what was written so far."""
        cursor = await self._carry(Step(sql, params))
        rows: Sequence[Row] = await cursor.fetchall()
        return rows

    async def flush(self) -> Done:
        """Carries out what was put; what the last statement did."""
        cursor = await self._carry(None)
        return Done(0 if cursor is None else cursor.rowcount)

    async def next_number(self, table: str) -> int:
        """The next of the table's sequence."""
        return await number_after(self, table)

    def number_from(self, table: str, number: int) -> None:
        """The table's sequence goes on with it."""
        self.put("SELECT setval(CAST(? AS regclass), ?, false)", (f"{table}_id_seq", number))

    async def commit(self) -> None:
        """All that was put, and the end of it."""
        if self._steps != [BEGIN]:  # else nothing was asked of it
            await self._home.finish(self._steps, whole=not self.begun)

    async def _carry(self, last: Step | None) -> Any:
        """What was put, and one more, in one trip."""
        fresh, steps = not self.begun, self._steps
        self._steps = []
        return await self._home.carry(steps, last, fresh=fresh)


class Postgres(Database):
    """One database of a server, which several processes may use."""

    kind = "postgresql"

    def __init__(
        self, address: Address, writer: Connection, *, read_only: bool, busy_ms: int, alone: bool
    ) -> None:
        super().__init__(address)
        self.address = address
        self._pool = Pool(address, READERS, busy_ms)
        self.reads: Source = Reads(address, self._pool)
        self._writer: Connection | None = writer
        self._read_only = read_only
        self._busy_ms = busy_ms
        self._alone = alone
        self._turn = asyncio.Lock()
        self._lull = asyncio.Lock()
        self._listeners: list[Ear] = []

    @property
    def there(self) -> bool:
        """An address names one database; whether it answers is said by `failing`."""
        return True

    @property
    def read_only(self) -> bool:
        """Whether it was opened for looking only."""
        return self._read_only

    async def close(self) -> None:
        """Waits for a running transaction and lets go of every connection."""
        await self.claims.close()
        for listener in tuple(self._listeners):
            await listener.close()
        async with self._turn:
            await closed(self._writer)
            await self._pool.close()

    @asynccontextmanager
    async def transaction(self, *, later: bool = False) -> AsyncIterator[Writing]:
        """A write transaction: committed at the end of the block, rolled back on any error.

        One of this process at a time; other processes have theirs: what must not change meanwhile is locked.
        A connection that is lost before the commit is replaced, and what was written repeated, where the
        block has read nothing; of one that is lost at the commit a new one is asked what became of it.
        """
        async with self._lull if later else nullcontext():
            try:
                async with self._turn:
                    begin = time.perf_counter()
                    tx = Writing(self)
                    try:
                        with reported(self.address):
                            yield tx
                            await ended(asyncio.create_task(tx.commit()))
                    except BaseException:
                        await ended(asyncio.create_task(self._roll_back()))
                        raise
                self.committed(time.perf_counter() - begin)
            except DatabaseError as error:
                self.fault = error.code
                raise

    async def join(self) -> None:
        """From now on this process has claims, and hears of the others. Raises DatabaseError."""
        line = Line(self.address)
        await line.open()
        self.claims = line
        await self.listen(CHANNEL, line.hear)

    async def failing(self) -> str | None:
        """The code of what a write failed by, if one of a usual size fails by now, too; None: all is well."""
        if self.fault is not None:
            with suppress(DatabaseError):
                await self._try_to_write()
                self.fault = None
        return self.fault

    async def integrity(self) -> list[str]:
        """Indexes and checks that do not hold; `pg_amcheck` looks at every page."""
        try:
            return [str(row[0]) for row in await self.reads.all(FAULTS)]
        except DatabaseError as error:
            return [str(error)]

    async def misfits(self, number: int | None = None) -> list[Misfit]:
        """None: the server looks at what it reads, and the checks of its tables at what is written."""
        del number
        return []

    async def room(self) -> None:
        """Its server knows."""

    async def size(self) -> int:
        """Its bytes."""
        row = await self.reads.one("SELECT pg_database_size(current_database()) AS size")
        return int(row["size"]) if row else 0

    async def listen(self, channel: str, heard: Heard) -> Ear:
        """Calls `heard` with what any process tells on a channel; with "" where something may be missed."""
        ear = Ear(self.address, channel, heard, self._busy_ms, self._listeners)
        await ear.begin()
        return ear

    async def carry(self, steps: Sequence[Step], last: Step | None, *, fresh: bool) -> Any:
        """Statements of the running transaction in one trip; the first one is repeated where it was lost."""
        while True:
            connection = await self._connected()
            try:
                return await carry_out(connection, steps, last)
            except psycopg.Error as error:
                if not (fresh and lost(connection, error)):
                    raise
                fresh = False
                await self._drop_writer()

    async def finish(self, steps: Sequence[Step], *, whole: bool) -> None:
        """The rest of a transaction, down to its commit; again where it is the `whole` and was lost."""
        for again in (whole, False):
            xid: str | None = None
            connection = await self._connected()
            try:
                xid = (await (await carry_out(connection, steps, Step(XID))).fetchone())[0]
                await connection.execute("COMMIT")
            except psycopg.Error as error:
                if not lost(connection, error):
                    raise
                await self._drop_writer()
                if xid is not None and await self._was_committed(xid):
                    return
                if not again:
                    raise
            else:
                return

    async def _was_committed(self, xid: str) -> bool:
        """What became of a transaction whose connection was lost at its commit. Raises DatabaseError."""
        end = time.monotonic() + UNKNOWN_S
        while True:
            try:
                connection = await self._connected()
                row = await (await connection.execute(said(BECAME), (xid,))).fetchone()
            except (psycopg.Error, DatabaseError):
                await self._drop_writer()
                if time.monotonic() > end:
                    raise
                continue
            if row is None or row[0] != "in progress":
                return row is not None and row[0] == "committed"
            await asyncio.sleep(LOOK_S)

    async def _connected(self) -> Connection:
        """The writer, opened anew where it was lost."""
        if self._writer is None or self._writer.closed:
            self._writer = await connected(self.address, read_only=self._read_only, busy_ms=self._busy_ms)
            if not self._read_only:
                await take(self._writer, self.address, alone=self._alone, busy_ms=self._busy_ms)
        return self._writer

    async def _drop_writer(self) -> None:
        """Lets go of a connection that is of no use any more."""
        writer, self._writer = self._writer, None
        await closed(writer)

    async def _roll_back(self) -> None:
        """Ends an open transaction without a trace; where it cannot be said, its connection ends."""
        if self._writer is None or idle(self._writer):
            return
        try:
            await self._writer.execute("ROLLBACK")
        except psycopg.Error:
            await self._drop_writer()


class Ear:
    """A connection of its own that hears one channel; opened anew where it was lost."""

    def __init__(self, address: Address, channel: str, heard: Heard, busy_ms: int, among: list[Ear]) -> None:
        self._address = address
        self._channel = channel
        self._heard = heard
        self._busy_ms = busy_ms
        self._among = among
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Hears from now on. Raises DatabaseError."""
        await self._listen()
        self._among.append(self)
        self._task = asyncio.create_task(self._go_on(), name=f"listen {self._channel}")

    async def close(self) -> None:
        """Hears nothing any more."""
        if self in self._among:
            self._among.remove(self)
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        await closed(self._connection)

    async def _listen(self) -> None:
        """A connection that hears the channel."""
        self._connection = await connected(self._address, busy_ms=self._busy_ms)
        with reported(self._address):
            await self._connection.execute(f'LISTEN "{self._channel}"')

    async def _go_on(self) -> None:
        """Tells what is heard, on one connection after the other."""
        while True:
            try:
                if self._connection is None:
                    await self._listen()
                    self._heard("")  # what was told meanwhile
                if self._connection is not None:
                    async for note in self._connection.notifies():
                        self._heard(note.payload)
            except (psycopg.Error, DatabaseError):
                await closed(self._connection)
                self._connection = None
                await asyncio.sleep(LISTEN_AGAIN_S)


async def opened(address: Address, *, read_only: bool, busy_ms: int, alone: bool) -> Postgres:
    """The database of this address, as `Database.open` says.

    Raises DatabaseError `unreachable`, `refused`, `missing-there`, `crowded`, `second-process`, `encoding`,
    `foreign`, `newer`, `older` (only `read_only`), `migration`.
    """
    writer = await connected(address, read_only=read_only, busy_ms=busy_ms)
    try:
        with reported(address):
            if read_only:
                await check(writer, address)
            else:
                await take(writer, address, alone=alone, busy_ms=busy_ms)
                await bring_up(writer, address)
    except BaseException:
        await closed(writer)
        raise
    made = Postgres(address, writer, read_only=read_only, busy_ms=busy_ms, alone=alone)
    if not (read_only or alone):
        try:
            await made.join()
        except BaseException:
            await made.close()
            raise
    return made
