"""Two plain plans of Kamisado: home as fast as it goes, and as little room as possible for the other side."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from engines.chance import Chance
from engines.kamisado.foresight import answer_to
from engines.kamisado.model import KamisadoView, Target
from engines.protocol import View

ENDS = ("left", "right")


def far(view: View, chance: Chance) -> str:
    """A win if there is one, else as far forward as it goes; pushes where it can."""
    return chosen(cast(KamisadoView, view), chance, lambda _, one: 8 * (one.kind == "push") + steps(one))


def narrow(view: View, chance: Chance) -> str:
    """A win, else no win for the other side, then the tower that has the fewest moves."""

    def worth(seen: KamisadoView, one: Target) -> int:
        answer = answer_to(seen, notation(one))
        if answer is None:
            return 0
        if answer.again:
            return 50
        return -100 if answer.wins else -len(answer.reach)

    return chosen(cast(KamisadoView, view), chance, worth)


def chosen(view: KamisadoView, chance: Chance, worth: Callable[[KamisadoView, Target], int]) -> str:
    """The move of the highest worth, a win before all; of equal ones any."""
    if view.phase == "fill":
        return f"fill {chance.pick(ENDS)}"
    marks = {one: 1000 if one.wins else worth(view, one) for one in view.targets}
    most = max(marks.values())
    return notation(chance.pick([one for one, mark in marks.items() if mark == most]))


def steps(target: Target) -> int:
    """How many ranks a move goes forward."""
    return abs(int(target.to[1]) - int(target.from_[1]))


def notation(target: Target) -> str:
    """A target as the text of its action."""
    return f"{target.from_}{'x' if target.kind == 'push' else '-'}{target.to}"


PLANS = {"greedy-far": far, "greedy-narrow": narrow}
