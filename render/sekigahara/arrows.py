"""Marches, retreats and previews as arrows along the roads, each march with its number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from math import hypot

from PIL import Image

from engines.protocol import Seen
from engines.sekigahara.data import SIDES, Side
from render import text as lines
from render.canvas import Box, Pen, Piece, Plain, Point, Sparse, between, grown, unit
from render.colour import mix, rgb
from render.kept import kept
from render.marks import arrow_box, arrow_parts, slices
from render.sekigahara.field import Field
from render.sekigahara.pieces import SIDE_FILL, SIDE_INK
from render.sekigahara.room import Wish, meets
from render.sekigahara.spots import Spots
from render.theme import GOLD, INK, WHITE, WIDTH, Type

GAP = 9  # an arrow ends so far from the piece it points at
STRIDE = 4  # pixels between two points of a line that are looked at
IN_SIGHT = 48  # pixels of an arrow that have to be seen
BESIDE = 12  # pixels between pieces and an arrow that runs beside them
OFF = 0.2  # pixels by which an arrow may miss its road
STEP = 63  # from the grey of an arrow's rim to that of the one within
SLICE = 192  # pixels of an arrow that are drawn at a time
DISC = 36  # the size of a march's number
PREVIEW = "preview"


@dataclass(frozen=True)
class Travel:
    """A way that blocks went: its stops, whose it was, its march's number (0: none of several)."""

    stops: tuple[str, ...]
    side: Side
    number: int
    branch: bool = False


def travels(events: Sequence[Seen]) -> list[Travel]:
    """All marches with their branches, and retreats, of these events; numbered where they are several."""
    found: list[Travel] = []
    number = 0
    for event in events:
        if event.code in ("marched", "branched"):
            number += event.code == "marched"
            stops = (str(event.params["origin"]), *(str(place) for place in event.params["path"]))
            side = SIDES[int(event.params.get("seat", 0))]
            found.append(Travel(stops, side, max(number, 1), event.code == "branched"))
        elif is_retreat(event):
            number += 1
            stops = (str(event.params["at"]), str(event.params["to"]))
            found.append(Travel(stops, SIDES[int(event.params.get("seat", 0))], number))
    if number < 2:
        found = [Travel(one.stops, one.side, 0, one.branch) for one in found]
    return found


def is_retreat(event: Seen) -> bool:
    """Whether beaten blocks went from one place to another."""
    return event.code == "retreated" and bool(event.params.get("to"))


def stayed(events: Sequence[Seen]) -> Counter[str]:
    """How many blocks these marches left where, less those that have branched on."""
    left: Counter[str] = Counter()
    for event in events:
        if event.code in ("marched", "branched"):
            left.update({str(place): int(n) for place, n in dict(event.params.get("drop", {})).items()})
        if event.code == "branched":
            left[str(event.params["origin"])] -= int(event.params["n"])
    return +left


class Arrow:
    """An arrow on the map: its line, cut short before what stands at its end."""

    def __init__(self, field: Field, stops: Sequence[str]) -> None:
        boxes = [field.stand(place).box for place in stops]
        line = in_sight(field.way(list(stops)), boxes)
        left, top, right, bottom = boxes[-1]
        ends = list(accumulate(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)))
        end = length = ends[-1] if ends else 0.0
        while end > length * 0.4:
            x, y = between(line, end, end, ends)[-1]
            if not (left - GAP < x < right + GAP and top - GAP < y < bottom + GAP):
                break
            end -= 3
        self.line = between(line, 0, end)
        self.points = sampled(self.line)

    def draw(self, field: Field, style: str) -> None:
        """Put it on: `style` a side, or PREVIEW."""
        points = tuple((round(x, 1), round(y, 1)) for x, y in straightened(self.line))
        left, top, _, _ = arrow_box(points, 36)
        x, y = int(left // 1), int(top // 1)
        shifted = tuple((round(px - x, 1), round(py - y, 1)) for px, py in points)
        west, north, east, south = -x, field.top - y, WIDTH - x, field.top + field.window.height - y
        seen = tuple(
            (max(box[0], west), max(box[1], north), min(box[2], east), min(box[3], south))
            for box in slices(shifted, 36, SLICE)
            if box[0] < east and west < box[2] and box[1] < south and north < box[3]
        )
        field.canvas.paste(sprite(shifted, style, field.k, seen), x, y)

    def wish(self, key: str, field: Field) -> Wish | None:
        """Where its number may lie: on the line, rather in its middle; None if that is out of the picture."""
        size = DISC * field.k
        middle = len(self.points) / 2
        order = sorted(range(len(self.points)), key=lambda n: (abs(n - middle), n))
        on_it = [(*self.points[n], abs(n - middle)) for n in order if field.shows(self.points[n])]
        if not on_it:
            return None
        x, y, _ = on_it[0]

        def far() -> Spots:
            beside = [
                (x + dx, y + dy, 60.0 + abs(dx) + abs(dy))
                for dx in range(-240, 241, 20)
                for dy in range(-240, 241, 20)
            ]
            return Spots(sorted(beside, key=lambda spot: spot[2]), size, size)

        def more() -> Spots:
            return Spots(on_it, size, size)

        return Wish(key, size, size, on_it[0], more, far=far, homes=False, over_lines=True)


def sampled(line: Sequence[Point]) -> list[Point]:
    """Points of a line, some pixels from one to the next."""
    found: list[Point] = []
    over = 0.0
    for (x0, y0), (x1, y1) in pairwise(line):
        length = hypot(x1 - x0, y1 - y0)
        at = over
        while at < length:
            found.append((x0 + (x1 - x0) * at / length, y0 + (y1 - y0) * at / length))
            at += STRIDE
        over = at - length
    return found or [line[0]]


@lru_cache(maxsize=8)
def sprite(points: tuple[Point, ...], style: str, k: float, seen: tuple[Box, ...]) -> Sparse:
    """An arrow in a side's fill with outlines of ink, white and ink; a preview is white with gold dashes.

    Only these parts of it are drawn: most of what it lies in is empty, or out of the picture. It is drawn in
    greys, each a rim within the one before, which costs a fourth of colours: what is reduced of two rims is
    a grey between theirs.
    """
    width = 9 * k
    shaft, barb = arrow_parts(points, 13 * k)
    strokes = [
        (grey, width + 2 * more * k, grown(barb, more * k))
        for number, more in enumerate((7.0, 4.5, 2.0, 0.0), 1)
        for grey in ["#" + 3 * f"{STEP * number:02X}"]
    ]
    bare = [(grey, wide, ()) for grey, wide, _ in strokes]
    head = arrow_box(strokes[0][2], 1)
    colours = tints(WHITE if style == PREVIEW else SIDE_FILL[style])
    parts: list[tuple[Image.Image | Plain, int, int]] = []
    for box in seen:
        left, top, right, bottom = box
        pen = Pen(right - left, bottom - top, (left, top), "L", part=True)
        pen.strokes(in_reach(shaft, box), strokes if meets(box, head) else bare)
        image = pen.sprite()
        image.putpalette(colours, "RGBA")
        image = image.convert("RGBA")
        if style == PREVIEW:
            dashes = Pen(right - left, bottom - top, (left, top), "L", part=True)
            dashes.dashes(shaft, WHITE, width, 14, 8, round_ends=False)
            dashes.polygon(barb, WHITE)
            image.paste(GOLD, (0, 0), dashes.sprite())
        parts += [(half, int(left) + x, int(top) + y) for half, x, y in halves(image)]
    made = Sparse(())
    made.pieces = parts
    return made


@lru_cache(maxsize=4)
def tints(fill: str) -> bytes:
    """What each grey stands for: from nothing to a rim of ink, to one of white, of ink, and to the fill."""
    found = bytearray()
    rims = INK, INK, WHITE, INK, fill, fill
    for grey in range(256):
        rim, part = divmod(grey, STEP)
        colour = mix(rims[rim], rims[min(rim + 1, 5)], part / STEP)
        found += bytes((*rgb(colour), 255 if rim else round(255 * part / STEP)))
    return bytes(found)


def halves(image: Image.Image) -> Iterator[Piece]:
    """What is in an image, cut across its longer side."""
    wide, tall = image.size
    for n in range(2):
        if wide > tall:
            box = wide * n // 2, 0, wide * (n + 1) // 2, tall
        else:
            box = 0, tall * n // 2, wide, tall * (n + 1) // 2
        half = image.crop(box)
        if seen := half.getbbox():
            yield half.crop(seen), box[0] + seen[0], box[1] + seen[1]


def straightened(line: Sequence[Point]) -> list[Point]:
    """The line without points that lie nearly on the way between others."""
    if len(line) < 3:
        return list(line)
    (x0, y0), (x1, y1) = line[0], line[-1]
    dx, dy = unit(x1 - x0, y1 - y0)
    off, at = max((abs((x - x0) * dy - (y - y0) * dx), n) for n, (x, y) in enumerate(line[1:-1], 1))
    if off <= OFF:
        return [line[0], line[-1]]
    return [*straightened(line[: at + 1])[:-1], *straightened(line[at:])]


def in_reach(line: Sequence[Point], box: Box) -> Sequence[Point]:
    """The part of a line of which something may be seen in a box."""
    left, top, right, bottom = box[0] - 36, box[1] - 36, box[2] + 36, box[3] + 36
    near = [
        number
        for number, ((x0, y0), (x1, y1)) in enumerate(pairwise(line))
        if max(x0, x1) >= left and min(x0, x1) <= right and max(y0, y1) >= top and min(y0, y1) <= bottom
    ]
    return line[near[0] : near[-1] + 2] if near else line


@kept
def disc(number: int, style: str, k: float = 1.0) -> Image.Image:
    """A march's number in its side's fill."""
    size = DISC * k
    pen = Pen(size, size)
    fill, ink = (SIDE_FILL[style], SIDE_INK[style]) if style in SIDE_FILL else (GOLD, INK)
    pen.circle(size / 2, size / 2, size / 2, INK)
    pen.circle(size / 2, size / 2, size / 2 - 2 * k, WHITE)
    pen.circle(size / 2, size / 2, size / 2 - 4 * k, fill)
    image = pen.sprite()
    cut = "words" if number < 10 else "narrow"
    lines.write_centred(image, size / 2, size / 2, str(number), Type(cut, round(26 * k)), ink)
    return image


def in_sight(line: list[Point], boxes: Sequence[Box]) -> list[Point]:
    """The line; where pieces cover nearly all of it, the same line beside them, rather above than below."""
    bare = [
        (x, y)
        for x, y in sampled(line)
        if not any(box[0] < x < box[2] and box[1] < y < box[3] for box in boxes)
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
