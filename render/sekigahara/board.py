"""Sekigahara's pictures: the map with counts, or the battle that is fought; `hand` is a private sheet."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from PIL import Image

from engines.sekigahara.data import CASTLES, SIDES, Side
from render import marks
from render.canvas import Canvas, Pen, Point
from render.panels import Panel, ground, pill
from render.scene import Picture, Scene
from render.sekigahara.battle import battle
from render.sekigahara.map import AT, MAP_HEIGHT, WHOLE, Window, base, window_round
from render.sekigahara.palette import colours
from render.sekigahara.pieces import block, chip, diamond, icon, marker, mon
from render.sekigahara.places import Field, marches, pieces, preview, preview_marks, results
from render.sekigahara.words import (
    alt,
    is_private,
    own_side,
    phase_line,
    say,
    view_of,
    week_line,
)
from render.theme import GOLD, INK, LACQUER, MUTE, NIGHT, PAPER, SEKIGAHARA, SUMI, WHITE, WIDTH, Type

TOP = 136
HEIGHT = TOP + MAP_HEIGHT
EVERYWHERE = "all"  # the map even while a battle is fought
AREAS: dict[str, Point] = {  # the middle of each crop, in pixels of the map
    "kinai": (290, 900),
    "chubu": (540, 740),
    "hokuriku": (300, 480),
    "kanto": (810, 640),
    "tohoku": (810, 290),
}
SIGNS = (22, TOP + 166, 222, TOP + 314)  # sea: where what the head's signs mean is said
PLACES = tuple(AT)  # a picture may be asked for round each of them, too


def board(scene: Scene) -> Picture:
    """The battle while one is fought (unless an area is asked for), else the map or a part of it."""
    view = view_of(scene)
    area = scene.area or retreat_area(scene)
    if view.battle is not None and area is None:
        return Picture(battle(scene), "sekigahara-battle.png", alt(scene))
    window = window_of(area)
    canvas = Canvas(ground(WIDTH, TOP + window.height, SUMI), rtl=scene.words.rtl)
    canvas.image.paste(base(scene.words.locale, scene.words, window), (0, TOP))
    field = Field(canvas, window, TOP)
    marches(field, scene)
    preview(field, scene)
    pieces(field, scene)
    results(field, scene)
    preview_marks(field, scene)
    if window is WHOLE:
        mori_box(canvas, scene)
        legend(canvas, scene)
        signs(canvas, scene)
    head(canvas, scene)
    return Picture(canvas.png(colours()), "sekigahara.png", alt(scene))


def own_ground(scene: Scene) -> Picture | None:
    """The viewer's map with his faces; None for a spectator, and in a battle unless the layer is asked for.

    A battle leaves the map as it is, and letters come with each of its exchanges.
    """
    if own_side(scene) is None or (view_of(scene).battle is not None and scene.layer != "ground"):
        return None
    return board(replace(scene, area=EVERYWHERE))


def retreat_area(scene: Scene) -> str | None:
    """Round the battle, while the panel asks where its beaten side goes."""
    found, prompt = view_of(scene).battle, scene.prompt
    return found.at if found is not None and prompt is not None and prompt.code == "retreat-to" else None


def window_of(area: str | None) -> Window:
    """The part of the map around an area of AREAS or a place; all of it for anything else."""
    middle = AREAS.get(area or "") or AT.get(area or "")
    return window_round(middle) if middle else WHOLE


# -- panels ---------------------------------------------------------------------------------


def head(canvas: Canvas, scene: Scene) -> None:
    """Both sides with points and sizes, the week, the phase."""
    private = is_private(scene)
    canvas.image.paste(NIGHT if private else SUMI, (0, 0, WIDTH, TOP))
    if private:
        canvas.paste(marks.tape(WIDTH, 8, SUMI), 0, TOP - 8)
    else:
        canvas.image.paste(GOLD, (0, TOP - 3, WIDTH, TOP - 1))
    for seat, side in enumerate(SIDES):
        left, right = (12, 412) if seat == 0 else (WIDTH - 412, WIDTH - 12)
        side_panel(canvas, scene, seat, side, (left, 12, right, 124))
    middle = Panel(canvas, (416, 12, WIDTH - 416, 124), drawn=False)
    middle.middle(34 if private else 38, week_line(scene), Type("words", 34), PAPER, room=244)
    if private:
        pill(middle, 14, 61, say(scene, "picture.private-short"), room=232)
    else:
        middle.middle(72, phase_line(scene), Type("quiet", 27), MUTE, room=244)
    for week in range(7):
        sign = diamond(30 if week + 1 == view_of(scene).week else 22, full=week < view_of(scene).week)
        middle.icon(middle.width / 2 - 90 + 30 * week, 98, sign)


def side_panel(canvas: Canvas, scene: Scene, seat: int, side: Side, box: tuple[int, int, int, int]) -> None:
    """A side: crest, player, points; castles, resources, hand, recruitment box, bag."""
    view = view_of(scene)
    active = side in view.waiting or view.winner == side
    panel = Panel(canvas, box, active=active)
    panel.icon(44, 40, chip(side, 27))
    points = str(view.points[side])
    panel.figure(350, 33, points, Type("words", 46), PAPER)
    panel.words(14, 73, say(scene, "picture.points"), Type("quiet", 24), MUTE, room=86, end=True)
    used = panel.words(86, 36, scene.words.term("sekigahara", side), Type("words", 30), PAPER, room=190)
    if side in view.waiting:
        panel.to_act(86 + used + 20, 26)
    panel.words(86, 66, scene.names[seat], Type("quiet", 26), MUTE, room=200)
    if view.winner == side:
        panel.icon(86 + used + 24, 26, marks.star_octagon(15))
    castles = sum(1 for place in CASTLES if view.map[place].holder == side)
    held = sum(1 for controller in view.control.values() if controller == side)
    row = (
        ("castle", castles, 28),
        ("resource", held, 84),
        ("cards", view.hands[side], 140),
        ("box", view.boxes[side], 206),
        ("bag", view.bags[side], 272),
        ("lost", len(view.lost.get(side, ())), 338),
    )
    for name, number, at in row:
        panel.icon(at, 92, icon(name, 27, PAPER, LACQUER))
        panel.words(at + 18, 102, str(number), Type("words", 27), PAPER, room=50)


def mori_box(canvas: Canvas, scene: Scene) -> None:
    """The five blocks that lie face up."""
    view = view_of(scene)
    if not view.mori_box:
        return
    panel = Panel(canvas, (22, TOP + 20, 382, TOP + 154), afloat=True)
    panel.words(16, 38, say(scene, "picture.mori-box"), Type("words", 28), PAPER, room=220)
    panel.words(16, 38, say(scene, "picture.face-up"), Type("quiet", 25), MUTE, room=110, end=True)
    for number, face in enumerate(view.mori_box):
        panel.icon(48 + 66 * number, 88, block(face, 54))


def legend(canvas: Canvas, scene: Scene) -> None:
    """What the signs mean; while a side moves, what it may still do."""
    view = view_of(scene)
    panel = Panel(canvas, (650, TOP + 1030, 1058, TOP + 1158), afloat=True)
    if view.march is not None and view.phase in ("move", "march"):
        movement(panel, scene)
        return
    panel.icon(26, 28, small("castle", "ishida"))
    panel.icon(60, 28, small("castle", "tokugawa"))
    for number, (kind, side) in enumerate((("castle", None), ("resource", None), ("capital", None))):
        y = 28 + 36 * number
        if kind != "castle":
            panel.icon(43, y, small(kind, side))
        panel.words(84, y + 9, say(scene, f"picture.{kind}"), Type("quiet", 25), PAPER, room=120)
    for number, (name, sprite) in enumerate(
        (
            ("highway", sample(highway=True)),
            ("road", sample(highway=False)),
            ("recruits", mon("maeda", 27, PAPER, LACQUER)),
        )
    ):
        y = 28 + 36 * number
        panel.icon(240, y, sprite)
        panel.words(280, y + 9, say(scene, f"picture.{name}"), Type("quiet", 25), PAPER, room=118)


def signs(canvas: Canvas, scene: Scene) -> None:
    """What the signs below a side's name count."""
    panel = Panel(canvas, SIGNS, afloat=True)
    for number, name in enumerate(("cards", "box", "bag", "lost")):
        y = 24 + 33 * number
        panel.icon(24, y, icon(name, 25, PAPER, LACQUER))
        word = say(scene, f"picture.sign.{name}")
        panel.words(46, y + 9, word, Type("quiet", 25), PAPER, room=SIGNS[2] - SIGNS[0] - 58)


def movement(panel: Panel, scene: Scene) -> None:
    """The mode, the places activated, what may still be mustered."""
    march = view_of(scene).march
    if march is None:
        return
    most = {"none": 0, "minimal": 1, "limited": 3}.get(march.mode)
    used = len(march.activated)
    panel.words(16, 38, say(scene, f"picture.mode.{march.mode}"), Type("words", 27), GOLD, room=376)
    line = say(scene, "picture.activated" if most is not None else "picture.activated-all", n=used, most=most)
    panel.words(16, 74, line, Type("quiet", 25), PAPER, room=376)
    mustered = say(scene, "picture.mustered" if march.mustered else "picture.not-mustered")
    panel.words(16, 108, mustered, Type("quiet", 25), MUTE, room=376)


@lru_cache(maxsize=4)
def small(kind: str, side: str | None) -> Image.Image:
    """A marker for the legend."""
    image = marker(kind, side)
    return image.resize((36, 36), Image.Resampling.LANCZOS)


@lru_cache(maxsize=2)
def sample(*, highway: bool) -> Image.Image:
    """A piece of road for the legend."""
    pen = Pen(60, 14)
    if highway:
        pen.line([(6, 7), (54, 7)], INK, 11)
        pen.line([(6, 7), (54, 7)], SEKIGAHARA["highway"], 7)
        pen.dashes([(6, 7), (54, 7)], WHITE, 2, 9, 9, round_ends=False)
    else:
        pen.dashes([(4, 7), (56, 7)], MUTE, 4.6, 13, 8, round_ends=False)
    return pen.sprite()
