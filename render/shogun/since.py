"""What is new in Shogun since the viewer last looked: for the marks of the map, and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from engines.protocol import Seat
from engines.shogun.data import BUILDINGS, PROVINCES
from engines.shogun.model import Province, ShogunView
from render.scene import Scene
from render.shogun.words import say, view_of
from render.words import joined, shorten

MOST_CHANGES = 900  # characters
NONE = frozenset[str]()


class News(NamedTuple):
    """What is new in a province.

    was     the owner it had, where it has another now (or none)
    taken   whether it has another owner
    armies  whether its armies are others
    built   buildings that were not there
    unrest  whether there is more of it
    """

    was: Seat | None = None
    taken: bool = False
    armies: bool = False
    built: frozenset[str] = NONE
    unrest: bool = False

    @property
    def any(self) -> bool:
        """Whether anything is."""
        return self != NOTHING


NOTHING = News()


def before(scene: Scene) -> ShogunView | None:
    """What the viewer saw when he last looked, of a game that goes on."""
    was = cast(ShogunView | None, scene.since)
    return None if was is None or (view_of(scene).phase == "over" and was.phase == "draft") else was


def news(scene: Scene, name: str) -> News:
    """What is new in a province."""
    was, view = before(scene), view_of(scene)
    if was is None or name not in was.provinces or name not in view.provinces:
        return NOTHING
    return between(was.provinces[name], view.provinces[name])


def between(old: Province, now: Province) -> News:
    """What is new from one to the other."""
    if old == now:
        return NOTHING
    return News(
        was=old.owner if old.owner != now.owner else None,
        taken=old.owner != now.owner,
        armies=old.armies != now.armies and now.owner is not None,
        built=frozenset(b for b in BUILDINGS if getattr(now, b) and not getattr(old, b)),
        unrest=now.unrest > old.unrest,
    )


def done_before(scene: Scene) -> int:
    """How many of the season's actions were done when the viewer last looked; 10 where it is not known."""
    was, view = before(scene), view_of(scene)
    if was is None or view.phase != "action":
        return 10
    same = (was.year, was.season) == (view.year, view.season)
    return was.action_index if same and was.phase == "action" else 0


def goods_changed(scene: Scene, seat: Seat) -> dict[str, int]:
    """By how much a seat's chests, rice and points have changed."""
    was, view = before(scene), view_of(scene)
    if was is None or len(was.players) != len(view.players):
        return {}
    pairs = {
        what: getattr(view.players[seat], what) - getattr(was.players[seat], what)
        for what in ("chests", "rice", "points")
    }
    return {what: by for what, by in pairs.items() if by}


# -- in words ---------------------------------------------------------------------------------


def changes(scene: Scene) -> str:
    """What the board marks as new: land, buildings, armies, unrest, goods."""
    lines = [*land(scene), *buildings(scene), *armies(scene), *unrest(scene), *goods(scene)]
    return shorten(joined(lines), MOST_CHANGES)


def found(scene: Scene) -> list[tuple[str, News]]:
    """Every province in which something is new, in the order of the data."""
    every = [(name, news(scene, name)) for name in PROVINCES]
    return [(name, new) for name, new in every if new.any]


def land(scene: Scene) -> Iterator[str]:
    """Who has taken what, and what is neutral now."""
    view = view_of(scene)
    taken: dict[Seat | None, list[str]] = {}
    for name, new in found(scene):
        if new.taken:
            taken.setdefault(view.provinces[name].owner, []).append(name)
    for seat in range(len(view.players)):
        if seat in taken:
            yield say(scene, "changes.taken", seat=seat, provinces=taken[seat])
    if None in taken:
        yield say(scene, "changes.neutral", provinces=taken[None])


def buildings(scene: Scene) -> Iterator[str]:
    """What was built."""
    built = [
        say(scene, "changes.building", building=building, province=name)
        for name, new in found(scene)
        for building in BUILDINGS
        if building in new.built
    ]
    if built:
        yield say(scene, "changes.built", buildings=built)


def armies(scene: Scene) -> Iterator[str]:
    """Where there are more armies, and where fewer, in the same hands."""
    view, was = view_of(scene), before(scene)
    if was is None:
        return
    for way, code in ((1, "more"), (-1, "fewer")):
        counts = []
        for name, new in found(scene):
            by = view.provinces[name].armies - was.provinces[name].armies
            if new.armies and not new.taken and by * way > 0:
                counts.append(say(scene, "changes.count", province=name, by=abs(by)))
        if counts:
            yield say(scene, f"changes.{code}", counts=counts)


def unrest(scene: Scene) -> Iterator[str]:
    """Where there is more unrest."""
    names = [name for name, new in found(scene) if new.unrest]
    if names:
        yield say(scene, "changes.unrest", provinces=names)


def goods(scene: Scene) -> Iterator[str]:
    """Who has more or less of what."""
    for seat in range(len(view_of(scene).players)):
        counts = [
            say(scene, f"changes.{what}", by=f"{'+' if by > 0 else '−'}{abs(by)}")
            for what, by in goods_changed(scene, seat).items()
        ]
        if counts:
            yield say(scene, "changes.goods", seat=seat, counts=counts)
