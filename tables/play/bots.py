"""Seats that the bot plays: it thinks outside the table's lock and acts like anybody else."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any

from db.errors import DatabaseError
from db.repositories import tables
from engines.protocol import Json, Seat
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded, derived
from tables.play.acting import Wish, carry_out, follow
from workers.thinking import Thinker

log = logging.getLogger("hatamoto.bots")
AGAIN_S = 15.0  # after a fault of the database


@dataclass(frozen=True)
class Question:
    """What the opponent is asked: a view alone, and chance of its own."""

    seat: Seat
    level: str
    version: int
    game: str
    view: Json
    seed: bytes


class Bots:
    """One task for each table at which a bot has to act."""

    def __init__(self, house: House, thinker: Thinker) -> None:
        self._house = house
        self._thinker = thinker
        self._wanted: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._closed = False
        house.wake_bots = lambda loaded: self.wake(loaded.row.id)

    async def resume(self) -> None:
        """Wakes the bots that had to act when the process ended."""
        for table_id in await tables.bots_to_act(self._house.database.reads):
            self.wake(table_id)

    def wake(self, table_id: int) -> None:
        """Lets the bots of this table act, now or after what they are at."""
        self._wanted.add(table_id)
        if table_id not in self._tasks and not self._closed:
            task = asyncio.create_task(self._play(table_id), name=f"bot at table {table_id}")
            self._tasks[table_id] = task
            task.add_done_callback(lambda done: self._ended(table_id, done))

    async def settled(self) -> None:
        """Returns when no bot has anything to do."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    async def close(self) -> None:
        """Stops thinking; what is being committed is finished. Resumed at the next start."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await self.settled()
        await self._thinker.close()

    def _ended(self, table_id: int, task: asyncio.Task[Any]) -> None:
        del self._tasks[table_id]
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, TableError):
            log.warning("the bot of table %s waits: %s", table_id, error.code)
        else:
            log.error("the bot of table %s stopped; a reminder wakes it", table_id, exc_info=error)

    async def _play(self, table_id: int) -> None:
        while table_id in self._wanted:
            self._wanted.discard(table_id)
            try:
                await self._claimed(table_id)
            except DatabaseError as error:  # nobody would wake it when there is room on the disk again
                log.warning("the bot of table %s waits: %s", table_id, error)
                await asyncio.sleep(AGAIN_S)
                self._wanted.add(table_id)

    async def _claimed(self, table_id: int) -> None:
        """Acts as long as nobody else thinks for this table; who does looks again when it has let go."""
        claims = self._house.database.claims
        while await claims.take(f"bot:{table_id}"):
            try:
                await self._answer(table_id)
            finally:
                claims.let_go(f"bot:{table_id}")
            if not claims.shared or asked(await self._house.look(table_id)) is None:
                return

    async def _answer(self, table_id: int) -> None:
        """Acts until others have to."""
        while (question := asked(await self._house.look(table_id))) is not None:
            text = await self._thinker.choose(
                question.game, question.view, question.level, question.seed, question.version
            )
            await self._house.finish(self._act(table_id, question, text))

    async def _act(self, table_id: int, question: Question, text: str) -> None:
        async with self._house.lock(table_id):
            loaded = await self._house.load(table_id)
            if asked(loaded) == question:  # else things changed while it thought: it is asked again
                after = (await carry_out(self._house, loaded, question.seat, Wish(text))).after
                await follow(self._house, after)


def asked(loaded: Loaded) -> Question | None:
    """The next question to a bot at this table, or None where none has to act."""
    for seat in loaded.seats:
        if seat.level is not None and seat.acts and loaded.row.status == "running":
            view = loaded.view(seat.seat).model_dump(mode="json")
            seed = derived(loaded.key, f"opponent {seat.seat}")
            return Question(seat.seat, seat.level, loaded.row.version, loaded.row.game, view, seed)
    return None
