"""What a disk does that loses bits: values that no table lets in."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from db.database import Database


def lose(path, table, changes, where, *params):
    """Writes over columns of one row what SQLite itself would refuse; the schema is as it was."""
    with closing(sqlite3.connect(path)) as connection:
        (kept,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (version,) = connection.execute("PRAGMA schema_version").fetchone()
        loose = kept.replace(" STRICT, ", " ").replace(" STRICT", "").replace(" NOT NULL", "")
        retold(connection, table, loose, version + 1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        done = connection.execute(f"UPDATE {table} SET {changes} WHERE {where}", params)
        assert done.rowcount == 1, (table, changes, where)
        retold(connection, table, kept, version + 2)


def retold(connection, table, sql, version):
    """Another schema for a table, as if it had always been so."""
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql, table))
    connection.execute(f"PRAGMA schema_version = {version}")
    connection.commit()


async def damaged_inside(path):
    """Makes a database whose last pages are written over; the bytes of its file."""
    database = await Database.open(path)
    async with database.transaction() as tx:
        tx.many("INSERT INTO users (id, name) VALUES (?, ?)", [(n, "x" * 500) for n in range(1, 400)])
    await database.close()
    sound = path.read_bytes()
    data = sound[:-120_000] + b"\xaa" * 120_000
    path.write_bytes(data)
    return data
