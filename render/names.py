"""What people are called in pictures: one function for all games.

A picture has only our fonts. A name is drawn whole or not at all: where a sign of it is in none of them, its
account's name stands for it (Discord allows Latin letters, digits, `.` and `_` there), and the side's name
where there is no account.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import TypeVar
from unicodedata import normalize

from render.scene import Picture, Scene
from render.text import ELLIPSIS, clusters, drawable, fits
from render.theme import Type

P = TypeVar("P", bound=Picture | None)
SHORTEST = 5  # letters of a name that are kept, whatever is said of it


def pictured(names: Sequence[str], accounts: Sequence[str], sides: Sequence[str]) -> tuple[str, ...]:
    """Names by seat as pictures show them, no two of them alike.

    `accounts` are the accounts' names, "" where there is none; `sides` what each seat plays.
    """
    whole = [" ".join(normalize("NFKC", name).split()) for name in names]
    known = [*accounts, *[""] * (len(names) - len(accounts))]
    shown = [
        name if drawable(name) else account or side
        for name, account, side in zip(whole, known, sides, strict=True)
    ]
    shown = told_apart(shown, known)
    return tuple(told_apart(shown, sides))


def told_apart(names: Sequence[str], others: Sequence[str]) -> list[str]:
    """The names; those that several have are `others` instead, where there is another."""
    count = Counter(name.casefold() for name in names)
    return [
        other if count[name.casefold()] > 1 and other else name
        for name, other in zip(names, others, strict=True)
    ]


def named(
    sides: Callable[[Scene], Sequence[str]],
) -> Callable[[Callable[[Scene], P]], Callable[[Scene], P]]:
    """Makes a drawing of one that wants people's names as pictures show them.

    `sides` gives the codes of what the seats play, terms of the game's catalogue.
    """

    def decorated(drawing: Callable[[Scene], P]) -> Callable[[Scene], P]:
        @wraps(drawing)
        def drawn(scene: Scene) -> P:
            terms = [scene.words.term(scene.game, code) for code in sides(scene)[: len(scene.names)]]
            terms += [""] * (len(scene.names) - len(terms))
            return drawing(replace(scene, names=pictured(scene.names, scene.accounts, terms)))

        return drawn

    return decorated


def fitting(
    names: Sequence[str], sentence: Callable[[tuple[str, ...]], str], style: Type, room: float
) -> str:
    """The sentence with its names shortened, the longest first, until it fits: its message is never cut.

    `sentence` makes it from the names.
    """
    most = max((len(letters(name)) for name in names), default=0)
    said = sentence(tuple(names))
    while not fits(said, style, room) and most > SHORTEST:
        most -= 1
        said = sentence(tuple(brief(name, most) for name in names))
    return said


def brief(name: str, most: int) -> str:
    """A name of at most so many letters, the last one an ellipsis where it was cut."""
    parts = letters(name)
    return name if len(parts) <= most else "".join(parts[: most - 1]).rstrip() + ELLIPSIS


def letters(name: str) -> list[str]:
    """The name in letters, each with its marks."""
    return list(clusters(name))
