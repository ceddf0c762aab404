"""The schema is declared once (db/schema.py): what both databases have is that, whatever made it."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import create_engine

from db import schema
from db.migrating import migrations as sqlites
from db.migrating import newest
from db.postgresql.migrating import migrations as postgresqls

# of PostgreSQL, in its own words: columns, constraints, indexes, functions
SEEN = {
    "columns": """SELECT table_name, ordinal_position, column_name, data_type, is_nullable, column_default,
        is_identity, identity_generation FROM information_schema.columns WHERE table_schema = 'public'""",
    "constraints": """SELECT conrelid::regclass::text, contype::text, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace""",
    "indexes": "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "functions": """SELECT pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace""",
}


def checks_in(sql: str) -> list[str]:
    """The conditions of a table, in one spelling."""
    found, sql = [], " ".join(re.sub(r"--[^\n]*", "", sql).replace('"row"', "row").split())
    for match in re.finditer(r"CHECK \(", sql):
        depth, quoted = 1, False
        for end in range(match.end(), len(sql)):
            quoted ^= sql[end] == "'"
            depth += 0 if quoted else (sql[end] == "(") - (sql[end] == ")")
            if depth == 0:
                found.append(sql[match.end() : end])
                break
    return sorted(found)


def of_sqlite(made: sqlite3.Connection) -> dict[str, object]:
    """Tables, columns, keys, indexes and checks."""
    found: dict[str, object] = {}
    for name, sql in made.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall():
        tail = sql.rpartition(")")[2]
        indexes = []
        for index in made.execute(f"PRAGMA index_list({name})").fetchall():
            own = made.execute("SELECT sql FROM sqlite_master WHERE name = ?", (index[1],)).fetchone()
            columns = tuple(row[2] for row in made.execute(f"PRAGMA index_info({index[1]})"))
            where = re.search(r"WHERE (.*)", own[0]) if own and own[0] else None
            indexes.append(
                (index[1] if where or index[3] == "c" else index[3], index[2], columns, where and where[1])
            )
        found[name] = {
            "columns": [  # what is in the key is never NULL
                (*row[1:3], bool(row[3] or row[5]), *row[4:6])
                for row in made.execute(f"PRAGMA table_info({name})")
            ],
            "links": sorted(row[2:7] for row in made.execute(f"PRAGMA foreign_key_list({name})")),
            "indexes": sorted(indexes, key=str),
            "checks": checks_in(sql),
            "kind": ("STRICT" in tail, "WITHOUT ROWID" in tail, "AUTOINCREMENT" in sql),
        }
    return found


def test_sqlites_migrations_make_what_is_declared():  # 19.1
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as made:
        engine = create_engine("sqlite://", creator=lambda: made)
        schema.METADATA.create_all(engine)
        with closing(newest()) as migrated:
            declared, there = of_sqlite(made), of_sqlite(migrated)
    assert declared.keys() == there.keys()
    for name, table in declared.items():
        assert table == there[name], name


def test_postgresqls_migrations_make_what_is_declared(server):  # 19.1
    found = []
    for text in ("\n".join(file.read_text("utf-8") for file in postgresqls().values()), schema.postgresql()):
        address = server.new()
        with closing(psycopg.connect(address.url, autocommit=True)) as connection:
            connection.execute(text)
            found.append({name: sorted(connection.execute(sql).fetchall()) for name, sql in SEEN.items()})
        server.drop(address)
    migrated, declared = found
    assert len(declared["columns"]) > 150
    for name, there in migrated.items():
        assert there == declared[name], name


def test_later_migrations_are_written_for_both():  # 19.1
    first, *later = postgresqls()
    assert first == 19
    assert later == list(range(20, len(sqlites()) + 1))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("SELECT ? WHERE a = ?", "SELECT $1 WHERE a = $2"),
        ("SELECT ?2, ?1, ?2", "SELECT $2, $1, $2"),
        (
            "SELECT '?', a FROM b WHERE c = 'it''s ?' AND d = ?",
            "SELECT '?', a FROM b WHERE c = 'it''s ?' AND d = $1",
        ),
        (
            "x IS ? AND y IS NOT ?2 AND z IS NULL",
            "x IS NOT DISTINCT FROM $1 AND y IS DISTINCT FROM $2 AND z IS NULL",
        ),
        ("a IN () OR b NOT IN () OR c IN (?)", "a = ANY ('{}') OR b <> ALL ('{}') OR c IN ($1)"),
        ("a CROSS JOIN b ON b.x = a.x", "a JOIN b ON b.x = a.x"),
        ("BEGIN IMMEDIATE", "BEGIN"),
    ],
)
def test_statements_are_said_in_postgresqls_words(ours, theirs):  # 19.1
    from db.postgresql.words import said

    assert said(ours) == theirs
