"""A finished match of Kamisado as a trophy: the winning tower, score, curve, what decided it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from PIL import Image

from engines.kamisado.data import SIDES
from engines.protocol import Json, Seen
from render import trophy
from render.canvas import Plate
from render.kamisado.pieces import BLACK, colours, emblem, piece
from render.kamisado.words import ENDED, MOST_ALT, say, view_of
from render.kept import kept
from render.names import fitting
from render.panels import rounded_box
from render.scene import Picture, Scene
from render.theme import GOLD, INK, LACQUER, MUTE, PAPER
from render.trophy import Below, Curve, Moment
from render.words import joined, shorten

ROUNDS = {"round-reached": "reached", "round-forced": "forced", "round-deadlock": "deadlock"}


def finale(scene: Scene) -> Picture | None:
    """The match summed up; its statistics are the scene's events. None where it has no winner."""
    view = view_of(scene)
    if view.winner is None or scene.layer == ENDED:
        return None
    curves, ticks, label = course(scene)
    moments = trophy.chosen([moment(scene, seen) for seen in scene.events if seen.code in ROUNDS])
    if len(moments) < 2:
        moments += [done(scene, seen.params) for seen in scene.events if seen.code in ("seat", "seat-bound")]
    record = records(scene)
    below = Below(label, curves, ticks, say(scene, "finale.rounds"), moments, record)
    canvas = below.canvas(rtl=scene.words.rtl)
    winner = SIDES.index(view.winner)
    under = "finale.resigned" if view.reason == "resign" else "finale.wins"
    score = f"{view.score.of(view.winner)} : {view.score.of(SIDES[1 - winner])}"
    trophy.header(canvas, sign(scene), name(scene, winner), said(scene, under), score, scene.table)
    below.draw(canvas)
    return Picture(canvas.png(colours()), "kamisado-finale.png", alt(scene))


def name(scene: Scene, seat: int) -> str:
    """The winner's name, shortened to its room."""
    return fitting(scene.names, lambda names: names[seat], trophy.TITLE, 614)


def said(scene: Scene, key: str) -> str:
    """The winner's side, and how it was won."""
    view = view_of(scene)
    side = scene.words.term("kamisado", view.winner or "")
    return f"{side} · {say(scene, key, round=view.round)}"


def sign(scene: Scene) -> Plate:
    """The tower that won, large; the side's own where none did."""
    view = view_of(scene)
    last = view.last
    won = last is not None and last.owner == view.winner and view.reason != "resign"
    return crest(view.winner or "white", last.color if won and last is not None else None)


@kept
def crest(side: str, color: str | None) -> Plate:
    """A tower on a framed ground."""
    image = rounded_box(224, 244, 16, LACQUER, GOLD, 4)
    small = emblem(side, 124) if color is None else piece(side, color, 0, side == "white")
    large = small.resize((round(small.width * 1.7), round(small.height * 1.7)), Image.Resampling.LANCZOS)
    image.alpha_composite(large, ((image.width - large.width) // 2, (image.height - large.height) // 2))
    return Plate(image, 16)


def course(scene: Scene) -> tuple[list[Curve], list[str], str]:
    """The curve of points by round; in a single round how many squares each side could choose from."""
    points = params_of(scene, "points")
    fills = ((BLACK, MUTE, MUTE), (PAPER, INK, PAPER))
    if points is not None:
        values = [[0, *points[side]] for side in SIDES]
        ticks = ["", *(str(number + 1) for number in range(len(values[0]) - 1))]
        label = say(scene, "finale.points")
    else:
        free = {seen.params["seat"]: seen.params["free"] for seen in scene.events if seen.code == "seat"}
        values = [list(free.get(seat, ())) for seat in range(2)]
        if min(map(len, values)) < 2:
            return [], [], ""
        ticks = [str(number + 1) for number in range(max(map(len, values)))]
        label = say(scene, "finale.free")
    curves = [
        Curve(line, fill, edge, str(line[-1]), ink, emblem(side, 50))
        for side, line, (fill, edge, ink) in zip(SIDES, values, fills, strict=True)
    ]
    return curves, ticks, label


def params_of(scene: Scene, code: str) -> Mapping[str, Json] | None:
    """The parameters of a statistic, None where it is not there."""
    return next((seen.params for seen in scene.events if seen.code == code), None)


def moment(scene: Scene, seen: Seen) -> Moment:
    """A round that told much."""
    params = seen.params
    side = SIDES[params["seat"]]
    tower = params["tower"]
    sprite = emblem(side, 80) if tower is None else small(side, tower)
    what = say(scene, f"finale.{ROUNDS[seen.code]}", side=side, tower=tower)
    return Moment(
        say(scene, "picture.round", round=params["round"]),
        what,
        f"{params['black']} : {params['white']}",
        sprite,
    )


def done(scene: Scene, params: Mapping[str, Json]) -> Moment:
    """What a side did, where no list of rounds is to be shown."""
    side = SIDES[params["seat"]]
    return Moment(
        scene.words.term("kamisado", side), say(scene, "finale.seat", **params), "", emblem(side, 72)
    )


@kept
def small(side: str, color: str) -> Image.Image:
    """A tower as large as a row."""
    image = piece(side, color, 0, side == "white")
    return image.resize((round(image.width * 0.7), round(image.height * 0.7)), Image.Resampling.LANCZOS)


def records(scene: Scene) -> str:
    """The longest push, else the longest round; "" in a match with neither."""
    for code in ("push", "longest"):
        params = params_of(scene, code)
        if params is not None:
            return fitting(scene.names, partial(told, scene, code, params), trophy.LABEL, 1016)
    return ""


def told(scene: Scene, code: str, params: Mapping[str, Json], names: tuple[str, ...]) -> str:
    """A statistic in words, with these names."""
    return say(replace(scene, names=names), f"statistics.{code}", **params)


def alt(scene: Scene) -> str:
    """The same in words."""
    view = view_of(scene)
    winner = SIDES.index(view.winner or "white")
    first = sorted(scene.events, key=lambda seen: seen.code not in ROUNDS)
    lines = [told(scene, seen.code, seen.params, scene.names) for seen in first]
    return shorten(joined([say(scene, "caption.over", winner=winner), *lines]), MOST_ALT)
