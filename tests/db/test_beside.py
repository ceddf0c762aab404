"""Two versions of the program on one PostgreSQL: the older goes on beside a schema that bears it (19.3)."""

from __future__ import annotations

import asyncio
import re

import psycopg
import pytest

from db.database import Database
from db.errors import DatabaseError
from db.postgresql import migrating
from tests.postgres import EMPTY


@pytest.fixture
async def address(server):
    found = server.new(EMPTY)
    yield found
    server.drop(found)


def newer(address, least):
    """A later program was here."""
    with psycopg.connect(address.url, autocommit=True) as connection:
        connection.execute("INSERT INTO schema_version (version, least) VALUES (9999, %s)", (least,))


async def test_a_schema_that_only_adds_bears_the_program_before(address):
    newer(address, max(migrating.migrations()))
    for read_only in (False, True):
        await (await Database.open(address, read_only=read_only)).close()


async def test_a_schema_that_takes_away_refuses_the_program_before(address):
    newer(address, 9999)
    with pytest.raises(DatabaseError) as refused:
        await Database.open(address)
    assert refused.value.code == "newer"


def test_a_migration_says_which_programs_it_bears():
    assert migrating.least_of("-- least: 19\nALTER TABLE tables ADD COLUMN more bigint;\n", 21) == 19
    assert migrating.least_of("ALTER TABLE tables DROP COLUMN more;\n", 21) == 21


def test_an_index_that_was_made_by_hand_before_is_no_fault():  # docs/scale.md: one on a large table is
    _, *later = migrating.migrations().values()
    made = [line for file in later for line in re.findall("CREATE .*INDEX.*", file.read_text("utf-8"))]
    assert len(made) > 3
    assert [line for line in made if " IF NOT EXISTS " not in line] == []


async def test_who_starts_while_another_migrates_waits_for_it_and_no_migration_takes_too_long(
    address, monkeypatch
):
    monkeypatch.setattr("db.postgresql.connections.STATEMENT_S", 0.2)
    with psycopg.connect(address.url) as other:
        other.execute(migrating.MOMENT)
        starts = asyncio.create_task(Database.open(address, busy_ms=50))
        await asyncio.wait({starts}, timeout=0.5)
        assert not starts.done()
        other.commit()
    await (await starts).close()
