"""What `render.painter` finds of Kamisado."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kamisado.data import SIDES
from render.kamisado import board as board_picture
from render.kamisado.emoji import EMOJI
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
hand = named(sides)(board_picture.hand)

__all__ = [
    "ACCENT",
    "EMOJI",
    "board",
    "caption",
    "describe",
    "ended",
    "hand",
    "turn",
]
