"""A finished game as a trophy: the winner's sign, the score, a curve, the moments that decided it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor
from typing import Final, NamedTuple

from PIL import Image

from render import marks
from render.canvas import Box, Canvas, Pen, Plate, Point
from render.flat import Area
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
REACH: Final = 12  # pixels round curves
SLICE: Final = 96  # of what is reduced at a time
AIR: Final = 8  # between what is reduced apart


@dataclass(frozen=True)
class Curve:
    """A side's course: its values, its colour and edge, the figure at its end and whose it is.

    at      when each value began, 0 to 1 of the whole; they are evenly apart where it is left out
    level   whether a value is kept until the next; else the line runs straight from one to the next
    gaps    the numbers of values from which on to the next the line is broken
    dashes  a colour of dashes along the line
    dots    whether each value has a dot
    """

    values: Sequence[float]
    fill: str
    edge: str
    end: str
    ink: str
    sprite: Image.Image
    at: Sequence[float] = ()
    level: bool = True
    gaps: frozenset[int] = frozenset()
    dashes: str | None = None
    dots: bool = False


class Tick(NamedTuple):
    """A word below the curves, and whether the time it stands for weighs more than others."""

    at: float
    word: str
    strong: bool = False


@dataclass(frozen=True)
class Moment:
    """A row: when it was, whose it was (a small sprite), what happened, and the figure at its end.

    sign   a sprite after what happened
    aside  quiet words before the figure
    """

    when: str
    what: str
    figure: str
    sprite: Image.Image | None = None
    sign: Image.Image | None = None
    aside: str = ""


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


def header(
    canvas: Canvas, crest: Image.Image | Plate, title: str, under: str, score: str, table: int | None
) -> None:
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


def course(
    canvas: Canvas,
    top: int,
    label: str,
    curves: Sequence[Curve],
    ticks: Sequence[str | Tick],
    *,
    every: int = 0,
    zero: bool = True,
) -> None:
    """The curves over time, from the left to the right in every language, with ticks below.

    `every`: so many units apart are lines with their figures at the left; `zero`: whether they begin at 0.
    """
    panel = Panel(canvas, (12, top, WIDTH - 12, top + CURVE))
    panel.words(20, 44, label, LABEL, MUTE, room=panel.width - 40)
    left, right, high, low = 96.0 if every else 40.0, WIDTH - 168.0, top + 78.0, top + CURVE - 62.0
    values = [value for curve in curves for value in curve.values]
    most, least = max(values, default=0) or 1, 0.0 if zero else min(values, default=0)
    box, unit = (left, high, right, low), (low - high) / max(1, most - least)
    marked = ticks_of(ticks, max(len(curve.values) for curve in curves))
    corner = floor(left) - REACH, floor(high) - REACH
    pen = Pen(right + REACH - corner[0], low + REACH - corner[1], corner, "RGB", LACQUER, part=True)
    levels = range(0, int(most) + 1, every) if every else range(1)
    grounds = [[(left, low - level * unit), (right, low - level * unit)] for level in levels]
    for level, ground in zip(levels, grounds, strict=True):
        pen.line(ground, LINE, 2 if level else 3)
    uprights = [left + (right - left) * tick.at for tick in marked]
    for tick, x in zip(marked, uprights, strict=True):
        pen.line([(x, high), (x, low + 8)], MUTE if tick.strong else LINE, 2, round_ends=False)
    lines = list[list[Point]]()
    for number, curve in enumerate(curves):
        shift = (number - 0.5) * 7 if len(curves) == 2 else 0.0
        parts = places(curve, box, unit, least, shift=shift)
        stroke(pen, curve, parts)
        lines.append([point for part in parts for point in part])
    sheet = Image.new("RGB", pen.size, LACQUER)  # one opaque piece: it is looked up once, not row by row
    for area in areas(grounds, lines, uprights, box):
        sheet.paste(pen.part(area), (area[0] - corner[0], area[1] - corner[1]))
    canvas.paste(sheet, *corner)
    for level in levels if every else ():
        canvas.figure(left - 36, low - level * unit, str(level), Type("quiet", 30), MUTE)
    for tick in marked:
        fill = PAPER if tick.strong else MUTE
        canvas.words(left + (right - left) * tick.at, low + 46, tick.word, Type("quiet", 30), fill, "m")
    ends(canvas, curves, right, [low - (curve.values[-1] - least) * unit for curve in curves], low)


def areas(
    levels: Sequence[Sequence[Point]], courses: Sequence[Sequence[Point]], uprights: Sequence[float], box: Box
) -> Iterator[Area]:
    """Where a sheet of curves has something: most of it is empty.

    Columns with an upright are whole; of the others there is what levels and courses need.
    """
    left, high, right, low = (floor(side) for side in box)
    top, at = high - REACH, left - REACH
    for upright in (*sorted(uprights), None):
        begin = right + REACH if upright is None else max(at, floor(upright) - 2)
        for start in range(at, begin, SLICE):
            end = min(start + SLICE, begin)
            spans = [
                (floor(min(ys)) - reach, floor(max(ys)) + reach + 1)
                for lines, reach in ((levels, 2), (courses, REACH))
                for line in lines
                if (ys := heights(line, start - reach, end + reach))
            ]
            for above, below in united(spans, AIR):
                yield start, max(above, top), end, min(below, low + REACH)
        if upright is not None:
            at = floor(upright) + 3
            yield begin, top, at, low + REACH


def heights(line: Sequence[Point], start: float, end: float) -> list[float]:
    """The heights at which a line to the right enters, bends and leaves what lies between two columns."""
    ends = [(x, bisect_left(line, (x,))) for x in (start, end)]
    crossed = [
        line[after - 1][1] + (line[after][1] - line[after - 1][1]) * part
        for x, after in ends
        if 0 < after < len(line)
        for part in ((x - line[after - 1][0]) / (line[after][0] - line[after - 1][0]),)
    ]
    return crossed + [y for _, y in line[ends[0][1] : ends[1][1]]]


def united(spans: Iterable[tuple[int, int]], air: int) -> list[tuple[int, int]]:
    """Spans in their order, as one where less than so much is between them."""
    found = list[tuple[int, int]]()
    for start, end in sorted(spans):
        if found and start - found[-1][1] < air:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def ticks_of(ticks: Sequence[str | Tick], count: int) -> list[Tick]:
    """At most fourteen of them, each with its time: bare words stand at the values."""
    step = 1 / max(1, count - 1)
    each = [
        tick if isinstance(tick, Tick) else Tick(step * number, tick) for number, tick in enumerate(ticks)
    ]
    return each[:: max(1, -(-len(each) // 14))]


def stroke(pen: Pen, curve: Curve, parts: Sequence[Sequence[Point]]) -> None:
    """A curve: its edge below its colour, broken where it has a gap."""
    for colour, wide in (
        (curve.edge, 15.0 if curve.level else 11.0),
        (curve.fill, 8.0 if curve.level else 6.5),
    ):
        for part in parts:
            pen.line(part, colour, wide)
        for one, other in pairwise(parts):
            pen.dashes([one[-1], other[0]], colour, wide - 2, 7, 11)
    for part in parts:
        if curve.dashes is not None:
            pen.dashes(part, curve.dashes, 3, 5, 9, round_ends=False)
        for x, y in part if curve.dots else ():
            pen.circle(x, y, 6, curve.fill, curve.edge, 2.5)


def places(
    curve: Curve, box: tuple[float, float, float, float], unit: float, least: float, *, shift: float
) -> list[list[Point]]:
    """The points of a curve, parted at its gaps; sides that are level lie side by side."""
    left, _, right, low = box
    step = (right - left) / max(1, len(curve.values) - 1)
    parts: list[list[Point]] = [[]]
    for number, value in enumerate(curve.values):
        x = left + ((right - left) * curve.at[number] if curve.at else step * number)
        y = low - (value - least) * unit + shift
        if curve.level and parts[-1]:
            parts[-1].append((x - (0 if curve.at else step * 0.18), parts[-1][-1][1]))
        parts[-1].append((x, y))
        if number in curve.gaps:
            parts.append([])
    if curve.at:
        parts[-1].append((right, parts[-1][-1][1]))
    return [part if len(part) > 1 else [*part, (part[0][0] + 1, part[0][1])] for part in parts if part]


def ends(canvas: Canvas, curves: Sequence[Curve], right: float, heights: Sequence[float], low: float) -> None:
    """At the end of each curve whose it is and its figure, moved apart where curves end together."""
    gap, order = (60.0 if len(curves) < 3 else 44.0), sorted(range(len(curves)), key=lambda n: heights[n])
    wanted = [heights[number] for number in order]
    for number in range(1, len(wanted)):
        wanted[number] = max(wanted[number], wanted[number - 1] + gap)
    over = max(0.0, wanted[-1] - (low + 16))
    for number in range(len(wanted) - 1, -1, -1):
        wanted[number] -= over
        over = max(0.0, over - (wanted[number] - wanted[number - 1] - gap)) if number else 0.0
    size = 46 if len(curves) < 3 else 38
    for number, y in zip(order, wanted, strict=True):
        canvas.centre(curves[number].sprite, right + 44, y)
        canvas.figure(right + 104, y, curves[number].end, Type("words", size), curves[number].ink)


def rows(
    canvas: Canvas, top: int, label: str, moments: Sequence[Moment], tall: int = ROW, gap: int = GAP
) -> int:
    """What decided it, a row each, below their heading if there is one; where they end."""
    if label:
        panel = Panel(canvas, (12, top, WIDTH - 12, top + 46), drawn=False)
        panel.words(20, 34, label, LABEL, MUTE, room=panel.width - 40)
        top += 46
    for moment in moments:
        row_of(Panel(canvas, (12, top, WIDTH - 12, top + tall)), moment)
        top += tall + gap
    return top


def row_of(row: Panel, moment: Moment) -> None:
    """A moment in its row."""
    middle = (row.bottom - row.top) / 2
    row.words(24, middle + 12, moment.when, LABEL, MUTE, room=176)
    begin, rest = 214.0, 24.0
    if moment.sprite is not None:
        begin += moment.sprite.width / 2 + 3
        row.icon(begin, middle, moment.sprite)
        begin += moment.sprite.width / 2 + 17
    if moment.figure:
        rest += row.words(rest, middle + 13, moment.figure, LINE_OF, GOLD, room=220, end=True) + 26
    if moment.aside:
        rest += row.words(rest, middle + 12, moment.aside, LABEL, MUTE, room=300, end=True) + 26
    sign = 0 if moment.sign is None else moment.sign.width
    room = row.width - begin - rest - (sign + 20 if sign else 0)
    used = row.words(begin, middle + 12, moment.what, LINE_OF, PAPER, room=room)
    if moment.sign is not None:
        row.icon(begin + used + 16 + sign / 2, middle, moment.sign)


def foot(canvas: Canvas, line: str) -> None:
    """One line below all."""
    panel = Panel(canvas, (12, canvas.image.height - 66, WIDTH - 12, canvas.image.height), drawn=False)
    panel.middle(40, line, LABEL, MUTE, room=panel.width - 40)


def chosen(moments: Sequence[Moment]) -> list[Moment]:
    """The rows that fit: the last ones."""
    return list(moments[-MOST_ROWS:])
