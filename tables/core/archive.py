"""What the tables ask of whoever folds whole logs; `tables.reading.archive` has the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from engines.protocol import Json

T = TypeVar("T")


class Archive(Protocol):
    """Folds logs, away from everything that answers moves."""

    async def ask(self, task: str, *given: Json, read: Callable[[Any], T]) -> T:
        """The answer to a question, as `read` makes it of its JSON, off the loop as well.

        Raises TableError and RulesError as the task does, DatabaseError, ArchiveError.
        """

    async def close(self) -> None:
        """Ends what it has running."""


class ArchiveError(Exception):
    """A question could not be answered: a fault of ours, or it took too long."""
