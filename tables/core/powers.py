"""What a moderator may not do by that power: anything at a table where they play, or played.

The check belongs to the deed: what ends a table or gives a seat away without asking its players comes here.
So does what follows where somebody has left the server: a moderator who plays may have brought that about.
"""

from __future__ import annotations

from collections.abc import Collection

from db.repositories import successions
from db.rows import SeatRow
from engines.protocol import Seat
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded


async def may_moderate(house: House, loaded: Loaded, user_id: int) -> None:
    """Raises `moderator-sat` to whoever left a seat of this table: what was theirs goes on there."""
    if await successions.sat(house.database.reads, loaded.row.id, user_id):
        raise TableError("moderator-sat", table=loaded.row.id, game=loaded.row.game)


def by_own_hand(loaded: Loaded, left: SeatRow, voters: Collection[Seat], *, removes: bool) -> bool:
    """Whether who asks to go on without somebody may have removed them: then the others decide.

    removes  whether who asks may remove members there

    Raises `moderator-gone` where nobody else is left to decide: it stays with a moderator who does not play.
    Discord tells nobody who had somebody removed, so the power alone counts.
    """
    if not removes or left.gone != "left":
        return False
    if not voters:
        raise loaded.refusal("moderator-gone", seat=left.seat)
    return True
