"""Whose result a seat's is, and whether a game is one that ratings count.

A seat that changed hands is its players' who did most of its actions, of equal ones the one who left last:
handing it on before a loss leaves the loss where it was made. The bot takes no result over.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from db.database import Transaction
from db.repositories import actions, successions
from db.rows import ActionRow, FormerRow, SeatRow
from tables.core.loaded import Loaded, standing

LEAST = 3  # actions a seat, without resigning, before a game is rated


@dataclass(frozen=True)
class Keeper:
    """Whose result a seat's is; without `user_id` somebody who is forgotten, whose rating was `rating`.

    here  whether that is who sits there at the end
    """

    seat: SeatRow
    user_id: int | None
    here: bool
    rating: tuple[float, float] | None = None


async def keepers(tx: Transaction, after: Loaded) -> tuple[list[Keeper], bool]:
    """The keepers of all seats that persons played, and whether the game was long enough to be rated."""
    log = played(standing(await actions.log(tx, after.row.id)))
    former = await successions.former(tx, after.row.id)
    found = [keeper(seat, [one for one in former if one.seat == seat.seat], log) for seat in after.seats]
    return [one for one in found if one is not None], long_enough(log, len(after.seats))


def keeper(seat: SeatRow, former: Sequence[FormerRow], log: Sequence[ActionRow]) -> Keeper | None:
    """Whose result this seat's is; None where only the bot played it."""
    done = Counter[int]()
    for row in log:
        if row.seat == seat.seat and (who := player(row, seat, former)) is not None:
            done[who] += 1
    order = [one.user_id for one in sorted(former, key=lambda one: one.at)]
    order += [] if seat.user_id is None else [seat.user_id]
    if not order:
        return None
    most = max(done.values(), default=0)
    # of those who did most the last one, and where nobody did anything the first
    kept = [who for who in order if done[who] == most][-1] if most else order[0]
    gone = next((one for one in former if one.user_id == kept and one.forgotten), None)
    if gone is not None and kept != seat.user_id:
        rating = None if gone.mu is None or gone.sigma is None else (gone.mu, gone.sigma)
        return Keeper(seat, None, here=False, rating=rating)
    return Keeper(seat, kept, here=kept == seat.user_id)


def player(row: ActionRow, seat: SeatRow, former: Sequence[FormerRow]) -> int | None:
    """Who of a seat's players did an action; what has no name any more, the forgotten did in their time."""
    if row.user_id is not None:
        return row.user_id if row.user_id in {seat.user_id, *(one.user_id for one in former)} else None
    forgotten = [one for one in former if one.forgotten and row.at <= one.at]
    return min(forgotten, key=lambda one: one.at).user_id if forgotten else None


def long_enough(log: Sequence[ActionRow], seats: int) -> bool:
    """Whether there were LEAST actions a seat, and as many by at least two seats."""
    acted = [row.seat for row in log]
    enough = [seat for seat in range(seats) if acted.count(seat) >= LEAST]
    return len(acted) >= LEAST * seats and len(enough) >= min(seats, 2)


def played(log: Sequence[ActionRow]) -> list[ActionRow]:
    """What counts of a log: nothing that gives the game up, nor what the rules let its seat take back."""
    found = list[ActionRow]()
    for row in log:
        action = json.loads(row.action or "null")
        kind = action.get("type") if isinstance(action, dict) else None
        if kind == "takeback":
            taken = next((one for one in reversed(found) if one.seat == row.seat), None)
            found = [one for one in found if one is not taken]
        elif kind != "resign":
            found.append(row)
    return found
