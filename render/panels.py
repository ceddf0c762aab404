"""Panels: boxes of words and icons around a board, mirrored for languages that run from right to left."""

from __future__ import annotations

from math import ceil

from PIL import Image

from render import marks
from render import text as lines
from render.canvas import Box, Canvas, Pen, Plate, plain
from render.kept import kept
from render.theme import (
    ACTIVE_EDGE,
    EDGE,
    GOLD,
    INK,
    LACQUER,
    LINE,
    MUTE,
    PAPER,
    RADIUS,
    SUMI,
    Type,
)


class Panel:
    """A box of the picture whose contents are placed from its start, mirrored where the language is.

    Measures are pixels from the start side and from the top of the box.
    """

    def __init__(
        self,
        canvas: Canvas,
        box: tuple[int, int, int, int],
        *,
        active: bool = False,
        fill: str = LACQUER,
        drawn: bool = True,
        afloat: bool = False,
    ) -> None:
        """`box` is mirrored in the picture too, unless the panel lies `afloat` where a map has only sea.

        `active` has the gold edge of who is to act.
        """
        left, top, right, bottom = box
        self.canvas = canvas
        self.rtl = canvas.rtl
        if canvas.rtl and not afloat:
            left, right = canvas.width - right, canvas.width - left
        self.left, self.top, self.right, self.bottom = left, top, right, bottom
        if drawn:
            edge = (GOLD, ACTIVE_EDGE) if active else (LINE, EDGE)
            canvas.paste(frame(right - left, bottom - top, fill, *edge), left, top)

    @property
    def width(self) -> int:
        """In pixels."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """In pixels."""
        return self.bottom - self.top

    def x(self, start: float) -> float:
        """The picture's x of a distance from the start side."""
        return self.right - start if self.rtl else self.left + start

    def words(
        self, start: float, y: float, text: str, style: Type, fill: str, *, room: float, end: bool = False
    ) -> float:
        """A line fitted into `room`; with `end`, `start` is counted from the end side.

        Returns its length.
        """
        text, style = lines.fit(text, style, room)
        at = self.x(self.width - start) if end else self.x(start)
        anchor = "r" if end != self.rtl else "l"
        begin, stop = lines.write(self.canvas.image, at, self.top + y, text, style, fill, anchor)
        return stop - begin

    def middle(self, y: float, text: str, style: Type, fill: str, *, room: float) -> None:
        """A line fitted into `room`, in the middle of the panel."""
        text, style = lines.fit(text, style, room)
        lines.write(self.canvas.image, (self.left + self.right) / 2, self.top + y, text, style, fill, "m")

    def icon(self, start: float, y: float, sprite: Image.Image | Plate) -> None:
        """A sprite whose middle is so far from the start and the top."""
        self.canvas.centre(sprite, self.x(start), self.top + y)

    def figure(self, start: float, y: float, text: str, style: Type, fill: str) -> None:
        """A figure centred on the point."""
        self.canvas.figure(self.x(start), self.top + y, text, style, fill)

    def to_act(self, start: float, y: float) -> None:
        """The triangle that points at a name which ended before `start`."""
        self.icon(start, y, marks.triangle(22, left=not self.rtl))

    def player(self, start: float, name: str, under: str, *, room: float, active: bool) -> None:
        """A name with what is below it, and the triangle if he is to act."""
        used = self.words(start, 36, name, Type("words", 31), PAPER, room=room - (34 if active else 0))
        if active:
            self.to_act(start + used + 22, 26)
        self.words(start, 68, under, Type("quiet", 26), MUTE, room=room)


@kept
def frame(width: int, height: int, fill: str, edge: str, line: int) -> Plate:
    """An empty panel."""
    return Plate(rounded_box(width, height, RADIUS, fill, edge, line), RADIUS)


def rounded_box(
    width: int, height: int, radius: float, fill: str, edge: str | None = None, line: int = 0
) -> Image.Image:
    """A box with round corners, its edge inside: what lies between its corners is not drawn but spread."""
    least = 2 * ceil(max(radius, line)) + 3
    pen = Pen(min(width, least), min(height, least))
    pen.box((0, 0, *pen.size), radius, fill, edge, line)
    small = pen.sprite()
    made = Image.new("RGBA", (width, height), None)
    for x, wide, left, right in stretches(width, small.width):
        for y, tall, top, bottom in stretches(height, small.height):
            piece = small.crop((left, top, right, bottom))
            made.paste(piece.resize((wide, tall), Image.Resampling.NEAREST), (x, y))
    return made


def stretches(long: int, short: int) -> list[tuple[int, int, int, int]]:
    """Of a short side's ends and middle: where each is in a long one, how long, and what part it was."""
    end = (short - 1) // 2
    middle = end, long - 2 * end, end, short - end
    return [(0, end, 0, end), middle, (long - end, end, short - end, short)]


def pill(panel: Panel, start: float, y: float, text: str, *, room: float, end: bool = False) -> float:
    """A gold pill with an eye: only you see this. Its middle is at `y`; returns its length."""
    style = Type("words", 27)
    text, style = lines.fit(text, style, room - 78)
    length = round(lines.width(text, style) + 78)
    begin = panel.width - start - length if end else start
    sprite = rounded(length, 44, GOLD)
    panel.icon(begin + length / 2, y, sprite)
    panel.icon(begin + 34, y, marks.eye(34, INK, GOLD))
    panel.words(begin + 60, y + 9, text, style, INK, room=room)
    return length


@kept
def rounded(width: int, height: int, fill: str) -> Image.Image:
    """A filled pill."""
    return rounded_box(width, height, height / 2, fill)


def ground(width: int, height: int, colour: str = SUMI) -> Image.Image:
    """An empty picture to be put on others: `Canvas.blank` begins one."""
    return plain(width, height, colour)


__all__ = ["Box", "Panel", "frame", "ground", "pill", "rounded", "rounded_box"]
