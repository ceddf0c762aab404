"""Draws beforehand what never changes of Shogun's map: `python -m render.shogun.bake` writes `layers/`.

A first board is wanted within a tenth of a second, and drawing sea and borders takes ten times as
long. A test draws them anew and compares, so whoever changes the map runs this again.

map-<side>-<scale>.bin      by tiles the number of a pixel's kind: of each tile there is a row of the kinds in
land-<side>-<scale>.png     a province, the hatching of one that can be out of play, or a shade of the sea,
                            whose colours are in its palette, and
borders-<side>-<scale>.png  coast and borders, to be put on it
lines.bin                   the lines round each province (`layers.outline`)
key.png                     the land alone, small
places.json        of each province the room of its row of marks, and where its unrest lies; of each pair of
                   neighbours where the mark of a battle lies
"""

from __future__ import annotations

import io
import json
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, cast

from PIL import Image, ImageChops

from engines.shogun.data import PROVINCES
from render.canvas import CLEAR, Pen, Sparse
from render.colour import mix, rgb
from render.flat import tiles
from render.shogun.layers import (
    COLOURS,
    FOLDER,
    HATCHED,
    HATCHES,
    KEY_SIZE,
    KINDS,
    LINES,
    SCALES,
    SEA_FROM,
    TILE,
)
from render.shogun.map import MAP_HEIGHT, borders_of, drawn_line, land, meeting, sea
from render.shogun.map import pairs as neighbours
from render.shogun.palette import colours
from render.shogun.room import found_chips, found_room
from render.theme import INK, PAPER, WASHI, WHITE, WIDTH

RGBA = tuple[int, int, int, int]
STEPS = 16  # of an edge, from nothing to whole
HATCH, HATCH_LINE = 18, 3  # pixels from one slanting line to the next, and how wide they are


def land_layer(scale: float) -> Image.Image:
    """Every pixel's number."""
    shades = sea(scale).quantize(palette=colours(), dither=Image.Dither.NONE)
    used = [index for index, count in enumerate(shades.histogram()) if count]
    table = [0] * 256
    palette = [0] * 768
    fixed = shades.getpalette() or []
    for number, index in enumerate(used):
        table[index] = SEA_FROM + number
        palette[3 * (SEA_FROM + number) : 3 * (SEA_FROM + number) + 3] = fixed[3 * index : 3 * index + 3]
    image = Image.frombytes("L", shades.size, shades.tobytes()).point(table)
    lines = hatching(scale)
    for number, name in enumerate(PROVINCES):
        stencil, at = land(name, scale)
        image.paste(number, at, stencil)
        if name in HATCHED:
            whole = Image.new("L", image.size)
            whole.paste(255, at, stencil)
            for level, least in enumerate((85, 170)):
                crossed = ImageChops.multiply(whole, lines.point([255 * (v >= least) for v in range(256)]))
                image.paste(HATCHES[name][level], (0, 0), crossed)
    numbered = Image.frombytes("P", image.size, image.tobytes())
    numbered.putpalette(palette)
    return numbered


def hatching(scale: float) -> Image.Image:
    """Slanting lines over the whole map."""
    wide, tall = round(WIDTH * scale), round(MAP_HEIGHT * scale)
    pen = Pen(wide, tall, mode="L")
    step = HATCH * scale
    for number in range(-int(tall / step) - 1, int(wide / step) + 1):
        x = number * step
        pen.line([(x, tall), (x + tall, 0)], WHITE, HATCH_LINE * scale)
    return pen.sprite()


def borders_layer(side: str, scale: float) -> Image.Image:
    """Coast and borders with at most 256 pairs of a colour and how much of it there is."""
    image = borders_of(side, scale)
    flat = [INK, PAPER, WASHI, WHITE]
    flat += [mix(INK, other, part / 4) for other in (PAPER, WASHI) for part in (1, 2, 3)]
    exact: dict[Any, RGBA] = {}
    for _, colour in image.getcolors(1 << 22) or ():
        exact[colour] = simpler(cast(RGBA, colour), [rgb(shade) for shade in flat])
    kinds = sorted(set(exact.values()))
    if len(kinds) > 256:
        raise ValueError(f"{len(kinds)} colours")
    number = {kind: place for place, kind in enumerate(kinds)}
    numbers = bytes(number[exact[colour]] for colour in image.get_flattened_data())
    out = Image.frombytes("P", image.size, numbers)
    out.putpalette([part for kind in kinds for part in kind[:3]])
    out.info["transparency"] = bytes(kind[3] for kind in kinds)
    return out


def simpler(colour: tuple[int, int, int, int], flat: list[tuple[int, int, int]]) -> tuple[int, int, int, int]:
    """The nearest of the flat colours, in one of STEPS steps."""
    step = 255 / STEPS
    alpha = round(round(colour[3] / step) * step)
    if not alpha:
        return 0, 0, 0, 0
    red, green, blue = min(flat, key=lambda f: sum((a - b) ** 2 for a, b in zip(f, colour, strict=False)))
    return red, green, blue, alpha


def small(land: Image.Image) -> Image.Image:
    """The land as it is on a key map."""
    return land.resize(KEY_SIZE, Image.Resampling.NEAREST)


def in_tiles(
    land: Image.Image, lines: Image.Image, *, whole: bool
) -> tuple[Image.Image, Image.Image, Image.Image]:
    """The map by the kinds of pixels of each tile, and the land and the borders of these kinds.

    What lies below a line is not kept of a `whole` map, of which no size is changed any more.
    """
    solid = {number for number, alpha in enumerate(lines.info["transparency"]) if alpha == 255 and whole}
    codes = land.copy()
    boxes = tiles(land.size, TILE)
    kinds = land.crop((0, 0, KINDS, len(boxes))), lines.crop((0, 0, KINDS, len(boxes)))
    for row, box in enumerate(boxes):
        pixels = zip(land.crop(box).tobytes(), lines.crop(box).tobytes(), strict=True)
        here = [(0 if line in solid else ground, line) for ground, line in pixels]
        place = {pair: number for number, pair in enumerate(sorted(set(here)))}
        if len(place) > KINDS:
            raise ValueError(f"{len(place)} kinds of pixels in a tile")
        piece = land.crop(box)
        piece.frombytes(bytes(place[pair] for pair in here))
        codes.paste(piece, box)
        for image, values in zip(kinds, zip(*place, strict=True), strict=True):
            image.paste(0, (0, row, KINDS, row + 1))
            for number, value in enumerate(values):
                image.putpixel((number, row), value)
    return codes, *kinds


def places() -> dict[str, Any]:
    """Where rows, unrest and marks of battles lie."""
    return {
        "rooms": {name: found_room(name) for name in PROVINCES},
        "chips": found_chips(),
        "meetings": {"-".join(pair): [round(v, 1) for v in meeting(*pair)] for pair in sorted(neighbours())},
    }


def lines() -> bytes:
    """The lines round all provinces on all maps, behind their colours and where each begins and ends."""
    places = [(scale, name) for scale in SCALES for name in PROVINCES]
    drawn = {(kind, *at): drawn_line(at[1], kind, at[0]) for at in places for kind in LINES}
    numbers = {kind: numbered(sprite for key, sprite in drawn.items() if key[0] == kind) for kind in LINES}
    packs = [packed(drawn[kind, *at], numbers[kind]) for at in places for kind in LINES]
    return joined(packs, b"".join(bytes(chain(*found)).ljust(COLOURS, b"\0") for found in numbers.values()))


def joined(packs: Sequence[bytes], head: bytes) -> bytes:
    """A file of this head, of where in it each pack begins and the last ends, and of them."""
    starts = accumulate(map(len, packs), initial=len(head) + 4 * (len(packs) + 1))
    return head + struct.pack(f"<{len(packs) + 1}I", *starts) + b"".join(packs)


def in_packs(codes: Image.Image) -> bytes:
    """A map's tiles."""
    packs = [zlib.compress(codes.crop(tile).tobytes(), 9) for tile in tiles(codes.size, TILE)]
    return joined(packs, struct.pack("<2H", *codes.size))


def numbered(sprites: Iterable[Image.Image]) -> dict[RGBA, int]:
    """The number of each colour in them; all that lets everything through is one."""
    found = {cast(RGBA, colour) for sprite in sprites for _, colour in sprite.getcolors(1 << 22) or ()}
    several = sorted({colour if colour[3] else CLEAR for colour in found})
    if len(several) > KINDS:
        raise ValueError(f"{len(several)} colours")
    return {colour: number for number, colour in enumerate(several)}


def packed(sprite: Image.Image, numbers: Mapping[RGBA, int]) -> bytes:
    """A line as it is in the file."""
    cells = [
        (left, top, left + piece.width, top + piece.height)
        for piece, left, top in Sparse([(sprite, 0, 0)]).pieces
    ]
    head = struct.pack("<3H", *sprite.size, len(cells)) + b"".join(
        struct.pack("<4H", *cell) for cell in cells
    )
    colours = cast(Iterable[RGBA], sprite.get_flattened_data())
    pixels = bytes(numbers[colour if colour[3] else CLEAR] for colour in colours)
    return zlib.compress(head + pixels, 9)


def layers() -> dict[str, bytes]:
    """Every file of the folder."""
    found: dict[str, bytes] = {}
    for scale in SCALES:
        land = land_layer(scale)
        if scale == 1:
            found["key.png"] = png(small(land))
        for side in ("sun", "moon"):
            codes, *made = in_tiles(land, borders_layer(side, scale), whole=scale != SCALES[-1])
            found[f"map-{side}-{scale}.bin"] = in_packs(codes)
            for kind, image in zip(("land", "borders"), made, strict=True):
                found[f"{kind}-{side}-{scale}.png"] = png(image)
    found["lines.bin"] = lines()
    found["places.json"] = (json.dumps(places(), indent=0) + "\n").encode()
    return found


def png(image: Image.Image) -> bytes:
    """As small as it comes."""
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True, **{k: v for k, v in image.info.items() if k == "transparency"})
    return out.getvalue()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, data in layers().items():
        (FOLDER / file).write_bytes(data)
