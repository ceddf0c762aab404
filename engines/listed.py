"""A base for games whose actions can be listed: `actions` says what a seat may do, the rest follows from it.

What a game has to add: `setup`, `to_act`, `apply`, `view`, `result`, `roles`, `position`, `from_position`,
`format`, `actions` and `action_types`. What it may refine: notation that means more than the canonical
text, completions, and the panel, whose levels are the picks that `ways` names.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, TypeVar

from engines.protocol import (
    GAME_OVER,
    A,
    Action,
    Choice,
    Engine,
    Json,
    Legal,
    OptionsT,
    Prompt,
    Ready,
    RulesError,
    S,
    Seat,
    V,
    printable,
    read,
)

NO_KEY = re.compile(r"[\s/+:]+")  # what no key of a choice may have
T = TypeVar("T")


class Listed(Engine[OptionsT, S, A, V]):
    """A game whose actions can be listed; a base in place of `Engine`."""

    action_types: Mapping[str, type[A]]  # by the action's `type`
    always: ClassVar[tuple[str, ...]] = ("resign",)  # actions of one word that no list has, also out of turn

    @abstractmethod
    def actions(self, state: S, seat: Seat) -> Iterable[A]:
        """Every action of a seat that has to act, in the order of the data, without those of `always`."""

    # -- notation -----------------------------------------------------------------

    def legal(self, state: S, seat: Seat, prefix: str = "") -> Legal:
        """All of `actions`, nothing for a seat that need not act."""
        found = self.actions(state, seat) if seat in self.to_act(state) else ()
        return Legal(complete=True, actions=tuple(map(self.format, found)))

    def parse_text(self, text: str, state: S, seat: Seat) -> A:
        """The listed action with these words, in any order and case.

        Raises RulesError `not-your-turn` and, where nothing that may be done is called so, `bad-action`.
        """
        words = sorted(text.casefold().split())
        for word in self.always:
            if words == [word]:
                return self.parse_json({"type": word})
        if seat not in self.to_act(state):
            raise RulesError("not-your-turn", seat=seat)
        for action in self.actions(state, seat):
            if sorted(self.format(action).casefold().split()) == words:
                return action
        raise RulesError("bad-action", why="unreadable", text=printable(text))

    def parse_json(self, data: Json) -> A:
        """The action of its JSON, by its `type`. Raises RulesError `bad-action`."""
        kind = data.get("type") if isinstance(data, dict) else None
        if not isinstance(kind, str) or kind not in self.action_types:
            raise RulesError("bad-action", why="unreadable", text=printable(str(kind)))
        return read(self.action_types[kind], data, "bad-action")

    # -- the panel ------------------------------------------------------------------

    def choices(self, state: S, seat: Seat, path: Sequence[str] = ()) -> Prompt | Ready:
        """The panel, level by level, as `ways` divides the actions.

        Raises RulesError `game-over`, `not-your-turn`, `stale-path`.
        """
        if self.result(state) is not None:
            raise RulesError(GAME_OVER)
        if len(path) == 1 and path[0] in self.always:
            return Ready(action=path[0], warning=path[0])
        if seat not in self.to_act(state):
            raise RulesError("not-your-turn", seat=seat)
        left = branches(self.ways(state, seat), path)
        if isinstance(left, dict):
            return self.prompt(state, seat, tuple(path), left)
        return self.ready(state, seat, left[0])

    def ways(self, state: S, seat: Seat) -> Iterable[tuple[Sequence[str], A]]:
        """The actions as the panel shows them, each with the keys that are picked one after another for it.

        By default as they are listed, and each has its text as its only key.
        """
        return (((NO_KEY.sub("-", self.format(action)),), action) for action in self.actions(state, seat))

    def prompt(self, state: S, seat: Seat, path: tuple[str, ...], left: Mapping[str, Sequence[A]]) -> Prompt:
        """The question after the picks of `path`: its choices by key, each with the actions that it leaves.

        By default `<game>.prompt.action`, and a choice is `<game>.choice.<type>` with what the action holds;
        where it leaves several actions `<game>.choice.<type>-some` with what they have in common.
        """
        return Prompt(code="action", choices=tuple(choice(key, some) for key, some in left.items()))

    def ready(self, state: S, seat: Seat, action: A) -> Ready:
        """The end of a path; a game whose actions may lose at once gives it a warning."""
        return Ready(action=self.format(action))


def choice(key: str, some: Sequence[Action]) -> Choice:
    """The choice that leaves some actions."""
    first, *others = (action.model_dump(mode="json") for action in some)
    code = f"{first.pop('type')}-some" if others else first.pop("type")
    shared = {name: value for name, value in first.items() if all(one.get(name) == value for one in others)}
    return Choice(key=key, code=code, params=shared)


def branches(ways: Iterable[tuple[Sequence[str], T]], path: Sequence[str]) -> list[T] | dict[str, list[T]]:
    """What the picks of `path` leave: by their next pick, or a list where there is none any more.

    `ways` are items, each after the picks that lead to it. Raises RulesError `stale-path` where none does.
    """
    picked, done, more = tuple(path), list[T](), dict[str, list[T]]()
    for way, item in ways:
        if tuple(way[: len(picked)]) != picked:
            continue
        if len(way) == len(picked):
            done.append(item)
        else:
            more.setdefault(way[len(picked)], []).append(item)
    if not done and not more:
        raise RulesError("stale-path")
    return done or more
