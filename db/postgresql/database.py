"""A PostgreSQL database: one writer of this process, connections to read from, other processes beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

import psycopg

from db.address import Address
from db.convoy import Convoy
from db.database import BEGIN, BUSY_MS, Database, Done, Params, Row, Source, Step, Transaction
from db.errors import DatabaseError
from db.fitting import Misfit
from db.postgresql.asking import Reads, number_after
from db.postgresql.connections import Connection, closed, connected
from db.postgresql.faults import reported
from db.postgresql.line import CHANNEL, Line
from db.postgresql.marks import SWEPT, Mark, Marks
from db.postgresql.migrating import bring_up, check
from db.postgresql.threaded import Pool, Result, Threaded
from db.waiting import ended

READERS = 2  # what is asked meanwhile shares the next trip; one that takes long does not hold up all
UNKNOWN_S = 30.0  # so long a server may be away that is to say what became of a commit
LOOK_S = 0.05
LISTEN_AGAIN_S = 0.2
COMMIT, ROLLBACK = Step("COMMIT"), Step("ROLLBACK")
ALONE = "SELECT pg_try_advisory_lock(hashtextextended('hatamoto writes', 0))"
AMONG = "SELECT pg_try_advisory_lock_shared(hashtextextended('hatamoto writes', 0))"
Heard = Callable[[str], object]
FAULTS = """SELECT 'the index ' || indexrelid::regclass || ' is not valid' FROM pg_index WHERE NOT indisvalid
    UNION ALL
    SELECT 'the check ' || conname || ' was never carried out' FROM pg_constraint WHERE NOT convalidated"""


async def take(connection: Threaded, address: Address, *, alone: bool, busy_ms: int) -> None:
    """What this process writes by is its right to write: alone, or beside others who want the same.

    The server lets go of it with the connection, so that of a killed process is there for a moment.
    Raises DatabaseError `second-process`.
    """
    end = time.monotonic() + busy_ms / 1000
    while True:
        (row,) = await connection.ask(ALONE if alone else AMONG)
        if row[0]:
            return
        if time.monotonic() > end:
            raise DatabaseError("second-process", str(address))
        await asyncio.sleep(LOOK_S)


@asynccontextmanager
async def seized(address: Address) -> AsyncIterator[None]:
    """While no bot writes to it, nor begins to. Raises DatabaseError `second-process`, and of connections."""
    connection = await Threaded.open(address, read_only=True, busy_ms=BUSY_MS)
    try:
        with reported(address):
            await take(connection, address, alone=True, busy_ms=BUSY_MS)
        yield
    finally:
        await connection.close()


class Writing(Transaction):
    """A running write transaction."""

    def __init__(self, home: Postgres) -> None:
        super().__init__()
        self._home = home
        self._mark: Mark | None = None  # by which it is known, once it was begun

    async def all(self, sql: str, params: Params = ()) -> Sequence[Row]:
        """Every row of a query, after what was written so far."""
        self.put(sql, params)
        return (await self._carry())[-1].rows

    async def flush(self) -> Done:
        """Carries out what was put; what the last statement did."""
        results = await self._carry()
        return Done(results[-1].changed if results else 0)

    async def next_number(self, table: str) -> int:
        """The next of the table's sequence."""
        return await number_after(self, table)

    def number_from(self, table: str, number: int) -> None:
        """The table's sequence goes on with it."""
        self.put("SELECT setval(CAST(? AS regclass), ?, false)", (f"{table}_id_seq", number))

    async def commit(self) -> None:
        """What is left, and the end of what was begun."""
        if self._mark is not None:
            await self._home.finish(self._steps, self._mark)

    async def _carry(self) -> list[Result]:
        """What was put, in one trip; at the first, when all that stood in line before is written."""
        if self.begun:
            steps, self._steps = self._steps, []
            return await self._home.carry(steps)
        await self._home.alone()
        _, *steps = self._steps
        self._steps = []
        self._mark, results = await self._home.begin(steps)
        return results


class Postgres(Database):
    """One database of a server, which several processes may use."""

    kind = "postgresql"

    def __init__(
        self, address: Address, writer: Threaded, *, read_only: bool, busy_ms: int, alone: bool
    ) -> None:
        super().__init__(address)
        self.address = address
        self._pool = Pool(address, READERS, busy_ms)
        self.reads: Source = Reads(address, self._pool)
        self._writer: Threaded | None = writer
        self._read_only = read_only
        self._busy_ms = busy_ms
        self._alone = alone
        self._turn = asyncio.Lock()
        self._convoy = Convoy(self._write)
        self._marks = Marks()
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
            await self._convoy.gone()
            with suppress(psycopg.Error):
                if self._writer is not None and (last := self._marks.forgotten):
                    await self._writer.carry_out(last)
            await self._drop_writer()
            await self._pool.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Writing]:
        """A write transaction: committed at the end of the block, rolled back on any error.

        One block of this process at a time; other processes have theirs: what must not change meanwhile is
        locked. One that reads nothing stands in line when its block ends, and the next block begins; all
        who stand there share a commit. A block that reads waits until the line is gone. A connection that is
        lost before the commit is replaced, and what was written repeated, where the block has read nothing;
        of one that is lost at the commit a new one is asked what became of it.
        """
        try:
            async with self._turn:
                begin = time.perf_counter()
                tx = Writing(self)
                try:
                    with reported(self.address):
                        yield tx
                        if tx.begun:
                            await ended(asyncio.create_task(tx.commit()))
                except BaseException:
                    if tx.begun:
                        await ended(asyncio.create_task(self._roll_back()))
                    raise
                written = self._convoy.join(tx.whole) if not tx.begun and tx.whole else None
            if written is not None:
                await ended(written)
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

    async def alone(self) -> None:
        """Returns when nothing that stood in line is to be written any more."""
        await self._convoy.gone()

    async def begin(self, steps: Sequence[Step]) -> tuple[Mark, list[Result]]:
        """Begins a transaction with these, in one trip, repeated if it is lost; its mark, and results."""
        for again in (True, False):
            connection = await self._connected()
            try:
                mark = self._marks.next()
                _, _, *results = await connection.carry_out((BEGIN, mark.made, *steps))
            except psycopg.Error as error:
                if not (again and connection.lost(error)):
                    raise
                await self._drop_writer()
            else:
                return mark, results
        raise AssertionError("the second try returns or raises")

    async def carry(self, steps: Sequence[Step]) -> list[Result]:
        """Statements of the transaction that was begun, in one trip. Raises DatabaseError."""
        return await self._begun().carry_out(steps) if steps else []

    async def finish(self, steps: Sequence[Step], mark: Mark) -> None:
        """The rest of what was begun, down to its commit, in one trip. Raises DatabaseError."""
        connection = self._begun()
        try:
            await connection.carry_out((*steps, COMMIT))
        except psycopg.Error as error:
            if not connection.lost(error):
                raise
            await self._drop_writer()
            if not await self._was_committed(mark):
                raise

    def _begun(self) -> Threaded:
        """The connection of the running transaction, which ends with it. Raises DatabaseError."""
        if self._writer is None or self._writer.closed:
            raise DatabaseError("unreachable", str(self.address))
        return self._writer

    async def _write(self, steps: Sequence[Step]) -> None:
        """A whole transaction, or several in one; once more where it was lost. Raises DatabaseError."""
        try:
            with reported(self.address):
                await self._write_whole(steps)
        except BaseException:
            await self._roll_back()
            raise

    async def _write_whole(self, steps: Sequence[Step]) -> None:
        for again in (True, False):
            mark: Mark | None = None
            connection = await self._connected()
            try:
                made = self._marks.next()
                await connection.carry_out((BEGIN, made.made, *steps))
                mark = made
                await connection.carry_out((COMMIT,))
            except psycopg.Error as error:
                if not connection.lost(error):
                    raise
                await self._drop_writer()
                if mark is not None and await self._was_committed(mark):
                    return
                if not again:
                    raise
            else:
                return

    async def _was_committed(self, mark: Mark) -> bool:
        """What became of a transaction whose connection was lost at its commit. Raises DatabaseError."""
        end = time.monotonic() + UNKNOWN_S
        while True:
            try:
                connection = await self._connected()
                (row,) = (await connection.carry_out(mark.asked))[-1].rows
            except (psycopg.Error, DatabaseError):
                await self._drop_writer()
                if time.monotonic() > end:
                    raise
                continue
            return bool(row[0] == mark.value)

    async def _connected(self) -> Threaded:
        """The writer, opened anew where it was lost."""
        if self._writer is None or self._writer.closed:
            self._marks = Marks()
            self._writer = await Threaded.open(self.address, read_only=self._read_only, busy_ms=self._busy_ms)
            if not self._read_only:
                await take(self._writer, self.address, alone=self._alone, busy_ms=self._busy_ms)
        return self._writer

    async def _drop_writer(self) -> None:
        """Lets go of a connection that is of no use any more."""
        writer, self._writer = self._writer, None
        if writer is not None:
            await writer.close()

    async def _roll_back(self) -> None:
        """Ends an open transaction without a trace; where it cannot be said, its connection ends."""
        if self._writer is None:
            return
        try:
            await self._writer.carry_out((ROLLBACK,))
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

    Raises DatabaseError `unreachable`, `refused`, `sslmode`, `address`, `missing-there`, `crowded`,
    `second-process`, `encoding`, `foreign`, `newer`, `older` and `missing` (only `read_only`), `migration`.
    """
    writer = await Threaded.open(address, read_only=read_only, busy_ms=busy_ms)
    try:
        with reported(address):
            if not read_only:
                await take(writer, address, alone=alone, busy_ms=busy_ms)
            beside = await connected(address, read_only=read_only, busy_ms=busy_ms)
            try:
                await (check if read_only else bring_up)(beside, address)
            finally:
                await closed(beside)
            if not read_only:
                await writer.carry_out((SWEPT,))
    except BaseException:
        await writer.close()
        raise
    made = Postgres(address, writer, read_only=read_only, busy_ms=busy_ms, alone=alone)
    if not (read_only or alone):
        try:
            await made.join()
        except BaseException:
            await made.close()
            raise
    return made
