"""Crests, drawn by us after the historical ones. Holes show the ground."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from render.canvas import Pen, Point
from render.place import Place


def six_coins(place: Place) -> None:
    """Sanada: six coins for the ferry over the river of the dead."""
    for y in (-19, 19):
        for x in (-34, 0, 34):
            place.disc(x, y, 16)
            place.shape([(x - 6, y - 6), (x + 6, y - 6), (x + 6, y + 6), (x - 6, y + 6)], hole=True)


def three_hollyhocks(place: Place) -> None:
    """Tokugawa: three leaves in a ring, their tips together."""
    place.disc(0, 0, 48)
    place.disc(0, 0, 42, hole=True)
    for number in range(3):
        a = number * 2 * pi / 3
        leaf = turned([(x * 1.1, y * 1.1) for x, y in heart()], a)
        place.shape(leaf)
        place.stroke(turned([(0, -12), (0, -28)], a), 3, hole=True)
        for side in (-1, 1):
            place.stroke(turned([(side * 4, -17), (side * 11, -28)], a), 2.5, hole=True)


def heart() -> list[Point]:
    """A leaf with its tip near the middle and its two lobes outwards."""
    out: list[Point] = [(0, -4)]
    for side in (1, -1):
        lobe = []
        for step in range(13):
            a = (-0.2 + 1.15 * step / 12) * pi
            lobe.append((side * (9.5 + 10.5 * cos(a)), -27 - 11 * sin(a)))
        out += lobe if side == 1 else lobe[::-1]
    return out


def turned(points: list[Point], angle: float) -> list[Point]:
    """Points turned clockwise round the middle."""
    return [(x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)) for x, y in points]


CRESTS: dict[str, Callable[[Place], None]] = {"sanada": six_coins, "tokugawa": three_hollyhocks}


def draw_crest(pen: Pen, x: float, y: float, size: float, house: str, *, fill: str, ground: str) -> None:
    """A house's crest of this size in the middle of the point."""
    CRESTS[house](Place(pen, x, y, size, fill, ground))


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


def gourd(place: Place) -> None:
    """Hashiba: Hideyoshi's gourd on its stem."""
    place.disc(0, 18, 27)
    place.disc(0, -14, 17)
    place.shape([(-10, -4), (10, -4), (13, 4), (-13, 4)])
    place.stroke([(0, -30), (6, -42)], 9)
    place.stroke([(-15, 1), (15, 1)], 5, hole=True)
