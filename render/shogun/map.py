"""The map of Shogun without what stands on it: sea, land by owner, borders, sea routes, region seals.

The polygons are a cartogram of our own whose shared borders are the land edges of the rules and no others.
All of it is drawn once and cached; a picture pastes a sprite a province and the borders on top.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache, lru_cache
from math import hypot
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

from engines.shogun.data import PROVINCES, REGION, in_play
from render.canvas import Canvas, Pen, Point, dashed, thinned
from render.colour import mix
from render.sea import water
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
SEAL_NAME = Type("map", 24)  # a region's name beside its numeral, which not everybody can read
NAMED_ABOVE = frozenset({"red", "brown"})  # elsewhere land or a panel leaves room below
RIGHTMOST = {"purple": 641.0}  # where a panel begins
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


@lru_cache(maxsize=1)
def sea(height: int = MAP_HEIGHT) -> Image.Image:
    """The sea with its waves and the light bands along the coast; no land."""
    pen = water(WIDTH, height)
    coast = lines_where(lambda names: len(names) == 1)
    for wide, shade in ((30, mix(SEA, WAVE, 0.10)), (18, mix(SEA, WAVE, 0.22)), (9, mix(SEA, WAVE, 0.38))):
        for line in (thinned(line, wide / 2) for line in coast):
            pen.line(line, shade, 2 * wide)
            pen.line(line, mix(SEA, WAVE, 0.02), 2 * wide - 4)
    for route in ROUTES:
        for dash in dashed(route, 9, 7):
            pen.line(dash, INK, 8)
        for dash in dashed(route, 9, 7):
            pen.line(dash, WHITE, 4)
    return pen.sprite()


@cache
def land(name: str) -> tuple[Image.Image, Point]:
    """A province's stencil, a little grown so that no seam shows, and its top left corner."""
    ring = POLYGONS[name]
    left, top = min(x for x, _ in ring) - 3, min(y for _, y in ring) - 3
    right, bottom = max(x for x, _ in ring) + 3, max(y for _, y in ring) + 3
    origin = (int(left), int(top))
    pen = Pen(right - origin[0], bottom - origin[1], origin, "L")
    pen.polygon(ring, WHITE)
    pen.line([*ring, ring[0]], WHITE, 2)
    return pen.sprite(), origin


def fill_land(canvas: Canvas, name: str, fill: str, down: int) -> None:
    """Fill a province with one of FILLS on a picture whose map begins so far down."""
    stencil, (x, y) = land(name)
    at = int(x), int(y) + down
    canvas.image.paste(FILLS[fill], at, hard_edged(name))
    if fill == OUT:
        hatch(canvas, stencil, at)


@cache
def hard_edged(name: str) -> Image.Image:
    """A province's stencil of whole pixels: filled in a fifth of the time, its edge is under the border."""
    return land(name)[0].convert("1", dither=Image.Dither.NONE)


def hatch(canvas: Canvas, stencil: Image.Image, at: tuple[int, int]) -> None:
    """A province out of play: slanting lines on its grey."""
    pen = Pen(stencil.width, stencil.height, mode="L")
    for x in range(-stencil.height, stencil.width, 18):
        pen.line([(x, stencil.height), (x + stencil.height, 0)], WHITE, 3)
    lines = ImageChops.multiply(pen.sprite(), stencil)
    canvas.image.paste(mix(MUTE, INK, 0.28), at, lines)


@lru_cache(maxsize=3)
def overlay(side: str, seats: int) -> Image.Image:
    """Coast, borders, double borders between regions, ends of the sea routes, and the seals."""
    pen = Pen(WIDTH, MAP_HEIGHT)
    playing = set(in_play(side, seats))
    regions = REGION[side]
    for line in lines_where(lambda names: len(names) == 1):
        pen.line(line, PAPER, COAST + 4.5)
    for line in lines_where(lambda names: len(names) == 1):
        pen.line(line, INK, COAST)
    for line in lines_where(lambda names: len(names) == 2 and regions[names[0]] == regions[names[1]]):
        pen.line(line, PAPER, BORDER + 3)
        pen.line(line, INK, BORDER)
    between = lines_where(lambda names: len(names) == 2 and regions[names[0]] != regions[names[1]])
    for thick, colour in ((REGION_INK, INK), (REGION_WASHI, WASHI)):
        for line in between:
            pen.line(line, colour, thick)
    for route in ROUTES:
        for x, y in (route[0], route[-1]):
            pen.circle(x, y, 5, WHITE, INK, 3)
    for name, (x, y) in SEALS.items():
        if any(regions[province] == name for province in playing):
            pen.box((x - 21, y - 21, x + 21, y + 21), 6, SHU_DARK, PAPER, 2.5)
    image = pen.sprite()
    for name, (x, y) in SEALS.items():
        write_centred(image, x, y, NUMERALS[name], Type("seals", 27), PAPER)
    return image


def seal_name_box(region: str, wide: float) -> tuple[float, float, float, float]:
    """Where a region's name of this width lies on the map: above or below its seal, joined to it."""
    x, y = SEALS[region]
    half = wide / 2 + 7
    x = min(max(x, half + 4), RIGHTMOST.get(region, WIDTH - 4) - half)
    top = y - 49 if region in NAMED_ABOVE else y + 19
    return x - half, top, x + half, top + 30


@lru_cache(maxsize=64)
def seal_name(word: str) -> Image.Image:
    """A region's name on a red plate."""
    wide = width(word, SEAL_NAME) + 14
    pen = Pen(wide, 30)
    pen.box((0, 0, wide, 30), 6, SHU_DARK, PAPER, 2.5)
    image = pen.sprite()
    write(image, image.width / 2, 23, word, SEAL_NAME, PAPER, "m")
    return image


@lru_cache(maxsize=64)
def outline(name: str, kind: str) -> tuple[Image.Image, Point]:
    """A gold line (`chosen`) or white dashes (`target`) on ink inside a province's border."""
    ring = POLYGONS[name]
    origin = (int(min(x for x, _ in ring)) - 8, int(min(y for _, y in ring)) - 8)
    pen = Pen(max(x for x, _ in ring) + 8 - origin[0], max(y for _, y in ring) + 8 - origin[1], origin)
    closed = [*ring, ring[0]]
    pen.line(closed, INK, 11)
    if kind == "chosen":
        pen.line(closed, "#E3B341", 6)
    else:
        pen.dashes(closed, WHITE, 5, 13, 9, round_ends=False)
    return pen.sprite(), origin


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
    """Where the mark of a battle lies: where two provinces meet, off names and figures, near the middle."""
    points = shared_line(one, other)
    if not points:
        (ax, ay), (bx, by) = LABELS[one], LABELS[other]
        return (ax + bx) / 2, (ay + by) / 2
    ax = sum(x for x, _ in points) / len(points)
    ay = sum(y for _, y in points) / len(points)
    return min(points, key=lambda p: (hidden_by(p), hypot(p[0] - ax, p[1] - ay)))


def hidden_by(point: Point) -> int:
    """How much of names, figures and buildings a mark of a battle at the point would hide: least is best."""
    total = 0.0
    x, y = point
    for name, (lx, ly) in LABELS.items():
        half = 6 * len(name)
        for weight, (left, top, right, bottom) in (
            (3, (lx - half, ly - 48, lx + half, ly - 18)),
            (2, (lx - 48, ly - 22, lx + 48, ly + 20)),
            (1, (lx - 40, ly + 24, lx + 40, ly + 50)),
        ):
            wide = min(right, x + 23) - max(left, x - 23)
            tall = min(bottom, y + 23) - max(top, y - 23)
            total += weight * wide * tall if wide > 0 and tall > 0 else 0
    return round(total / 200)  # a sliver does not matter


__all__ = [
    "FILLS",
    "LABELS",
    "MAP_HEIGHT",
    "OUT",
    "borders",
    "fill_land",
    "meeting",
    "outline",
    "overlay",
    "sea",
    "shared_line",
]
