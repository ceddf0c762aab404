"""Orders: drafts that the table carries out by itself, when it becomes their seat's turn.

They are as secret as any draft; what they do is an action in the log like any other (`play.follow`).
"""

from __future__ import annotations

from dataclasses import dataclass

from db.database import Transaction
from db.repositories import drafts
from engines.capabilities import Edit, Orders
from engines.protocol import Seat
from tables.core.house import House, mark_of
from tables.core.loaded import Loaded
from tables.play.drafts import begun


@dataclass(frozen=True)
class Due:
    """What a seat's orders do now, and the occasion that they are for."""

    seat: Seat
    mark: str
    edit: Edit


async def first_due(house: House, loaded: Loaded, *, new: bool) -> Due | None:
    """The first orders that are due; where none are `new`, those that have waited for others alone."""
    rules = loaded.engine
    if not isinstance(rules, Orders) or loaded.row.status != "running":
        return None
    for seat in sorted(loaded.to_act):
        first = begun(loaded, seat)
        if first is None or not (new or first.waits):
            continue
        mark = mark_of(first)
        draft = await drafts.get(house.database.reads, loaded.row.id, seat, mark)
        edit = rules.due(loaded.state, seat, draft) if draft else None
        if edit is not None:
            return Due(seat, mark, edit)
    return None


async def keep(tx: Transaction, house: House, table_id: int, due: Due) -> None:
    """Writes the orders that are left once a due action is done, in the transaction of the action."""
    await drafts.put(tx, table_id, due.seat, mark=due.mark, draft=due.edit.draft, now=house.clock.now())
