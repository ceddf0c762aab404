"""The layers of the map that `render.shogun.bake` drew: land and sea by number, borders, where marks lie."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from isal import isal_zlib
from PIL import Image

from engines.shogun.data import PROVINCES, in_play
from render.canvas import Cells
from render.colour import mix, rgb
from render.flat import CELL, Area, tiles
from render.kept import kept
from render.theme import GOLD, INK, MUTE, PAPER, WHITE

FOLDER = Path(__file__).parent / "layers"
SCALES = (1, 1.5, 1.8)  # of the whole map, of a part of it enlarged
LINES = {  # round a province: in which colour, how wide, drawn and left out where it is in dashes
    "paper": (PAPER, 14, ()),
    "ink": (INK, 11, ()),
    "chosen": (GOLD, 6, ()),
    "taken": (GOLD, 6, (20, 10)),
    "target": (WHITE, 5, (13, 9)),
    "own": (WHITE, 6, (0, 13)),
}
HATCHED = tuple(  # the provinces that are out of play with three players, on either side
    name for name in PROVINCES if any(name not in in_play(side, 3) for side in ("sun", "moon"))
)
HATCHES = {name: (len(PROVINCES) + 2 * n, len(PROVINCES) + 2 * n + 1) for n, name in enumerate(HATCHED)}
SEA_FROM = 100  # the number of the sea's first shade
KINDS = 256  # of pixels in a tile: the most there may be
TILE = 216  # pixels of a side
KEY_SIZE = 432, 436  # of the small map, twice as large as it is shown


@kept
def codes(side: str, scale: float) -> Image.Image:
    """The map by the number of each pixel's kind: one byte of what are four in true colours, 15 MB."""
    return opened(f"map-{side}-{scale}")


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


def laid_out(side: str, scale: float, box: Area, kinds: Image.Image) -> Image.Image:
    """A part of the map, each pixel what is said of its kind: one byte of `kinds`, a row a tile."""
    whole = codes(side, scale)
    made = kinds.crop((0, 0, box[2] - box[0], box[3] - box[1]))  # with its palette
    for row, tile in enumerate(tiles(whole.size, TILE)):
        left, top = max(tile[0], box[0]), max(tile[1], box[1])
        right, bottom = min(tile[2], box[2]), min(tile[3], box[3])
        if left < right and top < bottom:
            table = kinds.crop((0, row, KINDS, row + 1)).tobytes()
            made.im.paste(
                whole.im.crop((left, top, right, bottom)).point(table, "P"),
                (left - box[0], top - box[1], right - box[0], bottom - box[1]),
            )
    return made


def line(name: str, what: str, scale: float) -> Cells | None:
    """A line round a province, read anew: of a thousand of them few are seen. None of other sizes of the map.

    The file begins with where each of them does and where the last ends; each is packed: its size,
    how many of its cells are kept and which, their pixels.
    """
    if scale not in SCALES:
        return None
    province = SCALES.index(scale) * len(PROVINCES) + PROVINCES.index(name)
    number = province * len(LINES) + [*LINES].index(what)
    with (FOLDER / "lines.bin").open("rb") as file:
        file.seek(4 * number)
        start, end = struct.unpack("<2I", file.read(8))
        file.seek(start)
        data = isal_zlib.decompress(file.read(end - start))
    wide, tall, several = struct.unpack_from("<3H", data)
    numbers = struct.unpack_from(f"<{several}H", data, 6)
    strip = Image.frombytes("L", (CELL, CELL * several), data[6 + 2 * several :])
    whole, cells = tiles((wide, tall), CELL), []
    for place, cell in enumerate(whole[number] for number in numbers):
        left, top, right, bottom = cell
        upper = CELL * place
        cells.append((strip.crop((0, upper, right - left, upper + bottom - top)), cell))
    return Cells((wide, tall), cells)


def packed(found: Cells) -> bytes:
    """A line as it is in the file."""
    numbers = {cell: number for number, cell in enumerate(tiles(found.size, CELL))}
    strip = Image.new("L", (CELL, CELL * len(found.cells)))
    for place, (piece, _) in enumerate(found.cells):
        strip.paste(piece, (0, CELL * place))
    full = [numbers[cell] for _, cell in found.cells]
    head = struct.pack(f"<{3 + len(full)}H", *found.size, len(full), *full)
    return zlib.compress(head + strip.tobytes(), 9)


@cache
def places() -> Any:
    """Where rows, unrest and marks of battles lie on the map."""
    return json.loads((FOLDER / "places.json").read_text(encoding="utf-8"))


def meeting(one: str, other: str) -> tuple[float, float]:
    """Where the mark of a battle between two neighbours lies on the map."""
    x, y = places()["meetings"]["-".join((min(one, other), max(one, other)))]
    return float(x), float(y)


def coloured(image: Image.Image, fills: Mapping[str, str]) -> Image.Image:
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
