"""Marches by a second program, written from the spec alone on the JSON of positions (7.3, 7.4)."""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from engines.sekigahara.data import CAPITALS, CASTLES, DISKS, HIGHWAYS, OTHER, RESOURCES, SEGMENTS, Side

ROADS = {frozenset(pair) for pair in SEGMENTS}
FAST = {frozenset(pair) for pair in HIGHWAYS}
LIMITS = {"none": 0, "minimal": 1, "limited": 3, "total": 99}
KEYS = {"ishida-leader", "tokugawa-leader"}


@dataclass
class March:
    """What somebody wants to march."""

    origin: str
    blocks: list[str]
    path: list[str]
    drop: dict[str, list[str]] = field(default_factory=dict)
    leader: str | None = None
    force: str | None = None
    branches: list[March] = field(default_factory=list)

    def json(self) -> dict[str, Any]:
        """The action."""
        said = {"type": "march", "from": self.origin, "blocks": self.blocks, "path": self.path}
        more: dict[str, Any] = {"drop": self.drop, "leader": self.leader, "force": self.force}
        more["branches"] = [
            {key: value for key, value in branch.json().items() if key != "type"} for branch in self.branches
        ]
        return {**said, **{key: value for key, value in more.items() if value}}


class Reference:
    """A position in phase `march`, on which one march is tried."""

    def __init__(self, position: dict[str, Any]) -> None:
        self.position = copy.deepcopy(position)
        self.side: Side = position["active"]
        self.enemy: Side = OTHER[self.side]
        self.map = self.position["map"]
        self.control = self.position["control"]
        self.lost: list[str] = []
        self.cards = 0  # that the enemy draws

    def units(self, side: str, place: str) -> bool:
        """Blocks or a disk."""
        return bool(self.map[place][side]) or (side == "ishida" and self.disk(place))

    def disk(self, place: str) -> bool:
        """Whether a disk is here."""
        return any(DISKS[disk] == place for disk in self.position["disks"])

    def castle(self, place: str) -> str | None:
        """Who controls the castle."""
        if place not in CASTLES:
            return None
        there = [side for side in OTHER if self.units(side, place)]
        if len(there) == 2:
            return str(self.map[place]["holder"])
        return there[0] if there else CASTLES[place]

    def march(self, march: March) -> bool:
        """Carries the march out; False (and nothing to be looked at) where it is not allowed."""
        if not self.may_start(march) or (march.force and march.branches):
            return False
        origin, phase = march.origin, self.position["march"]
        castle = CASTLES.get(origin) == self.side and self.castle(origin) == self.side
        leads = castle or CAPITALS.get(origin) == self.side or march.leader or origin in phase["leaders"]
        self.slow = (len(march.blocks) + 3) // 4 - 1
        self.bonus = bool(leads) + bool(march.force) - self.slow
        self.used = {frozenset(pair) for pair in phase["segments"]}
        self.piles: dict[str, tuple[list[str], Counter[str]]] = {}
        if (march.force and march.drop) or not self.leg(march, [origin]):
            return False
        for branch in march.branches:
            way, pile = self.piles.get(branch.origin, ([], Counter()))
            if not branch.blocks or not Counter(branch.blocks) <= pile:
                return False
            self.piles[branch.origin] = (way, pile - Counter(branch.blocks))
            if not self.leg(branch, way):
                return False
        return True

    def leg(self, leg: March, way: list[str]) -> bool:
        """One path, begun after the way that these blocks have come."""
        return self.may_reach(leg, way) and self.walk(leg, way)

    def may_start(self, march: March) -> bool:
        """Activation, the blocks, the leader and the card."""
        phase, here = self.position["march"], self.map[march.origin]
        fresh = march.origin not in phase["activated"]
        used = len(phase["activated"]) + (phase["mustered"] and phase["mode"] != "total")
        besieged = here["besieged"] and self.castle(march.origin) == self.side
        if (fresh and used >= LIMITS[phase["mode"]]) or besieged or not march.blocks:
            return False
        free = Counter(here[self.side]) - Counter(phase["moved"].get(march.origin, []))
        leader = not march.leader or (march.leader.endswith("-leader") and march.leader in here[self.side])
        card = not march.force or march.force in self.position["hands"][self.side]
        return Counter(march.blocks) <= free and leader and card

    def may_reach(self, leg: March, way: list[str]) -> bool:
        """Roads, each once, and the allowance of every step's whole path."""
        fast = all(frozenset(step) in FAST for step in pairwise(way))
        for number, step in enumerate(zip([leg.origin, *leg.path], leg.path, strict=False), len(way)):
            road = frozenset(step)
            if road not in ROADS or road in self.used:
                return False
            self.used.add(road)
            fast = fast and road in FAST
            if number > 1 + fast + self.bonus:
                return False
        return True

    def walk(self, leg: March, way: list[str]) -> bool:
        """Step by step: overruns, control, drops."""
        stack = Counter(leg.blocks)
        drop = {place: Counter(faces) for place, faces in leg.drop.items()}
        if not set(drop) <= set(leg.path[:-1]):
            return False
        self.take(leg.origin, stack)
        for number, place in enumerate(leg.path, 1):
            self.arrive(place, stack.total())
            enemies = bool(self.map[place][self.enemy])
            last = number == len(leg.path)
            stay = stack if last else drop.get(place, Counter())
            if not last and (enemies or self.units(self.enemy, place) or not stay < stack):
                return False
            if place in RESOURCES and not enemies:
                self.control[place] = self.side
            self.map[place][self.side] += list(stay.elements())
            if not last and stay:
                self.piles[place] = ([*way, *leg.path[:number]], stay)
            stack -= stay
        return True

    def take(self, place: str, faces: Counter[str]) -> None:
        """Blocks go."""
        left = Counter(self.map[place][self.side]) - faces
        self.map[place][self.side] = list(left.elements())

    def arrive(self, place: str, size: int) -> None:
        """Who is inside stays inside; an overrun where it is one."""
        here = self.map[place]
        if not self.units(self.side, place):
            here["holder"] = self.castle(place)
        dead = here[self.enemy]
        if dead and self.castle(place) != self.enemy and len(here[self.side]) + size >= 4 * len(dead):
            self.lost += dead
            self.cards += len(dead) // 2
            here[self.enemy] = []

    @property
    def over(self) -> bool:
        """Whether a leader was overrun."""
        return bool(KEYS & set(self.lost))
