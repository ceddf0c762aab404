"""Names, own clans, numbers and results: drawn last, each where nothing else is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import NamedTuple

from PIL import Image

from engines.sekigahara.data import MON, PLACES, RECRUITS
from locales import Words
from render import text as lines
from render.canvas import Box, Pen, Point
from render.emblems import crossed_swords, keep
from render.kept import Lately, kept
from render.place import Place
from render.scene import Scene
from render.sekigahara.arrows import Arrow
from render.sekigahara.field import Field, Stand
from render.sekigahara.geography import AT, Window
from render.sekigahara.map import name_size, name_tag, tag_box
from render.sekigahara.pieces import block, mon
from render.sekigahara.room import Room, Wish, gap
from render.sekigahara.spots import Spots
from render.theme import GOLD, INK, NIGHT, PAPER, SHU, WHITE, Type

CREST = 25
cost_of = itemgetter(2)  # of a spot
EDGE = 9  # how far the edge of a chosen place or a target reaches out
NEAREST = 1
MOST_SPOTS = 192  # labels whose spots are kept, 7 KB each, and as many shapes of them, 14 KB each
MOST_FACES = 10  # blocks that are shown one by one in a part of the map
FAR_OFF, FAR_REACH = 300.0, 420
LED = 44  # how far off a label is when a line leads to it


class Label(NamedTuple):
    """What is drawn, and the wish for where; `turn` is the order of drawing."""

    wish: Wish
    sprite: Image.Image
    turn: int = 0
    owner: Box | None = None  # what it belongs to


class Laid(NamedTuple):
    """A label that has its place."""

    key: str
    box: Box
    clear: bool
    sprite: Image.Image
    owner: Box | None = None


def lay(
    field: Field,
    labels: Sequence[Label],
    arrows: Iterable[Arrow],
    edges: dict[str, str],
    closed: Sequence[Box],
) -> list[Laid]:
    """Every label's place; `closed`: panels that lie on the map."""
    wanted = tuple((label.wish.key, label.wish.wide, label.wish.tall, label.wish.home) for label in labels)
    lines_of = tuple(tuple(arrow.points) for arrow in arrows)
    question = field.plan, wanted, lines_of, frozenset(edges), tuple(closed)
    places = _ANSWERS.get(question)
    if places is None:
        room = Room(field.bounds)
        for stand in field.stands.values():
            for left, top, right, bottom in stand.boxes:
                out = EDGE if stand.place in edges else 0
                room.take((left - out, top - out, right + out, bottom + out))
        for box in closed:
            room.take(box)
        for line in lines_of:
            room.line(line, 9 * field.k)
        places = room.settle([label.wish for label in labels])
        _ANSWERS.put(question, places)
    found = []
    for label in sorted(labels, key=lambda label: label.turn):
        wish = label.wish
        (x, y), clear = places[wish.key]
        box = x - wish.wide / 2, y - wish.tall / 2, x + wish.wide / 2, y + wish.tall / 2
        found.append(Laid(wish.key, box, clear, label.sprite, label.owner))
    return found


_ANSWERS: Lately[Hashable, dict[str, tuple[Point, bool]]] = Lately(16)


def draw(field: Field, laid: Sequence[Laid]) -> None:
    """Put the labels on, with a line to those that lie far from what they belong to."""
    for one in laid:
        if one.owner is not None and gap(one.box, one.owner) > LED:
            lead(field, one.box, one.owner)
    for one in laid:
        left, top, right, bottom = one.box
        field.canvas.centre(one.sprite, (left + right) / 2, (top + bottom) / 2)


RINGS = (0.0, 6.0, 16.0, 32.0, 56.0, 84.0)
PARTS, FEW_PARTS = (0.0, 0.14, 0.28, 0.42, 0.57, 0.71, 0.85, 1.0), (0.0, 0.33, 0.66, 1.0)


def lead(field: Field, box: Box, owner: Box) -> None:
    """A line from a label to its place."""
    points = [((b[0] + b[2]) / 2, (b[1] + b[3]) / 2) for b in (box, owner)]
    end = min(max(points[0][0], owner[0]), owner[2]), min(max(points[0][1], owner[1]), owner[3])
    start = min(max(end[0], box[0]), box[2]), min(max(end[1], box[1]), box[3])
    xs, ys = (start[0], end[0]), (start[1], end[1])
    pen = field.canvas.pen((min(xs) - 5, min(ys) - 5, max(xs) + 5, max(ys) + 5))
    pen.line([start, end], INK, 6.5)
    pen.line([start, end], WHITE, 3)
    field.canvas.draw(pen)


@lru_cache(maxsize=MOST_SPOTS)
def spots(middle: Point, box: Box, wide: float, tall: float, first: tuple[Point, ...] = ()) -> Spots:
    """A label's places, the best first: those of `first`, then round the box, nearer to `middle` better."""
    left, top, right, bottom = box
    x, y = (left + right) / 2, (top + bottom) / 2
    near = tuple((snapped(at - x), snapped(up - y)) for at, up in (middle, *first))
    half = snapped((right - left) / 2), snapped((bottom - top) / 2)
    return spots_round(near[0], half, wide, tall, near[1:]).moved(x, y, wide, tall)


def snapped(way: float) -> float:
    """The same where it is a whole part of a pixel; what differs by rounding is one."""
    return round(way * 4096) / 4096


@lru_cache(maxsize=MOST_SPOTS)
def spots_round(
    middle: Point, half: tuple[float, float], wide: float, tall: float, first: tuple[Point, ...]
) -> Spots:
    """The same, counted from the middle of a box of twice this size: alike wherever on a map it lies.

    In rings: below, above, at its sides, at its corners.
    """
    (to_x, to_y), (across, down) = middle, half
    most = across + wide / 2
    many, some = (
        [
            (dx, abs(dx - to_x))
            for dx in dict.fromkeys(sign * part * most for part in parts for sign in (1, -1))
        ]
        for parts in (PARTS, FEW_PARTS)
    )
    beside = [(dy, abs(dy - to_y)) for dy in (0.0, 12.0, -12.0, 26.0, -26.0)]
    found = {point: float(number) for number, point in enumerate(first)}
    add = found.setdefault
    for more in RINGS:
        worse = more * 0.8
        low, east = down + tall / 2 + NEAREST + more, across + wide / 2 + NEAREST + more
        for px, off in many if more <= 6 else some:
            add((px, low), 5 + (off + abs(low - to_y)) / 7 + worse)
            add((px, -low), 5 + (off + abs(low + to_y)) / 7 + worse)
        for py, off in beside:
            add((east, py), 5 + (abs(east - to_x) + off) / 7 + worse)
            add((-east, py), 5 + (abs(east + to_x) + off) / 7 + worse)
    return Spots(sorted([(x, y, cost) for (x, y), cost in found.items()], key=cost_of), wide, tall)


def far_spots(home: Point, wide: float, tall: float) -> Spots:
    """Where a label may still go when nothing near is free; a line then leads to it."""
    return far_off().moved(round(home[0]), round(home[1]), wide, tall)


@cache
def far_off() -> Spots:
    """The same from where a label belongs, the nearest first."""
    found = [
        (dx, dy, FAR_OFF + abs(dx) + abs(dy))
        for dx in range(-FAR_REACH, FAR_REACH + 1, 28)
        for dy in range(-FAR_REACH, FAR_REACH + 1, 18)
    ]
    return Spots(sorted(found, key=cost_of), 0, 0)


def wish_of(
    field: Field,
    stand: Stand,
    key: str,
    size: tuple[float, float],
    box: Box,
    first: tuple[Point, ...],
    *,
    homes: bool,
) -> Wish:
    """A label of a place: where it belongs, or anywhere round it."""

    own, near = stand.box, field.plan.near[stand.place]

    def more() -> Spots:
        return spots(first[0], box, *size, first)

    def far() -> Spots:
        return far_spots(first[0], *size)

    def unsure(at: Box) -> bool:
        return doubtful(at, own, near)

    return Wish(key, *size, (*first[0], 0.0), more, far=far, homes=homes, doubtful=unsure)


def doubtful(box: Box, own: Box, near: Sequence[Box]) -> bool:
    """Whether a label lies as near to another place as to its own."""
    left, top, right, bottom = box
    x0, y0, x1, y1 = own
    mine = 2.0
    if x0 > right:
        mine += x0 - right
    elif left > x1:
        mine += left - x1
    if y0 > bottom:
        mine += y0 - bottom
    elif top > y1:
        mine += top - y1
    for x0, y0, x1, y1 in near:
        # as far across alone as its own, or farther: nothing more to work out
        across = x0 - right if x0 > right else left - x1 if left > x1 else 0.0
        if across < mine and across + (y0 - bottom if y0 > bottom else top - y1 if top > y1 else 0.0) < mine:
            return True
    return False


def reach(stand: Stand, edges: dict[str, str]) -> Box:
    """What a label of a place has to keep out of: its plate with all that looks out over it."""
    left, top, right, bottom = stand.whole
    out = EDGE if stand.place in edges else 0
    return left - out, top - out, right + out, bottom + out


def names(field: Field, scene: Scene, edges: dict[str, str]) -> list[Label]:
    """The names of all places in sight."""
    found = []
    for place, (name, size, (x, y)) in signposts(scene.words, field.window).items():
        stand, home = field.stands[place], (x, y + field.top)
        wish = wish_of(field, stand, f"name {place}", size, reach(stand, edges), (home,), homes=True)
        found.append(Label(wish, name_tag(name, RECRUITS[place], field.k), 2, stand.box))
    return found


@lru_cache(maxsize=16)
def signposts(words: Words, window: Window) -> Mapping[str, tuple[str, tuple[float, float], Point]]:
    """Of each place in a window its name, how large that is, and the middle of where it belongs."""
    found = {}
    for place in PLACES:
        if window.shows(AT[place]):
            left, top, right, bottom = tag_box(words, place, window)
            home = (left + right) / 2, (top + bottom) / 2
            size = name_size(words, place, window.pieces)
            found[place] = words.term("sekigahara", place), size, home
    return found


def clans(field: Field, scene: Scene, edges: dict[str, str]) -> list[Label]:
    """At each plate the viewer's own clans, each with its number; in a part of the map the blocks."""
    found = []
    for place, stand in field.stands.items():
        faces = field.view.map[place].faces
        if not faces:
            continue
        if field.window.zoom == 1 or len(faces) > MOST_FACES:
            counted = tuple(Counter(MON[face] for face in faces).items())
            image = clan_tag(counted)
        else:
            image = face_rows(faces, field.k)
        size = float(image.width), float(image.height)
        box = reach(stand, edges)
        home = stand.x, box[1] - size[1] / 2 - NEAREST
        wish = wish_of(field, stand, f"clans {place}", size, box, (home,), homes=True)
        found.append(Label(wish, image, 1, stand.box))
    return found


@kept
def clan_tag(counted: tuple[tuple[str, int], ...]) -> Image.Image:
    """Crests with numbers on night: what only the viewer knows."""
    style = Type("words", 26)
    wide = [CREST + 4 + (lines.width(str(n), style) + 3 if n > 1 else 0) for _, n in counted]
    rows = 1 if len(counted) < 4 else 2
    per = -(-len(counted) // rows)
    length = max(sum(wide[row * per : (row + 1) * per]) for row in range(rows)) + 14
    pen = Pen(length, 30 * rows + 4)
    pen.box((0, 0, length, 30 * rows + 4), 8, INK)
    pen.box((1.5, 1.5, length - 1.5, 30 * rows + 2.5), 7, NIGHT, GOLD, 2)
    image = pen.sprite()
    for row in range(rows):
        at = 8.0
        for (clan, n), room in list(zip(counted, wide, strict=True))[row * per : (row + 1) * per]:
            image.alpha_composite(mon(clan, CREST, PAPER, NIGHT), (round(at), 5 + 30 * row))
            if n > 1:
                lines.write(image, at + CREST + 3, 27 + 30 * row, str(n), style, PAPER)
            at += room
    return image


@kept
def face_rows(faces: tuple[str, ...], k: float) -> Image.Image:
    """The blocks themselves, in rows."""
    size = round((40 if len(faces) <= 4 else 35 if len(faces) <= 8 else 31) * k)
    per = min(len(faces), 4 if len(faces) <= 8 else 6)
    rows = -(-len(faces) // per)
    wide, tall = (size + 7) * per + 9, (round(size * 1.06) + 7) * rows + 9
    pen = Pen(wide, tall)
    pen.box((0, 0, wide, tall), 9, INK)
    pen.box((1.5, 1.5, wide - 1.5, tall - 1.5), 8, NIGHT, GOLD, 2)
    image = pen.sprite()
    for number, face in enumerate(faces):
        row, column = divmod(number, per)
        at = 6 + (size + 7) * column, 6 + (round(size * 1.06) + 7) * row
        image.alpha_composite(block(face, size), at)
    return image


def badges(
    field: Field, marks: Sequence[tuple[str, str, str, str, str]], edges: dict[str, str]
) -> list[Label]:
    """Numbers at places, each (place, word, fill, ink, sign)."""
    found = []
    for number, (place, word, fill, ink, sign) in enumerate(marks):
        stand = field.stands.get(place)
        if stand is None:
            continue
        image = badge(word, fill, ink, field.k, sign)
        size = float(image.width), float(image.height)
        left, top, right, bottom = box = reach(stand, edges)
        x, y = size[0] / 2, size[1] / 2
        corners = (
            (right - x, top - y - 1),
            (right - x, bottom + y + 1),
            (left + x, top - y - 1),
            (left + x, bottom + y + 1),
            (right + x + 1, (top + bottom) / 2),
            (left - x - 1, (top + bottom) / 2),
        )
        wish = wish_of(field, stand, f"badge {number} {place}", size, box, corners, homes=False)
        found.append(Label(wish, image, 3, stand.box))
    return found


@kept
def badge(word: str, fill: str, ink: str, k: float = 1.0, sign: str = "") -> Image.Image:
    """A small pill with a number, and before it a sign of what happens there: fight, castle, overrun."""
    style = Type("words", round(26 * k))
    room = 30 * k if sign else 0.0
    length = max(36 * k, round(lines.width(word, style)) + 18 * k + room) if word else 40 * k
    pen = Pen(length, 38 * k)
    pen.box((0, 0, length, 38 * k), 19 * k, INK)
    pen.box((1.5, 1.5, length - 1.5, 38 * k - 1.5), 18 * k, WHITE)
    pen.box((3.5, 3.5, length - 3.5, 38 * k - 3.5), 16 * k, fill, INK, 1)
    if sign:
        x = 22 * k if word else length / 2
        SIGNS[sign](Place(pen, x, 19 * k, 23 * k, SHU if sign == "fight" else ink, fill))
    image = pen.sprite()
    if word:
        lines.write_centred(image, (length + room * 0.8) / 2, 19 * k, word, style, ink)
    return image


def chevrons(place: Place) -> None:
    """Overrun: two chevrons onward."""
    for x in (-24, 10):
        place.stroke([(x - 12, -34), (x + 18, 0), (x - 12, 34)], 15)


SIGNS: dict[str, Callable[[Place], None]] = {"fight": crossed_swords, "castle": keep, "overrun": chevrons}
