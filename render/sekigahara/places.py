"""What stands on the map of Sekigahara: markers, plates with stacks and disks, marches, previews."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import hypot

from PIL import Image

from engines.protocol import Action, RulesError, Seen
from engines.sekigahara.data import CASTLES, PLACES, SIDES, Side
from engines.sekigahara.model import Combat, March, Muster, PlaceView, Retreat, SekigaharaView
from engines.sekigahara.notation import parse
from render import marks
from render import text as lines
from render.canvas import Box, Canvas, Pen, Point, between
from render.scene import Scene
from render.sekigahara.map import AT, TAGS, Window, kind_of, road
from render.sekigahara.pieces import battlements, block, disk, marker, plate, token
from render.sekigahara.words import view_of
from render.theme import GOLD, INK, PAPER, SHU_DARK, WHITE, WIDTH, Type

PLATE_WIDE, PLATE_BOTH, PLATE_TALL = 122, 190, 54
DISK_AT = {"hideyori": "osaka", "sanada": "ueda"}
STEP_UP = 50  # from one token to the one above it
GAP = 7  # an arrow ends so far from the piece it points at
STRIDE = 4  # pixels between two points of a line that are looked at
IN_SIGHT = 44  # pixels of an arrow that have to be seen
BESIDE = 9  # pixels between pieces and an arrow that runs beside them
FACES_IN_ROW = 5


@dataclass(frozen=True)
class Stand:
    """A place as it is drawn: the middle of its marker's row, the plate's width (0 without one).

    upright    the tokens of both sides one above the other, where side by side they would cover more
    """

    place: str
    x: float
    y: float
    wide: int
    stacks: tuple[tuple[Side, int], ...]
    upright: bool = False

    @property
    def box(self) -> Box:
        """What the marker or the plate covers."""
        if not self.wide:
            return self.x - 23, self.y - 23, self.x + 23, self.y + 23
        half, tall = self.wide / 2, PLATE_TALL / 2
        rise = STEP_UP if self.upright else 0
        return self.x - half, self.y - tall - rise, self.x + half, self.y + tall

    def token_at(self, number: int) -> Point:
        """The middle of a side's token."""
        first = self.x - self.wide / 2 + 90
        return (first, self.y - 1 - STEP_UP * number) if self.upright else (first + 66 * number, self.y - 1)

    @property
    def marker_at(self) -> Point:
        """The middle of the marker."""
        return (self.x - self.wide / 2 + 31, self.y) if self.wide else (self.x, self.y)


@dataclass(frozen=True)
class Field:
    """The picture's map: on which canvas, which part of it, and how far down it begins."""

    canvas: Canvas
    window: Window
    top: int

    def at(self, place: str) -> Point:
        """The middle of a place in the picture."""
        x, y = self.window.at(AT[place])
        return x, y + self.top

    def way(self, stops: list[str]) -> list[Point]:
        """The line along the roads from one place to the next."""
        points = [p for one, other in pairwise(stops) for p in road(one, other) or (AT[one], AT[other])]
        return [(x, y + self.top) for x, y in self.window.line(points)]

    def stand(self, view: SekigaharaView, place: str) -> Stand:
        """Where and how a place is drawn."""
        stacks = stacks_of(view, place)
        if len(stacks) < 2:
            return self._stand(place, stacks, PLATE_WIDE if stacks else 0)
        ways = (
            self._stand(place, stacks, PLATE_BOTH),
            self._stand(place, stacks, PLATE_WIDE, upright=True),
        )
        return min(ways, key=lambda way: self._covered(view, way))

    def _stand(
        self, place: str, stacks: tuple[tuple[Side, int], ...], wide: int, *, upright: bool = False
    ) -> Stand:
        x, y = self.at(place)
        if wide:
            x = min(max(x, wide / 2 + 8), WIDTH - wide / 2 - 8)
        if upright:
            y = max(y, self.top + STEP_UP + PLATE_TALL / 2 + 8)
        return Stand(place, x, y, wide, stacks, upright)

    def _covered(self, view: SekigaharaView, stand: Stand) -> float:
        """How many pixels of other places' pieces, and by a third of other names, a plate covers."""
        total = 0.0
        for place in PLACES:
            stacks = stacks_of(view, place)
            if place != stand.place:
                box = self._stand(place, stacks, (0, PLATE_WIDE, PLATE_BOTH)[len(stacks)]).box
                total += shared(stand.box, box)
            x, y = self.at(place)
            dx, dy = x - AT[place][0], y - AT[place][1]
            left, top, right, bottom = TAGS[place]
            total += shared(stand.box, (left + dx, top + dy, right + dx, bottom + dy)) / 3
        return total


def stacks_of(view: SekigaharaView, place: str) -> tuple[tuple[Side, int], ...]:
    """The sides with blocks at a place, and how many."""
    here = view.map[place]
    return tuple((s, n) for s, n in zip(SIDES, (here.ishida, here.tokugawa), strict=True) if n)


def shared(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    tall = min(one[3], other[3]) - max(one[1], other[1])
    return wide * tall if wide > 0 and tall > 0 else 0.0


# -- stacks ---------------------------------------------------------------------------------


def pieces(field: Field, scene: Scene) -> None:
    """Markers, plates and stacks from north to south; places where both sides stand last."""
    view = view_of(scene)
    shown = [place for place in PLACES if field.window.shows(AT[place])]
    stands = sorted((field.stand(view, p) for p in shown), key=lambda s: (len(s.stacks) > 1, s.y))
    edges = edged(scene)
    for here in stands:
        draw_stand(field.canvas, view, here, edges.get(here.place))
    for here in stands:
        if len(here.stacks) > 1 and not view.map[here.place].besieged:
            x, y = here.marker_at
            field.canvas.centre(marks.swords(19), x, y - 30)
        if field.window.zoom > 1:
            above = 22 if any(DISK_AT[name] == here.place for name in view.disks) else 0
            faces(field.canvas, view.map[here.place], here, above)


def draw_stand(canvas: Canvas, view: SekigaharaView, here: Stand, edge: str | None) -> None:
    """A place: its marker alone, or a plate with marker, stacks and disks."""
    place, seen_here = here.place, view.map[here.place]
    kind = kind_of(place)
    side = seen_here.holder or CASTLES.get(place) if kind == "castle" else view.control.get(place)
    _, top, _, bottom = here.box
    middle = (top + bottom) / 2
    if edge and not here.wide and kind == "town":
        canvas.centre(ring(edge), here.x, here.y)
    elif edge:
        size = (here.wide + 14, round(bottom - top) + 14) if here.wide else (56, 56)
        canvas.centre(halo(edge, *size), here.x, middle)
    if here.wide:
        canvas.centre(plate(here.wide, round(bottom - top)), here.x, middle)
    canvas.centre(marker(kind, side), *here.marker_at)
    for number, (owner, count) in enumerate(here.stacks):
        x, y = here.token_at(number)
        canvas.centre(token(owner, count), x, y)
        if seen_here.besieged and seen_here.holder == owner:
            canvas.centre(battlements(), x - 3, y - 24)
    for number, name in enumerate(d for d in view.disks if DISK_AT[d] == place):
        x, y = here.marker_at
        canvas.centre(disk(name), x - (27 if here.wide else 22) + 30 * number, y - 24)


def faces(canvas: Canvas, seen_here: PlaceView, here: Stand, above: int) -> None:
    """In a crop the viewer's own blocks above their plate, in rows."""
    for number, face in enumerate(reversed(seen_here.faces or ())):
        row, column = divmod(number, FACES_IN_ROW)
        in_row = min(FACES_IN_ROW, len(seen_here.faces or ()) - row * FACES_IN_ROW)
        x = here.x - 46 * (in_row - 1) / 2 + 46 * column
        canvas.centre(block(face, 40), x, here.box[1] - 27 - above - 48 * row)


@lru_cache(maxsize=16)
def halo(edge: str, wide: int, tall: int) -> Image.Image:
    """The edge of a place in a preview: `chosen` gold, `target` white."""
    pen = Pen(wide + 12, tall + 12)
    pen.box((0, 0, wide + 12, tall + 12), 20, INK)
    pen.box((3, 3, wide + 9, tall + 9), 17, GOLD if edge == "chosen" else WHITE)
    pen.box((8, 8, wide + 4, tall + 4), 13, INK)
    return pen.sprite()


@lru_cache(maxsize=2)
def ring(edge: str) -> Image.Image:
    """The same round a town without blocks."""
    pen = Pen(52, 52)
    pen.circle(26, 26, 25, INK)
    pen.circle(26, 26, 22, GOLD if edge == "chosen" else WHITE)
    pen.circle(26, 26, 15, INK)
    return pen.sprite()


@lru_cache(maxsize=4)
def ghost(wide: int, tall: int) -> Image.Image:
    """Where something began: dashes of ink on paper."""
    pen = Pen(wide + 10, tall + 10)
    corners = [(5, 5), (wide + 5, 5), (wide + 5, tall + 5), (5, tall + 5), (5, 5)]
    pen.line(corners, PAPER, 7)
    pen.dashes(corners, INK, 4, 12, 8, round_ends=False)
    return pen.sprite()


@lru_cache(maxsize=64)
def badge(word: str, fill: str, ink: str) -> Image.Image:
    """A small pill with a number: how many stayed behind, came, or were lost."""
    style = Type("words", 25)
    length = max(36, round(lines.width(word, style)) + 18)
    pen = Pen(length, 36)
    pen.box((0, 0, length, 36), 18, fill, INK, 2.5)
    image = pen.sprite()
    lines.write_centred(image, length / 2, 18, word, style, ink)
    return image


# -- what a panel asks --------------------------------------------------------------------------


def edged(scene: Scene) -> dict[str, str]:
    """How places are edged: `chosen` or `target`."""
    edges: dict[str, str] = {}
    if scene.prompt is not None:
        edges.update({place: "target" for choice in scene.prompt.choices for place in choice.marks})
    edges.update({place: "chosen" for choice in scene.picked for place in choice.marks})
    action = previewed(scene)
    if isinstance(action, March):
        edges.update({action.origin: "chosen", **{leg.path[-1]: "chosen" for leg in action.legs}})
    elif isinstance(action, Muster) or (isinstance(action, Retreat) and action.to):
        edges[str(action.to)] = "chosen"
    elif isinstance(action, Combat):
        edges[action.at] = "chosen"
    return edges


def previewed(scene: Scene) -> Action | None:
    """The action to confirm, None where there is none or it names what does not exist."""
    if not scene.action:
        return None
    try:
        action = parse(scene.action)
    except RulesError:
        return None
    named: list[str | None] = []
    if isinstance(action, March):
        named = [place for leg in action.legs for place in (leg.origin, *leg.path, *(leg.drop or {}))]
    elif isinstance(action, Muster | Retreat):
        named = [action.to]
    elif isinstance(action, Combat):
        named = [action.at]
    return None if any(place is not None and place not in AT for place in named) else action


def preview(field: Field, scene: Scene) -> None:
    """The ways of the march or retreat to confirm, in gold, below the pieces."""
    action, view = previewed(scene), view_of(scene)
    if isinstance(action, March):
        for leg in action.legs:
            field_arrow(field, view, [leg.origin, *leg.path], GOLD)
    elif isinstance(action, Retreat) and action.to is not None and view.battle is not None:
        field_arrow(field, view, [view.battle.at, action.to], GOLD)


def preview_marks(field: Field, scene: Scene) -> None:
    """Over the pieces how many blocks the action to confirm leaves on the way and brings to its end."""
    action, view = previewed(scene), view_of(scene)
    if isinstance(action, March):
        for place, count in arriving(action).items():
            mark(field, view, place, f"+{count}", GOLD, INK)
    elif isinstance(action, Muster):
        mark(field, view, action.to, f"+{len(action.blocks)}", GOLD, INK)


def arriving(march: March) -> Counter[str]:
    """How many blocks of a march end where."""
    ends: Counter[str] = Counter()
    for leg in march.legs:
        drops = {place: len(faces) for place, faces in (leg.drop or {}).items()}
        ends.update(drops)
        ends[leg.path[-1]] += len(leg.blocks) - sum(drops.values())
        if leg is not march:
            ends[leg.origin] -= len(leg.blocks)
    return +ends


# -- what happened ------------------------------------------------------------------------------


def marches(field: Field, scene: Scene) -> None:
    """The ways of the last marches and retreats: a paper band on ink along the roads, below the pieces."""
    view = view_of(scene)
    for event in travels(scene.events):
        stops = [str(event.params.get("origin", event.params.get("at")))]
        stops += [str(p) for p in event.params.get("path", [event.params.get("to")])]
        field_arrow(field, view, stops, PAPER)
        if event.code == "branched":
            continue  # the march left these here: nothing is gone that stood here before
        left, top, right, bottom = field.stand(view, stops[0]).box
        size = round(right - left) + 12, round(bottom - top) + 12
        field.canvas.centre(ghost(*size), (left + right) / 2, (top + bottom) / 2)


def travels(events: tuple[Seen, ...]) -> list[Seen]:
    """The last three marches, with their branches, or retreats."""
    begun = [n for n, e in enumerate(events) if e.code == "marched" or is_retreat(e)]
    since = begun[-3] if len(begun) > 2 else 0
    return [e for e in events[since:] if e.code in ("marched", "branched") or is_retreat(e)]


def is_retreat(event: Seen) -> bool:
    """Whether beaten blocks went from one place to another."""
    return event.code == "retreated" and bool(event.params.get("to"))


def stayed(events: Sequence[Seen]) -> Counter[str]:
    """How many blocks these marches left where, less those that have branched on."""
    left: Counter[str] = Counter()
    for event in events:
        left.update({str(place): int(n) for place, n in dict(event.params.get("drop", {})).items()})
        if event.code == "branched":
            left[str(event.params["origin"])] -= int(event.params["n"])
    return +left


def field_arrow(field: Field, view: SekigaharaView, stops: list[str], fill: str) -> None:
    """An arrow along the roads, stopping short of what stands at the end."""
    line = in_sight(field.way(stops), [field.stand(view, place).box for place in stops])
    left, top, right, bottom = field.stand(view, stops[-1]).box
    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))
    end = length
    while end > length * 0.4:
        x, y = between(line, 0, end)[-1]
        if not (left - GAP < x < right + GAP and top - GAP < y < bottom + GAP):
            break
        end -= 3
    marks.arrow(field.canvas, between(line, 0, end), fill, INK, 13, 3)


def in_sight(line: list[Point], boxes: Sequence[Box]) -> list[Point]:
    """The line; where pieces cover nearly all of it, the same line beside them, rather above than below."""
    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))
    points = [between(line, 0, at)[-1] for at in range(STRIDE, max(round(length), STRIDE + 1), STRIDE)]
    bare = [
        (x, y) for x, y in points if not any(box[0] < x < box[2] and box[1] < y < box[3] for box in boxes)
    ]
    if len(bare) * STRIDE >= IN_SIGHT:
        return line
    (x0, y0), (x1, y1) = line[0], line[-1]
    far = max(hypot(x1 - x0, y1 - y0), 1.0)
    across, up = (y1 - y0) / far, (x0 - x1) / far
    if up > 0:
        across, up = -across, -up
    aside = BESIDE + max(
        abs(across) * (right - left) / 2 + abs(up) * (bottom - top) / 2 for left, top, right, bottom in boxes
    )
    return [(x + across * aside, y + up * aside) for x, y in line]


def results(field: Field, scene: Scene) -> None:
    """Over the pieces: how many stayed behind on a march, came to the map, or were lost."""
    view = view_of(scene)
    for place, count in stayed(travels(scene.events)).items():
        mark(field, view, place, f"+{count}", PAPER, INK)
    for event in scene.events:
        if event.code in ("mustered", "mustered-shown", "mori-joined"):
            place = str(event.params.get("to", event.params.get("at")))
            mark(field, view, place, f"+{event.params['n']}", PAPER, INK)
    lost: Counter[str] = Counter()
    for event in scene.events:
        if event.code in ("overrun", "lost"):
            lost[str(event.params["at"])] += int(event.params["n"])
    for place, count in lost.items():
        mark(field, view, place, f"−{count}", SHU_DARK, PAPER)


def mark(field: Field, view: SekigaharaView, place: str, word: str, fill: str, ink: str) -> None:
    """A number on the upper right corner of a place."""
    if field.window.shows(AT[place]):
        here = field.stand(view, place)
        field.canvas.centre(badge(word, fill, ink), min(here.box[2] + 4, WIDTH - 30), here.box[1] - 2)
