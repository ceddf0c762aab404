"""Who is not brought together: somebody, and whom he has blocked.

Whom a player has blocked neither names him (as a guest, as a successor, for a rematch) nor comes to where he
sits or is invited, by whatever way, nor calls him at a table that both already sit at. A player himself does
not name whom he has blocked either, for his own seat too: he takes the block back first.
"""

from __future__ import annotations

from collections.abc import Collection

from db.repositories import users
from tables.core.errors import TableError
from tables.core.house import House


async def may_name(
    house: House, user_id: int, named: Collection[int], game: str, table: int | None = None
) -> None:
    """Raises `unwelcome` where one of those has blocked this user, `your-block` where he has blocked one."""
    reads = house.database.reads
    if await users.blocking(reads, user_id, list(named)):
        raise TableError("unwelcome", table=table, game=game)
    if set(named) & set(await users.blocked_by(reads, user_id)):
        raise TableError("your-block", table=table, game=game)


async def may_come(
    house: House, user_id: int, there: Collection[int], game: str, table: int | None = None
) -> None:
    """Raises `unwelcome` where one of those who are there has blocked this user."""
    if there and await users.blocking(house.database.reads, user_id, list(there)):
        raise TableError("unwelcome", table=table, game=game)


async def not_blocked_by(house: House, user_id: int, called: Collection[int]) -> list[int]:
    """Those whom this user may call."""
    return sorted(set(called) - await users.blocking(house.database.reads, user_id, list(called)))
