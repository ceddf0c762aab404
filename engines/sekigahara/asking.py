"""What a panel's questions are made of, and reading the picks that answer them.

A long panel is a dialogue: a generator that yields questions, is sent picks, and ends with the action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from typing import Literal

from engines.protocol import Action, Choice, Follow, Json, Prompt, Ready, Seen
from engines.sekigahara import notation
from engines.sekigahara.board import contains

Picks = tuple[str, ...]
Dialogue = Generator[Prompt, str, Ready]
NOTHING = "-"
ENDS = Follow(code="end", action="end")  # the movement, in the same press
MOST_LISTED = 25  # answers that one select holds


def answered(dialogue: Dialogue, path: Picks) -> Prompt | Ready:
    """Where a dialogue stands after these picks. Raises ValueError where it ends before them."""
    picks = iter(path)
    try:
        asked = next(dialogue)
        for pick in picks:
            asked = dialogue.send(pick)
    except StopIteration as end:
        if next(picks, None) is not None:
            raise ValueError(path) from None
        ready: Ready = end.value
        return ready
    return asked


def finish(
    path: Picks,
    length: int,
    action: Action,
    warning: str | None = None,
    *,
    once: bool = False,
    sure: bool = False,
    then: Follow | None = None,
) -> Ready:
    """The end of a path of this length; `once`: its warning is the confirmation; `sure`: it needs none."""
    if len(path) != length:
        raise ValueError(path)
    return Ready(action=notation.text(action), warning=warning, once=once, sure=sure, then=then)


def several(items: Iterable[str], code: str) -> tuple[Choice, ...]:
    """A choice for each block or card; equal ones are numbered, so that no two look the same."""
    every = list(items)
    equal, seen = Counter(every), Counter[str]()
    choices = []
    for item in every:
        seen[item] += 1
        key = item if seen[item] == 1 else f"{item}.{seen[item]}"
        if equal[item] == 1:
            choices.append(Choice(key=key, code=code, params={"what": item}))
        else:
            params: dict[str, Json] = {"what": item, "nth": seen[item], "of": equal[item]}
            choices.append(Choice(key=key, code=f"{code}-of", params=params))
    return tuple(choices)


def once(items: Iterable[str], code: str, **params: Json) -> tuple[Choice, ...]:
    """A choice for each word."""
    return tuple(Choice(key=item, code=code, params={"what": item, **params}) for item in items)


def places(items: Iterable[str], code: str = "place") -> tuple[Choice, ...]:
    """A choice for each place, marked on the map."""
    return tuple(Choice(key=item, code=code, params={"what": item}, marks=(item,)) for item in items)


def ask(code: str, choices: Sequence[Choice], least: int = 1, most: int = 1, **params: Json) -> Prompt:
    """A prompt."""
    return Prompt(code=code, params=params, choices=tuple(choices), least=least, most=most)


def noted(found: Prompt | Ready, notes: Sequence[Seen]) -> Prompt | Ready:
    """A prompt with what is to be seen beside it; the end of a path as it is."""
    if isinstance(found, Ready):
        return found
    return found.model_copy(update={"notes": (*notes, *found.notes)})


def aside(key: str, style: Literal["plain", "primary", "danger"] = "plain", *, tells: bool = False) -> Choice:
    """What stands beside a question."""
    return Choice(key=key, code=key, style=style, aside=True, tells=tells)


def picked(pick: str, items: Iterable[str], least: int, most: int) -> tuple[str, ...]:
    """The items of a pick of several. Raises ValueError where they are not to be had."""
    names = [] if pick == NOTHING else [key.partition(".")[0] for key in pick.split("+")]
    if not least <= len(names) <= most or not contains(items, names):
        raise ValueError(pick)
    return tuple(names)


def one(pick: str, items: Iterable[str]) -> str:
    """The item of a pick of one. Raises ValueError where it is not to be had."""
    return picked(pick, items, 1, 1)[0]
