"""Shogun's small pictures: crests of the daimyos, buildings, goods, cubes, unrest, the ten actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin

from PIL import Image

from render.canvas import Pen, Point, arc_points
from render.crests import three_hollyhocks
from render.place import Place
from render.theme import INK, PAPER, SHOGUN, SHU

FARMER_GREEN = "#5E8C61"
WORDS_ON = {"uesugi": PAPER, "mori": INK, "tokugawa": PAPER, "takeda": PAPER, "hashiba": INK}

Draw = Callable[[Place], None]


# -- crests -------------------------------------------------------------------------------


def two_sparrows(place: Place) -> None:
    """Uesugi: two sparrows face to face."""
    for side in (-1, 1):
        body = [(side * x, y) for x, y in ((4, -30), (22, -40), (38, -24), (40, 2), (30, 28), (14, 38))]
        belly = [(side * x, y) for x, y in ((10, 20), (16, 4), (8, -10))]
        place.shape([*body, *belly])
        place.disc(side * 20, -18, 4.5, hole=True)
        place.stroke([(side * 24, 8), (side * 33, -2)], 4, hole=True)
        place.stroke([(side * 20, 20), (side * 30, 12)], 4, hole=True)


def bar_and_stars(place: Place) -> None:
    """Mori: the figure one over three stars."""
    place.shape([(-42, -40), (42, -40), (42, -22), (-42, -22)])
    for x, y in ((0, -2), (-22, 28), (22, 28)):
        place.disc(x, y, 17)


def four_diamonds(place: Place) -> None:
    """Takeda: a diamond cut in four."""
    for x, y in ((0, -24), (0, 24), (-24, 0), (24, 0)):
        place.shape([(x, y - 20), (x + 20, y), (x, y + 20), (x - 20, y)])


def gourd(place: Place) -> None:
    """Hashiba: Hideyoshi's gourd on its stem."""
    place.disc(0, 18, 27)
    place.disc(0, -14, 17)
    place.shape([(-10, -4), (10, -4), (13, 4), (-13, 4)])
    place.stroke([(0, -30), (6, -42)], 9)
    place.stroke([(-15, 1), (15, 1)], 5, hole=True)


HOUSES: dict[str, Draw] = {
    "uesugi": two_sparrows,
    "mori": bar_and_stars,
    "tokugawa": three_hollyhocks,
    "takeda": four_diamonds,
    "hashiba": gourd,
}


@lru_cache(maxsize=128)
def crest(house: str, radius: float, edge: str | None = None) -> Image.Image:
    """A house's chip: its crest on its colour in a ring, `radius` pixels to the ring's middle."""
    fill, word = SHOGUN[house], WORDS_ON[house]
    middle = radius + 3
    pen = Pen(2 * middle, 2 * middle)
    pen.circle(middle, middle, radius - 1.5, fill, edge or word, 2.5)
    HOUSES[house](Place(pen, middle, middle, radius * (1.3 if house != "tokugawa" else 1.75), word, fill))
    return pen.sprite()


# -- things -------------------------------------------------------------------------------


def keep(place: Place) -> None:
    """A castle's keep: three roofs, one above the other."""
    for top, half, down in ((-44, 20, 24), (-16, 32, 26), (14, 44, 30)):
        place.shape(
            [
                (-half * 0.28, top),
                (half * 0.28, top),
                (half, top + down - 8),
                (half, top + down - 3),
                (-half, top + down - 3),
                (-half, top + down - 8),
            ]
        )


def gate(place: Place) -> None:
    """A temple's gate."""
    place.shape([(-46, -40), (46, -40), (42, -24), (-42, -24)])
    place.shape([(-38, -12), (38, -12), (38, 0), (-38, 0)])
    for side in (-1, 1):
        place.shape([(side * 20, -26), (side * 30, -26), (side * 34, 42), (side * 23, 42)])
    place.shape([(-5, -26), (5, -26), (5, -8), (-5, -8)])


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


def bowl(place: Place) -> None:
    """A bowl heaped with rice."""
    place.shape([(x, y - 2) for x, y in arc_points(0, -4, 33, 180, 360)])
    place.shape([(x, y + 4) for x, y in arc_points(0, 0, 42, 0, 180)])
    place.shape([(-16, 38), (16, 38), (20, 48), (-20, 48)])
    place.stroke([(-44, 1), (44, 1)], 4, hole=True)


def cube(place: Place) -> None:
    """An army: a cube."""
    left = [(-38, -20), (0, -1), (0, 44), (-38, 24)]
    right = [(38, -20), (0, -1), (0, 44), (38, 24)]
    place.shape([(0, -42), (38, -22), (0, -3), (-38, -22)])
    place.shape(left)
    place.shape(right)
    for line in ([(-38, -21), (0, -2), (38, -21)], [(0, -2), (0, 44)]):
        place.stroke(line, 5, hole=True)


def crossed_swords(place: Place) -> None:
    """Battle."""
    for side in (-1, 1):
        place.stroke([(-side * 38, 38), (side * 38, -40)], 11)
        place.stroke([(-side * 36, 10), (-side * 8, 36)], 10)


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
    "temple": gate,
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


@lru_cache(maxsize=512)
def icon(name: str, size: float, colour: str, ground: str) -> Image.Image:
    """A small picture of this size; its holes show `ground`."""
    pen = Pen(size + 2, size + 2)
    ICONS[name](Place(pen, size / 2 + 1, size / 2 + 1, size, colour, ground))
    return pen.sprite()


@lru_cache(maxsize=64)
def flame(size: float) -> Image.Image:
    """Unrest."""
    pen = Pen(size, size)
    place = Place(pen, size / 2, size / 2, size, SHU, PAPER)
    outer: list[Point] = [(0, -48), (22, -22), (34, 8), (28, 32), (8, 46), (-12, 46), (-30, 30), (-34, 8)]
    place.shape([*outer, (-26, -10), (-14, 2), (-8, -22)])
    place.shape([(2, 2), (14, 20), (8, 36), (-6, 38), (-12, 24)], hole=True)
    return pen.sprite()


@lru_cache(maxsize=16)
def farmer_chip(radius: float) -> Image.Image:
    """The farmers' green chip with their hat."""
    middle = radius + 3
    pen = Pen(2 * middle, 2 * middle)
    pen.circle(middle, middle, radius - 1.5, FARMER_GREEN, PAPER, 2.5)
    hat(Place(pen, middle, middle - 1, radius * 1.25, INK, FARMER_GREEN))
    return pen.sprite()


@lru_cache(maxsize=16)
def struck(name: str, size: float, colour: str, ground: str) -> Image.Image:
    """A thing that an event forbids: its picture struck through."""
    image = icon(name, size, colour, ground).copy()
    pen = Pen(size + 2, size + 2)
    pen.line([(size * 0.1, size * 0.12), (size * 0.92, size * 0.9)], SHU, size * 0.13)
    image.alpha_composite(pen.sprite())
    return image
