"""What may be wrong in a database, and what of it can be mended. No record of a game is thrown away."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Set
from contextlib import suppress

from db.repositories import meta, tables, timers
from db.rows import Message
from db.upkeep import columns, repairs
from db.upkeep.columns import Damage
from tables.core import clocks, letters
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded, committed
from tables.lobby import seating
from tables.reading import results
from tables.repair import mending
from tables.repair.mending import Fault
from tables.time import reminders
from tables.timing import WORK

FAR_MS = 2 * 3600 * 1000  # no post waits for longer: the clock went back
TIMER_FAR_MS = 400 * 24 * 3600 * 1000  # nor any timer for more than a year
MOST = 1000  # faults of a kind
RESTORED = "restored"  # what a restore has left to do: ended tables, and the last one that was told
# what SQLite says of the file that is about single rows
OF_ROWS = re.compile(
    r"(?:NULL|NUMERIC|TEXT) value in (?P<table>\w+)\.|CHECK constraint failed in (?P<checked>\w+)"
)


async def examine(house: House) -> list[Fault]:
    """Every fault: the file, every row, every running table, what waits to be sent or done."""
    said = await house.database.integrity()
    if any(OF_ROWS.match(fault) is None for fault in said):
        return [Fault(f"{fault} (restore a backup)") for fault in said]
    damage = await columns.damaged(house.database.reads)
    named = {one.table for one in damage}
    found = [
        Fault(f"{fault} (restore a backup)")
        for fault in said
        if (match := OF_ROWS.match(fault)) and (match["table"] or match["checked"]) not in named
    ]
    found += await of_rows(house, damage)
    hurt = {one.number for one in damage}
    after = 0
    while numbers := await tables.running(house.database.reads, after):
        for number in numbers:
            if number not in hurt:
                found += await mending.of_table(house, number)
        after = numbers[-1]
    found += await of_others_aside(house, {one.number for one in damage if one.vital})
    return found + await of_outbox(house) + await of_timers(house)


# -- rows ------------------------------------------------------------------------------------------


async def of_rows(house: House, damage: list[Damage]) -> list[Fault]:
    """Rows that hold what they may not; those of a table that was set aside for them are known."""
    found = []
    for one in damage:
        row = None if one.number is None else await tables.get(house.database.reads, one.number)
        vital = one.vital and row is not None
        if vital and row is not None and row.aside_at is not None:
            if row.status != "cancelled":
                found.append(known(one, row.aside_at))
            continue
        found.append(await of_row(house, one, vital=vital, there=row is not None))
    return found


def known(damage: Damage, aside_at: int) -> Fault:
    """What a table was set aside for."""
    why = f"set aside since {mending.stamp(aside_at)}: {damage.text}"
    return Fault(f"table {damage.number}: {why}. `/admin end` ends it", aside=True)


async def of_row(house: House, damage: Damage, *, vital: bool, there: bool) -> Fault:
    """A row with what would be done about it; `there` where it belongs to a table of a game."""
    values = None if vital else await columns.plan(house.database.reads, damage)
    of_log = damage.table == "snapshots" and there  # written anew

    async def mend() -> str:
        if not vital:
            async with house.database.transaction() as tx:  # a snapshot goes: the log makes another
                await columns.set_right(tx, damage, None if of_log else values, house.clock.now())
        if damage.table in ("timers", "users"):
            await rearm(house)
        if damage.number is None or not there:
            return f"{damage.text}: done"
        house.trust(damage.number)
        return f"{damage.text}: {await mending.mended(house, damage.number)}"

    if vital:
        plan = f"table {damage.number} is set aside with its record"
    elif of_log:
        plan = "it is worked out anew from the log"
    elif values is None:
        plan = "the row is removed (the copy made before keeps it)"
    else:
        plan = "; ".join(f"{name} becomes {value}" for name, value in values.items())
    return Fault(damage.text, mend, plan)


async def rearm(house: House) -> None:
    """Sets again the timers of running tables that are missing."""
    now, after = house.clock.now(), 0
    async with house.database.transaction() as tx:
        await timers.rouse_all(tx, reminders.REMIND, now, reminders.DEFAULT_HOURS, reminders.MOST)
        while numbers := await tables.running(tx, after):
            for number in numbers:
                await clocks.arm(tx, Loaded(*await house.stored_rows(number)))
            after = numbers[-1]


# -- tables that were set aside ------------------------------------------------------------------


async def of_others_aside(house: House, hurt: Set[int | None]) -> list[Fault]:
    """Tables that were set aside before they started, or when they were over already; not those of `hurt`,
    whose rows say why.
    """
    found: list[Fault] = []
    for row in await tables.some(
        house.database.reads, "t.aside_at IS NOT NULL AND t.status IN ('open', 'over')", (), MOST
    ):
        if row.id not in hurt:
            work = mending.of_lobby if row.started_at is None else mending.of_table
            found += await work(house, row.id)
    return found


async def look_again(house: House) -> None:
    """At a start: tables that were set aside go on where this program can read them."""
    for table_id in await tables.aside(house.database.reads):
        with suppress(TableError):  # it stays aside, as it was told
            await house.look(table_id)


async def restored(house: House) -> None:
    """After a backup was put in place: results of games that had ended since, then a line and the board at
    every running table, or the lobby anew; each once, however often it is killed.
    """
    todo = await meta.get(house.database.reads, RESTORED)
    if todo is None:
        return
    left = json.loads(todo)
    if left["ended"]:
        over = [Loaded(*await house.stored_rows(number)) for number in left["ended"]]
        async with house.database.transaction() as tx:
            for loaded in over:
                await results.arm(tx, loaded)
            await meta.put(tx, RESTORED, json.dumps({**left, "ended": []}))
    after, last = left["after"], await tables.newest(house.database.reads)
    while numbers := await tables.live(house.database.reads, after, last):
        after = numbers[-1]
        messages = [one for number in numbers for one in await shown_again(house, number)]
        async with house.database.transaction() as tx:
            await house.post(tx, messages)
            await meta.put(tx, RESTORED, json.dumps({"ended": [], "after": after}))
    async with house.database.transaction() as tx:
        await meta.drop(tx, RESTORED)
    house.queued()


async def shown_again(house: House, table_id: int) -> list[Message]:
    """What is posted at one table; nothing where it is out of order."""
    try:
        loaded = await house.look(table_id)
    except TableError:
        return []
    told = committed(loaded.row)
    if loaded.row.status == "open":
        return [letters.lobby(loaded), letters.line(loaded, "restored-lobby", commitment=told)]
    return [letters.line(loaded, "restored", commitment=told), letters.board_again(loaded)]


# -- what waits ------------------------------------------------------------------------------------


async def of_outbox(house: House) -> list[Fault]:
    """Posts that cannot be sent as they are, and posts that wait for a time that is too far away."""
    now = house.clock.now()
    rows = await repairs.unsendable(house.database.reads, now + FAR_MS, MOST)

    def mend(row_id: int, far: bool) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            async with house.database.transaction() as tx:
                if far:
                    await repairs.hurry(tx, row_id, now)
                    return f"post {row_id}: is sent at once"
                await repairs.give_up(tx, row_id, now)
                return f"post {row_id}: given up"

        return work

    return [
        Fault(
            f"post {row.id}: {row.why}", mend(row.id, far), "it is sent at once" if far else "it is given up"
        )
        for row in rows
        for far in (row.why == repairs.FAR,)
    ]


async def of_timers(house: House) -> list[Fault]:
    """Timers of unknown kinds, of tables that are not there or over, too far away; lobbies without one."""
    now, reads = house.clock.now(), house.database.reads
    wrong = await repairs.senseless_timers(reads, sorted(WORK), now + TIMER_FAR_MS, MOST)
    bare = await repairs.lobbies_without(reads, seating.LOBBY, MOST)

    def remove(timer_id: int) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            async with house.database.transaction() as tx:
                await repairs.remove_timer(tx, timer_id)
            return f"timer {timer_id}: removed"

        return work

    def arm(table_id: int) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            async with house.database.transaction() as tx:
                await timers.put(tx, seating.LOBBY, now + seating.OPEN_MS, table_id=table_id)
            return f"table {table_id}: closes in a week if it does not start"

        return work

    found = [Fault(f"timer {row.id}: {row.why}", remove(row.id), "it is removed") for row in wrong]
    return found + [
        Fault(f"table {number}: is open and will never close", arm(number), "it closes in a week")
        for number in bare
    ]
