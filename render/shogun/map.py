"""The map of Shogun without what stands on it: sea, land by owner, borders, sea routes, region seals.

The polygons are a cartogram of our own whose shared borders are the land edges of the rules and no others.
What never changes is drawn beforehand (`render.shogun.bake`, read by `render.shogun.layers`): here is how.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, reduce
from math import hypot
from pathlib import Path
from typing import Any

from PIL import Image

from engines.shogun.data import PROVINCES, REGION
from render.canvas import Pen, Point, Sparse, dashed, thinned
from render.colour import mix
from render.kept import kept, kept_apart, lasting, number
from render.sea import water
from render.shogun import layers
from render.text import width, write, write_centred
from render.theme import (
    INK,
    MUTE,
    PAPER,
    SEA,
    SHOGUN,
    SHU_DARK,
    WASHI,
    WAVE,
    WHITE,
    WIDTH,
    Type,
)

_MAP: dict[str, Any] = json.loads((Path(__file__).parent / "map.json").read_text(encoding="utf-8"))
MAP_HEIGHT: int = _MAP["frame"][1]
POLYGONS: dict[str, list[Point]] = {
    name: [(float(x), float(y)) for x, y in _MAP["provinces"][name]] for name in PROVINCES
}
LABELS: dict[str, Point] = {name: (float(x), float(y)) for name, (x, y) in _MAP["labels"].items()}
ROUTES: list[list[Point]] = [[(x, y) for x, y in route["line"]] for route in _MAP["sea_routes"]]
ROUTE_OF: dict[frozenset[str], list[Point]] = {
    frozenset(route["between"]): line for route, line in zip(_MAP["sea_routes"], ROUTES, strict=True)
}
SEALS: dict[str, Point] = {name: (float(x), float(y)) for name, (x, y) in _MAP["region_seals"].items()}
NUMERALS = {"green": "一", "red": "二", "purple": "三", "yellow": "四", "brown": "五"}
SEAL_NAME = Type("map", 26)  # a region's name beside its numeral, which not everybody can read
NAMED_ABOVE = frozenset({"red", "brown"})  # elsewhere land or a panel leaves room below
RIGHTMOST = {"purple": 641.0}  # where a panel begins
THIN = 4.0  # pixels between two points of a border: nearer ones are not seen in a line so wide
MOST_LINES = 1_500_000  # bytes of lines round provinces: of some eight
OUT = "out"  # the fill of a province that is out of play

BORDER, REGION_INK, REGION_WASHI, COAST = 2.2, 9.5, 5.2, 2.6
FILLS = {**SHOGUN, "neutral": WASHI, OUT: MUTE}

Segment = tuple[Point, Point]


@cache
def segments() -> dict[Segment, tuple[str, ...]]:
    """Every side of every polygon, and the one or two provinces it bounds."""
    found: dict[Segment, list[str]] = defaultdict(list)
    for name, ring in POLYGONS.items():
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            if a != b:
                found[min(a, b), max(a, b)].append(name)
    return {segment: tuple(names) for segment, names in found.items()}


def borders() -> frozenset[tuple[str, str]]:
    """Pairs of provinces that share a line of the map."""
    return frozenset((min(names), max(names)) for names in segments().values() if len(names) == 2)


def pairs() -> frozenset[tuple[str, str]]:
    """Pairs of provinces that are neighbours, by land or by sea."""
    return borders() | {(min(pair), max(pair)) for pair in ROUTE_OF}


def lines_where(keep: Any) -> list[list[Point]]:
    """Sides for which `keep(provinces)` holds, joined to lines as long as they come."""
    loose: dict[Point, list[Point]] = defaultdict(list)
    for (a, b), names in segments().items():
        if keep(names):
            loose[a].append(b)
            loose[b].append(a)
    out = []
    while any(loose.values()):
        ends = [p for p, others in loose.items() if len(others) % 2] or [p for p, o in loose.items() if o]
        line = [ends[0]]
        while loose[line[-1]]:
            after = loose[line[-1]].pop()
            loose[after].remove(line[-1])
            line.append(after)
            if len(loose[after]) != 1:
                break
        out.append(line)
    return out


def sea(scale: float) -> Image.Image:
    """The sea with its waves and the light bands along the coast; no land."""
    pen = water(round(WIDTH * scale), round(MAP_HEIGHT * scale))
    coast = [scaled(line, scale) for line in lines_where(lambda names: len(names) == 1)]
    for wide, shade in ((30, mix(SEA, WAVE, 0.10)), (18, mix(SEA, WAVE, 0.22)), (9, mix(SEA, WAVE, 0.38))):
        for line in (thinned(line, wide * scale / 2) for line in coast):
            pen.line(line, shade, 2 * wide * scale)
            pen.line(line, mix(SEA, WAVE, 0.02), 2 * wide * scale - 4)
    for route in (scaled(route, scale) for route in ROUTES):
        for colour, thick in ((INK, 8 * scale), (WHITE, 4 * scale)):
            for dash in dashed(route, 9 * scale, 7 * scale):
                pen.line(dash, colour, thick)
    return pen.sprite()


def scaled(points: Sequence[Point], scale: float) -> list[Point]:
    """The line on a map of this scale."""
    return [(x * scale, y * scale) for x, y in points]


def land(name: str, scale: float) -> tuple[Image.Image, tuple[int, int]]:
    """A province's stencil of whole pixels, a little grown, and its top left corner on the map."""
    ring = scaled(POLYGONS[name], scale)
    left, top = int(min(x for x, _ in ring) - 3), int(min(y for _, y in ring) - 3)
    pen = Pen(max(x for x, _ in ring) + 3 - left, max(y for _, y in ring) + 3 - top, (left, top), "L")
    pen.polygon(ring, WHITE)
    pen.line([*ring, ring[0]], WHITE, 2)
    return pen.sprite().convert("1", dither=Image.Dither.NONE), (left, top)


def borders_of(side: str, scale: float) -> Image.Image:
    """Coast, borders, double borders between regions, ends of the sea routes."""
    pen = Pen(round(WIDTH * scale), round(MAP_HEIGHT * scale))
    regions = REGION[side]
    coast = lines_where(lambda names: len(names) == 1)
    within = lines_where(lambda names: len(names) == 2 and regions[names[0]] == regions[names[1]])
    between = lines_where(lambda names: len(names) == 2 and regions[names[0]] != regions[names[1]])
    for lines, thick, colour in (
        (coast, COAST + 4.5, PAPER),
        (coast, COAST, INK),
        (within, BORDER + 3, PAPER),
        (within, BORDER, INK),
        (between, REGION_INK, INK),
        (between, REGION_WASHI, WASHI),
    ):
        for line in lines:
            pen.line(scaled(line, scale), colour, thick * scale)
    for route in ROUTES:
        for x, y in scaled((route[0], route[-1]), scale):
            pen.circle(x, y, 5 * scale, WHITE, INK, 3 * scale)
    return pen.sprite()


@kept
def seal(region: str, scale: float) -> Image.Image:
    """A region's numeral on its red seal."""
    size = 45 * scale
    pen = Pen(size, size)
    pen.box((0, 0, size, size), 6 * scale, SHU_DARK, PAPER, 2.5 * scale)
    image = pen.sprite()
    middle = image.width / 2
    write_centred(image, middle, middle, NUMERALS[region], Type("seals", round(27 * scale)), PAPER)
    return image


def seal_name_box(region: str, wide: float) -> tuple[float, float, float, float]:
    """Where a region's name of this width lies on the map: above or below its seal, joined to it."""
    x, y = SEALS[region]
    half = wide / 2 + 7
    x = min(max(x, half + 4), RIGHTMOST.get(region, WIDTH - 4) - half)
    top = y - 49 if region in NAMED_ABOVE else y + 19
    return x - half, top, x + half, top + 30


SEAL_NAME_WIDE = 70  # of a region's name in most languages
ASIDE = 16  # pixels that a battle's mark may lie beside a border
BESIDE = (
    (0, 0),
    *(
        (dx * ASIDE / 2, dy * ASIDE / 2)
        for dx in range(-2, 3)
        for dy in range(-2, 3)
        if 0 < dx * dx + dy * dy < 5
    ),
)


@kept
def seal_name(word: str, scale: float = 1) -> Image.Image:
    """A region's name on a red plate."""
    style = replace(SEAL_NAME, size=round(SEAL_NAME.size * scale))
    wide = width(word, style) + 14 * scale
    pen = Pen(wide, 30 * scale)
    pen.box((0, 0, wide, 30 * scale), 6 * scale, SHU_DARK, PAPER, 2.5 * scale)
    image = pen.sprite()
    write(image, image.width / 2, 23 * scale, word, style, PAPER, "m")
    return image


def outline(name: str, kind: str, scale: float = 1) -> tuple[Sparse, Point]:
    """A line on ink inside a province's border, and its top left corner on a map of this scale.

    chosen  gold, whole
    target  white dashes: it may be attacked
    own     white dots: armies may be moved there
    taken   gold dashes: conquered since the viewer looked
    """
    left, top, _, _ = line_box(name, scale)
    return line(name, kind, scale), (left, top)


@kept_apart(MOST_LINES)
def line(name: str, kind: str, scale: float) -> Sparse:
    """Such a line: drawn beforehand on the maps that are."""
    found = layers.outline(name, kind, scale)
    if found is None:
        sprite = drawn_line(name, kind, scale)
        found = Sparse([(sprite, 0, 0)], sprite.size)
    for piece, *at in found.pieces:
        if isinstance(piece, Image.Image):
            number(piece, lasting("line", name, kind, scale, *at))
    return found


@cache
def line_box(name: str, scale: float) -> tuple[int, int, float, float]:
    """Where on a map of this scale a province lies with the lines round it."""
    border = scaled(thinned(POLYGONS[name], THIN), scale)
    room = 10 * scale
    left, top = int(min(x for x, _ in border) - room), int(min(y for _, y in border) - room)
    return left, top, max(x for x, _ in border) + room, max(y for _, y in border) + room


def drawn_line(name: str, kind: str, scale: float) -> Image.Image:
    """The same, drawn: one line above the other, edges mixed."""
    border = scaled(thinned(POLYGONS[name], THIN), scale)
    left, top, right, bottom = line_box(name, scale)
    closed = [*border, border[0]]
    found: list[Image.Image] = []
    for colour, wide, dashes in layers.LINES[kind]:
        pen = Pen(right - left, bottom - top, (left, top), "L")
        if not dashes:
            pen.line(closed, WHITE, wide * scale)
        else:
            on, off = (part * scale for part in dashes)
            pen.dashes(closed, WHITE, wide * scale, on or 0.5, off, round_ends=kind == "own")
        stencil = pen.sprite()
        above = Image.new("RGBA", stencil.size, colour)
        above.putalpha(stencil)
        found.append(above)
    return reduce(Image.alpha_composite, found)


@cache
def shared_line(one: str, other: str) -> tuple[Point, ...]:
    """Points every few pixels where two provinces meet: on their border, or along the sea route between."""
    found: list[Point] = []
    for (a, b), names in segments().items():
        if set(names) == {one, other}:
            found += steps(a, b)
    if found:
        return tuple(found)
    route = ROUTE_OF.get(frozenset((one, other)), [])
    length = len(route)
    return tuple(route[length // 4 : length - length // 4])


def steps(a: Point, b: Point) -> list[Point]:
    """Points from one to the other, about six pixels apart."""
    count = max(1, round(hypot(b[0] - a[0], b[1] - a[1]) / 6))
    return [(a[0] + (b[0] - a[0]) * n / count, a[1] + (b[1] - a[1]) * n / count) for n in range(count + 1)]


@cache
def meeting(one: str, other: str) -> Point:
    """Where the mark of a battle lies: where two provinces meet, off names and figures, near the middle.

    It may lie a little beside the border, where on it something would be hidden.
    """
    points = shared_line(one, other)
    if not points:
        (ax, ay), (bx, by) = LABELS[one], LABELS[other]
        return (ax + bx) / 2, (ay + by) / 2
    ax = sum(x for x, _ in points) / len(points)
    ay = sum(y for _, y in points) / len(points)
    found = [
        (hidden_by((x + dx, y + dy)) + hypot(dx, dy) / 4, hypot(x - ax, y - ay), (x + dx, y + dy))
        for x, y in points
        for dx, dy in BESIDE
    ]
    return min(found)[2]


def hidden_by(point: Point) -> int:
    """How much of names, figures and buildings a mark of a battle at the point would hide: least is best."""
    total = 0.0
    x, y = point

    def hidden(left: float, top: float, right: float, bottom: float) -> float:
        wide = min(right, x + 23) - max(left, x - 23)
        tall = min(bottom, y + 23) - max(top, y - 23)
        return wide * tall if wide > 0 and tall > 0 else 0

    for name, (lx, ly) in LABELS.items():
        half = 6 * len(name)
        total += 3 * hidden(lx - half, ly - 48, lx + half, ly - 18)
        total += 6 * hidden(lx - 46, ly - 22, lx + 46, ly + 22)
        total += 3 * hidden(lx - 64, ly + 22, lx + 64, ly + 52)
    for region, (sx, sy) in SEALS.items():
        total += 3 * hidden(sx - 23, sy - 23, sx + 23, sy + 23)
        total += 3 * hidden(*seal_name_box(region, SEAL_NAME_WIDE))
    return round(total / 200)  # a sliver does not matter


__all__ = [
    "FILLS",
    "LABELS",
    "MAP_HEIGHT",
    "OUT",
    "borders",
    "borders_of",
    "land",
    "meeting",
    "outline",
    "pairs",
    "sea",
    "seal",
    "shared_line",
]
