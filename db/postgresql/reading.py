"""A PostgreSQL database read by a process that owns no connection of the bot's: by one of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from db.address import Address
from db.database import BUSY_MS, Params
from db.errors import DatabaseError
from db.postgresql.connections import Row, adapt, given, why_not
from db.postgresql.faults import reported
from db.postgresql.words import said


class Reading:
    """A connection that is asked in our words."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: Params = (), /) -> Any:
        """The rows of a query."""
        return self._connection.execute(said(sql), parameters)

    def each(self, sql: str, /) -> Iterator[Row]:
        """Its rows one after the other, a few thousand at a time."""
        with self._connection.cursor("each") as cursor:
            cursor.itersize = 5000
            cursor.execute(said(sql))
            yield from cursor


@contextmanager
def reading(address: Address) -> Iterator[Reading]:
    """A connection that sees one moment, read only. Raises DatabaseError."""
    with reported(address):
        how = given(address, read_only=True, busy_ms=BUSY_MS) | {"autocommit": False}
        try:
            connection: psycopg.Connection[Row] = psycopg.connect(
                address.url, cursor_factory=psycopg.RawCursor, **how
            )
        except psycopg.Error as error:
            raise DatabaseError(why_not(error), str(address)) from error
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.server_cursor_factory = psycopg.RawServerCursor
        adapt(connection.adapters)
        try:
            yield Reading(connection)
        finally:
            connection.close()
