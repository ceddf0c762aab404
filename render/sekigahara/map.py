"""The map of Sekigahara without what stands on it: sea, land, roads, highways, place names, towns."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from engines.sekigahara.data import CAPITALS, CASTLES, PLACES, RECRUITS, RESOURCES
from locales import Words
from render import text as lines
from render.canvas import Box, Canvas, Pen, Point, thinned
from render.colour import mix
from render.sea import water
from render.sekigahara.pieces import mon
from render.theme import (
    COAST_FAR,
    COAST_NEAR,
    INK,
    SEA,
    SEKIGAHARA,
    WASHI,
    WAVE,
    WHITE,
    WIDTH,
    Type,
)

_MAP: dict[str, Any] = json.loads((Path(__file__).parent / "map.json").read_text(encoding="utf-8"))
MAP_HEIGHT: int = _MAP["frame"][1]
AT: dict[str, Point] = {name: tuple(_MAP["places"][name]["at"]) for name in PLACES}
LABEL: dict[str, Point] = {name: tuple(_MAP["places"][name]["label"]) for name in PLACES}
TAGS: dict[str, Box] = {name: tuple(_MAP["places"][name]["tag"]) for name in PLACES}  # of English names
COAST: list[list[Point]] = [[(x, y) for x, y in ring] for ring in _MAP["coast"]]
LAKES: list[list[Point]] = [[(x, y) for x, y in ring] for ring in _MAP["lakes"]]
ROADS: dict[frozenset[str], list[Point]] = {
    frozenset(road["between"]): [(x, y) for x, y in road["line"]] for road in _MAP["roads"]
}
KIND: dict[frozenset[str], str] = {frozenset(road["between"]): road["kind"] for road in _MAP["roads"]}
STARTS: dict[frozenset[str], str] = {frozenset(r["between"]): r["between"][0] for r in _MAP["roads"]}
NAME = Type("map", 26)


def road(one: str, two: str) -> list[Point]:
    """The line from one place to its neighbour, in this direction; empty where there is no road."""
    pair = frozenset((one, two))
    if pair not in ROADS:
        return []
    line = ROADS[pair]
    return line if STARTS[pair] == one else line[::-1]


def kind_of(place: str) -> str:
    """`castle`, `capital`, `resource` or `town`."""
    if place in CASTLES:
        return "castle"
    if place in CAPITALS:
        return "capital"
    return "resource" if place in RESOURCES else "town"


@dataclass(frozen=True)
class Window:
    """The part of the map that a picture shows: its top left corner, how much larger, its height."""

    left: float = 0
    top: float = 0
    zoom: float = 1
    height: int = MAP_HEIGHT

    def at(self, point: Point) -> Point:
        """A point of the map in the window."""
        return (point[0] - self.left) * self.zoom, (point[1] - self.top) * self.zoom

    def line(self, points: list[Point]) -> list[Point]:
        """A line of the map in the window."""
        return [self.at(point) for point in points]

    def shows(self, point: Point, margin: float = 0) -> bool:
        """Whether a point of the map lies in the window, so far from its edge."""
        x, y = self.at(point)
        return margin <= x <= WIDTH - margin and margin <= y <= self.height - margin


WHOLE = Window()


def window_round(middle: Point) -> Window:
    """540 pixels of the map around a point, twice as large."""
    side = WIDTH // 2
    left = min(max(0.0, round(middle[0]) - side / 2), WIDTH - side)
    top = min(max(0.0, round(middle[1]) - side / 2), MAP_HEIGHT - side)
    return Window(left, top, 2, WIDTH)


@lru_cache(maxsize=2)  # five megabytes each, as those of `base`
def land(window: Window) -> Image.Image:
    """Sea with waves, coast bands, land, lakes, roads and highways: all on one opaque sheet."""
    large = 1 if window.zoom == 1 else 1.35  # lines grow less than the map
    pen = water(WIDTH, window.height)
    rings = [window.line([*ring, ring[0]]) for ring in COAST]
    for wide, colour in ((28, mix(SEA, WAVE, 0.12)), (15, mix(SEA, WAVE, 0.26))):
        for ring in (thinned(ring, wide / 3) for ring in rings):
            pen.line(ring, colour, 2 * wide * large)
            pen.line(ring, mix(SEA, WAVE, 0.03), (2 * wide - 5) * large)
    shore = Pen(WIDTH, window.height, mode="RGB", ground=WASHI)
    for wide, colour in ((26, COAST_NEAR), (13, COAST_FAR)):
        for ring in (thinned(ring, wide / 4) for ring in rings):
            shore.line(ring, colour, 2 * wide * large)
    stencil = Pen(WIDTH, window.height, mode="L")
    for ring in rings:
        stencil.polygon(ring, WHITE)
        pen.line(ring, INK, 6 * large)
    pen.overlay(shore, stencil)
    for ring in rings:
        pen.line(ring, INK, 3 * large)
    for ring in LAKES:
        pen.polygon(window.line(ring), SEA, INK, 2 * large)
    for pair, line in ROADS.items():
        if KIND[pair] != "highway":
            pen.dashes(window.line(line), SEKIGAHARA["road"], 4.6 * large, 13, 8, round_ends=False)
    highways = [window.line(line) for pair, line in ROADS.items() if KIND[pair] == "highway"]
    for width, colour in ((11, INK), (7, SEKIGAHARA["highway"])):
        for line in highways:
            pen.line(line, colour, width * large)
    for line in highways:
        pen.dashes(line, WHITE, 2 * large, 9, 9, round_ends=False)
    return pen.sprite()


@lru_cache(maxsize=4)
def base(locale: str, words: Words, window: Window = WHOLE) -> Image.Image:
    """The map with names and recruiting crests, in one language."""
    canvas = Canvas(land(window))
    for place in PLACES:
        if window.shows(AT[place], 12):
            name_tag(canvas, words, place, window)
    return canvas.image


def tag_box(words: Words, place: str, window: Window = WHOLE) -> Box:
    """Where a place's name and mons lie: at its own size beside the place, however large the map is."""
    x, y = window.at(AT[place])
    x, y = x + LABEL[place][0] - AT[place][0], y + LABEL[place][1] - AT[place][1]
    length = lines.width(words.term("sekigahara", place), NAME) + 30 * len(RECRUITS[place])
    left = max(12.0, min(x - length / 2, WIDTH - length - 12))
    y = min(y, window.height - 20)
    return left - 6, y - 16, left + length + 6, y + 16


def name_tag(canvas: Canvas, words: Words, place: str, window: Window) -> None:
    """A place's name on a tag of washi, after the mons that are recruited there."""
    box = tag_box(words, place, window)
    left, y = box[0] + 6, (box[1] + box[3]) / 2
    pen = canvas.pen((box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1))
    pen.box(box, 7, WASHI)
    canvas.draw(pen)
    for number, daimyo in enumerate(RECRUITS[place]):
        canvas.centre(mon(daimyo, 25, INK, WASHI), left + 13 + 30 * number, y)
    name = words.term("sekigahara", place)
    canvas.words(left + 30 * len(RECRUITS[place]), y + 9, name, NAME, INK)
