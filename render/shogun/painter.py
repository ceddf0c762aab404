"""What `render.painter` finds of Shogun."""

from __future__ import annotations

from render.names import named
from render.scene import Scene
from render.shogun import board as board_picture
from render.shogun import hand as hand_picture
from render.shogun import score
from render.shogun.words import HOUSE, caption, describe


def side(scene: Scene, seat: int) -> str:
    """What a seat plays, in words."""
    return scene.words.term("shogun", HOUSE[seat])


board = named(side)(board_picture.board)
hand = named(side)(hand_picture.hand)
summary = named(side)(score.summary)

__all__ = [
    "board",
    "caption",
    "describe",
    "hand",
    "summary",
]
