"""A finished game of Shogun as a trophy: winner, curve of points, points by source, battles, records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from PIL import Image

from engines.protocol import Json, Seat, Seen
from render import marks, text, trophy
from render.canvas import Canvas, Pen, Plate
from render.kept import kept
from render.names import fitting
from render.panels import Panel
from render.scene import Picture, Scene
from render.shogun.icons import crest, farmer_chip, icon
from render.shogun.palette import colours
from render.shogun.panels import PARTS, part_sign
from render.shogun.words import HOUSE, ranked, say, view_of, winners
from render.theme import GOLD, INK, LACQUER, MUTE, PAPER, SHOGUN, SUMI, WIDTH, Type
from render.trophy import Curve, Moment, Tick
from render.words import joined, shorten

Line = Mapping[str, Json]

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
    height = trophy.HEAD + 16 + (trophy.CURVE + trophy.GAP if curves else 0) + 44 + ROW * len(lines) + 8
    height += FIGHT * len(battles) + (RECORDS if records else 0) + 6
    canvas = Canvas.blank(WIDTH, height, rtl=scene.words.rtl)
    head(canvas, scene)
    top = trophy.HEAD + 16
    if curves:
        trophy.course(canvas, top, say(scene, "score.curve"), *course(scene, curves), every=20)
        top += trophy.CURVE + trophy.GAP
    columns(canvas, scene, top)
    for number, seat in enumerate(ranked(view)):
        seat_row(canvas, scene, top + 44 + ROW * number, seat, lines[seat])
    top += 44 + ROW * len(lines) + 8
    top = trophy.rows(canvas, top, "", [moment(scene, battle) for battle in battles], FIGHT - 6, 6)
    if records:
        record_cells(canvas, scene, top, records)
    return Picture(canvas.png(colours()), "statistics.png", alt(scene, statistics))


# -- the winner ---------------------------------------------------------------------------------


def head(canvas: Canvas, scene: Scene) -> None:
    """The winner's crest large on the house's colour, the name, and everybody's points."""
    view, best = view_of(scene), winners(view_of(scene))
    house = HOUSE[best[0]]
    one = len(best) == 1
    title = fitting(
        scene.names,
        lambda names: say(replace(scene, names=names), "picture.winners", seats=best),
        trophy.TITLE,
        WIDTH - 286 - 180,
    )
    under = scene.words.term("shogun", house) if one else say(scene, "score.shared")
    points = [view.players[seat].points for seat in ranked(view)]
    told = " · ".join(map(str, points)) if any(points) else say(scene, "count.scored.none")
    sign = great_crest(house) if one else shared_crest(tuple(HOUSE[seat] for seat in best[:4]))
    trophy.header(canvas, sign, title, under, told, scene.table)


@lru_cache(maxsize=8)
def shared_crest(houses: tuple[str, ...]) -> Image.Image:
    """The crests of who share a win, two in a row."""
    image = Image.new("RGBA", (212, 212))
    for number, house in enumerate(houses):
        image.alpha_composite(crest(house, 46), (4 + 106 * (number % 2), 4 + 106 * (number // 2)))
    return image


@lru_cache(maxsize=8)
def great_crest(house: str) -> Plate:
    """A crest in a double frame on its colour."""
    pen = Pen(200, 200)
    pen.box((0, 0, 200, 200), 12, PAPER)
    pen.box((4, 4, 196, 196), 9, INK)
    pen.box((8, 8, 192, 192), 7, SHOGUN[house])
    image = pen.sprite()
    shape = crest(house, 82)
    image.alpha_composite(shape, ((200 - shape.width) // 2, (200 - shape.height) // 2))
    return Plate(image, 12)


# -- the curve ----------------------------------------------------------------------------------

SCORINGS = (3, 6)  # the points of the curve that are winters
SEASONS = ("start", "spring", "summer", "winter", "spring", "summer", "winter")


def course(scene: Scene, curves: Mapping[int, list[int]]) -> tuple[list[Curve], list[Tick]]:
    """Points with what a scoring would have given, the best on top; between the years the line is broken."""
    order = [seat for seat in reversed(ranked(view_of(scene))) if seat in curves]
    drawn = [
        Curve(
            curves[seat],
            SHOGUN[HOUSE[seat]],
            PAPER if HOUSE[seat] in ("takeda", "tokugawa", "uesugi") else INK,
            str(curves[seat][-1]),
            PAPER,
            crest(HOUSE[seat], 17),
            level=False,
            gaps=frozenset({3}) if len(curves[seat]) > 4 else frozenset(),
            dots=True,
        )
        for seat in order
    ]
    count = max(map(len, curves.values()))
    ticks = [
        Tick(
            number / max(1, count - 1), say(scene, f"score.at.{SEASONS[min(number, 6)]}"), number in SCORINGS
        )
        for number in range(count)
    ]
    return drawn, ticks


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
    """A seat: points by source, battles won and held with what was to be expected, cubes in the tower.

    A dash stands for what there was none of.
    """
    panel = Panel(canvas, (12, top, WIDTH - 12, top + ROW - 6), active=seat in winners(view_of(scene)))
    y = (ROW - 6) / 2

    def figure(column: float, text: str, style: Type, fill: str = PAPER, *, there: bool) -> None:
        panel.figure(column, y, text if there else "–", style, fill if there else MUTE)

    panel.icon(36, y, crest(HOUSE[seat], 19))
    panel.words(68, y + 10, scene.names[seat], Type("words", 30), PAPER, room=218)
    scored = bool(line["points"])
    for part in PARTS:
        figure(AT[part], str(line[part]), FIGURES, there=scored)
    for name, all_, expected in (("won", "attacks", "expected"), ("held", "defences", "expected_held")):
        fought = say(scene, "score.fought", won=line[name], all=line[all_], expected=line[expected])
        figure(AT[name], fought, Type("words", 26), there=bool(line[all_]))
    figure(AT["inside"], str(line["inside"]), FIGURES, MUTE, there=bool(line["inside"]))
    figure(1008, str(line["points"]), Type("words", 42), there=scored)


# -- battles and records ------------------------------------------------------------------------


def moment(scene: Scene, battle: Seen) -> Moment:
    """A decisive battle: when, where, who against whom, and how likely its end was."""
    params, code = battle.params, battle.code.removesuffix("-neutral")
    owner = params.get("owner")
    return Moment(
        say(scene, "score.when", year=params["year"], season=params["season"]),
        scene.words.term("shogun", str(params["province"])),
        "",
        icon("battle_a", 30, PAPER, LACQUER),
        sides(
            HOUSE[int(params["seat"])],
            None if owner is None else HOUSE[int(owner)],
            int(params["attackers"]),
            int(params["defenders"]),
            code,
        ),
        say(scene, f"score.{code}", chance=params["chance"]),
    )


@kept
def sides(house: str, other: str | None, attackers: int, defenders: int, code: str) -> Image.Image:
    """Who attacked whom with how many armies; the winner's figure in gold."""
    image = Image.new("RGBA", (226, 46))
    signs = (crest(house, 18), farmer_chip(18) if other is None else crest(other, 18))
    for sign, x in zip(signs, (22, 204), strict=True):
        image.alpha_composite(sign, (round(x - sign.width / 2), round(23 - sign.height / 2)))
    style = Type("words", 34)
    text.write_centred(image, 72, 23, str(attackers), style, GOLD if code == "battle-won" else PAPER)
    text.write_centred(image, 113, 23, ":", Type("words", 32), MUTE)
    text.write_centred(image, 154, 23, str(defenders), style, GOLD if code == "battle-held" else PAPER)
    return image


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
