"""The values that the table service takes and gives. Nothing here holds a state or another's secret."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engines.protocol import Choice, Json, Prompt, Ready, Seat, Seen, View

Status = Literal["open", "running", "over", "cancelled", "broken"]
Purpose = Literal["any", "join", "open", "running", "over", "played"]  # which tables a command is for
VoteKind = Literal["undo", "reopen", "draw", "cancel", "pause", "clock", "time", "replace", "abandon"]
Help = Literal["none", "basic", "full"]  # as `render.scene` has it
HELPS: tuple[Help, ...] = ("none", "basic", "full")
VoteStatus = Literal["open", "agreed", "refused", "lapsed"]


@dataclass(frozen=True)
class User:
    """A person on Discord: id, display name (raw, escaped where it is shown), locale last seen, account."""

    id: int
    name: str
    locale: str | None = None
    account: str = ""


@dataclass(frozen=True)
class Place:
    """Where a table is played; `thread_id` is None while no thread was opened, and in place."""

    guild_id: int | None
    channel_id: int
    thread_id: int | None = None


@dataclass(frozen=True)
class SeatInfo:
    """A seat: who sits there (`user_id`, or the bot at `level`), or who is invited to."""

    seat: Seat
    role: str
    user_id: int | None
    name: str
    level: str | None = None
    invited: int | None = None
    away: bool = False  # on vacation
    away_until: int | None = None
    gone: str | None = None  # `left` the server, `deleted`, or `outside`: left, and plays on by DM
    bank: int | None = None  # ms on its clock when it began to run
    ticks_since: int | None = None
    account: str = ""  # the account's name, for pictures
    nonce_told: str | None = None  # the SHA-256 of what was added to the chances here
    sealed: bool = False  # that is told alone so far: the words are to come

    @property
    def taken(self) -> bool:
        """True where a person or the bot sits."""
        return self.user_id is not None or self.level is not None


@dataclass(frozen=True)
class Table:
    """A table as everybody may know it. Times in ms since 1970 UTC; `seed` only once it is over."""

    id: int
    game: str
    status: Status
    options: dict[str, Json]
    table_options: dict[str, Json]
    seats: tuple[SeatInfo, ...]
    place: Place
    creator_id: int
    lobby_message_id: int | None
    board_message_id: int | None
    version: int
    to_act: frozenset[Seat]
    result: dict[str, Json] | None
    commitment: str
    nonces: tuple[str | None, ...] | None  # that, by seat, once it is over
    seed: str | None
    created_at: int
    started_at: int | None
    ended_at: int | None
    turn_since: int | None
    private: bool
    rematch_of: int | None
    rematch_id: int | None
    in_place: bool = False
    locale: str | None = None  # of the server's posts
    paused_at: int | None = None
    study: bool = False  # an imported record, its creator's alone
    barred_at: int | None = None  # since when no post is taken at its place

    @property
    def names(self) -> tuple[str, ...]:
        """Names by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def help(self) -> Help:
        """How much of what follows its pictures and panels show.

        Where nothing was chosen: all of it against the bot, alone and in a study; else what is certain.
        """
        chosen = self.table_options.get("aids")
        for amount in HELPS:
            if chosen == amount:
                return amount
        people = {seat.user_id for seat in self.seats if seat.user_id is not None}
        alone = self.status != "open" and len(people) < 2
        return "full" if self.study or alone or any(seat.level for seat in self.seats) else "basic"

    @property
    def accounts(self) -> tuple[str, ...]:
        """Names of the accounts by seat, "" where nobody's is known."""
        return tuple(seat.account for seat in self.seats)

    def seat_of(self, user_id: int | None) -> Seat | None:
        """The seat of this user; of several, the one that has to act, else the first."""
        own = [s.seat for s in self.seats if user_id is not None and s.user_id == user_id]
        return next((s for s in own if s in self.to_act), own[0] if own else None)


@dataclass(frozen=True)
class Shown:
    """Everything a picture and a caption need for one viewer: `seat`, or None for the public.

    entry  how many entries the table's log had then
    since  what the same viewer saw when he last looked; None where that is not known, or not asked
    """

    table: Table
    seat: Seat | None
    view: View
    events: tuple[Seen, ...]
    names: tuple[str, ...]
    version: int
    entry: int = 0
    since: View | None = None


@dataclass(frozen=True)
class Panel:
    """A step of the guided panel: the prompt or the action to confirm, after the picks of `path`.

    orders  what the seat has left to be done by itself, for its own user only
    left    the phrases that say those orders
    alone   the places in `path` that left no choice, and were taken by themselves: `taken`
    undo    whether the seat may take back the last action alone
    said    the phrases that say the action to confirm; () at a prompt, and where the game has none
    ahead   what would follow from that action, as far as the table's help goes
    """

    shown: Shown
    step: Prompt | Ready
    picked: tuple[Choice, ...]
    path: tuple[str, ...]
    version: int
    orders: str | None = None
    undo: bool = False
    said: tuple[Seen, ...] = ()
    ahead: tuple[Seen, ...] = ()
    left: tuple[Seen, ...] = ()
    alone: frozenset[int] = frozenset()
    taken: tuple[Choice, ...] = ()

    @property
    def begun(self) -> bool:
        """Whether anything was chosen."""
        return len(self.path) > len(self.alone)

    @property
    def back(self) -> tuple[str, ...]:
        """The path before the last choice."""
        chosen = [place for place in range(len(self.path)) if place not in self.alone]
        return self.path[: chosen[-1]] if chosen else ()


@dataclass(frozen=True)
class Happened:
    """What everybody was told of one entry of the log (0: the start), and when, ms UTC."""

    entry: int
    at: int | None
    events: tuple[Seen, ...]


@dataclass(frozen=True)
class Why:
    """What an opponent's action was for: its entry, seat, and its text where who asks may know it."""

    entry: int
    seat: Seat
    action: str | None
    reasons: tuple[Seen, ...]


@dataclass(frozen=True)
class Outcome:
    """An action that was done: its canonical text (the actor's only) and the actor's view after it.

    repeated  True where this interaction had been carried out before
    draft     the actor's draft after an edit, when nothing was sent: then there was no action; or, beside
              what was done of orders at once, those that are left
    said      the phrases that say to the actor what was done; () where the game has none
    left      the same of the orders that are left
    lacking   what could not be laid as the round before
    """

    table: Table
    action: str | None
    shown: Shown
    repeated: bool = False
    draft: str | None = None
    said: tuple[Seen, ...] = ()
    left: tuple[Seen, ...] = ()
    lacking: tuple[Seen, ...] = ()


@dataclass(frozen=True)
class Draft:
    """A seat's secret choice as far as it has come, as text of the game's notation. For its own user only.

    asked  it was to be sent, and is kept until its player has said that he is sure
    """

    shown: Shown
    text: str
    version: int
    asked: bool = False


@dataclass(frozen=True)
class Vote:
    """A question to the other players: `wanted` are the seats that have not answered yet."""

    id: int
    table: Table
    kind: VoteKind
    by: Seat
    status: VoteStatus
    wanted: tuple[Seat, ...]
    ballots: dict[Seat, bool] = field(default_factory=dict)
    entry: int | None = None  # undo: the log's entry to go back to
    about: dict[str, Json] = field(default_factory=dict)  # what is asked: a seat, a clock
    closed: tuple[str, ...] = ()  # kinds of the questions that closed when this one was agreed to


@dataclass(frozen=True)
class Waiting:
    """A game of a user's: waiting since when, and for the user (`mine`) or others."""

    table: Table
    since: int
    mine: bool


@dataclass(frozen=True)
class Filters:
    """What `/game list` shows; None means any."""

    status: Status | None = None
    game: str | None = None
    user_id: int | None = None
    player_id: int | None = None  # of public tables
    most: int = 25
