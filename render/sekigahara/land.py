"""The ground of the map as it is drawn once and for all: sea, waves, coast, land, roads, highways.

`python -m render.sekigahara.land` draws both sheets anew into this folder: drawing one takes a second,
opening it some milliseconds. A test compares them with what is drawn.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from render.canvas import Pen, Point, thinned
from render.colour import mix
from render.flat import as_ground
from render.kept import kept
from render.sea import water
from render.sekigahara.geography import COAST, KIND, LAKES, MAP_HEIGHT, ROADS
from render.sekigahara.palette import colours
from render.theme import COAST_FAR, COAST_NEAR, INK, SEA, SEKIGAHARA, WASHI, WAVE, WHITE, WIDTH

FOLDER = Path(__file__).parent
WHOLE_ZOOM, NEAR_ZOOM = 1.0, 1.8


def path_of(zoom: float) -> Path:
    """Where a sheet is kept."""
    return FOLDER / ("land.png" if zoom == WHOLE_ZOOM else "land-near.png")


def sheet(zoom: float) -> Image.Image:
    """The whole map so many times as large, in the game's palette."""
    with Image.open(path_of(zoom)) as image:
        image.load()
    return image


@kept  # one byte a pixel: 1.3 and 4.1 megabytes
def land(zoom: float) -> Image.Image:
    """The same as the ground of pictures."""
    return as_ground(sheet(zoom), colours())


def drawn(zoom: float) -> Image.Image:
    """The same, drawn."""
    width, height = round(WIDTH * zoom), round(MAP_HEIGHT * zoom)
    large = 1 if zoom == WHOLE_ZOOM else 1.3  # lines grow less than the map

    def scaled(points: list[Point]) -> list[Point]:
        return [(x * zoom, y * zoom) for x, y in points]

    pen = water(width, height)
    rings = [scaled([*ring, ring[0]]) for ring in COAST]
    for wide, colour in ((28, mix(SEA, WAVE, 0.12)), (15, mix(SEA, WAVE, 0.26))):
        for ring in (thinned(ring, wide / 3) for ring in rings):
            pen.line(ring, colour, 2 * wide * large)
            pen.line(ring, mix(SEA, WAVE, 0.03), (2 * wide - 5) * large)
    shore = Pen(width, height, mode="RGB", ground=WASHI)
    for wide, colour in ((26, COAST_NEAR), (13, COAST_FAR)):
        for ring in (thinned(ring, wide / 4) for ring in rings):
            shore.line(ring, colour, 2 * wide * large)
    stencil = Pen(width, height, mode="L")
    for ring in rings:
        stencil.polygon(ring, WHITE)
        pen.line(ring, INK, 6 * large)
    pen.overlay(shore, stencil)
    for ring in rings:
        pen.line(ring, INK, 3 * large)
    for ring in LAKES:
        pen.polygon(scaled(ring), SEA, INK, 2 * large)
    for pair, line in ROADS.items():
        if KIND[pair] != "highway":
            pen.dashes(scaled(line), SEKIGAHARA["road"], 4.6 * large, 13, 8, round_ends=False)
    highways = [scaled(line) for pair, line in ROADS.items() if KIND[pair] == "highway"]
    for width_of_line, colour in ((11, INK), (7, SEKIGAHARA["highway"])):
        for line in highways:
            pen.line(line, colour, width_of_line * large)
    for line in highways:
        pen.dashes(line, WHITE, 2 * large, 9, 9, round_ends=False)
    return pen.sprite().convert("RGB").quantize(palette=colours(), dither=Image.Dither.NONE)


def main() -> None:
    """Draw both sheets anew."""
    for zoom in (WHOLE_ZOOM, NEAR_ZOOM):
        drawn(zoom).save(path_of(zoom), "PNG", optimize=True)


if __name__ == "__main__":
    main()
