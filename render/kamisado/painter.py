"""What `render.painter` finds of Kamisado."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kamisado.data import SIDES
from render.kamisado import board as board_picture
from render.kamisado import finale as finale_picture
from render.kamisado import standing as standing_picture
from render.kamisado.fresh import changes
from render.kamisado.words import caption, describe
from render.names import named
from render.scene import Scene


def sides(_: Scene) -> Sequence[str]:
    """What each seat plays."""
    return SIDES


board = named(sides)(board_picture.board)
ended = named(sides)(board_picture.ended)
finale = named(sides)(finale_picture.finale)
hand = named(sides)(board_picture.hand)
standing = named(sides)(standing_picture.standing)
standing_words = standing_picture.standing_words

__all__ = [
    "board",
    "caption",
    "changes",
    "describe",
    "ended",
    "finale",
    "hand",
    "standing",
    "standing_words",
]
