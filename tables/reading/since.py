"""What a viewer saw when he last looked, to mark what is new: his own views and the public's only.

Most looks are in memory (`tables.core.looks`); after a restart the archive works one out of the log. A
picture waits for that a moment and no longer: without an earlier look nothing is marked, and it is right.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, TypeVar

from db.errors import DatabaseError
from engines.protocol import RulesError, Seat, View, Viewer
from tables.core.archive import ArchiveError
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.looks import Look
from tables.core.model import Shown
from tables.reading.access import moment, viewer_of

T = TypeVar("T")
log = logging.getLogger("hatamoto.tables")
PATIENCE_S = 1.0  # that a picture waits for the archive
MINE = "mine"  # the asker's own last action


async def marked(house: House, shown: Shown) -> Shown:
    """With what its viewer saw before: a seat after its own last action, the public at the board before.

    A seat that has not acted yet is compared with the start.
    """
    number, seat = shown.table.id, shown.seat
    if seat is None:
        entry = house.looks.before_newest(number)
        earlier = await board(house, number, shown.entry - 1 if entry is None else entry)
        return replace(shown, since=earlier)
    look = await own(house, number, seat)
    return replace(shown, since=None if look is None or look.entry > shown.entry else look.view)


async def own(house: House, table_id: int, seat: Seat) -> Look | None:
    """What a seat saw after its own last action; None where that cannot be found now."""
    known = house.looks.of_seat(table_id, seat)
    return known or await patiently(house, _own(house, table_id, seat))


async def board(house: House, table_id: int, entry: int) -> View | None:
    """What the public saw after so many entries; None where that cannot be found now."""
    if entry < 0:
        return None
    known = house.looks.board(table_id, entry) or await patiently(house, _board(house, table_id, entry))
    return None if known is None else known.view


async def public(house: House, table_id: int, user_id: int, since: int | str) -> Shown:
    """The public view now, and that of then: after `since` entries, or the user's own last action.

    Raises `no-table`, `not-running`, `not-seated`, and `bad-ply` of the rules.
    """
    loaded = await house.look(table_id)
    seat, shown = viewer_of(loaded, user_id), loaded.shown(None)
    if since == MINE:
        if seat is None:
            raise loaded.refusal("not-seated")
        return replace(shown, since=(await looked(house, table_id, seat, None)).view)
    then = (await moment(house, loaded, int(since), None))[0]
    return replace(shown, since=then.view)


async def looked(house: House, table_id: int, seat: Seat, viewer: Viewer) -> Look:
    """What `viewer` saw after this seat's own last action, from the archive."""
    view_type = (await house.look(table_id)).engine.view_type

    def read(found: tuple[int, Any]) -> Look:
        return Look(found[0], view_type.model_validate(found[1]))

    return await house.archive.ask("look", table_id, seat, viewer, read=read)


async def _own(house: House, table_id: int, seat: Seat) -> Look:
    undone = house.looks.undone
    look = await looked(house, table_id, seat, seat)
    if house.looks.undone == undone:
        house.looks.acted(table_id, seat, *look)
    return look


async def _board(house: House, table_id: int, entry: int) -> Look:
    undone = house.looks.undone
    shown, at, _ = await moment(house, await house.look(table_id), entry, None)
    look = Look(at, shown.view)
    if house.looks.undone == undone:
        house.looks.remember(table_id, look)
    return look


async def patiently(house: House, work: Coroutine[Any, Any, T]) -> T | None:
    """What the work finds within PATIENCE_S; it goes on for the next who asks. None where it fails."""

    async def tried() -> T | None:
        try:
            return await work
        except (TableError, RulesError, ArchiveError, DatabaseError) as error:
            log.warning("an earlier look cannot be found: %r", error)
            return None

    try:
        return await asyncio.wait_for(house.finish(tried()), PATIENCE_S)
    except TimeoutError:
        return None
