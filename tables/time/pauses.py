"""What all at a table may agree on about time: pauses, another clock, more time for one of them.

Anybody may end a pause. Nobody has a say in what they would get themselves: time that somebody else gives
them wants the consent of the rest alone.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from db.database import Transaction
from db.repositories import votes
from db.rows import Message, VoteRow
from engines.protocol import Json, Seat
from tables.core import clocks, letters
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.model import Table, Vote
from tables.core.moments import moment
from tables.core.options import UNITS, read_clock, read_span
from tables.play.acting import playing, seal
from tables.play.consent import alone, answered, ask, carried, others

MOST_GIVEN = 30 * UNITS["d"]  # at once


async def pause(house: House, table_id: int, user_id: int, interaction_id: int) -> Table | Vote:
    """Stops clocks and reminders by consent, or lets them run again at once where they stand."""
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return await answered(house, loaded, done)
        seat = playing(loaded, user_id)
        if loaded.row.paused_at is not None:
            return await resume(house, loaded, seat, interaction_id)
        if not alone(loaded, seat):
            return await ask(house, loaded, "pause", seat, interaction_id)
        after = stopped(loaded, house.clock.now())
        async with house.revising(after, [letters.line(after, "paused", by=seat)], interaction_id):
            pass
        return after.table()


def stopped(loaded: Loaded, now: int) -> Loaded:
    """The table with every clock standing."""
    return clocks.rewound(loaded.updated(paused_at=now), now)


async def resume(house: House, loaded: Loaded, seat: Seat, interaction_id: int) -> Table:
    """The turn goes on; it counts from now, and who has to act is told."""
    now = house.clock.now()
    running = replace(loaded, seats=tuple(resumed(s, now) for s in loaded.seats))
    after = clocks.rewound(running.updated(paused_at=None), now)
    mention = [s.user_id for s in after.people if s.acts and s.seat != seat and s.user_id is not None]
    async with house.revising(after, [letters.line(after, "resumed", mention, by=seat)], interaction_id):
        pass
    return after.table()


def resumed(seat: Any, now: int) -> Any:
    """A seat whose turn counts from now."""
    return replace(seat, acts_since=now) if seat.acts else seat


@carried("pause")
async def paused(house: House, loaded: Loaded, row: VoteRow, voter: Seat, interaction_id: int) -> Loaded:
    """All agreed to a pause."""
    now = house.clock.now()
    after = stopped(loaded, now)
    told = letters.line(after, "paused", by=row.by_seat)
    async with house.revising(after, [told], interaction_id, vote=row.id) as tx:
        await seal(tx, row, voter, now)
    return after


async def change_clock(
    house: House, table_id: int, user_id: int, words: str, interaction_id: int
) -> Table | Vote:
    """Another clock by consent: `slow`, or `clock=custom bank=7d`. Everybody begins with a full bank.

    Raises what `options.read_clock` does.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return await answered(house, loaded, done)
        seat = playing(loaded, user_id)
        options = read_clock(loaded.row.game, words).model_dump(mode="json", exclude_unset=True)
        about: dict[str, Any] = {
            "clock": options,
            "words": " ".join(f"{key}={value}" for key, value in options.items()),
        }
        if not alone(loaded, seat):
            return await ask(house, loaded, "clock", seat, interaction_id, about=about)
        after = with_clock(loaded, options, house.clock.now())
        told = letters.line(after, "clock-changed", words=about["words"], clock=about["clock"])
        async with house.revising(after, [told], interaction_id) as tx:
            await clocks.disarm(tx, loaded)
            await settled(house, tx, loaded)
        return after.table()


def with_clock(loaded: Loaded, options: dict[str, Any], now: int) -> Loaded:
    """The table with this clock in place of its own."""
    known = json.loads(loaded.row.table_options)
    rest = {name: value for name, value in known.items() if name not in clocks.OPTIONS}
    changed = loaded.updated(table_options=json.dumps({**rest, **options}))
    return clocks.rewound(changed, now, anew=True)


@carried("clock")
async def clock_agreed(
    house: House, loaded: Loaded, row: VoteRow, voter: Seat, interaction_id: int
) -> Loaded:
    """All agreed to another clock."""
    about, now = json.loads(row.payload), house.clock.now()
    after = with_clock(loaded, about["clock"], now)
    told = letters.line(after, "clock-changed", words=about["words"], clock=about["clock"])
    async with house.revising(after, [told], interaction_id, vote=row.id) as tx:
        await seal(tx, row, voter, now)
        await clocks.disarm(tx, loaded)
        await settled(house, tx, loaded)
    return after


async def more_time(  # noqa: PLR0917 - who asks, for whom, for how much
    house: House,
    table_id: int,
    user_id: int,
    seat: Seat | None,
    span: str,
    interaction_id: int,
    *,
    late: bool = False,
) -> Table | Vote:
    """More time on one seat's clock (None: the user's own), if the others agree; the other clocks stay.

    late  only while that clock has run out: the button stays where it is, and is soon pressed twice

    Raises `bad-seat`, `no-clock`, `no-clock-there` where the bot plays, `bad-span`, `much-time`; and where it
    has to be `late` and is not, `not-absent` (until) and `not-waiting`.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return await answered(house, loaded, done)
        by = playing(loaded, user_id)
        to = by if seat is None else seat
        if not 0 <= to < len(loaded.seats):
            raise loaded.refusal("bad-seat", seat=to)
        ms = read_span(loaded.row.game, span)
        if clocks.pace(loaded.row) is None:
            raise loaded.refusal("no-clock")
        if loaded.seats[to].bank is None:
            raise loaded.refusal("no-clock-there")
        if ms > MOST_GIVEN:
            raise loaded.refusal("much-time", n=MOST_GIVEN // UNITS["d"])
        if late and not clocks.is_out(loaded.seats[to], house.clock.now()):
            until = clocks.runs_out(loaded.seats[to])
            if until is None:
                raise loaded.refusal("not-waiting", seat=to)
            raise loaded.refusal("not-absent", seat=to, until=moment(until))
        if alone(loaded, by) or not [other for other in others(loaded, by) if other != to]:
            after, told = with_more(loaded, by, to, ms, house.clock.now())
            async with house.revising(after, [told], interaction_id) as tx:
                await settled(house, tx, loaded, to)
            return after.table()
        about: dict[str, Json] = {"to": to, "span": ms, **({} if to == by else {"seat": to})}
        return await ask(house, loaded, "time", by, interaction_id, about=about)


async def settled(house: House, tx: Transaction, loaded: Loaded, seat: Seat | None = None) -> None:
    """Questions about more time that have their answer, for one seat or for all: nobody gets it twice."""
    for vote in loaded.votes:
        if vote.kind == "time" and seat in (None, json.loads(vote.payload)["to"]):
            await votes.end(tx, vote.id, "lapsed", house.clock.now())


def with_more(loaded: Loaded, by: Seat, seat: Seat, ms: int, now: int) -> tuple[Loaded, Message]:
    """The table with so much more on one clock, and what is told of it; who had run out is in time again."""
    rows = tuple(clocks.given(row, ms, now) if row.seat == seat else row for row in loaded.seats)
    after = replace(loaded, seats=rows)
    user = rows[seat].user_id
    return after, letters.line(after, "time-given", [user] if user else [], by=by, seat=seat, span=ms)


@carried("time")
async def time_agreed(house: House, loaded: Loaded, row: VoteRow, voter: Seat, interaction_id: int) -> Loaded:
    """All agreed to more time for one."""
    about, now = json.loads(row.payload), house.clock.now()
    after, told = with_more(loaded, row.by_seat, about["to"], about["span"], now)
    async with house.revising(after, [told], interaction_id, vote=row.id) as tx:
        await seal(tx, row, voter, now)
    return after
