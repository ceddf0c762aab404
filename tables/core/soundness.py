"""Whether a table's position is where its log leads. What is found names no secret: codes and numbers."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from db.rows import ActionRow, SnapshotRow
from engines import record
from engines.chance import commitment
from engines.protocol import Event, RulesError, State, Step
from tables.core.loaded import EVENTS, Loaded, record_of

# what the rules and the models stumble over when a record or a position was damaged
STUMBLES = (RulesError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)


class Found(NamedTuple):
    """What is wrong with a table, and where its log leads; `end` None where it leads nowhere."""

    wrong: list[str]
    end: tuple[State, tuple[Event, ...]] | None


def earlier(loaded: Loaded, log: list[Any]) -> tuple[State, tuple[Event, ...]]:
    """The state after these entries, and what the last of them brought about."""
    whole = record_of(loaded, log)
    end = record.start(whole)
    for ply in record.plies(whole, end):
        end = Step(ply.state, ply.events)
    return end


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
    try:
        end = earlier(loaded, log)
        state, acts = loaded.engine.dump(end[0]), loaded.engine.to_act(end[0])
    except STUMBLES as error:
        return Found([f"does not replay ({stuck(error)})"], None)
    wrong = []
    if len(log) != row.entries:
        wrong.append(f"has {len(log)} entries in its log, not {row.entries}")
    wrong += of_position(loaded, kept, state)
    if commitment(row.seed) != row.commitment:
        wrong.append("has a seed that is not the one committed to")
    if acts != loaded.to_act or row.to_act != json.dumps(sorted(acts)):
        wrong.append("names other seats to act than its position")
    return Found(wrong, end)


def of_position(loaded: Loaded, kept: SnapshotRow | None, state: str) -> list[str]:
    """What is wrong with a snapshot of a table whose log leads to `state`."""
    if kept is None:
        return ["has no position"]
    if kept.entry != loaded.row.entries:
        return [f"has a position of entry {kept.entry}, not {loaded.row.entries}"]
    try:
        position = loaded.engine.dump(loaded.engine.load(kept.state))
        EVENTS.validate_json(kept.events)
    except STUMBLES as error:
        return [f"has a position that does not load ({type(error).__name__})"]
    return [] if position == state else ["replays to another position than its snapshot"]
