"""The eight signs of Kamisado's colours, on every square and tower, for eyes that mix colours.

Each is drawn in a square of 100 x 100 units around (0, 0) and put where it is wanted by a `Place`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from PIL import Image

from render.canvas import Pen, Point, regular
from render.colour import contrast, mix
from render.kept import kept
from render.place import Place
from render.theme import INK, KAMISADO, PAPER

QUIET = 0.1  # how much of the square's colour is in its sign


def sun(place: Place) -> None:
    """A disc with twelve rays."""
    place.disc(0, 0, 25)
    for number in range(12):
        a = number * pi / 6
        place.stroke([(34 * sin(a), -34 * cos(a)), (45 * sin(a), -45 * cos(a))], 8)


def wave(place: Place) -> None:
    """Three waves."""
    for y in (-26, 2, 30):
        crest = [(x, y - 9 * sin((x + 46) / 92 * 6 * pi)) for x in range(-46, 47, 2)]
        place.stroke(crest, 11)


def iris(place: Place) -> None:
    """A flower with one petal up and two that hang, on its stem."""
    place.stroke([(0, 8), (0, 44)], 9)
    for turn, length, half in ((-118, 50, 19), (118, 50, 19), (-42, 42, 10), (42, 42, 10), (0, 58, 19)):
        outline = petal(0, 6, turn, length, half)
        place.stroke([*outline, outline[0]], 7, hole=True)
        place.shape(outline)


def petal(x: float, y: float, turn: float, length: float, half: float) -> list[Point]:
    """A pointed leaf from (x, y), `turn` degrees clockwise from the top."""
    a = turn * pi / 180
    across, along = (cos(a), sin(a)), (sin(a), -cos(a))
    out = []
    for side in (1, -1):
        for step in range(11):
            t = step / 10 if side == 1 else 1 - step / 10
            wide = side * half * sin(pi * t**0.85) ** 0.8 if 0 < t < 1 else 0.0
            out.append(
                (x + along[0] * length * t + across[0] * wide, y + along[1] * length * t + across[1] * wide)
            )
    return out


def cherry(place: Place) -> None:
    """Five notched petals round an open middle."""
    shape = ((9, 0.0), (20, 0.30), (33, 0.52), (44, 0.46), (49, 0.22), (40, 0.0))  # radius and angle
    for number in range(5):
        middle = number * 2 * pi / 5
        half = [(r * sin(middle + a), -r * cos(middle + a)) for r, a in shape]
        rest = [(r * sin(middle - a), -r * cos(middle - a)) for r, a in reversed(shape[1:-1])]
        place.shape([*half, *rest])
    place.disc(0, 0, 13)
    place.disc(0, 0, 6, hole=True)


def ginkgo(place: Place) -> None:
    """A fan-shaped leaf, split in the middle, on its stem."""
    rim = []
    for step in range(25):
        a = (-57 + 114 * step / 24) * pi / 180
        reach = 66 + 2.5 * cos(step * pi / 2)
        rim.append((reach * sin(a), 24 - reach * cos(a)))
    place.shape([(-5, 24), *rim, (5, 24)])
    place.shape([(0, -4), (-7, -48), (7, -48)], hole=True)
    place.stroke([(0, 20), (2, 34), (7, 44)], 9)


def gate(place: Place) -> None:
    """A torii."""
    place.shape([(-48, -42), (0, -34), (48, -42), (44, -24), (0, -19), (-44, -24)])
    place.shape([(-37, -10), (37, -10), (37, 2), (-37, 2)])
    for side in (-1, 1):
        place.shape([(side * 19, -24), (side * 30, -24), (side * 33, 44), (side * 20, 44)])
    place.shape([(-5, -22), (5, -22), (5, -8), (-5, -8)])


def pine(place: Place) -> None:
    """Three layers of branches on a trunk."""
    for top, bottom, half in ((-47, -12, 22), (-27, 10, 32), (-5, 33, 41)):
        place.shape([(0, top), (half, bottom), (-half, bottom)])
    place.shape([(-7, 30), (7, 30), (7, 47), (-7, 47)])


def shell(place: Place) -> None:
    """A tortoise's scale: hexagons in each other."""
    place.shape(regular(0, 0, 46, 6, 30))
    place.shape(regular(0, 0, 33, 6, 30), hole=True)
    place.shape(regular(0, 0, 18, 6, 30))


SIGNS: dict[str, Callable[[Place], None]] = {
    "orange": sun,
    "blue": wave,
    "purple": iris,
    "pink": cherry,
    "yellow": ginkgo,
    "red": gate,
    "green": pine,
    "brown": shell,
}


def ink_on(colour: str) -> str:
    """Ink or paper: what is read better on this ground."""
    return INK if contrast(INK, colour) >= contrast(PAPER, colour) * 0.9 else PAPER


def draw_sign(pen: Pen, x: float, y: float, size: float, colour: str) -> None:
    """The sign of a colour on a ground of that colour."""
    ground = KAMISADO[colour]
    SIGNS[colour](Place(pen, x, y, size, ink_on(ground), ground))


@kept
def sign(colour: str, size: int) -> Image.Image:
    """The sign as it lies on its square: a little quieter than on a tower."""
    pen = Pen(size, size)
    ground = KAMISADO[colour]
    quiet = mix(ink_on(ground), ground, QUIET)
    SIGNS[colour](Place(pen, size / 2, size / 2, size, quiet, ground))
    return pen.sprite()
