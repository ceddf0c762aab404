"""The crests of the houses, the signs of actions and special cards, and the shapes of the provinces."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from engines.shogun.data import PROVINCES
from render.canvas import Pen
from render.emoji import SIZE
from render.place import Place
from render.shogun.icons import HOUSES, ICONS, crest
from render.shogun.map import POLYGONS
from render.theme import INK, PAPER, WASHI

EDGE = 9  # pixels of a province's border and of the paper around it


def action(name: str) -> Image.Image:
    """An action's sign on a paper card."""
    pen = Pen(SIZE, SIZE)
    pen.box((2, 2, SIZE - 2, SIZE - 2), 22, PAPER, INK, 4)
    ICONS[name](Place(pen, SIZE / 2, SIZE / 2, SIZE * 0.72, INK, PAPER))
    return pen.sprite()


def province(name: str) -> Image.Image:
    """A province's shape on the map."""
    ring = POLYGONS[name]
    left, top = min(x for x, _ in ring), min(y for _, y in ring)
    wide, tall = max(x for x, _ in ring) - left, max(y for _, y in ring) - top
    scale = (SIZE - 2 * EDGE) / max(wide, tall)
    aside, below = (SIZE - wide * scale) / 2, (SIZE - tall * scale) / 2
    shape = [((x - left) * scale + aside, (y - top) * scale + below) for x, y in ring]
    pen = Pen(SIZE, SIZE)
    pen.line([*shape, shape[0]], PAPER, 2 * EDGE)
    pen.line([*shape, shape[0]], INK, EDGE)
    pen.polygon(shape, WASHI)
    return pen.sprite()


EMOJI: dict[str, Callable[[], Image.Image]] = {
    **{house: partial(crest, house, SIZE / 2 - 6) for house in HOUSES},
    **{name: partial(action, name) for name in ICONS},
    **{name: partial(province, name) for name in PROVINCES},
}
