"""A finished game as a trophy: the winner's crest, the score, the curve of points, battles and records."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engines.protocol import Seen
from engines.sekigahara.data import SIDES, Side
from render import marks
from render.canvas import Canvas, Pen, Point
from render.panels import Panel
from render.scene import Picture, Scene
from render.sekigahara.palette import colours
from render.sekigahara.pieces import SIDE_FILL, SIDE_INK, chip, marker, mon
from render.sekigahara.words import say, term, view_of
from render.theme import GOLD, INK, LACQUER, LINE, MUTE, PAPER, SUMI, WIDTH, Type
from render.words import joined, shorten

HEAD, CURVE, ROW = 296, 352, 62
FIGHTS = 5
CURVE_OF = {"ishida": GOLD, "tokugawa": PAPER}


def finale(scene: Scene) -> Picture | None:
    """The trophy; None while the game goes on. Its statistics are the scene's events."""
    view = view_of(scene)
    if view.winner is None:
        return None
    curve = next((event for event in scene.events if event.code == "points"), None)
    fights = [event for event in scene.events if event.code in ("battle", "siege")][-FIGHTS:]
    best = [event for event in scene.events if event.code in RECORDS]
    height = HEAD + (CURVE if curve else 0)
    height += 50 + ROW * len(fights) if fights else 0
    height += 116 if best else 0
    canvas = Canvas.blank(WIDTH, height + 14, SUMI, rtl=scene.words.rtl)
    head(canvas, scene, view.winner)
    top = HEAD
    if curve is not None:
        curve_panel(canvas, scene, curve, top)
        top += CURVE
    if fights:
        panel = Panel(canvas, (24, top, WIDTH - 24, top + 48), drawn=False)
        panel.words(6, 34, say(scene, "finale.battles"), Type("quiet", 29), MUTE, room=600)
        for number, fight in enumerate(fights):
            fight_row(canvas, scene, fight, top + 50 + ROW * number)
        top += 50 + ROW * len(fights)
    if best:
        records(canvas, scene, best, top + 8)
    return Picture(canvas.png(colours()), "sekigahara-finale.png", alt(scene))


def head(canvas: Canvas, scene: Scene, winner: Side) -> None:
    """The winner's crest, name and player, how it ended, the score."""
    view = view_of(scene)
    canvas.image.paste(LACQUER, (0, 0, WIDTH, HEAD - 18))
    canvas.image.paste(GOLD, (0, HEAD - 18, WIDTH, HEAD - 14))
    panel = Panel(canvas, (0, 0, WIDTH, HEAD), drawn=False)
    panel.icon(152, 138, crest(winner))
    panel.words(290, 96, term(scene, winner), Type("words", 80), PAPER, room=560)
    seat = SIDES.index(winner)
    line = say(scene, "finale.won", seat=seat, week=view.week)
    if view.reason is not None:
        line = f"{line} · {say(scene, f'finale.reason.{view.reason}')}"
    panel.words(292, 152, line, Type("quiet", 32), MUTE, room=750)
    x = 292.0
    for number, side in enumerate((winner, *(side for side in SIDES if side != winner))):
        if number:
            panel.words(x, 238, ":", Type("words", 64), MUTE, room=40)
            x += 44
        style = Type("words", 70)
        x += panel.words(x, 240, str(view.points[side]), style, GOLD if not number else PAPER, room=140) + 24
    if scene.table is not None:
        panel.words(30, 238, f"#{scene.table}", Type("quiet", 32), MUTE, room=200, end=True)
    panel.icon(WIDTH - 96, 92, marks.star_octagon(50))


@lru_cache(maxsize=2)
def crest(side: Side) -> Image.Image:
    """The winner's crest, large: Ishida's round, Tokugawa's square."""
    size = 216
    pen = Pen(size, size)
    fill, ink = SIDE_FILL[side], SIDE_INK[side]
    if side == "ishida":
        pen.circle(108, 108, 106, PAPER)
        pen.circle(108, 108, 102, INK)
        pen.circle(108, 108, 98, fill)
        pen.circle(108, 108, 88, ink)
        pen.circle(108, 108, 85, fill)
    else:
        pen.box((2, 2, 214, 214), 8, PAPER)
        pen.box((6, 6, 210, 210), 6, fill)
        pen.box((14, 14, 202, 202), 4, PAPER)
        pen.box((16.5, 16.5, 199.5, 199.5), 3, fill)
    image = pen.sprite()
    inside = mon(side, 130 if side == "ishida" else 160, ink, fill)
    image.alpha_composite(inside, ((size - inside.width) // 2, (size - inside.height) // 2))
    return image


# -- the curve --------------------------------------------------------------------------------


def curve_panel(canvas: Canvas, scene: Scene, event: Seen, top: int) -> None:
    """The points of both sides over the weeks, a step a change."""
    panel = Panel(canvas, (24, top, WIDTH - 24, top + CURVE), drawn=False)
    panel.words(6, 34, say(scene, "finale.points"), Type("quiet", 29), MUTE, room=600)
    for number, side in enumerate(SIDES):
        panel.icon(panel.width - 40 - 50 * (1 - number), 28, chip(side, 16))
        panel.icon(panel.width - 40 - 50 * (1 - number), 52, sample(side))
    at = [int(x) for x in event.params["at"]]
    end = max(int(event.params["end"]), 1000)
    series = {side: [int(n) for n in event.params[side]] for side in SIDES}
    most, least = max(map(max, series.values())), min(map(min, series.values()))
    left, right, high, low = 40, WIDTH - 110, top + 66, top + CURVE - 56

    def spot(when: int, points: int) -> Point:
        x = left + (right - left) * when / end
        return x, low - (low - high) * (points - least) / max(most - least, 1)

    pen = canvas.pen((0, top + 40, WIDTH, top + CURVE - 4))
    weeks = -(-end // 1000)
    for week in range(weeks + 1):
        x = left + (right - left) * min(1000 * week, end) / end
        pen.line([(x, high - 8), (x, low + 12)], LINE, 2, round_ends=False)
    for side in (
        ("ishida", "tokugawa") if series["tokugawa"][-1] >= series["ishida"][-1] else ("tokugawa", "ishida")
    ):
        line: list[Point] = []
        for number, when in enumerate(at):
            if number:
                line.append(spot(when, series[side][number - 1]))
            line.append(spot(when, series[side][number]))
        line.append(spot(end, series[side][-1]))
        pen.line(line, SUMI, 12)
        pen.line(line, CURVE_OF[side], 6)
        if side == "tokugawa":
            pen.dashes(line, SUMI, 2.2, 5, 9, round_ends=False)
        pen.circle(*line[-1], 8, CURVE_OF[side], SUMI, 3)
    canvas.draw(pen)
    for week in range(weeks):
        x = left + (right - left) * (1000 * week + min(1000, end - 1000 * week) / 2) / end
        canvas.words(x, low + 46, str(week + 1), Type("quiet", 28), MUTE, "m")
    ends = {side: spot(end, series[side][-1])[1] for side in SIDES}
    apart = ends["ishida"] - ends["tokugawa"]
    push = max(0.0, 44 - abs(apart)) / 2 * (1 if apart >= 0 else -1)
    for side in SIDES:
        y = ends[side] + (push if side == "ishida" else -push)
        canvas.words(right + 22, y + 15, str(series[side][-1]), Type("words", 42), CURVE_OF[side])


@lru_cache(maxsize=2)
def sample(side: Side) -> Image.Image:
    """How a side's line looks."""
    pen = Pen(40, 8)
    pen.line([(4, 4), (36, 4)], CURVE_OF[side], 6)
    if side == "tokugawa":
        pen.dashes([(4, 4), (36, 4)], SUMI, 2.2, 5, 9, round_ends=False)
    return pen.sprite()


# -- battles and records ------------------------------------------------------------------------


def fight_row(canvas: Canvas, scene: Scene, fight: Seen, top: int) -> None:
    """A battle: when, where, who won it, by how much, what it cost."""
    params = fight.params
    panel = Panel(canvas, (24, top, WIDTH - 24, top + ROW - 8))
    panel.words(18, 37, say(scene, "picture.of-week", week=params["week"]), Type("quiet", 28), MUTE, room=130)
    winner = SIDES[int(params["seat"])]
    panel.icon(178, 27, chip(winner, 19))
    where = say(scene, f"finale.{fight.code}", at=params["at"])
    used = panel.words(214, 38, where, Type("words", 32), PAPER, room=330)
    if params.get("fell"):
        panel.icon(214 + used + 32, 27, marker("castle", winner, 0.8))
    cost = say(scene, "finale.lost", n=params["lost"])
    panel.words(196, 37, cost, Type("quiet", 28), MUTE, room=220, end=True)
    numbers = (params["ishida"], params["tokugawa"])
    if fight.code == "siege":
        panel.words(22, 39, str(numbers[int(params["seat"])]), Type("words", 34), GOLD, room=160, end=True)
    else:
        own, other = numbers if winner == "ishida" else numbers[::-1]
        panel.words(22, 39, f"{own} : {other}", Type("words", 34), GOLD, room=160, end=True)


MEASURE = {"impact": "impact", "march": "n"}  # the parameter that says how much
RECORDS = {"impact": "at", "march": "to", "lost": ""}  # a record, and the parameter that says where


def records(canvas: Canvas, scene: Scene, best: Sequence[Seen], top: int) -> None:
    """Each record in a box of its own: a number, what it is of, where."""
    wide = (WIDTH - 48 - 12 * (len(best) - 1)) // len(best)
    for number, event in enumerate(best):
        left = 24 + (wide + 12) * number
        panel = Panel(canvas, (left, top, left + wide, top + 100))
        panel.words(20, 84, say(scene, f"picture.of-{event.code}"), Type("quiet", 28), MUTE, room=wide - 36)
        start = 20.0
        if event.code == "lost":
            for side in SIDES:
                panel.icon(start + 20, 34, chip(side, 16))
                lost = str(event.params[f"lost_{side}"])
                start += 46 + panel.words(start + 46, 50, lost, Type("words", 42), GOLD, room=80) + 22
            continue
        panel.icon(start + 20, 34, chip(SIDES[int(event.params["seat"])], 16))
        used = panel.words(66, 50, str(event.params[MEASURE[event.code]]), Type("words", 42), GOLD, room=90)
        where = term(scene, str(event.params[RECORDS[event.code]]))
        panel.words(82 + used, 48, where, Type("words", 28), PAPER, room=wide - 100 - used)


def alt(scene: Scene) -> str:
    """The trophy in words."""
    view = view_of(scene)
    first = []
    if view.winner is not None:
        first.append(say(scene, "finale.won", seat=SIDES.index(view.winner), week=view.week) + ".")
    first.append(f"{view.points['ishida']} : {view.points['tokugawa']}.")
    lines = [
        scene.words(f"sekigahara.statistics.{e.code}", game="sekigahara", names=scene.names, **e.params)
        for e in scene.events
    ]
    return shorten(joined([*first, *lines]), 990)
