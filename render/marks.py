"""Marks that mean the same in every game: who is to act, what may be picked, what happened last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import floor, hypot

from PIL import Image

from render.canvas import Box, Canvas, Pen, Point, arc_points, between, regular, star, unit
from render.theme import GOLD, INK, PAPER, SHU, SUMI, WHITE

SLICE = 96  # pixels of an arrow that are drawn at a time


def once(draw: Callable[..., Image.Image]) -> Callable[..., Image.Image]:
    """Draw a sprite the first time only."""
    return lru_cache(maxsize=256)(draw)


@once
def triangle(size: int, *, left: bool = True) -> Image.Image:
    """To act: it points at the name, which lies on its left in left-to-right panels."""
    pen = Pen(size, size)
    flat, tip = (size * 0.86, size * 0.1) if left else (size * 0.14, size * 0.9)
    pen.polygon([(flat, size * 0.04), (tip, size / 2), (flat, size * 0.96)], GOLD)
    return pen.sprite()


@once
def ring() -> Image.Image:
    """A legal target: it shows on any colour."""
    pen = Pen(54, 54)
    pen.circle(27, 27, 26, INK)
    pen.circle(27, 27, 22, WHITE)
    pen.circle(27, 27, 10, INK)
    return pen.sprite()


@once
def star_octagon(radius: float) -> Image.Image:
    """Wins at once."""
    middle = radius + 4
    pen = Pen(2 * middle, 2 * middle)
    pen.polygon(regular(middle, middle, radius, 8, 22.5), GOLD, INK, 3)
    pen.polygon(star(middle, middle, radius * 0.72, radius * 0.3, 5), INK)
    return pen.sprite()


@once
def brackets(size: int, colour: str = WHITE) -> Image.Image:
    """The corners of the chosen or forced square."""
    pen = Pen(size, size)
    low, high, arm = 6.0, size - 6.0, size * 0.26
    for width, shade in ((13.0, INK), (7.0, colour)):
        for x, dx in ((low, 1), (high, -1)):
            for y, dy in ((low, 1), (high, -1)):
                pen.line([(x + dx * arm, y), (x, y), (x, y + dy * arm)], shade, width)
    return pen.sprite()


@once
def chevrons(*, up: bool) -> Image.Image:
    """A push: a disc with two chevrons the way it goes."""
    pen = Pen(56, 56)
    pen.circle(28, 28, 22, WHITE, INK, 4)
    way = -1 if up else 1
    for y in (28 - way * 9, 28 + way * 3):
        pen.line([(18, y - way * 2), (28, y + way * 8), (38, y - way * 2)], INK, 5)
    return pen.sprite()


@once
def no_way(radius: float = 20) -> Image.Image:
    """A piece that had to move and could not: a disc with a bar."""
    middle = radius + 4
    pen = Pen(2 * middle, 2 * middle)
    pen.circle(middle, middle, radius, PAPER, INK, 3.5)
    pen.box((middle - radius * 0.6, middle - 5, middle + radius * 0.6, middle + 5), 3, SHU)
    return pen.sprite()


@once
def swords(radius: float = 24) -> Image.Image:
    """Fight: crossed swords on a medal."""
    middle = radius + 4
    pen = Pen(2 * middle, 2 * middle)
    pen.circle(middle, middle, radius, WHITE, INK, 3)
    draw_swords(pen, middle, middle, radius * 0.62, SHU)
    return pen.sprite()


def draw_swords(pen: Pen, x: float, y: float, reach: float, colour: str) -> None:
    """Two crossed swords that reach so far from the point."""
    for side in (-1, 1):
        tip, grip = (x + side * reach, y - reach), (x - side * reach, y + reach)
        pen.line([grip, tip], colour, reach * 0.2)
        gx, gy = x - side * reach * 0.52, y + reach * 0.52
        half = reach * 0.34
        pen.line([(gx - side * half, gy - half), (gx + side * half, gy + half)], colour, reach * 0.18)


@once
def eye(width: int, colour: str, pupil: str) -> Image.Image:
    """Known, seen."""
    height = width * 0.62
    pen = Pen(width, height + 1)
    draw_eye(pen, width / 2, height / 2, width, colour, pupil)
    return pen.sprite()


def draw_eye(pen: Pen, x: float, y: float, width: float, colour: str, pupil: str) -> None:
    """An eye of this width in the middle of the point."""
    radius = width * 0.62
    sink = radius * 0.62
    lids = arc_points(x, y + sink, radius, 218, 322) + arc_points(x, y - sink, radius, 38, 142)
    pen.polygon(lids, colour)
    pen.circle(x, y, width * 0.19, pupil)
    pen.circle(x, y, width * 0.08, colour)


@once
def eye_medal() -> Image.Image:
    """On a piece that everybody knows."""
    pen = Pen(40, 40)
    pen.circle(20, 20, 16, PAPER, INK, 3)
    draw_eye(pen, 20, 20, 24, INK, PAPER)
    return pen.sprite()


@once
def lock() -> Image.Image:
    """May not be moved now."""
    pen = Pen(46, 46)
    pen.box((0, 0, 46, 46), 9, SUMI, GOLD, 3)
    pen.arc(23, 20, 6.5, 180, 360, GOLD, 3.5)
    pen.line([(16.5, 20), (16.5, 23)], GOLD, 3.5, round_ends=False)
    pen.line([(29.5, 20), (29.5, 23)], GOLD, 3.5, round_ends=False)
    pen.box((12, 22, 34, 36), 3, GOLD)
    pen.circle(23, 28, 2.6, SUMI)
    return pen.sprite()


def arrow(
    canvas: Canvas,
    points: Sequence[Point],
    fill: str = PAPER,
    edge: str = INK,
    width: float = 9,
    rim: float = 4,
) -> None:
    """An arrow along a line, its tip at the end: paper with an ink edge, straight onto the picture."""
    shaft, barb = arrow_parts(points, width)
    for box in slices(points):
        for colour, more in ((edge, rim), (fill, 0.0)):
            pen = canvas.pen(box, "L")
            pen.line(shaft, WHITE, width + 2 * more)
            pen.polygon(barb, WHITE, WHITE, more)
            canvas.stencil(pen, colour)


def arrow_parts(points: Sequence[Point], width: float) -> tuple[list[Point], list[Point]]:
    """An arrow's shaft and its head, which is at most 60 % of the whole."""
    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))
    head = min(width * 2.5, length * 0.6)
    shaft = between(points, 0, max(length - head * 0.9, 0.1))
    (ax, ay), (tx, ty) = shaft[-1], points[-1]
    dx, dy = unit(tx - ax, ty - ay)
    back = (tx - dx * head, ty - dy * head)
    half = head * 0.56
    sides = [(back[0] - dy * half, back[1] + dx * half), (back[0] + dy * half, back[1] - dx * half)]
    return shaft, [(tx, ty), *sides]


def arrow_box(points: Sequence[Point], room: float = 24) -> tuple[float, float, float, float]:
    """The part of the picture that an arrow along these points may need."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room


def slices(points: Sequence[Point], room: float = 24, long: int = SLICE) -> list[Box]:
    """The same in slices across its longer side, each no larger than what lies in it: most of it is empty."""
    left, top, right, bottom = (floor(at) for at in arrow_box(points, room))
    across = right - left >= bottom - top  # slices of columns, else of rows
    line = [(x, y) if across else (y, x) for x, y in points]
    low, high = (left, right) if across else (top, bottom)
    found: list[Box] = []
    for start in range(low, high + 1, long):
        end = min(start + long, high + 1)
        sides = [
            side
            for (x, y), (to_x, to_y) in pairwise(line)
            for at in (start - room, end + room)
            if min(x, to_x) <= end + room and max(x, to_x) >= start - room
            for part in [0.0 if x == to_x else min(1.0, max(0.0, (at - x) / (to_x - x)))]
            for side in ([y, to_y] if x == to_x else [y + (to_y - y) * part])
        ]
        if sides:
            under, over = floor(min(sides) - room), floor(max(sides) + room) + 1
            found.append((start, under, end, over) if across else (under, start, over, end))
    return found


@once
def tick(size: int, colour: str = GOLD) -> Image.Image:
    """Done."""
    pen = Pen(size, size)
    pen.line(
        [(size * 0.12, size * 0.55), (size * 0.4, size * 0.82), (size * 0.88, size * 0.2)],
        colour,
        size * 0.16,
    )
    return pen.sprite()


@once
def tape(width: int, height: int, ground: str) -> Image.Image:
    """The gold-and-dark tape over a private picture."""
    pen = Pen(width, height)
    pen.box((0, 0, width, height), 0, ground)
    step = 28
    for x in range(-step, width + step, step):
        pen.polygon([(x, height), (x + height, 0), (x + height + step / 2, 0), (x + step / 2, height)], GOLD)
    return pen.sprite()
