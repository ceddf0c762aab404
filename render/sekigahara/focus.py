"""The place where a step happened, enlarged for a phone, with a small map of where it lies."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engines.protocol import Seen
from render.canvas import Box, Canvas, Pen, Plate
from render.kept import kept
from render.scene import Picture, Scene
from render.sekigahara.field import Field
from render.sekigahara.geography import AT, MAP_HEIGHT, Window, window_round
from render.sekigahara.head import TOP, head
from render.sekigahara.land import WHOLE_ZOOM, sheet
from render.sekigahara.map import begun
from render.sekigahara.palette import colours
from render.sekigahara.places import map_of
from render.sekigahara.words import alt, own_side, view_of
from render.theme import GOLD, INK, PAPER, WIDTH

TALL = 900  # the height of the map's part
KEY = 0.19  # the size of the small map
KEY_SIZE = round(WIDTH * KEY), round(MAP_HEIGHT * KEY)
ENDS = {  # where an event of this code happened
    "marched": ("to",),
    "branched": ("to",),
    "mustered": ("to",),
    "mustered-shown": ("to",),
    "mori-joined": ("at",),
    "overrun": ("at",),
    "battle-over": ("at",),
    "siege-over": ("at",),
    "castle-fell": ("at",),
    "combat-over": ("at",),
    "lost": ("at",),
    "retreated": ("at", "to"),
    "entered-castle": ("at",),
    "retreat-battle": ("at",),
}
MARGIN = 130  # pixels between the place and the edge


def focus(scene: Scene) -> Picture | None:
    """The place of the step; None where it was more than one, in a battle, or on a private map."""
    view = view_of(scene)
    if view.battle is not None or own_side(scene) is not None or scene.area or scene.prompt or scene.action:
        return None
    window = window_of(scene.events)
    if window is None:
        return None
    canvas = begun(window, TOP, rtl=scene.words.rtl)
    field = Field(canvas, window, TOP, view)
    box = key_box(field)
    map_of(field, scene, [(box[0] - 4, box[1] - 4, box[2] + 4, box[3] + 4)])
    key_map(canvas, window, box)
    head(canvas, scene)
    return Picture(canvas.png(colours()), "sekigahara-place.png", alt(scene))


def window_of(events: Sequence[Seen]) -> Window | None:
    """The part of the map where all of these events happened; None where that is nowhere, or far apart."""
    if sum(event.code == "marched" for event in events) > 1:
        return None
    ends: list[str] = []
    for event in events:
        for name in ENDS.get(event.code, ()):
            place = event.params.get(name)
            if isinstance(place, str) and place in AT and place not in ends:
                ends.append(place)
    if not ends:
        return None
    xs, ys = [AT[place][0] for place in ends], [AT[place][1] for place in ends]
    window = window_round(((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2), TALL)
    apart = len(ends) > 1 and not all(window.shows(AT[place], MARGIN) for place in ends)
    return None if apart else window


def key_box(field: Field) -> Box:
    """The corner of the map where the small one hides the fewest pieces."""
    wide, tall = KEY_SIZE[0] + 8, KEY_SIZE[1] + 8
    bottom = field.top + field.window.height
    corners = [
        (left, top, left + wide, top + tall)
        for top in (bottom - tall - 8, field.top + 8)
        for left in (WIDTH - wide - 8, 8)
    ]

    def hides(box: Box) -> float:
        return sum(
            (3 if stand.wide else 1)
            for stand in field.stands.values()
            if any(b[0] < box[2] and box[0] < b[2] and b[1] < box[3] and box[1] < b[3] for b in (stand.box,))
        )

    return min(corners, key=lambda box: (hides(box), corners.index(box)))


@kept
def small_map() -> Image.Image:
    """The whole map, small."""
    return sheet(WHOLE_ZOOM).convert("RGB").resize(KEY_SIZE, Image.Resampling.BOX)


@kept
def framed_map() -> Plate:
    """The same in a frame."""
    wide, tall = KEY_SIZE[0] + 8, KEY_SIZE[1] + 8
    pen = Pen(wide, tall)
    pen.box((0, 0, wide, tall), 8, INK)
    pen.box((2, 2, wide - 2, tall - 2), 6, PAPER)
    image = pen.sprite()
    image.paste(small_map(), (4, 4))
    return Plate(image, 8)


@kept
def part(wide: int, tall: int) -> Plate:
    """What marks the part that is shown: a frame of ink, gold and ink."""
    pen = Pen(wide, tall)
    for more, colour in ((0.0, INK), (2.0, GOLD), (5.5, INK), (7.0, None)):
        pen.box((more, more, wide - more, tall - more), 3, colour)
    return Plate(pen.sprite(), 8)


def key_map(canvas: Canvas, window: Window, box: Box) -> None:
    """The small map in its frame, with the part that is shown marked."""
    canvas.paste(framed_map(), box[0], box[1])
    mark = part(round(WIDTH / window.zoom * KEY), round(window.height / window.zoom * KEY))
    left = min(4 + round(window.left * KEY), KEY_SIZE[0] + 4 - mark.width)
    top = min(4 + round(window.top * KEY), KEY_SIZE[1] + 4 - mark.height)
    canvas.paste(mark, box[0] + left, box[1] + top)
