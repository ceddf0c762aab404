"""Rows as frozen dataclasses. Times are ms since 1970 UTC; JSON columns stay text or plain JSON."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache, cached_property, lru_cache
from itertools import compress
from types import NoneType
from typing import Any, NamedTuple, Protocol, TypeVar, cast, get_args, get_type_hints

from db.fitting import INSTEAD

log = logging.getLogger("hatamoto.database")

MARKS = 10**12  # by so many a mark is one of its own among the messages of a place


class Row(Protocol):
    """A row of a result: its columns by name or by place; iterated over, its values."""

    def __getitem__(self, key: Any, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def keys(self) -> Any:
        """The names of its columns."""


@dataclass(frozen=True)
class TableRow:
    """A table without its seats; `options`, `table_options`, `to_act` and `result` are JSON text."""

    id: int
    game: str
    rules: int
    status: str
    options: str
    table_options: str
    guild_id: int | None
    channel_id: int
    thread_id: int | None
    in_place: bool
    locale: str | None
    private: bool
    creator_id: int
    lobby_message_id: int | None
    board_message_id: int | None
    version: int
    entries: int
    to_act: str
    turn_since: int | None
    result: str | None
    commitment: str
    seed: bytes
    reminded_at: int | None
    created_at: int
    started_at: int | None
    ended_at: int | None
    rematch_of: int | None
    paused_at: int | None = None
    position: str | None = None  # JSON, where it began from one
    study: bool = False  # an imported record
    handed: bool = False  # a seat changed hands
    unrated: bool = False  # something happened that no rating may count
    reseed: bytes | None = None  # what is drawn from since it was taken up again after its end
    aside_at: int | None = None  # it did not load, and its players were told
    barred_at: int | None = None  # since when no post is taken at its place
    seating: str | None = None  # JSON, how its seats were drawn
    rematch_id: int | None = None  # read from the table that follows; not a column
    damaged: tuple[str, ...] = ()  # what nobody knows any more: it is set aside


@dataclass(frozen=True)
class SeatRow:
    """A seat: a user, the bot at `level`, or an invitation."""

    table_id: int
    seat: int
    role: str = ""
    user_id: int | None = None
    name: str = ""
    level: str | None = None
    invited: int | None = None
    acts: bool = False
    acts_since: int | None = None
    choice_mark: str = ""
    choice_version: int = 0
    away: bool = False
    away_until: int | None = None  # what was told of it at the table
    gone: str | None = None  # `left`, `deleted`, or `outside`: left, and plays on by DM
    gone_since: int | None = None  # None: long ago
    bank: int | None = None  # ms on its clock when `ticks_since` began
    ticks_since: int | None = None
    flagged: bool = False
    turns: int = 0
    thought_ms: int = 0
    account: str = ""  # the account's name, for pictures
    nonce: bytes | None = None  # what the player who began here added to the chances
    nonce_told: str | None = None  # its SHA-256, told when it was added; with no nonce a seal, to be opened
    unsealed: bool = False  # a seal was opened with this nonce
    damaged: tuple[str, ...] = ()


Changed = TypeVar("Changed", TableRow, SeatRow)


def changed(row: Changed, **values: Any) -> Changed:
    """A row with other values, as `dataclasses.replace` in a fifth of its time: these rows have many columns,
    work nothing out when they are made, and each action makes several.
    """
    if not values.keys() <= row.__dict__.keys():
        raise TypeError(f"no such columns: {sorted(values.keys() - row.__dict__.keys())}")
    made = object.__new__(type(row))
    made.__dict__.update(row.__dict__, **values)
    return made


@dataclass(frozen=True)
class ActionRow:
    """An entry of a table's log: an action (JSON text) of a seat, or an undo."""

    table_id: int
    seq: int
    seat: int | None
    action: str | None
    undo: int | None
    reveals: bool
    passes: bool
    user_id: int | None
    at: int
    seed: bytes | None = None  # of an undo of the game's end: what is drawn from after it
    fed: str | None = None  # JSON: ms that clocks got by it, by seat
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True)
class SnapshotRow:
    """The state after `entry`, with that entry's events (JSON text)."""

    table_id: int
    entry: int
    state: str
    events: str


@dataclass(frozen=True)
class Message:
    """A message to be queued; `payload` is JSON text."""

    table_id: int | None
    destination: str
    kind: str
    payload: str


@dataclass(frozen=True)
class ChapterRow:
    """What is going on at a table while its boards are one message; `told`: public events, a JSON list."""

    table_id: int
    key: str
    told: str


@dataclass(frozen=True)
class OutboxRow:
    """A message on its way; `payload` is JSON text."""

    id: int
    table_id: int | None
    destination: str
    kind: str
    payload: str
    nonce: str
    state: str
    attempts: int
    due_at: int
    flying_since: int | None
    message_id: int | None
    error: str | None
    created_at: int
    done_at: int | None
    damaged: tuple[str, ...] = ()  # what cannot be read: it is not sent

    @property
    def mark(self) -> int:
        """What its message carries, to be known again by: random, as its number tells of others' rows."""
        return int(self.nonce) % MARKS if self.nonce.isdecimal() else self.id

    @cached_property
    def content(self) -> dict[str, Any]:
        """The payload, read once for all who ask; nobody changes it.

        Raises ValueError where it is no JSON, TypeError where it is no object.
        """
        found = json.loads(self.payload)
        if not isinstance(found, dict):
            raise TypeError("a payload is an object")
        return found


@dataclass(frozen=True)
class UserRow:
    """A person: names and languages, whether hands go by DM, where to be called and when to be left alone."""

    id: int
    name: str
    locale: str | None
    language: str | None
    dm: bool
    remind_hours: int = 24
    zone: str = "UTC"
    quiet_from: int | None = None  # minutes after midnight
    quiet_to: int | None = None
    next_ping: bool = False
    away_until: int | None = None
    call_by: str = "table"  # `table`, `dm` or `digest`: where it is said that it is the person's turn
    digest_at: int = 1080  # minutes after midnight, where that is once a day


@dataclass(frozen=True)
class GuildRow:
    """A server's settings."""

    id: int
    language: str | None = None
    threads: bool = True
    left_at: int | None = None
    channels: str | None = None  # JSON list of ids where tables may be made; None: everywhere
    user_tables: int | None = None
    server_tables: int | None = None
    silent_at: int | None = None  # since when Discord cannot reach it
    forum_id: int | None = None  # where new tables get a post each


@dataclass(frozen=True)
class TimerRow:
    """Something to do at `due_at`; removed only after it was done."""

    id: int
    kind: str
    table_id: int
    user_id: int
    due_at: int
    payload: str
    damaged: tuple[str, ...] = ()  # what cannot be read: it is not done


@dataclass(frozen=True)
class VoteRow:
    """A question to the other players."""

    id: int
    table_id: int
    kind: str
    by_seat: int
    entry: int | None
    status: str
    created_at: int
    ended_at: int | None
    payload: str = "{}"  # what is asked, JSON
    version: int = 0  # of its table when it was asked


@dataclass(frozen=True)
class BallotRow:
    """A seat's answer to a vote."""

    vote_id: int
    seat: int
    agree: bool
    at: int


@dataclass(frozen=True)
class OfferRow:
    """A seat that somebody else may take: `user_id`, or whoever comes but the moderator who offered it.

    by_id   who offered it; None where the others agreed to it
    """

    table_id: int
    seat: int
    user_id: int | None
    at: int
    by_id: int | None = None


@dataclass(frozen=True)
class AidRow:
    """What a seat settled for itself in secret."""

    table_id: int
    seat: int
    aid: str


@dataclass(frozen=True)
class BlockRow:
    """Who does not want to hear, and from whom."""

    user_id: int
    blocked_id: int


@dataclass(frozen=True)
class FormerRow:
    """Who left a seat, and when; of who is forgotten their rating at that time."""

    table_id: int
    seat: int
    user_id: int
    at: int
    forgotten: bool = False
    mu: float | None = None
    sigma: float | None = None


@dataclass(frozen=True)
class ResultRow:
    """How one person's game ended; `place` 1 is first, equal for equal results."""

    table_id: int
    seat: int
    user_id: int
    game: str
    guild_id: int | None
    place: int
    won: bool
    rated: bool
    turns: int
    thought_ms: int
    ended_at: int
    mu_before: float | None = None
    sigma_before: float | None = None
    mu_after: float | None = None
    sigma_after: float | None = None


@dataclass(frozen=True)
class RatingRow:
    """What is believed of a player's strength at a game: a normal distribution."""

    game: str
    user_id: int
    mu: float
    sigma: float


R = TypeVar("R")
# columns that are read as JSON as soon as their row is
JSON: dict[type, tuple[str, type]] = {
    TimerRow: ("payload", dict),
    VoteRow: ("payload", dict),
    ChapterRow: ("told", list),
    GuildRow: ("channels", list),
}


class Column(NamedTuple):
    """A field of a row that is a column: what SQLite may give for it, and what stands for anything else."""

    name: str
    types: tuple[type, ...]
    flag: bool
    instead: Any


@cache
def columns(kind: type) -> tuple[Column, ...]:
    """The fields of a kind of row that are columns, as its annotations say."""
    return tuple(read_columns(kind))


def read_columns(kind: type) -> Iterator[Column]:
    """What the annotations of a kind of row say."""
    hints = get_type_hints(kind)
    for field in fields(kind):
        types = get_args(hints[field.name]) or (hints[field.name],)
        if field.name != "damaged":
            instead = None if NoneType in types else INSTEAD.get(field.name, types[0]())
            yield Column(field.name, (int,) if types == (bool,) else types, types == (bool,), instead)


def torn(kind: type, given: Mapping[str, Any]) -> list[str]:
    """Columns that hold what no table of this version lets in: a disk lost a bit."""
    names = [c.name for c in columns(kind) if c.name in given and type(given[c.name]) not in c.types]
    name, shape = JSON.get(kind, ("", object))
    return names if not name or name in names or is_json(given[name], shape) else [*names, name]


def is_json(text: str | None, shape: type) -> bool:
    """Whether a column is JSON of a shape, or nothing."""
    try:
        return text is None or isinstance(json.loads(text), shape)
    except ValueError:
        return False


class Shape(NamedTuple):
    """How whole rows of these columns and types are read: no column is looked at by itself.

    names  of the columns that are fields, `among` all columns; base: what the other fields are
    """

    names: tuple[str, ...]
    among: tuple[bool, ...]
    flags: tuple[str, ...]
    base: dict[str, Any]


@lru_cache(1000)
def shape(kind: type, names: tuple[str, ...], types: tuple[type, ...]) -> Shape | None:
    """The shape; None where a row has to be looked at column by column, as it may be torn or lacks one."""
    of, wanted = {column.name: column for column in columns(kind)}, dict(zip(names, types, strict=False))
    base = {field.name: field.default for field in fields(kind) if field.name not in wanted}
    if "damaged" in wanted and any(field.name == "damaged" for field in fields(kind)):
        base["damaged"] = ()
    if not len(wanted) == len(names) == len(types):  # two columns of one name
        return None
    if kind in JSON or MISSING in base.values() or wanted.pop("damaged", NoneType) is not NoneType:
        return None
    if any(name in of and found not in of[name].types for name, found in wanted.items()):
        return None
    kept = tuple(name for name in names if name in of)
    flags = tuple(name for name in kept if of[name].flag)
    return Shape(kept, tuple(name in of for name in names), flags, base)


def row_of(kind: type[R], row: Row) -> R:
    """A result row as a dataclass; columns that it does not have are left out.

    The row's `damaged` names what is torn, or was; something stands for that, but nobody plays with it.
    A row whose types are those of whole ones is made at once: each action reads some ten, of many columns.
    """
    values = tuple(row)
    whole_one = shape(cast("type", kind), tuple(row.keys()), tuple(map(type, values)))
    if whole_one is None:
        return looked_through(kind, row)
    made = object.__new__(kind)
    held = made.__dict__
    held.update(whole_one.base)
    held.update(zip(whole_one.names, compress(values, whole_one.among), strict=True))
    for name in whole_one.flags:
        held[name] = bool(held[name])
    return made


def looked_through(kind: type[R], row: Row) -> R:
    """The same, column by column."""
    given, of = dict(row), cast("type", kind)
    names = torn(kind, given)
    values: dict[str, Any] = {}
    for name, _, flag, instead in columns(of):
        if name in given:
            value = instead if name in names else given[name]
            values[name] = bool(value) if flag else value
    if before := given.get("damaged"):
        names += str(before).split(",")
    if names:
        values["damaged"] = tuple(names)
    return kind(**values)


def whole(kind: type[R], row: Row) -> R | None:
    """A result row as a dataclass. One that is torn is left out, loudly: what is beside it goes on."""
    names = torn(kind, dict(row))
    if names:
        tell(f"a row of {kind.__name__} cannot be read ({', '.join(names)})")
        return None
    return row_of(kind, row)


def wholes(kind: type[R], rows: Iterable[Row]) -> list[R]:
    """Those of the rows that are whole."""
    return [one for row in rows if (one := whole(kind, row)) is not None]


@lru_cache(1000)
def tell(line: str) -> None:
    """Says once what an operator can do about a row."""
    log.error("%s: stop the bot and run `python bot.py check --mend`", line)
