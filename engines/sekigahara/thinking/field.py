"""The map in a light form that marches are tried on: own faces, the enemy's counts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from engines.sekigahara.data import (
    CAPITALS,
    CASTLES,
    DISK_AT,
    HIGHWAYS,
    NEIGHBOURS,
    OTHER,
    PLACES,
    RESOURCES,
    Segment,
    Side,
    segment,
)
from engines.sekigahara.model import SekigaharaView
from engines.sekigahara.reach import OVERRUN, allowance

GOODS = frozenset(RESOURCES)
FAR = 99


class Road(NamedTuple):
    """A step from a place."""

    to: str
    segment: Segment
    highway: bool


ROADS: dict[str, tuple[Road, ...]] = {
    here: tuple(
        Road(near, road, road in HIGHWAYS) for near in NEIGHBOURS[here] if (road := segment(here, near))
    )
    for here in PLACES
}


class Stack(NamedTuple):
    """A march: who goes, by which way, with what it needs; `beaten` where it overruns."""

    origin: str
    blocks: tuple[str, ...]
    path: tuple[str, ...]
    leader: bool
    force: bool
    beaten: tuple[str, ...]


class Field:
    """What stands where, for `side`. Copied for each march that is tried."""

    __slots__ = ("beaten", "control", "disks", "holders", "lost", "mine", "side", "theirs", "used")

    def __init__(self, view: SekigaharaView, side: Side) -> None:
        enemy = OTHER[side]
        self.side: Side = side
        self.mine: dict[str, tuple[str, ...]] = {
            place: here.faces for place, here in view.map.items() if here.faces
        }
        self.theirs: dict[str, int] = {
            place: count for place, here in view.map.items() if (count := getattr(here, enemy))
        }
        self.holders: dict[str, Side] = {p: here.holder for p, here in view.map.items() if here.holder}
        self.control: dict[str, Side] = dict(view.control)
        self.disks: frozenset[str] = frozenset(p for p, disk in DISK_AT.items() if disk in view.disks)
        self.used: frozenset[Segment] = frozenset(view.march.segments) if view.march else frozenset()
        self.lost = 0  # of the enemy, overrun on the way
        self.beaten: tuple[str, ...] = ()  # where

    def copy(self) -> Field:
        """The same map, to change."""
        other = object.__new__(Field)
        other.side = self.side
        other.mine = dict(self.mine)
        other.theirs = dict(self.theirs)
        other.holders = dict(self.holders)
        other.control = dict(self.control)
        other.disks, other.used, other.lost, other.beaten = self.disks, self.used, self.lost, self.beaten
        return other

    def has(self, side: Side, place: str) -> bool:
        """Whether a side has units here, disks too."""
        if side == "ishida" and place in self.disks:
            return True
        return bool((self.mine if side == self.side else self.theirs).get(place))

    def castle(self, place: str) -> Side | None:
        """Who controls the castle here (4.3)."""
        if place not in CASTLES:
            return None
        own, enemy = place in self.mine, place in self.theirs
        ishida, tokugawa = (own, enemy) if self.side == "ishida" else (enemy, own)
        ishida = ishida or place in self.disks
        if ishida != tokugawa:
            return "ishida" if ishida else "tokugawa"
        return self.holders.get(place, CASTLES[place]) if ishida else CASTLES[place]

    def overruns(self, place: str, size: int) -> bool:
        """Whether `size` blocks that arrive overrun the enemy here (7.4)."""
        foes = self.theirs.get(place, 0)
        if not foes or len(self.mine.get(place, ())) + size < OVERRUN * foes:
            return False
        return self.castle(place) != OTHER[self.side]

    def put(self, place: str, faces: tuple[str, ...]) -> None:
        """Own blocks come to a place."""
        if place in CASTLES and not self.has(self.side, place) and (holder := self.castle(place)):
            self.holders[place] = holder
        self.mine[place] = tuple(sorted((*self.mine.get(place, ()), *faces)))

    def take(self, place: str, faces: tuple[str, ...]) -> None:
        """Own blocks leave a place."""
        left = list(self.mine[place])
        for face in faces:
            left.remove(face)
        if left:
            self.mine[place] = tuple(left)
        else:
            del self.mine[place]

    def marched(self, stack: Stack) -> Field:
        """The map after a march."""
        after = self.copy()
        after.take(stack.origin, stack.blocks)
        here, side = stack.origin, self.side
        used = set(self.used)
        for place in stack.path:
            road = segment(here, place)
            if road:
                used.add(road)
            if place in stack.beaten and after.overruns(place, len(stack.blocks)):
                after.lost += after.theirs.pop(place)
                after.beaten += (place,)
            if place in GOODS and not after.theirs.get(place):
                after.control[place] = side
            here = place
        after.used = frozenset(used)
        after.put(here, stack.blocks)
        return after

    def mustered(self, place: str, faces: tuple[str, ...]) -> Field:
        """The map after a muster."""
        after = self.copy()
        if after.overruns(place, len(faces)):
            after.lost += after.theirs.pop(place)
            after.beaten += (place,)
        after.put(place, faces)
        if place in GOODS and not after.theirs.get(place):
            after.control[place] = self.side
        return after

    def leads(self, place: str) -> bool:
        """Whether the place itself gives leadership (7.3.4)."""
        if CAPITALS.get(place) == self.side:
            return True
        return CASTLES.get(place) == self.side and self.castle(place) == self.side

    def ways(
        self, origin: str, blocks: tuple[str, ...], *, given: bool, leader: bool, force: bool
    ) -> Iterator[Stack]:
        """Where a stack gets: by destination and what it gains on the way, what spends least.

        given   leadership without showing a leader; leader: one can be shown; force: a card can be spent
        """
        size = len(blocks)
        base = allowance(size, highway=False, leadership=given, force=False)
        reach = base + 1 + (leader and not given) + force
        if reach <= 0:
            return
        found: dict[tuple[str, tuple[str, ...], tuple[str, ...]], tuple[int, Stack]] = {}
        enemy = OTHER[self.side]
        trail: list[tuple[str, tuple[str, ...], tuple[Segment, ...], bool, tuple[str, ...], tuple[str, ...]]]
        trail = [(origin, (), (), True, (), ())]
        while trail:
            here, path, taken, fast, beaten, gains = trail.pop()
            for near, road, highway in ROADS[here]:
                if road in self.used or road in taken:
                    continue
                longer, on = (*path, near), fast and highway
                lacks = len(longer) - base - on
                if lacks > (leader and not given) + force:
                    continue
                show = lacks > 0 and leader and not given
                push = lacks - show > 0
                foes = self.theirs.get(near, 0)
                runs = bool(foes) and self.overruns(near, size)
                fell = (*beaten, near) if runs else beaten
                won = gains
                if near in GOODS and self.control.get(near) != self.side and (runs or not foes):
                    won = (*gains, near)
                if near != origin:
                    key = (near, tuple(sorted(won)), tuple(sorted(fell)))
                    cost = 2 * push + show
                    if key not in found or cost < found[key][0]:
                        found[key] = (cost, Stack(origin, blocks, longer, show, push, fell))
                stops = (foes and not runs) or (near in self.disks and enemy == "ishida")
                if not stops and len(longer) < reach:
                    trail.append((near, longer, (*taken, road), on, fell, won))
        for _, stack in found.values():
            yield stack


@cache
def efforts(start: str) -> dict[str, int]:
    """What it takes to get from a place to each other one: steps, one less where all are on highways."""
    found = dict.fromkeys(PLACES, FAR)
    for fast in (True, False):
        steps, ring = {start: 0}, [start]
        for here in ring:
            for near, _, highway in ROADS[here]:
                if near not in steps and (highway or not fast):
                    steps[near] = steps[here] + 1
                    ring.append(near)
        for place, count in steps.items():
            found[place] = min(found[place], count - fast if place != start else 0)
    return found


@cache
def around(place: str, most: int) -> tuple[tuple[str, int], ...]:
    """Places from which this one is reached with at most so much effort, nearest first."""
    far = efforts(place)
    return tuple(
        sorted(((p, far[p]) for p in PLACES if p != place and far[p] <= most), key=lambda pair: pair[1])
    )
