"""What every game's engine promises: the Engine protocol and the values that pass through it.

State is a value: nothing here or in an engine changes an argument. Engines return
codes and parameters; words are made from them elsewhere.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from engines.chance import Chance

Seat = int
Json = Any  # what json.loads returns
Viewer = Seat | None  # None is the public, a spectator

TYPED = str.maketrans("‐‑‒–—−×", "------x")  # what phones make of the signs of a notation
ISOLATES = "\u2068\u2069"  # round an action that was copied out of a sentence from right to left
MOST_COMPLETION = 100  # characters that Discord takes
MAX_TEXT = 4000  # characters an action may have, as text or JSON


class Value(BaseModel):
    """A frozen pydantic model: the base of states, views, actions, options and events."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class RulesError(Exception):
    """An action or input that the rules refuse: a stable code and its parameters, no sentence."""

    def __init__(self, code: str, **params: Json) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


class Options(Value):
    """A game's options; a subclass a game. Unknown names and values are refused by pydantic."""


class State(Value):
    """Everything about a running game; a subclass a game. `rules` numbers its rulings."""

    rules: int = 1


class View(Value):
    """What one viewer may know, the public if `viewer` is None; a subclass a game.

    Never a seed, a hidden identity, or an order or id from which one could be worked out.
    """

    game: str
    viewer: Seat | None


class Action(Value):
    """What a player does; a subclass for each `type` of a game."""

    type: str


class Event(Value):
    """Something that happened, in the game's own terms.

    params   what everybody may know
    private  seat -> parameters that only this seat may know, laid over `params` for it
    reveals  True when a secret was shown or chance drew or threw: undo by oneself stops here
    """

    code: str
    params: dict[str, Json] = {}
    private: dict[Seat, dict[str, Json]] = {}
    reveals: bool = False

    def seen_by(self, viewer: Viewer) -> Seen:
        """The event as this viewer may know it."""
        own = self.private.get(viewer, {}) if viewer is not None else {}
        return Seen(code=self.code, params={**self.params, **own})


class Seen(Value):
    """An event without its secrets, safe to leave `tables`."""

    code: str
    params: dict[str, Json] = {}


class Result(Value):
    """How a game ended: winning seats ascending, points by seat, and a reason code."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    reason: str


class Legal(Value):
    """Legal actions in canonical notation; `complete` False where the set is too large to list."""

    complete: bool
    actions: tuple[str, ...]


class Choice(Value):
    """One entry of a panel's prompt.

    key     goes into the path when it is picked; short, without '/', '+' or ':'
    code    message id of its label below `<game>.choice.`, formatted with `params`
    marks   places on the board that the preview shows for it
    style   plain | primary | danger
    aside   True for what stands beside the question (done, odds): always a button of its own
    """

    key: str
    code: str
    params: dict[str, Json] = {}
    marks: tuple[str, ...] = ()
    style: Literal["plain", "primary", "danger"] = "plain"
    aside: bool = False


class Prompt(Value):
    """One level of the panel: a question and its answers; `least`..`most` of them may be picked.

    notes  what is to be seen beside the question, message ids below `<game>.note.`
    """

    code: str  # message id below `<game>.prompt.`
    params: dict[str, Json] = {}
    choices: tuple[Choice, ...]
    least: int = 1
    most: int = 1
    notes: tuple[Seen, ...] = ()


class Ready(Value):
    """The end of a panel's path: the action to confirm, as canonical text.

    warning  message id below `<game>.warning.` where the action should be asked about twice
             (it loses at once, it cannot be undone), else None
    once     True where the warning stands in the confirmation itself, which is not asked twice
    """

    action: str
    warning: str | None = None
    params: dict[str, Json] = {}
    once: bool = False


class Begun(Value):
    """What a seat may draft now, an action that grows before it is sent.

    round  names the occasion: a draft made for another one is dropped
    text   the draft that it begins with, canonical: empty, or what the seat has sent already
    asks   False where nobody waits for it: orders that a seat may leave, or not
    """

    round: str
    text: str
    asks: bool = True


class Edit(Value):
    """What a text made of a draft: the draft now, and the action to carry out at once where it is sent.

    doubtful  whether sending it should be asked about once more: something in it may not work
    """

    draft: str
    send: str | None = None
    doubtful: bool = False


class Step(NamedTuple):
    """What `setup` and `apply` return."""

    state: Any
    events: tuple[Event, ...]


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


class Engine(ABC, Generic[S, A, V]):
    """The rules of one game. Stateless: one instance serves every table.

    Errors: every method that takes outside input raises RulesError and nothing else.
    """

    game: ClassVar[str]  # "kamisado"
    rules: ClassVar[int] = 1  # the number of the rulings that new games begin with
    seats: ClassVar[tuple[int, ...]]  # numbers of seats the game allows, smallest first
    options_type: ClassVar[type[Options]]
    state_type: ClassVar[type[State]]
    view_type: ClassVar[type[View]]
    line_ends: ClassVar[frozenset[str]] = frozenset()  # event codes at which a perft line ends
    idle_choices: ClassVar[bool] = False  # True when a seat that need not act has choices too
    hidden: ClassVar[bool] = False  # True when seats hold secrets: hands by DM and /hand
    quiet: ClassVar[frozenset[str]] = frozenset()  # event codes that a line tells, without a board
    orders: ClassVar[bool] = False  # True when drafts are orders that the table carries out when they are due

    # -- a game's life ------------------------------------------------------------

    @abstractmethod
    def setup(self, options: Options, seats: int, chance: Chance) -> Step:
        """The first position. Raises RulesError `bad-seats`, `bad-options`."""

    @abstractmethod
    def to_act(self, state: S) -> frozenset[Seat]:
        """Seats that have to decide now; several for secret choices, none when it is over."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A, chance: Chance) -> Step:
        """The state after the action, run on to the next decision, and what happened."""

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> V:
        """What this viewer may know."""

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
    def from_position(self, position: Json, chance: Chance) -> Step:
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
            clean = text.strip().strip(ISOLATES).strip()
            if len(clean) > MAX_TEXT:
                raise RulesError("bad-action", why="too-long", most=MAX_TEXT)
            is_json = clean.startswith("{")  # which may be laid out over lines
            if not is_json:
                clean = " ".join(clean.split())  # tabs and phones' fixed blanks are blanks
            if not clean or not (is_json or clean.isprintable()):
                raise RulesError("bad-action", why="unreadable", text=printable(clean))
            if not is_json:
                return self.parse_text(clean.translate(TYPED), state, seat)
            try:
                text = json.loads(clean)
            except (ValueError, RecursionError):
                raise RulesError("bad-action", why="unreadable", text=printable(clean)) from None
        return self.parse_json(text)

    # -- counting -----------------------------------------------------------------

    def perft(self, state: S, depth: int) -> tuple[int, ...] | None:
        """Lines of exactly 1..depth actions by a fast way of the game's own; None without one."""
        return None

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

    def choices_mark(self, state: S, seat: Seat) -> str:
        """Changes when what `seat` may choose changes: buttons older than that are stale.

        By default a digest of the seat's own view; a game with simultaneous secret choices
        leaves out what others' choices alter.
        """
        return digest([self.view(state, seat).model_dump(mode="json"), seat in self.to_act(state)])

    def hand_changed(self, before: S, after: S, seat: Seat) -> bool:
        """Whether the seat's hand is to be sent anew: it sees something else, or came to act or to wait."""
        acts = (seat in self.to_act(before)) != (seat in self.to_act(after))
        return acts or self.view(before, seat) != self.view(after, seat)

    # -- drafts: secret choices that grow at the table until they are sent -----------------

    def begun(self, state: S, seat: Seat) -> Begun | None:
        """What the seat may draft now; None where its actions are done at once."""
        return None

    def edit(self, state: S, seat: Seat, draft: str, text: str) -> Edit | None:
        """What `text` makes of the seat's draft; None where it is an action as ever.

        Raises RulesError for an edit that is refused, and for sending a draft that is not complete.
        """
        return None

    def complete_draft(self, text: str, state: S, seat: Seat, draft: str) -> list[str]:
        """Completions for a seat that has a draft: whole texts of at most 100 characters, best first."""
        return self.complete(text, state, seat)

    def due(self, state: S, seat: Seat, draft: str) -> Edit | None:
        """What the orders in a seat's draft do now: the action to `send` and the orders that are left.

        None where they wait; without an action where the next one has become impossible.
        """
        return None

    # -- chapters: what the public follows in one message ------------------------------------

    def chapter(self, state: S) -> str | None:
        """Names what is going on (a battle) while its boards are one message; None for a board a step."""
        return None

    def recap(self, told: Sequence[Seen]) -> tuple[Seen, ...]:
        """What a chapter that has ended is summed up in, from all its public events.

        Codes are message ids below `<game>.recap.`.
        """
        return ()

    # -- the end --------------------------------------------------------------------------

    def statistics(self, start: Step, plies: Sequence[Step]) -> tuple[Seen, ...]:
        """What a finished game is summed up in, from its start and its standing actions.

        Codes are message ids below `<game>.statistics.`. Public: the game is over.
        """
        return ()

    # -- chance players ---------------------------------------------------------------

    def random_action(self, state: S, seat: Seat, chance: Chance) -> A:
        """A random legal action; games whose `legal` is not complete make one up."""
        return self.parse(chance.pick(self.legal(state, seat).actions), state, seat)

    # -- secrets ----------------------------------------------------------------------

    def secrets(self, state: S) -> bool:
        """Whether seats hold secrets in this state, so that their own sheets are sent to them."""
        return self.hidden

    def hides(self, options: Options) -> bool:
        """Whether seats ever hold secrets with these options, so that a hand is worth a button."""
        return self.hidden

    # -- values from outside ----------------------------------------------------------

    def read_options(self, data: Json) -> Options:
        """The game's options from JSON. Raises RulesError `bad-options` with the name at fault."""
        return read(self.options_type, data, "bad-options")

    def seat_counts(self, options: Options) -> tuple[int, ...]:
        """Numbers of seats allowed with these options, the default first."""
        return self.seats

    def load(self, data: str | bytes) -> S:
        """A state from its stored JSON. Raises RulesError `bad-state`."""
        try:
            return self.state_type.model_validate_json(data)  # type: ignore[return-value]
        except ValidationError as error:
            raise RulesError("bad-state", why=faults(error)) from None

    def dump(self, state: S) -> str:
        """The state as stored JSON, equal for equal states."""
        return canonical(state.model_dump(mode="json"))


M = TypeVar("M", bound=BaseModel)


def read(model: type[M], data: Json, code: str) -> M:
    """`data` as a value of `model`, or RulesError `code` naming the field at fault."""
    try:
        return model.model_validate(data)
    except (ValidationError, RecursionError) as error:
        why = faults(error) if isinstance(error, ValidationError) else "nested too deep"
        raise RulesError(code, why=why) from None


def faults(error: ValidationError) -> str:
    """The first fault of a pydantic error in one short line, without the input."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:80]
    return printable(f"{where}: {first['msg']}" if where else first["msg"])


def printable(text: str, most: int = 80) -> str:
    """`text` cut to `most` characters, control characters shown as '?'."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(c if c.isprintable() else "?" for c in cut)


def canonical(data: Json) -> str:
    """JSON with sorted keys and no blanks: equal for equal data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(data: Json) -> str:
    """A short stable digest of JSON data."""
    return blake2b(canonical(data).encode(), digest_size=16).hexdigest()
