"""Where everything lies on the map of Sekigahara, in pixels of the whole map."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.sekigahara.data import CAPITALS, CASTLES, PLACES, RESOURCES
from render.canvas import Box, Point
from render.theme import WIDTH

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

    @property
    def pieces(self) -> float:
        """How much larger than on the whole map pieces and names are drawn."""
        return 1.0 if self.zoom == 1 else 1.25

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
NEAR = 1.8  # how much larger a part of the map is


def window_round(middle: Point, height: int = WIDTH) -> Window:
    """600 pixels of the map around a point, 1.8 times as large, in a picture so many pixels high."""
    wide, tall = WIDTH / NEAR, height / NEAR
    left = min(max(0.0, round(middle[0] - wide / 2)), WIDTH - wide)
    top = min(max(0.0, round(middle[1] - tall / 2)), MAP_HEIGHT - tall)
    return Window(left, top, NEAR, height)
