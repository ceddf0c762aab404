"""What `render.painter` finds of Shogun."""

from __future__ import annotations

from collections.abc import Sequence

from engines.shogun.data import PROVINCES, REGIONS
from render.names import named
from render.scene import Scene
from render.shogun import board as board_picture
from render.shogun import focus as focus_picture
from render.shogun import hand as hand_picture
from render.shogun import score
from render.shogun import standing as standing_picture
from render.shogun.emoji import EMOJI
from render.shogun.since import changes
from render.shogun.standing import standing_words
from render.shogun.words import HOUSE, caption, describe, turn
from render.theme import SHOGUN

ACCENT = SHOGUN["uesugi"]

AREAS = REGIONS
PLACES = PROVINCES
LAYERS = ("values",)  # chests and rice in place of armies


def sides(_: Scene) -> Sequence[str]:
    """What each seat plays."""
    return HOUSE


board = named(sides)(board_picture.board)
hand = named(sides)(hand_picture.hand)
focus = named(sides)(focus_picture.focus)
standing = named(sides)(standing_picture.standing)
finale = named(sides)(score.finale)

__all__ = [
    "ACCENT",
    "AREAS",
    "EMOJI",
    "LAYERS",
    "PLACES",
    "board",
    "caption",
    "changes",
    "describe",
    "finale",
    "focus",
    "hand",
    "standing",
    "standing_words",
    "turn",
]
