"""PostgreSQL's migrations: the whole schema as it was at version 19, then the same numbers as SQLite's.

A cluster is renewed one process after the other: a program may find a schema newer than its own. It goes on
beside one that says it bears it: a migration that only adds begins with `-- least: 19`, the oldest version of
the program that can go on; without that line only programs of its own version can (docs/scale.md).
"""

from __future__ import annotations

import re
from pathlib import Path

import psycopg

from db.address import Address
from db.errors import DatabaseError
from db.postgresql.connections import Connection
from db.postgresql.faults import code_of

MIGRATIONS = Path(__file__).parents[1] / "migrations" / "postgresql"
LEAST = re.compile(r"\A-- least: (\d+)\n")
# a migration takes as long as it does, and who starts meanwhile waits; those who use its tables do not
MOMENT = """SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
    SELECT pg_advisory_xact_lock(hashtextextended('hatamoto migrations', 0));
    SET LOCAL lock_timeout = DEFAULT"""
NOTE = "INSERT INTO schema_version (version, least) VALUES ($1, $2)"
OURS = """SELECT to_regclass('schema_version') IS NOT NULL,
    EXISTS (SELECT 1 FROM pg_class
        WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace))"""


def migrations() -> dict[int, Path]:
    """The migrations in order, by the version that each one makes."""
    found = sorted(MIGRATIONS.glob("[0-9][0-9][0-9][0-9]_*.sql"))
    return {int(file.name[:4]): file for file in found}


def least_of(script: str, number: int) -> int:
    """The oldest version of the program that can go on beside what this migration makes."""
    found = LEAST.match(script)
    return number if found is None else int(found[1])


async def check(connection: Connection, address: Address) -> int:
    """The version of a database of ours.

    Raises DatabaseError `encoding`, `foreign`, `newer`, `older`, `missing`.
    """
    version = await version_of(connection, address)
    if version < max(migrations()):
        raise DatabaseError("older" if version else "missing", str(address))
    return version


async def version_of(connection: Connection, address: Address) -> int:
    """The version of a database, 0 of an empty one. Raises DatabaseError `encoding`, `foreign`, `newer`.

    One that is newer than the program and bears it is as good as its own.
    """
    if connection.info.parameter_status("server_encoding") != "UTF8":
        raise DatabaseError("encoding", str(address))
    row = await (await connection.execute(OURS)).fetchone()
    ours, filled = row or (False, False)
    if not ours:
        if filled:
            raise DatabaseError("foreign", str(address))
        return 0
    newest = "SELECT max(version), max(least) FROM schema_version"
    row = await (await connection.execute(newest)).fetchone()
    version, least = (int(row[0] or 0), int(row[1] or 0)) if row else (0, 0)
    if least > max(migrations()):
        raise DatabaseError("newer", str(address))
    return version


async def bring_up(connection: Connection, address: Address) -> None:
    """Makes or brings up the schema in one transaction; another process that starts now waits for it.

    Raises DatabaseError `migration` where one fails: nothing is changed then.
    """
    async with connection.transaction():
        await connection.execute(MOMENT)
        version = await version_of(connection, address)
        for number, file in migrations().items():
            if number <= version:
                continue
            script = file.read_text("utf-8")
            try:
                await connection.execute(script)
                await connection.execute(NOTE, (number, least_of(script, number)))
            except psycopg.Error as error:
                raise DatabaseError(code_of(error) or "migration", str(address)) from error
