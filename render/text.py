"""Lines of words: measured, fitted, and drawn in whatever script they are written.

A line is cut into runs by the font that has its characters, marks with their letter; within a run raqm shapes
and orders it, right to left too, and a line that begins so has its runs from right to left. Characters that
no font has (emoji, say) are left out with their marks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import floor
from pathlib import Path
from unicodedata import bidirectional, category, normalize

from PIL import Image, ImageColor, ImageDraw, ImageFont

from locales import outside
from render.flat import Sheet, ink
from render.theme import LEAST_SIZE, Type

FONTS = Path(__file__).parent / "fonts"
FILES = {  # by cut: the fonts that are asked for a character, in this order
    "words": ("noto-sans-words", "noto-sans-jp-words"),
    "quiet": ("noto-sans-quiet", "noto-sans-jp-words"),
    "narrow": ("noto-sans-narrow", "noto-sans-jp-words"),
    "map": ("noto-sans-map", "noto-sans-jp-words"),
    "seals": ("shippori-mincho-seals", "noto-sans-jp-words"),
}
MISSING = "\U0010fffd"  # no font has it: what .notdef looks like
ELLIPSIS = "…"
UNSEEN = frozenset("\u200c\u200d\u200e\u200f\u2066\u2067\u2068\u2069")  # they join, or say a direction

PARTS = 64  # of a pixel, in FreeType

NEVER = frozenset({"Cc", "Cs", "Co", "Cn"})  # controls, halves of pairs, private and unknown signs

Run = tuple[str, str]  # font file, characters


@lru_cache(maxsize=256)
def font(file: str, size: int) -> ImageFont.FreeTypeFont:
    """A font of `render/fonts` at a size in pixels."""
    return ImageFont.truetype(FONTS / f"{file}.ttf", size, layout_engine=ImageFont.Layout.RAQM)


@lru_cache(maxsize=8192)
def has(file: str, character: str) -> bool:
    """Whether the font has a glyph of its own for the character."""
    return glyph(file, character) != missing(file)


@lru_cache(maxsize=8192)
def plain(file: str, character: str) -> bool:
    """Whether a character is in the font, and whatever is round it, a letter by itself."""
    alone = category(character)[0] != "M" and character not in UNSEEN and category(character) not in NEVER
    return alone and without_looks(character) == character and has(file, character)


@lru_cache(maxsize=16)
def missing(file: str) -> tuple[tuple[int, int], bytes]:
    """What a character looks like that the font has not."""
    return glyph(file, MISSING)


def glyph(file: str, character: str) -> tuple[tuple[int, int], bytes]:
    """A small picture of the character, to tell it from .notdef; unshaped: raqm puts a mark on a circle."""
    mask = unshaped(file).getmask(character, mode="L")
    return mask.size, bytes(mask)


@lru_cache(maxsize=16)
def unshaped(file: str) -> ImageFont.FreeTypeFont:
    """A font that draws each character by itself."""
    return ImageFont.truetype(FONTS / f"{file}.ttf", 16, layout_engine=ImageFont.Layout.BASIC)


def clusters(text: str) -> Iterator[str]:
    """The text in letters, each with the marks on it and what joins them."""
    cluster = ""
    for character in text:
        if cluster and not (category(character)[0] == "M" or character in UNSEEN):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def without_looks(text: str) -> str:
    """The text as fonts are asked for it: composed, without signs that only pick another's look."""
    return "".join(sign for sign in normalize("NFC", text) if not "\ufe00" <= sign <= "\ufe0f")


def font_of(cluster: str, files: Sequence[str]) -> str | None:
    """The first of the fonts that has all that is seen of a letter with its marks; None where none has."""
    if any(category(sign) in NEVER for sign in cluster):
        return None
    seen = [sign for sign in cluster if sign not in UNSEEN]
    return next((file for file in files if seen and all(has(file, sign) for sign in seen)), None)


def drawable(name: str) -> bool:
    """Whether our fonts can show a name whole, and something of it is seen."""
    files = FILES["words"]
    letters = [part for part in clusters(without_looks(name)) if part.strip() and part not in UNSEEN]
    return bool(letters) and all(font_of(part, files) for part in letters)


@lru_cache(maxsize=4096)
def runs(text: str, cut: str) -> tuple[Run, ...]:
    """The line in pieces of one font each, without what no font can show."""
    first = FILES[cut][0]
    if text and all(plain(first, character) for character in text):
        return ((first, text),)
    pieces: list[Run] = []
    for cluster in clusters(without_looks(text)):
        here = pieces[-1][0] if pieces else first
        if cluster in UNSEEN or (cluster.isspace() and has(here, cluster)):
            file: str | None = here
        else:
            file = font_of(cluster, FILES[cut])
        if file is None:
            continue
        if pieces and pieces[-1][0] == file:
            pieces[-1] = (file, pieces[-1][1] + cluster)
        else:
            pieces.append((file, cluster))
    return tuple(pieces)


@lru_cache(maxsize=4096)
def ordered(text: str, cut: str) -> tuple[Run, ...]:
    """The runs as they stand from left to right: the first one last where the line goes to the left."""
    pieces = runs(text, cut)
    return pieces[::-1] if len(pieces) > 1 and to_the_left(text) else pieces


def to_the_left(text: str) -> bool:
    """Whether the first letter that is not isolated is one from right to left."""
    kinds = (bidirectional(character) for character in outside(text))
    return next((kind != "L" for kind in kinds if kind in {"L", "R", "AL"}), False)


def showable(text: str) -> str:
    """What of a text our fonts can show, blanks trimmed: "" where nothing is left."""
    return "".join(piece for _, piece in runs(text, "words")).strip()


@lru_cache(maxsize=8192)
def width(text: str, style: Type) -> float:
    """How long the line is, in pixels."""
    return sum(advance(file, style.size, piece) for file, piece in runs(text, style.cut))


@lru_cache(maxsize=8192)
def advance(file: str, size: int, piece: str) -> float:
    """How far characters of one font bring the pen, in pixels."""
    return font(file, size).getlength(piece)


@lru_cache(maxsize=4096)
def fit(text: str, style: Type, room: float) -> tuple[str, Type]:
    """The line and its type so that it takes no more than `room` pixels.

    First it shrinks to LEAST_SIZE, then it is set narrow, then it is cut with an ellipsis.
    """
    for cut in (style.cut, "narrow"):
        for size in range(style.size, min(style.size, LEAST_SIZE) - 1, -1):
            smaller = replace(style, cut=cut, size=size)
            if width(text, smaller) <= room:
                return text, smaller
    smallest = replace(style, cut="narrow", size=min(style.size, LEAST_SIZE))
    kept = text
    while kept and width(kept.rstrip() + ELLIPSIS, smallest) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS, smallest


def fits(text: str, style: Type, room: float) -> bool:
    """Whether `fit` shows the whole line."""
    return fit(text, style, room)[0] == text


def write(
    image: Image.Image,
    x: float,
    y: float,
    text: str,
    style: Type,
    fill: str,
    anchor: str = "l",
    halo: str | None = None,
) -> tuple[float, float]:
    """Draw the line with its baseline at `y`; `anchor` says what `x` is: l(eft), m(iddle), r(ight).

    `halo`, the colour of the ground, puts 3 pixels of it round the letters. Returns where it begins and ends.
    """
    length = width(text, style)
    start = x - {"l": 0.0, "m": length / 2, "r": length}[anchor]
    at = start
    for file, piece in ordered(text, style.cut):
        if halo is None:
            put(image, at, y, (file, style.size, piece), fill)
        else:
            face = font(file, style.size)
            draw = ImageDraw.ImageDraw(image)
            draw.text((at, y), piece, fill, face, anchor="ls", stroke_width=3, stroke_fill=halo)
        at += advance(file, style.size, piece)
    return start, at


def write_centred(image: Image.Image, x: float, y: float, text: str, style: Type, fill: str) -> None:
    """Draw the line with the box of its ink centred on the point: for digits and single letters."""
    pieces = runs(text, style.cut)
    if len(pieces) != 1:
        write(image, x, y + style.size * 0.36, text, style, fill, "m")
        return
    file, piece = pieces[0]
    left, top, right, bottom = ink_box(file, style.size, piece)
    at = (x - (left + right) / 2, y - (top + bottom) / 2)
    put(image, *at, (file, style.size, piece), fill)


def put(image: Image.Image, x: float, y: float, line: tuple[str, int, str], fill: str) -> None:
    """Draw characters of one font, (file, size, characters), the start of their baseline at the point.

    The same pixels as `ImageDraw.text`, much quicker for what was drawn before. FreeType has 64 parts of a
    pixel, and each letter lies on the nearest one: a line is the same on all rows, one letter in all places.
    """
    file, size, piece = line
    across, down = floor(x * PARTS + 0.5), floor(y * PARTS + 0.5)
    first, part = divmod(across, PARTS) if len(piece) > 1 else ((across + PARTS // 2) // PARTS, 0)
    found = stencil(file, size, piece, part)
    if found is not None:
        mask, (dx, dy) = found
        left, top = first + dx, (down + PARTS // 2 - 1) // PARTS + dy
        area = left, top, left + mask.width, top + mask.height
        if isinstance(image, Sheet):
            image.add(ink(fill), area, mask)
        else:
            image.im.paste(ImageColor.getcolor(fill, image.mode), area, mask.im)


@lru_cache(maxsize=512)
def stencil(file: str, size: int, piece: str, part: int) -> tuple[Image.Image, tuple[int, int]] | None:
    """What characters let through, about 5 KB, and where it lies; None for blanks.

    `part`: by how many of the parts of a pixel their start is off to the right.
    """
    mask, offset = font(file, size).getmask2(piece, mode="L", anchor="ls", start=(part / PARTS, 0))
    if 0 in mask.size:
        return None
    image = Image.new("L", mask.size, None)
    image.im.paste(mask, (0, 0, *mask.size))  # a copy in C: as bytes it takes longer than the letters
    return image, offset


@lru_cache(maxsize=1024)
def ink_box(file: str, size: int, piece: str) -> tuple[float, float, float, float]:
    """The box of what is really inked, measured from the start of the baseline."""
    found = stencil(file, size, piece, 0)
    if found is None:
        return 0, 0, 0, 0
    mask, (left, top) = found
    box = mask.getbbox() or (0, 0, 0, 0)
    return left + box[0], top + box[1], left + box[2], top + box[3]
