"""What a moderator may not do by that power: anything at a table where they play, or played.

The check belongs to the deed: what ends a table or gives a seat away without asking its players comes here.
"""

from __future__ import annotations

from db.repositories import successions
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded


async def may_moderate(house: House, loaded: Loaded, user_id: int) -> None:
    """Raises `moderator-sat` to whoever left a seat of this table: what was theirs goes on there."""
    if await successions.sat(house.database.reads, loaded.row.id, user_id):
        raise TableError("moderator-sat", table=loaded.row.id, game=loaded.row.game)
