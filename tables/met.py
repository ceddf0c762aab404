"""Which rules a person has met: the first time that one matters, the panel leads to its page."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from db.errors import DatabaseError
from db.repositories import met
from tables.core.house import House

log = logging.getLogger("hatamoto.tables")


async def first(house: House, user_id: int, game: str, rules: Sequence[str]) -> str | None:
    """The first of these rules that the user has not met, who has met it now; None where there is none.

    Where that cannot be kept the user is told of it once more next time: no panel waits for a full disk.
    """
    if not rules:
        return None
    known = await met.of_user(house.database.reads, user_id, game)
    new = next((rule for rule in rules if rule not in known), None)
    if new is not None:
        try:
            async with house.database.transaction() as tx:
                await met.put(tx, user_id, game, new)
        except DatabaseError as error:
            log.warning("that a rule of %s was met is not kept: %s", game, error)
    return new
