"""A database for a test, of the kind that is tested: a file, or one of a PostgreSQL server of the tests' own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from db.address import Where
from db.database import Database
from tests.empty_database import lay
from tests.postgres import EMPTY, Cluster, cluster, wanted


@pytest.fixture(scope="session")
def server() -> Iterator[Cluster]:
    """A PostgreSQL for all tests of this process, with an empty database of ours to be copied."""
    with cluster() as made:
        made.command(f"CREATE DATABASE {EMPTY}")

        async def migrated() -> None:
            await (await Database.open(made.address(EMPTY))).close()

        with ThreadPoolExecutor(1) as thread:  # a loop may run in this one
            thread.submit(lambda: asyncio.run(migrated())).result()
        yield made


@pytest.fixture
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Where]:
    """Where an empty database of ours is, in a folder of the test's own or on the server."""
    if not wanted():
        yield await lay(tmp_path / "t.db")
        return
    made = request.getfixturevalue("server")
    address = await asyncio.to_thread(made.new, EMPTY)
    yield address
    await asyncio.to_thread(made.drop, address)
