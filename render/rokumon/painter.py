"""What `render.painter` finds of Rokumon."""

from __future__ import annotations

from collections.abc import Sequence

from render.names import named
from render.rokumon import board as board_picture
from render.rokumon import finale as finale_picture
from render.rokumon import standing as standing_picture
from render.rokumon.emoji import EMOJI
from render.rokumon.fresh import changes
from render.rokumon.words import caption, describe, view_of
from render.rokumon.words import turn as turning
from render.scene import Scene
from render.theme import ROKUMON
from render.words import joined

ACCENT = ROKUMON["jade"]


def sides(scene: Scene) -> Sequence[str]:
    """What each seat plays."""
    return view_of(scene).clans


def turn(scene: Scene) -> str:
    """Who is to act, and how."""
    return joined(turning(scene))


board = named(sides)(board_picture.board)
ended = named(sides)(board_picture.ended)
finale = named(sides)(finale_picture.finale)
focus = named(sides)(board_picture.focus)
hand = named(sides)(board_picture.hand)
standing = named(sides)(standing_picture.standing)
standing_words = standing_picture.standing_words

__all__ = [
    "ACCENT",
    "EMOJI",
    "board",
    "caption",
    "changes",
    "describe",
    "ended",
    "finale",
    "focus",
    "hand",
    "standing",
    "standing_words",
    "turn",
]
