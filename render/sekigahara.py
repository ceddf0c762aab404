"""Sekigahara's pictures: the map with counts, or the battle that is fought; `hand` is a private sheet."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from PIL import Image

from engines.base import Seen
from engines.sekigahara.data import CASTLES, PLACES, SIDES, Side
from engines.sekigahara.model import PlaceView, SekigaharaView
from render import marks
from render.canvas import Canvas, Pen, Point, between
from render.panels import Panel, ground, pill
from render.scene import Picture, Scene
from render.sekigahara_battle import battle
from render.sekigahara_hand import hand
from render.sekigahara_map import AT, MAP_HEIGHT, base, kind_of, road
from render.sekigahara_palette import colours
from render.sekigahara_pieces import (
    battlements,
    block,
    chip,
    diamond,
    disk,
    icon,
    marker,
    plate,
    token,
)
from render.sekigahara_words import (
    alt,
    caption,
    describe,
    own_side,
    phase_line,
    say,
    seen,
    term,
    week_line,
)
from render.theme import (
    GOLD,
    INK,
    LACQUER,
    MUTE,
    PAPER,
    SEKIGAHARA,
    SUMI,
    WHITE,
    WIDTH,
    Type,
)

TOP = 136
HEIGHT = TOP + MAP_HEIGHT
PLATE_WIDE, PLATE_BOTH, PLATE_TALL = 122, 190, 54
DISK_AT = {"hideyori": "osaka", "sanada": "ueda"}
AREAS: dict[str, Point] = {  # the middle of each crop, in pixels of the map
    "kinai": (290, 900),
    "chubu": (540, 740),
    "hokuriku": (300, 480),
    "kanto": (810, 640),
    "tohoku": (810, 290),
}


def board(scene: Scene) -> Picture:
    """The battle while one is fought (unless an area is asked for), else the map."""
    view = seen(scene)
    if view.battle is not None and scene.area is None:
        return Picture(battle(scene), "sekigahara-battle.png", alt(scene))
    canvas = Canvas(ground(WIDTH, HEIGHT, SUMI), rtl=scene.words.rtl)
    canvas.image.paste(base(scene.words.locale, scene.words), (0, TOP))
    last_march(canvas, scene.events)
    pieces(canvas, scene)
    if scene.area in AREAS or scene.area in AT:
        canvas = crop(canvas, scene, AREAS.get(scene.area or "") or AT[scene.area or ""])
    else:
        mori_box(canvas, scene)
        legend(canvas, scene)
    head(canvas, scene)
    return Picture(canvas.png(colours()), "sekigahara.png", alt(scene))


def crop(canvas: Canvas, scene: Scene, middle: Point) -> Canvas:
    """540 pixels of the map around a point, twice as large, below the head."""
    side = WIDTH // 2
    left = min(max(0, round(middle[0]) - side // 2), WIDTH - side)
    top = min(max(0, round(middle[1]) - side // 2), MAP_HEIGHT - side) + TOP
    part = canvas.image.crop((left, top, left + side, top + side))
    larger = Canvas(ground(WIDTH, TOP + WIDTH, SUMI), rtl=canvas.rtl)
    larger.image.paste(part.resize((WIDTH, WIDTH), Image.Resampling.LANCZOS), (0, TOP))
    return larger


# -- on the map ------------------------------------------------------------------------------


def pieces(canvas: Canvas, scene: Scene) -> None:
    """Markers, plates and stacks; places with both sides last, then the marks of a preview."""
    view = seen(scene)
    for place in sorted(PLACES, key=lambda p: (bool(view.map[p].ishida and view.map[p].tokugawa), AT[p][1])):
        stand(canvas, view, place, view.map[place], marks_of(scene, place))
    for place in PLACES:
        if view.map[place].ishida and view.map[place].tokugawa and not view.map[place].besieged:
            x, y = AT[place]
            canvas.centre(marks.swords(19), x, y + TOP - 34)


def marks_of(scene: Scene, place: str) -> str | None:
    """How a place is edged: `chosen`, `target`, `ghost`, or not at all."""
    if any(place in choice.marks for choice in scene.picked):
        return "chosen"
    if scene.prompt is not None and any(place in choice.marks for choice in scene.prompt.choices):
        return "target"
    return None


def stand(canvas: Canvas, view: SekigaharaView, place: str, here: PlaceView, mark: str | None) -> None:
    """A place: its marker alone, or a plate with marker, stacks and disks."""
    x, y = AT[place][0], AT[place][1] + TOP
    kind = kind_of(place)
    side = here.holder or CASTLES.get(place) if kind == "castle" else view.control.get(place)
    sprite = marker(kind, side)
    stacks = [
        (owner, count) for owner, count in zip(SIDES, (here.ishida, here.tokugawa), strict=True) if count
    ]
    disks = [name for name in view.disks if DISK_AT[name] == place]
    if not stacks:
        if mark:
            canvas.centre(halo(mark, 56, 56), x, y)
        canvas.centre(sprite, x, y)
    else:
        wide = PLATE_BOTH if len(stacks) == 2 else PLATE_WIDE
        x = min(max(x, wide / 2 + 8), WIDTH - wide / 2 - 8)
        if mark:
            canvas.centre(halo(mark, wide + 14, PLATE_TALL + 14), x, y)
        canvas.centre(plate(wide), x, y)
        canvas.centre(sprite, x - wide / 2 + 31, y)
        for number, (owner, count) in enumerate(stacks):
            at = x - wide / 2 + 90 + 66 * number
            canvas.centre(token(owner, count), at, y - 1)
            if here.besieged and here.holder == owner:
                canvas.centre(battlements(), at - 3, y - 25)
    for number, name in enumerate(disks):
        left = x - (PLATE_WIDE / 2 - 4 if stacks else 22) + 30 * number
        canvas.centre(disk(name), left, y - 24)


@lru_cache(maxsize=16)
def halo(mark: str, wide: int, tall: int) -> Image.Image:
    """The edge of a place in a preview: gold when chosen, white for a target."""
    pen = Pen(wide + 12, tall + 12)
    pen.box((0, 0, wide + 12, tall + 12), 20, INK)
    pen.box((3, 3, wide + 9, tall + 9), 17, GOLD if mark == "chosen" else WHITE)
    pen.box((8, 8, wide + 4, tall + 4), 13, INK)
    return pen.sprite()


def last_march(canvas: Canvas, events: tuple[Seen, ...]) -> None:
    """The way of the last march: a paper band on ink along the roads, with its head."""
    found = [event for event in events if event.code == "marched"]
    for event in found[-3:]:
        stops = [str(event.params["origin"]), *(str(p) for p in event.params["path"])]
        line: list[Point] = []
        for one, other in pairwise(stops):
            line += [(x, y + TOP) for x, y in road(one, other)]
        length = sum(((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 for a, b in pairwise(line))
        line = between(line, 0, max(length - 44, length * 0.5))
        pen = canvas.pen(marks.arrow_box(line, 40))
        marks.draw_arrow(pen, line, PAPER, INK, 13, 3)
        canvas.draw(pen)


# -- panels ---------------------------------------------------------------------------------


def head(canvas: Canvas, scene: Scene) -> None:
    """Both sides with points and sizes, the week, the phase."""
    canvas.image.paste(SUMI, (0, 0, WIDTH, TOP - 2))
    canvas.image.paste(GOLD, (0, TOP - 3, WIDTH, TOP - 1))
    for seat, side in enumerate(SIDES):
        left, right = (12, 412) if seat == 0 else (WIDTH - 412, WIDTH - 12)
        side_panel(canvas, scene, seat, side, (left, 12, right, 124))
    middle = Panel(canvas, (416, 12, WIDTH - 416, 124), drawn=False)
    middle.middle(38, week_line(scene), Type("words", 34), PAPER, room=244)
    if scene.prompt is not None or scene.action is not None:
        pill(middle, 4, 66, say(scene, "picture.private"), room=240)
    else:
        middle.middle(72, phase_line(scene), Type("quiet", 27), MUTE, room=244)
    for week in range(7):
        canvas.centre(
            diamond(30 if week + 1 == seen(scene).week else 22, full=week < seen(scene).week),
            WIDTH / 2 - 90 + 30 * week,
            110,
        )


def side_panel(canvas: Canvas, scene: Scene, seat: int, side: Side, box: tuple[int, int, int, int]) -> None:
    """A side: crest, player, points; castles, resources, hand, recruitment box, bag."""
    view = seen(scene)
    active = side in view.waiting or view.winner == side
    panel = Panel(canvas, box, active=active)
    panel.icon(44, 40, chip(side, 27))
    points = str(view.points[side])
    panel.figure(356, 38, points, Type("words", 46), PAPER)
    panel.words(78, 47, say(scene, "picture.points"), Type("quiet", 25), MUTE, room=82, end=True)
    used = panel.words(86, 36, scene.words.term("sekigahara", side), Type("words", 30), PAPER, room=150)
    if side in view.waiting:
        panel.to_act(86 + used + 20, 26)
    panel.words(86, 66, scene.names[seat], Type("quiet", 26), MUTE, room=164)
    castles = sum(1 for place in CASTLES if view.map[place].holder == side)
    held = sum(1 for controller in view.control.values() if controller == side)
    row = (
        ("castle", castles, 30),
        ("resource", held, 106),
        ("cards", view.hands[side], 180),
        ("box", view.boxes[side], 252),
        ("bag", view.bags[side], 326),
    )
    for name, number, at in row:
        panel.icon(at, 92, icon(name, 27, PAPER, LACQUER))
        panel.words(at + 18, 102, str(number), Type("words", 28), PAPER, room=50)


def mori_box(canvas: Canvas, scene: Scene) -> None:
    """The five blocks that lie face up."""
    view = seen(scene)
    if not view.mori_box:
        return
    panel = Panel(canvas, (22, TOP + 20, 382, TOP + 154))
    panel.words(16, 38, say(scene, "picture.mori-box"), Type("words", 28), PAPER, room=220)
    panel.words(16, 38, say(scene, "picture.face-up"), Type("quiet", 25), MUTE, room=110, end=True)
    for number, face in enumerate(view.mori_box):
        panel.icon(48 + 66 * number, 88, block(face, 54))


def legend(canvas: Canvas, scene: Scene) -> None:
    """What the signs mean; while a side moves, what it may still do."""
    view = seen(scene)
    panel = Panel(canvas, (650, TOP + 1030, 1058, TOP + 1158))
    if view.march is not None and view.phase in ("move", "march"):
        movement(panel, scene)
        return
    rows = (("castle", "ishida"), ("resource", None), ("capital", None))
    for number, (kind, side) in enumerate(rows):
        y = 30 + 36 * number
        panel.icon(40, y, small(kind, side))
        panel.words(78, y + 9, say(scene, f"picture.{kind}"), Type("quiet", 25), PAPER, room=118)
    panel.icon(236, 30, sample(highway=True))
    panel.words(272, 39, say(scene, "picture.highway"), Type("quiet", 25), PAPER, room=124)
    panel.icon(236, 66, sample(highway=False))
    panel.words(272, 75, say(scene, "picture.road"), Type("quiet", 25), PAPER, room=124)
    panel.icon(236, 102, icon("cards", 24, PAPER, LACQUER))
    panel.words(272, 111, say(scene, "picture.cards"), Type("quiet", 25), PAPER, room=124)


def movement(panel: Panel, scene: Scene) -> None:
    """The mode, the places activated, what may still be mustered."""
    march = seen(scene).march
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


__all__ = ["AREAS", "board", "caption", "describe", "hand", "own_side", "term"]
