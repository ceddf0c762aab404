"""Calls once a day: one DM with all tables that wait for a person, and calls that no DM could bring.

A timer `digest` for each person who wishes it and whom something waits for. What is listed is looked up when
it is sent; while nothing new waits it comes for a week, then no more until the next call.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from db.repositories import timers, users
from db.rows import Message, OutboxRow, TimerRow
from tables.core import letters
from tables.core.elsewhere import DIGEST, TABLE, WISHES, next_at
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.time.absences import seats_of

MOST = 7  # digests of the same calls


async def read_wishes(house: House) -> None:
    """Reads who is to be called elsewhere than at the table."""
    rows = await users.called_elsewhere(house.database.reads)
    house.elsewhere.clear()
    for row in rows:
        house.elsewhere.note(row.id, row)


async def digest_due(house: House, timer: TimerRow) -> None:
    """Queues a user's digest where something waits, and sets the next."""
    user_id, now = timer.user_id, house.clock.now()
    user = await users.get(house.database.reads, user_id)
    waits = await anything_waits(house, user_id)
    sent = int(json.loads(timer.payload).get("sent", 0)) + 1
    async with house.database.transaction() as tx:
        if user is None or user.call_by != DIGEST or not waits:
            await timers.remove(tx, DIGEST, user_id=user_id)
            return
        await house.post(tx, [Message(None, f"user:{user_id}", DIGEST, "{}")])
        if sent >= MOST:
            await timers.remove(tx, DIGEST, user_id=user_id)
        else:
            due, payload = next_at(user.zone, user.digest_at, now), json.dumps({"sent": sent})
            await timers.put(tx, DIGEST, due, user_id=user_id, payload=payload)
    house.queued()


async def anything_waits(house: House, user_id: int) -> bool:
    """Whether a table waits for a user who can act there."""
    async for _ in waiting(house, user_id):
        return True
    return False


async def waiting(house: House, user_id: int) -> AsyncIterator[int]:
    """The tables that wait for a user who can act there."""
    for table_id, seat in await seats_of(house, user_id):
        if seat.acts and not seat.away:
            row, seats = await house.rows(table_id)
            if not Loaded(row, seats).stands:
                yield table_id


async def call_refused(house: House, row: OutboxRow, user_id: int) -> None:
    """Sets a user whom no DM reaches back to calls at the table, and makes what was refused there.

    What a list of the day would have told is told at each table that waits. Those of direct messages have
    posts of their own that wait.
    """
    told: list[Message] = []
    for table_id in await meant(house, row, user_id):
        loaded = Loaded(*await house.rows(table_id))
        seat = loaded.seat_of(user_id)
        if seat is not None and loaded.seats[seat].acts and loaded.row.guild_id is not None:
            told.append(letters.line(loaded, "call-refused", [user_id]))
    async with house.database.transaction() as tx:
        await users.set_call(tx, user_id, TABLE)
        await house.post(tx, told)
    house.elsewhere.note(user_id, None)
    house.database.claims.tell(WISHES)
    house.queued()


async def meant(house: House, row: OutboxRow, user_id: int) -> list[int]:
    """The tables that a call by DM was about: its own, or all that wait and can be played on."""
    if row.table_id is not None:
        return [row.table_id]
    return [table_id async for table_id in waiting(house, user_id)]
