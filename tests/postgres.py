"""A PostgreSQL of the tests' own: made by initdb in a temporary folder, reached by a socket there.

`HATAMOTO_TEST_DATABASE=postgresql` lets the fixtures of tests/db, tests/tables and tests/process use it.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from db.address import Address

USER = "hatamoto"
EMPTY = "empty"  # a database with our schema, which each test's is a copy of
UNPRIVILEGED = ("postgres", "nobody")  # postgres refuses root
QUICKLY = (
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
    "shared_buffers=32MB",
    "max_connections=60",
)
EMPTIED = """DO $$ DECLARE one record; BEGIN
    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
    SET session_replication_role = replica;
    FOR one IN SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace
        AND relkind IN ('r', 'S') AND relname <> 'schema_version' LOOP
        IF one.relkind = 'r' THEN EXECUTE format('DELETE FROM %I', one.relname);
        ELSE EXECUTE format('ALTER SEQUENCE %I RESTART', one.relname); END IF;
    END LOOP;
END $$"""
WHY_NOT = "PostgreSQL is not installed: apt-get install postgresql"
_numbers = count(1)


def wanted() -> bool:
    """Whether tests that can use either database are to use this one."""
    return os.environ.get("HATAMOTO_TEST_DATABASE", "").startswith("postgres")


@cache
def binaries() -> Path | None:
    """The folder of `initdb` and `postgres`, None where they are not installed."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "postgres").exists()), None)


class Cluster:
    """One server. `safe`: it keeps what it acknowledged when it is killed, as a real one does."""

    def __init__(self, *, safe: bool = False) -> None:
        programs = binaries()
        if programs is None:
            raise FileNotFoundError(WHY_NOT)
        self._programs = programs
        self._settings = () if safe else QUICKLY
        self.folder = Path(mkdtemp(prefix="hatamoto-pg-"))
        self._data = self.folder / "data"
        self._as: dict[str, Any] = _who() if os.geteuid() == 0 else {}
        if self._as:
            os.chown(self.folder, int(self._as["user"]), int(self._as["group"]))
        self._run(
            "initdb", "-D", self._data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"
        )
        self._server: subprocess.Popen[bytes] | None = None
        self._free: list[Address] = []
        self.start()

    def _run(self, program: str, *arguments: object) -> None:
        """One of its programs to its end."""
        command = [str(self._programs / program), *map(str, arguments)]
        subprocess.run(command, check=True, capture_output=True, cwd="/", **self._as)

    def start(self) -> None:
        """Starts the server and waits until it answers. Raises RuntimeError with what it logged."""
        settings = [part for setting in self._settings for part in ("-c", setting)]
        command = [str(self._programs / "postgres"), "-D", str(self._data), "-k", str(self.folder), "-h", ""]
        with (self.folder / "log").open("ab") as log:
            begin = log.tell()
            self._server = subprocess.Popen(
                [*command, *settings], stdout=log, stderr=log, cwd="/", start_new_session=True, **self._as
            )
        end = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.address("postgres").url, connect_timeout=5).close()
            except psycopg.OperationalError:
                if self._server.poll() is not None or time.monotonic() > end:
                    raise RuntimeError((self.folder / "log").read_bytes()[begin:].decode()) from None
                time.sleep(0.02)
            else:
                return

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ends the server: SIGINT as an operator does, SIGQUIT at once, SIGKILL as a machine does."""
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait(60)
            self._server = None

    def close(self) -> None:
        """Ends it and removes its folder."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, name: str) -> Address:
        """Where a database of this server is."""
        return Address(f"postgresql://{USER}@/{name}?host={quote(str(self.folder), safe='')}")

    def command(self, sql: str) -> None:
        """One statement beside all databases."""
        with closing(psycopg.connect(self.address("postgres").url, autocommit=True)) as connection:
            connection.execute(sql)

    def new(self, template: str | None = None) -> Address:
        """A database of a test's own: with nothing in it, or a copy of another."""
        name = f"t{os.getpid()}_{next(_numbers)}"  # files that are called after it are of this process
        self.command(f"CREATE DATABASE {name}" + (f" TEMPLATE {template}" if template else ""))
        return self.address(name)

    def lend(self) -> Address:
        """A database of ours with nothing in it, for one test: used ones are emptied, which is quicker."""
        return self._free.pop() if self._free else self.new(EMPTY)

    def take_back(self, address: Address) -> None:
        """Empties a database that was lent, whoever uses it still."""
        with closing(psycopg.connect(address.url, autocommit=True)) as connection:
            connection.execute(EMPTIED)
        self._free.append(address)

    def drop(self, address: Address) -> None:
        """Removes a database, whoever uses it."""
        self.command(f"DROP DATABASE IF EXISTS {address.name} WITH (FORCE)")


def _who() -> dict[str, int]:
    """Somebody who may do little."""
    for name in UNPRIVILEGED:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": found.pw_uid, "group": found.pw_gid}
    raise KeyError(f"none of {UNPRIVILEGED} is a user of this system")


@contextmanager
def cluster(*, safe: bool = False) -> Iterator[Cluster]:
    """A server for as long as it is needed; where there is none, the tests that need it are skipped."""
    if binaries() is None:
        pytest.skip(WHY_NOT)
    made = Cluster(safe=safe)
    try:
        yield made
    finally:
        made.close()
