"""The values that pass through an engine: states, views, actions, events, results, panels, and JSON.

All are frozen. Games import them from `engines.protocol`, which is the contract.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import to_json

Seat = int
Json = Any  # what json.loads returns
Viewer = Seat | None  # None is the public, a spectator

# options of a table, which no game's option may be called: `/game new options:` takes both
TABLE_OPTIONS = frozenset(
    {"seat", "seats", "level", "private", "aids", "clock", "bank", "increment", "cap", "timeout"}
)


class Unkept:
    """An attribute of which nothing is kept: there are no names in it, whatever was set."""

    def __get__(self, one: object, kind: type | None = None) -> set[str]:
        return set()

    def __set__(self, one: object, names: set[str]) -> None: ...


class Value(BaseModel):
    """A frozen pydantic model: the base of states, views, actions, options and events.

    It does not know which of its fields were given and which left out (`exclude_unset`): a set of their names
    beside each was half of the memory of a position.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
    __pydantic_fields_set__ = Unkept()


class RulesError(Exception):
    """An action or input that the rules refuse: a stable code and its parameters, no sentence."""

    def __init__(self, code: str, **params: Json) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


class Options(Value):
    """A game's options; a subclass a game. Unknown names and values are refused by pydantic.

    An option that is called as a table's (`TABLE_OPTIONS`) cannot be chosen by anybody: a TypeError.
    """

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Refuses names of a table's options, also as an alias."""
        super().__pydantic_init_subclass__(**kwargs)
        names = {*cls.model_fields, *(field.alias for field in cls.model_fields.values())}
        if taken := sorted(TABLE_OPTIONS.intersection(names)):
            raise TypeError(f"{cls.__module__}.{cls.__name__}: a table's options are called {taken} too")


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


GAME_OVER = "game-over"  # the event that ends a game, and the error of an action after it


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


def game_over(result: Result, *, reveals: bool = False) -> Event:
    """The last event of every game: its result, told alike in all."""
    params = {"winners": list(result.winners), "scores": list(result.scores), "reason": result.reason}
    return Event(code=GAME_OVER, params=params, reveals=reveals)


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
    tells   True for what only tells more of the same question (odds) and leads to no action of its own
    """

    key: str
    code: str
    params: dict[str, Json] = {}
    marks: tuple[str, ...] = ()
    style: Literal["plain", "primary", "danger"] = "plain"
    aside: bool = False
    tells: bool = False


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


def only_pick(step: Prompt | Ready) -> str | None:
    """What answers a question that leaves nothing to decide, as a pick's keys; None where there is a choice.

    What stands beside a question is a choice too.
    """
    if isinstance(step, Ready) or not step.choices or any(choice.aside for choice in step.choices):
        return None
    return "+".join(choice.key for choice in step.choices) if step.least == len(step.choices) else None


class Follow(Value):
    """An action that the confirmation of another offers to do as well, in the same press.

    code    message id of its button below `<game>.then.`
    action  canonical text; legal once the other is done, or refused then: the other stands
    """

    code: str
    action: str


class Ready(Value):
    """The end of a panel's path: the action to confirm, as canonical text.

    warning  message id below `<game>.warning.` where the action should be asked about twice
             (it loses at once, it cannot be undone), else None
    once     True where the warning stands in the confirmation itself, which is not asked twice
    sure     True where nothing is lost by it: the press that picked it carries it out, unasked
    then     what may be done at once after it, by a second button
    """

    action: str
    warning: str | None = None
    params: dict[str, Json] = {}
    once: bool = False
    sure: bool = False
    then: Follow | None = None


S_co = TypeVar("S_co", bound=State, covariant=True)


class Step(NamedTuple, Generic[S_co]):
    """What `setup` and `apply` return."""

    state: S_co
    events: tuple[Event, ...]


V_co = TypeVar("V_co", bound=View, covariant=True)


class Sight(NamedTuple, Generic[V_co]):
    """What a seat sees, and whether it has to decide."""

    view: V_co
    acts: bool


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


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(data: Json) -> str:
    """JSON with sorted keys and no blanks: equal for equal data."""
    return _CANONICAL.encode(data)


def written(data: Json) -> str:
    """JSON of values, and of what holds some, as it comes: five times as quick as `canonical`."""
    return to_json(data, by_alias=False).decode()


def digest(data: Json) -> str:
    """A short stable digest of JSON data."""
    return hashed(canonical(data))


def hashed(text: str) -> str:
    """A short stable digest of a text."""
    return blake2b(text.encode(), digest_size=16).hexdigest()
