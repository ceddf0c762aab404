"""The crests of the houses, and the signs of actions and special cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from render.canvas import Pen
from render.emoji import SIZE
from render.place import Place
from render.shogun.icons import HOUSES, ICONS, crest
from render.theme import INK, PAPER


def action(name: str) -> Image.Image:
    """An action's sign on a paper card."""
    pen = Pen(SIZE, SIZE)
    pen.box((2, 2, SIZE - 2, SIZE - 2), 22, PAPER, INK, 4)
    ICONS[name](Place(pen, SIZE / 2, SIZE / 2, SIZE * 0.72, INK, PAPER))
    return pen.sprite()


EMOJI: dict[str, Callable[[], Image.Image]] = {
    **{house: partial(crest, house, SIZE / 2 - 6) for house in HOUSES},
    **{name: partial(action, name) for name in ICONS},
}
