"""Marches, listed: every one where they are few, else likely ones that continue what was typed.

A list may hold many, so they are written down in a light form (`Plan`) before any becomes an action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from engines.protocol import RulesError
from engines.sekigahara import model, movement, notation
from engines.sekigahara import reach as reaching
from engines.sekigahara.board import Board
from engines.sekigahara.course import Course
from engines.sekigahara.data import LEADERS, PLACES, Side, block_order
from engines.sekigahara.subsets import groups, kinds, numbers_by_size

Faces = tuple[str, ...]


class Twig(NamedTuple):
    """A branch as bare values."""

    origin: str
    blocks: Faces
    path: tuple[str, ...]
    drop: Mapping[str, Faces] | None = None


class Plan(NamedTuple):
    """A march as bare values."""

    origin: str
    blocks: Faces
    path: tuple[str, ...]
    leader: str | None = None
    force: str | None = None
    drop: Mapping[str, Faces] | None = None
    branches: tuple[Twig, ...] | None = None

    def march(self) -> model.March:
        """The action."""
        branches = [model.Branch(**twig._asdict()) for twig in self.branches or ()]
        return model.March(**{**self._asdict(), "branches": branches})

    def text(self) -> str:
        """The action in canonical notation."""
        own = (self.origin, self.blocks, self.path, self.drop)
        return notation.march_text([own, *(self.branches or ())], leader=self.leader, force=self.force)


class Route(NamedTuple):
    """A path for a stack of some size, and with what it can be gone: (a leader, a force march)."""

    path: tuple[str, ...]
    spending: frozenset[tuple[bool, bool]]


def march_origins(board: Board) -> list[str]:
    """Places from which a march may start now."""
    march, here = movement.marching(board), board.blocks[board.active]
    places = [place for place in PLACES if place in here and movement.may_activate(march, place)]
    return [place for place in places if movement.available(board, place)]


def leaders_at(board: Board, side: Side, place: str) -> list[str]:
    """Leaders that can be shown here."""
    return [face for face in block_order(set(board.at(side, place))) if face in LEADERS]


def routes(board: Board, terrain: reaching.Terrain, origin: str, size: int) -> list[Route]:
    """Every path of an undivided stack. One that drops blocks has no more of them."""
    leader, force = bool(leaders_at(board, terrain.side, origin)), bool(board.hands[terrain.side])
    given = reaching.leads(terrain, origin)
    found = []
    for way in reaching.ways(terrain, origin, size, leader=leader, force=force):
        highway = reaching.only_highways(origin, way.path)
        spending = frozenset(
            (show, push)
            for show in (False, True)
            for push in (False, True)
            if len(way.path)
            <= reaching.allowance(size, highway=highway, leadership=given or show, force=push)
        )
        found.append(Route(way.path, spending))
    return found


# -- every march -----------------------------------------------------------------------------


def number(board: Board, side: Side, most: int) -> int:
    """How many marches without drops there are; counting ends beyond `most`."""
    terrain = reaching.terrain_of_board(board, side)
    hand = len(kinds(board.hands[side]))
    total = 0
    for origin in march_origins(board):
        leaders = len(leaders_at(board, side, origin))
        sizes = numbers_by_size(movement.available(board, origin))
        for size in range(1, min(len(sizes) - 1, reaching.LARGEST) + 1):
            for route in routes(board, terrain, origin, size):
                ways = sum((leaders if show else 1) * (hand if push else 1) for show, push in route.spending)
                total += sizes[size] * ways
            if total > most:
                return total
    return total


def every(board: Board, side: Side) -> Iterator[Plan]:
    """Every legal march: groups, paths, drops, leaders and force marches."""
    terrain = reaching.terrain_of_board(board, side)
    hand = kinds(board.hands[side])
    for origin in march_origins(board):
        faces = movement.available(board, origin)
        leaders = leaders_at(board, side, origin)
        sizes = range(1, min(len(faces), reaching.LARGEST) + 1)
        by_size = {size: routes(board, terrain, origin, size) for size in sizes}
        for group in groups(faces, sizes):
            for path, spending in by_size[len(group)]:
                for leader in [None, *leaders]:
                    for force in [None, *hand]:
                        if (leader is not None, force is not None) in spending:
                            plan = Plan(origin, group, path, leader, force)
                            yield plan
                            if not force:
                                for parted in dropping(terrain, plan):
                                    yield parted
                                    yield from branching(parted, after(terrain, parted))


def after(terrain: reaching.Terrain, plan: Plan) -> Course:
    """The march once its own path is done, its branches still to come."""
    leader, force = bool(plan.leader), bool(plan.force)
    course = Course.begin(terrain, plan.origin, plan.blocks, leader=leader, force=force)
    return course.after(plan.origin, plan.blocks, plan.path, plan.drop or {})


def branching(plan: Plan, course: Course) -> Iterator[Plan]:
    """The same march with one more branch or more, in every order in which they may be named."""
    for start, dropped in course.dropped.items():
        if not dropped.blocks or next(course.onward(start, 1), None) is None:
            continue
        sizes = range(1, len(dropped.blocks) + 1)
        paths = {size: list(course.onward(start, size)) for size in sizes}
        for group in groups(dropped.blocks, sizes):
            for path in paths[len(group)]:
                for drop in drops(group, path[:-1]) if len(group) > 1 else ({},):
                    if course.blocked(len(group), path, drop):
                        continue
                    twig = Twig(start, group, path, drop or None)
                    longer = plan._replace(branches=(*(plan.branches or ()), twig))
                    yield longer
                    yield from branching(longer, course.after(start, group, path, drop))


def dropping(terrain: reaching.Terrain, plan: Plan) -> Iterator[Plan]:
    """The same march with every way to drop blocks on the way."""
    before = plan.path[:-1]
    if len(plan.blocks) < 2 or not before:
        return
    for drop in drops(plan.blocks, before):
        if drop and reaches(terrain, plan.blocks, plan.path, drop):
            yield plan._replace(drop=drop)


def drops(blocks: Faces, places: tuple[str, ...]) -> Iterator[dict[str, Faces]]:
    """Every way to leave blocks at these places so that at least one goes on."""
    if not places:
        yield {}
        return
    for stay in groups(blocks, range(len(blocks))):
        rest = list((Counter(blocks) - Counter(stay)).elements())
        for later in drops(tuple(rest), places[1:]):
            yield {places[0]: stay, **later} if stay else later


def reaches(
    terrain: reaching.Terrain, blocks: Faces, path: tuple[str, ...], drop: Mapping[str, Faces]
) -> bool:
    """Whether a stack that gets smaller still overruns what lies on its path."""
    size = len(blocks)
    for place in path[:-1]:
        if reaching.stops(terrain, place, size):
            return False
        size -= len(drop.get(place, ()))
    return True


# -- likely marches --------------------------------------------------------------------------


def simple_marches(board: Board, side: Side, origin: str) -> Iterator[model.March]:
    """Marches from a place without drops that spend only what they need."""
    return (plan.march() for plan in likely(board, side, [origin]))


def likely(board: Board, side: Side, words: list[str]) -> Iterator[Plan]:
    """Marches that spend only what they need and may continue the words, by origin and group, those
    without a force march first; they drop blocks only where drops are typed.
    """
    terrain = reaching.terrain_of_board(board, side)
    drop = typed_drops(words)
    for origin in march_origins(board):
        if not words or origin.startswith(words[0]):
            for plan in likely_from(board, terrain, origin, words[1:]):
                if not drop:
                    yield plan
                elif may_drop(terrain, plan, drop):
                    yield plan._replace(drop=drop)


def likely_from(board: Board, terrain: reaching.Terrain, origin: str, words: list[str]) -> Iterator[Plan]:
    """Likely marches from one place, undivided."""
    leaders, hand = leaders_at(board, terrain.side, origin), kinds(board.hands[terrain.side])
    wanted = likely_groups(movement.available(board, origin), words)
    reached = {
        size: reaching.reach(terrain, origin, size, leader=bool(leaders), force=bool(hand))
        for size in {len(group) for group in wanted}
    }
    for push in (False, True):
        for group in wanted:
            ways = [way for found in reached[len(group)].values() for way in found if way.force == push]
            for way in ways:
                for leader in leaders if way.leadership else [None]:
                    for force in hand if push else [None]:
                        yield Plan(origin, group, way.path, leader, force)


def likely_branches(board: Board, side: Side, words: list[str]) -> Iterator[Plan]:
    """Marches with one branch more than are typed whole, or with several more; none where they are wrong."""
    typed = words[: len(words) - words[::-1].index("/") - 1]
    try:
        march = notation.parse(" ".join(typed))
        if not isinstance(march, model.March):
            return
        course = movement.check_march(board, march)
    except RulesError:  # no march to branch from
        return
    twigs = tuple(Twig(leg.origin, leg.blocks, leg.path, leg.drop) for leg in march.branches or ())
    plan = Plan(
        march.origin, march.blocks, march.path, march.leader, march.force, march.drop, twigs or None
    )  # fmt: skip
    if side == board.active and not march.force:
        yield from branching(plan, course)


def typed_drops(words: list[str]) -> dict[str, Faces]:
    """What is dropped where, as far as it has been typed; the last word may still be on its way."""
    found: dict[str, Faces] = {}
    place = ""
    for number, word in enumerate(words):
        if word == ">":
            place = words[number + 1] if number + 1 < len(words) else ""
        elif word.startswith("-"):
            found[place] = (*found.get(place, ()), word[1:])
    return found


def may_drop(terrain: reaching.Terrain, plan: Plan, drop: Mapping[str, Faces]) -> bool:
    """Whether a march may leave these blocks on its way."""
    gone = Counter(face for faces in drop.values() for face in faces)
    fits = not plan.force and gone <= Counter(plan.blocks) and gone.total() < len(plan.blocks)
    return fits and set(drop) <= set(plan.path[:-1]) and reaches(terrain, plan.blocks, plan.path, drop)


def likely_groups(faces: list[str], words: list[str]) -> list[Faces]:
    """Groups that continue the blocks typed so far: as typed, one more, all, each alone."""
    typed: list[str] = []
    for word in words:
        if word == ">":
            return [tuple(block_order(typed))] if typed and not Counter(typed) - Counter(faces) else []
        if Counter([*typed, word]) <= Counter(faces):
            typed.append(word)
    rest = list((Counter(faces) - Counter(typed)).elements())
    found = [tuple(typed)] if typed else []
    everyone = tuple(block_order(faces))
    if len(everyone) <= reaching.LARGEST:
        found.append(everyone)
    found += [tuple(block_order([*typed, face])) for face in block_order(set(rest))]
    found += [tuple(pair) for pair in combinations(everyone, 2)] if not typed and len(everyone) > 2 else []
    return list(dict.fromkeys(group for group in found if len(group) <= reaching.LARGEST))
