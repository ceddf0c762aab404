"""What is committed, as it is asked for: what is asked at the same time shares a trip to the server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

import psycopg

from db.address import Address
from db.database import Params, Row, Source, Step
from db.errors import DatabaseError
from db.postgresql.faults import reported
from db.postgresql.threaded import Pool, Threaded

NUMBER = "SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END AS next FROM {}_id_seq"


async def number_after(source: Source, table: str) -> int:
    """The number that a table's sequence gives next."""
    row = await source.one(NUMBER.format(table))
    return int(row["next"]) if row else 1


class Question(NamedTuple):
    """A query that waits for its rows."""

    step: Step
    rows: asyncio.Future[Sequence[Row]]


class Reads(Source):
    """The committed state. Queries that are asked for while a connection is waited for share one trip.

    Those of one moment do: a trip takes longer than what most of them ask for.
    """

    def __init__(self, address: Address, pool: Pool) -> None:
        self._address = address
        self._pool = pool
        self._asked: list[Question] = []
        self._boarding = False  # a trip takes what is asked as soon as it has a connection
        self._trips: set[asyncio.Task[None]] = set()

    async def all(self, sql: str, params: Params = ()) -> Sequence[Row]:
        """Every row of a query; asked once more where the connection was lost."""
        question = Question(Step(sql, params), asyncio.get_running_loop().create_future())
        self._asked.append(question)
        if not self._boarding:
            self._boarding = True
            self._trips.add(trip := asyncio.create_task(self._trip(), name="reads"))
            trip.add_done_callback(self._trips.discard)
        with reported(self._address):
            return await question.rows

    async def next_number(self, table: str) -> int:
        """The next of the table's sequence."""
        return await number_after(self, table)

    async def _trip(self) -> None:
        """Rows for all who have asked; where something is amiss, for each of them alone."""
        asked = list[Question]()
        try:
            async with self._pool.one() as connection:
                asked = self._board()
                found = await self._together(connection, asked)
        except Exception as error:  # noqa: BLE001 - it is for those who asked
            for question in asked or self._board():
                if not question.rows.done():
                    question.rows.set_exception(copied(error))
            return
        for question, rows in zip(asked, found or (), strict=False):
            if not question.rows.done():  # else who asked was cancelled
                question.rows.set_result(rows)
        if found is None:
            for question in asked:
                await self._alone(question)

    def _board(self) -> list[Question]:
        """What is asked by now; what comes later goes with the next."""
        self._boarding, asked, self._asked = False, self._asked, []
        return asked

    async def _together(self, connection: Threaded, asked: Sequence[Question]) -> list[Sequence[Row]] | None:
        """The rows of each; None where one of them failed, or the connection did."""
        try:
            results = await connection.carry_out([question.step for question in asked])
        except psycopg.Error as error:
            if connection.lost(error):
                await connection.close()
                await self._pool.drop()
            return None
        return [result.rows for result in results]

    async def _alone(self, question: Question) -> None:
        """One query on a connection of its own."""
        if question.rows.done():
            return
        try:
            async with self._pool.one() as connection:
                rows = await connection.ask(*question.step[:2])
        except Exception as error:  # noqa: BLE001 - it is for who asked
            if not question.rows.done():
                question.rows.set_exception(error)
            return
        if not question.rows.done():
            question.rows.set_result(rows)


def copied(error: Exception) -> Exception:
    """For one of several who hear of it: a traceback grows with each."""
    return DatabaseError(error.code, error.path) if isinstance(error, DatabaseError) else error
