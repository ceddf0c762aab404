"""How the map lies in a picture: whole, or a part of it enlarged with its words drawn anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from math import floor
from typing import NamedTuple

from PIL import Image

from engines.shogun.data import PROVINCES, REGION, REGIONS
from render import text as lines
from render.canvas import Point
from render.flat import Area, as_ground
from render.kept import kept
from render.shogun import layers
from render.shogun.map import LABELS, MAP_HEIGHT, POLYGONS
from render.shogun.palette import colours as palette
from render.shogun.room import NAME_TYPE
from render.theme import TALLEST, WIDTH

TOP = 112  # the head above the map
_, LEAST, MOST = layers.SCALES  # how much a part is enlarged that is worth a picture of its own
FOCUS_HEIGHT = 950  # of the place in a focus picture
ROUND = (66, 62, 66, 64)  # of the map round a province's label that has to be seen: left, top, right, bottom


class Lens(NamedTuple):
    """A window on the map, so large in the picture: `scale`, the map's point at its corner, its size."""

    scale: float
    left: float
    top: float
    height: int
    width: int = WIDTH
    down: int = TOP

    @property
    def whole(self) -> bool:
        """Whether all of the map is seen."""
        return self.scale == 1

    def at(self, x: float, y: float) -> Point:
        """A point of the map in the picture."""
        return (x - self.left) * self.scale, (y - self.top) * self.scale + self.down

    def sees(self, name: str) -> bool:
        """Whether a province's name and marks lie in the window: none is cut at its edge."""
        x, y = LABELS[name]
        half = max(60.0, name_width(name) / 2)
        wide, tall = self.width / self.scale, self.height / self.scale
        return self.left + half <= x <= self.left + wide - half and self.top + 44 <= y <= self.top + tall - 54

    def holds(self, box: tuple[float, float, float, float]) -> bool:
        """Whether all of a box of the map lies in the window."""
        wide, tall = self.width / self.scale, self.height / self.scale
        left, top, right, bottom = box
        within = self.left <= left and right <= self.left + wide
        return within and self.top <= top and bottom <= self.top + tall

    def box(self, scale: float) -> Area:
        """The part of a map of this scale that is in the window."""
        left, top = self.left * scale, self.top * scale
        wide, tall = self.width / self.scale * scale, self.height / self.scale * scale
        return round(left), round(top), round(left + wide), round(top + tall)


WHOLE = Lens(1, 0, 0, MAP_HEIGHT)


@cache
def name_width(name: str) -> float:
    """How wide the name lies on the map."""
    return lines.width(name, NAME_TYPE)


def bounds(names: Iterable[str]) -> tuple[float, float, float, float]:
    """The part of the map where these provinces' marks lie."""
    points = [LABELS[name] for name in names]
    left, top, right, bottom = ROUND
    return (
        max(0, min(x for x, _ in points) - left),
        max(0, min(y for _, y in points) - top),
        min(WIDTH, max(x for x, _ in points) + right),
        min(MAP_HEIGHT, max(y for _, y in points) + bottom),
    )


def round_places(names: Iterable[str], height: int = FOCUS_HEIGHT, least: float = LEAST) -> Lens | None:
    """The window on these provinces; None where it would enlarge them too little."""
    left, top, right, bottom = bounds(names)
    scale = min(MOST, WIDTH / (right - left), height / (bottom - top))
    if scale < least:
        return None
    scale = max(size for size in layers.SCALES if size <= scale)
    wide, tall = WIDTH / scale, height / scale
    x = min(max(0, (left + right - wide) / 2), WIDTH - wide)
    y = min(max(0, (top + bottom - tall) / 2), MAP_HEIGHT - tall)
    return Lens(scale, round(x), round(y), height)


def steps_of(scale: float) -> float:
    """The scale in tenths: what is drawn for one picture serves for others."""
    return floor(scale * 10) / 10


def area_lens(area: str | None, side: str) -> Lens | None:
    """The window on a region or round a province; None for anything else."""
    if area in REGIONS:
        inside = [name for name in PROVINCES if REGION[side][name] == area]
        ring = [point for name in inside for point in POLYGONS[name]]
        wide = max(x for x, _ in ring) - min(x for x, _ in ring) + 24
        tall = max(y for _, y in ring) - min(y for _, y in ring) + 24
        scale = steps_of(min(MOST, WIDTH / wide, (TALLEST - TOP) / tall))
        height = min(TALLEST - TOP, max(700, round(tall * scale)))
        x = (max(x for x, _ in ring) + min(x for x, _ in ring) - WIDTH / scale) / 2
        y = (max(y for _, y in ring) + min(y for _, y in ring) - height / scale) / 2
        left = min(max(0, x), WIDTH - WIDTH / scale)
        return Lens(scale, round(left), round(min(max(0, y), MAP_HEIGHT - height / scale)), height)
    if area in PROVINCES:
        return round_places([area])
    return None


def ground(lens: Lens, fills: Mapping[str, str], side: str) -> Image.Image:
    """The map in the window, in the palette: sea, land in these colours, borders. Nobody may draw on it."""
    return drawn_ground(lens, tuple(fills.get(name) for name in PROVINCES), side)


@kept
def drawn_ground(lens: Lens, colours: tuple[str | None, ...], side: str) -> Image.Image:
    """The same, drawn."""
    fills = dict(zip(PROVINCES, colours, strict=True))
    scale = lens.scale if lens.scale in layers.SCALES else layers.SCALES[-1]
    box = lens.box(scale)
    kinds = layers.land(side, scale), layers.borders(side, scale)
    size = (lens.width, lens.height)
    if (box[2] - box[0], box[3] - box[1]) == size:
        return layers.laid_out(side, scale, box, put_together(*kinds, fills))
    numbers, lines_ = (layers.laid_out(side, scale, box, kind) for kind in kinds)
    numbers = numbers.resize(size, Image.Resampling.NEAREST)
    return put_together(numbers, lines_.convert("RGBA").resize(size, Image.Resampling.BILINEAR), fills)


def put_together(numbers: Image.Image, lines_: Image.Image, fills: Mapping[str, str | None]) -> Image.Image:
    """Land in these colours and the borders on it, in the palette."""
    image, lines_ = layers.coloured(numbers, fills), lines_.convert("RGBA")
    image.paste(lines_, (0, 0), lines_)
    return as_ground(image, palette())
