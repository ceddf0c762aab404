"""Vacations, players who are gone, and servers that the bot was removed from."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from db.repositories import guilds, tables, timers, users, vacations
from db.rows import Message, SeatRow, TimerRow
from tables.core import clocks, letters
from tables.core.elsewhere import DIGEST, WISHES
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.model import User
from tables.core.moments import moment
from tables.core.options import UNITS
from tables.core.quiet import quiet_until
from tables.time import reminders

log = logging.getLogger("hatamoto.tables")
VACATION = "vacation"  # its timer, a user's
DAYS_A_YEAR = 30  # of vacation, in a calendar year (UTC)
MOST_TABLES = 100  # whose boards are posted when the bot comes back to a server
MOST_RUNNING = 10_000  # tables of a server
NO_SERVER = 0


# -- preferences ----------------------------------------------------------------------------


async def prefer(house: House, user: User, values: Mapping[str, Any]) -> None:
    """Sets a user's preferences (`users.PREFERENCES`); reminders that wait follow another interval.

    Calls go where the user wishes from the next one on; what waits already is in the next digest.
    """
    waits = [
        (table_id, seat.acts_since or 0)
        for table_id, seat in await seats_of(house, user.id)
        if seat.acts and not seat.away
    ]
    async with house.database.transaction() as tx:
        await users.prefer(tx, user.id, user.name, values)
        if "remind_hours" in values:
            await reminders.reset(tx, user.id, waits)
    row = await users.get(house.database.reads, user.id)
    house.elsewhere.note(user.id, row)
    house.database.claims.tell(WISHES)
    if waits and row is not None and row.call_by == DIGEST:
        async with house.database.transaction() as tx:
            await timers.put(
                tx, DIGEST, house.elsewhere.digest_due(user.id, house.clock.now()), user_id=user.id
            )
    house.queued()


async def seats_of(house: House, user_id: int) -> list[tuple[int, SeatRow]]:
    """The user's seats at running tables, with the table's number."""
    found = []
    for table_id in await tables.of_user(house.database.reads, user_id):
        _, seats = await house.rows(table_id)
        found += [(table_id, seat) for seat in seats if seat.user_id == user_id]
    return found


async def asleep(house: House, user_ids: Sequence[int]) -> set[int]:
    """Those of the users whose quiet hours it is now."""
    known = await users.some(house.database.reads, user_ids)
    return {number for number, user in known.items() if quiet_until(user, house.clock.now()) is not None}


async def block(house: House, user: User, other_id: int, *, on: bool) -> None:
    """Sets or takes back a block. What runs already goes on."""
    async with house.database.transaction() as tx:
        await users.see(tx, user.id, user.name, user.locale)
        await (users.block if on else users.unblock)(tx, user.id, other_id)


# -- vacation ----------------------------------------------------------------------------------


async def vacation(house: House, user: User, until: int | None) -> None:
    """From now until `until` (None: it ends now) the user's clocks stand and no reminders come.

    Written down first and then carried out table by table, so that a crash finishes it later. What is left of
    a vacation that goes on or ends early is given back first. Raises `vacation-spent` (left, year): every
    calendar year has its days.
    """
    now = house.clock.now()
    if until is not None:
        await within_budget(house, user.id, now, until)
    async with house.database.transaction() as tx:
        await vacations.cut(tx, user.id, now)
        if until is not None:
            await vacations.add(tx, user.id, now, until)
        await users.prefer(tx, user.id, user.name, {"away_until": until})
        payload = json.dumps({"until": until})
        await timers.put(tx, VACATION, house.clock.now(), user_id=user.id, payload=payload)
    found = await timers.of_user(house.database.reads, VACATION, user.id)
    await vacation_due(house, found[0])


async def within_budget(house: House, user_id: int, now: int, until: int) -> None:
    """Raises `vacation-spent` where a year of this vacation has too few days left."""
    for year in range(year_of(now), year_of(until - 1) + 1):
        first, end = start_of(year), start_of(year + 1)
        wanted = min(until, end) - max(now, first)
        free = DAYS_A_YEAR * UNITS["d"] - await vacations.spent(
            house.database.reads, user_id, first, end, now
        )
        if wanted > free:
            raise TableError("vacation-spent", left=max(free, 0) // UNITS["d"], year=year, n=DAYS_A_YEAR)


async def days_left(house: House, user_id: int) -> int:
    """Whole days of vacation that a user may still begin this year; those of one that runs are spent."""
    now = house.clock.now()
    first, end = start_of(year_of(now)), start_of(year_of(now) + 1)
    spent = await vacations.spent(house.database.reads, user_id, first, end, None)
    return max(DAYS_A_YEAR * UNITS["d"] - spent, 0) // UNITS["d"]


def year_of(at: int) -> int:
    """The calendar year of a time, ms UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).year


def start_of(year: int) -> int:
    """When a year begins, ms UTC."""
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) * 1000


async def vacation_due(house: House, timer: TimerRow) -> None:
    """Carries out a vacation's beginning or its end at each of the user's tables."""
    until = json.loads(timer.payload)["until"]
    away = until is not None and until > house.clock.now()
    for table_id, _ in await seats_of(house, timer.user_id):
        await set_away(house, table_id, timer.user_id, until if away else None)
    async with house.database.transaction() as tx:
        if away:
            await timers.put(tx, VACATION, until, user_id=timer.user_id, payload=timer.payload)
        else:
            await timers.remove(tx, VACATION, user_id=timer.user_id)
            await users.back(tx, timer.user_id)
    house.queued()


async def set_away(house: House, table_id: int, user_id: int, until: int | None) -> None:
    """Marks the user's seat; who comes back while it is his turn is told, and has his time from now on."""
    async with house.lock(table_id):
        loaded = Loaded(*await house.rows(table_id))
        now = house.clock.now()
        seat = next((s for s in loaded.seats if s.user_id == user_id), None)
        told_before = (seat.away, seat.away_until) if seat is not None else None
        if seat is None or told_before == (until is not None, until) or loaded.row.status != "running":
            return
        back = replace(seat, away=False, away_until=None, acts_since=now if seat.acts else None)
        if until is not None:
            back = replace(seat, away=True, away_until=until)
        after = replace(loaded, seats=tuple(back if s is seat else s for s in loaded.seats))
        after = clocks.rewound(after, now)
        if until is not None:
            told = letters.line(after, "away", seat=seat.seat, until=moment(until, "D"))
        else:
            called = [user_id] if seat.acts and after.row.paused_at is None else []
            told = letters.line(after, "returned", called, seat=seat.seat)
        async with house.revising(after, [told]):
            pass


async def away(house: House, loaded: Loaded) -> Loaded:
    """A table that starts, with those marked who are on vacation."""
    ids = [s.user_id for s in loaded.people if s.user_id is not None]
    known = await users.some(house.database.reads, ids)
    now = house.clock.now()
    until = {n: user.away_until for n, user in known.items() if user.away_until and user.away_until > now}
    seats = (replace(s, away=s.user_id in until, away_until=until.get(s.user_id or 0)) for s in loaded.seats)
    return replace(loaded, seats=tuple(seats))


def away_lines(loaded: Loaded) -> list[Message]:
    """Tells who is away, and until when, as a table starts."""
    return [
        letters.line(loaded, "away", seat=s.seat, until=moment(s.away_until, "D"))
        for s in loaded.seats
        if s.away and s.away_until is not None
    ]


# -- gone ------------------------------------------------------------------------------------------


async def gone(house: House, user_id: int, why: str, guild_id: int | None = None) -> None:
    """A player left the server (`left`) or Discord (`deleted`): told once at each of his tables there.

    He is on no leaderboard there until he is back.
    """
    where = 0 if why == "deleted" else guild_id
    if where is not None and not await users.left(house.database.reads, user_id, where):
        async with house.database.transaction() as tx:
            await users.leave(tx, user_id, where, house.clock.now())
    for table_id, found in await seats_of(house, user_id):
        async with house.lock(table_id):
            loaded = Loaded(*await house.rows(table_id))
            seat = loaded.seats[found.seat]
            elsewhere = why == "left" and loaded.row.guild_id != guild_id
            known = seat.gone is not None and not (seat.gone == "outside" and why == "deleted")
            if elsewhere or seat.user_id != user_id or known:
                continue
            lost = replace(seat, gone=why, gone_since=house.clock.now())
            after = replace(loaded, seats=tuple(lost if s is seat else s for s in loaded.seats))
            told = letters.line(after, f"gone-{why}", seat=seat.seat)
            async with house.revising(after, [told]):
                pass


async def here(house: House, user_id: int, guild_id: int | None = None) -> None:
    """A player who was marked as gone was found: in this server, or (None) on Discord at least.

    Told once at each of his tables there; where he has to act, his reminders begin anew from now.
    """
    reads = house.database.reads
    had_left, absent = await asyncio.gather(  # one trip to the database
        users.left(reads, user_id, guild_id or NO_SERVER), tables.gone_from(reads, user_id)
    )
    if guild_id is not None and had_left:
        async with house.database.transaction() as tx:
            await users.arrive(tx, user_id, guild_id)
    for table_id in absent:
        async with house.lock(table_id):
            loaded, now = Loaded(*await house.rows(table_id)), house.clock.now()
            seat = next((s for s in loaded.seats if s.user_id == user_id), None)
            if seat is None or seat.gone is None or loaded.row.status != "running":
                continue
            if seat.gone in ("left", "outside") and loaded.row.guild_id != guild_id:
                continue
            back = replace(seat, gone=None, gone_since=None)
            after = replace(loaded, seats=tuple(back if s is seat else s for s in loaded.seats))
            told = [letters.line(after, "returned", seat=seat.seat)]
            if after.row.private:  # who left the server is in none of its threads
                told.insert(0, letters.at_table(after, "players", left=None))
            async with house.revising(after, told) as tx:
                if reminders.reminded(after, back):  # not at once, as its turn began long ago
                    await reminders.begin(tx, table_id, user_id, seat.acts_since or 0, now)


# -- servers ------------------------------------------------------------------------------------------


async def removed(house: House, guild_id: int) -> None:
    """The bot was removed from a server: its tables wait."""
    async with house.database.transaction() as tx:
        await guilds.set_left(tx, guild_id, house.clock.now())


async def is_removed(house: House, guild_id: int | None) -> bool:
    """Whether the bot is not in this server any more."""
    return await guilds.removed(house.database.reads, guild_id)


async def invited_back(house: House, guild_id: int) -> None:
    """The bot is in a server again: each running table's board is posted anew, once."""
    async with house.lock(-guild_id):  # one at a time for each server
        if await is_removed(house, guild_id):
            await shown_again(house, guild_id)


async def shown_again(house: House, guild_id: int) -> None:
    """A line and the board at each of its running tables; the caller holds the server's lock.

    Nobody could act there: clocks and turns go on as they stood when the bot was removed.
    """
    left_at = (await guilds.get(house.database.reads, guild_id)).left_at
    rows = await tables.some(
        house.database.reads, "t.guild_id = ? AND t.status = 'running'", (guild_id,), MOST_RUNNING
    )
    for row in rows:
        await given_time_back(house, row.id, left_at or house.clock.now())
    boards = []
    for row in rows[:MOST_TABLES]:
        try:
            loaded = await house.look(row.id)
        except TableError as error:
            log.warning("table %s has no board to be posted: %s", row.id, error.code)
            continue
        boards += [letters.line(loaded, "back"), letters.board_again(loaded)]
    async with house.database.transaction() as tx:
        await guilds.set_left(tx, guild_id, None)
        await house.post(tx, boards)
    house.queued()


async def given_time_back(house: House, table_id: int, since: int) -> None:
    """What ran at a table runs on as if the time since then had not been; twice, it gives more, not less."""
    async with house.lock(table_id):
        loaded, now = Loaded(*await house.rows(table_id)), house.clock.now()
        if loaded.row.status != "running":
            return

        def later(at: int | None) -> int | None:
            return None if at is None else at + now - max(at, since)

        seats = tuple(
            replace(s, ticks_since=later(s.ticks_since), acts_since=later(s.acts_since)) for s in loaded.seats
        )
        async with house.revising(replace(loaded, seats=seats), []):
            pass
