"""Reminders: one a player asks for, and those that come by themselves, rarer each time.

A timer `remind` for each seat that has to act; what is posted and when it comes again is one
transaction, so a crash neither loses a reminder nor shows one twice.
"""

from __future__ import annotations

import json

from db.database import Transaction
from db.repositories import guilds, meta, tables, timers, users
from db.rows import Message, SeatRow, TimerRow, UserRow
from tables.core import letters
from tables.core.blocks import not_blocked_by
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.model import Table
from tables.core.moments import moment
from tables.core.options import UNITS
from tables.core.quiet import quiet_until
from tables.play.acting import playing

EVERY_MS = 3600 * 1000  # between two reminders at a table that players ask for
REMIND = "remind"  # its timer
ARMED = "reminders-armed"  # a mark in the database: tables from before there were reminders have theirs
DEFAULT_HOURS = 24
MOST = 4  # reminders of one turn
LONGEST_MS = 14 * UNITS["d"]  # between two of them
TOGETHER_MS = UNITS["h"]  # those due so soon after the first are told with it
SNOOZE_MS = UNITS["d"]


async def remind(house: House, table_id: int, user_id: int) -> Table:
    """Mentions the others who have to act, but for those who have blocked the user.

    Raises `too-soon`, `your-turn`, `paused`.
    """
    async with house.lock(table_id):
        loaded = await house.load(table_id)
        row, now = loaded.row, house.clock.now()
        seat = playing(loaded, user_id)
        late = [s for s in loaded.seats if s.acts and s.seat != seat]
        if row.paused_at is not None:
            raise loaded.refusal("paused")
        if not late:
            raise loaded.refusal("your-turn")
        if row.reminded_at is not None and now < row.reminded_at + EVERY_MS:
            raise loaded.refusal("too-soon")
        after = loaded.updated(reminded_at=now)
        there = [s.user_id for s in late if s.user_id is not None and not s.away]
        called = await not_blocked_by(house, user_id, there)
        told = letters.line(after, "reminded", called, by=seat, seats=[s.seat for s in late])
        async with house.writing(table_id, None) as tx:
            await tables.change(tx, table_id, {"reminded_at": now})
            await house.post(tx, [told])
        house.keep(after)
        return after.table()


# -- those that come by themselves ---------------------------------------------------------


async def arm(tx: Transaction, after: Loaded) -> None:
    """Sets a timer for each person who has to act, and takes those of the others away."""
    waits = {s.user_id: s for s in after.people if reminded(after, s) and s.user_id is not None}
    await timers.clear(tx, REMIND, after.row.id, waits)
    for user_id, seat in waits.items():
        await timers.rouse(tx, REMIND, after.row.id, user_id, seat.acts_since or 0, DEFAULT_HOURS)


async def begin(tx: Transaction, table_id: int, user_id: int, since: int, now: int) -> None:
    """Sets the first reminder of a turn that began at `since` as if that were `now`."""
    await timers.rouse(tx, REMIND, table_id, user_id, since, DEFAULT_HOURS, counted_from=now)


async def arm_all(house: House) -> None:
    """Once for a database: reminders for tables that were running before there were any."""
    if await meta.get(house.database.reads, ARMED) is not None:
        return
    now = house.clock.now()
    async with house.database.transaction() as tx:
        await timers.rouse_all(tx, REMIND, now, DEFAULT_HOURS, MOST)
        await meta.put(tx, ARMED, str(now))


def reminded(loaded: Loaded, seat: SeatRow) -> bool:
    """Whether this seat's player is to be reminded in time."""
    row = loaded.row
    called = seat.acts and not seat.away and not seat.gone and not seat.flagged  # its clock said it all
    return row.status == "running" and not loaded.stands and called


async def due(house: House, first: TimerRow) -> None:
    """Reminds all who are due at this timer's table, in one post."""
    async with house.lock(first.table_id):
        loaded = Loaded(*await house.rows(first.table_id))
        now, reads = house.clock.now(), house.database.reads
        waiting = await timers.of_table(reads, REMIND, first.table_id)
        people = await users.some(reads, [timer.user_id for timer in waiting])
        guild = await guilds.get(reads, loaded.row.guild_id or 0)
        stands = loaded.aside or guild.left_at is not None or guild.silent_at is not None
        async with house.writing(first.table_id, None) as tx:
            called: list[SeatRow] = []
            stopped: list[SeatRow] = []
            for timer in waiting:
                seat = next((s for s in loaded.people if s.user_id == timer.user_id), None)
                again = None
                if seat is None or not reminded(loaded, seat):
                    await timers.remove(tx, REMIND, table_id=timer.table_id, user_id=timer.user_id)
                elif stands:  # nobody can act there
                    again = now + UNITS["d"], timer.payload
                elif timer.due_at <= now + TOGETHER_MS:
                    again = await remind_one(tx, timer, seat, people.get(timer.user_id), now, called, stopped)
                if again is not None:
                    await timers.put(
                        tx,
                        REMIND,
                        again[0],
                        table_id=timer.table_id,
                        user_id=timer.user_id,
                        payload=again[1],
                    )
            await house.post(tx, posts(loaded, called, stopped))


async def remind_one(  # noqa: PLR0917 - a player, his timer, and the two lists that are filled
    tx: Transaction,
    timer: TimerRow,
    seat: SeatRow,
    user: UserRow | None,
    now: int,
    called: list[SeatRow],
    stopped: list[SeatRow],
) -> tuple[int, str] | None:
    """When this player's timer is due again, with its payload; None where it is gone or stays."""
    quiet = quiet_until(user, now)
    if quiet is not None:
        return (quiet, timer.payload) if timer.due_at <= now else None
    data = json.loads(timer.payload)
    sent = int(data["sent"]) + 1
    called.append(seat)
    if sent >= MOST:
        stopped.append(seat)
        await timers.remove(tx, REMIND, table_id=timer.table_id, user_id=timer.user_id)
        return None
    hours = DEFAULT_HOURS if user is None else user.remind_hours
    pause = min((hours or DEFAULT_HOURS) * UNITS["h"] << sent, LONGEST_MS)
    return now + pause, json.dumps({**data, "sent": sent})


def posts(loaded: Loaded, called: list[SeatRow], stopped: list[SeatRow]) -> list[Message]:
    """One post for all who are called, and one line where that was the last time."""
    made = []
    if called:
        mention = [seat.user_id for seat in called if seat.user_id is not None]
        since = min(seat.acts_since or 0 for seat in called)
        params = {"seats": [seat.seat for seat in called], "since": moment(since, "R")}
        made.append(letters.at_table(loaded, "reminder", mention, code="reminder", params=params))
    if stopped:
        made.append(letters.line(loaded, "reminders-stopped", seats=[seat.seat for seat in stopped]))
    return made


async def snooze(house: House, table_id: int, user_id: int) -> int:
    """ "Not now": the user's next reminder at this table comes in a day, and never sooner than it would have.

    After the last one it is one more. Returns when, ms UTC. Raises `not-your-turn` where there is nothing
    to be reminded of, and `no-reminders` to who wants none.
    """
    async with house.lock(table_id):
        loaded = Loaded(*await house.rows(table_id))
        seat = loaded.seats[playing(loaded, user_id)]
        if not seat.acts:
            raise loaded.refusal("not-your-turn")
        user = await users.get(house.database.reads, user_id)
        own_pause = (DEFAULT_HOURS if user is None else user.remind_hours) * UNITS["h"]
        if not own_pause:
            raise loaded.refusal("no-reminders")
        waiting = await timers.of_table(house.database.reads, REMIND, table_id)
        own = next((timer for timer in waiting if timer.user_id == user_id), None)
        in_a_day = house.clock.now() + SNOOZE_MS
        if own is not None:
            until, payload = max(in_a_day, own.due_at), own.payload
        else:
            until = max(in_a_day, house.clock.now() + own_pause)
            payload = json.dumps({"since": seat.acts_since or 0, "sent": MOST - 1})
        async with house.writing(table_id, None) as tx:
            await timers.put(tx, REMIND, until, table_id=table_id, user_id=user_id, payload=payload)
        return until


async def reset(tx: Transaction, user_id: int, seats: list[tuple[int, int]]) -> None:
    """Sets a user's reminders anew, after he chose another interval, for (table, waiting since)."""
    for table_id, since in seats:
        await timers.remove(tx, REMIND, table_id=table_id, user_id=user_id)
        await timers.rouse(tx, REMIND, table_id, user_id, since, DEFAULT_HOURS)
