"""A table's clock: what each seat has left, when it runs, and what its end does."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from db.database import Transaction
from db.repositories import timers
from db.rows import SeatRow, TableRow, changed
from tables.core.loaded import Loaded
from tables.core.options import UNITS, ClockOptions, TableOptions, span

OPTIONS = frozenset(ClockOptions.model_fields)  # of a table, that make its clock
CLOCK = "clock"  # its timer: the first seat that runs out
DAY, HOUR = UNITS["d"], UNITS["h"]


class Pace(NamedTuple):
    """Times in ms; `loses` where running out loses at once."""

    bank: int
    increment: int
    cap: int
    loses: bool


class Undone(NamedTuple):
    """What an undo takes back of the clocks: ms by seat, and since when who undoes alone has thought on."""

    seat: int
    fed: dict[int, int]
    since: int | None = None


NAMED = {"slow": (14 * DAY, 1 * DAY, 14 * DAY), "fast": (3 * DAY, 12 * HOUR, 3 * DAY)}


def pace(row: TableRow) -> Pace | None:
    """The table's clock, or None where it has none."""
    return read(row.table_options)


@lru_cache(maxsize=512)
def read(table_options: str) -> Pace | None:
    """The clock of a table's options (JSON)."""
    options = TableOptions.model_validate_json(table_options)
    if options.clock == "none":
        return None
    own = span(options.bank), span(options.increment), span(options.cap)
    return Pace(*NAMED.get(options.clock, own), loses=options.timeout == "lose")


def running(seat: SeatRow, row: TableRow, acts: bool) -> bool:
    """Whether a seat's clock runs: it stands while the table is paused or barred, or the player away."""
    return acts and not seat.away and row.paused_at is None and row.barred_at is None


def wound(
    seat: SeatRow, row: TableRow, rate: Pace | None, now: int, *, acts: bool, acted: bool = False
) -> SeatRow:
    """The seat's clock as it is once the seat acts or not: read, fed where its turn is done, running or not.

    Who `acted` and goes on with a turn has at least the increment left: they are there. Who had nothing to
    decide has done no turn.

    It stands while the table is paused or barred, or the player is away.
    """
    if rate is None or seat.user_id is None:
        stands = seat.bank is None and seat.ticks_since is None and not seat.flagged
        return seat if stands else changed(seat, bank=None, ticks_since=None, flagged=False)
    runs = running(seat, row, acts)
    if runs and seat.acts and not acted and is_out(seat, now):
        return seat  # the moment at which it ran out stays known
    bank = rate.bank if seat.bank is None else left(seat, now)
    if seat.acts and not acts:
        bank = min(bank + rate.increment, max(rate.cap, bank))
    elif acted and seat.acts:
        bank = max(bank, rate.increment)
    return changed(
        seat, bank=bank, ticks_since=now if runs else None, flagged=seat.flagged and acts and bank == 0
    )


def fed(before: Loaded, after: Loaded, now: int) -> str | None:
    """What an action brought the clocks, by seat, as JSON; None where it brought nothing."""
    gains = {
        str(new.seat): gain
        for old, new in zip(before.seats, after.seats, strict=True)
        if old.bank is not None and new.bank is not None and (gain := new.bank - left(old, now)) > 0
    }
    return json.dumps(gains) if gains else None


def unwound(
    seat: SeatRow, row: TableRow, rate: Pace | None, now: int, *, acts: bool, undone: Undone
) -> SeatRow:
    """The seat's clock as it is where actions are taken back: without what those brought it.

    No turn is done by an undo, so it brings nothing. Who takes a choice back alone that stopped the clock has
    thought all along (`undone.since`), but has as much as a turn brings, if it was there.
    """
    if rate is None or seat.user_id is None:
        return wound(seat, row, rate, now, acts=acts)
    runs = running(seat, row, acts)
    if runs and seat.seat != undone.seat and not undone.fed.get(seat.seat) and is_out(seat, now):
        return seat  # the moment at which it ran out stays known
    bank = rate.bank if seat.bank is None else left(seat, now)
    bank = max(bank - undone.fed.get(seat.seat, 0), 0)
    if undone.since is not None and seat.seat == undone.seat and seat.ticks_since is None and runs:
        bank = min(bank, max(bank - max(now - undone.since, 0), rate.increment))
    return replace(
        seat, bank=bank, ticks_since=now if runs else None, flagged=seat.flagged and acts and bank == 0
    )


def given(seat: SeatRow, ms: int, now: int) -> SeatRow:
    """A seat's clock with so much more on it, whatever its cap; from nothing where it had run out."""
    ticks = None if seat.ticks_since is None else now
    return replace(seat, bank=left(seat, now) + ms, ticks_since=ticks, flagged=False)


def left(seat: SeatRow, now: int) -> int:
    """What a seat's clock shows, ms."""
    spent = 0 if seat.ticks_since is None else max(now - seat.ticks_since, 0)  # the machine's may be set back
    return max((seat.bank or 0) - spent, 0)


def runs_out(seat: SeatRow) -> int | None:
    """When a seat's clock runs out, ms UTC; None while it stands."""
    if seat.bank is None or seat.ticks_since is None:
        return None
    return seat.ticks_since + seat.bank


def is_out(seat: SeatRow, now: int) -> bool:
    """Whether a seat that has to act has no time left."""
    end = runs_out(seat)
    return seat.acts and end is not None and end <= now


def first_out(seats: Iterable[SeatRow], now: int) -> list[SeatRow]:
    """Of the seats that have no time left those that ran out first, all at the same moment."""
    out = [(end, seat) for seat in seats if is_out(seat, now) and (end := runs_out(seat)) is not None]
    first = min((end for end, _ in out), default=None)
    return [seat for end, seat in out if end == first]


def rewound(loaded: Loaded, now: int, *, anew: bool = False) -> Loaded:
    """The table with its clocks read and running or standing as its rows say now; `anew` from full banks."""
    rate = pace(loaded.row)
    seats = (replace(s, bank=None, ticks_since=None, flagged=False) if anew else s for s in loaded.seats)
    return replace(loaded, seats=tuple(wound(seat, loaded.row, rate, now, acts=seat.acts) for seat in seats))


def returned(loaded: Loaded, now: int) -> Loaded:
    """A table that was set aside goes on: the time until now counts for nobody."""
    since = loaded.row.aside_at or now
    seats = (replace(seat, acts_since=now) if seat.acts else seat for seat in loaded.seats)
    found = (
        replace(seat, bank=left(seat, max(since, seat.ticks_since)), ticks_since=now)
        if seat.ticks_since is not None
        else seat
        for seat in seats
    )
    return replace(loaded.updated(aside_at=None), seats=tuple(found))


async def arm(tx: Transaction, after: Loaded) -> None:
    """Sets the table's clock timer to the first seat that runs out and was not told of yet."""
    ends = [end for seat in after.seats if not seat.flagged and (end := runs_out(seat)) is not None]
    if ends and after.row.status == "running":
        await timers.put(tx, CLOCK, min(ends), table_id=after.row.id)
    elif pace(after.row) is not None:
        await timers.remove(tx, CLOCK, table_id=after.row.id)


async def disarm(tx: Transaction, loaded: Loaded) -> None:
    """Takes the timer of a clock away that is changed for another, or for none; `arm` sets a new one."""
    await timers.remove(tx, CLOCK, table_id=loaded.row.id)
