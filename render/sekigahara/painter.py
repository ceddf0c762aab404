"""What `render.painter` finds of Sekigahara."""

from __future__ import annotations

from engines.sekigahara.data import SIDES
from render.names import named
from render.scene import Scene
from render.sekigahara import board as board_picture
from render.sekigahara import hand as hand_picture
from render.sekigahara.board import AREAS, PLACES
from render.sekigahara.words import caption, describe


def side(scene: Scene, seat: int) -> str:
    """What a seat plays, in words."""
    return scene.words.term("sekigahara", SIDES[seat])


board = named(side)(board_picture.board)
own_ground = named(side)(board_picture.own_ground)
hand = named(side)(hand_picture.hand)

__all__ = [
    "AREAS",
    "PLACES",
    "board",
    "caption",
    "describe",
    "hand",
    "own_ground",
]
