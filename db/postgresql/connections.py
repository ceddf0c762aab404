"""Connections: opened with patience, speaking our types, left where they broke."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeAlias, TypeVar

import psycopg
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumper

from db.address import Address
from db.errors import DatabaseError
from db.postgresql.faults import code_of

PAUSE_S = 0.05  # between attempts to connect; each one twice as long as the one before
LONGEST_PAUSE_S = 0.5
STATEMENT_S = 60
IDLE_S = 60  # a transaction whose process hangs lets go of its locks
FOR_A_MOMENT = frozenset({"unreachable", "crowded"})
# of what is not to be had libpq says nothing but words
WHY_NOT = {
    "refused": r"authentication failed|no password supplied|no pg_hba\.conf entry|not permitted to log in|"
    r"permission denied for database|role \".*\" does not exist",
    "missing-there": r'database ".*" does not exist',
    "sslmode": r"\bSSL\b|\bsslmode\b|certificate",
    "address": r"connection option|configuration parameter",
}


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
T = TypeVar("T")


class Closable(Protocol):
    """What may have ended."""

    @property
    def closed(self) -> bool:
        """Whether it has."""


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


def given(address: Address, *, read_only: bool, busy_ms: int) -> dict[str, Any]:
    """What each connection is opened with: in autocommit mode, its rows ours. Raises DatabaseError."""
    try:
        own = options(address, read_only=read_only, busy_ms=busy_ms)
    except psycopg.ProgrammingError:  # it quotes what it does not understand, which may be the password
        raise DatabaseError("address", str(address)) from None
    return {
        "autocommit": True,
        "row_factory": rows_of,
        "options": own,
        "fallback_application_name": "hatamoto",
        "connect_timeout": max(2, busy_ms // 1000),
    }


async def patiently(address: Address, busy_ms: int, connect: Callable[[], Awaitable[T]]) -> T:
    """A connection; one that cannot be had now is asked for again for `busy_ms`. Raises DatabaseError."""
    end, pause = time.monotonic() + busy_ms / 1000, PAUSE_S
    while True:
        try:
            return await connect()
        except psycopg.Error as error:
            code = why_not(error)
            if code not in FOR_A_MOMENT or time.monotonic() + pause > end:
                raise DatabaseError(code, str(address)) from error
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)


async def connected(address: Address, *, read_only: bool = False, busy_ms: int) -> Connection:
    """A connection of the loop's own. Raises DatabaseError."""
    how = given(address, read_only=read_only, busy_ms=busy_ms)

    async def connect() -> Connection:
        return await psycopg.AsyncConnection.connect(
            address.url, cursor_factory=psycopg.AsyncRawCursor, **how
        )

    made = await patiently(address, busy_ms, connect)
    adapt(made.adapters)
    return made


def why_not(error: psycopg.Error) -> str:
    """The code of a connection that is not to be had."""
    code, text = code_of(error) or "unreachable", str(error)
    if code != "unreachable":
        return code
    return next((why for why, words in WHY_NOT.items() if re.search(words, text)), code)


async def closed(connection: Connection | None) -> None:
    """Lets go of a connection, however it is."""
    if connection is not None:
        with suppress(psycopg.Error):
            await connection.close()


def lost(connection: Closable, error: psycopg.Error) -> bool:
    """Whether a statement failed because its connection, or its server, is gone."""
    return connection.closed or code_of(error) == "unreachable"
