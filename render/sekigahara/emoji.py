"""The crests of the sides, every block's face, the clans of the cards, and kinds of places."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from engines.sekigahara.data import BLOCK_ORDER, CARD_COUNTS, CASTLES, PLACES, SIDES
from render.canvas import Pen
from render.emoji import SIZE
from render.sekigahara.geography import kind_of
from render.sekigahara.pieces import GLYPHS, MONS, SIDE_FILL, SIDE_INK, block, card_face, chip, marker, mon
from render.theme import PAPER

FACE = SIZE - 14  # a block is a little taller than wide


def crest(side: str) -> Image.Image:
    """A side's crest."""
    return chip(side, SIZE / 2 - 4)


def clan(name: str, side: str) -> Image.Image:
    """A clan's mon on its side's colour."""
    pen = Pen(SIZE, SIZE)
    pen.box((2, 2, SIZE - 2, SIZE - 2), 22, SIDE_FILL[side], PAPER, 4)
    image = pen.sprite()
    image.alpha_composite(mon(name, SIZE * 0.74, SIDE_INK[side], SIDE_FILL[side]), (17, 17))
    return image


def card(name: str, side: str) -> Image.Image:
    """A card as it lies in the hand."""
    return card_face(name, side, 92, SIZE)


def place(kind: str, side: str | None) -> Image.Image:
    """A place as the map marks it; a town, which is a small circle there, as large as the others."""
    k = SIZE / (33 if kind == "town" else 56)
    made = marker(kind, side, k)
    edge = (made.width - SIZE) // 2
    return made.crop((edge, edge, edge + SIZE, edge + SIZE))


CLANS = {name: side for side in SIDES for name in CARD_COUNTS[side] if name in MONS or name in GLYPHS}
EMOJI: dict[str, Callable[[], Image.Image]] = {
    **{face: partial(block, face, FACE) for face in BLOCK_ORDER},
    **{name: partial(card, name, side) for side in SIDES for name in CARD_COUNTS[side]},
    **{name: partial(clan, name, side) for name, side in CLANS.items()},
    **{side: partial(crest, side) for side in SIDES},
    **{f"castle-{side}": partial(place, "castle", side) for side in SIDES},
    **{kind: partial(place, kind, None) for kind in ("capital", "resource", "town")},
}
ALIKE = {name: f"castle-{CASTLES[name]}" if name in CASTLES else kind_of(name) for name in PLACES}
