"""What `render.painter` finds of Shogun."""

from render.shogun.board import board
from render.shogun.hand import hand
from render.shogun.score import summary
from render.shogun.words import caption, describe

__all__ = [
    "board",
    "caption",
    "describe",
    "hand",
    "summary",
]
