"""What every game's engine promises: the Engine protocol, on a page.

State is a value: nothing here or in an engine changes an argument. Engines return
codes and parameters; words are made from them elsewhere. The values that pass through
(`engines.values`) are imported from here.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from pydantic import ValidationError

from engines.chance import Chance
from engines.typed import plainly
from engines.values import (
    GAME_OVER,
    Action,
    Choice,
    Event,
    Follow,
    Json,
    Legal,
    Options,
    Prompt,
    Ready,
    Result,
    RulesError,
    Seat,
    Seen,
    Sight,
    State,
    Step,
    Value,
    View,
    Viewer,
    canonical,
    digest,
    faults,
    game_over,
    hashed,
    only_pick,
    printable,
    read,
    written,
)

__all__ = [
    "GAME_OVER",
    "Action",
    "AnyEngine",
    "Choice",
    "Engine",
    "Event",
    "Follow",
    "Json",
    "Legal",
    "Options",
    "Prompt",
    "Ready",
    "Result",
    "RulesError",
    "Seat",
    "Seen",
    "Sight",
    "State",
    "Step",
    "Value",
    "View",
    "Viewer",
    "canonical",
    "digest",
    "faults",
    "game_over",
    "hashed",
    "only_pick",
    "printable",
    "read",
    "written",
]

MOST_COMPLETION = 100  # characters that Discord takes
MAX_TEXT = 4000  # characters an action may have, as text or JSON

OptionsT = TypeVar("OptionsT", bound=Options)
S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)


def continuing(text: str, actions: Sequence[str]) -> list[str]:
    """Those of at most 100 characters that begin as `text` does, then those that hold all its words."""
    words = text.casefold().split()
    start = " ".join(words)
    short = [action for action in actions if len(action) <= MOST_COMPLETION]
    starts = [action for action in short if action.casefold().startswith(start)]
    known = set(starts)
    return starts + [a for a in short if a not in known and all(word in a.casefold() for word in words)]


class Engine(ABC, Generic[OptionsT, S, A, V]):
    """The rules of one game. Stateless: one instance serves every table.

    What only some games have is a capability (`engines.capabilities`) that a game takes as another base.
    A game whose actions can be listed is a `Listed` (`engines.listed`), which does most of this for it.
    Errors: every method that takes outside input raises RulesError and nothing else; an action after the
    end raises `game-over`, as the event that ends a game is called (`values.game_over`).
    """

    game: ClassVar[str]  # "kamisado"
    rules: ClassVar[int] = 1  # the number of the rulings that new games begin with
    seats: ClassVar[tuple[int, ...]]  # numbers of seats the game allows, smallest first
    one_view: ClassVar[bool] = False  # whether all see the same: their views differ in `viewer` alone
    quick: ClassVar[bool] = False  # whether a panel and completions take no longer than a way to a thread
    options_type: type[OptionsT]
    state_type: type[S]
    view_type: type[V]

    # -- a game's life ------------------------------------------------------------

    @abstractmethod
    def setup(self, options: OptionsT, seats: int, chance: Chance) -> Step[S]:
        """The first position. Raises RulesError `bad-seats`, `bad-options`."""

    @abstractmethod
    def to_act(self, state: S) -> frozenset[Seat]:
        """Seats that have to decide now; several for secret choices, none when it is over."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A, chance: Chance) -> Step[S]:
        """The state after the action, run on to the next decision, and what happened."""

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> V:
        """What this viewer may know."""

    def sight(self, state: S, seat: Seat) -> Sight[V]:
        """What a seat sees, and whether it has to decide."""
        return Sight(self.view(state, seat), seat in self.to_act(state))

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """How the game ended, or None while it runs."""

    def upcoming(self, state: S) -> Seat | None:
        """The seat that acts after the only one to act, where that is known: by seating by default."""
        acting = self.to_act(state)
        return (min(acting) + 1) % len(self.roles(state)) if len(acting) == 1 else None

    def retired(self, state: S) -> frozenset[Seat]:
        """Seats that resigned while the others play on."""
        return frozenset()

    @abstractmethod
    def roles(self, state: S) -> tuple[str, ...]:
        """By seat, the code of the side it plays (`black`, `sanada`), a term of the catalogue."""

    # -- positions (the Position section of each spec) ----------------------------------

    @abstractmethod
    def position(self, state: S) -> dict[str, Json]:
        """The whole position as the spec's JSON. For tests and finished games only."""

    @abstractmethod
    def from_position(self, position: Json, chance: Chance) -> Step[S]:
        """The state of a position, run on until somebody has to decide. Raises `bad-position`."""

    # -- notation ---------------------------------------------------------------

    @abstractmethod
    def parse_text(self, text: str, state: S, seat: Seat) -> A:
        """The action that this notation means here; any order, case and blanks.

        Raises RulesError `bad-action` where it cannot be read. Legality is `apply`'s work.
        """

    @abstractmethod
    def parse_json(self, data: Json) -> A:
        """The action of this JSON. Raises RulesError `bad-action`."""

    @abstractmethod
    def format(self, action: A) -> str:
        """The action in canonical notation; sets in the order of the data."""

    @abstractmethod
    def legal(self, state: S, seat: Seat, prefix: str = "") -> Legal:
        """What `seat` may do now, without what is always possible (`resign` and the like)."""

    def complete(self, text: str, state: S, seat: Seat) -> list[str]:
        """Legal whole actions of at most 100 characters that continue `text`, best first."""
        return continuing(text, self.legal(state, seat, " ".join(text.casefold().split())).actions)

    def parse(self, text: str | Mapping[str, Json], state: S, seat: Seat) -> A:
        """The action of a text in notation or JSON, or of parsed JSON. Raises `bad-action`."""
        if isinstance(text, str):
            if len(text.strip()) > MAX_TEXT:
                raise RulesError("bad-action", why="too-long", most=MAX_TEXT)
            clean = plainly(text)
            is_json = clean.startswith("{")  # which may be laid out over lines
            if not clean or not (is_json or clean.isprintable()):
                raise RulesError("bad-action", why="unreadable", text=printable(clean))
            if not is_json:
                return self.parse_text(clean, state, seat)
            try:
                text = json.loads(clean)
            except (ValueError, RecursionError):
                raise RulesError("bad-action", why="unreadable", text=printable(clean)) from None
        return self.parse_json(text)

    # -- panels -------------------------------------------------------------------

    @abstractmethod
    def choices(self, state: S, seat: Seat, path: Sequence[str] = ()) -> Prompt | Ready:
        """The panel after the picks of `path`: the next prompt, or the action to confirm.

        A pick of several choices is one word, their keys joined by '+', or '-' for none. Raises
        RulesError `stale-path` where the path is not of this position, `not-your-turn`.
        """

    def confirm(self, state: S, seat: Seat, action: A) -> Ready:
        """A typed action as the panel would confirm it: with the warning where it loses at once.

        By default none; what is not legal has none either.
        """
        return Ready(action=self.format(action))

    def choices_mark(self, state: S, seat: Seat, sight: Sight[V] | None = None) -> str:
        """Changes when what `seat` may choose changes: buttons older than that are stale.

        `sight`: the seat's own, from who has it already.

        By default a digest of the seat's own view; a game with simultaneous secret choices
        leaves out what others' choices alter.
        """
        own = sight or self.sight(state, seat)
        return hashed(written([own.view, own.acts]))

    # -- values from outside ----------------------------------------------------------

    def read_options(self, data: Json) -> OptionsT:
        """The game's options from JSON. Raises RulesError `bad-options` with the name at fault."""
        return read(self.options_type, data, "bad-options")

    def seat_counts(self, options: OptionsT) -> tuple[int, ...]:
        """Numbers of seats allowed with these options, the default first."""
        return self.seats

    def load(self, data: str | bytes) -> S:
        """A state from its stored JSON. Raises RulesError `bad-state`."""
        try:
            return self.state_type.model_validate_json(data)
        except ValidationError as error:
            raise RulesError("bad-state", why=faults(error)) from None

    def dump(self, state: S) -> str:
        """The state as stored JSON, equal for equal states."""
        return canonical(state.model_dump(mode="json"))


AnyEngine = Engine[Options, State, Action, View]
"""The engine of some game, as `engines.registry` gives it: its values go back to it alone."""
