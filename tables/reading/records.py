"""A record from outside, read and carried out within its bounds; runs in the archive's process."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from engines import record
from engines.chance import commitment
from engines.protocol import Json, RulesError, State, Step
from engines.record import Acted, Ply, Record, Undone
from tables.core.errors import TableError, refused
from tables.core.loaded import dumped

MOST_DEPTH = 40  # brackets within brackets
MOST_PLIES = 2000
STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)', re.DOTALL)
ALIKE = str.maketrans("{}", "[]")
NO_BRACKET = re.compile(r"[^\[\]{}]++")


class Carried(NamedTuple):
    """A record carried out: its table's columns, its log, its seats' roles, and where it leads.

    The log is JSON that goes to the database as it is (`actions.add_all`), with its seeds by entry.
    """

    columns: dict[str, Any]
    log: str
    seeds: dict[int, str]
    roles: list[str]
    players: Json
    nonces: list[str | None]
    state: str
    events: Json


def carried(data: str) -> Carried:
    """What is stored of a record as it was brought: JSON, in characters of one byte each.

    Raises TableError `record-too-deep`, `record-too-long` (most), `bad-record`, and the game's refusals.
    """
    value = read(data.encode("latin-1"))
    given, players = value, None
    if isinstance(value, dict):  # an export adds its players and result, which are not needed for it
        given = {name: one for name, one in value.items() if name not in ("players", "result")}
        players = value.get("players")
    try:
        found = record.read_record(given)
        if len(found.actions) > MOST_PLIES:
            raise TableError("record-too-long", most=MOST_PLIES)
        if found.commitment:
            record.check_seeds(found)
        end, log, seeds = record.start(found), list[list[Json]](), dict[int, str]()
        for ply in record.plies(found, end):
            end = Step(ply.state, ply.events)
            log.append(entry(ply))
            if isinstance(ply.entry, Undone) and ply.entry.seed is not None:
                seeds[ply.number] = ply.entry.seed
    except RulesError as error:
        raise refused(error) from None
    rules = found.engine
    roles = [str(role) for role in rules.roles(end.state)]
    state, events = rules.dump(end.state), dumped(end.events)
    nonces = list(found.nonces or ())
    return Carried(columns(found, end), json.dumps(log), seeds, roles, players, nonces, state, events)


def read(data: bytes) -> Any:
    """JSON from outside, within its bounds."""
    try:
        text = data.decode(json.detect_encoding(data), "surrogatepass")
        if depth(text) > MOST_DEPTH:
            raise TableError("record-too-deep")
        return json.loads(text)
    except (ValueError, RecursionError):
        raise TableError("bad-record", why="no JSON") from None


def depth(text: str) -> int:
    """How deep brackets nest, strings apart; no more than one above MOST_DEPTH is counted."""
    left, layers = NO_BRACKET.sub("", STRING.sub("", text)).translate(ALIKE), 0
    while layers <= MOST_DEPTH and (inner := left.replace("[]", "")) != left:
        left, layers = inner, layers + 1
    return min(layers + left.count("["), MOST_DEPTH + 1)  # what is never closed is no JSON, but deep


def entry(ply: Ply) -> list[Json]:
    """An entry as its row of the log: number, seat, action, undo."""
    if isinstance(ply.entry, Acted):
        return [ply.number, ply.entry.seat, json.dumps(ply.entry.action), None]
    return [ply.number, None, None, ply.entry.undo]


def columns(found: Record, end: Step[State]) -> dict[str, Any]:
    """The columns of a study's table that its record decides."""
    result = found.engine.result(end.state)
    return {
        "game": found.game,
        "rules": found.rules,
        "options": json.dumps(found.options),
        "commitment": found.commitment or commitment(bytes.fromhex(found.seed)),
        "seed": found.seed,
        "reseed": found.seeds[-1][1] if len(found.seeds) > 1 else None,
        "position": None if found.position is None else json.dumps(found.position),
        "result": None if result is None else json.dumps(result.model_dump(mode="json")),
        "entries": len(found.actions),
    }
