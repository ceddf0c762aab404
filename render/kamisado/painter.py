"""What `render.painter` finds of Kamisado."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kamisado.data import SIDES
from render.kamisado import board as board_picture
from render.kamisado import finale as finale_picture
from render.kamisado import standing as standing_picture
from render.kamisado.emoji import EMOJI
from render.kamisado.fresh import changes
from render.kamisado.words import caption, describe
from render.kamisado.words import turn as turning
from render.names import named
from render.scene import Scene
from render.theme import KAMISADO
from render.words import joined

ACCENT = KAMISADO["orange"]


def sides(_: Scene) -> Sequence[str]:
    """What each seat plays."""
    return SIDES


def turn(scene: Scene) -> str:
    """Who is to act, and how."""
    return joined(turning(scene))


board = named(sides)(board_picture.board)
ended = named(sides)(board_picture.ended)
finale = named(sides)(finale_picture.finale)
hand = named(sides)(board_picture.hand)
standing = named(sides)(standing_picture.standing)
standing_words = standing_picture.standing_words
stands = standing_picture.stands

__all__ = [
    "ACCENT",
    "EMOJI",
    "board",
    "caption",
    "changes",
    "describe",
    "ended",
    "finale",
    "hand",
    "standing",
    "standing_words",
    "stands",
    "turn",
]
