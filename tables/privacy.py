"""What is kept about a person: given to him, and forgotten.

Forgetting gives his seats up table by table, then takes him out of everything in one transaction. A
timer stands until that is done, so that a crash in between finishes it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from hashlib import blake2b

from db import privacy, timers
from db.database import Transaction
from db.rows import TimerRow
from engines.base import Json
from tables import lobby, people, play
from tables.consent import end_game
from tables.errors import TableError
from tables.house import House
from tables.loaded import Loaded
from tables.people import Successor
from tables.play import Wish

log = logging.getLogger("hatamoto.tables")
FORGOTTEN = "Former player"  # the name in games that are over
FORGET = "forget"  # its timer
AGAIN_MS = 60_000
LEVEL = "normal"  # of the bot that takes over


@dataclass(frozen=True)
class Forgotten:
    """How many tables were left in which way."""

    handed: int = 0
    resigned: int = 0
    ended: int = 0
    left: int = 0


async def arm(tx: Transaction, after: Loaded) -> None:
    """A game that is over need not know who sat where before."""
    if after.row.status not in ("open", "running"):
        await privacy.clear_handovers(tx, after.row.id)


async def export(house: House, user_id: int) -> dict[str, Json]:
    """Everything that is kept about a person, as JSON. Raises `nothing-stored`."""
    found = await privacy.everything(house.database.reads, user_id)
    if not found:
        raise TableError("nothing-stored")
    return {"format": 1, "discord_id": str(user_id), **found}


async def plan(house: House, user_id: int) -> tuple[int, int]:
    """How many running games would be given up, and how many lobbies left."""
    reads = house.database.reads
    return len(await privacy.seats_of(reads, user_id, "running")), len(
        await privacy.seats_of(reads, user_id, "open")
    )


async def forget(house: House, user_id: int, interaction_id: int) -> Forgotten:
    """Gives up the person's seats and forgets him. May be repeated."""
    async with house.database.transaction() as tx:
        await timers.put(tx, FORGET, house.clock.now() + AGAIN_MS, user_id=user_id)
    ways: list[str] = []
    for table_id in await privacy.seats_of(house.database.reads, user_id, "open"):
        await lobby.leave(house, table_id, user_id, derived(interaction_id, table_id))
        ways.append("left")
    running = await privacy.seats_of(house.database.reads, user_id, "running")
    ways += [await give_up(house, number, user_id, derived(interaction_id, number)) for number in running]
    over = await privacy.ended_of(house.database.reads, user_id)
    async with house.database.transaction() as tx:
        await privacy.forget(tx, user_id, FORGOTTEN, house.clock.now())
    for table_id in over:
        house.forget(table_id)
    house.queued()
    return Forgotten(**{way: ways.count(way) for way in ("handed", "resigned", "ended", "left")})


async def forget_due(house: House, timer: TimerRow) -> None:
    """Finishes what a crash interrupted."""
    await forget(house, timer.user_id, -timer.id)


async def give_up(house: House, table_id: int, user_id: int, interaction_id: int) -> str:
    """Leaves a running game: the bot goes on for him if it can and others play, else he resigns.

    Where nobody else plays, or the table is out of order, the game ends.
    """
    try:
        await people.replace_player(house, table_id, user_id, None, Successor(level=LEVEL), interaction_id)
    except TableError as error:
        last = error.code in ("alone", "broken")
    else:
        return "handed"
    if not last and await resigned(house, table_id, user_id, interaction_id):
        return "resigned"
    async with house.lock(table_id):
        loaded = await lobby.stateful(house, Loaded(*await house.rows(table_id)))
        await end_game(house, loaded, "cancelled", "cancelled", interaction_id)
    return "ended"


async def resigned(house: House, table_id: int, user_id: int, interaction_id: int) -> bool:
    """Whether the game's own way to give up was open to him."""
    try:
        await play.act(house, table_id, Wish("resign", user_id, interaction_id), None)
    except TableError as error:
        log.warning("table %s ends without a resignation: %s", table_id, error.code)
        return False
    return True


def derived(interaction_id: int, table_id: int) -> int:
    """A number for one table's part of an interaction: the same again when it is redelivered."""
    digest = blake2b(f"{interaction_id}:{table_id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
