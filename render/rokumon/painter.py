"""What `render.painter` finds of Rokumon."""

from render.rokumon.board import board, ended, hand
from render.rokumon.words import caption, describe

__all__ = [
    "board",
    "caption",
    "describe",
    "ended",
    "hand",
]
