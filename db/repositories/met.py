"""Rules that people were told of when they first mattered."""

from __future__ import annotations

from db.database import Source, Transaction
from db.statements import add

PUT = add("met_rules", ("user_id", "game", "rule"))


async def of_user(source: Source, user_id: int, game: str) -> set[str]:
    """The rules of a game that a user was told of."""
    rows = await source.all("SELECT rule FROM met_rules WHERE user_id = ? AND game = ?", (user_id, game))
    return {str(row["rule"]) for row in rows}


async def put(tx: Transaction, user_id: int, game: str, rule: str) -> None:
    """A user was told of a rule."""
    tx.put(PUT, (user_id, game, rule))
