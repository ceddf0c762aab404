"""A finished game of Shogun as a trophy: winner, curve of points, points by source, battles, records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from PIL import Image

from engines.protocol import Json, Seat, Seen
from render import marks
from render.canvas import Canvas, Pen, Point, dashed
from render.panels import Panel
from render.scene import Picture, Scene
from render.shogun.icons import crest, farmer_chip, icon
from render.shogun.palette import colours
from render.shogun.panels import PARTS, part_sign
from render.shogun.words import HOUSE, ranked, say, view_of, winners
from render.theme import GOLD, INK, LACQUER, LINE, MUTE, PAPER, SHOGUN, SUMI, WIDTH, Type
from render.words import joined, shorten

Line = Mapping[str, Json]

TROPHY = 232  # the winner, at the top
CHART = 330  # the curve
ROW, FIGHT, RECORDS = 64, 60, 112  # a seat's row, a battle's, the records
MOST_ALT = 990
SMALL, QUIET, FIGURES = Type("words", 28), Type("quiet", 26), Type("words", 28)
RECORD_ICONS = {
    "record-luckiest": "attack+1",
    "record-largest": "armies",
    "record-builder": "castle",
    "record-treasurer": "chests",
}


def finale(scene: Scene) -> Picture | None:
    """The statistics (the scene's events) drawn, the best first; None without a line for every seat."""
    view, statistics = view_of(scene), scene.events
    lines = {int(s.params["seat"]): s.params for s in statistics if s.code == "seat"}
    if len(lines) != len(view.players):
        return None
    curves = {int(s.params["seat"]): list(s.params["points"]) for s in statistics if s.code == "curve"}
    battles = [s for s in statistics if s.code.startswith("battle-")]
    records = [s for s in statistics if s.code.startswith("record-")]
    chart = CHART if curves else 0
    height = TROPHY + chart + 44 + ROW * len(lines) + 14
    height += FIGHT * len(battles) + (RECORDS if records else 0) + 6
    canvas = Canvas.blank(WIDTH, height, rtl=scene.words.rtl)
    trophy(canvas, scene)
    if curves:
        chart_of(canvas, scene, curves)
    top = TROPHY + chart
    columns(canvas, scene, top)
    for number, seat in enumerate(ranked(view)):
        seat_row(canvas, scene, top + 44 + ROW * number, seat, lines[seat])
    top += 44 + ROW * len(lines) + 8
    for number, battle in enumerate(battles):
        fight_row(canvas, scene, top + FIGHT * number, battle)
    if records:
        record_cells(canvas, scene, top + FIGHT * len(battles), records)
    return Picture(canvas.png(colours()), "statistics.png", alt(scene, statistics))


# -- the winner ---------------------------------------------------------------------------------


def trophy(canvas: Canvas, scene: Scene) -> None:
    """The winner's crest large on the house's colour, the name, and everybody's points."""
    view = view_of(scene)
    best = winners(view)
    house = HOUSE[best[0]]
    canvas.image.paste(GOLD, (0, TROPHY - 6, WIDTH, TROPHY - 2))
    panel = Panel(canvas, (12, 0, WIDTH - 12, TROPHY - 6), drawn=False)
    if len(best) == 1:
        panel.icon(116, 112, great_crest(house))
        start = 236.0
    else:
        for number, seat in enumerate(best[:3]):
            panel.icon(64 + 112 * number, 112, crest(HOUSE[seat], 52))
        start = 20 + 112.0 * len(best[:3])
    room = panel.width - start - 136
    names = say(scene, "picture.winners", seats=best)
    panel.words(start, 82, names, Type("words", 62), PAPER, room=room)
    under = scene.words.term("shogun", house) if len(best) == 1 else say(scene, "score.shared")
    panel.words(start, 128, under, Type("quiet", 32), MUTE, room=room)
    x = start
    for number, seat in enumerate(ranked(view)):
        points = str(view.players[seat].points)
        style, fill = (Type("words", 60), GOLD) if seat in best else (Type("words", 38), PAPER)
        if number:
            x += panel.words(x, 198, "·", Type("words", 38), MUTE, room=30) + 14
        x += panel.words(x, 200, points, style, fill, room=120) + 14
    panel.icon(panel.width - 66, 80, marks.star_octagon(46))
    if scene.table is not None:
        panel.words(14, 198, f"#{scene.table}", Type("quiet", 30), MUTE, room=130, end=True)


@lru_cache(maxsize=8)
def great_crest(house: str) -> Image.Image:
    """A crest in a double frame on its colour."""
    pen = Pen(200, 200)
    pen.box((0, 0, 200, 200), 12, PAPER)
    pen.box((4, 4, 196, 196), 9, INK)
    pen.box((8, 8, 192, 192), 7, SHOGUN[house])
    image = pen.sprite()
    shape = crest(house, 82)
    image.alpha_composite(shape, ((200 - shape.width) // 2, (200 - shape.height) // 2))
    return image


# -- the curve ----------------------------------------------------------------------------------

PLOT = (70, 58, 900, 278)  # left, top, right, bottom within the chart


def chart_of(canvas: Canvas, scene: Scene, curves: Mapping[int, list[int]]) -> None:
    """Points with what a scoring would have given; time runs to the right in every language."""
    top = TROPHY
    title = Panel(canvas, (12, top, WIDTH - 12, top + 46), drawn=False)
    title.words(10, 36, say(scene, "score.curve"), QUIET, MUTE, room=900)
    most = max(1, *(max(curve) for curve in curves.values()))
    count = max(len(curve) for curve in curves.values())
    left, high, right, low = PLOT
    step = (right - left) / max(1, count - 1)
    pen = Pen(WIDTH, CHART - 48, (0, top + 48), "RGB", SUMI)

    def at(number: int, points: int) -> Point:
        return left + step * number, top + low - (low - high) * points / most

    for number in range(count):
        x, _ = at(number, 0)
        winter = number in (3, 6)
        pen.line([(x, top + high), (x, top + low)], MUTE if winter else LINE, 3 if winter else 2)
    for level in range(0, most + 1, 20):
        y = at(0, level)[1]
        pen.line([(left, y), (right, y)], LINE, 2)
    for seat in reversed(ranked(view_of(scene))):
        stroke(pen, [at(number, points) for number, points in enumerate(curves.get(seat, []))], HOUSE[seat])
    canvas.image.paste(pen.sprite(), (0, top + 48))
    for level in range(0, most + 1, 20):
        canvas.figure(left - 34, at(0, level)[1], str(level), QUIET, MUTE)
    for number in range(count):
        sign = ("start", "spring", "summer", "winter", "spring", "summer", "winter")[min(number, 6)]
        word = say(scene, f"score.at.{sign}")
        canvas.words(at(number, 0)[0], top + low + 36, word, QUIET, PAPER if number in (3, 6) else MUTE, "m")
    ends(canvas, scene, curves, [at(count - 1, 0)[0], top + high, top + low], most)


def stroke(pen: Pen, points: Sequence[Point], house: str) -> None:
    """A house's line, edged so that it shows on the dark; from the first winter to the next spring dashed."""
    parts = [points[:4], points[4:]] if len(points) > 4 else [points]
    gap = [points[3], points[4]] if len(points) > 4 else []
    edge = PAPER if house in ("takeda", "tokugawa", "uesugi") else INK
    for colour, wide in ((edge, 9), (SHOGUN[house], 5.5)):
        for part in parts:
            if len(part) > 1:
                pen.line(part, colour, wide)
        for dash in dashed(gap, 7, 11) if gap else ():
            pen.line(dash, colour, wide - 2)
    for x, y in points:
        pen.circle(x, y, 6, SHOGUN[house], edge, 2.5)


def ends(
    canvas: Canvas, scene: Scene, curves: Mapping[int, list[int]], box: Sequence[float], most: int
) -> None:
    """At the end of each line the crest and the points, moved apart where lines end together."""
    x, high, low = box
    order = sorted(curves, key=lambda seat: (-curves[seat][-1], ranked(view_of(scene)).index(seat)))
    wanted = [low - (low - high) * curves[seat][-1] / most for seat in order]
    for number in range(1, len(wanted)):
        wanted[number] = max(wanted[number], wanted[number - 1] + 42)
    over = max(0.0, wanted[-1] - (low + 10))
    for number in range(len(wanted) - 1, -1, -1):
        wanted[number] -= over
        over = max(0.0, over - (0 if not number else max(0.0, wanted[number] - wanted[number - 1] - 42)))
    for seat, y in zip(order, wanted, strict=True):
        canvas.centre(crest(HOUSE[seat], 17), x + 42, y)
        canvas.figure(x + 92, y, str(curves[seat][-1]), Type("words", 34), PAPER)


# -- seats --------------------------------------------------------------------------------------

AT = {"provinces": 330, "buildings": 420, "majorities": 510, "won": 632, "held": 790, "inside": 912}


def columns(canvas: Canvas, scene: Scene, top: int) -> None:
    """What the columns are, by their signs; the figures in brackets were to be expected."""
    panel = Panel(canvas, (12, top, WIDTH - 12, top + 44), drawn=False)
    panel.words(10, 33, say(scene, "score.columns"), QUIET, MUTE, room=296)
    for part in PARTS:
        panel.icon(AT[part], 24, part_sign(part, 28))
    for name, sign in (("won", "battle_a"), ("held", "defense+1"), ("inside", "armies")):
        panel.icon(AT[name], 24, icon(sign, 28, MUTE, SUMI))
    panel.icon(1008, 24, marks.star_octagon(15))


def seat_row(canvas: Canvas, scene: Scene, top: int, seat: Seat, line: Line) -> None:
    """A seat: points by source, battles won and held with what was to be expected, cubes in the tower."""
    panel = Panel(canvas, (12, top, WIDTH - 12, top + ROW - 6), active=seat in winners(view_of(scene)))
    y = (ROW - 6) / 2
    panel.icon(36, y, crest(HOUSE[seat], 19))
    panel.words(68, y + 10, scene.names[seat], Type("words", 30), PAPER, room=218)
    for part in PARTS:
        panel.figure(AT[part], y, str(line[part]), FIGURES, PAPER)
    for name, all_, expected in (("won", "attacks", "expected"), ("held", "defences", "expected_held")):
        fought = say(scene, "score.fought", won=line[name], all=line[all_], expected=line[expected])
        used = Type("words", 26)
        panel.figure(AT[name], y, fought, used, PAPER)
    panel.figure(AT["inside"], y, str(line["inside"]), FIGURES, MUTE)
    panel.figure(1008, y, str(line["points"]), Type("words", 42), PAPER)


# -- battles and records ------------------------------------------------------------------------


def fight_row(canvas: Canvas, scene: Scene, top: int, battle: Seen) -> None:
    """A decisive battle: when, where, who against whom, and how likely its end was."""
    params = battle.params
    panel = Panel(canvas, (12, top, WIDTH - 12, top + FIGHT - 6))
    y = (FIGHT - 6) / 2
    panel.icon(34, y, icon("battle_a", 30, PAPER, LACQUER))
    when = say(scene, "score.when", year=params["year"], season=params["season"])
    panel.words(64, y + 9, when, QUIET, MUTE, room=214)
    panel.words(
        288, y + 10, scene.words.term("shogun", str(params["province"])), Type("words", 30), PAPER, room=214
    )
    code, owner = battle.code.removesuffix("-neutral"), params.get("owner")
    panel.icon(536, y, crest(HOUSE[int(params["seat"])], 18))
    panel.figure(586, y, str(params["attackers"]), Type("words", 34), GOLD if code == "battle-won" else PAPER)
    panel.figure(622, y, ":", Type("words", 32), MUTE)
    panel.figure(
        658, y, str(params["defenders"]), Type("words", 34), GOLD if code == "battle-held" else PAPER
    )
    panel.icon(708, y, farmer_chip(18) if owner is None else crest(HOUSE[int(owner)], 18))
    end = say(scene, f"score.{code}", chance=params["chance"])
    panel.words(18, y + 9, end, SMALL, PAPER, room=300, end=True)


def record_cells(canvas: Canvas, scene: Scene, top: int, records: Sequence[Seen]) -> None:
    """Records of this game: what, who, how much."""
    wide = (WIDTH - 24 - 12 * (len(records) - 1)) // len(records)
    for number, record in enumerate(records):
        left = 12 + (wide + 12) * number
        panel = Panel(canvas, (left, top, left + wide, top + RECORDS - 6))
        panel.words(14, 38, say(scene, f"score.{record.code}"), QUIET, MUTE, room=wide - 28)
        panel.icon(36, 72, icon(RECORD_ICONS[record.code], 32, GOLD, LACQUER))
        panel.icon(84, 72, crest(HOUSE[int(record.params["seat"])], 19))
        keys = ("chance", "cubes", "buildings", "chests")
        key = next(key for key in keys if key in record.params)
        figure = f"{record.params[key]} %" if key == "chance" else str(record.params[key])
        panel.words(116, 84, figure, Type("words", 36), PAPER, room=wide - 124)


def alt(scene: Scene, statistics: Sequence[Seen]) -> str:
    """The same in words."""
    told = [
        scene.words(f"shogun.statistics.{s.code}", game="shogun", names=scene.names, **s.params)
        for s in statistics
    ]
    return shorten(joined(told), MOST_ALT)
