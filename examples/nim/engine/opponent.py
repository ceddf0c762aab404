"""The built-in opponent of Nim: hard leaves heaps whose binary sum is nothing (Bouton 1901)."""

from __future__ import annotations

from functools import reduce
from operator import xor
from typing import cast

from engines.chance import Chance
from engines.opponents import Level
from engines.protocol import View
from examples.nim.engine.model import NimView

LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")
ERRS = {"easy": 100, "normal": 40, "hard": 0}  # so often in a hundred it takes at random


def choose(view: View, level: Level, chance: Chance) -> str:
    """The action in canonical notation."""
    heaps = cast(NimView, view).heaps
    all_takes = [(n, place) for place, size in enumerate(heaps, 1) for n in range(1, size + 1)]
    nim = reduce(xor, heaps)
    good = [(n, place) for n, place in all_takes if nim ^ heaps[place - 1] == heaps[place - 1] - n]
    stones, heap = chance.pick(all_takes if not good or chance.below(100) < ERRS[level] else good)
    return f"take {stones} heap{heap}"
