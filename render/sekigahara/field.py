"""The map of a picture: where each place and what stands there is drawn, so that no plate hides another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from engines.sekigahara.data import DISK_AT as CASTLE_DISK
from engines.sekigahara.data import PLACES, SIDES, Side
from engines.sekigahara.model import SekigaharaView
from render.canvas import Box, Canvas, Point
from render.sekigahara.geography import AT, Window, kind_of, road
from render.sekigahara.pieces import PLATE_TALL, token_wide
from render.sekigahara.room import gap, overlap
from render.theme import WIDTH

DISK_AT = {disk: castle for castle, disk in CASTLE_DISK.items()}
STEP_UP = 50  # from one token to the one above it
MARKER = 60  # the room of the marker on a plate
Stacks = tuple[tuple[Side, int], ...]
Held = tuple[tuple[str, tuple[int, int, bool]], ...]
SHIFTS = (0, 18, -18, 36, -36, 54, -54, 66, -66)
LIFTS = (0, -14, 14, -28, 28)
NEIGHBOUR = 150.0  # pixels between two places whose labels may be mixed up
REACH = 260  # pixels beyond which two plates cannot meet


@dataclass(frozen=True)
class Stand:
    """A place as it is drawn: the middle of its marker's row, the plate's width (0 without one).

    upright    the tokens of both sides one above the other, where side by side they would cover more
    k          how much larger than on the whole map it is drawn
    disk       whether a disk lies on the castle's corner
    fights     whether both sides stand in the open: swords above the marker
    besieged   whether battlements stand over a token
    """

    place: str
    x: float
    y: float
    wide: float
    stacks: Stacks
    upright: bool = False
    k: float = 1.0
    disk: bool = False
    fights: bool = False
    besieged: bool = False

    @cached_property
    def box(self) -> Box:
        """What the marker or the plate covers."""
        if not self.wide:
            half = (13 if kind_of(self.place) == "town" else 24) * self.k
            return self.x - half, self.y - half, self.x + half, self.y + half
        half, tall = self.wide / 2, PLATE_TALL / 2 * self.k
        rise = STEP_UP * self.k if self.upright else 0
        return self.x - half, self.y - tall - rise, self.x + half, self.y + tall

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """All that it covers: the plate, and what looks out over it."""
        return tuple(self._boxes())

    def _boxes(self) -> Iterator[Box]:
        left, top, right, bottom = self.box
        yield left - 2, top - 2, right + 3, bottom + 4
        x, y = self.marker_at
        if self.disk:
            ax, ay = self.disk_at
            yield ax - 18 * self.k, ay - 18 * self.k, ax + 18 * self.k, top + 4
        if self.fights:
            yield x - 23 * self.k, y - 53 * self.k, x + 23 * self.k, y
        if self.besieged:
            yield left, top - 6 * self.k, right, bottom

    @property
    def disk_at(self) -> Point:
        """The middle of a disk."""
        x, y = self.marker_at
        return x - (27 if self.wide else 22) * self.k, y - 24 * self.k

    def token_at(self, number: int) -> Point:
        """The middle of a side's token."""
        before = sum(token_wide(n) + 4 for _, n in self.stacks[:number]) if not self.upright else 0
        own = token_wide(self.stacks[number][1])
        x = self.x - self.wide / 2 + (MARKER - 1 + before + own / 2) * self.k
        return x, self.y - (1 + (STEP_UP * number if self.upright else 0)) * self.k

    @property
    def marker_at(self) -> Point:
        """The middle of the marker."""
        return (self.x - self.wide / 2 + 31 * self.k, self.y) if self.wide else (self.x, self.y)


class Field:
    """The picture's map: on which canvas, which part of it, how far down it begins, and what stands there."""

    def __init__(self, canvas: Canvas, window: Window, top: int, view: SekigaharaView) -> None:
        self.canvas, self.window, self.top, self.view = canvas, window, top, view
        self.k = window.pieces
        self.plan = _plan(window, top, held_of(view), tuple(view.disks))
        self.stands: Mapping[str, Stand] = self.plan.stands

    @property
    def bounds(self) -> Box:
        """The map's part of the picture."""
        return 4, self.top + 4, WIDTH - 4, self.top + self.window.height - 4

    def at(self, place: str) -> Point:
        """The middle of a place in the picture."""
        x, y = self.window.at(AT[place])
        return x, y + self.top

    def shows(self, point: Point) -> bool:
        """Whether a point of the picture lies well within the map."""
        left, top, right, bottom = self.bounds
        return left + 24 < point[0] < right - 24 and top + 24 < point[1] < bottom - 24

    def way(self, stops: list[str]) -> list[Point]:
        """The line along the roads from one place to the next."""
        points = [p for one, other in pairwise(stops) for p in road(one, other) or (AT[one], AT[other])]
        return [(x, y + self.top) for x, y in self.window.line(points)]

    def stand(self, place: str) -> Stand:
        """How a place is drawn; one outside of the window too, where a march may come from."""
        return self.stands.get(place) or self.plan.usual(place)


class Plan:
    """Works out how the places of a window are drawn."""

    def __init__(self, window: Window, top: int, held: Held, disks: tuple[str, ...]) -> None:
        self.window, self.top, self.held, self.disks = window, top, dict(held), disks
        self.k = window.pieces
        self.stands: dict[str, Stand] = {}
        self._spread()
        self.near = {place: self._near(stand) for place, stand in self.stands.items()}

    def _near(self, stand: Stand) -> tuple[Box, ...]:
        """The pieces of other places that labels of this one may be taken for."""
        x, y, box = stand.x, stand.y, stand.box
        return tuple(
            other.box
            for other in self.stands.values()
            if -REACH < other.x - x < REACH
            and -REACH < other.y - y < REACH
            and other is not stand
            and gap(other.box, box) < NEIGHBOUR
        )

    def _spread(self) -> None:
        """All stands; plates that hide others are moved aside, those of both sides first."""
        self.stands = {p: self.usual(p) for p in PLACES if self.window.shows(AT[p])}
        plates = sorted(
            (place for place, stand in self.stands.items() if stand.wide),
            key=lambda place: (-len(self.stands[place].stacks), place),
        )
        for _ in range(3):
            moved = False
            for place in plates:
                stand = self.stands[place]
                if hidden(stand.x, stand.y, stand.box, self._others(place)) > 0:
                    best = self._best(place)
                    moved = moved or best != stand
                    self.stands[place] = best
            if not moved:
                return

    def _at(self, place: str) -> Point:
        x, y = self.window.at(AT[place])
        return x, y + self.top

    def _best(self, place: str) -> Stand:
        """The way to draw a place that hides least and is nearest to where it belongs."""
        (x, y), others = self._at(place), self._others(place)

        def cost(stand: Stand) -> float:
            aside = abs(stand.x - x) + 2 * abs(stand.y - y) + (6 if stand.upright else 0)
            return hidden(stand.x, stand.y, stand.box, others) * 4 + aside

        return min(self.ways(place), key=cost)

    def _others(self, place: str) -> list[tuple[float, float, Box]]:
        """The pieces of other places that those of this one may meet, each with some room around it."""
        x, y = self._at(place)
        far = REACH + 200 * self.k
        return [
            (other.x, other.y, (box[0] - 6, box[1] - 6, box[2] + 6, box[3] + 6))
            for name, other in self.stands.items()
            if name != place and -far < other.x - x < far and -far < other.y - y < far
            for box in (other.box,)
        ]

    def usual(self, place: str) -> Stand:
        """How a place is drawn where nothing is in its way."""
        return next(self.ways(place))

    def ways(self, place: str) -> Iterator[Stand]:
        """How a place might be drawn, as it is best first."""
        k = self.k
        ishida, tokugawa, shut = self.held.get(place, (0, 0, False))
        stacks: Stacks = tuple((s, n) for s, n in zip(SIDES, (ishida, tokugawa), strict=True) if n)
        x, y = self._at(place)
        disk = any(DISK_AT[name] == place for name in self.disks)
        if not stacks:
            yield Stand(place, x, y, 0, stacks, k=k, disk=disk)
            return
        fights = len(stacks) > 1 and not shut
        sizes = [token_wide(n) for _, n in stacks]
        across, up = k * (MARKER + sum(sizes) + 4 * (len(sizes) - 1)), k * (MARKER + max(sizes))
        shapes = [(across, False), (up, True)] if len(stacks) > 1 else [(across, False)]
        for wide, upright in shapes:
            rise = STEP_UP * k if upright else 0
            least = self.top + PLATE_TALL / 2 * k + rise + 8
            most = self.top + self.window.height - PLATE_TALL / 2 * k - 10
            for lift in (*LIFTS, *((STEP_UP,) if upright else ())):
                for shift in SHIFTS:
                    px = min(max(x + shift * k, wide / 2 + 8), WIDTH - wide / 2 - 8)
                    py = min(max(y + lift * k, least), most)
                    yield Stand(place, px, py, wide, stacks, upright, k, disk, fights, shut)


def hidden(x: float, y: float, box: Box, others: Iterable[tuple[float, float, Box]]) -> float:
    """How many pixels of other places' pieces one with this middle meets."""
    left, top, right, bottom = box
    total = 0.0
    for ox, oy, other in others:
        meets = other[0] < right and left < other[2] and other[1] < bottom and top < other[3]
        if meets and abs(ox - x) <= REACH and abs(oy - y) <= REACH:
            total += overlap(box, other)
    return total


@lru_cache(maxsize=64)
def _plan(window: Window, top: int, held: Held, disks: tuple[str, ...]) -> Plan:
    """The same for the pictures of all viewers of a position."""
    return Plan(window, top, held, disks)


def held_of(view: SekigaharaView) -> Held:
    """Where blocks stand: Ishida's, Tokugawa's, whether one side is besieged."""
    return tuple(
        (place, (here.ishida, here.tokugawa, here.besieged))
        for place, here in view.map.items()
        if here.ishida or here.tokugawa
    )
