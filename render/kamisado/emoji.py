"""Signs of the eight colours on their grounds, and of the two sides."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from engines.kamisado.data import COLORS
from render.canvas import Pen
from render.emoji import SIZE
from render.kamisado.signs import draw_sign
from render.theme import INK, KAMISADO, PAPER


def square(colour: str) -> Image.Image:
    """A square of the board."""
    pen = Pen(SIZE, SIZE)
    pen.box((2, 2, SIZE - 2, SIZE - 2), 22, KAMISADO[colour], PAPER, 4)
    draw_sign(pen, SIZE / 2, SIZE / 2, SIZE * 0.74, colour)
    return pen.sprite()


def tower(side: str) -> Image.Image:
    """A side's tower: White points up, Black down."""
    pen = Pen(SIZE, SIZE)
    up = [(64, 8), (112, 46), (112, 118), (16, 118), (16, 46)]
    points = up if side == "white" else [(x, SIZE - y) for x, y in up]
    pen.polygon(points, PAPER if side == "white" else INK, INK if side == "white" else PAPER, 6)
    return pen.sprite()


EMOJI: dict[str, Callable[[], Image.Image]] = {
    **{colour: partial(square, colour) for colour in COLORS},
    **{side: partial(tower, side) for side in ("black", "white")},
}
