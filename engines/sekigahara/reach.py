"""Where a stack can march: every location with cost and paths (7.3, 7.4).

Works on counts alone, so it can be asked from a view as well as from a board: the movement panel
and the opponent use it with what their side may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engines.sekigahara.board import Board
from engines.sekigahara.data import (
    CAPITALS,
    CASTLES,
    DISK_AT,
    HIGHWAYS,
    NEIGHBOURS,
    OTHER,
    Segment,
    Side,
    segment,
)
from engines.sekigahara.model import SekigaharaView

LARGEST = 16  # blocks of a stack that can move at all (7.3.5)
OVERRUN = 4  # times the enemy's blocks (7.4)


class Terrain(NamedTuple):
    """What matters to a march of `side`: counts by place, castles, segments used this phase.

    mine, theirs  blocks by place
    disks         places where the enemy has a disk
    castles       castle -> the side that controls it
    used          segments that a stack of this phase has taken
    shown         places whose leader has been shown
    """

    side: Side
    mine: Mapping[str, int]
    theirs: Mapping[str, int]
    disks: frozenset[str]
    castles: Mapping[str, Side]
    used: frozenset[Segment]
    shown: frozenset[str]


class Way(NamedTuple):
    """A path and what it needs: `leadership` and `force` beyond what the place itself gives.

    overruns: places on the path where enemy blocks are overrun.
    """

    path: tuple[str, ...]
    leadership: bool
    force: bool
    overruns: tuple[str, ...]


def terrain_of_board(board: Board, side: Side) -> Terrain:
    """The terrain on a board."""
    enemy = OTHER[side]
    march = board.march
    return Terrain(
        side=side,
        mine={place: len(faces) for place, faces in board.blocks[side].items()},
        theirs={place: len(faces) for place, faces in board.blocks[enemy].items()},
        disks=frozenset(place for place in DISK_AT if board.disk(enemy, place)),
        castles={place: holder for place in CASTLES if (holder := board.castle_side(place))},
        used=frozenset(march.segments) if march else frozenset(),
        shown=frozenset(march.leaders) if march else frozenset(),
    )


def terrain_of_view(view: SekigaharaView, side: Side) -> Terrain:
    """The terrain as a view shows it."""
    enemy = OTHER[side]
    disks = {place for place, disk in DISK_AT.items() if disk in view.disks} if enemy == "ishida" else set()
    march = view.march
    return Terrain(
        side=side,
        mine={place: getattr(here, side) for place, here in view.map.items()},
        theirs={place: getattr(here, enemy) for place, here in view.map.items()},
        disks=frozenset(disks),
        castles={place: here.holder for place, here in view.map.items() if here.holder},
        used=frozenset(march.segments) if march else frozenset(),
        shown=frozenset(march.leaders) if march else frozenset(),
    )


def leads(terrain: Terrain, place: str) -> bool:
    """Whether the place itself gives leadership: own castle, capital, a leader shown (7.3.4)."""
    castle = CASTLES.get(place) == terrain.side and terrain.castles.get(place) == terrain.side
    return castle or CAPITALS.get(place) == terrain.side or place in terrain.shown


def allowance(size: int, *, highway: bool, leadership: bool, force: bool) -> int:
    """Steps that a stack of this size may take (7.3.3, 7.3.5); 0 or less: it cannot move."""
    return 1 + highway + leadership + force - (size - 1) // 4


def only_highways(origin: str, path: tuple[str, ...]) -> bool:
    """Whether every step of the path is on a highway."""
    return all(segment(a, b) in HIGHWAYS for a, b in zip((origin, *path), path, strict=False))


def overruns(terrain: Terrain, place: str, size: int) -> bool:
    """Whether a stack of `size` that arrives here overruns the enemy's blocks (7.4.1, 7.4.3).

    Ruling: no overrun of a castle's side.
    """
    enemies = terrain.theirs.get(place, 0)
    if not enemies or terrain.castles.get(place) == OTHER[terrain.side]:
        return False
    return terrain.mine.get(place, 0) + size >= OVERRUN * enemies


def stops(terrain: Terrain, place: str, size: int) -> bool:
    """Whether a stack of `size` that arrives here has to stop: enemy units that it cannot overrun (7.3.2).

    Ruling: a march stops at disks.
    """
    if place in terrain.disks:
        return True
    return bool(terrain.theirs.get(place)) and not overruns(terrain, place, size)


def ways(
    terrain: Terrain, origin: str, size: int, *, leader: bool, force: bool, either: bool = False
) -> Iterator[Way]:
    """Every path of an undivided stack, with the least it needs.

    leader: whether leadership is to be had at all (the place gives it or a leader can be shown);
    force: whether a card can be spent. Where either would do, leadership is used, or, with `either`,
    both are ways.
    """
    given = leads(terrain, origin)
    wanted = given or leader
    most = allowance(size, highway=True, leadership=wanted, force=force)

    def walk(here: str, path: tuple[str, ...], taken: tuple[Segment, ...], highway: bool) -> Iterator[Way]:
        for near in NEIGHBOURS[here]:
            road = segment(here, near)
            if road is None or road in terrain.used or road in taken:
                continue
            longer, fast = (*path, near), highway and road in HIGHWAYS
            needs = _needs(size, len(longer), fast, given=given, leader=leader, force=force)
            beaten = tuple(place for place in longer if overruns(terrain, place, size)) if needs else ()
            for show, push in needs if either else needs[:1]:
                yield Way(longer, show, push, beaten)
            if len(longer) < most - (not fast) and not stops(terrain, near, size):
                yield from walk(near, longer, (*taken, road), fast)

    if most > 0:
        yield from walk(origin, (), (), True)


def _needs(
    size: int, steps: int, highway: bool, *, given: bool, leader: bool, force: bool
) -> list[tuple[bool, bool]]:
    """What a path of `steps` needs beyond what is given: (a leader, a force march); none where out of reach.

    Nothing, else a leader or a card where either would do, else both.
    """
    for wanted in ([(False, False)], [(True, False), (False, True)], [(True, True)]):
        found = [
            (show, push)
            for show, push in wanted
            if (not show or (leader and not given))
            and (not push or force)
            and steps <= allowance(size, highway=highway, leadership=given or show, force=push)
        ]
        if found:
            return found
    return []


def reach(
    terrain: Terrain, origin: str, size: int, *, leader: bool, force: bool, either: bool = False
) -> dict[str, tuple[Way, ...]]:
    """By destination, the ways of a stack of `size` blocks from `origin`, cheapest first."""
    found: dict[str, list[Way]] = {}
    for way in ways(terrain, origin, size, leader=leader, force=force, either=either):
        found.setdefault(way.path[-1], []).append(way)
    return {place: tuple(sorted(found[place], key=_cost)) for place in sorted(found)}


def _cost(way: Way) -> tuple[bool, bool, int, tuple[str, ...]]:
    return way.force, way.leadership, len(way.path), way.path
