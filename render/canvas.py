"""Drawing: a `Pen` draws at three times the size and reduces, a `Canvas` puts the pieces together.

All measures are pixels of the finished picture. Pieces that are drawn again and again are sprites: made once
by a cached function, then pasted; whoever gets one from a cache must not draw on it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from math import cos, floor, hypot, pi, sin
from typing import NamedTuple, cast

from PIL import Image, ImageDraw

from render import text as lines
from render.colour import mix, rgb
from render.flat import CELL, LEAST, Area, Sheet, as_ground, ink, png
from render.theme import SUMI, Type

SCALE = 3
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
CLEAR = (0, 0, 0, 0)
GAP = 0.25  # pixels that may be missing outside of a bend


class Pen:
    """A transparent sheet of `width` x `height` to draw one piece on; `origin` is its top left corner."""

    def __init__(
        self,
        width: float,
        height: float,
        origin: Point = (0, 0),
        mode: str = "RGBa",
        ground: str | None = None,
        *,
        part: bool = False,
    ) -> None:
        """`mode` L makes a stencil: white is what it lets through; RGB a sheet that hides its `ground`.

        `part`: it shows a part of a shape, which is to look as in a sheet that has all of it (Pillow rounds
        towards zero, and what is left or above of the sheet the other way).

        What is drawn covers whole or not at all, so its colours are those of RGBa, which needs no conversion
        before it is reduced.
        """
        self.size = (int(width + 0.999), int(height + 0.999))
        self.origin, self._part = origin, part
        self._image = Image.new(mode, (self.size[0] * SCALE, self.size[1] * SCALE), ground or 0)
        self._draw = ImageDraw.Draw(self._image)

    def sprite(self) -> Image.Image:
        """The finished piece at its real size; edges are mixed without a dark fringe."""
        return seen(self._image.reduce(SCALE))

    def part(self, area: Area) -> Image.Image:
        """A part of the finished piece: who knows where something is leaves out what is empty."""
        x, y = round(self.origin[0]), round(self.origin[1])
        left, top, right, bottom = area
        box = (left - x) * SCALE, (top - y) * SCALE, (right - x) * SCALE, (bottom - y) * SCALE
        return seen(self._image.reduce(SCALE, box))

    def polygon(
        self, points: Sequence[Point], fill: str | None, edge: str | None = None, width: float = 0
    ) -> None:
        """A closed shape; the edge lies outside of it, with sharp corners. fill None cuts a hole."""
        if edge is not None:
            self._draw.polygon(self._at(grown(points, width)), edge)
        self._draw.polygon(self._at(points), fill or CLEAR)

    def circle(
        self, x: float, y: float, radius: float, fill: str | None, edge: str | None = None, width: float = 0
    ) -> None:
        """A disc; the edge lies outside of `radius`. fill None cuts a hole."""
        if edge is not None:
            self._disc(x, y, radius + width, edge)
        self._disc(x, y, radius, fill)

    def _disc(self, x: float, y: float, radius: float, fill: str | None) -> None:
        (left, top), (right, bottom) = self._at([(x - radius, y - radius), (x + radius, y + radius)])
        self._draw.ellipse((left, top, right - 1, bottom - 1), fill or CLEAR)

    def box(
        self, box: Box, radius: float, fill: str | None, edge: str | None = None, width: float = 0
    ) -> None:
        """A rectangle with round corners; the edge lies inside of it. fill None cuts a hole."""
        if edge is not None:
            self._round(box, radius, edge)
            box = (box[0] + width, box[1] + width, box[2] - width, box[3] - width)
            radius = max(0.0, radius - width)
        self._round(box, radius, fill)

    def _round(self, box: Box, radius: float, fill: str | None) -> None:
        (left, top), (right, bottom) = self._at([box[:2], box[2:]])
        self._draw.rounded_rectangle((left, top, right - 1, bottom - 1), radius * SCALE, fill or CLEAR)

    def line(
        self, points: Sequence[Point], colour: str | None, width: float, *, round_ends: bool = True
    ) -> None:
        """A line with round joints; colour None cuts it out."""
        self.strokes(points, [(colour, width, ())], round_ends=round_ends)

    def strokes(
        self,
        points: Sequence[Point],
        several: Sequence[tuple[str | None, float, Sequence[Point]]],
        *,
        round_ends: bool = True,
    ) -> None:
        """Lines along the same points, one above the other, the widest first.

        Each of a colour, a width and a shape of its colour that belongs to it, or none.
        """
        at, widest = self._at(points), several[0][1]
        discs = [end for end in (points[0], points[-1]) if round_ends and self._sees(end, widest)]
        for before, here, after in zip(points, points[1:], points[2:], strict=False):
            if self._sees(here, widest) and gapes(before, here, after, widest):
                discs.append(here)
        for colour, width, shape in several:
            self._draw.line(at, colour or CLEAR, round(width * SCALE))
            for x, y in discs:
                self._disc(x, y, width / 2, colour)
            if shape:
                self._draw.polygon(self._at(shape), colour or CLEAR)

    def _sees(self, point: Point, room: float) -> bool:
        """Whether a point lies on the sheet, or so near to it."""
        (x, y), (left, top), (wide, tall) = point, self.origin, self.size
        return -room < x - left < wide + room and -room < y - top < tall + room

    def dashes(
        self,
        points: Sequence[Point],
        colour: str,
        width: float,
        on: float,
        off: float,
        *,
        round_ends: bool = True,
    ) -> None:
        """A dashed line of `on` pixels drawn and `off` pixels left out."""
        for dash in dashed(points, on, off):
            self.line(dash, colour, width, round_ends=round_ends)

    def arc(
        self, x: float, y: float, radius: float, start: float, end: float, colour: str, width: float
    ) -> None:
        """A part of a circle, angles in degrees clockwise from three o'clock."""
        self.line(arc_points(x, y, radius, start, end), colour, width)

    def tile(self, other: Pen, width: int, height: int) -> None:
        """Cover the sheet with the middle `width` x `height` pixels of another, again and again."""
        left, top = (other.size[0] - width) // 2 * SCALE, (other.size[1] - height) // 2 * SCALE
        piece = other._image.crop((left, top, left + width * SCALE, top + height * SCALE))
        for x in range(0, self._image.width, piece.width):
            for y in range(0, self._image.height, piece.height):
                self._image.paste(piece, (x, y))

    def overlay(self, other: Pen, stencil: Pen) -> None:
        """Another sheet of the same size where a stencil lets it through."""
        self._image.paste(other._image, (0, 0), stencil._image)

    def _at(self, points: Iterable[Point]) -> list[Point]:
        left, top = self.origin
        if self._part:
            return [(floor(x * SCALE) - left * SCALE, floor(y * SCALE) - top * SCALE) for x, y in points]
        return [((x - left) * SCALE, (y - top) * SCALE) for x, y in points]


def seen(made: Image.Image) -> Image.Image:
    """What was reduced, as it is put on others."""
    return made.convert("RGBA") if made.mode == "RGBa" else made


def put(image: Sheet, sprite: Image.Image, x: int, y: int) -> None:
    """A sprite (RGBA; RGB or in the palette where solid) onto a picture: as `paste`, at half its cost."""
    width, height = sprite.size
    area = x, y, x + width, y + height
    if sprite.mode == "RGBA":
        image.add(sprite, area, sprite)
    else:
        image.add(sprite, area, hides=sprite.mode == "P" or width * height >= LEAST)


class Plate:
    """A sprite that is solid but for its corners: only they have to be mixed with what is below."""

    def __init__(self, sprite: Image.Image, corner: int) -> None:
        """`corner` is how high the rows are, at the top and at the bottom, that let something through."""
        self.width, self.height = sprite.size
        cut = pieces(sprite, [corner, self.height - corner], [corner, self.width - corner])
        self.pieces: list[tuple[Image.Image | Plain, int, int]] = [
            part for piece in cut for part in without_core(piece, corner)
        ]

    def onto(self, image: Sheet, x: int, y: int) -> None:
        """Put it on with its top left corner at the point."""
        for piece, left, top in self.pieces:
            if isinstance(piece, Plain):
                fill(image, piece, x + left, y + top)
            else:
                put(image, piece, x + left, y + top)


class Sparse(Plate):
    """A sprite of parts, most of each empty: only the cells with something in them are put on."""

    def __init__(self, parts: Iterable[Piece], size: tuple[int, int] = (0, 0)) -> None:
        self.width, self.height = size
        self.pieces = [
            (piece, x + left, y + top)
            for part, x, y in parts
            for piece, left, top in pieces(
                part, [*range(CELL, part.height, CELL)], [*range(CELL, part.width, CELL)]
            )
        ]

    @classmethod
    def of(cls, sprite: Image.Image, cells: Iterable[Area]) -> Sparse:
        """A sprite of which it is known where something is."""
        made = cls((), sprite.size)
        made.pieces = [(sprite.crop(cell), *cell[:2]) for cell in cells]
        return made


class Plain(NamedTuple):
    """An area of one colour: most of an empty panel, of which no pixels have to be kept."""

    colour: tuple[int, int, int]
    width: int
    height: int


Piece = tuple[Image.Image, int, int]


def without_core(piece: Piece, inset: int) -> list[tuple[Image.Image | Plain, int, int]]:
    """A solid piece with an area of one colour between strips of this width, if there is one; else itself."""
    image, left, top = piece
    inner, height = image.width - 2 * inset, image.height
    if image.mode != "RGB" or inner * height < LEAST:
        return [piece]
    colours = image.crop((inset, 0, inset + inner, height)).getcolors(1)
    if colours is None:
        return [piece]
    return [
        (image.crop((0, 0, inset, height)), left, top),
        (Plain(cast(tuple[int, int, int], colours[0][1]), inner, height), left + inset, top),
        (image.crop((inset + inner, 0, image.width, height)), left + inset + inner, top),
    ]


def fill(image: Sheet, piece: Plain, x: int, y: int) -> None:
    """An area of one colour onto a picture."""
    image.add(piece.colour, (x, y, x + piece.width, y + piece.height), hides=True)


def pieces(sprite: Image.Image, rows: list[int], columns: list[int]) -> list[Piece]:
    """A sprite cut below these rows and columns: solid parts in RGB, those that mix in RGBA, no empty ones.

    Parts of a kind side by side are one, and so are such rows of the same parts.
    """
    alpha = sprite.getchannel("A")
    found: list[
        tuple[int, int, list[tuple[str, int, int]]]
    ] = []  # from row to row: kinds from column to column
    for top, bottom in pairwise([0, *rows, sprite.height]):
        line: list[tuple[str, int, int]] = []
        for left, right in pairwise([0, *columns, sprite.width]):
            if right <= left or bottom <= top:
                continue
            least, most = cast(tuple[int, int], alpha.crop((left, top, right, bottom)).getextrema())
            kind = "" if most == 0 else "RGB" if least == 255 else "RGBA"
            if line and line[-1][0] == kind:
                line[-1] = kind, line[-1][1], right
            else:
                line.append((kind, left, right))
        if found and found[-1][2] == line:
            found[-1] = found[-1][0], bottom, line
        else:
            found.append((top, bottom, line))
    return [
        (sprite.crop((left, top, right, bottom)).convert(kind), left, top)
        for top, bottom, line in found
        for kind, left, right in line
        if kind
    ]


def plain(width: int, height: int, colour: str = SUMI) -> Sheet:
    """A new sheet of one colour."""
    sheet = Sheet(width, height)
    sheet.add(ink(colour), (0, 0, width, height), hides=True)
    return sheet


def sheet_of(base: Image.Image) -> Sheet:
    """What a picture is made on: its ground, in the palette or in true colours."""
    sheet = Sheet(*base.size)
    own = base if base.mode in {"P", "RGB"} else base.convert("RGB")
    sheet.add(own, (0, 0, *base.size), hides=True)
    return sheet


class Canvas:
    """The picture that is being made."""

    def __init__(self, base: Image.Image, *, rtl: bool = False) -> None:
        """Begins with a ground; `rtl` mirrors what is put on by a Panel, never the board.

        `base` is in the game's palette (`ground`) where it is that of many pictures.
        """
        self.image: Sheet = sheet_of(base)
        self.rtl = rtl

    @classmethod
    def blank(cls, width: int, height: int, colour: str = SUMI, *, rtl: bool = False) -> Canvas:
        """An empty picture: nobody else has its base, which is not copied."""
        made = cls.__new__(cls)
        made.image, made.rtl = plain(width, height, colour), rtl
        return made

    def cut(self, height: int) -> None:
        """Keep the upper part alone."""
        self.image = self.image.cut(height)

    @property
    def width(self) -> int:
        """In pixels."""
        return self.image.width

    def paste(self, sprite: Image.Image | Plate, x: float, y: float) -> None:
        """A sprite with its top left corner at the point."""
        if isinstance(sprite, Plate):
            sprite.onto(self.image, round(x), round(y))
        else:
            put(self.image, sprite, round(x), round(y))

    def centre(self, sprite: Image.Image | Plate, x: float, y: float) -> None:
        """A sprite with its middle at the point."""
        self.paste(sprite, x - sprite.width / 2, y - sprite.height / 2)

    def pen(self, box: Box, mode: str = "RGBa") -> Pen:
        """A sheet over this part of the picture, in the picture's own coordinates; `draw` puts it on.

        With mode L a stencil, put on by `stencil`.
        """
        left, top = int(box[0] // 1), int(box[1] // 1)
        return Pen(box[2] - left, box[3] - top, (left, top), mode)

    def draw(self, pen: Pen) -> None:
        """Put on what was drawn with a pen of `pen`."""
        self.paste(pen.sprite(), *pen.origin)

    def stencil(self, pen: Pen, colour: str) -> None:
        """Colour what a stencil lets through: for long shapes of one colour much quicker than a sheet."""
        self.image.paste(colour, (int(pen.origin[0]), int(pen.origin[1])), pen.sprite())

    def words(
        self,
        x: float,
        y: float,
        text: str,
        style: Type,
        fill: str,
        anchor: str = "l",
        halo: str | None = None,
    ) -> None:
        """A line of words, its baseline at `y`."""
        lines.write(self.image, x, y, text, style, fill, anchor, halo)

    def figure(self, x: float, y: float, text: str, style: Type, fill: str) -> None:
        """A figure centred on the point by its own box."""
        lines.write_centred(self.image, x, y, text, style, fill)

    def ground(self, palette: Image.Image) -> Image.Image:
        """What was drawn as the ground of many pictures."""
        return as_ground(self.image, palette)

    def png(self, palette: Image.Image) -> bytes:
        """The finished picture with the game's fixed palette."""
        return png(self.image, palette)


def palette(flat: Iterable[str], blends: Iterable[tuple[str, str, int]]) -> Image.Image:
    """A fixed palette: the flat colours, and for each blend so many steps between two of them."""
    colours = dict.fromkeys(flat)
    for one, other, steps in blends:
        for step in range(1, steps + 1):
            colours.setdefault(mix(one, other, step / (steps + 1)))
    several = list(colours)
    if len(several) > 256:
        raise ValueError(f"{len(several)} colours")
    several += several[:1] * (256 - len(several))
    image = Image.new("P", (1, 1))
    image.putpalette([byte for colour in several for byte in rgb(colour)])
    return image


def grown(points: Sequence[Point], by: float) -> list[Point]:
    """The polygon with every side moved outwards by so many pixels, corners kept sharp."""
    area = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True))
    by = by if area > 0 else -by
    out = []
    for number, (x, y) in enumerate(points):
        (x0, y0), (x2, y2) = points[number - 1], points[(number + 1) % len(points)]
        ax, ay = unit(x - x0, y - y0)
        bx, by_ = unit(x2 - x, y2 - y)
        mx, my = unit(ay + by_, -ax - bx)
        part = max(0.35, mx * ay - my * ax)  # very sharp corners are cut short
        out.append((x + mx * by / part, y + my * by / part))
    return out


def gapes(before: Point, at: Point, after: Point, width: float) -> bool:
    """Whether a line of this width turns so much at a point that its joint must be filled."""
    ax, ay = unit(at[0] - before[0], at[1] - before[1])
    bx, by = unit(after[0] - at[0], after[1] - at[1])
    turn = ax * bx + ay * by  # the cosine
    sharp = abs(ax * by - ay * bx) / max(1 + turn, 1e-6)  # the tangent of half the angle
    return width / 2 * sharp > GAP


def unit(x: float, y: float) -> Point:
    """The direction as a vector of length 1."""
    length = hypot(x, y) or 1.0
    return x / length, y / length


def regular(
    x: float, y: float, radius: float, corners: int, turn: float = 0.0, squash: float = 1.0
) -> list[Point]:
    """A regular polygon, its first corner `turn` degrees clockwise from the top."""
    angles = (2 * pi * (number / corners) + turn * pi / 180 for number in range(corners))
    return [(x + radius * sin(a), y - radius * squash * cos(a)) for a in angles]


def star(x: float, y: float, outer: float, inner: float, points: int) -> list[Point]:
    """A star, one point up."""
    return [
        (x + r * sin(pi * n / points), y - r * cos(pi * n / points))
        for n in range(2 * points)
        for r in ((outer, inner)[n % 2],)
    ]


def arc_points(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Points along a part of a circle, close enough to look round."""
    steps = max(4, int(abs(end - start) / 6))
    angles = [(start + (end - start) * n / steps) * pi / 180 for n in range(steps + 1)]
    return [(x + radius * cos(a), y + radius * sin(a)) for a in angles]


def curve(start: Point, bend: Point, end: Point, steps: int = 24) -> list[Point]:
    """A quadratic curve from `start` to `end`, pulled towards `bend`."""
    out = []
    for number in range(steps + 1):
        t = number / steps
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        out.append((a * start[0] + b * bend[0] + c * end[0], a * start[1] + b * bend[1] + c * end[1]))
    return out


def thinned(points: Sequence[Point], least: float) -> list[Point]:
    """The line without points nearer than `least` pixels to the one before: enough for wide bands."""
    kept = [points[0]]
    for x, y in points[1:-1]:
        if hypot(x - kept[-1][0], y - kept[-1][1]) >= least:
            kept.append((x, y))
    return [*kept, points[-1]]


def dashed(points: Sequence[Point], on: float, off: float) -> list[list[Point]]:
    """The line in dashes, as even as they come: the last one ends where the line ends."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    length = sum(lengths)
    count = max(1, round((length + off) / (on + off)))
    stretch = length / (count * (on + off) - off)
    ends, out, at = list(accumulate(lengths)), list[list[Point]](), 0.0
    for _ in range(count):
        out.append(between(points, at, at + on * stretch, ends))
        at += (on + off) * stretch
    return out


def between(
    points: Sequence[Point], start: float, end: float, ends: Sequence[float] | None = None
) -> list[Point]:
    """The part of a line from `start` to `end` pixels along it.

    `ends`: how far along each of its stretches ends, from who cuts more than one part out of a long line.
    """
    if ends is None:
        ends = list(accumulate(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)))
    out: list[Point] = []
    for number in range(bisect_left(ends, start), len(ends)):
        (x0, y0), (x1, y1) = points[number], points[number + 1]
        done = ends[number - 1] if number else 0.0
        if done > end:
            break
        length = hypot(x1 - x0, y1 - y0)
        for where in (start, end):
            if done <= where <= done + length and length:
                part = (where - done) / length
                out.append((x0 + (x1 - x0) * part, y0 + (y1 - y0) * part))
        if start < done + length < end:
            out.append((x1, y1))
    return out if len(out) > 1 else [points[0], points[-1]]
