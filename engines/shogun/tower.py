"""The cube tower: which cubes fall out of a throw (rules C).

Cubes are counted by seat, then farmers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.chance import Chance
from engines.shogun.model import Tower

Cubes = tuple[int, ...]


class Throw(NamedTuple):
    """A throw: what went in, what fell out, and what is inside afterwards."""

    thrown: Cubes
    fallen: Cubes
    inside: Cubes


def throw(model: Tower, inside: Sequence[int], thrown: Sequence[int], chance: Chance) -> Throw:
    """Throw cubes into the tower; each falls out or not, independent and colour-blind (C1)."""
    through = _fallen(thrown, passing(model), chance)
    loose = _fallen(inside, loosening(model, sum(thrown)), chance)
    fallen = tuple(t + i for t, i in zip(through, loose, strict=True))
    left = tuple(i + t - f for i, t, f in zip(inside, thrown, fallen, strict=True))
    return Throw(tuple(thrown), fallen, left)


def loosening(model: Tower, cubes: int) -> tuple[int, int]:
    """The chance, as a fraction of integers, that a stuck cube falls when `cubes` are thrown (C4).

    Ruling: the tower. `measured` meets the published figures, two thirds and one third, at a throw of 8.
    """
    if model == "classic":
        return 1, 3
    if model in ("open", "swap"):
        return 1, 1
    return 20**cubes - 19**cubes, 20**cubes


def passing(model: Tower) -> tuple[int, int]:
    """The chance, as a fraction of integers, that a thrown cube falls out at once (C1, C4)."""
    return {"open": (1, 1), "swap": (0, 1)}.get(model, (2, 3))


def _fallen(cubes: Sequence[int], fraction: tuple[int, int], chance: Chance) -> list[int]:
    times, out_of = fraction
    if times in (0, out_of):
        return [count * times // out_of for count in cubes]
    return [sum(chance.happens(times, out_of) for _ in range(count)) for count in cubes]
