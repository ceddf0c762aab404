"""A finished game as a trophy: the winner's sign, the score, a curve, the moments that decided it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from render import marks
from render.canvas import Canvas, Point
from render.panels import Panel
from render.theme import GOLD, LACQUER, LINE, MUTE, PAPER, WIDTH, Type

HEAD, CURVE, ROW, GAP = 300, 330, 84, 10
TITLE, UNDER, SCORE, LABEL, LINE_OF = (
    Type("words", 76),
    Type("quiet", 40),
    Type("words", 76),
    Type("quiet", 32),
    Type("words", 36),
)
MOST_ROWS: Final = 6


@dataclass(frozen=True)
class Curve:
    """A side's course: its values, its colour and edge, the figure at its end and whose it is."""

    values: Sequence[float]
    fill: str
    edge: str
    end: str
    ink: str
    sprite: Image.Image


@dataclass(frozen=True)
class Moment:
    """A row: when it was, whose it was (a small sprite), what happened, and the figure at its end."""

    when: str
    what: str
    figure: str
    sprite: Image.Image | None = None


@dataclass(frozen=True)
class Below:
    """What stands below the winner: the curves and the rows, each with its heading, and a line at the foot.

    A part without anything in it takes no room.
    """

    course: str
    curves: Sequence[Curve]
    ticks: Sequence[str]
    heading: str
    moments: Sequence[Moment]
    foot: str

    def canvas(self, *, rtl: bool) -> Canvas:
        """An empty sheet, high enough for all of it."""
        return canvas_for(curve=bool(self.curves), rows=len(self.moments), rtl=rtl, foot=bool(self.foot))

    def draw(self, canvas: Canvas) -> None:
        """Puts it on, from the top to the bottom."""
        top = HEAD + 16
        if self.curves:
            course(canvas, top, self.course, self.curves, self.ticks)
            top += CURVE + GAP
        if self.moments:
            rows(canvas, top, self.heading, self.moments)
        if self.foot:
            foot(canvas, self.foot)


def canvas_for(*, curve: bool, rows: int, rtl: bool, foot: bool) -> Canvas:
    """An empty sheet, high enough for these parts."""
    high = HEAD + 16
    high += CURVE + GAP if curve else 0
    high += 46 + rows * (ROW + GAP) if rows else 0
    high += 66 if foot else 0
    return Canvas.blank(WIDTH, high, rtl=rtl)


def header(canvas: Canvas, crest: Image.Image, title: str, under: str, score: str, table: int | None) -> None:
    """The winner: crest, name, how it was won, the score, the table's number; a gold line below."""
    canvas.image.paste(LACQUER, (0, 0, WIDTH, HEAD - 6))
    canvas.image.paste(GOLD, (0, HEAD - 6, WIDTH, HEAD))
    panel = Panel(canvas, (0, 0, WIDTH, HEAD), drawn=False)
    panel.icon(150, 146, crest)
    panel.icon(WIDTH - 92, 100, marks.star_octagon(62))
    panel.words(286, 104, title, TITLE, PAPER, room=WIDTH - 286 - 180)
    panel.words(286, 166, under, UNDER, MUTE, room=WIDTH - 286 - 170)
    panel.words(286, 258, score, SCORE, GOLD, room=WIDTH - 520)
    if table is not None:
        panel.words(30, 254, f"#{table}", Type("quiet", 36), MUTE, room=180, end=True)


def course(canvas: Canvas, top: int, label: str, curves: Sequence[Curve], ticks: Sequence[str]) -> None:
    """The curves in steps over time, from the left to the right in every language, with ticks below."""
    panel = Panel(canvas, (12, top, WIDTH - 12, top + CURVE))
    panel.words(20, 44, label, LABEL, MUTE, room=panel.width - 40)
    left, right, high, low = 40.0, WIDTH - 168.0, top + 78.0, top + CURVE - 62.0
    most = max((max(curve.values, default=0) for curve in curves), default=0) or 1
    count = max(len(curve.values) for curve in curves)
    step = (right - left) / max(1, count - 1)
    pen = canvas.pen((0, top + 50, WIDTH, top + CURVE))
    pen.line([(left, low), (right, low)], LINE, 3)
    every = max(1, -(-len(ticks) // 14))
    for number in range(0, len(ticks), every):
        x = left + step * number
        pen.line([(x, high), (x, low + 8)], LINE, 2, round_ends=False)
    for number, curve in enumerate(curves):
        spots = places(curve.values, (left, low), step, (low - high) / most, shift=(number - 0.5) * 7)
        pen.line(spots, curve.edge, 15)
        pen.line(spots, curve.fill, 8)
    canvas.draw(pen)
    for number in range(0, len(ticks), every):
        canvas.words(left + step * number, low + 46, ticks[number], Type("quiet", 30), MUTE, "m")
    ends = [(low - curve.values[-1] / most * (low - high), curve) for curve in curves if curve.values]
    ends.sort(key=lambda end: end[0])
    for number, (y, curve) in enumerate(ends):
        other = ends[1 - number][0] if len(ends) == 2 else y + 99
        away = max(0.0, 30 - abs(other - y) / 2) * (-1 if number == 0 else 1)
        canvas.centre(curve.sprite, right + 44, y + away)
        canvas.figure(right + 104, y + away, curve.end, Type("words", 46), curve.ink)


def places(values: Sequence[float], start: Point, step: float, unit: float, *, shift: float) -> list[Point]:
    """The points of a curve, each value kept until the next; sides that are level lie side by side."""
    (left, low), spots = start, list[Point]()
    for number, value in enumerate(values):
        x, y = left + step * number, low - value * unit + shift
        if spots:
            spots.append((x - step * 0.18, spots[-1][1]))
        spots.append((x, y))
    return spots if len(spots) > 1 else [*spots, (left + 1, spots[0][1])]


def rows(canvas: Canvas, top: int, label: str, moments: Sequence[Moment]) -> None:
    """What decided it, a row each."""
    panel = Panel(canvas, (12, top, WIDTH - 12, top + 46), drawn=False)
    panel.words(20, 34, label, LABEL, MUTE, room=panel.width - 40)
    for number, moment in enumerate(moments):
        start = top + 46 + number * (ROW + GAP)
        row = Panel(canvas, (12, start, WIDTH - 12, start + ROW))
        row.words(24, 54, moment.when, LABEL, MUTE, room=176)
        begin = 214
        if moment.sprite is not None:
            row.icon(begin + 34, ROW / 2, moment.sprite)
            begin += 84
        used = row.words(24, 55, moment.figure, LINE_OF, GOLD, room=220, end=True) if moment.figure else 0
        row.words(begin, 54, moment.what, LINE_OF, PAPER, room=row.width - begin - used - 50)


def foot(canvas: Canvas, line: str) -> None:
    """One line below all."""
    panel = Panel(canvas, (12, canvas.image.height - 66, WIDTH - 12, canvas.image.height), drawn=False)
    panel.middle(40, line, LABEL, MUTE, room=panel.width - 40)


def chosen(moments: Sequence[Moment]) -> list[Moment]:
    """The rows that fit: the last ones."""
    return list(moments[-MOST_ROWS:])
