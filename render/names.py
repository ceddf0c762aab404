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
from render.text import drawable

P = TypeVar("P", bound=Picture | None)


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
