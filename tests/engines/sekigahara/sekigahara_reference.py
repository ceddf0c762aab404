"""Marches by a second program, written from the spec alone on the JSON of positions (7.3, 7.4)."""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass, field
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

    def json(self) -> dict[str, Any]:
        """The action."""
        said = {"type": "march", "from": self.origin, "blocks": self.blocks, "path": self.path}
        more = {"drop": self.drop, "leader": self.leader, "force": self.force}
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
        return self.may_start(march) and self.may_reach(march) and self.walk(march)

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

    def may_reach(self, march: March) -> bool:
        """Roads, each once, and the allowance of every step's own path."""
        phase, origin = self.position["march"], march.origin
        castle = CASTLES.get(origin) == self.side and self.castle(origin) == self.side
        leads = castle or CAPITALS.get(origin) == self.side or march.leader or origin in phase["leaders"]
        used = {frozenset(pair) for pair in phase["segments"]}
        fast = True
        for number, step in enumerate(zip([origin, *march.path], march.path, strict=False), 1):
            road = frozenset(step)
            if road not in ROADS or road in used:
                return False
            used.add(road)
            fast = fast and road in FAST
            slow = (len(march.blocks) + 3) // 4 - 1
            if number > 1 + fast + bool(leads) + bool(march.force) - slow:
                return False
        return True

    def walk(self, march: March) -> bool:
        """Step by step: overruns, control, drops."""
        stack = Counter(march.blocks)
        drop = {place: Counter(faces) for place, faces in march.drop.items()}
        if (march.force and drop) or not set(drop) <= set(march.path[:-1]):
            return False
        self.take(march.origin, stack)
        for place in march.path:
            self.arrive(place, stack.total())
            enemies = bool(self.map[place][self.enemy])
            last = place == march.path[-1]
            stay = stack if last else drop.get(place, Counter())
            if not last and (enemies or self.units(self.enemy, place) or not stay < stack):
                return False
            if place in RESOURCES and not enemies:
                self.control[place] = self.side
            self.map[place][self.side] += list(stay.elements())
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
