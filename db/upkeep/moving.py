"""A whole database from SQLite to PostgreSQL, or back: every row, looked at again on the other side."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from db.address import Address, Where, beside, rooted
from db.backup import flush
from db.database import Database, Row
from db.errors import DatabaseError, RowError
from db.files import ENDS
from db.ledger import Reading, each, reading
from db.migrating import APPLICATION, migrations, misfits_of, newest
from db.sqlite import absolute, seize

ENDS_OF_COPY = (*ENDS, ".lock")
BATCH = 500  # rows that travel together


class Kept(NamedTuple):
    """A table of the schema: its name, its columns in order, whether it gives its rows their numbers."""

    name: str
    columns: tuple[str, ...]
    numbered: bool


class Moved(NamedTuple):
    """What was moved of a table: how many rows, and what they all together hash to."""

    name: str
    rows: int
    digest: str


class MoveError(Exception):
    """Why nothing was moved, in one line."""


@cache
def schema() -> tuple[Kept, ...]:
    """Every table, those that others name before them."""
    with closing(newest()) as made:
        names = [row[0] for row in made.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        names = [name for name in names if not name.startswith("sqlite_")]
        links = {
            name: {row[2] for row in made.execute(f"PRAGMA foreign_key_list({name})")} - {name}
            for name in names
        }
        ordered: list[str] = []
        while len(ordered) < len(names):
            ordered += [name for name in names if name not in ordered and links[name] <= {*ordered}]
        once = "SELECT count(*) FROM sqlite_master WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'"
        return tuple(
            Kept(
                name,
                tuple(row[1] for row in made.execute(f"PRAGMA table_info({name})")),
                bool(made.execute(once, (name,)).fetchone()[0]) or name == "lost",
            )
            for name in ordered
        )


async def move(source: Where, target: Where) -> list[Moved]:
    """Copies every row into a database that is empty or not there yet; the source stays as it is.

    Nobody may use either meanwhile. Raises MoveError, DatabaseError.
    """
    source, target = rooted(source), rooted(target)
    if isinstance(source, Address) == isinstance(target, Address):
        raise MoveError("one of the two must be a file, the other one a postgresql:// address")
    if not isinstance(source, Path):
        async with import_module("db.postgresql.database").seized(source):
            return await copied(source, target)
    if not source.exists():
        raise DatabaseError("missing", str(source))
    held = seize(source)
    try:
        return await copied(source, target)
    finally:
        os.close(held)


async def copied(source: Where, target: Where) -> list[Moved]:
    """Every row of a moment of the source, put into the target in one transaction and read again there."""
    if isinstance(source, Path):
        await asyncio.to_thread(fit, source)
    fresh, filled = isinstance(target, Path) and not target.exists(), False
    try:
        with reading(source) as original:
            if isinstance(source, Address):
                fit_server(original, source)
            numbers = {kept.name: next_number(original, kept.name) for kept in schema() if kept.numbered}
            opened = await Database.open(target)
            try:
                await fill(opened, original, numbers)
                filled = True
            finally:
                await opened.close()
            with reading(target) as made:
                return [compared(kept, original, made) for kept in schema()]
    except BaseException:
        if fresh and isinstance(target, Path):
            for end in ENDS_OF_COPY:
                beside(target, end).unlink(missing_ok=True)
        elif filled:
            with suppress(DatabaseError):
                await emptied(target)
        raise


async def emptied(target: Where) -> None:
    """What was put there goes. Raises DatabaseError."""
    opened = await Database.open(target)
    try:
        async with opened.transaction() as tx:
            for kept in reversed(schema()):
                tx.put(f"DELETE FROM {kept.name}")  # noqa: S608 - our own tables
    finally:
        await opened.close()


def fit_server(original: Reading, source: Address) -> None:
    """Raises DatabaseError where a server's database is not one of this version: some of it would be left."""
    (ours,) = original.execute("SELECT to_regclass('schema_version') IS NOT NULL").fetchone()
    version = original.execute("SELECT max(version) FROM schema_version").fetchone()[0] if ours else 0
    if version != len(migrations()):
        old = "older" if version else "missing"
        raise DatabaseError(old if version < len(migrations()) else "newer", str(source))


def fit(source: Path) -> None:
    """Raises DatabaseError and MoveError where a file is not one that another database would take."""
    with closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as connection:
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError as error:
            raise DatabaseError("corrupt", str(source)) from error
    if application != APPLICATION:
        raise DatabaseError("foreign", str(source))
    if version != len(migrations()):
        raise DatabaseError("older" if version < len(migrations()) else "newer", str(source))
    if misfits_of(source):
        raise MoveError(f"{source} has rows that no database takes: `python bot.py check --mend` first")


async def fill(target: Database, original: Reading, numbers: dict[str, int]) -> None:
    """Puts every row into an empty database. Raises MoveError where it is not empty."""
    try:
        async with target.transaction() as tx:
            for kept in schema():
                if await tx.one(f"SELECT 1 AS one FROM {kept.name} LIMIT 1"):  # noqa: S608 - our own tables
                    raise MoveError(f"{target.where} is not empty: nothing was moved")
            for kept in schema():
                put = (
                    f"INSERT INTO {kept.name} ({listed(kept.columns)}) "  # noqa: S608 - our own tables
                    f"VALUES ({', '.join('?' for _ in kept.columns)})"
                )
                with closing(rows_of(original, kept)) as rows:
                    while batch := list(islice(rows, BATCH)):
                        tx.many(put, [tuple(row) for row in batch])
                        await tx.flush()
                if kept.name in numbers:
                    tx.number_from(kept.name, numbers[kept.name])
    except RowError as error:
        raise MoveError(f"{target.where} does not take a row: {error}") from error


def listed(columns: Sequence[str]) -> str:
    """Columns as both databases read them: `row` is a word of PostgreSQL's."""
    return ", ".join(f'"{name}"' for name in columns)


def rows_of(connection: Reading, kept: Kept) -> Generator[Row, None, None]:
    """A table's rows, its parents before their children."""
    order = " ORDER BY id" if "id" in kept.columns else ""
    return each(connection, f"SELECT {listed(kept.columns)} FROM {kept.name}{order}")  # noqa: S608 - our own tables


def next_number(connection: Reading, table: str) -> int:
    """The number that the next row of a table gets."""
    if isinstance(connection, sqlite3.Connection):
        row = connection.execute("SELECT seq + 1 FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    else:
        row = connection.execute(
            f"SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM {table}_id_seq"  # noqa: S608
        ).fetchone()
    (most,) = connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()  # noqa: S608
    return max(int(row[0]) if row else 1, int(most) + 1)


def compared(kept: Kept, original: Reading, made: Reading) -> Moved:
    """A table on both sides. Raises MoveError where a row differs."""
    before, after = digests(original, kept), digests(made, kept)
    if before != after:
        raise MoveError(f"{kept.name}: {len(before)} rows there, {len(after)} here, and not the same ones")
    return Moved(kept.name, len(after), sha256(b"".join(after)).hexdigest())


def digests(connection: Reading, kept: Kept) -> list[bytes]:
    """What each row hashes to, in order of that: databases sort words each in its own way."""
    return sorted(sha256(repr(tuple(row)).encode()).digest() for row in rows_of(connection, kept))


async def copy_to_file(source: Address, target: Path) -> None:
    """A database of a server as one file, as it is at a moment, while it is used; a file there is replaced.

    Raises DatabaseError, MoveError.
    """
    target = absolute(target)
    part = beside(target, ".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    for end in ENDS_OF_COPY:
        beside(part, end).unlink(missing_ok=True)
    try:
        await copied(source, part)
        flush(part)
        part.replace(target)
        flush(target.parent)
    finally:
        for end in ENDS_OF_COPY:
            beside(part, end).unlink(missing_ok=True)
