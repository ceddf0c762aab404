"""A SQLite database: one file, opened, checked, migrated; one writer, readers beside it."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import (
    AbstractContextManager,
    asynccontextmanager,
    closing,
    contextmanager,
    suppress,
)
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

import aiosqlite

from db import trips
from db.address import beside
from db.convoy import Convoy
from db.database import (
    BEGIN,
    Database,
    Done,
    Params,
    Source,
    Step,
    Transaction,
)
from db.errors import DatabaseError, reported
from db.files import OWN, FileIdentity, sweep, tighten, with_its_log
from db.fitting import Misfit, as_text
from db.migrating import APPLICATION, bring_up, look_at_sqlite, migrations, misfits_of, newest
from db.replacing import finish, ready
from db.trial import try_out
from db.trips import in_thread
from db.waiting import ended

MAGIC = b"SQLite format 3\0"
SCHEMA = """SELECT m.name, c.name, c.type FROM sqlite_master AS m, pragma_table_info(m.name) AS c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'"""
log = logging.getLogger("hatamoto.database")
Guard = Callable[[], AbstractContextManager[None]]  # around a whole transaction, in the thread that writes it


class Question(NamedTuple):
    """A query that waits for its rows."""

    sql: str
    params: Params
    rows: asyncio.Future[list[sqlite3.Row]]


class Reads(Source):
    """The committed state. Queries that are asked for at the same moment share one trip to the thread.

    A trip costs more than what most of them ask for: the busier the loop, the more share one.
    """

    def __init__(self, connection: aiosqlite.Connection, path: str) -> None:
        self._connection = connection
        self._path = path
        self._asked: list[Question] = []
        self._answering: asyncio.Task[None] | None = None

    async def all(self, sql: str, params: Params = ()) -> list[sqlite3.Row]:
        """Every row of a query."""
        loop = asyncio.get_running_loop()
        question = Question(sql, params, loop.create_future())
        self._asked.append(question)
        if self._answering is None:
            self._answering = loop.create_task(self._answer(), name="reads")
        with reported(self._path):
            return await question.rows

    async def next_number(self, table: str) -> int:
        """One more than the highest that was given."""
        return await number_after(self, table)

    async def _answer(self) -> None:
        """One trip after another until nothing is asked any more."""
        try:
            while self._asked:
                asked, self._asked = self._asked, []
                await self._carry(asked)
        finally:
            self._answering = None

    async def _carry(self, asked: list[Question]) -> None:
        """One trip; each of those who asked hears what became of his query."""
        found: Sequence[list[sqlite3.Row] | Exception]
        try:
            found = await in_thread(self._connection, look_up, asked)
        except Exception as error:  # noqa: BLE001
            found = [error] * len(asked)
        for question, rows in zip(asked, found, strict=True):
            if question.rows.done():
                continue  # who asked was cancelled
            if isinstance(rows, Exception):
                question.rows.set_exception(rows)
            else:
                question.rows.set_result(rows)


class Writing(Transaction):
    """A running write transaction, in the thread of the writing connection."""

    def __init__(self, connection: aiosqlite.Connection, path: str, convoy: Convoy) -> None:
        super().__init__()
        self._connection = connection
        self._path = path
        self._convoy = convoy

    async def all(self, sql: str, params: Params = ()) -> list[sqlite3.Row]:
        """Every row of a query, after what was written so far."""
        await self.alone()
        steps, self._steps = self._steps, []
        with reported(self._path):
            return await in_thread(self._connection, look_up_after, steps, sql, params)

    async def flush(self) -> Done:
        """Carries out what was put; what the last statement did."""
        await self.alone()
        steps, self._steps = self._steps, []
        with reported(self._path):
            return await in_thread(self._connection, perform, steps)

    async def alone(self) -> None:
        """Before it begins: returns when all that stood in line before it is written."""
        if not self.begun:
            await self._convoy.gone()

    async def next_number(self, table: str) -> int:
        """One more than the highest that was given."""
        return await number_after(self, table)

    def number_from(self, table: str, number: int) -> None:
        """Of a table whose numbers are kept count of; another one's next is one more than its highest."""
        self.put("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        self.put(
            "INSERT INTO sqlite_sequence (name, seq) SELECT name, ? FROM sqlite_master "
            "WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'",
            (number - 1, table),
        )


async def number_after(source: Source, table: str) -> int:
    """One more than the highest number that a table gave."""
    row = await source.one("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
    return int(row["seq"]) + 1 if row else 1


def look_up(connection: sqlite3.Connection, asked: Iterable[Question]) -> list[list[sqlite3.Row] | Exception]:
    """The rows of each query, or why there are none."""
    found: list[list[sqlite3.Row] | Exception] = []
    for question in asked:
        try:
            found.append(connection.execute(question.sql, question.params).fetchall())
        except Exception as error:  # noqa: BLE001 - it is for who asked
            found.append(error)
    return found


def perform(connection: sqlite3.Connection, steps: Iterable[Step]) -> Done:
    """The steps in order; what the last of them did."""
    done = Done(0)
    for step in steps:
        done = carry_out(connection, step)
    return done


def look_up_after(
    connection: sqlite3.Connection, steps: Iterable[Step], sql: str, params: Params
) -> list[sqlite3.Row]:
    """The rows of a query once the steps are done."""
    perform(connection, steps)
    return connection.execute(sql, params).fetchall()


def perform_whole(connection: sqlite3.Connection, steps: Iterable[Step], guard: Guard) -> None:
    """The steps of a whole transaction, or of several in one: all of them, or none."""
    with guard():
        try:
            perform(connection, steps)
        except BaseException:
            with suppress(sqlite3.Error):  # the error that brought us here says what is wrong
                roll_back(connection)
            raise


def roll_back(connection: sqlite3.Connection) -> None:
    """Ends an open transaction without a trace."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def carry_out(connection: sqlite3.Connection, step: Step) -> Done:
    """One statement."""
    act = connection.executemany if step.many else connection.execute
    cursor = act(step.sql, step.params)
    return Done(cursor.rowcount)


class Sqlite(Database):
    """One database file."""

    kind = "sqlite"

    def __init__(
        self, path: Path, writer: aiosqlite.Connection, reader: aiosqlite.Connection, lock: int | None
    ) -> None:
        super().__init__(path)
        self.path = path
        self.reads: Source = Reads(reader, str(path))
        self._writer = writer
        self._reader = reader
        self._lock = lock
        self._watch = FileIdentity(path, lock)
        self._turn = asyncio.Lock()
        self._convoy = Convoy(self._write)
        self._corrupt = False

    @property
    def there(self) -> bool:
        """Whether the file, its log and its lock are those that were opened."""
        try:
            self._watch.look()
        except DatabaseError:
            return False
        return True

    @property
    def read_only(self) -> bool:
        """Whether it was opened for looking only."""
        return self._lock is None

    @classmethod
    async def begin(cls, path: Path, *, read_only: bool, busy_ms: int) -> Self:
        """Opens, creates where missing, and migrates the database.

        Raises DatabaseError `sqlite`, `locked`, `read-only`, `full`, `failing`, `corrupt`, `second-process`,
        `unwritable`, `newer`, `foreign`, `log-alone`, `missing` and `restoring` (only `read_only`);
        nothing is written then. A restore that was killed is finished first.
        """
        path = absolute(path)
        look_at_sqlite(path)
        fresh = examine(path, read_only)
        held = None if read_only else seize(path)
        connections: list[aiosqlite.Connection] = []
        try:
            fresh = fresh if read_only else cleared(path, fresh)
            with reported(str(path)):
                writer = await connect(path, busy_ms, read_only, connections)
                await check_version(writer, path, fresh, read_only)
                if not read_only:
                    tighten(path)
                    await writer.execute_fetchall("PRAGMA journal_mode=WAL")
                    await migrate(writer, path)
                await check_schema(writer, path)
                reader = await connect(path, busy_ms, True, connections)
            opened = cls(path, writer, reader, held)
            opened._watch.look()
            return opened  # noqa: TRY300 - it is open
        except BaseException:
            for connection in connections:
                await connection.close()
            if held is not None:
                os.close(held)
            raise

    async def close(self) -> None:
        """Waits for a running transaction, closes the file and lets another process have it."""
        async with self._turn:
            await self._convoy.gone()
            await self._reader.close()
            await self._writer.close()
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Writing]:
        """A write transaction: committed at the end of the block, rolled back on any error.

        One whose block reads nothing stands in line when its block ends, and the next block begins; all who
        stand there share a commit, as that takes some milliseconds, but its way to a busy loop and back ten
        times as long. So a block reads from its transaction, which comes after all of them, never from
        `reads`. One that fails leaves the next as they are: who hears of no error has what he wrote, whatever
        became of those before.

        Once damage was seen, every further one is refused: `corrupt`; so it is while the file or its lock is
        not the one that was opened: `gone`.
        """
        try:
            async with self._turn:
                self._refuse_damaged()
                begin = time.perf_counter()
                tx = Writing(self._writer, str(self.path), self._convoy)
                try:
                    self._watch.look()
                    yield tx
                    if tx.begun:
                        self._watch.look()
                        await tx.run("COMMIT")
                except BaseException:
                    if tx.begun:
                        await self._roll_back()
                    raise
                written = None if tx.begun else self._convoy.join(tx.whole)
            if written is not None:
                await ended(written)
            self.committed(time.perf_counter() - begin)
        except DatabaseError as error:
            self._note(error)
            raise

    async def _write(self, steps: Sequence[Step]) -> None:
        """A whole transaction, or several in one, in one trip, without a trace where that fails."""
        with reported(str(self.path)):
            await in_thread(self._writer, perform_whole, [BEGIN, *steps, Step("COMMIT")], self._guarded)

    async def failing(self) -> str | None:
        """The code of what a write failed by, if one of a usual size fails by now, too; None: all is well.

        Small ones may still find room on a disk that is full for all others.
        """
        try:
            self._watch.look()
        except DatabaseError as error:
            self.fault = error.code
        if self.fault is not None:
            with suppress(DatabaseError):
                await self._try_to_write()
                self.fault = None
        return self.fault

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Around a whole transaction, in the thread: it may have begun before another one met what forbids
        it, and who waited for it may be gone.
        """
        try:
            with reported(str(self.path)):
                self._refuse_damaged()
                self._watch.look()
                yield
        except DatabaseError as error:
            self._note(error)
            raise

    def _note(self, error: DatabaseError) -> None:
        """Remembers by what a write failed."""
        self.fault = error.code
        self._corrupt |= error.code == "corrupt"

    def _refuse_damaged(self) -> None:
        """Raises DatabaseError `corrupt` once damage was seen."""
        if self._corrupt:
            raise DatabaseError("corrupt", str(self.path))

    async def _roll_back(self) -> None:
        """In the connection's thread, so after a statement whose caller was cancelled."""
        with suppress(sqlite3.Error):  # the error that brought us here says what is wrong
            await ended(asyncio.create_task(in_thread(self._writer, roll_back)))

    async def integrity(self) -> list[str]:
        """Faults that SQLite finds in the file; none when it is sound."""
        try:
            rows = await self.reads.all("PRAGMA integrity_check(20)")
        except DatabaseError as error:
            return [str(error)]
        return [str(row[0]) for row in rows if row[0] != "ok"]

    async def misfits(self, number: int | None = None) -> list[Misfit]:
        """Rows that its tables refuse: a disk lost a bit, or an older version let them in."""
        return await asyncio.to_thread(misfits_of, self.path, number)

    async def room(self) -> int:
        """Bytes that are free on its disk."""
        return (await asyncio.to_thread(shutil.disk_usage, self.path.parent)).free

    async def size(self) -> int:
        """Its bytes, with those of its log."""
        return await asyncio.to_thread(bytes_of, self.path)


async def opened(path: Path, *, read_only: bool, busy_ms: int, alone: bool) -> Sqlite:
    """The database of this file, as `Database.open` says; whoever writes to a file is alone."""
    del alone
    return await Sqlite.begin(path, read_only=read_only, busy_ms=busy_ms)


def bytes_of(path: Path) -> int:
    """Bytes of a database and its log."""
    files = (path, beside(path, "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def absolute(path: str | Path) -> Path:
    """The path from the root."""
    return Path(path).absolute()


def cleared(path: Path, fresh: bool) -> bool:
    """Does what a kill left undone, and makes a file where there is none, for its owner alone; whether it is
    empty. Raises `unwritable`, `corrupt`.
    """
    try:
        if finish(path) is not None or path.exists():
            fresh = examine(path, False)
        else:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWN))
        sweep(path)
    except OSError as error:
        raise DatabaseError("unwritable", str(path)) from error
    return fresh


def examine(path: Path, read_only: bool) -> bool:
    """Whether the file is new or empty.

    Raises `missing`, `restoring`, `log-alone`, `corrupt`, `unwritable`.
    """
    try:
        if read_only and ready(path).exists():
            raise DatabaseError("restoring", str(path))
        with_its_log(path)
        if not path.exists() and not read_only:
            path.parent.mkdir(parents=True, exist_ok=True)
            return True
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
    except FileNotFoundError:
        raise DatabaseError("missing", str(path)) from None
    except OSError as error:
        raise DatabaseError("unwritable", str(path)) from error
    if head and head != MAGIC:
        raise DatabaseError("corrupt", str(path))
    return not head


def seize(path: Path) -> int:
    """A lock beside the file that the kernel drops when this process ends. Raises `second-process`."""
    try:
        held = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWN)
    except OSError as error:
        raise DatabaseError("unwritable", str(path)) from error
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(held)
        raise DatabaseError("second-process", str(path)) from error
    return held


async def connect(
    path: Path, busy_ms: int, read_only: bool, opened: list[aiosqlite.Connection]
) -> aiosqlite.Connection:
    """A connection in autocommit mode; it is put into `opened` to be closed on errors."""
    uri = f"{path.as_uri()}?mode={'ro' if read_only else 'rwc'}"
    connection = await trips.connect(uri)
    opened.append(connection)
    connection.row_factory = sqlite3.Row
    connection.text_factory = as_text
    await connection.execute_fetchall(f"PRAGMA busy_timeout={int(busy_ms)}")  # fetched: it returns a row
    await connection.execute("PRAGMA foreign_keys=ON")
    await connection.execute("PRAGMA synchronous=FULL")
    return connection


async def pragma(connection: aiosqlite.Connection, name: str) -> int:
    """The value of a numeric pragma."""
    rows = list(await connection.execute_fetchall(f"PRAGMA {name}"))
    return int(rows[0][0])


async def check_version(connection: aiosqlite.Connection, path: Path, fresh: bool, read_only: bool) -> None:
    """Refuses a file that is not ours or of another version: `foreign`, `newer`; `older`, to look at."""
    version, application = (
        await pragma(connection, "user_version"),
        await pragma(connection, "application_id"),
    )
    filled = next(iter(await connection.execute_fetchall("SELECT count(*) FROM sqlite_master")))[0]
    if application != APPLICATION and (filled or version or (read_only and fresh)):
        raise DatabaseError("foreign", str(path))
    if version > len(migrations()):
        raise DatabaseError("newer", str(path))
    if read_only and version < len(migrations()):
        raise DatabaseError("older", str(path))


@cache
def columns(files: tuple[Path, ...]) -> frozenset[tuple[str, ...]]:
    """Every column that these migrations make: its table, its name, its type."""
    with closing(newest()) as made:
        return frozenset(made.execute(SCHEMA).fetchall())


async def check_schema(connection: aiosqlite.Connection, path: Path) -> None:
    """Refuses a file that lacks a column of its version, as a bit was lost in its schema: `corrupt`."""
    files = tuple(migrations())
    if await pragma(connection, "user_version") != len(files):
        return
    found = {tuple(row) for row in await connection.execute_fetchall(SCHEMA)}
    if not columns(files) <= found:
        raise DatabaseError("corrupt", str(path))


async def migrate(connection: aiosqlite.Connection, path: Path) -> None:
    """Brings the schema up to date; on a copy first."""
    version = await pragma(connection, "user_version")
    if 0 < version < len(migrations()):
        await asyncio.to_thread(try_out, path, version)
    for line in await in_thread(connection, bring_up):
        log.error("%s", line)
    # a write that is taken back at once: a read-only file is found now, not at the first move
    await connection.execute("BEGIN IMMEDIATE")
    try:
        await connection.execute(f"PRAGMA user_version={len(migrations())}")
    finally:
        await connection.execute("ROLLBACK")
