"""What `render.painter` finds of Sekigahara."""

from __future__ import annotations

from collections.abc import Sequence

from engines.sekigahara.data import SIDES
from render.names import named
from render.scene import Scene
from render.sekigahara import board as board_picture
from render.sekigahara import hand as hand_picture
from render.sekigahara.board import AREAS, PLACES
from render.sekigahara.emoji import EMOJI
from render.sekigahara.words import caption, describe, turn
from render.theme import SEKIGAHARA

ACCENT = SEKIGAHARA["highway"]


def sides(_: Scene) -> Sequence[str]:
    """What each seat plays."""
    return SIDES


board = named(sides)(board_picture.board)
own_ground = named(sides)(board_picture.own_ground)
hand = named(sides)(hand_picture.hand)

__all__ = [
    "ACCENT",
    "AREAS",
    "EMOJI",
    "PLACES",
    "board",
    "caption",
    "describe",
    "hand",
    "own_ground",
    "turn",
]
