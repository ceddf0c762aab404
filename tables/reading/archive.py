"""Where whole logs are folded: in one process of its own, apart from moves, opponents and pictures.

It is a process of the tables: it reads the database itself and holds full states and seeds, which the
processes that draw and think never get. Its answers are filtered before they leave it.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from db.address import Address, Where, rooted
from db.errors import DatabaseError
from engines.protocol import Json, RulesError
from tables.core.archive import ArchiveError
from tables.core.errors import TableError
from tables.core.lane import Lane
from tables.reading.folding import Folder, answered
from tables.reading.ledger import PLACE
from workers.process import FaultError, Worker, WorkerError

log = logging.getLogger("hatamoto.archive")
LIMIT_S = 30.0  # the longest log that is taken in takes a second; a machine may be very busy
MOST = 500  # questions of one process
REST_S = 60.0  # seconds without a question after which it ends
T = TypeVar("T")


class Library:
    """Folds in a worker process, one question at a time: one that dies is started anew."""

    def __init__(
        self,
        path: Where,
        command: Sequence[str] = (sys.executable, "-m", "tables.reading"),
        *,
        limit_s: float = LIMIT_S,
    ) -> None:
        self._path = rooted(path)
        place = {}
        if isinstance(self._path, Address):  # it names a password, or takes it from where PG... say
            own = {name: value for name, value in os.environ.items() if name.startswith("PG")}
            place = {PLACE: self._path.url, **own}
        self._worker = Worker(
            [*command, str(self._path)], limit_s=limit_s, most=MOST, rest_s=REST_S, own=place
        )

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        return self._worker.pid

    async def ask(self, task: str, *given: Json, read: Callable[[Any], T]) -> T:
        """The answer. Raises TableError and RulesError as the task does, DatabaseError, ArchiveError."""
        try:
            return await self._worker.ask(
                lambda: [task, *given], lambda reply, _: read(opened(reply, self._path))
            )
        except FaultError as fault:
            log.error("the archive failed at %s: %s", task, fault)  # noqa: TRY400 - the place is the worker's
            raise ArchiveError(task) from None
        except WorkerError as error:
            raise ArchiveError(f"{task}: {error}") from error

    async def close(self) -> None:
        """Ends the process at once."""
        await self._worker.close()


class HereLibrary:
    """Folds in a thread of this process: for scripts and tests."""

    def __init__(self, path: Where) -> None:
        self._path = rooted(path)
        self._folder = Folder(self._path)
        self._lane = Lane("archive")

    async def ask(self, task: str, *given: Json, read: Callable[[Any], T]) -> T:
        """The answer, by the same way as from the process."""
        return await self._lane.run(self._ask, [task, *given], read)

    async def close(self) -> None:
        """Lets what runs finish."""
        await self._lane.close()

    def _ask(self, question: list[Json], read: Callable[[Any], T]) -> T:
        asked = json.loads(json.dumps(question))
        reply = json.loads(json.dumps(answered(self._folder, asked)))
        return read(opened(reply, self._path))


def opened(reply: dict[str, Any], path: Where) -> Any:
    """The answer in a reply, or its error."""
    if (refusal := reply.get("refused")) is not None:
        made = TableError(
            refusal["code"], table=refusal["table"], game=refusal["game"], rules=refusal["rules"]
        )
        made.params = refusal["params"]
        raise made
    if (rules := reply.get("rules")) is not None:
        raise RulesError(rules["code"], **rules["params"])
    if "storage" in reply:
        raise DatabaseError(reply["storage"], str(path))
    return reply["found"]
