"""Whether a table's position is where its log leads. What is found names no secret: codes and numbers."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from db.rows import ActionRow, SnapshotRow
from engines import record
from engines.chance import commitment
from engines.protocol import Event, RulesError, State, Step
from tables.core.loaded import EVENTS, Loaded, as_told, record_of

# what the rules and the models stumble over when a record or a position was damaged
STUMBLES = (RulesError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)


Position = tuple[State, tuple[Event, ...]]  # a state, and the events of the entry that led to it


class Found(NamedTuple):
    """What is wrong with a table, and where its log leads; `end` None where it leads nowhere.

    A snapshot that cannot be used is nothing wrong: it is a cache of the log.
    """

    wrong: list[str]
    end: Position | None


def earlier(loaded: Loaded, log: list[Any]) -> Position:
    """The state after these entries, and what the last of them brought about."""
    whole = record_of(loaded, log)
    end = record.start(whole)
    for ply in record.plies(whole, end):
        end = Step(ply.state, ply.events)
    return end.state, end.events


def reseeded(log: list[ActionRow]) -> bytes | None:
    """The seed that is drawn from since the last undo of a game's end; None without one."""
    return next((entry.seed for entry in reversed(log) if entry.seed is not None), None)


def stuck(error: Exception) -> str:
    """Where a replay stopped and the code of what stopped it: its other parameters may name a secret."""
    if not isinstance(error, RulesError):
        return type(error).__name__
    ply, code = error.params.get("ply"), error.params.get("error", error.code)
    return f"{code} at entry {ply}" if isinstance(ply, int) else str(code)


def examined(loaded: Loaded, kept: SnapshotRow | None, log: list[ActionRow]) -> Found:
    """A started table's rows, its snapshot and its log, held against each other."""
    row = loaded.row
    if loaded.damaged:
        parts = [*row.damaged, *(f"seat {seat.seat}" for seat in loaded.seats if seat.damaged)]
        return Found([f"cannot be read ({', '.join(parts)})"], None)
    numbers = [entry.seq for entry in log]
    if numbers != list(range(1, len(log) + 1)):
        return Found([f"has gaps in its log of {len(log)} entries"], None)
    if row.rules > loaded.engine.rules:
        return Found([f"is played by rules {row.rules}, which this program does not know"], None)
    try:
        end = earlier(loaded, log)
        state, acts = loaded.engine.dump(end[0]), loaded.engine.to_act(end[0])
    except STUMBLES as error:
        return Found([f"does not replay ({stuck(error)})"], None)
    wrong = []
    if len(log) != row.entries:
        wrong.append(f"has {len(log)} entries in its log, not {row.entries}")
    snapshot = cached(loaded, kept)
    if snapshot is not None and loaded.engine.dump(snapshot[0]) != state:
        wrong.append("replays to another position than its snapshot")
    if commitment(row.seed) != row.commitment:
        wrong.append("has a seed that is not the one committed to")
    if not all(map(as_told, loaded.seats)):
        wrong.append("has players' chances that are not those committed to")
    if row.reseed != reseeded(log):
        wrong.append("draws from another seed than its log says")
    if acts != loaded.to_act or row.to_act != json.dumps(sorted(acts)):
        wrong.append("names other seats to act than its position")
    return Found(wrong, end)


def cached(loaded: Loaded, kept: SnapshotRow | None) -> Position | None:
    """The position that a snapshot holds; None where it is missing, of another entry, or does not load here.

    It is a cache of the log: another version of the program may have written it in another shape.
    """
    if kept is None or kept.entry != loaded.row.entries:
        return None
    try:
        state, events = loaded.engine.load(kept.state), EVENTS.validate_json(kept.events)
        return (state, events) if len(loaded.engine.roles(state)) == len(loaded.seats) else None
    except STUMBLES:
        return None
