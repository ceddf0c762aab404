"""What blocks and cards bring to a battle (8.2-8.4): known ones exactly, unknown ones on average."""

from __future__ import annotations

import json
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from engines.sekigahara.combat import BLOCK_IMPACT
from engines.sekigahara.odds import plays

_TABLE = json.loads((Path(__file__).parent / "impact.json").read_text(encoding="utf-8"))
_MEAN: list[list[float]] = _TABLE["mean"]
_SPREAD: list[list[float]] = _TABLE["spread"]


class Impact(NamedTuple):
    """What a force may bring: mean and standard deviation."""

    mean: float
    spread: float


def expected(blocks: int, cards: int) -> Impact:
    """Impact that unknown blocks bring with unknown cards."""
    if blocks <= 0:
        return Impact(0.0, 0.0)
    row, column = min(blocks, len(_MEAN)) - 1, min(max(cards, 0), len(_MEAN[0]) - 1)
    return Impact(_MEAN[row][column], _SPREAD[row][column])


@lru_cache(maxsize=20_000)
def most(
    free: tuple[str, ...],
    hand: tuple[str, ...],
    stands: tuple[str, ...] = (),
    *,
    led: bool = True,
    siege: bool = False,
) -> int:
    """The impact that these blocks bring with this hand, whatever adds most first."""
    total = 0
    left, cards, there = list(free), list(hand), list(stands)
    while True:
        best = max(
            plays(tuple(left), tuple(cards), tuple(there), led=led, siege=siege),
            default=None,
            key=lambda play: (play.card is None, play.adds),
        )
        if best is None:
            return total
        total += best.adds
        for face in best.blocks:
            left.remove(face)
        there.extend(best.blocks)
        if best.card is not None:
            cards.remove(best.card)
            led = False


def likely(x: float) -> float:
    """A chance by how many standard deviations lie between: near the normal one, and the same everywhere."""
    return 0.5 * (1.0 + x / sqrt(1.0 + x * x))


class Odds(NamedTuple):
    """How a battle goes: the chance to win it, blocks lost by either side, the chance that none is left."""

    wins: float
    mine: float
    theirs: float
    wiped: float  # all of mine
    wipes: float  # all of theirs


def battle(my: Impact, blocks: int, their: Impact, foes: int) -> Odds:
    """The odds by impacts, the number of blocks on both sides (8.7)."""
    (my_impact, my_spread), (their_impact, their_spread) = my, their
    spread = sqrt(my_spread * my_spread + their_spread * their_spread + 2.0)
    wins = likely((my_impact - their_impact) / spread)
    theirs = min(foes, my_impact / BLOCK_IMPACT - 0.35 + wins) if foes else 0.0
    mine = min(blocks, their_impact / BLOCK_IMPACT - 0.35 + 1.0 - wins) if blocks else 0.0
    deep = max(my_spread, 2.0)
    wipes = wins * likely((my_impact - BLOCK_IMPACT * (foes - 1)) / deep)
    deep = max(their_spread, 2.0)
    wiped = (1.0 - wins) * likely((their_impact - BLOCK_IMPACT * (blocks - 1)) / deep)
    return Odds(wins, max(mine, 0.0), max(theirs, 0.0), wiped, wipes)


def siege(impact: float, spread: float, units: int) -> tuple[float, float]:
    """Of a siege: units lost on average, the chance that all are (8.9.4)."""
    lost = min(float(units), max(0.0, impact / BLOCK_IMPACT - 0.4))
    return lost, likely((impact - BLOCK_IMPACT * units + 0.5) / max(spread, 0.3))
