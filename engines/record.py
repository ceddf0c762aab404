"""Records: a game as its start and the entries written since; the state is their fold.

An entry is a player's action or an undo, which takes back the last actions that still
stand. The entry at list index i has number i + 1 and draws from the chance stream of that
number; the start draws from stream 0. What is undone and done again is drawn anew.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, Self

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from engines.chance import Chance, commitment, mixed
from engines.protocol import (
    Action,
    AnyEngine,
    Event,
    Json,
    RulesError,
    Seat,
    State,
    Step,
    Value,
    digest,
    read,
)
from engines.registry import engine as engine_of

HEX = r"^([0-9a-fA-F]{2}){1,64}$"  # a seed: 1 to 64 bytes
NONCE = re.compile(r"[0-9a-fA-F]{64}")
MOST = 1_000_000  # entries and undone actions that a record may name


class Acted(Value):
    """An entry: `seat` did `action` (the action's JSON)."""

    seat: Seat = Field(strict=True)
    action: dict[str, Json]


class Undone(Value):
    """An entry: the last `undo` standing actions were taken back; none where the chances alone are new.

    seed, commitment  where what was drawn from may be known, as after the end of a game or in a backup that
                      came back: what the entries from here on draw from, and its commitment, told at once
    """

    undo: int = Field(strict=True, ge=0, le=MOST)
    seed: str | None = Field(default=None, pattern=HEX)
    commitment: str | None = None

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not self.undo and self.seed is None:
            raise ValueError("undo: at least 1 where no seed is given")
        return self

    @model_serializer(mode="wrap")
    def _without_what_is_not_there(self, made: SerializerFunctionWrapHandler) -> dict[str, Json]:
        return {name: value for name, value in made(self).items() if value is not None}


Entry = Acted | Undone


class Record(Value):
    """A game from its start to its last entry; `position` is given where it began from one.

    nonces             what its players added to the chances, by seat (hex, 32 bytes); absent where nobody did
    nonce_commitments  the SHA-256 of each, told when it was added, before the next was known
    """

    format: Literal[1] = 1
    game: str
    rules: int = Field(default=1, strict=True, ge=1)
    options: dict[str, Json] = Field(default_factory=dict)
    seats: int = Field(strict=True, ge=1, le=64)
    seed: str = Field(pattern=HEX)
    commitment: str = ""
    nonces: tuple[str | None, ...] | None = None
    nonce_commitments: tuple[str | None, ...] | None = None
    position: dict[str, Json] | None = None
    actions: tuple[Entry, ...] = Field(default=(), max_length=MOST)

    @model_validator(mode="after")
    def _nonces_fit(self) -> Self:
        if self.nonces is None:
            return self
        given = [nonce for nonce in self.nonces if nonce is not None]
        if len(self.nonces) != self.seats or not given or not all(map(NONCE.fullmatch, given)):
            raise ValueError("nonces: 32 bytes in hex or null for each seat, not all of them null")
        return self

    @property
    def added(self) -> bytes:
        """What the players added, in seating order."""
        return b"".join(bytes.fromhex(nonce) for nonce in self.nonces or () if nonce is not None)

    def key(self, seed: str) -> bytes:
        """What is drawn from where this is the seed: the one mixture for the first and every later one."""
        return mixed(bytes.fromhex(seed), [self.added])

    @property
    def engine(self) -> AnyEngine:
        """The engine of the record's game. Raises RulesError `unknown-game`."""
        return engine_of(self.game)

    def chance(self, entry: int | None = None) -> Chance:
        """The chance stream of an entry, by default of the one to be written next."""
        number = len(self.actions) + 1 if entry is None else entry
        seeds = [seed for done, seed in self.seeds if done < number]
        return Chance(self.key(seeds[-1]), number)

    @property
    def seeds(self) -> list[tuple[int, str]]:
        """The seeds with the number of the entry after which each is drawn from, -1 for the first."""
        later = [(n, e.seed) for n, e in enumerate(self.actions, 1) if isinstance(e, Undone) and e.seed]
        return [(-1, self.seed), *later]

    def json_value(self) -> dict[str, Json]:
        """The record as JSON; without what there need not be, where it is not."""
        data = self.model_dump(mode="json")
        for name in ("nonces", "nonce_commitments", "position"):
            if data[name] is None:
                del data[name]
        return data

    def extended(self, entry: Entry) -> Self:
        """The record with one more entry, unchecked."""
        return self.model_copy(update={"actions": (*self.actions, entry)})


class Ply(NamedTuple):
    """One entry carried out: its number from 1, what happened, and the state after it."""

    number: int
    entry: Entry
    events: tuple[Event, ...]
    state: State


class History(NamedTuple):
    """A record carried out.

    start     what set-up or the position gave
    plies     one an entry, undo entries too
    standing  the start's state and the states of the actions that still stand
    seed      what the next entry draws from
    """

    record: Record
    start: Step[State]
    plies: tuple[Ply, ...]
    standing: tuple[State, ...]
    seed: str

    @property
    def state(self) -> State:
        """The state after the last entry."""
        return self.standing[-1]

    def at(self, entries: int) -> State:
        """The state after the first `entries` entries. Raises RulesError `bad-ply`."""
        if not 0 <= entries <= len(self.plies):
            raise RulesError("bad-ply", ply=entries, most=len(self.plies))
        return self.plies[entries - 1].state if entries else self.start.state


def new(game: str, seats: int | None, seed: bytes, options: Json = None) -> Record:
    """The record of a new game. Raises RulesError `unknown-game`, `bad-options`, `bad-seats`."""
    rules = engine_of(game)
    chosen = rules.read_options({} if options is None else options)
    allowed = rules.seat_counts(chosen)
    if seats is not None and seats not in allowed:
        raise RulesError("bad-seats", seats=seats, allowed=list(allowed))
    record = Record(
        game=game,
        rules=rules.rules,
        options=chosen.model_dump(mode="json", by_alias=True, exclude_none=True),
        seats=allowed[0] if seats is None else seats,
        seed=seed.hex(),
        commitment=commitment(seed),
    )
    start(record)
    return record


def from_position(game: str, position: Json, seed: bytes) -> Record:
    """A record that starts from a position. Raises RulesError `unknown-game`, `bad-position`."""
    rules = engine_of(game)
    if not isinstance(position, dict):
        raise RulesError("bad-position", why="a position is an object")
    state = rules.from_position(position, Chance(seed, 0)).state
    return Record(
        game=game,
        rules=rules.rules,
        seats=len(rules.roles(state)),
        seed=seed.hex(),
        commitment=commitment(seed),
        position=position,
    )


def read_record(data: Json) -> Record:
    """A record from its JSON. Raises RulesError `bad-record`, `unknown-game`."""
    if isinstance(data, Record):
        return data
    record = read(Record, data, "bad-record")
    if record.rules > record.engine.rules:
        raise RulesError("bad-record", why=f"rules: this program knows up to {record.engine.rules}")
    return record


def start(record: Record) -> Step[State]:
    """The first state of a record and the events of its set-up.

    Raises RulesError `bad-options`, `bad-seats`, `bad-position`.
    """
    rules, chance = record.engine, record.chance(0)
    if record.position is not None:
        step = rules.from_position(record.position, chance)
        if len(rules.roles(step.state)) != record.seats:
            raise RulesError("bad-seats", seats=record.seats, allowed=[len(rules.roles(step.state))])
    else:
        options = rules.read_options(record.options)
        if record.seats not in rules.seat_counts(options):
            raise RulesError("bad-seats", seats=record.seats, allowed=list(rules.seat_counts(options)))
        step = rules.setup(options, record.seats, chance)
    if step.state.rules != record.rules:
        return Step(step.state.model_copy(update={"rules": record.rules}), step.events)
    return step


def begin(record: Record) -> History:
    """The history of a record's start alone: none of its entries are carried out."""
    step = start(record)
    return History(record.model_copy(update={"actions": ()}), step, (), (step.state,), record.seed)


def follow(history: History, entry: Entry) -> History:
    """The history with one more entry carried out. Raises the engine's RulesError, `bad-undo`, `bad-seat`."""
    record, standing, seed = history.record, history.standing, history.seed
    events: tuple[Event, ...] = ()
    if isinstance(entry, Undone):
        if entry.undo >= len(standing):
            raise RulesError("bad-undo", undo=entry.undo, most=len(standing) - 1)
        standing, seed = standing[: len(standing) - entry.undo], entry.seed or seed
    else:
        check_seat(record, entry.seat)
        rules, state = record.engine, history.state
        action = rules.parse(entry.action, state, entry.seat)
        chance = Chance(record.key(seed), len(history.plies) + 1)
        after, events = rules.apply(state, entry.seat, action, chance)
        standing = (*standing, after)
    ply = Ply(len(history.plies) + 1, entry, events, standing[-1])
    return History(record.extended(entry), history.start, (*history.plies, ply), standing, seed)


def fold(record: Record, upto: int | None = None, known: History | None = None) -> History:
    """Carries out a record's entries, or its first `upto`.

    `known` is the history of an earlier stretch of the same record, where there is one: its
    entries are not carried out again. Raises RulesError `bad-ply`, and `does-not-replay` with
    the number of the entry and the error's code and params.
    """
    if upto is not None and not 0 <= upto <= len(record.actions):
        raise RulesError("bad-ply", ply=upto, most=len(record.actions))
    history = known or begin(record)
    for entry in record.actions[len(history.plies) : upto]:
        try:
            history = follow(history, entry)
        except RulesError as error:
            raise RulesError(
                "does-not-replay", ply=len(history.plies) + 1, error=error.code, params=error.params
            ) from None
    return history


def plies(record: Record, first: Step[State] | None = None) -> Iterator[Ply]:
    """A record's entries carried out one by one, without a history of all of them.

    Kept on the way is no more than the states that a later undo leads back to, and those packed.
    `first` is the record's start where it is known. Raises what `fold` does.
    """
    rules, seed, kept = record.engine, record.seed, dict[int, bytes]()
    state, back, stack = (first or start(record)).state, returns(record.actions), [0]
    for number, entry in enumerate(record.actions, 1):
        if stack[-1] in back and stack[-1] not in kept:
            kept[stack[-1]] = zlib.compress(rules.dump(state).encode(), 1)
        events: tuple[Event, ...] = ()
        try:
            if isinstance(entry, Undone):
                if entry.undo >= len(stack):
                    raise RulesError("bad-undo", undo=entry.undo, most=len(stack) - 1)  # noqa: TRY301
                if entry.undo:
                    del stack[-entry.undo :]
                    state = rules.load(zlib.decompress(kept[stack[-1]]))
                seed = entry.seed or seed
            else:
                check_seat(record, entry.seat)
                action = rules.parse(entry.action, state, entry.seat)
                state, events = rules.apply(state, entry.seat, action, Chance(record.key(seed), number))
                stack.append(number)
        except RulesError as error:
            raise RulesError("does-not-replay", ply=number, error=error.code, params=error.params) from None
        yield Ply(number, entry, events, state)


def returns(entries: Sequence[Entry]) -> frozenset[int]:
    """The entries, 0 for the start, whose states undo entries lead back to."""
    found, stack = set(), [0]
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, Undone):
            stack.append(number)
        elif entry.undo >= len(stack):
            break  # carrying it out says why not
        elif entry.undo:
            del stack[-entry.undo :]
            found.add(stack[-1])
    return frozenset(found)


def append(history: History, seat: Seat, action: str | Mapping[str, Json]) -> History:
    """The history after `seat` also does `action`, in notation or JSON.

    Raises RulesError `bad-seat`, `bad-action`, and what the engine refuses.
    """
    check_seat(history.record, seat)
    parsed = history.record.engine.parse(action, history.state, seat)
    return follow(history, Acted(seat=seat, action=action_json(parsed)))


def take_back(history: History, actions: int = 1) -> History:
    """The history with an entry that undoes the last standing actions. Raises `bad-undo`."""
    if not 1 <= actions < len(history.standing):
        raise RulesError("bad-undo", undo=actions, most=len(history.standing) - 1)
    return follow(history, Undone(undo=actions))


def as_told(record: Record) -> None:
    """Raises RulesError `bad-commitment` where a player added what was not told, or other than that."""
    told, given = record.nonce_commitments or (), record.nonces or ()
    if len(told) != len(given):
        raise RulesError("bad-commitment", commitment=str(len(told)))
    for announced, nonce in zip(told, given, strict=True):
        held = None if nonce is None else commitment(bytes.fromhex(nonce))
        if (None if announced is None else announced.casefold()) != held:
            raise RulesError("bad-commitment", commitment=str(announced)[:80])


def verify(record: Record) -> History:
    """The record's history, if its seeds are those committed to and every entry replays.

    Raises RulesError `bad-commitment`, `does-not-replay`.
    """
    check_seeds(record)
    return fold(record)


def check_seeds(record: Record) -> None:
    """Raises RulesError `bad-commitment` where a seed of the record is not the one committed to."""
    if record.commitment.casefold() != commitment(bytes.fromhex(record.seed)):
        raise RulesError("bad-commitment", commitment=record.commitment[:80])
    as_told(record)
    for entry in record.actions:
        if isinstance(entry, Undone) and (entry.seed is not None or entry.commitment is not None):
            told = entry.commitment or ""
            if entry.seed is None or told.casefold() != commitment(bytes.fromhex(entry.seed)):
                raise RulesError("bad-commitment", commitment=told[:80])


def check_seat(record: Record, seat: Seat) -> None:
    """Raises RulesError `bad-seat` where the record has no such seat."""
    if not 0 <= seat < record.seats:
        raise RulesError("bad-seat", seat=seat, seats=record.seats)


def action_json(action: Action) -> dict[str, Json]:
    """An action as the JSON that a record holds."""
    return action.model_dump(mode="json", by_alias=True, exclude_none=True)


def state_hash(state: State) -> str:
    """A digest of a whole state: equal for equal states."""
    return digest(state.model_dump(mode="json"))
