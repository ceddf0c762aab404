"""A finished game as a trophy: the winner's crest, the score, the curve of points, battles and records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

from PIL import Image

from engines.protocol import Seen
from engines.sekigahara.data import SIDES, Side
from render import trophy
from render.canvas import Canvas, Pen
from render.names import fitting
from render.panels import Panel
from render.scene import Picture, Scene
from render.sekigahara.palette import colours
from render.sekigahara.pieces import SIDE_FILL, SIDE_INK, chip, marker, mon
from render.sekigahara.words import say, term, view_of
from render.theme import GOLD, INK, MUTE, PAPER, SUMI, WIDTH, Type
from render.trophy import Curve, Moment, Tick
from render.words import joined, shorten

ROW = 72  # a battle's
FIGHTS = 5
FOUGHT = {"battle": "battle", "battle-again": "battle", "siege": "siege", "siege-again": "siege"}
CURVE_OF = {"ishida": GOLD, "tokugawa": PAPER}


def finale(scene: Scene) -> Picture | None:
    """The trophy; None while the game goes on. Its statistics are the scene's events."""
    view = view_of(scene)
    if view.winner is None:
        return None
    points = next((event for event in scene.events if event.code == "points"), None)
    fights = [event for event in scene.events if event.code in FOUGHT][-FIGHTS:]
    best = [event for event in scene.events if event.code in RECORDS]
    height = trophy.HEAD + 16 + (trophy.CURVE + trophy.GAP if points else 0)
    height += 46 + (ROW + trophy.GAP) * len(fights) if fights else 0
    height += 110 if best else 0
    canvas = Canvas.blank(WIDTH, height, rtl=scene.words.rtl)
    head(canvas, scene, view.winner)
    top = trophy.HEAD + 16
    if points is not None:
        trophy.course(canvas, top, say(scene, "finale.points"), *course(points), zero=False)
        top += trophy.CURVE + trophy.GAP
    if fights:
        rows = [moment(scene, fight) for fight in fights]
        top = trophy.rows(canvas, top, say(scene, "finale.battles"), rows, ROW)
    if best:
        records(canvas, scene, best, top)
    return Picture(canvas.png(colours()), "sekigahara-finale.png", alt(scene))


def head(canvas: Canvas, scene: Scene, winner: Side) -> None:
    """The winner's crest, name and player, how it ended, the score."""
    view, (loser,) = view_of(scene), (side for side in SIDES if side != winner)
    how = partial(won, scene, winner)
    under = fitting(scene.names, how, trophy.UNDER, WIDTH - 286 - 170)
    score = f"{view.points[winner]} : {view.points[loser]}"
    trophy.header(canvas, crest(winner), term(scene, winner), under, score, scene.table)


def won(scene: Scene, winner: Side, names: tuple[str, ...]) -> str:
    """Who led the side, and how it won."""
    view, named = view_of(scene), replace(scene, names=names)
    line = say(named, "finale.won", seat=SIDES.index(winner), week=view.week)
    return line if view.reason is None else f"{line} · {say(named, f'finale.reason.{view.reason}')}"


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


# -- the curve, battles --------------------------------------------------------------------------


def course(event: Seen) -> tuple[list[Curve], list[Tick]]:
    """The points of both sides over the weeks, a step a change, the leader's on top."""
    end = max(int(event.params["end"]), 1000)
    at = [int(when) / end for when in event.params["at"]]
    series = {side: [int(n) for n in event.params[side]] for side in SIDES}
    curves = [
        Curve(
            series[side], CURVE_OF[side], SUMI, str(series[side][-1]), CURVE_OF[side], chip(side, 19), at,
            dashes=SUMI if side == "tokugawa" else None,
        )
        for side in sorted(SIDES, key=lambda side: series[side][-1])
    ]  # fmt: skip
    weeks = range(-(-end // 1000))
    ticks = [Tick((week + min(1.0, end / 1000 - week) / 2) * 1000 / end, str(week + 1)) for week in weeks]
    return curves, ticks


def moment(scene: Scene, fight: Seen) -> Moment:
    """A battle: when, where, who won it, by how much, what it cost."""
    params = fight.params
    winner = SIDES[int(params["seat"])]
    numbers = (params["ishida"], params["tokugawa"])
    kind = FOUGHT[fight.code]
    if kind == "siege":
        figure = str(numbers[int(params["seat"])])
    else:
        own, other = numbers if winner == "ishida" else numbers[::-1]
        figure = f"{own} : {other}"
    return Moment(
        say(scene, "picture.of-week", week=params["week"]),
        say(scene, f"finale.{kind}", at=params["at"]),
        figure,
        chip(winner, 22),
        marker("castle", winner, 0.8) if params.get("fell") else None,
        say(scene, "finale.lost", n=params["lost"]),
    )


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
