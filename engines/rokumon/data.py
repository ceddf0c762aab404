"""Rokumon's material: warriors, coin tiles, layouts, and which act has which rule.

The numbers stand in data.json; the rulebook's pictures are lost, so the pips and the warriors' values
are rulings (P1, P2).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, Literal

DATA: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("data.json").read_text("utf-8"))

Side = int  # 0 Sanada, 1 Tokugawa
Clan = Literal["sanada", "tokugawa"]
Level = Literal["easy", "medium", "hard"]
Layout = Literal["square", "bricks", "hexagon"]

CLANS: Final[tuple[Clan, Clan]] = ("sanada", "tokugawa")
LETTERS: Final = ("s", "t")  # the first letter of each clan's warriors
WARRIORS: Final[tuple[tuple[str, ...], ...]] = tuple(tuple(DATA["warriors"][clan]) for clan in CLANS)  # P1
STRENGTH: Final[dict[str, int]] = DATA["strength"]  # Ruling: the tokens
ORDER: Final = {token: n for n, token in enumerate(STRENGTH)}  # how warriors are listed
GIANT: Final[str] = DATA["giant"]
GIANT_KILLER: Final[str] = DATA["giant_killer"]
PIPS: Final[tuple[int, ...]] = tuple(DATA["pips"])  # P2; Ruling: the tiles
ACTS: Final[int] = DATA["acts"]
REVENGE_TOKENS: Final[int] = DATA["revenge_tokens"]  # P3
BATTLES: Final[int] = DATA["battles"]
ROWS: Final[dict[Layout, tuple[tuple[str, ...], ...]]] = {
    layout: tuple(map(tuple, rows)) for layout, rows in DATA["layouts"].items()
}

SOLO: Final = 0  # the number of the "act" that a solo battle is
FIGHT_FROM: Final = 3  # the act that brings the Fight (T1)
SURPRISE_FROM: Final = 4  # ... and the Surprise (T1)
MARU_FROM: Final = 5  # Sanada Maru lies face down (L5)
OPEN_FROM: Final = 6  # every warrior is face up (T11)
ACTS_TAKEN_BACK: Final = 2  # rulings since which a Deploy or Move that ended an act is taken back too
REPEATS: Final = 3  # times that a position may come up before the act is void (W6)


def layout_of(act: int) -> Layout:
    """The layout that an act is dealt in (L1, L2, L3)."""
    return "hexagon" if act == SOLO else "square" if act == 1 else "bricks"


def cells_of(layout: Layout) -> tuple[str, ...]:
    """A layout's cells in the order of dealing: left to right, top row first (L4)."""
    return tuple(cell for row in ROWS[layout] for cell in row)


def warriors_of(side: Side, level: str | None) -> tuple[str, ...]:
    """The warriors that a clan starts an act with; solo `hard` leaves one out (Solo 4)."""
    left_out = DATA["solo"][level]["left_out"] if level else None
    tokens = list(WARRIORS[side])
    if left_out in tokens:
        tokens.remove(left_out)
    return tuple(tokens)


def human_side(level: str) -> Side:
    """The clan that the human leads in solo (Solo 4)."""
    return CLANS.index(DATA["solo"][level]["clan"])


def color_of(pips: int, down: bool) -> str:
    """A tile's colour: odd is jade, even is gold, face down is Sanada Maru, a colour of its own (P2, L5)."""
    return "maru" if down else "jade" if pips % 2 else "gold"
