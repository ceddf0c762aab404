"""Shogun's small pictures: crests of the daimyos, buildings, goods, cubes, unrest, the ten actions."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from PIL import Image

from render.canvas import Pen, Point
from render.crests import bar_and_stars, gourd, three_hollyhocks, two_sparrows
from render.emblems import bowl, crossed_swords, keep
from render.kept import kept
from render.place import Place
from render.theme import INK, NIGHT, PAPER, SHOGUN, SHU, SHU_DARK

FARMER_GREEN = "#5E8C61"
WORDS_ON = {"uesugi": PAPER, "mori": INK, "tokugawa": PAPER, "takeda": PAPER, "hashiba": INK}

Draw = Callable[[Place], None]


# -- crests -------------------------------------------------------------------------------


def four_diamonds(place: Place) -> None:
    """Takeda: a diamond cut in four."""
    for x, y in ((0, -24), (0, 24), (-24, 0), (24, 0)):
        place.shape([(x, y - 20), (x + 20, y), (x, y + 20), (x - 20, y)])


HOUSES: dict[str, Draw] = {
    "uesugi": two_sparrows,
    "mori": bar_and_stars,
    "tokugawa": three_hollyhocks,
    "takeda": four_diamonds,
    "hashiba": gourd,
}


@kept
def crest(house: str, radius: float, edge: str | None = None) -> Image.Image:
    """A house's chip: its crest on its colour in a ring, `radius` pixels to the ring's middle."""
    fill, word = SHOGUN[house], WORDS_ON[house]
    middle = radius + 3
    pen = Pen(2 * middle, 2 * middle)
    pen.circle(middle, middle, radius - 1.5, fill, edge or word, 2.5)
    HOUSES[house](Place(pen, middle, middle, radius * (1.3 if house != "tokugawa" else 1.75), word, fill))
    return pen.sprite()


# -- things -------------------------------------------------------------------------------


def sanmon(place: Place) -> None:
    """A temple's gate: one wide roof with upswept eaves and a ridge, on pillars and a step."""
    place.shape([(-20, -46), (20, -46), (23, -37), (-23, -37)])
    eaves = [(-52, -16), (-36, -20), (-22, -37), (22, -37), (36, -20), (52, -16), (49, -5), (36, -9)]
    place.shape([*eaves, (-36, -9), (-49, -5)])
    place.shape([(-36, -3), (36, -3), (36, 8), (-36, 8)])
    for x in (-30, -10, 10, 30):
        place.shape([(x - 6, 8), (x + 6, 8), (x + 6, 34), (x - 6, 34)])
    place.shape([(-44, 34), (44, 34), (44, 45), (-44, 45)])


def fan(place: Place) -> None:
    """A theater's fan: seven ribs."""
    for number in range(7):
        a = (-66 + 22 * number) * pi / 180
        wide = 9.6 * pi / 180
        place.shape([(70 * sin(a + s) * r, 34 - 70 * cos(a + s) * r) for s, r in _rib(wide)])
    place.stroke([(0, 30), (0, 42)], 8)


def _rib(wide: float) -> tuple[tuple[float, float], ...]:
    return ((-wide, 0.34), (-wide, 1.0), (wide, 1.0), (wide, 0.34), (0.0, 0.05))


def chest(place: Place) -> None:
    """A money chest."""
    place.shape([(-44, -30), (-40, -36), (40, -36), (44, -30), (44, 34), (-44, 34)])
    place.shape([(-44, -10), (44, -10), (44, -4), (-44, -4)], hole=True)
    place.disc(0, -6, 13, hole=True)
    place.disc(0, -6, 8)


def cube(place: Place) -> None:
    """An army: a cube."""
    left = [(-38, -20), (0, -1), (0, 44), (-38, 24)]
    right = [(38, -20), (0, -1), (0, 44), (38, 24)]
    place.shape([(0, -42), (38, -22), (0, -3), (-38, -22)])
    place.shape(left)
    place.shape(right)
    for line in ([(-38, -21), (0, -2), (38, -21)], [(0, -2), (0, 44)]):
        place.stroke(line, 5, hole=True)


def shield(place: Place) -> None:
    """Defence."""
    place.shape([(-36, -40), (36, -40), (36, 6), (0, 44), (-36, 6)])


def hat(place: Place) -> None:
    """Farmers: their straw hat."""
    place.shape([(0, -30), (44, 22), (-44, 22)])
    place.shape([(-44, 22), (44, 22), (30, 30), (-30, 30)])


def card(place: Place) -> None:
    """A card of one's own: the bid."""
    place.shape([(-32, -44), (32, -44), (32, 44), (-32, 44)])
    place.shape([(0, -18), (18, 0), (0, 18), (-18, 0)], hole=True)


ICONS: dict[str, Draw] = {
    "castle": keep,
    "temple": sanmon,
    "theater": fan,
    "rice": bowl,
    "tax": chest,
    "recruit5": cube,
    "recruit3": cube,
    "recruit1_move": cube,
    "battle_a": crossed_swords,
    "battle_b": crossed_swords,
    "bid": card,
    "tax+1": chest,
    "rice+1": bowl,
    "recruit6": cube,
    "attack+1": crossed_swords,
    "defense+1": shield,
    "chests": chest,
    "farmers": hat,
    "armies": cube,
}
ADDED = {"recruit5": "+5", "recruit3": "+3", "recruit1_move": "+1", "recruit6": "6"}


@kept
def icon(name: str, size: float, colour: str, ground: str) -> Image.Image:
    """A small picture of this size; its holes show `ground`."""
    pen = Pen(size + 2, size + 2)
    ICONS[name](Place(pen, size / 2 + 1, size / 2 + 1, size, colour, ground))
    return pen.sprite()


@kept
def flame(size: float, ground: str = PAPER) -> Image.Image:
    """Unrest."""
    pen = Pen(size, size)
    place = Place(pen, size / 2, size / 2, size, SHU if ground == PAPER else SHU_DARK, ground)
    outer: list[Point] = [(0, -48), (22, -22), (34, 8), (28, 32), (8, 46), (-12, 46), (-30, 30), (-34, 8)]
    place.shape([*outer, (-26, -10), (-14, 2), (-8, -22)])
    place.shape([(2, 2), (14, 20), (8, 36), (-6, 38), (-12, 24)], hole=True)
    return pen.sprite()


@kept
def farmer_chip(radius: float) -> Image.Image:
    """The farmers' green chip with their hat."""
    middle = radius + 3
    pen = Pen(2 * middle, 2 * middle)
    pen.circle(middle, middle, radius - 1.5, FARMER_GREEN, PAPER, 2.5)
    hat(Place(pen, middle, middle - 1, radius * 1.25, INK, FARMER_GREEN))
    return pen.sprite()


@kept
def struck(name: str, size: float, colour: str, ground: str) -> Image.Image:
    """A thing that an event forbids: its picture struck through."""
    image = icon(name, size, colour, ground).copy()
    pen = Pen(size + 2, size + 2)
    pen.line([(size * 0.1, size * 0.12), (size * 0.92, size * 0.9)], SHU, size * 0.13)
    image.alpha_composite(pen.sprite())
    return image


@kept
def planned_chip(space: str, radius: float) -> Image.Image:
    """What the viewer alone knows: the action that he has planned in a province, on the night's ground."""
    middle = radius + 3
    pen = Pen(2 * middle, 2 * middle)
    pen.circle(middle, middle, radius - 1.5, NIGHT, PAPER, 3)
    ICONS[space](Place(pen, middle, middle, radius * 1.3, PAPER, NIGHT))
    return pen.sprite()
