"""The map of Sekigahara without what stands on it: sea, land, roads, highways, place names, towns."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from engines.sekigahara.data import CAPITALS, CASTLES, PLACES, RECRUITS, RESOURCES
from locales import Words
from render import text as lines
from render.canvas import Canvas, Pen, Point, arc_points
from render.colour import mix
from render.panels import ground
from render.sekigahara_pieces import mon
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

_MAP: dict[str, Any] = json.loads((Path(__file__).parent / "sekigahara_map.json").read_text(encoding="utf-8"))
MAP_HEIGHT: int = _MAP["frame"][1]
AT: dict[str, Point] = {name: tuple(_MAP["places"][name]["at"]) for name in PLACES}
LABEL: dict[str, Point] = {name: tuple(_MAP["places"][name]["label"]) for name in PLACES}
COAST: list[list[Point]] = [[(x, y) for x, y in ring] for ring in _MAP["coast"]]
LAKES: list[list[Point]] = [[(x, y) for x, y in ring] for ring in _MAP["lakes"]]
ROADS: dict[frozenset[str], list[Point]] = {
    frozenset(road["between"]): [(x, y) for x, y in road["line"]] for road in _MAP["roads"]
}
KIND: dict[frozenset[str], str] = {frozenset(road["between"]): road["kind"] for road in _MAP["roads"]}
STARTS: dict[frozenset[str], str] = {frozenset(r["between"]): r["between"][0] for r in _MAP["roads"]}
NAME = Type("map", 26)


def road(one: str, two: str) -> list[Point]:
    """The line from one place to its neighbour, in this direction."""
    pair = frozenset((one, two))
    line = ROADS[pair]
    return line if STARTS[pair] == one else line[::-1]


def kind_of(place: str) -> str:
    """`castle`, `capital`, `resource` or `town`."""
    if place in CASTLES:
        return "castle"
    if place in CAPITALS:
        return "capital"
    return "resource" if place in RESOURCES else "town"


@lru_cache(maxsize=2)
def land() -> Image.Image:
    """Sea with waves, coast bands, land, lakes, roads and highways."""
    canvas = Canvas(ground(WIDTH, MAP_HEIGHT, SEA))
    waves = Pen(WIDTH, MAP_HEIGHT)
    shade = mix(SEA, WAVE, 0.16)
    for row, y in enumerate(range(20, MAP_HEIGHT + 40, 24)):
        for x in range(-24 + 24 * (row % 2), WIDTH + 24, 48):
            for radius in (10, 20):
                waves.line(arc_points(x, y, radius, 200, 340), shade, 1.6, round_ends=False)
    canvas.draw(waves)
    pen = Pen(WIDTH, MAP_HEIGHT)
    closed = [[*ring, ring[0]] for ring in COAST]
    for wide, colour in ((28, mix(SEA, WAVE, 0.12)), (15, mix(SEA, WAVE, 0.26))):
        for ring in closed:
            pen.line(ring, colour, 2 * wide)
            pen.line(ring, mix(SEA, WAVE, 0.03), 2 * wide - 5)
    for ring in COAST:
        pen.polygon(ring, COAST_FAR)
    for ring in closed:
        pen.line(ring, INK, 6)
    for ring in COAST:
        pen.polygon(ring, WASHI)
    canvas.draw(pen)
    canvas.paste(bands(closed), 0, 0)
    over = Pen(WIDTH, MAP_HEIGHT)
    for ring in LAKES:
        over.polygon(ring, SEA, INK, 2)
    for pair, line in ROADS.items():
        if KIND[pair] != "highway":
            over.dashes(line, SEKIGAHARA["road"], 4.6, 13, 8, round_ends=False)
    highways = [line for pair, line in ROADS.items() if KIND[pair] == "highway"]
    for width, colour in ((11, INK), (7, SEKIGAHARA["highway"])):
        for line in highways:
            over.line(line, colour, width)
    for line in highways:
        over.dashes(line, WHITE, 2, 9, 9, round_ends=False)
    canvas.draw(over)
    return canvas.image


def bands(rings: list[list[Point]]) -> Image.Image:
    """Two bands along the coast, on the land side only."""
    stencil = Image.new("L", (WIDTH, MAP_HEIGHT), 0)
    inside = Pen(WIDTH, MAP_HEIGHT)
    for ring in COAST:
        inside.polygon(ring, WHITE)
    stencil.paste(inside.sprite().getchannel("A"))
    bank = Pen(WIDTH, MAP_HEIGHT)
    for wide, colour in ((26, COAST_NEAR), (13, COAST_FAR)):
        for ring in rings:
            bank.line(ring, colour, 2 * wide)
    for ring in rings:
        bank.line(ring, INK, 3)
    image = bank.sprite()
    image.putalpha(Image.composite(image.getchannel("A"), Image.new("L", image.size), stencil))
    return image


@lru_cache(maxsize=8)
def base(locale: str, words: Words) -> Image.Image:
    """The whole map with names and recruiting crests, in one language."""
    canvas = Canvas(land())
    for place in PLACES:
        name_tag(canvas, words, place)
    return canvas.image


def name_tag(canvas: Canvas, words: Words, place: str) -> None:
    """A place's name on a tag of washi, after the mons that are recruited there."""
    x, y = LABEL[place]
    name = words.term("sekigahara", place)
    mons = RECRUITS[place]
    length = lines.width(name, NAME) + 30 * len(mons)
    left = max(6, min(x - length / 2, WIDTH - length - 6))
    pen = canvas.pen((left - 7, y - 17, left + length + 7, y + 17))
    pen.box((left - 6, y - 16, left + length + 6, y + 16), 7, WASHI)
    canvas.draw(pen)
    for number, daimyo in enumerate(mons):
        canvas.centre(mon(daimyo, 25, INK, WASHI), left + 13 + 30 * number, y)
    canvas.words(left + 30 * len(mons), y + 9, name, NAME, INK)
