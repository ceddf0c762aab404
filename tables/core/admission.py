"""The one gate of private tables: whoever may not see a table hears what is said of one that does not exist.

Every request of a person for a table passes it before anything else is said: where a table is looked for by
its number or its place (`access.find`: commands and completions), and at the service (`admitted_only`), where
buttons and whatever else comes in with a number end.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from tables.core.errors import TableError
from tables.core.model import Table, User


class Gated(Protocol):
    """What has a gate."""

    async def admitted(self, table_id: int, user_id: int, *, moderator: bool = False) -> Table:
        """The table, for whom it is there."""
        ...


P = ParamSpec("P")
R = TypeVar("R")
W = TypeVar("W")  # a user, or the id of one
G = TypeVar("G", bound=Gated)


def may_see(table: Table, user_id: int | None) -> bool:
    """Whether a table is there for this user: who sits there, is invited or imported it. None: ourselves."""
    if not table.private or user_id is None:
        return True
    if any(user_id in (seat.user_id, seat.invited) for seat in table.seats):
        return True
    return user_id == table.creator_id and (table.study or table.status == "open")


def admit(table: Table, user_id: int | None) -> None:
    """Raises `no-table`, as for a number that no table has, where this user may not see the table."""
    if not may_see(table, user_id):
        raise TableError("no-table")


def admitted_only(
    method: Callable[Concatenate[G, int, W, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate[G, int, W, P], Coroutine[Any, Any, R]]:
    """A request of a user (the second argument) for a table (the first). Raises `no-table`."""

    @functools.wraps(method)
    async def run(self: G, table_id: int, who: W, /, *args: P.args, **options: P.kwargs) -> R:
        user_id = who.id if isinstance(who, User) else who
        if isinstance(user_id, int):
            await self.admitted(table_id, user_id, moderator=bool(options.get("moderator")))
        return await method(self, table_id, who, *args, **options)

    return run
