"""Migrations: what makes a database of an earlier version one of this."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from hashlib import blake2b
from pathlib import Path

from db.errors import DatabaseError
from db.fitting import Misfit, misfits, settle

APPLICATION = 0x48544D54  # "HTMT": marks a file as ours
MIGRATIONS = Path(__file__).parent / "migrations"
WHOLE = MIGRATIONS / "whole.sql"  # what they come to; `python -m db.migrating` writes it
BEGIN = f"BEGIN IMMEDIATE; PRAGMA application_id={APPLICATION};"
STRICT = 15  # makes every table anew: until then a column may hold what a bit that was lost made of it
OLDEST = (3, 37)  # of SQLite: it knows STRICT tables


def look_at_sqlite(path: Path) -> None:
    """Raises DatabaseError `sqlite` where this Python has one that is too old."""
    if sqlite3.sqlite_version_info < OLDEST:
        raise DatabaseError("sqlite", str(path))


def migrations() -> list[Path]:
    """The migrations in order; the n-th makes version n."""
    found = sorted(MIGRATIONS.glob("[0-9][0-9][0-9][0-9]_*.sql"))
    for number, file in enumerate(found, 1):
        if int(file.name[:4]) != number:
            raise ValueError(f"migration {file.name} should have number {number:04}")
    return found


@cache
def schema(files: tuple[Path, ...]) -> str:
    """What makes an empty database one of these migrations, as one script without their detours.

    That of all of them is kept as a file, as each start asks for it and their detours take long.
    """
    kept = WHOLE.read_text("utf-8") if WHOLE.exists() else ""
    if kept.startswith(f"{mark(files)}\n"):
        return kept
    return worked_out(files)


def mark(files: Iterable[Path]) -> str:
    """The first line of a script that these migrations, as they are, come to."""
    return f"-- {blake2b(b''.join(file.read_bytes() for file in files), digest_size=16).hexdigest()}"


def worked_out(files: tuple[Path, ...]) -> str:
    """What the migrations come to, by carrying them out."""
    with closing(sqlite3.connect(":memory:")) as made:
        for file in files:
            made.executescript(file.read_text("utf-8"))
        rows = made.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
        )
        made_by = "".join(f"{sql};\n" for (sql,) in rows.fetchall())
        return f"{mark(files)}\n{made_by}PRAGMA user_version={len(files)};\n"


def newest(version: int | None = None) -> sqlite3.Connection:
    """An empty database of a version, of this one by default, in memory."""
    made = sqlite3.connect(":memory:", isolation_level=None)
    made.executescript(schema(tuple(migrations()[:version])))
    return made


def bring_up(connection: sqlite3.Connection) -> list[str]:
    """Brings the schema up to date, each migration in a transaction of its own.

    Rows that STRICT tables refuse do not stop it: they are settled first (db/fitting.py); a line for each.
    The connection is in autocommit mode; its foreign keys are off meanwhile, as tables are made anew.
    """
    lines: list[str] = []
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (keys,) = connection.execute("PRAGMA foreign_keys").fetchone()
    connection.execute("PRAGMA foreign_keys=OFF")
    try:
        if version == 0:  # nothing is there to be tried or lost: one transaction for all
            connection.executescript(f"{BEGIN} {schema(tuple(migrations()))} COMMIT;")
        for number, file in enumerate(migrations(), 1):
            if 0 < version < number and not carried_out(connection, number, file):
                lines += settle_misfits(connection, number)
                if not carried_out(connection, number, file):
                    raise sqlite3.IntegrityError(f"{file.name}: rows name others that are not there")
    finally:
        connection.execute(f"PRAGMA foreign_keys={keys}")
    return lines


def carried_out(connection: sqlite3.Connection, number: int, file: Path) -> bool:
    """Carries a migration out; whether the rows let it, where it makes tables STRICT."""
    try:
        connection.executescript(f"{BEGIN} {file.read_text('utf-8')}; PRAGMA user_version={number};")
        if number < STRICT or connection.execute("PRAGMA foreign_key_check").fetchone() is None:
            connection.execute("COMMIT")
            return True
    except sqlite3.IntegrityError:
        if number != STRICT:
            raise
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return False


def settle_misfits(connection: sqlite3.Connection, version: int | None = None) -> list[str]:
    """Sets right or takes out what the tables of a version (by default: this one) refuse; a line for each."""
    with closing(newest(version)) as model:
        found = misfits(connection, model)
    connection.execute("BEGIN IMMEDIATE")
    for misfit in found:
        for sql, params in settle(misfit):
            connection.execute(sql, params)
    connection.execute("COMMIT")
    return [f"{misfit.text}: {misfit.plan}" for misfit in found]


def misfits_of(path: Path, number: int | None = None) -> list[Misfit]:
    """What the tables of an open database refuse, of all of it or of one game's table."""
    with closing(newest()) as model, closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as reader:
        return misfits(reader, model, number)


if __name__ == "__main__":
    WHOLE.write_text(worked_out(tuple(migrations())), "utf-8")
