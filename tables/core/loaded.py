"""A table in memory, and what follows from its rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import blake2b
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from db.rows import ActionRow, SeatRow, TableRow, VoteRow
from engines.capabilities import Aids, Spoken
from engines.chance import Chance, commitment, mixed
from engines.former import StoredEvent
from engines.protocol import (
    AnyEngine,
    Event,
    Json,
    Prompt,
    Ready,
    Result,
    RulesError,
    Seat,
    Seen,
    State,
    View,
    Viewer,
)
from engines.record import Acted, Entry, Record, Undone
from engines.registry import engine
from tables.core.errors import TableError, refused
from tables.core.insight import NO_INSIGHT, Insight
from tables.core.model import Place, SeatInfo, Shown, Table
from tables.core.options import TableOptions

EVENTS = TypeAdapter(tuple[StoredEvent, ...])  # as `dumped` left them, also long ago
SEATS: TypeAdapter[Any] = TypeAdapter(list[Annotated[int, Field(strict=True)]])
STATUSES = frozenset({"open", "running", "over", "cancelled"})
# columns without which a table goes on, and what stands for them
LOOSE: tuple[tuple[str, TypeAdapter[Any], str | None], ...] = (
    ("table_options", TypeAdapter(TableOptions), "{}"),
    ("to_act", SEATS, "[]"),
    ("result", TypeAdapter(Result), None),
)


@dataclass(frozen=True)
class Loaded:
    """A table's rows; once it has started, its state and the events of the last entry too."""

    row: TableRow
    seats: tuple[SeatRow, ...]
    state: State | None = None
    events: tuple[Event, ...] = ()
    votes: tuple[VoteRow, ...] = ()  # open ones, as they were when the table was loaded
    aids: dict[Seat, str] = field(default_factory=dict)  # what seats settled in secret
    insight: Insight = field(default=NO_INSIGHT, compare=False, repr=False)  # what the rules say of `state`

    def __post_init__(self) -> None:
        """Another position has an insight of its own; with other rows alone it stays."""
        if self.insight.state is not self.state:
            object.__setattr__(self, "insight", Insight(self.row.game, self.state))

    @property
    def engine(self) -> AnyEngine:
        """The rules."""
        return engine(self.row.game)

    @property
    def to_act(self) -> frozenset[Seat]:
        """Seats that have to decide, none once the table is closed."""
        return frozenset(seat.seat for seat in self.seats if seat.acts)

    @property
    def damaged(self) -> bool:
        """Whether what it cannot be played without cannot be read."""
        return bool(self.row.damaged) or any(seat.damaged for seat in self.seats)

    @property
    def aside(self) -> bool:
        """Whether it was set aside: it goes on when it is whole again."""
        return self.row.aside_at is not None and self.row.status in ("open", "running")

    @property
    def stands(self) -> bool:
        """Whether no time runs: it is paused, or nothing can be posted where it is."""
        return self.row.paused_at is not None or self.row.barred_at is not None

    @property
    def names(self) -> tuple[str, ...]:
        """Names by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def people(self) -> tuple[SeatRow, ...]:
        """Seats that persons play."""
        return tuple(seat for seat in self.seats if seat.user_id is not None)

    @property
    def retired(self) -> frozenset[Seat]:
        """Seats that are out of the game while the others play on."""
        return frozenset() if self.state is None else self.engine.retired(self.state)

    def seat_of(self, user_id: int | None) -> Seat | None:
        """The seat of this user."""
        return next((s.seat for s in self.seats if user_id is not None and s.user_id == user_id), None)

    def chance(self) -> Chance:
        """The stream of the entry to be written next."""
        return self.chance_of(self.row.entries + 1)

    def chance_of(self, entry: int) -> Chance:
        """The stream of an entry that is drawn from the present seed."""
        return Chance(self.key, entry)

    @property
    def key(self) -> bytes:
        """What the present seed and all that the players added come to."""
        return mixed(self.drawn, added_by(self.seats))

    @property
    def drawn(self) -> bytes:
        """The seed that is drawn from now: another one since the game was taken up again after its end."""
        return self.row.reseed or self.row.seed

    def view(self, viewer: Viewer) -> View:
        """What this viewer may know now."""
        if (state := self.position_of(viewer)) is self.state:
            return self.insight.view(viewer)
        return self.engine.view(state, viewer)

    def position_of(self, viewer: Viewer) -> State:
        """The state with what this seat settled for itself, and nobody else's."""
        rules, aid = self.engine, None if viewer is None else self.aids.get(viewer)
        if viewer is None or aid is None or not isinstance(rules, Aids):
            return self.position
        state: State = rules.aided(self.position, viewer, aid)
        return state

    def seen(self, viewer: Viewer) -> tuple[Seen, ...]:
        """The last entry's events as this viewer may know them."""
        return tuple(event.seen_by(viewer) for event in self.events)

    def spoken(self, seat: Seat, action: str | None) -> tuple[Seen, ...]:
        """The phrases that say to a seat an action of its own, canonical text; () where the game has none."""
        rules = self.engine
        if not action or not isinstance(rules, Spoken):
            return ()
        return rules.spoken(self.view(seat), action)

    def steps(self, seat: Seat) -> Callable[[tuple[str, ...]], Prompt | Ready]:
        """The steps of a seat's panel by their paths. Asking raises what `choices` of the rules does."""
        if (state := self.position_of(seat)) is self.state:
            return partial(self.insight.step, seat)
        return partial(self.engine.choices, state, seat)

    def foreseen(self, seat: Seat, action: str) -> tuple[Seen, ...]:
        """What would follow from a seat's action, canonical text, as far as the table's help goes."""
        helped = self.table().help
        if helped == "none":
            return ()
        return self.insight.foreseen(self.view(seat), action, odds=helped == "full")

    def shown(self, viewer: Viewer) -> Shown:
        """Everything for this viewer's picture."""
        return Shown(
            self.table(),
            viewer,
            self.view(viewer),
            self.seen(viewer),
            self.names,
            self.row.version,
            self.row.entries,
        )

    def table(self, broken: bool = False) -> Table:
        """The table as everybody may know it."""
        return self._table_broken if broken else self._table

    @cached_property
    def _table(self) -> Table:
        return self._as_table(broken=False)

    @cached_property
    def _table_broken(self) -> Table:
        return self._as_table(broken=True)

    def _as_table(self, *, broken: bool) -> Table:
        live = self.row.status not in ("over", "cancelled")
        if live and (broken or self.aside or self.damaged):
            return table_of(self.row, self.seats, broken=True)
        return self._whole

    @cached_property
    def _whole(self) -> Table:
        """The same of a table that is not set aside: each answer, and each press after it, asks for it."""
        return table_of(self.row, self.seats)

    def refusal(self, why: str | RulesError, *, legal: list[str] | None = None, **params: Json) -> TableError:
        """What is raised for a request that this table refuses: a code of its own, or what its rules say."""
        if isinstance(why, RulesError):
            return refused(why, self.row.id, self.row.game, legal)
        return TableError(why, table=self.row.id, game=self.row.game, **params)

    @property
    def position(self) -> State:
        """The state; a running or finished table has one."""
        if self.state is None:
            raise ValueError(f"table {self.row.id} has no state")
        return self.state

    def updated(self, **values: Any) -> Loaded:
        """With other values in its row."""
        return replace(self, row=replace(self.row, **values))


def table_of(row: TableRow, seats: tuple[SeatRow, ...], broken: bool = False) -> Table:
    """The public value of a table's rows: the seed only after a game that was played."""
    ended = row.status in ("over", "cancelled") and row.started_at is not None
    return Table(
        id=row.id,
        game=row.game,
        status="broken" if broken else row.status,  # type: ignore[arg-type]  # the schema checks it
        options=options_of(row),
        table_options=json.loads(row.table_options),
        seats=tuple(
            SeatInfo(
                s.seat,
                s.role,
                s.user_id,
                s.name,
                s.level,
                s.invited if s.user_id is None else None,
                away=s.away,
                away_until=s.away_until,
                gone=s.gone,
                bank=s.bank,
                ticks_since=s.ticks_since,
                account=s.account,
                nonce_told=s.nonce_told,
                sealed=s.nonce is None and s.nonce_told is not None,
            )
            for s in seats
        ),
        place=Place(row.guild_id, row.channel_id, row.thread_id),
        creator_id=row.creator_id,
        lobby_message_id=row.lobby_message_id,
        board_message_id=row.board_message_id,
        version=row.version,
        to_act=frozenset(json.loads(row.to_act)),
        result=None if row.result is None else json.loads(row.result),
        commitment=committed(row),
        nonces=nonces_of(seats) if ended else None,
        seed=(row.reseed or row.seed).hex() if ended else None,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        turn_since=row.turn_since,
        private=row.private,
        rematch_of=row.rematch_of,
        rematch_id=row.rematch_id,
        in_place=row.in_place,
        locale=row.locale,
        paused_at=row.paused_at,
        study=row.study,
        barred_at=row.barred_at,
    )


def added_by(seats: Iterable[SeatRow]) -> list[bytes]:
    """What the players added to the chances, in seating order."""
    return [seat.nonce for seat in seats if seat.nonce is not None]


def nonces_of(seats: Iterable[SeatRow]) -> tuple[str | None, ...] | None:
    """The same as a record has it, by seat; None where nobody added any."""
    found = tuple(None if seat.nonce is None else seat.nonce.hex() for seat in seats)
    return found if any(found) else None


def told_of(seats: Iterable[SeatRow]) -> tuple[str | None, ...] | None:
    """What was told of each when it was added; None where nobody added any."""
    found = tuple(seat.nonce_told for seat in seats)
    return found if any(found) else None


def as_told(seat: SeatRow) -> bool:
    """Whether what this seat added is what was told of it."""
    return seat.nonce_told == told_of_nonce(seat)


def told_of_nonce(seat: SeatRow) -> str | None:
    """What is to be told of that which this seat added, once it is known."""
    return None if seat.nonce is None else commitment(seat.nonce)


def committed(row: TableRow) -> str:
    """The commitment to the seed that is drawn from now."""
    return row.commitment if row.reseed is None else commitment(row.reseed)


def readable(row: TableRow, seats: tuple[SeatRow, ...]) -> TableRow:
    """A table's row with JSON that can be read: nothing stands for what cannot, or it is `damaged`."""
    damaged = [*row.damaged, *(name for name in ("options", "position") if not readable_json(row, name))]
    if row.status not in STATUSES:
        damaged.append("status")
    try:
        engine(row.game)
    except RulesError:
        damaged.append("game")
    if [seat.seat for seat in seats] != list(range(len(seats))):
        damaged.append("seats")
    values: dict[str, Any] = {"damaged": tuple(dict.fromkeys(damaged))} if damaged else {}
    for name, kind, instead in LOOSE:
        try:
            if (text := getattr(row, name)) is not None:
                kind.validate_json(text)
        except ValidationError:
            values[name] = instead
    return replace(row, **values) if values else row


def options_of(row: TableRow) -> dict[str, Json]:
    """The game's options; none where the column cannot be read."""
    try:
        found = json.loads(row.options)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def readable_json(row: TableRow, name: str) -> bool:
    """Whether a column is a JSON object, or nothing."""
    text = getattr(row, name)
    try:
        return text is None or isinstance(json.loads(text), dict)
    except ValueError:
        return False


def record_of(loaded: Loaded, log: list[ActionRow]) -> Record:
    """The table's game as a record, seed included: it must not leave before the end."""
    row = loaded.row
    return Record(
        game=row.game,
        rules=row.rules,
        options=json.loads(row.options),
        seats=len(loaded.seats),
        seed=row.seed.hex(),
        commitment=row.commitment,
        nonces=nonces_of(loaded.seats),
        nonce_commitments=told_of(loaded.seats),
        position=None if row.position is None else json.loads(row.position),
        actions=tuple(entry_of(entry) for entry in log),
    )


def entry_of(row: ActionRow) -> Entry:
    """A stored entry as the record's."""
    if row.damaged:
        raise ValueError(f"entry {row.seq} cannot be read")
    if row.undo is not None:
        if row.seed is None:
            return Undone(undo=row.undo)
        return Undone(undo=row.undo, seed=row.seed.hex(), commitment=commitment(row.seed))
    return Acted.model_validate({"seat": row.seat, "action": json.loads(row.action or "null")})


def standing(log: list[ActionRow]) -> list[ActionRow]:
    """The actions that were not taken back, in order."""
    stack: list[ActionRow] = []
    for row in log:
        if row.undo is None:
            stack.append(row)
        else:
            del stack[len(stack) - row.undo :]
    return stack


def derived(seed: bytes, purpose: str) -> bytes:
    """Another seed from a table's seed, from which neither it nor its streams can be worked out."""
    return blake2b(purpose.encode(), key=blake2b(seed, digest_size=32).digest(), digest_size=32).digest()


def dumped(events: tuple[Event, ...]) -> list[Json]:
    """Events as JSON, secrets included: for the snapshot alone."""
    return [event.model_dump(mode="json") for event in events]
