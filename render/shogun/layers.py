"""The layers of the map that `render.shogun.bake` drew: land and sea by number, borders, where marks lie."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from isal import isal_zlib
from PIL import Image

from engines.shogun.data import PROVINCES, in_play
from render.canvas import Sparse
from render.colour import mix, rgb
from render.flat import Area, tiles
from render.kept import kept
from render.theme import GOLD, INK, MUTE, PAPER, WHITE

FOLDER = Path(__file__).parent / "layers"
SCALES = (1, 1.5, 1.8)  # of the whole map, of a part of it enlarged
LINES = {  # round a province, from below: in which colour, how wide, drawn and left out where it is in dashes
    "chosen": ((PAPER, 14, ()), (INK, 11, ()), (GOLD, 6, ())),  # gold on a gold land would vanish
    "taken": ((PAPER, 14, ()), (INK, 11, ()), (GOLD, 6, (20, 10))),
    "target": ((INK, 11, ()), (WHITE, 5, (13, 9))),
    "own": ((INK, 11, ()), (WHITE, 6, (0, 13))),
}
COLOURS = 4 * 256  # bytes of the colours of a kind of line
HATCHED = tuple(  # the provinces that are out of play with three players, on either side
    name for name in PROVINCES if any(name not in in_play(side, 3) for side in ("sun", "moon"))
)
HATCHES = {name: (len(PROVINCES) + 2 * n, len(PROVINCES) + 2 * n + 1) for n, name in enumerate(HATCHED)}
SEA_FROM = 100  # the number of the sea's first shade
KINDS = 256  # of pixels in a tile: the most there may be
TILE = 216  # pixels of a side
KEY_SIZE = 432, 436  # of the small map, twice as large as it is shown


@cache
def codes(side: str, scale: float) -> tuple[tuple[Area, bytes], ...]:
    """The map's tiles by the number of each pixel's kind, packed: of a map enlarged a few are seen.

    The file begins with the map's size, and with where each tile does and the last ends.
    """
    data = (FOLDER / f"map-{side}-{scale}.bin").read_bytes()
    wide, tall = struct.unpack_from("<2H", data)
    several = tiles((wide, tall), TILE)
    starts = struct.unpack_from(f"<{len(several) + 1}I", data, 4)
    return tuple(
        (tile, data[start:end]) for tile, (start, end) in zip(several, pairwise(starts), strict=True)
    )


@kept
def land(side: str, scale: float) -> Image.Image:
    """A row a tile: land and sea of the kinds of its pixels, by number."""
    return opened(f"land-{side}-{scale}")


@kept
def borders(side: str, scale: float) -> Image.Image:
    """A row a tile: coast and borders of the kinds of its pixels."""
    return opened(f"borders-{side}-{scale}")


@kept
def key() -> Image.Image:
    """The land alone, small."""
    return opened("key")


def opened(name: str) -> Image.Image:
    """A file's picture."""
    with Image.open(FOLDER / f"{name}.png") as image:
        image.load()
        return image


@kept
def whole(side: str) -> Image.Image:
    """All tiles of the map that is not enlarged, unpacked: every board has them."""
    found = codes(side, 1)
    made = Image.new("L", found[-1][0][2:])
    for tile, pack in found:
        made.im.paste(unpacked(tile, pack), tile)
    return made


def unpacked(tile: Area, pack: bytes) -> Any:
    """A tile's numbers, as Pillow's C code has them."""
    size = tile[2] - tile[0], tile[3] - tile[1]
    return Image.frombuffer("L", size, isal_zlib.decompress(pack), "raw", "L", 0, 1).im


def laid_out(side: str, scale: float, box: Area, kinds: Image.Image) -> Image.Image:
    """A part of the map, each pixel what is said of its kind: one byte of `kinds`, a row a tile."""
    left, top, right, bottom = box
    made = kinds.crop((0, 0, right - left, bottom - top))  # with its palette
    tables = kinds.tobytes()
    for row, (tile, pack) in enumerate(codes(side, scale)):
        west, north, east, south = tile
        if west < right and left < east and north < bottom and top < south:
            numbers = whole(side).im.crop(tile) if scale == 1 else unpacked(tile, pack)
            pixels = numbers.point(tables[KINDS * row : KINDS * (row + 1)], "P")
            made.im.paste(pixels, (west - left, north - top, east - left, south - top))
    return made


@cache
def lines() -> mmap:
    """The file of all lines, of which the system reads what is looked at."""
    with (FOLDER / "lines.bin").open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def outline(name: str, kind: str, scale: float) -> Sparse | None:
    """A line round a province, read anew: of six hundred few are seen. None of other sizes of the map.

    The file begins with the colours of each kind of line, and with where each line does and the last ends;
    each is packed: its size, where in it something is, its pixels by their colours.
    """
    if scale not in SCALES:
        return None
    province = SCALES.index(scale) * len(PROVINCES) + PROVINCES.index(name)
    place, file = [*LINES].index(kind), lines()
    number = province * len(LINES) + place
    start, end = struct.unpack_from("<2I", file, COLOURS * len(LINES) + 4 * number)
    data = isal_zlib.decompress(file[start:end])
    wide, tall, several = struct.unpack_from("<3H", data)
    cells = [*struct.iter_unpack("<4H", data[6 : 6 + 8 * several])]
    found = Image.frombytes("P", (wide, tall), data[6 + 8 * several :])
    found.putpalette(file[COLOURS * place : COLOURS * (place + 1)], "RGBA")
    return Sparse.of(found.convert("RGBA"), cells)


@cache
def places() -> Any:
    """Where rows, unrest and marks of battles lie on the map."""
    return json.loads((FOLDER / "places.json").read_text(encoding="utf-8"))


def meeting(one: str, other: str) -> tuple[float, float]:
    """Where the mark of a battle between two neighbours lies on the map."""
    x, y = places()["meetings"]["-".join((min(one, other), max(one, other)))]
    return float(x), float(y)


def coloured(image: Image.Image, fills: Mapping[str, str | None]) -> Image.Image:
    """A piece of `land` in colours: of the provinces those given, hatched grey where there is none."""
    palette = list(image.getpalette() or ())
    for number, name in enumerate(PROVINCES):
        fill = fills.get(name)
        palette[3 * number : 3 * number + 3] = rgb(fill or MUTE)
        for level, place in enumerate(HATCHES.get(name, ())):
            palette[3 * place : 3 * place + 3] = rgb(fill or mix(MUTE, INK, 0.12 + 0.16 * level))
    piece = image.copy()
    piece.putpalette(palette)
    return piece.convert("RGB")
