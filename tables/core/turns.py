"""What a new state means for a table's rows: who acts since when, which buttons are stale, is it over."""

from __future__ import annotations

import json
from dataclasses import replace

from db.rows import SeatRow, changed
from engines.protocol import Event, Result, Seat, State
from tables.core import clocks
from tables.core.insight import Insight
from tables.core.loaded import Loaded


def advanced(
    before: Loaded,
    state: State,
    events: tuple[Event, ...],
    now: int,
    *,
    actor: Seat | None,
    entries: int,
    undone: clocks.Undone | None = None,
) -> Loaded:
    """The table after an entry, an undo or its start. The version grows by one.

    actor    whose buttons are stale in any case, because what he chose is done
    entries  ever written to the log by then
    undone   what an undo takes back of the clocks: then no turn is done
    """
    rules, version, rate = before.engine, before.row.version + 1, clocks.pace(before.row)
    result: Result | None = rules.result(state)
    insight = Insight(before.row.game, state)
    to_act = frozenset() if result else insight.acting
    seats = tuple(
        timed(
            clocks.wound(seat, before.row, rate, now, acts=seat.seat in to_act, acted=seat.seat == actor)
            if undone is None
            else clocks.unwound(seat, before.row, rate, now, acts=seat.seat in to_act, undone=undone),
            seat_after(seat, insight, now, version, acts=seat.seat in to_act, acted=seat.seat == actor),
            None if undone is not None else now,
        )
        for seat in before.seats
    )
    passed = to_act != before.to_act
    row = changed(
        before.row,
        version=version,
        entries=entries,
        to_act=json.dumps(sorted(to_act)),
        turn_since=None if not to_act else now if passed else before.row.turn_since,
        status="over" if result else "running",
        result=None if result is None else json.dumps(result.model_dump(mode="json")),
        ended_at=now if result else None,
    )
    return Loaded(row, seats, state, events, aids=before.aids, insight=insight)


def at_position(loaded: Loaded, position: tuple[State, tuple[Event, ...]], now: int) -> Loaded:
    """The table at a position that was worked out anew; where others act there, its rows say so."""
    state, events = position
    whole = replace(loaded, state=state, events=events)
    if loaded.row.status != "running" or whole.insight.acting == loaded.to_act:
        return whole
    return rebuilt(whole, now)


def rebuilt(loaded: Loaded, now: int) -> Loaded:
    """With rows as they follow from its position; every button from before is stale."""
    version, acts = loaded.row.version + 1, loaded.insight.acting
    seats = tuple(
        replace(
            seat,
            acts=seat.seat in acts,
            acts_since=(seat.acts_since or now) if seat.seat in acts else None,
            choice_version=version,
        )
        for seat in loaded.seats
    )
    row = replace(loaded.row, to_act=json.dumps(sorted(acts)), version=version)
    return replace(loaded, row=row, seats=seats)


def seat_after(
    seat: SeatRow, insight: Insight, now: int, version: int, *, acts: bool, acted: bool
) -> SeatRow:
    """A seat's row after the change."""
    since = None if not acts else seat.acts_since if seat.acts else now
    if seat.user_id is None:
        return changed(seat, acts=acts, acts_since=since)
    mark = insight.mark(seat.seat)
    stale = acted or mark != seat.choice_mark
    return changed(
        seat,
        acts=acts,
        acts_since=since,
        choice_mark=mark,
        choice_version=version if stale else seat.choice_version,
        gone=None if acted else seat.gone,  # who acts is back
        gone_since=None if acted else seat.gone_since,
    )


def timed(clock: SeatRow, seat: SeatRow, now: int | None) -> SeatRow:
    """A seat's row with its clock, and its turn counted where it is done; `now` is None for an undo."""
    read = seat
    if (clock.bank, clock.ticks_since, clock.flagged) != (seat.bank, seat.ticks_since, seat.flagged):
        read = changed(seat, bank=clock.bank, ticks_since=clock.ticks_since, flagged=clock.flagged)
    if now is not None and clock.acts and not seat.acts and clock.acts_since is not None:
        thought = seat.thought_ms + max(now - clock.acts_since, 0)  # the machine's clock may be set back
        return changed(read, turns=seat.turns + 1, thought_ms=thought)
    return read


def ended(before: Loaded, status: str, reason: str, now: int, winners: tuple[Seat, ...] = ()) -> Loaded:
    """The table ended by its players or a moderator: `draw`, `cancelled`; nobody won unless `claimed`."""
    result = {"winners": list(winners), "scores": [], "reason": reason}
    started = before.row.started_at is not None
    row = replace(
        before.row,
        version=before.row.version + 1,
        status=status,
        to_act="[]",
        turn_since=None,
        result=json.dumps(result) if started else None,
        ended_at=now,
    )
    seats = tuple(
        replace(seat, acts=False, acts_since=None, choice_version=row.version, ticks_since=None)
        for seat in before.seats
    )
    return replace(before, row=row, seats=seats, events=())


def passes(before: Loaded, after: Loaded) -> bool:
    """Whether somebody who was not to act has to act now: then the turn passed."""
    return not after.to_act <= before.to_act
