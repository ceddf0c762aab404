"""From what was laid on a picture to a PNG of one fixed palette, without drawing anything twice.

A `Sheet` notes what is laid on it and draws it only to be looked at. For a PNG it is taken in bands of some
rows. What lies on a band says what it looks like: one that was made of the same lately is there already,
compressed. In the others what is opaque and kept for many pictures (an empty board, a frame) is laid down in
the palette; only where something was mixed with its ground (soft edges, words) pixels are drawn in true
colours and looked up. A pixel's place in the palette depends on its colour alone: the pixels are those of a
picture that was drawn and looked up whole.
"""

from __future__ import annotations

import struct
import weakref
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

from isal import isal_zlib
from PIL import Image, ImageColor

from render.kept import Lately, number

BAND = 64  # rows that are drawn, kept and deflated together
CELL = 48  # pixels a side of the pieces in which a large sprite is put on
NEAR = 48  # columns between what is looked up that are looked up with it
LEAST = 8_000  # pixels from which it is worth keeping those of an opaque image in the palette
SMALL = 1_000  # pixels of a stencil: from there on Pillow lays on an image of a colour twice as quickly as it
LEVEL = 1  # of ISA-L: a seventh of zlib's time at level 3, for as many bytes in pictures as flat as these
MOST_MIXED = 1_500_000  # pixels of what lies on one colour
MOST_BANDS = 1_000_000  # bytes of compressed bands that are kept: those of some six boards

FILL: Any = getattr(Image, "core").fill  # noqa: B009  an image of one colour: a third of the time of `Image.new`

ANY = (0, 0, 0)  # what is below a part that hides it
Area = tuple[int, int, int, int]  # left, top, right, bottom
Ink = tuple[int, ...]
Pixels = Any  # an image as Pillow's C code has it, or a colour


# left, top, right, bottom; the pixels or the colour, what of it is let through (all: None); a number that
# tells it from whatever else may lie there; the image or the colour where it is opaque and kept
Part = tuple[int, int, int, int, Pixels, Pixels, int, "Image.Image | Ink | None"]


class Sheet(Image.Image):
    """A picture in RGB of parts, one above the other; each stays as it is once it was put on.

    Who draws on it himself (`ImageDraw.Draw`, `putpixel`) or reads its pixels has the parts drawn first: then
    it is an image as any other, of which each pixel is looked up.
    """

    def __init__(self, width: int, height: int) -> None:
        """Empty: the first part is to cover it."""
        super().__init__()
        self._mode, self._size = "RGB", (width, height)
        self._parts: list[Part] = []

    @property
    def im(self) -> Pixels:
        """Its pixels."""
        if self._im is None:
            drawn = Image.new("RGB", self._size, None).im
            for part in self._parts:
                onto(drawn, part, 0, (0, 0, *self._size))
            self._im = drawn
        return super().im

    @im.setter
    def im(self, im: Pixels) -> None:
        self._im = im

    @property
    def parts(self) -> list[Part] | None:
        """What it is made of; None where its pixels alone say it."""
        return self._parts if self._im is None else None

    def add(
        self,
        what: Image.Image | Ink,
        area: Area,
        mask: Image.Image | None = None,
        *,
        hides: bool = False,
    ) -> None:
        """Put something on; an `area` is as large as the image that covers it.

        `hides`: it is opaque, and kept for many pictures or of one colour.
        """
        left, top, right, bottom = area
        at, through = (left & 0xFFFF) << 16 | top & 0xFFFF, None if mask is None else mask.im
        if isinstance(what, tuple):
            source: Pixels = what
            colour = what[0] << 16 | what[1] << 8 | what[2]
            if mask is None:
                name = ((colour << 32 | at) << 32 | (right & 0xFFFF) << 16 | bottom & 0xFFFF) << 2
            else:
                name = ((number(mask) << 24 | colour) << 32 | at) << 2 | 1
        else:
            if what.mode == "P":
                what.load()  # so that its pixels know their palette
            source = what.im
            if mask is None or mask is what:
                name = (number(what) << 32 | at) << 2 | 2
            else:
                name = ((number(what) << 40 | number(mask)) << 32 | at) << 2 | 3
        self.lay((left, top, right, bottom, source, through, name, what if hides else None))

    def lay(self, part: Part) -> None:
        """Put on what was put on another sheet."""
        if self._im is None:
            self._parts.append(part)
        else:
            onto(self.im, part, 0, (0, 0, *self._size))

    def paste(self, im: Any, box: Any = None, mask: Image.Image | None = None) -> None:
        """As on any image."""
        at: Any = box or (0, 0)
        if isinstance(box, Image.Image) or (isinstance(im, Image.Image) and im.mode != "RGB"):
            super().paste(im, box, mask)
            return
        if len(at) == 2:
            size = im.size if isinstance(im, Image.Image) else mask.size if mask is not None else self.size
            at = (at[0], at[1], at[0] + size[0], at[1] + size[1])
        if isinstance(im, Image.Image):
            self.add(im, at, mask, hides=mask is None and im.width * im.height >= LEAST)
        else:
            self.add(ink(im) if isinstance(im, str) else im, at, mask, hides=mask is None)

    def spread(self, ground: Image.Image, top: int = 0) -> None:
        """Cover it from `top` on with a ground in the game's palette, as wide as it is."""
        self.add(ground, (0, top, ground.width, top + ground.height), hides=True)

    def cut(self, height: int) -> Sheet:
        """The upper part of it."""
        part = Sheet(self.width, height)
        if self._im is None:
            part._parts = self._parts
        else:
            part.im = self.im.crop((0, 0, self.width, height))
        return part


def as_sheet(image: Image.Image) -> Sheet:
    """An image as a sheet of which nothing is known but its pixels, which it takes over."""
    sheet = Sheet(*image.size)
    sheet.im = image.im
    return sheet


def onto(pixels: Pixels, part: Part, top: int, seen: Area) -> None:
    """Draw a part on a picture that begins at this row; of a ground what is `seen` of it."""
    west, north, east, south, source, mask, _, ground = part
    if mask is not None:
        size = east - west, south - north
        if isinstance(source, tuple) and size[0] * size[1] > SMALL:
            source = FILL("RGB", size, source)
        pixels.paste(source, (west, north - top, east, south - top), mask)
        return
    if ground is None:
        pixels.paste(source, (west, north - top, east, south - top))
        return
    left, right = max(seen[0], west), min(seen[2], east)
    above, below = max(seen[1], north - top), min(seen[3], south - top)
    if left < right and above < below:
        if isinstance(ground, Image.Image):
            down = top - north
            source = source.crop((left - west, above + down, right - west, below + down))
            if ground.mode == "P":
                source = source.convert("RGB", Image.Dither.NONE)
        pixels.paste(source, (left, above, right, below))


@lru_cache(maxsize=64)
def tiles(size: tuple[int, int], side: int) -> list[Area]:
    """The squares, so many pixels a side, that cover a picture of this size, row by row."""
    wide, tall = size
    return [
        (left, top, min(wide, left + side), min(tall, top + side))
        for top in range(0, tall, side)
        for left in range(0, wide, side)
    ]


@lru_cache(maxsize=512)
def ink(colour: str) -> Ink:
    """A colour as it is put on a sheet."""
    return ImageColor.getrgb(colour)


# -- pixels of a palette ---------------------------------------------------------------------------------
_LOCK = Lock()
_KNOWN: dict[tuple[int, int], tuple[weakref.ref[Image.Image], weakref.ref[Image.Image], Image.Image]] = {}
_READY: dict[int, tuple[weakref.ref[Image.Image], Image.Image]] = {}
_PLACES: dict[
    tuple[str | Ink, int], tuple[weakref.ref[Image.Image], int]
] = {}  # of a few colours of each palette


def ready(palette: Image.Image) -> Image.Image:
    """A copy of the palette that remembers which colour is nearest to what it was asked for before."""
    found = _READY.get(id(palette))
    if found is not None and found[0]() is palette:
        return found[1]
    with _LOCK:
        copy = palette.copy()
        Image.new("RGB", (1, 1)).quantize(palette=copy, dither=Image.Dither.NONE)  # makes room to remember
        _READY[id(palette)] = weakref.ref(palette), copy
    return copy


def looked_up(image: Image.Image, palette: Image.Image) -> Image.Image:
    """Each pixel as the nearest colour of the palette."""
    return image.quantize(palette=ready(palette), dither=Image.Dither.NONE)


def as_ground(image: Image.Image, palette: Image.Image) -> Image.Image:
    """A picture as the ground of many: in their palette, a fourth of the memory it takes in true colours.

    Its colours are those that they are looked up as: of some that lie near to each other one is always found.
    """
    found = image if image.mode == "P" else looked_up(image, palette)
    return found.point(_found_again(palette))


def _found_again(palette: Image.Image) -> bytes:
    """By its place in the palette, the place at which each colour is looked up."""
    colours = Image.frombytes("RGB", (256, 1), bytes(palette.getpalette() or ()))
    place = looked_up(colours, palette).tobytes()
    while (after := place.translate(place)) != place:  # one that is found for another may itself not be
        place = after
    return place


def known(image: Image.Image, palette: Image.Image) -> Image.Image:
    """The same, kept as long as the image is: nobody draws on one that is put on several pictures.

    A ground is in its game's palette already.
    """
    if image.mode == "P":
        return image
    name = id(image), id(palette)
    found = _KNOWN.get(name)
    if found is not None and found[0]() is image and found[1]() is palette:
        return found[2]
    flat = looked_up(image, palette)
    _KNOWN[name] = weakref.ref(image, lambda _: _KNOWN.pop(name, None)), weakref.ref(palette), flat
    return flat


def index(colour: str | Ink, palette: Image.Image) -> int:
    """A colour's place in the palette."""
    name = colour, id(palette)
    found = _PLACES.get(name)
    if found is not None and found[0]() is palette:
        return found[1]
    pixel = Image.new("RGB", (1, 1), colour)
    place = int(looked_up(pixel, palette).tobytes()[0])
    _PLACES[name] = weakref.ref(palette, lambda _: _PLACES.pop(name, None)), place
    return place


# -- bands -----------------------------------------------------------------------------------------------


class Band(NamedTuple):
    """Rows of a picture as they stand in its file: deflated, how many bytes they were, and their sum."""

    deflated: bytes
    length: int
    sum: int


_BANDS: Lately[Hashable, Band] = Lately(MOST_BANDS)
_MIXED: Lately[Hashable, Pixels] = Lately(MOST_MIXED)


def bands(sheet: Sheet, palette: Image.Image) -> Iterator[Band]:
    """A sheet from above to below."""
    width, height = sheet.size
    parts = sheet.parts
    if parts is None:
        made = Image.new("L", (width + 1, height))
        made.im.paste(looked_up(sheet, palette).im, (1, 0, width + 1, height))
        for top in range(0, height, BAND):
            yield band_of(made.crop((0, top, width + 1, min(top + BAND, height))))
        return
    rows: list[list[Part]] = [[] for _ in range(-(-height // BAND))]
    for part in parts:
        left, above, right, below = part[:4]
        over = part[7] is not None and left <= 0 and right >= width
        for row in range(max(0, above) // BAND, min(len(rows), -(-below // BAND))):
            if over and above <= row * BAND and below >= min(height, (row + 1) * BAND):
                rows[row].clear()  # nothing of it is seen
            rows[row].append(part)
    colours, canvas = number(palette), FILL("RGB", (width, BAND), 0)  # one for all: what is drawn covers it
    for row, several in enumerate(rows):
        top = row * BAND
        tall = min(BAND, height - top)
        key = colours, width, tall, row, *[part[6] for part in several]
        band = _BANDS.get(key)
        if band is None:
            band = band_of(drawn(several, palette, canvas, top, tall))
            _BANDS.put(key, band, len(band.deflated))
        yield band


def band_of(rows: Image.Image) -> Band:
    """Rows of places in the palette, each after a zero, deflated so that others may follow."""
    plain = rows.tobytes()
    stream = isal_zlib.compressobj(LEVEL, isal_zlib.DEFLATED, -15)
    deflated = stream.compress(plain) + stream.flush(isal_zlib.Z_SYNC_FLUSH)
    return Band(deflated, len(plain), isal_zlib.adler32(plain))


def drawn(parts: list[Part], palette: Image.Image, canvas: Pixels, top: int, tall: int) -> Image.Image:
    """Rows of a picture in the palette, after a column of zeros: PNG's filter of each row.

    `canvas`, in true colours and as wide, is drawn on.
    """
    width = canvas.size[0]
    made = Image.new("L", (width + 1, tall), None)
    pixels, mixed = made.im, bytearray(width)  # the columns in which pixels have to be looked up
    plain: list[Part] = []  # from the first part of one colour on
    settled = set[int]()  # the names of those that are known on what lies below them
    for part in parts:
        left, above, right, below, _, _, name, ground = part
        start, end = max(0, left), min(width, right)
        if start >= end:
            continue
        colour = None
        if ground is None:
            colour = ANY if part[5] is None else below_it(part, plain, top, top + tall) if plain else None
        if plain or isinstance(ground, tuple):
            plain.append(part)
        if colour is not None:
            settled.add(name)
            pixels.paste(mixed_with(part, colour, palette), (left + 1, above - top, right + 1, below - top))
        elif ground is None:
            mixed[start:end] = b"\1" * (end - start)
        else:
            flat = index(ground, palette) if isinstance(ground, tuple) else known(ground, palette).im
            pixels.paste(flat, (left + 1, above - top, right + 1, below - top))
            if above <= top and below >= top + tall:
                mixed[start:end] = bytes(end - start)
    pixels.paste(0, (0, 0, 1, tall))  # what was laid over the left edge
    starts, ends, at = list[int](), list[int](), 0
    while (left := mixed.find(1, at)) >= 0:
        at = mixed.find(0, left)
        at = width if at < 0 else at
        if ends and left - ends[-1] < NEAR:
            ends[-1] = at
        else:
            starts.append(left)
            ends.append(at)
    runs: list[list[Part]] = [[] for _ in starts]
    first, last = [tall] * len(starts), [0] * len(starts)  # the rows of each in which something is mixed
    for part in parts:
        for run in range(bisect_right(ends, part[0]), bisect_left(starts, part[2])):
            runs[run].append(part)
            if part[7] is None and part[6] not in settled:
                first[run] = min(first[run], part[1] - top)
                last[run] = max(last[run], part[3] - top)
    colours = ready(palette).im
    for left, right, above, below, several in zip(starts, ends, first, last, runs, strict=True):
        area = left, max(0, above), right, min(tall, below)
        for part in several:
            onto(canvas, part, top, area)
        # as `quantize` does
        flat = canvas.crop(area).convert("P", Image.Dither.NONE, colours)
        pixels.paste(flat, (left + 1, area[1], right + 1, area[3]))
    return made


def below_it(part: Part, lower: list[Part], top: int, bottom: int) -> Ink | None:
    """The one colour on which a part lies between two rows; None where there is more, or a picture."""
    left, above, right, below, *_ = part
    above, below = max(above, top), min(below, bottom)
    for west, north, east, south, _, _, _, ground in reversed(lower):
        if west < right and left < east and north < below and above < south:
            whole = west <= left and right <= east and north <= above and below <= south
            return ground if whole and isinstance(ground, tuple) else None
    return None


def mixed_with(part: Part, colour: Ink, palette: Image.Image) -> Pixels:
    """A part on one colour, in the palette: words and signs come again on the same panels."""
    left, above, right, below, _, _, name, _ = part
    key = name >> 34, name & 3, colour, number(palette)  # wherever it lies
    found = _MIXED.get(key)
    if found is None:
        size = right - left, below - above
        made = FILL("RGB", size, colour)
        onto(made, (0, 0, *size, *part[4:]), 0, (0, 0, *size))
        found = made.convert("P", Image.Dither.NONE, ready(palette).im)
        _MIXED.put(key, found, size[0] * size[1])
    return found


# -- the file --------------------------------------------------------------------------------------------


def png(image: Image.Image, palette: Image.Image) -> bytes:
    """A finished picture in RGB as a PNG of the palette's colours."""
    sheet = image if isinstance(image, Sheet) else as_sheet(image)
    body, total = [b"\x78\x01"], 1
    for band in bands(sheet, palette):
        body.append(band.deflated)
        total = joined(total, band.sum, band.length)
    body += [b"\3\0", struct.pack(">I", total)]
    head = struct.pack(">IIBBBBB", sheet.width, sheet.height, 8, 3, 0, 0, 0)
    colours = bytes(palette.getpalette() or ())
    parts = ((b"IHDR", head), (b"PLTE", colours), (b"IDAT", b"".join(body)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in parts)


def joined(one: int, other: int, length: int) -> int:
    """The sum (Adler-32) of bytes and so many that follow them, from the sums of both."""
    low = (one & 0xFFFF) + (other & 0xFFFF) - 1
    high = (one >> 16) + (other >> 16) + length * ((one & 0xFFFF) - 1)
    return high % 65521 << 16 | low % 65521


def chunk(name: bytes, data: bytes) -> bytes:
    """A part of a PNG with its length and sum."""
    return b"".join(
        (struct.pack(">I", len(data)), name, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(name))))
    )
