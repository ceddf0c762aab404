"""Several things in one trip to a connection's thread.

A call to aiosqlite is a trip to the thread of its connection, which takes longer than most statements do,
and it carries out one statement. A transaction is several, some of which depend on what others found, and
aiosqlite has no call for that. What it documents is enough: `connect` hands its keywords to
`sqlite3.connect`, whose `factory` is the class of the connection, and `execute_fetchall` executes in the
thread and fetches all. So our connection is of a class that can be given work in place of a statement, and
what that returns is fetched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any, Concatenate, ParamSpec, TypeVar

import aiosqlite

P = ParamSpec("P")
T = TypeVar("T")
WORK = "-- work that is given in place of parameters"  # known by its identity: as a statement it does nothing


class Outcome(sqlite3.Cursor):
    """What work returned, to be fetched as the only row."""

    def __init__(self, connection: sqlite3.Connection, returned: object) -> None:
        super().__init__(connection)
        self._returned = returned

    def fetchall(self) -> list[Any]:
        """The one thing."""
        return [self._returned]


class Connection(sqlite3.Connection):
    """SQLite's connection, which does work where `execute` is given `WORK` and a list of one function."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """One statement, or work."""
        if sql is WORK:
            (work,) = parameters
            return Outcome(self, work(self))
        return super().execute(sql, parameters)


def connect(uri: str) -> aiosqlite.Connection:
    """A connection in autocommit mode, still to be awaited, that `in_thread` can give work to."""
    return aiosqlite.connect(uri, uri=True, isolation_level=None, factory=Connection)


async def in_thread(
    connection: aiosqlite.Connection,
    work: Callable[Concatenate[sqlite3.Connection, P], T],
    *given: P.args,
    **named: P.kwargs,
) -> T:
    """Does `work` in the connection's own thread, after what was asked of it before: one trip."""

    def there(opened: sqlite3.Connection) -> T:
        return work(opened, *given, **named)

    rows: Iterable[Any] = await connection.execute_fetchall(WORK, [there])
    returned: T = next(iter(rows))
    return returned
