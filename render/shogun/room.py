"""Where a province's row of marks (buildings, free spaces, unrest) lies: off borders, at least off names."""

from __future__ import annotations

from functools import cache
from math import hypot

from PIL import Image

from engines.shogun.data import SPACES
from render import text as lines
from render.canvas import Point
from render.shogun.layers import places
from render.shogun.map import LABELS, land
from render.theme import Type

NAME_TYPE = Type("map", 26)
ROW = 37  # from a province's label point down to the middle of the row
LOWER = (0, 2, 4, 6, 8, -2, -4)  # how much lower it may lie where that gives it more room
HALF = 14  # of its height
CHIP = 44  # how wide the unrest is
AIR = 2  # round a building, of which marks in a long row take some from each other
TIGHT = 3
ICON, SMALL = 25, 23  # a building, and one in a row that has little room
EDGE = 4  # of the land: the border's line

Span = tuple[float, float]  # from the left, to the right, in pixels of the map


def row_at(name: str, long: float) -> tuple[float, float]:
    """The left end and the middle height of a row of this length, on the map.

    It is centred below the name where it fits, else pushed into the province, at least off other names.
    """
    y, own, clear = room(name)
    left = pushed(LABELS[name][0] - long / 2, long, own)
    return pushed(left, long, clear), y


def breadth(name: str) -> float:
    """How long a row may be without crossing the border or another name."""
    _, own, clear = room(name)
    return min(own[1], clear[1]) - max(own[0], clear[0])


def pushed(left: float, long: float, span: Span) -> float:
    """Where a row begins that lies in a span, or in its middle if it is longer."""
    if long > span[1] - span[0]:
        return (span[0] + span[1] - long) / 2
    return min(max(left, span[0]), span[1] - long)


def room(name: str) -> tuple[float, Span, Span]:
    """The row's middle height, and there the widest piece of the province and of what no name takes."""
    y, own, clear = places()["rooms"][name]
    return float(y), (own[0], own[1]), (clear[0], clear[1])


def found_room(name: str) -> tuple[float, Span, Span]:
    """The same, worked out: at the height that has most room for as many marks as there can be."""
    _, y = LABELS[name]
    most = longest(name)

    def heeded(lower: float) -> tuple[float, float, Span, Span]:
        own = within(name, y + ROW + lower)
        clear = clear_of_names(name, y + ROW + lower, (own[0] + own[1]) / 2)
        free = min(own[1], clear[1]) - max(own[0], clear[0])
        return min(free, most) - abs(lower), lower, own, clear

    _, lower, own, clear = max(map(heeded, LOWER))
    return y + ROW + lower, rounded(own), rounded(clear)


def rounded(span: Span) -> Span:
    """A span of tenths of pixels."""
    return round(span[0], 1), round(span[1], 1)


def chip_at(name: str) -> Point:
    """Where the unrest of a province lies whose row is full."""
    x, y = places()["chips"][name]
    return float(x), float(y)


@cache
def found_row(name: str) -> tuple[float, float, float, float]:
    """Where a province's longest row of buildings lies, worked out."""
    y, own, clear = found_room(name)
    long = (SMALL + AIR) * SPACES[name]
    left = pushed(pushed(LABELS[name][0] - long / 2, long, own), long, clear)
    return left, y - HALF, left + long, y + HALF


def found_chips() -> dict[str, Point]:
    """The same for all, worked out one after another: none lies on another."""
    chips: dict[str, Point] = {}
    for name in LABELS:
        chips[name] = found_chip(name, [chip_box(*at) for at in chips.values()])
    return chips


def chip_box(x: float, y: float) -> tuple[float, float, float, float]:
    """The box of a chip in the middle of a point."""
    return x - CHIP / 2, y - HALF, x + CHIP / 2, y + HALF


def found_chip(name: str, others: list[tuple[float, float, float, float]]) -> Point:
    """Where it is best: in the province, off names, figures, rows and other chips, near the row."""
    stencil, (left, top) = land(name, 1)
    inside = stencil.convert("L").resize(stencil.size)
    y = found_room(name)[0]
    boxes = [box for other in LABELS for box in taken(other)]
    boxes += [*others, *(found_row(other) for other in LABELS)]
    left_end, _, right_end, _ = found_row(name)
    middle = (left_end + right_end) / 2
    best = (1e9, middle, y)
    for down in range(0, inside.height, 4):
        for right in range(0, inside.width, 4):
            box = (right - CHIP // 2 - 3, down - HALF - 3, right + CHIP // 2 + 3, down + HALF + 3)
            if box[0] < 0 or box[1] < 0 or box[2] > inside.width or box[3] > inside.height:
                continue
            out = inside.crop(box).histogram()[0]
            x, at = left + right, top + down
            over = sum(overlap(chip_box(x, at), box) for box in boxes)
            far = hypot(x - middle, at - y)
            best = min(best, (20 * out + 20 * over + far, x, at))
    return best[1], best[2]


def row_box(name: str) -> tuple[float, float, float, float]:
    """Where a province's longest row of buildings lies."""
    long = (SMALL + AIR) * SPACES[name]
    left, y = row_at(name, long)
    return left, y - HALF, left + long, y + HALF


def taken(name: str) -> list[tuple[float, float, float, float]]:
    """Boxes of a province's name and of its crest and armies."""
    x, y = LABELS[name]
    half = lines.width(name, NAME_TYPE) / 2
    return [(x - half, y - 42, x + half, y - 20), (x - 42, y - 21, x + 42, y + 21)]


def overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    """The area that two boxes share."""
    wide, tall = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return wide * tall if wide > 0 and tall > 0 else 0.0


def longest(name: str) -> float:
    """The row of a province that is full of buildings, and in unrest."""
    return (SMALL + AIR - TIGHT) * SPACES[name] + CHIP


def within(name: str, at: float) -> Span:
    """The widest span of a province over the whole height of a row."""
    stencil, (left, top) = land(name, 1)
    band = stencil.convert("L").crop(
        (0, round(at - top) - HALF + 2, stencil.width, round(at - top) + HALF - 2)
    )
    columns = band.resize((stencil.width, 1), Image.Resampling.BOX).tobytes()
    best = 0, 0
    start = None
    for column, value in enumerate([*columns, 0]):
        if value == 255 and start is None:
            start = column
        elif value < 255 and start is not None:
            best, start = max(best, (start, column), key=lambda span: span[1] - span[0]), None
    return left + best[0] + EDGE, left + best[1] - EDGE


def clear_of_names(name: str, at: float, x: float) -> Span:
    """How far a row may reach from `x` to either side until it meets another province's name or figure."""
    left, right = x - 200, x + 200
    for other, (ox, oy) in LABELS.items():
        half = lines.width(other, NAME_TYPE) / 2
        for wide, top, bottom in ((half, oy - 42, oy - 18), (42, oy - 20, oy + 20)):
            if other != name and top < at + HALF and at - HALF < bottom:
                if ox < x:
                    left = max(left, ox + wide + 2)
                else:
                    right = min(right, ox - wide - 2)
    return left, right
