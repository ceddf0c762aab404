"""What `render.painter` finds of Shogun."""

from __future__ import annotations

from collections.abc import Sequence

from render.names import named
from render.scene import Scene
from render.shogun import board as board_picture
from render.shogun import hand as hand_picture
from render.shogun import score
from render.shogun.emoji import EMOJI
from render.shogun.words import HOUSE, caption, describe, turn
from render.theme import SHOGUN

ACCENT = SHOGUN["uesugi"]


def sides(_: Scene) -> Sequence[str]:
    """What each seat plays."""
    return HOUSE


board = named(sides)(board_picture.board)
hand = named(sides)(hand_picture.hand)
finale = named(sides)(score.finale)

__all__ = [
    "ACCENT",
    "EMOJI",
    "board",
    "caption",
    "describe",
    "finale",
    "hand",
    "turn",
]
