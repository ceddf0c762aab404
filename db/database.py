"""What a database is to everything above: one that is read, one writer of this process, its faults.

SQLite's is in `db/sqlite.py`, PostgreSQL's in `db/postgresql/`. Statements are text that both understand:
marks are `?` or `?1`, and what PostgreSQL calls by another name it gets by `db/postgresql/words.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from typing import Any, NamedTuple

from db.address import Address, Where, where_of
from db.claims import Claims
from db.errors import DatabaseError
from db.fitting import Misfit
from db.rows import Row
from db.statements import put

__all__ = [
    "BEGIN",
    "BUSY_MS",
    "Database",
    "DatabaseError",
    "Done",
    "Params",
    "Row",
    "Source",
    "Step",
    "Transaction",
]

BUSY_MS = 5000  # so long is waited for a lock, or for a server that does not answer
TRIAL = 64 * 1024  # twice as many bytes must find room before a disk counts as working again
Params = Sequence[Any]


class Step(NamedTuple):
    """A statement to be carried out, for each of several rows of parameters where `many`."""

    sql: str
    params: Params = ()
    many: bool = False


BEGIN = Step("BEGIN IMMEDIATE")


class Done(NamedTuple):
    """What a statement did: how many rows it changed."""

    changed: int


class Source(ABC):
    """Something to read from: the committed state, or a running transaction."""

    @abstractmethod
    async def all(self, sql: str, params: Params = ()) -> Sequence[Row]:
        """Every row of a query."""

    async def one(self, sql: str, params: Params = ()) -> Row | None:
        """The first row of a query, or None."""
        rows = await self.all(sql, params)
        return rows[0] if rows else None

    @abstractmethod
    async def next_number(self, table: str) -> int:
        """The least number that a row which is put into this table from now on can have."""


class Transaction(Source):
    """A running write transaction.

    Statements whose result nobody needs are collected and carried out together with the next read
    or the commit: one trip to the database instead of one for each.
    """

    def __init__(self) -> None:
        self._steps: list[Step] = [BEGIN]
        self.tables = set[int]()  # tables whose own row it writes

    @property
    def begun(self) -> bool:
        """Whether anything of it was carried out: then nothing else may be until its end."""
        return self._steps[:1] != [BEGIN]

    @property
    def whole(self) -> Sequence[Step]:
        """What was put, where nothing of it was carried out yet; its beginning left away."""
        return self._steps[1:]

    async def run(self, sql: str, params: Params = ()) -> Done:
        """Carries out one statement now."""
        self.put(sql, params)
        return await self.flush()

    def put(self, sql: str, params: Params = ()) -> None:
        """Carries out one statement before the next read or the commit."""
        self._steps.append(Step(sql, params))

    def many(self, sql: str, rows: Iterable[Params]) -> None:
        """Carries out a statement for each row before the next read or the commit."""
        if given := list(rows):
            self._steps.append(Step(sql, given, many=True))

    @abstractmethod
    async def flush(self) -> Done:
        """Carries out what was put; what the last statement did."""

    @abstractmethod
    def number_from(self, table: str, number: int) -> None:
        """The next row of this table that is put without a number gets this one."""


class Database(ABC):
    """One database. `reads` sees what is committed; `transaction()` is the only way to write."""

    kind: str
    reads: Source
    fault: str | None = None  # the code of what a write failed by; `failing` clears it

    def __init__(self, where: Where) -> None:
        self.where = where
        self.claims = Claims()  # what this process has for itself, where there may be others
        self.committed: Callable[[float], object] = lambda _seconds: None  # told how long each one took

    @staticmethod
    async def open(
        where: Where | str, *, read_only: bool = False, busy_ms: int = BUSY_MS, alone: bool = True
    ) -> Database:
        """Opens, creates where missing, and migrates the database that `HATAMOTO_DATABASE` names.

        alone  no other process may write to it; on a server several may where none of them wants that

        Raises ValueError where a text names none, and DatabaseError; nothing is written then.
        """
        place = where_of(where)
        kind = "db.postgresql.database" if isinstance(place, Address) else "db.sqlite"
        how = {"read_only": read_only, "busy_ms": busy_ms, "alone": alone}
        made: Database = await import_module(kind).opened(place, **how)
        return made

    @property
    @abstractmethod
    def there(self) -> bool:
        """Whether it is the one that was opened."""

    @property
    @abstractmethod
    def read_only(self) -> bool:
        """Whether it was opened for looking only."""

    @abstractmethod
    async def close(self) -> None:
        """Waits for a running transaction and lets go of the database."""

    @abstractmethod
    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """A write transaction: committed at the end of the block, rolled back on any error."""

    @abstractmethod
    async def failing(self) -> str | None:
        """The code of what a write failed by, if one of a usual size fails by now, too; None: all is well."""

    @abstractmethod
    async def integrity(self) -> list[str]:
        """Faults of the database itself; none when it is sound."""

    @abstractmethod
    async def misfits(self, number: int | None = None) -> list[Misfit]:
        """Rows that its tables refuse, of all of it or of one game's table: a disk lost a bit."""

    @abstractmethod
    async def size(self) -> int:
        """Its bytes."""

    @abstractmethod
    async def room(self) -> int | None:
        """Bytes that are free on its disk; None where nobody can tell."""

    async def _try_to_write(self) -> None:
        """A write of a usual size, and what it left taken away. Raises DatabaseError."""
        async with self.transaction() as tx:
            tx.put(put("meta", ("key",), ("value",)), ("trial", "0" * 2 * TRIAL))
        async with self.transaction() as tx:
            tx.put("DELETE FROM meta WHERE key = 'trial'")
