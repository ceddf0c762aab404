"""Connections: opened with patience, speaking our types, left where they broke."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeAlias

import psycopg
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumper

from db.address import Address
from db.database import Step
from db.errors import DatabaseError
from db.postgresql.faults import code_of
from db.postgresql.words import said

PAUSE_S = 0.05  # between attempts to connect; each one twice as long as the one before
LONGEST_PAUSE_S = 0.5
STATEMENT_S = 60
IDLE_S = 60  # a transaction whose process hangs lets go of its locks
FOR_A_MOMENT = frozenset({"unreachable", "crowded"})


class Row:
    """A row of a result: its columns by name or by place."""

    __slots__ = ("_places", "_values")

    def __init__(self, places: dict[str, int], values: Sequence[Any]) -> None:
        self._places = places
        self._values = tuple(values)

    def __getitem__(self, key: Any) -> Any:
        return self._values[self._places[key] if isinstance(key, str) else key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def keys(self) -> list[str]:
        """The names of its columns."""
        return list(self._places)


def rows_of(cursor: Any) -> Callable[[Sequence[Any]], Row]:
    """What makes a row of each row of a result."""
    places = {column.name: place for place, column in enumerate(cursor.description or ())}
    return lambda values: Row(places, values)


class Flag(Int8Dumper):
    """Yes and no are 1 and 0."""

    def dump(self, obj: Any) -> bytes:
        """As a number."""
        return b"1" if obj else b"0"


Connection: TypeAlias = psycopg.AsyncConnection[Row]


def adapt(adapters: AdaptersMap) -> None:
    """How our values are told."""
    adapters.register_dumper(int, Int8Dumper)  # of one size: a statement is prepared once, not for each size
    adapters.register_dumper(bool, Flag)
    adapters.register_dumper(str, StrDumper)  # text says so: nothing is guessed from where it stands


def options(address: Address, *, read_only: bool, busy_ms: int) -> str:
    """What a connection begins with, before what the address says."""
    settings = {
        "lock_timeout": busy_ms,
        "statement_timeout": STATEMENT_S * 1000,
        "idle_in_transaction_session_timeout": IDLE_S * 1000,
        "default_transaction_isolation": r"read\ committed",
        "default_transaction_read_only": "on" if read_only else "off",
        "client_min_messages": "warning",
        "timezone": "UTC",
    }
    own = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return f"{own} {conninfo_to_dict(address.url).get('options') or ''}".strip()


async def connected(address: Address, *, read_only: bool = False, busy_ms: int) -> Connection:
    """A connection in autocommit mode; one that cannot be had now is asked for again for `busy_ms`.

    Raises DatabaseError.
    """
    end, pause = time.monotonic() + busy_ms / 1000, PAUSE_S
    while True:
        try:
            made = await psycopg.AsyncConnection.connect(
                address.url,
                autocommit=True,
                row_factory=rows_of,
                cursor_factory=psycopg.AsyncRawCursor,
                options=options(address, read_only=read_only, busy_ms=busy_ms),
                fallback_application_name="hatamoto",
                connect_timeout=max(2, busy_ms // 1000),
            )
        except psycopg.Error as error:
            code = code_of(error) or "unreachable"
            if code not in FOR_A_MOMENT or time.monotonic() + pause > end:
                raise DatabaseError(why_not(code, error), str(address)) from error
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            continue
        adapt(made.adapters)
        return made


def why_not(code: str, error: psycopg.Error) -> str:
    """The code of a connection that is not to be had: libpq says in words only what the server refused."""
    text = str(error)
    if code == "unreachable" and ("authentication failed" in text or "no pg_hba.conf entry" in text):
        return "refused"
    if code == "unreachable" and "does not exist" in text:
        return "missing-there" if "database" in text else "refused"
    return code


async def carry_out(connection: Connection, steps: Sequence[Step], last: Step | None = None) -> Any:
    """Several statements in one trip; the cursor of the last one, from which who wants rows fetches them."""
    async with connection.pipeline():
        cursor: Any = None
        for step in steps if last is None else (*steps, last):
            cursor = connection.cursor()
            if step.many:
                await cursor.executemany(said(step.sql), step.params)
            else:
                await cursor.execute(said(step.sql), step.params)
    return cursor


class Pool:
    """A few connections to read from, opened when they are needed."""

    def __init__(self, address: Address, most: int, busy_ms: int) -> None:
        self._address = address
        self._busy_ms = busy_ms
        self._free: list[Connection] = []
        self._room = asyncio.Semaphore(most)
        self._closed = False

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Connection]:
        """A connection for one query; one that broke is left. Raises DatabaseError."""
        async with self._room:
            made = self._free.pop() if self._free else None
            if made is None or made.closed:
                made = await connected(self._address, read_only=True, busy_ms=self._busy_ms)
            try:
                yield made
            finally:
                if made.closed or self._closed or not idle(made):
                    await closed(made)
                else:
                    self._free.append(made)

    async def drop(self) -> None:
        """Those that wait are of a server that is gone."""
        while self._free:
            await closed(self._free.pop())

    async def close(self) -> None:
        """Lets go of all of them."""
        self._closed = True
        await self.drop()


def idle(connection: Connection) -> bool:
    """Whether a connection is between two transactions."""
    return connection.info.transaction_status is psycopg.pq.TransactionStatus.IDLE


async def closed(connection: Connection | None) -> None:
    """Lets go of a connection, however it is."""
    if connection is not None:
        with suppress(psycopg.Error):
            await connection.close()
