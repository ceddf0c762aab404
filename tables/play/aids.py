"""What a seat settles in secret about how questions to it are answered (`capabilities.Aids`).

It is kept beside the log: no entry, no version, no clock, no row for anybody tells of it. Where it answers,
the answer is written with the action that asked, so that nobody is called for it; it is an entry like any
other, but of no person, who was not there for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from db.database import Transaction
from db.repositories import aids
from engines.capabilities import Aids
from engines.protocol import Json, RulesError, Seat
from tables.core.house import House
from tables.core.loaded import Loaded


def wished(loaded: Loaded, seat: Seat, wish: str | Mapping[str, Json]) -> tuple[str, str] | None:
    """The aid that a wish sets, and the wish in notation; None where it is an action of the game, or none."""
    rules = loaded.engine
    if not isinstance(rules, Aids):
        return None
    try:
        action = rules.parse(wish, loaded.position, seat)
    except RulesError:
        return None  # doing it says why
    aid = rules.aid(loaded.position, action, seat, loaded.aids.get(seat))
    return None if aid is None else (aid, rules.format(action))


def answer(loaded: Loaded) -> tuple[Seat, str] | None:
    """A seat that is asked what it settled, and the action that answers for it."""
    rules = loaded.engine
    if not isinstance(rules, Aids) or loaded.row.status != "running":
        return None
    for seat, aid in sorted(loaded.aids.items()):
        action = rules.answer(loaded.position, seat, aid)
        if action is not None:
            return seat, action
    return None


def still(loaded: Loaded) -> Loaded:
    """The table with what is left of what its seats settled, after an action."""
    rules = loaded.engine
    if not isinstance(rules, Aids) or not loaded.aids:
        return loaded
    left = {seat: rules.settled_still(loaded.position, seat, aid) for seat, aid in loaded.aids.items()}
    return loaded if left == loaded.aids else replace(loaded, aids=left)


async def changed(tx: Transaction, before: Loaded, after: Loaded) -> None:
    """Writes what is left of it."""
    for seat, aid in after.aids.items():
        if before.aids.get(seat) != aid:
            await aids.put(tx, after.row.id, seat, aid)


async def keep(
    house: House, loaded: Loaded, seat: Seat, wish: tuple[str, str], interaction_id: int | None
) -> Loaded:
    """Keeps an aid, once; the table with it. Nothing is posted. The caller holds the lock."""
    aid, text = wish
    async with house.changing(loaded.row.id) as tx:
        await aids.put(tx, loaded.row.id, seat, aid)
        if interaction_id is not None:
            await house.note(tx, interaction_id, loaded.row.id, action=text)
    house.forget(loaded.row.id)
    return await house.load(loaded.row.id)
