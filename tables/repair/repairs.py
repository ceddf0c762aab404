"""What may be wrong in a database, and what of it can be mended. No record of a game is thrown away."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Set
from contextlib import suppress

from db.fitting import OF_ROWS, REARM, Misfit, settle
from db.repositories import meta, tables, timers
from db.rows import Message
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

TIMER_FAR_MS = 400 * 24 * 3600 * 1000  # no timer waits for more than a year: the clock went back
MOST = 1000  # faults of a kind
RESTORED = "restored"  # what a restore has left to do: ended tables, and the last one that was told


async def examine(house: House) -> list[Fault]:
    """Every fault: the file, every row, every running table, what waits to be done."""
    said = await house.database.integrity()
    if any(OF_ROWS.match(fault) is None for fault in said):
        return [Fault(f"{fault} (restore a backup)") for fault in said]
    misfits = await house.database.misfits()
    found = [of_row(house, misfit) for misfit in misfits]
    hurt = {misfit.number for misfit in misfits}
    after = 0
    while numbers := await tables.running(house.database.reads, after):
        for number in numbers:
            if number not in hurt:
                found += await mending.of_table(house, number)
        after = numbers[-1]
    return found + await of_others_aside(house, hurt) + await of_timers(house)


# -- rows ------------------------------------------------------------------------------------------


def of_row(house: House, misfit: Misfit) -> Fault:
    """A row with what would be done about it."""

    async def mend() -> str:
        async with house.database.transaction() as tx:
            for sql, params in settle(misfit):
                tx.put(sql, params)
        await rearm(house)
        number = misfit.number
        if number is None or await tables.get(house.database.reads, number) is None:
            return f"{misfit.text}: done"
        house.trust(number)
        return f"{misfit.text}: {await mending.mended(house, number)}"

    return Fault(misfit.text, mend, misfit.plan)


async def rearm(house: House) -> None:
    """Sets again the timers of open and running tables that are missing, where some were lost."""
    if await meta.get(house.database.reads, REARM) is None:
        return
    now, after = house.clock.now(), 0
    bare = await timers.lobbies_without(house.database.reads, seating.LOBBY)
    async with house.database.transaction() as tx:
        for number in bare:
            await timers.put(tx, seating.LOBBY, now + seating.OPEN_MS, table_id=number)
        await timers.rouse_all(tx, reminders.REMIND, now, reminders.DEFAULT_HOURS, reminders.MOST)
        while numbers := await tables.running(tx, after):
            for number in numbers:
                await clocks.arm(tx, Loaded(*await house.stored_rows(number, tx)))
            after = numbers[-1]
        await meta.drop(tx, REARM)


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
    """At a start: tables that were set aside go on where this program can read them; lost timers are set."""
    await rearm(house)
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


async def of_timers(house: House) -> list[Fault]:
    """Timers of unknown kinds, of tables that are not there, too far away; lobbies without one."""
    now, reads = house.clock.now(), house.database.reads
    wrong = await timers.senseless(reads, sorted(WORK), now + TIMER_FAR_MS, MOST)
    bare = await timers.lobbies_without(reads, seating.LOBBY, MOST)

    def remove(timer_id: int) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            async with house.database.transaction() as tx:
                await timers.discard(tx, timer_id)
            return f"timer {timer_id}: removed"

        return work

    def arm(table_id: int) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            async with house.database.transaction() as tx:
                await timers.put(tx, seating.LOBBY, now + seating.OPEN_MS, table_id=table_id)
            return f"table {table_id}: closes in a week if it does not start"

        return work

    found = [Fault(f"timer {number}: {why}", remove(number), "it is removed") for number, why in wrong]
    return found + [
        Fault(f"table {number}: is open and will never close", arm(number), "it closes in a week")
        for number in bare
    ]
