"""What `render.painter` finds of Sekigahara."""

from __future__ import annotations

from collections.abc import Sequence

from engines.sekigahara.data import SIDES
from render.names import named
from render.scene import Scene
from render.sekigahara import board as board_picture
from render.sekigahara import finale as finale_picture
from render.sekigahara import focus as focus_picture
from render.sekigahara import hand as hand_picture
from render.sekigahara import standing as standing_picture
from render.sekigahara.board import AREAS, PLACES
from render.sekigahara.emoji import ALIKE, EMOJI
from render.sekigahara.fresh import changes
from render.sekigahara.standing import standing_words
from render.sekigahara.words import caption, describe, turn
from render.theme import SEKIGAHARA

ACCENT = SEKIGAHARA["highway"]


def sides(_: Scene) -> Sequence[str]:
    """What each seat plays."""
    return SIDES


board = named(sides)(board_picture.board)
own_ground = named(sides)(board_picture.own_ground)
hand = named(sides)(hand_picture.hand)
finale = named(sides)(finale_picture.finale)
focus = named(sides)(focus_picture.focus)
standing = named(sides)(standing_picture.standing)

__all__ = [
    "ACCENT",
    "ALIKE",
    "AREAS",
    "EMOJI",
    "PLACES",
    "board",
    "caption",
    "changes",
    "describe",
    "finale",
    "focus",
    "hand",
    "own_ground",
    "standing",
    "standing_words",
    "turn",
]
