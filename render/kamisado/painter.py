"""What `render.painter` finds of Kamisado."""

from render.kamisado.board import board, ended, hand
from render.kamisado.words import caption, describe

__all__ = [
    "board",
    "caption",
    "describe",
    "ended",
    "hand",
]
