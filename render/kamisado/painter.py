"""What `render.painter` finds of Kamisado."""

from __future__ import annotations

from engines.kamisado.data import SIDES
from render.kamisado import board as board_picture
from render.kamisado.words import caption, describe
from render.names import named
from render.scene import Scene


def side(scene: Scene, seat: int) -> str:
    """What a seat plays, in words."""
    return scene.words.term("kamisado", SIDES[seat])


board = named(side)(board_picture.board)
hand = named(side)(board_picture.hand)

__all__ = [
    "board",
    "caption",
    "describe",
    "hand",
]
