"""What is due: each kind of timer with the one that does its work and then removes it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from db.errors import DatabaseError
from db.fitting import REARM
from db.repositories import meta, timers
from db.rows import TimerRow
from tables import privacy
from tables.core import clocks
from tables.core.elsewhere import DIGEST
from tables.core.errors import TableError
from tables.core.house import House
from tables.lobby import seating
from tables.seats import handover
from tables.time import absences, digests, reminders

log = logging.getLogger("hatamoto.timers")
AGAIN_MS = 3600 * 1000  # until a table that is out of order is looked at again

Work = Callable[[House, TimerRow], Awaitable[None]]


async def clock_due(house: House, timer: TimerRow) -> None:
    """Somebody's clock ran out."""
    await handover.clock_due(house, timer.table_id)


ALONE = 0  # no table's number: the lock of what is due
WORK: dict[str, Work] = {
    seating.LOBBY: seating.lobby_due,
    reminders.REMIND: reminders.due,
    clocks.CLOCK: clock_due,
    absences.VACATION: absences.vacation_due,
    privacy.FORGET: privacy.forget_due,
    DIGEST: digests.digest_due,
}


async def run_due(house: House) -> None:
    """Does all that is due, the earliest first; once, whoever else asks. A crash repeats the rest.

    Nothing is due while nobody can act anywhere.
    """
    if house.unheard():
        return
    async with house.lock(ALONE):  # a post of the first work at a start already asks for the next
        await all_due(house)


async def all_due(house: House) -> None:
    """One timer after another; the caller holds the lock."""
    now = house.clock.now()
    while found := await timers.due(house.database.reads, now, most=1):
        timer = found[0]
        if timer.damaged:
            log.error("timer %s cannot be read (%s): it goes", timer.id, ", ".join(timer.damaged))
            async with house.database.transaction() as tx:
                await timers.discard(tx, timer.id)
                await meta.put(tx, REARM, "")
            continue
        try:
            await WORK[timer.kind](house, timer)
        except TableError as error:
            log.warning("timer %s of table %s waits: %s", timer.kind, timer.table_id, error.code)
        except DatabaseError:
            raise
        except Exception:  # a fault of ours at one table must not stop the others' timers
            log.exception("timer %s of table %s failed", timer.kind, timer.table_id)
        if await still_due(house, timer):  # refused, or nothing was to be done
            async with house.database.transaction() as tx:
                await timers.put_off(tx, timer.id, now + AGAIN_MS)


async def still_due(house: House, timer: TimerRow) -> bool:
    """Whether a timer stands as it did before its work."""
    rows = await timers.due(house.database.reads, timer.due_at)
    return any(row.id == timer.id and row.due_at == timer.due_at for row in rows)
