"""What `render.painter` finds of Rokumon."""

from __future__ import annotations

from render.names import named
from render.rokumon import board as board_picture
from render.rokumon.words import caption, describe, seen
from render.scene import Scene


def side(scene: Scene, seat: int) -> str:
    """What a seat plays, in words."""
    return scene.words.term("rokumon", seen(scene).clans[seat])


board = named(side)(board_picture.board)
ended = named(side)(board_picture.ended)
hand = named(side)(board_picture.hand)

__all__ = [
    "board",
    "caption",
    "describe",
    "ended",
    "hand",
]
