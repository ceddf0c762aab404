"""What `render.painter` finds of Sekigahara."""

from render.sekigahara.board import AREAS, PLACES, board, own_ground
from render.sekigahara.hand import hand
from render.sekigahara.words import caption, describe

__all__ = [
    "AREAS",
    "PLACES",
    "board",
    "caption",
    "describe",
    "hand",
    "own_ground",
]
