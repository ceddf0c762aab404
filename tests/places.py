"""A database for a test, of the kind that is tested: a file, or one of a PostgreSQL of the tests' own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from db.address import Address, Where, beside
from db.database import Database
from tests.empty_database import lay
from tests.postgres import EMPTY, Cluster, cluster, wanted

SERVED: dict[
    Path, Address
] = {}  # files that a test names, and the database of the server that stands for each


def served(file: Path) -> Where:
    """The database that a process is told of where the test says this file."""
    return SERVED.get(file, file)


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
def stand_in(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A file that is not there yet; where PostgreSQL is tested, what processes use in its place."""
    file = tmp_path / "hatamoto.db"
    if not wanted():
        yield file
        return
    made: Cluster = request.getfixturevalue("server")
    SERVED[file] = address = made.lend()
    yield file
    del SERVED[file]
    beside(address, ".alive").unlink(missing_ok=True)  # of a bot that was killed
    made.take_back(address)


@pytest.fixture
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Where]:
    """Where an empty database of ours is, in a folder of the test's own or on the server."""
    if not wanted():
        yield await lay(tmp_path / "t.db")
        return
    made = request.getfixturevalue("server")
    address = await asyncio.to_thread(made.lend)
    yield address
    await asyncio.to_thread(made.take_back, address)
