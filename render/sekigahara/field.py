"""The map of a picture: where each place and what stands there is drawn, so that no plate hides another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from engines.sekigahara.data import DISK_AT as CASTLE_DISK
from engines.sekigahara.data import PLACES, SIDES, Side
from engines.sekigahara.model import SekigaharaView
from render.canvas import Box, Canvas, Point
from render.sekigahara.geography import AT, Window, kind_of, road
from render.sekigahara.pieces import PLATE_TALL, token_wide
from render.sekigahara.room import gap, meets, overlap
from render.theme import WIDTH

DISK_AT = {disk: castle for castle, disk in CASTLE_DISK.items()}
STEP_UP = 50  # from one token to the one above it
MARKER = 60  # the room of the marker on a plate
Stacks = tuple[tuple[Side, int], ...]
# of a way to draw a stand: its middle, its plate's width, whether it is upright, what it covers
Way = tuple[float, float, float, bool, Box]
Held = tuple[tuple[str, tuple[int, int, bool]], ...]
SHIFTS = (0, 18, -18, 36, -36, 54, -54, 66, -66)
LIFTS = (0, -14, 14, -28, 28)
NEIGHBOUR = 150.0  # pixels between two places whose labels may be mixed up
REACH = 260  # pixels beyond which two plates cannot meet
ROUND = 6  # pixels round a place's pieces that others had better keep off


@dataclass(frozen=True)
class Stand:
    """A place as it is drawn: the middle of its marker's row, the plate's width (0 without one).

    box        what the marker or the plate covers
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
    box: Box
    upright: bool = False
    k: float = 1.0
    disk: bool = False
    fights: bool = False
    besieged: bool = False

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

    @cached_property
    def whole(self) -> Box:
        """What all of it lies within."""
        left, top, right, bottom = zip(*self.boxes, strict=True)
        return min(left), min(top), max(right), max(bottom)

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
        self.near = self._near()

    def _near(self) -> dict[str, list[Box]]:
        """Of each place the pieces of others that its labels may be taken for."""
        found: dict[str, list[Box]] = {place: [] for place in self.stands}
        at = {place: (stand.x, stand.y, stand.box) for place, stand in self.stands.items()}
        for one, other in pairs(self.window):
            x, y, here = at[one]
            to_x, to_y, there = at[other]
            if -REACH < to_y - y < REACH and -REACH < to_x - x < REACH and gap(there, here) < NEIGHBOUR:
                found[one].append(there)
                found[other].append(here)
        return found

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
                stand, others = self.stands[place], self._others(place)
                if hidden(stand.x, stand.y, stand.box, others) > 0:
                    best = self._best(place, others)
                    moved = moved or best != stand
                    self.stands[place] = best
            if not moved:
                return

    def _at(self, place: str) -> Point:
        x, y = self.window.at(AT[place])
        return x, y + self.top

    def _best(self, place: str, others: Sequence[Stand]) -> Stand:
        """The way to draw a place that hides least and is nearest to where it belongs."""
        x, y = self._at(place)
        ways = list(self.ways(place))
        lefts, tops, rights, bottoms = zip(*(way[4] for way in ways), strict=True)
        all_ = min(lefts) - ROUND, min(tops) - ROUND, max(rights) + ROUND, max(bottoms) + ROUND
        others = [stand for stand in others if meets(stand.box, all_)]
        asides = [abs(px - x) + 2 * abs(py - y) + (6 if upright else 0) for px, py, _, upright, _ in ways]
        best, least = len(ways), float("inf")
        for number in sorted(range(len(ways)), key=asides.__getitem__):
            if asides[number] > least:  # what comes is farther off, whatever it hides
                break
            px, py, _, _, box = ways[number]
            cost = hidden(px, py, box, others) * 4 + asides[number]
            if (cost, number) < (least, best):
                best, least = number, cost
        return self._stand(place, ways[best])

    def _others(self, place: str) -> list[Stand]:
        """The pieces of other places that those of this one may meet."""
        return [self.stands[name] for name in beside(self.window)[place]]

    def usual(self, place: str) -> Stand:
        """How a place is drawn where nothing is in its way."""
        return self._stand(place, next(self.ways(place)))

    def _stand(self, place: str, way: Way) -> Stand:
        disk = any(DISK_AT[name] == place for name in self.disks)
        return _stand(place, way, *self._stacks(place), self.k, disk)

    def _stacks(self, place: str) -> tuple[Stacks, bool]:
        """Who stands there with how many, and whether one side is besieged."""
        ishida, tokugawa, shut = self.held.get(place, (0, 0, False))
        return tuple((s, n) for s, n in zip(SIDES, (ishida, tokugawa), strict=True) if n), shut

    def ways(self, place: str) -> Iterator[Way]:
        """How a place might be drawn, as it is best first."""
        k, (stacks, _), (x, y) = self.k, self._stacks(place), self._at(place)
        if not stacks:
            half = (13 if kind_of(place) == "town" else 24) * k
            yield x, y, 0, False, (x - half, y - half, x + half, y + half)
            return
        sizes = [token_wide(n) for _, n in stacks]
        across, up = k * (MARKER + sum(sizes) + 4 * (len(sizes) - 1)), k * (MARKER + max(sizes))
        shapes = [(across, False), (up, True)] if len(stacks) > 1 else [(across, False)]
        tall = PLATE_TALL / 2 * k
        for wide, upright in shapes:
            rise = STEP_UP * k if upright else 0
            least = self.top + tall + rise + 8
            most = self.top + self.window.height - tall - 10
            for lift in (*LIFTS, *((STEP_UP,) if upright else ())):
                for shift in SHIFTS:
                    px = min(max(x + shift * k, wide / 2 + 8), WIDTH - wide / 2 - 8)
                    py = min(max(y + lift * k, least), most)
                    box = px - wide / 2, py - tall - rise, px + wide / 2, py + tall
                    yield px, py, wide, upright, box


def hidden(x: float, y: float, box: Box, others: Iterable[Stand]) -> float:
    """How many pixels of other places' pieces, with some room round each, one with this middle meets."""
    left, top, right, bottom = box[0] - ROUND, box[1] - ROUND, box[2] + ROUND, box[3] + ROUND
    total = 0.0
    for stand in others:
        b = stand.box
        meets = b[0] < right and left < b[2] and b[1] < bottom and top < b[3]
        if meets and abs(stand.x - x) <= REACH and abs(stand.y - y) <= REACH:
            total += overlap(box, (b[0] - ROUND, b[1] - ROUND, b[2] + ROUND, b[3] + ROUND))
    return total


@lru_cache(maxsize=512)
def _stand(place: str, way: Way, stacks: Stacks, shut: bool, k: float, disk: bool) -> Stand:
    """Most stands are as they were in another position."""
    x, y, wide, upright, box = way
    fights = len(stacks) > 1 and not shut
    return Stand(place, x, y, wide, stacks, box, upright, k, disk, fights, bool(stacks) and shut)


@lru_cache(maxsize=64)
def beside(window: Window) -> Mapping[str, tuple[str, ...]]:
    """Of each place in a window those whose pieces may come near to its own, wherever they are moved."""
    seen = [place for place in PLACES if window.shows(AT[place])]
    at = {place: window.at(AT[place]) for place in seen}
    far = REACH + 200 * window.pieces

    def near(one: str, other: str) -> bool:
        (x, y), (ox, oy) = at[one], at[other]
        return one != other and abs(ox - x) < far and abs(oy - y) < far

    return {place: tuple(other for other in seen if near(place, other)) for place in seen}


@lru_cache(maxsize=64)
def pairs(window: Window) -> Sequence[tuple[str, str]]:
    """The same places, each two once."""
    return [(one, other) for one, others in beside(window).items() for other in others if one < other]


@lru_cache(maxsize=16)
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
