"""What is kept about a person: given to him, and forgotten.

Forgetting gives his seats up table by table, then takes him out of everything in one transaction. A
timer stands until that is done, so that a crash in between finishes it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from db.database import Transaction
from db.errors import DatabaseError
from db.repositories import privacy, tables, timers
from db.rows import TimerRow
from engines.protocol import Json
from tables.core.elsewhere import WISHES
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.parts import part_of
from tables.lobby import seating
from tables.play import acting
from tables.play.acting import Wish
from tables.play.consent import end_game
from tables.seats import handover
from tables.seats.handover import Successor

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


async def export(house: House, user_id: int) -> bytes:
    """Everything that is kept about a person, as a file of JSON. Raises `nothing-stored`.

    It grows with all that somebody ever played, so it is put together where whole logs are folded.
    """
    return await house.archive.ask("about", user_id, read=lambda text: str(text).encode())


async def kept(house: House, user_id: int) -> None:
    """Raises `nothing-stored` where nothing is kept about a person."""
    if not await privacy.known(house.database.reads, user_id):
        raise TableError("nothing-stored")


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
    lobbies = await privacy.seats_of(house.database.reads, user_id, "open")
    running = await privacy.seats_of(house.database.reads, user_id, "running")
    for work, numbers in ((leave, lobbies), (give_up, running)):
        ways += [await whatever_happens(work, house, number, user_id, interaction_id) for number in numbers]
    touched = {*lobbies, *running, *await privacy.ended_of(house.database.reads, user_id)}
    touched |= {*await privacy.studies_of(house.database.reads, user_id)}
    async with house.database.transaction() as tx:
        names = await privacy.names_of(tx, user_id) - {"", FORGOTTEN}
        for row_id, payload in await privacy.unsent_about(tx, user_id, names):
            await privacy.rewrite(tx, row_id, unnamed(payload, user_id, names))
        await privacy.forget(tx, user_id, FORGOTTEN, LEVEL, house.clock.now())
        for table_id in touched if house.database.claims.shared else ():
            tables.touch(tx, table_id)
    house.elsewhere.note(user_id, None)
    house.database.claims.tell(WISHES)
    for table_id in touched:
        house.forget(table_id)
    house.queued()
    return Forgotten(**{way: ways.count(way) for way in ("handed", "resigned", "ended", "left")})


Way = Callable[[House, int, int, int], Awaitable[str]]


async def whatever_happens(work: Way, house: House, table_id: int, user_id: int, interaction_id: int) -> str:
    """Leaves one table. A table at which that fails must not keep anybody from being forgotten."""
    try:
        return await work(house, table_id, user_id, part_of(interaction_id, table_id))
    except DatabaseError:
        raise
    except Exception:
        log.exception("table %s was not left as it should be", table_id)
        return "handed"


async def leave(house: House, table_id: int, user_id: int, interaction_id: int) -> str:
    """Leaves a table that has not started; one that is out of order loses him with all the rest."""
    try:
        await seating.leave(house, table_id, user_id, interaction_id)
    except TableError as error:
        log.warning("table %s is left without its own doing: %s", table_id, error.code)
    return "left"


def unnamed(payload: str, user_id: int, own: set[str]) -> str:
    """A post that waits to be sent, without a person: who sat there is `FORGOTTEN`, and is not called."""
    data = json.loads(payload)
    users, names = data.pop("users", []), data.pop("names", [])
    for seat, (user, name) in enumerate(zip(users, names, strict=False)):
        if user == user_id or (user is None and name in own):  # an invited guest has no seat yet
            users[seat], names[seat] = None, FORGOTTEN
    mention = [user for user in data.pop("mention", []) if user != user_id]
    rest = without(data, {user_id, str(user_id), f"<@{user_id}>", *own})
    return json.dumps({**rest, "users": users, "names": names, "mention": mention}, ensure_ascii=False)


def without(value: Json, told: set[int | str]) -> Any:
    """JSON in which nothing tells of a person."""
    if isinstance(value, dict):
        return {key: without(part, told) for key, part in value.items()}
    if isinstance(value, list):
        return [without(part, told) for part in value]
    if isinstance(value, bool) or not isinstance(value, int | str) or value not in told:
        return value
    return FORGOTTEN if isinstance(value, str) else None


async def forget_due(house: House, timer: TimerRow) -> None:
    """Finishes what a crash interrupted."""
    await forget(house, timer.user_id, -timer.id)


async def give_up(house: House, table_id: int, user_id: int, interaction_id: int) -> str:
    """Leaves a running game: the bot goes on for him if it can and others play, else he resigns.

    Where nobody else plays the game ends. At a table that is out of order the seat is the bot's, as is
    one that is out of the game: who has resigned ends it for nobody else.
    """
    try:
        await handover.replace_player(house, table_id, user_id, None, Successor(level=LEVEL), interaction_id)
    except TableError as error:
        others = [s for s in (await house.table(table_id)).seats if s.user_id not in (None, user_id)]
        if error.code in ("broken", "retired") and others:
            return "handed" if error.code == "broken" else "resigned"
        last = error.code in ("alone", "broken", "retired")
    else:
        return "handed"
    if not last and await resigned(house, table_id, user_id, interaction_id):
        return "resigned"
    async with house.lock(table_id):
        loaded = await seating.stateful(house, Loaded(*await house.rows(table_id)))
        await end_game(house, loaded, "cancelled", "cancelled", interaction_id)
    return "ended"


async def resigned(house: House, table_id: int, user_id: int, interaction_id: int) -> bool:
    """Whether the game's own way to give up was open to him."""
    try:
        await acting.act(house, table_id, Wish("resign", user_id, interaction_id), None)
    except TableError as error:
        log.warning("table %s ends without a resignation: %s", table_id, error.code)
        return False
    return True
