"""Sekigahara's pictures of the map: whole, in part, or the place where something happened."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from PIL import Image

from render.canvas import Box, Canvas, Pen, Point
from render.panels import Panel
from render.scene import Picture, Scene
from render.sekigahara.battle import battle
from render.sekigahara.field import Field
from render.sekigahara.geography import AT, MAP_HEIGHT, WHOLE, Window, window_round
from render.sekigahara.head import TOP, head
from render.sekigahara.map import begun
from render.sekigahara.own import STRIP, box_of, corner, movement_lines, strip
from render.sekigahara.palette import colours
from render.sekigahara.pieces import block, icon, marker, mon
from render.sekigahara.places import map_of
from render.sekigahara.words import alt, own_side, say, view_of
from render.theme import INK, LACQUER, MUTE, PAPER, SEKIGAHARA, WHITE, Type

HEIGHT = TOP + MAP_HEIGHT
EVERYWHERE = "all"  # the map even while a battle is fought
AREAS: dict[str, Point] = {  # the middle of each crop, in pixels of the map
    "kinai": (290, 900),
    "chubu": (540, 740),
    "hokuriku": (300, 480),
    "kanto": (810, 640),
    "tohoku": (810, 290),
}
PLACES = tuple(AT)  # a picture may be asked for round each of them, too
MORI = (22, TOP + 14, 382, TOP + 150)
SIGNS = (22, TOP + 164, 205, TOP + 512)  # sea: what the signs of the head and of the map mean
CORNER = (640, TOP + 952, 1068, TOP + 1172)  # sea: what the viewer holds, how the movement goes
MOVEMENT = (640, TOP + 1086, 1068, TOP + 1172)


def board(scene: Scene) -> Picture:
    """The battle while one is fought (unless an area is asked for), else the map or a part of it."""
    view = view_of(scene)
    area = scene.area or retreat_area(scene)
    if view.battle is not None and area is None:
        return Picture(battle(scene), "sekigahara-battle.png", alt(scene))
    window = window_of(area)
    own = own_side(scene) is not None
    below = STRIP if own and window is not WHOLE else 0
    canvas = begun(window, TOP, below, rtl=scene.words.rtl)
    field = Field(canvas, window, TOP, view)
    map_of(field, scene, panels_on(scene) if window is WHOLE else ())
    if window is WHOLE:
        mori_box(canvas, scene)
        signs(canvas, scene)
        if own:
            corner(canvas, scene, CORNER)
        elif moving(scene):
            movement_lines(Panel(canvas, MOVEMENT, afloat=True), scene)
    elif own:
        strip(canvas, scene, TOP + window.height)
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


@lru_cache(maxsize=64)
def window_of(area: str | None) -> Window:
    """The part of the map around an area of AREAS or a place; all of it for anything else."""
    middle = AREAS.get(area or "") or AT.get(area or "")
    return window_round(middle) if middle else WHOLE


def moving(scene: Scene) -> bool:
    """Whether a movement phase is on."""
    view = view_of(scene)
    return view.march is not None and view.phase in ("move", "march")


def panels_on(scene: Scene) -> list[Box]:
    """What panels cover of the whole map."""
    found = [box_of(SIGNS)]
    if view_of(scene).mori_box:
        found.append(box_of(MORI))
    if own_side(scene) is not None:
        found.append(box_of(CORNER))
    elif moving(scene):
        found.append(box_of(MOVEMENT))
    return found


# -- panels ---------------------------------------------------------------------------------


def mori_box(canvas: Canvas, scene: Scene) -> None:
    """The five blocks that lie face up."""
    view = view_of(scene)
    if not view.mori_box:
        return
    panel = Panel(canvas, MORI, afloat=True)
    panel.words(16, 38, say(scene, "picture.mori-box"), Type("words", 28), PAPER, room=200)
    panel.words(16, 38, say(scene, "picture.face-up"), Type("quiet", 26), MUTE, room=128, end=True)
    for number, face in enumerate(view.mori_box):
        panel.icon(48 + 66 * number, 90, block(face, 54))


def signs(canvas: Canvas, scene: Scene) -> None:
    """What the signs of the map mean, then those below a side's name."""
    panel = Panel(canvas, SIGNS, afloat=True)
    ground_signs = (
        ("castle", small("castle", "ishida")),
        ("resource", small("resource", None)),
        ("capital", small("capital", None)),
        ("highway", sample(highway=True)),
        ("road", sample(highway=False)),
        ("recruits", mon("maeda", 27, PAPER, LACQUER)),
        *((f"sign.{name}", icon(name, 26, PAPER, LACQUER)) for name in ("cards", "box", "bag", "lost")),
    )
    for number, (name, image) in enumerate(ground_signs):
        y = 22 + 33.5 * number
        panel.icon(28, y, image)
        panel.words(54, y + 9, say(scene, f"picture.{name}"), Type("quiet", 26), PAPER, room=124)


@lru_cache(maxsize=4)
def small(kind: str, side: str | None) -> Image.Image:
    """A marker for the legend."""
    return marker(kind, side, 0.64)


@lru_cache(maxsize=2)
def sample(*, highway: bool) -> Image.Image:
    """A piece of road for the legend."""
    pen = Pen(42, 14)
    if highway:
        pen.line([(6, 7), (36, 7)], INK, 11)
        pen.line([(6, 7), (36, 7)], SEKIGAHARA["highway"], 7)
        pen.dashes([(6, 7), (36, 7)], WHITE, 2, 7, 7, round_ends=False)
    else:
        pen.dashes([(2, 7), (40, 7)], MUTE, 4.6, 10, 6, round_ends=False)
    return pen.sprite()
