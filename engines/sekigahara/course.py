"""A march as it goes on: its own path, then branches of what it dropped, one after the other (7.3.1).

A `Course` is a value that knows what matters to the next path: the terrain as the paths before have
left it, and what was dropped where. Like `reach` it works on places and counts; faces it only passes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engines.sekigahara import reach as reaching
from engines.sekigahara.board import without
from engines.sekigahara.data import NEIGHBOURS, Segment, segment

Faces = tuple[str, ...]
Drops = Mapping[str, Faces]


class Dropped(NamedTuple):
    """Blocks that a path of this march has left, and the places of their own path, from the origin on."""

    trail: tuple[str, ...]
    blocks: Faces


class Course(NamedTuple):
    """A march so far.

    terrain     as the paths before have left it: counts, overrun enemies, segments used
    size        of the whole stack at its start: it alone sets the allowance (7.3.5)
    leadership  whether the origin gives it or a leader is shown (7.3.4)
    dropped     place -> what may go on from there
    """

    terrain: reaching.Terrain
    size: int
    leadership: bool
    force: bool
    dropped: Mapping[str, Dropped]

    @classmethod
    def begin(
        cls, terrain: reaching.Terrain, origin: str, blocks: Sequence[str], *, leader: bool, force: bool
    ) -> Course:
        """Before the first path, when the whole stack stands at its origin."""
        whole = Dropped((origin,), tuple(blocks))
        given = leader or reaching.leads(terrain, origin)
        return cls(terrain, len(blocks), given, force, {origin: whole})

    def steps(self, start: str, path: tuple[str, ...]) -> int:
        """How many more steps blocks may take from here that go this way: their whole path counts."""
        trail = self.dropped[start].trail
        whole = (*trail[1:], *path)
        most = reaching.allowance(
            self.size,
            highway=reaching.only_highways(trail[0], whole),
            leadership=self.leadership,
            force=self.force,
        )
        return most - len(trail) + 1

    def blocked(self, size: int, path: tuple[str, ...], drop: Drops) -> str | None:
        """The first place where `size` blocks, fewer after each drop, have to stop before their path ends."""
        for place in path[:-1]:
            if reaching.stops(self.terrain, place, size):
                return place
            size -= len(drop.get(place, ()))
        return None

    def onward(self, start: str, size: int) -> Iterator[tuple[str, ...]]:
        """Every path on which `size` blocks may go on from here together, in the order of the map."""

        def walk(here: str, path: tuple[str, ...], taken: tuple[Segment, ...]) -> Iterator[tuple[str, ...]]:
            for near in NEIGHBOURS[here]:
                road = segment(here, near)
                if road is None or road in self.terrain.used or road in taken:
                    continue
                longer = (*path, near)
                if len(longer) > self.steps(start, longer):
                    continue  # a longer way by roads has no more steps than this one
                yield longer
                if not reaching.stops(self.terrain, near, size):
                    yield from walk(near, longer, (*taken, road))

        return walk(start, (), ())

    def after(self, start: str, blocks: Faces, path: tuple[str, ...], drop: Drops) -> Course:
        """The march once these blocks have gone this way."""
        mine, theirs, used = dict(self.terrain.mine), dict(self.terrain.theirs), set(self.terrain.used)
        mine[start] = mine.get(start, 0) - len(blocks)
        trail, left = self.dropped[start]
        dropped = {**self.dropped, start: Dropped(trail, tuple(without(left, blocks)))}
        size, here = len(blocks), start
        for number, place in enumerate(path, 1):
            if theirs.get(place) and reaching.overruns(self.terrain._replace(mine=mine), place, size):
                theirs[place] = 0
            road = segment(here, place)
            used.update([road] if road else [])
            stay = size if number == len(path) else len(drop.get(place, ()))
            if number < len(path) and stay:
                dropped[place] = Dropped((*trail, *path[:number]), drop[place])
            mine[place] = mine.get(place, 0) + stay
            size, here = size - stay, place
        terrain = self.terrain._replace(mine=mine, theirs=theirs, used=frozenset(used))
        return self._replace(terrain=terrain, dropped=dropped)
