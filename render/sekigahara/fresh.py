"""What is new on the board since the viewer last looked: from two of his own views, no events needed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from engines.sekigahara.data import CASTLES, PLACES, RESOURCES, SIDES, Side
from engines.sekigahara.model import SekigaharaView
from render.scene import Scene, once
from render.sekigahara.words import say
from render.words import joined

COUNTS = ("points", "hands", "boxes", "bags")


@dataclass(frozen=True)
class Fresh:
    """What differs.

    stacks   (place, side) -> how many blocks more or fewer
    castles, resources  place -> who has it now
    counts   (points | hands | boxes | bags | lost, side) -> how many more or fewer
    """

    stacks: dict[tuple[str, Side], int] = field(default_factory=dict)
    castles: dict[str, Side] = field(default_factory=dict)
    resources: dict[str, Side] = field(default_factory=dict)
    counts: dict[tuple[str, Side], int] = field(default_factory=dict)

    @cached_property
    def places(self) -> frozenset[str]:
        """Where stacks changed."""
        return frozenset(place for place, _ in self.stacks)

    def __bool__(self) -> bool:
        return bool(self.stacks or self.castles or self.resources or self.counts)


NOTHING = Fresh()


@once
def fresh(scene: Scene) -> Fresh:
    """What differs between `scene.since` and the view; nothing without one."""
    old, new = scene.since, scene.view
    if not isinstance(old, SekigaharaView) or not isinstance(new, SekigaharaView):
        return NOTHING
    stacks = {
        (place, side): getattr(new.map[place], side) - getattr(old.map[place], side)
        for place in PLACES
        for side in SIDES
        if getattr(new.map[place], side) != getattr(old.map[place], side)
    }
    castles = {
        place: holder
        for place in CASTLES
        if (holder := new.map[place].holder) is not None and holder != old.map[place].holder
    }
    resources = {
        place: side
        for place in RESOURCES
        if (side := new.control.get(place)) is not None and side != old.control.get(place)
    }
    counts = {
        (name, side): getattr(new, name)[side] - getattr(old, name)[side]
        for name in COUNTS
        for side in SIDES
        if getattr(new, name)[side] != getattr(old, name)[side]
    }
    for side in SIDES:
        lost = len(new.lost.get(side, ())) - len(old.lost.get(side, ()))
        if lost:
            counts["lost", side] = lost
    return Fresh(stacks, castles, resources, counts)


def changes(scene: Scene) -> str:
    """The same in words."""
    new = fresh(scene)
    lines: list[str] = []
    for side in SIDES:
        moved = [
            say(scene, "changes.stack", at=place, by=f"+{n}" if n > 0 else f"−{-n}")
            for (place, whose), n in new.stacks.items()
            if whose == side
        ]
        if moved:
            lines.append(say(scene, "changes.stacks", side=side, places=moved))
        castles = [place for place, holder in new.castles.items() if holder == side]
        resources = [place for place, holder in new.resources.items() if holder == side]
        if castles:
            lines.append(say(scene, "changes.castles", side=side, places=castles))
        if resources:
            lines.append(say(scene, "changes.resources", side=side, places=resources))
        lost, cards = new.counts.get(("lost", side), 0), new.counts.get(("hands", side), 0)
        if lost > 0:
            lines.append(say(scene, "changes.lost", side=side, n=lost))
        if cards:
            lines.append(
                say(
                    scene,
                    "changes.cards-more" if cards > 0 else "changes.cards-fewer",
                    side=side,
                    n=abs(cards),
                )
            )
        points = new.counts.get(("points", side), 0)
        if points:
            now = scene.view.points[side] if isinstance(scene.view, SekigaharaView) else 0
            lines.append(say(scene, "changes.points", side=side, n=now, was=now - points))
    return joined(lines)
