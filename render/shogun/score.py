"""What a finished game of Shogun is summed up in: points by source, battles as expected or not, the tower."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from PIL import Image

from engines.protocol import Json, Seat, Seen
from render.canvas import Canvas, Pen
from render.panels import Panel, ground
from render.scene import Picture, Scene
from render.shogun.icons import crest, icon
from render.shogun.palette import colours
from render.shogun.panels import point_star
from render.shogun.words import HOUSE, ranked, say, view_of, winners
from render.theme import HEAD, LACQUER, LINE, MUTE, PAPER, SUMI, WASHI, WAVE, WIDTH, Type

TOP, ROW, FOOT = 122, 156, 66  # the head, a seat's row with its gap, the line for the tower
PARTS = ("provinces", "buildings", "majorities")
FILLS = (WASHI, MUTE, WAVE)  # of the parts, which are also told apart by their place and sign
BAR_FROM, BAR = 262, 352  # where the bar of points begins, and how long the longest is
FIGHTS_FROM, FIGHTS = 690, 150  # where the bars of battles begin, and how long the longest is
FIGURES, SMALL, QUIET = Type("words", 28), Type("words", 26), Type("quiet", 25)

Line = Mapping[str, Json]


def finale(scene: Scene) -> Picture | None:
    """The statistics (the scene's events) drawn, the best first; None without a line for every seat."""
    view, statistics = view_of(scene), scene.events
    lines = {int(s.params["seat"]): s.params for s in statistics if s.code == "seat"}
    if len(lines) != len(view.players):
        return None
    canvas = Canvas(ground(WIDTH, TOP + ROW * len(lines) + FOOT), rtl=scene.words.rtl)
    head(canvas, scene)
    most = max(1, *(int(line["points"]) for line in lines.values()))
    fights = max(1, *(int(line[side]) for line in lines.values() for side in ("attacks", "defences")))
    for number, seat in enumerate(ranked(view)):
        top = TOP + ROW * number
        panel = Panel(canvas, (12, top, WIDTH - 12, top + ROW - 12), active=seat in winners(view))
        player(panel, scene, seat, lines[seat])
        points(panel, lines[seat], most)
        battles(panel, scene, lines[seat], fights)
        panel.figure(panel.width - 46, 60, str(lines[seat]["inside"]), Type("words", 34), PAPER)
        panel.icon(panel.width - 46, 100, icon("armies", 26, MUTE, LACQUER))
    foot(canvas, scene, statistics)
    return Picture(canvas.png(colours()), "statistics.png", alt(scene, statistics))


def head(canvas: Canvas, scene: Scene) -> None:
    """What the columns are."""
    panel = Panel(canvas, (12, 0, WIDTH - 12, TOP), drawn=False)
    panel.words(10, 48, say(scene, "score.title"), HEAD, PAPER, room=600)
    panel.words(BAR_FROM, 98, say(scene, "score.points"), QUIET, MUTE, room=BAR)
    panel.words(FIGHTS_FROM - 46, 98, say(scene, "score.battles"), QUIET, MUTE, room=300)
    panel.words(8, 98, say(scene, "score.tower"), QUIET, MUTE, room=92, end=True)


def player(panel: Panel, scene: Scene, seat: Seat, line: Line) -> None:
    """Who it is, and how many points."""
    panel.icon(38, 44, crest(HOUSE[seat], 22))
    panel.words(74, 54, scene.names[seat], SMALL, PAPER, room=BAR_FROM - 92)
    panel.words(20, 122, str(line["points"]), Type("words", 54), PAPER, room=BAR_FROM - 40)


def points(panel: Panel, line: Line, most: int) -> None:
    """Points by source: a bar of three parts, and below it each with its sign."""
    parts = [int(line[part]) for part in PARTS]
    lengths = tuple(round(BAR * part / most) for part in parts)
    panel.icon(BAR_FROM + BAR / 2, 44, stacked(lengths, mirrored=panel.rtl))
    signs = (
        icon("bid", 28, FILLS[0], LACQUER),
        icon("castle", 28, FILLS[1], LACQUER),
        point_star(30),
    )
    for place, (part, sign) in enumerate(zip(parts, signs, strict=True)):
        start = BAR_FROM + 120 * place
        panel.icon(start + 16, 104, sign)
        panel.words(start + 42, 114, str(part), FIGURES, PAPER, room=70)


def battles(panel: Panel, scene: Scene, line: Line, most: int) -> None:
    """Attacks won and provinces held: a bar of all, filled as far as won, with a tick where expected."""
    rows = (("battle_a", "attacks", "won", "expected"), ("defense+1", "defences", "held", "expected_held"))
    for place, (sign, all_, won, expected) in enumerate(rows):
        y = 44 + 56 * place
        panel.icon(FIGHTS_FROM - 28, y, icon(sign, 30, PAPER, LACQUER))
        measures = tuple(round(FIGHTS * float(str(line[what])) / most) for what in (all_, won, expected))
        panel.icon(FIGHTS_FROM + FIGHTS / 2, y, fought(measures, mirrored=panel.rtl))
        start = FIGHTS_FROM + FIGHTS + 12
        used = panel.words(start, y + 10, f"{line[won]}", FIGURES, PAPER, room=50)
        hoped = say(scene, "score.expected", expected=line[expected])
        panel.words(start + used + 8, y + 10, hoped, QUIET, MUTE, room=82)


def foot(canvas: Canvas, scene: Scene, statistics: Sequence[Seen]) -> None:
    """What the tower keeps."""
    tower = next((s.params for s in statistics if s.code == "tower"), None)
    if tower is None:
        return
    panel = Panel(canvas, (12, canvas.image.height - FOOT, WIDTH - 12, canvas.image.height), drawn=False)
    words = scene.words("shogun.statistics.tower", game="shogun", names=scene.names, **tower)
    panel.words(10, 40, words, QUIET, MUTE, room=panel.width - 20)


@lru_cache(maxsize=64)
def stacked(lengths: tuple[int, ...], *, mirrored: bool) -> Image.Image:
    """A bar of parts one behind another, parted by dark lines."""
    pen = Pen(BAR, 40)
    pen.box((0, 0, BAR, 40), 8, SUMI)
    start = 0
    for length, fill in zip(lengths, FILLS, strict=True):
        if length:
            left = BAR - start - length if mirrored else start
            pen.box((left + 1, 1, left + max(length - 1, 3), 39), 4, fill)
        start += length
    return pen.sprite()


@lru_cache(maxsize=256)
def fought(measures: tuple[int, ...], *, mirrored: bool) -> Image.Image:
    """A bar of battles: the track for all, what was won, and the tick where it was expected to end."""
    all_, won, expected = measures
    pen = Pen(FIGHTS, 40)

    def part(length: int, top: int, bottom: int, fill: str) -> None:
        if length:
            pen.box((FIGHTS - length, top, FIGHTS, bottom) if mirrored else (0, top, length, bottom), 4, fill)

    part(all_, 8, 32, LINE)
    part(won, 8, 32, WASHI)
    at = min(max(FIGHTS - expected if mirrored else expected, 4), FIGHTS - 4)
    if all_:
        pen.box((at - 4, 0, at + 4, 40), 3, SUMI)
        pen.box((at - 2, 1, at + 2, 39), 2, PAPER)
    return pen.sprite()


def alt(scene: Scene, statistics: Sequence[Seen]) -> str:
    """The same in words."""
    told = [
        scene.words(f"shogun.statistics.{s.code}", game="shogun", names=scene.names, **s.params)
        for s in statistics
    ]
    return " ".join(told)[:999]
