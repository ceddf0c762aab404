"""From a picture in true colours to a PNG of one fixed palette, without looking a pixel up twice.

A `Sheet` remembers what was laid on it. Where that was opaque and is kept for many pictures (an empty board,
a frame), its pixels in the palette are kept beside it and laid down again; only what was mixed with its
ground (soft edges, words) is looked up. A pixel's place in the palette depends on its colour alone: the bytes
are those of a picture that was looked up whole.
"""

from __future__ import annotations

import struct
import weakref
import zlib
from collections.abc import Iterator
from threading import Lock
from typing import Any, NamedTuple, cast

from isal import isal_zlib
from PIL import Image, ImageColor, ImageDraw

TILE = 36  # pixels a side of what is looked up together
MOST = 0.85  # of the tiles: where more were touched, everything is looked up at once
BAND = 128  # rows that become true colours together: room for a whole map takes longer to get than to fill
LEAST = 8_000  # pixels from which it is worth keeping those of an opaque image
LEVEL = 1  # of ISA-L: a seventh of zlib's time at level 3, for as many bytes in pictures as flat as these

Area = tuple[int, int, int, int]  # left, top, right, bottom


class Laid(NamedTuple):
    """Something opaque that covers an area: an image in RGB, a ground in the palette, or one colour."""

    what: Image.Image | str
    area: Area


class Sheet(Image.Image):
    """A picture in RGB that knows which of its pixels have to be looked up in a palette.

    What changes it without telling (`putpixel`) must call `touch`; `paste` and `ImageDraw.Draw` do.
    """

    def __init__(self, of: Image.Image) -> None:
        """Takes the pixels of an image over, which is not to be used any more."""
        super().__init__()
        self.im = of.im
        self._mode, self._size = of.mode, of.size
        self._laid: list[Laid] = []
        self._across = -(-self.width // TILE)
        self._tiles = bytearray(self._across * -(-self.height // TILE))  # 1: to be looked up

    def lay(self, what: Image.Image | str, area: Area) -> None:
        """Remember what covers an area, without a change to the pixels."""
        self._laid.append(Laid(what, area))
        across = self._across
        left, right = -(-max(0, area[0]) // TILE), min(area[2], self.width) // TILE
        if area[2] >= self.width:
            right = across
        bottom = len(self._tiles) // across if area[3] >= self.height else area[3] // TILE
        if right > left:  # whole tiles that were touched before are known again
            for row in range(-(-max(0, area[1]) // TILE), bottom):
                start = row * across
                self._tiles[start + left : start + right] = bytes(right - left)

    def spread(self, ground: Image.Image, top: int = 0) -> None:
        """Cover it from `top` on with a ground in the game's palette, as wide as it is."""
        for row in range(0, ground.height, BAND):
            band = ground.crop((0, row, ground.width, min(ground.height, row + BAND))).convert("RGB")
            self.im.paste(band.im, (0, top + row, band.width, top + row + band.height))
        self.lay(ground, (0, top, ground.width, top + ground.height))

    def touch(self, left: float, top: float, right: float, bottom: float) -> None:
        """An area was drawn on: its pixels have to be looked up."""
        across = self._across
        first, last = max(0, int(left) // TILE), min(across, -(-int(right + 1) // TILE))
        if last <= first:
            return
        marks = b"\1" * (last - first)
        down = min(len(self._tiles) // across, -(-int(bottom + 1) // TILE))
        for row in range(max(0, int(top) // TILE), down):
            self._tiles[row * across + first : row * across + last] = marks

    def paste(self, im: Any, box: Any = None, mask: Image.Image | None = None) -> None:
        """As on any image."""
        super().paste(im, box, mask)
        at = (0, 0) if box is None or isinstance(box, Image.Image) else box
        if len(at) == 2:
            size = im.size if isinstance(im, Image.Image) else mask.size if mask is not None else self.size
            at = (at[0], at[1], at[0] + size[0], at[1] + size[1])
        hides = mask is None and not isinstance(box, Image.Image)
        if (hides and isinstance(im, str)) or (
            hides and isinstance(im, Image.Image) and im.mode == "RGB" and im.width * im.height >= LEAST
        ):
            self.lay(im, cast(tuple[int, int, int, int], at))
        else:
            self.touch(*at)

    def getdraw(self, mode: str | None = None) -> ImageDraw.ImageDraw:
        """What `ImageDraw.Draw` gives: it may draw anywhere."""
        self.touch(0, 0, *self.size)
        return ImageDraw.ImageDraw(self, mode)

    def cut(self, height: int) -> Sheet:
        """The upper part of it."""
        part = Sheet(self.crop((0, 0, self.width, height)))
        part._laid = self._laid
        part._tiles[:] = self._tiles[: len(part._tiles)]
        return part

    def in_palette(self, palette: Image.Image) -> Image.Image:
        """Its pixels in the palette, after a column of zeros: PNG's filter of each row."""
        made = Image.new("P", (self.width + 1, self.height), 0)
        if self._tiles.count(1) > MOST * len(self._tiles):
            made.paste(looked_up(self, palette), (1, 0))
            return made
        for what, (left, top, right, bottom) in self._laid:
            if isinstance(what, str):
                made.paste(index(what, palette), (left + 1, top, right + 1, bottom))
            else:
                made.paste(known(what, palette), (left + 1, top))
        made.paste(0, (0, 0, 1, self.height))  # what was laid over the left edge
        colours = ready(palette).im
        for area in self._areas():
            left, top, right, bottom = area
            piece = self.im.crop(area).convert("P", Image.Dither.NONE, colours)  # as `quantize` does
            made.im.paste(piece, (left + 1, top, right + 1, bottom))
        return made

    def _areas(self) -> Iterator[Area]:
        """The tiles that were touched, joined along each row of them, and where rows are alike, down."""
        across, marks = self._across, bytes(self._tiles)
        open_: dict[tuple[int, int], int] = {}  # from column to column: since which row
        for row in range(len(marks) // across + 1):
            line, at, spans = marks[row * across : (row + 1) * across], 0, set[tuple[int, int]]()
            while (start := line.find(1, at)) >= 0:
                end = line.find(0, start)
                at = across if end < 0 else end
                spans.add((start, at))
            for span in [span for span in open_ if span not in spans]:
                left, right = span
                top, bottom = open_.pop(span) * TILE, min(self.height, row * TILE)
                yield left * TILE, top, min(self.width, right * TILE), bottom
            for span in spans:
                open_.setdefault(span, row)


# -- pixels of a palette ---------------------------------------------------------------------------------

_LOCK = Lock()
_KNOWN: dict[tuple[int, int], tuple[weakref.ref[Image.Image], weakref.ref[Image.Image], Image.Image]] = {}
_READY: dict[int, tuple[weakref.ref[Image.Image], Image.Image]] = {}
_PLACES: dict[tuple[str, int], tuple[weakref.ref[Image.Image], int]] = {}  # of a few colours of each palette


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


def index(colour: str, palette: Image.Image) -> int:
    """A colour's place in the palette."""
    name = colour, id(palette)
    found = _PLACES.get(name)
    if found is not None and found[0]() is palette:
        return found[1]
    pixel = Image.new("RGB", (1, 1), ImageColor.getrgb(colour))
    place = int(looked_up(pixel, palette).tobytes()[0])
    _PLACES[name] = weakref.ref(palette, lambda _: _PLACES.pop(name, None)), place
    return place


# -- the file --------------------------------------------------------------------------------------------


def png(image: Image.Image, palette: Image.Image) -> bytes:
    """A finished picture in RGB as a PNG of the palette's colours."""
    sheet = image
    if not isinstance(sheet, Sheet):
        sheet = Sheet(image.copy())
        sheet.touch(0, 0, *sheet.size)
    rows = sheet.in_palette(palette).tobytes()
    head = struct.pack(">IIBBBBB", sheet.width, sheet.height, 8, 3, 0, 0, 0)
    colours = bytes(palette.getpalette() or ())
    body = isal_zlib.compress(rows, LEVEL, 15)
    parts = ((b"IHDR", head), (b"PLTE", colours), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in parts)


def chunk(name: bytes, data: bytes) -> bytes:
    """A part of a PNG with its length and sum."""
    return b"".join(
        (struct.pack(">I", len(data)), name, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(name))))
    )
