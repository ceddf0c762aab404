"""PostgreSQL behind the interface: what goes with a connection, locks, what is told, who is alone, moving."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from db.address import Address, where_of
from db.database import Database
from db.errors import LINES, DatabaseError, RowError
from db.ledger import ledger
from db.postgresql.connections import connected, why_not
from db.postgresql.migrating import migrations
from db.repositories import meta, tables, users
from db.upkeep.copies import copy
from db.upkeep.moving import MoveError, move, schema
from tests.empty_database import lay

TELL = "SELECT pg_notify(?, ?)"
NEWER = """CREATE TABLE schema_version (version bigint, least bigint);
    INSERT INTO schema_version VALUES (99999, 99999)"""
TABLE = {
    "game": "kamisado", "rules": 1, "status": "running", "options": "{}", "table_options": "{}",
    "channel_id": 1, "in_place": True, "private": False, "creator_id": 2, "commitment": "x",
    "seed": b"\0secret", "created_at": 5,
}  # fmt: skip


@pytest.fixture
def address(server):
    lent = server.lend()
    yield lent
    server.take_back(lent)


@pytest.fixture
async def opened(address):
    made = await Database.open(address)
    yield made
    await made.close()


def cut(address, sql="SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"):
    """Ends every other connection to a database, as a server does that is started anew."""
    with closing(psycopg.connect(address.url, autocommit=True)) as other:
        other.execute(sql + " AND datname = current_database()")


REFUSALS = {  # what libpq said of each: of some of them by servers that the tests have not
    'FATAL:  password authentication failed for user "hatamoto"': "refused",
    "fe_sendauth: no password supplied": "refused",
    "server does not support SSL, but SSL was required": "sslmode",
    'root certificate file "/root/.postgresql/root.crt" does not exist': "sslmode",
    "SSL error: certificate verify failed": "sslmode",
    "FATAL:  the database system is starting up": "unreachable",
    "[Errno -2] Name or service not known": "unreachable",
}


@pytest.mark.parametrize("words", REFUSALS)
def test_a_connection_that_is_not_to_be_had_has_its_reason(words):  # 19
    assert why_not(psycopg.OperationalError(f"connection failed: {words}")) == REFUSALS[words]


@pytest.mark.parametrize(
    ("user", "name", "more", "code"),
    [
        ("nobody_of_that_name", "postgres", "", "refused"),
        ("may_not_log_in", "postgres", "", "refused"),
        ("may_not_enter", "closed", "", "refused"),
        ("hatamoto", "nothing_of_that_name", "", "missing-there"),
        ("hatamoto", "postgres", "&sslmode=some", "sslmode"),
        ("hatamoto", "postgres", "&secret=1", "address"),
        ("hatamoto", "postgres", "&connect_timeout=1&options=-c%20secret%3D1", "address"),
        ("secret%zz", "postgres", "", "address"),
        ("hatamoto", "postgres", "", "missing"),
    ],
)
async def test_a_wrong_address_is_refused_at_once_in_one_line(server, user, name, more, code):  # 19
    server.command("DROP DATABASE IF EXISTS closed")
    for role, how in (("may_not_log_in", "NOLOGIN"), ("may_not_enter", "LOGIN")):
        server.command(f"DROP ROLE IF EXISTS {role}")
        server.command(f"CREATE ROLE {role} {how}")
    server.command("CREATE DATABASE closed")
    server.command("REVOKE CONNECT ON DATABASE closed FROM PUBLIC")
    url = server.address(name).url.replace("hatamoto@", f"{user}:secret@") + more
    began = time.monotonic()
    with pytest.raises(DatabaseError) as caught:
        await Database.open(Address(url), read_only=True, busy_ms=60_000)
    assert caught.value.code == code
    assert time.monotonic() - began < 20
    assert "\n" not in str(caught.value)
    assert ":secret" not in str(caught.value)


async def put(database, key, value="1"):
    async with database.transaction() as tx:
        await meta.put(tx, key, value)


async def test_what_is_lost_before_the_commit_is_written_again_unless_it_was_read(opened, address):  # 19.1
    await put(opened, "a")
    cut(address)
    await put(opened, "b")
    assert await meta.get(opened.reads, "b") == "1"

    async def read_and_cut():
        async with opened.transaction() as tx:
            assert await meta.get(tx, "b") == "1"
            await meta.put(tx, "c", "1")
            cut(address)

    with pytest.raises(DatabaseError) as caught:
        await read_and_cut()
    assert caught.value.code == "unreachable"
    assert await meta.get(opened.reads, "c") is None
    assert opened.fault == "unreachable"
    assert await opened.failing() is None
    async with opened.transaction() as tx:
        cut(address)
        assert await meta.get(tx, "b") == "1", "nothing of it was carried out yet"


@pytest.mark.parametrize("committed", [True, False])
async def test_of_a_connection_that_is_lost_at_the_commit_it_is_known_what_became(
    opened, address, monkeypatch, committed
):  # 19.2
    """The connection goes once the commit is carried out, or before it."""
    await put(opened, "n", "0")
    real, lost = psycopg.Connection.execute, list[str]()

    def execute(self, sql, *more, **named):
        if sql == b"COMMIT" and not lost:
            lost.append(sql)
            if committed:
                real(self, sql)
            cut(address)
            real(self, b"SELECT 1")
        return real(self, sql, *more, **named)

    monkeypatch.setattr(psycopg.Connection, "execute", execute)
    async with opened.transaction() as tx:
        tx.put("UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE key = 'n'")
    assert lost
    assert await meta.get(opened.reads, "n") == "1", "once: neither lost nor done again"


@pytest.mark.long
async def test_an_error_or_a_cancellation_in_the_block_rolls_back(opened):  # 19.1

    async def stumble():
        async with opened.transaction() as tx:
            await meta.put(tx, "a", "1")
            await tx.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await stumble()
    held = asyncio.Event()

    async def hang():
        async with opened.transaction() as tx:
            await meta.put(tx, "a", "1")
            await tx.flush()
            held.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(hang())
    await held.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await meta.get(opened.reads, "a") is None
    await put(opened, "b")


@pytest.mark.long
async def test_a_row_that_is_refused_is_not_quoted(opened):  # 19.1
    with pytest.raises(RowError) as caught:
        async with opened.transaction() as tx:
            await tables.add(tx, {**TABLE, "status": "secret"})
    assert "check" in str(caught.value)
    assert "secret" not in f"{caught.value!r} {caught.value.__cause__!r}"


@pytest.mark.long
async def test_a_table_that_is_locked_waits(opened, address):  # 19.1
    async with opened.transaction() as tx:
        first = await tables.add(tx, TABLE)
    await opened.close()
    one, other = [await Database.open(address, alone=False, busy_ms=100) for _ in range(2)]
    async with one.transaction() as tx:
        assert (await tables.locked(tx, first))[0] is not None
        assert (await tables.locked(tx, 99))[0] is None
        with pytest.raises(DatabaseError) as caught:
            async with other.transaction() as beside:
                await tables.locked(beside, first)
        assert caught.value.code == "locked"
    await one.close()
    await other.close()


@pytest.mark.long
async def test_what_is_told_in_a_transaction_is_heard_after_it_and_what_may_be_missed_is_asked_for(
    opened, address
):  # 19.1
    heard, told = [], asyncio.Event()

    def hear(word):
        heard.append(word)
        told.set()

    listener = await opened.listen("rows", hear)

    async def stumble():
        async with opened.transaction() as tx:
            tx.put(TELL, ("rows", "never"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await stumble()
    async with opened.transaction() as tx:
        await meta.put(tx, "a", "1")
        tx.put(TELL, ("rows", "table 7"))
    await told.wait()
    assert heard == ["table 7"]
    told.clear()
    cut(address)
    await told.wait()
    assert heard == ["table 7", ""]
    await listener.close()


@pytest.mark.long
async def test_whoever_writes_alone_is_alone(opened, address):  # 19.1
    for alone in (True, False):
        with pytest.raises(DatabaseError) as caught:
            await Database.open(address, busy_ms=20, alone=alone)
        assert caught.value.code == "second-process"
    reader = await Database.open(address, read_only=True)
    assert await meta.get(reader.reads, "a") is None
    await reader.close()


@pytest.mark.long
@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("CREATE TABLE others (id bigint)", "foreign"),
        (NEWER, "newer"),
    ],
)
async def test_what_is_not_ours_or_newer_is_refused_and_left_as_it_is(server, sql, code):  # 19.1
    address = server.new()
    with closing(psycopg.connect(address.url, autocommit=True)) as other:
        other.execute(sql)
    with pytest.raises(DatabaseError) as caught:
        await Database.open(address)
    assert caught.value.code == code
    with closing(psycopg.connect(address.url)) as other:
        assert other.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (1,)
    server.drop(address)


@pytest.mark.long
async def test_a_server_that_is_not_there_or_refuses_is_said_in_one_line(server):  # 19.1
    other = server.address("nothing_of_that_name")
    with pytest.raises(DatabaseError) as caught:
        await Database.open(other, busy_ms=20)
    assert caught.value.code == "missing-there"
    gone = Address("postgresql://user:secret@127.0.0.1:1/hatamoto")
    with pytest.raises(DatabaseError) as caught:
        await Database.open(gone, busy_ms=20)
    assert caught.value.code == "unreachable"
    assert str(caught.value) == f"The database postgresql://user@127.0.0.1:1/hatamoto {LINES['unreachable']}."


@pytest.mark.long
async def test_processes_that_start_together_make_the_schema_once(server):  # 19.1
    address = server.new()
    made = await asyncio.gather(*(Database.open(address, alone=False) for _ in range(3)))
    (row,) = await made[0].reads.all("SELECT count(*) AS n FROM schema_version")
    assert row["n"] == len(migrations())
    for one in made:
        await one.close()
    server.drop(address)


def filled(path: Path) -> dict[str, int]:
    """Rows of every table of the schema."""
    with closing(sqlite3.connect(path)) as made:
        return {
            kept.name: made.execute(f"SELECT count(*) FROM {kept.name}").fetchone()[0] for kept in schema()
        }


async def test_a_house_moves_there_and_back_row_by_row(address, tmp_path):  # 19.4
    source, back = await lay(tmp_path / "a.db"), tmp_path / "b.db"
    database = await Database.open(source)
    async with database.transaction() as tx:
        for _ in range(3):
            number = await tables.add(tx, TABLE)
        tx.put("DELETE FROM tables WHERE id = ?", (number,))
        await users.see(tx, 2**62, "Zoë 侍 '\"\\", None)
        tx.put(
            "INSERT INTO ratings (game, user_id, mu, sigma) VALUES ('kamisado', 1, ?, ?)", (0.1 + 0.2, 25 / 3)
        )
    await database.close()
    before = source.read_bytes()
    there = await move(source, address)
    assert {moved.name: moved.rows for moved in there} == filled(source)
    assert {moved.name: moved.rows for moved in there if moved.rows} == {
        "tables": 2,
        "users": 1,
        "ratings": 1,
    }
    assert await move(address, back) == there
    assert source.read_bytes() == before
    for place in (address, back):
        moved = await Database.open(place)
        async with moved.transaction() as tx:
            assert await tables.add(tx, TABLE) == number + 1, "no number is given twice"
        await moved.close()
    with pytest.raises(MoveError, match="is not empty"):
        await move(source, address)
    with pytest.raises(MoveError, match="is not empty"):
        await move(address, back)


def differ(kept, *_):
    raise MoveError(f"{kept.name} differ")


@pytest.mark.parametrize(("version", "code"), [(99999, "newer"), (19, "older")])
async def test_what_another_version_made_is_neither_moved_nor_copied(
    address, tmp_path, version, code
):  # 19.4
    with closing(psycopg.connect(address.url, autocommit=True)) as other:
        newest = "INSERT INTO schema_version (version, least) VALUES (%s, 19)"
        kept = other.execute("DELETE FROM schema_version RETURNING version, least, at").fetchall()
        other.execute(newest, (version,))
        try:
            for how in (move, copy):  # a program that is older may run beside it: but copy only what it knows
                with pytest.raises(DatabaseError) as caught:
                    await how(address, tmp_path / "b.db")
                assert caught.value.code == code
        finally:
            other.execute("DELETE FROM schema_version")
            for row in kept:
                other.execute("INSERT INTO schema_version VALUES (%s, %s, %s)", row)
    assert list(tmp_path.iterdir()) == []


async def test_a_server_s_database_is_not_moved_while_a_bot_uses_it(opened, address, tmp_path, monkeypatch):
    monkeypatch.setattr("db.postgresql.database.BUSY_MS", 20)
    with pytest.raises(DatabaseError) as caught:
        await move(address, tmp_path / "b.db")
    assert caught.value.code == "second-process"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
async def test_a_move_that_fails_leaves_nothing_and_one_of_a_running_bot_is_refused(
    address, tmp_path, monkeypatch
):  # 19.4
    source = await lay(tmp_path / "a.db")
    database = await Database.open(source)
    with pytest.raises(DatabaseError) as caught:
        await move(source, address)
    assert caught.value.code == "second-process"
    async with database.transaction() as tx:
        await meta.put(tx, "a", "one\0two")  # which PostgreSQL has no text for
    await database.close()
    with pytest.raises(MoveError, match="does not take a row"):
        await move(source, address)
    with pytest.raises(DatabaseError) as caught:
        await move(Address(f"{address.url}&sslmode=some"), tmp_path / "b.db")
    assert caught.value.code == "sslmode"
    with closing(sqlite3.connect(source)) as other, other:
        other.execute("UPDATE meta SET value = 'one' WHERE key = 'a'")
    monkeypatch.setattr("db.upkeep.moving.compared", differ)
    with pytest.raises(MoveError, match="differ"):
        await move(source, address)
    opened = await Database.open(address)
    assert await opened.reads.all("SELECT 1 FROM meta") == []
    await opened.close()
    for places in ((source, tmp_path / "b.db"), (address, address)):
        with pytest.raises(MoveError, match="must be a file"):
            await move(*places)


@pytest.mark.long
async def test_a_copy_of_a_servers_database_is_a_file_while_it_is_used(
    opened, address, tmp_path, monkeypatch
):  # 19.1
    await put(opened, "a", "1")
    monkeypatch.chdir(tmp_path)
    await copy(address, Path("copies", "c.db"))
    assert [file.name for file in (tmp_path / "copies").iterdir()] == ["c.db"]
    read = await Database.open(tmp_path / "copies" / "c.db")
    assert await meta.get(read.reads, "a") == "1"
    await read.close()


@pytest.mark.long
async def test_a_table_is_read_by_a_process_of_its_own(opened, address):  # 19.1
    async with opened.transaction() as tx:
        number = await tables.add(tx, TABLE)
    found = ledger(address, number)
    assert found is not None
    assert found.table.seed == TABLE["seed"]
    assert ledger(address, number + 1) is None


@pytest.mark.parametrize(
    "text", ["postgresql://u:secret@h:5433/db?sslmode=require", "postgres://u:secret@h/db"]
)
def test_an_address_shows_no_password(text):  # 19.1
    address = where_of(text)
    assert isinstance(address, Address)
    assert address.name == "db"
    assert "secret" in address.url
    assert "secret" not in f"{address} {address!r}"


@pytest.mark.long
async def test_neither_log_nor_line_has_the_password(caplog):  # 19.1
    caplog.set_level(logging.DEBUG)
    with pytest.raises(DatabaseError) as caught:
        await connected(Address("postgresql://u:geheim@127.0.0.1:1/db"), busy_ms=1)
    assert "geheim" not in f"{caught.value} {caught.value.__cause__} {caplog.text}"
