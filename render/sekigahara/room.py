"""Finds free room for labels: each takes the best of its own places that meets nothing.

The picture is a grid of small cells, a row of them one number, so that a box is looked at in a few steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from render.canvas import Box, Point
from render.sekigahara.spots import CELL, Cells, Spot, Spots, bits, cells

SOFT = 3.0  # what a cell of a road below costs; a place's own cost is in pixels from where it belongs
BAND = 3.0  # rows of a road that a label is likely to hide
DEAR = 36.0  # a spot above that is given only where sending others away costs more
FAR = 1e9
BEST = (1 << 12) - 1  # spots by which labels are told that have few
LISTED = (1 << 64) - 1  # spots that are looked at first for a label that is asked for again
TRIES = 10  # spots for which sending others away is looked at
DEPTH = 1  # how far sending away goes on for a label that has no free spot
HARD = 1000.0  # what a cell of another label or a piece costs, where nothing is free
DOUBT = 120.0  # what it costs a label to lie as near to something else as to what it belongs to


def never(_: Box) -> bool:
    """Nobody would take it for another's anywhere."""
    return False


class Wish:
    """A label: its size, where it belongs, and the spots it may have instead, asked for only when needed.

    more        the spots
    homes       whether it goes to its first spot without asking what others cost
    over_lines  whether it may lie on a line at no cost
    far         spots farther off, for where none of the others is to be had
    doubtful    whether at a box nobody would know whose it is; at its far spots a line leads to it
    """

    def __init__(
        self,
        key: str,
        wide: float,
        tall: float,
        home: Spot,
        more: Callable[[], Spots],
        *,
        far: Callable[[], Spots] | None = None,
        homes: bool = True,
        over_lines: bool = False,
        doubtful: Callable[[Box], bool] = never,
    ) -> None:
        self.key, self.wide, self.tall, self.home = key, wide, tall, home
        self.homes, self.over_lines = homes, over_lines
        self.more, self.far, self.doubtful = more, far, doubtful

    def box(self, spot: Spot) -> Box:
        """What it covers at a spot."""
        x, y, _ = spot
        return x - self.wide / 2, y - self.tall / 2, x + self.wide / 2, y + self.tall / 2


class Lies(NamedTuple):
    """A label at a spot, for so much."""

    spot: Spot
    box: Box
    price: float


Taken = dict[str, Lies]


class Options:
    """A label's spots where no piece is, each worked out when it is looked at."""

    def __init__(self, room: Room, wish: Wish, spots: Spots, doubtful: Callable[[Box], bool]) -> None:
        self._room, self._wish, self.spots, self._doubtful = room, wish, spots, doubtful
        self.off = room.off_pieces(spots)
        self._lies: dict[int, Lies] = {}
        self._met: dict[Box, int] = {}
        self._few: dict[bool, list[Lies]] = {}

    def _at(self, number: int) -> Lies:
        """The label at one of them."""
        found = self._lies.get(number)
        if found is None:
            x, y, cost = self.spots[number]
            box = self.spots.box(x, y)
            own = cost + DOUBT if self._doubtful(box) else cost
            over = 0.0 if self._wish.over_lines else SOFT * BAND * self._room.over(self.spots.cells(box))
            found = self._lies[number] = Lies((x, y, own), box, own + over)
        return found

    def cheapest(self, boxes: Iterable[Box], *, listed: bool = False) -> Lies | None:
        """The cheapest where none of these boxes is; if `listed`, of the first that are not dear."""
        free, met, meets = self.off & LISTED if listed else self.off, self._met, self.spots.meets
        for box in boxes:
            mask = met.get(box)
            if mask is None:
                mask = met[box] = meets(box)
            free &= ~mask
        best, least, most = None, FAR, DEAR if listed else FAR
        for number in bits(free):
            cost = self.spots.costs[number]
            if cost > most or cost >= least:
                break
            lies = self._at(number)
            if lies.spot[2] > most:
                continue
            if best is None or (lies.price, lies.spot[2]) < (least, best.spot[2]):
                best, least = lies, lies.price
        return best

    def few(self, *, listed: bool) -> list[Lies]:
        """The cheapest whatever lies there; if `listed`, of the first that are not dear."""
        found = self._few.get(listed)
        if found is None:
            found = self._few[listed] = self._cheap(listed=listed)
        return found

    def _cheap(self, *, listed: bool) -> list[Lies]:
        most, found, waiting = DEAR if listed else FAR, list[Lies](), list[tuple[float, float, int, Lies]]()
        for number in bits(self.off & LISTED if listed else self.off):
            cost = self.spots.costs[number]
            while waiting and waiting[0][0] <= cost:  # what comes costs as much or more
                found.append(heappop(waiting)[3])
            if cost > most or len(found) >= TRIES:
                break
            lies = self._at(number)
            if lies.spot[2] <= most:
                heappush(waiting, (lies.price, lies.spot[2], number, lies))
        while waiting and len(found) < TRIES:
            found.append(heappop(waiting)[3])
        return found[:TRIES]


class Room:
    """What of the picture is taken."""

    def __init__(self, bounds: Box) -> None:
        """`bounds`: labels stay within."""
        self.bounds = bounds
        rows = int(bounds[3] // CELL) + 2
        self._hard, self._soft = [0] * rows, [0] * rows
        self._asked: set[str] = set()  # labels that looked for a spot
        self._whole: set[str] = set()  # labels all of whose spots were looked at
        self._options: dict[str, Options] = {}
        self._taken: list[Cells] = []  # what lies in it
        self._lined = False
        self._wishes: dict[str, Wish] = {}

    def take(self, box: Box) -> None:
        """Nothing may lie here."""
        left, top, right, bottom = cells(box)
        bottom = min(bottom, len(self._hard) - 1)
        if top > bottom:
            return
        self._taken.append((left, top, right, bottom))
        mask = span(left, right)
        for row in range(top, bottom + 1):
            self._hard[row] |= mask

    def line(self, points: Sequence[Point], half: float) -> None:
        """Something is drawn along these points that had better be seen."""
        self._lined = True
        for x, y in points:
            left, top, right, bottom = cells((x - half, y - half, x + half, y + half))
            mask = span(left, right)
            for row in range(top, min(bottom + 1, len(self._soft))):
                self._soft[row] |= mask

    def free(self, box: Box) -> bool:
        """Whether nothing lies here."""
        left, top, right, bottom = cells(box)
        mask = span(left, right)
        return self.inside(box) and not any(row & mask for row in self._hard[top : bottom + 1])

    def inside(self, box: Box) -> bool:
        """Whether it lies in the picture."""
        left, top, right, bottom = self.bounds
        return left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom

    def price(self, box: Box) -> float:
        """What it would hide: roads a little, other things a lot."""
        left, top, right, bottom = cells(box)
        mask = span(left, right)
        soft = sum((row & mask).bit_count() for row in self._soft[top : bottom + 1])
        hard = sum((row & mask).bit_count() for row in self._hard[top : bottom + 1])
        return SOFT * soft + HARD * hard

    def over(self, covered: Cells) -> int:
        """How many columns of what is drawn along lines a label would hide."""
        if not self._lined:
            return 0
        left, top, right, bottom = covered
        drawn = 0
        for row in self._soft[top : bottom + 1]:
            drawn |= row
        return (drawn & span(left, right)).bit_count()

    def off_pieces(self, spots: Spots) -> int:
        """Those of the spots where no piece is."""
        return spots.within(self.bounds) & ~spots.covered(self._taken)

    def settle(self, wishes: Sequence[Wish]) -> dict[str, tuple[Point, bool]]:
        """Where each label lies, and whether it meets nothing there.

        Most lie where they belong at once. The others take the cheapest free spot, those with the fewest
        first; one that finds none, or only a dear one, sends others away where that costs less.
        """
        taken: Taken = {}
        rest = []
        self._wishes = {wish.key: wish for wish in wishes}
        for wish in wishes:
            home = self._at_home(wish, taken.values()) if wish.homes else None
            if home is None:
                rest.append(wish)
            else:
                taken[wish.key] = home
        lost: set[str] = set()

        def scarce(wish: Wish) -> tuple[int, str]:
            return (self._options_of(wish).off & BEST).bit_count(), wish.key

        for wish in sorted(rest, key=scarce):
            if self._place(wish, taken):
                continue
            far = None if wish.far is None else Options(self, wish, wish.far(), never)
            found = None if far is None else far.cheapest(lies.box for lies in taken.values())
            if found is None:
                lost.add(wish.key)
            taken[wish.key] = found or self._least(wish, taken)
        dear = [key for key, lies in taken.items() if lies.price > DEAR]
        for key in sorted(dear, key=lambda key: (-taken[key].price, key)):  # all others lie by now
            lies = taken.pop(key)
            if self._place(self._wishes[key], taken):
                lost.discard(key)
            else:
                taken[key] = lies
        return {key: (lies.spot[:2], key not in lost) for key, lies in taken.items()}

    def _at_home(self, wish: Wish, taken: Iterable[Lies]) -> Lies | None:
        """A label where it belongs; None where it would meet something, or be taken for another's."""
        box = wish.box(wish.home)
        if not self.free(box):
            return None
        if not clear(box, [lies.box for lies in taken]):
            return None
        return None if wish.doubtful(box) else Lies(wish.home, box, 0.0)

    def _options_of(self, wish: Wish) -> Options:
        """A label's spots where no piece is."""
        found = self._options.get(wish.key)
        if found is None:
            found = self._options[wish.key] = Options(self, wish, wish.more(), wish.doubtful)
        return found

    def _free(self, wish: Wish, taken: Iterable[Lies]) -> Lies | None:
        """Its cheapest spot that meets none of those that are taken.

        Who asks again gets the first of those that are listed, if there is one.
        """
        options = self._options_of(wish)
        west, north, east, south = options.spots.around
        boxes = [b for _, b, _ in taken if b[0] < east and west < b[2] and b[1] < south and north < b[3]]
        whole = wish.key in self._whole or wish.key not in self._asked
        self._asked.add(wish.key)
        found = options.cheapest(boxes, listed=not whole)
        if found is None:
            self._whole.add(wish.key)
            found = None if whole else options.cheapest(boxes)
        return found

    def _place(self, wish: Wish, taken: Taken) -> bool:
        """Give a label its spot, others sent away where that is cheaper; False where there is none."""
        best = self._free(wish, taken.values())
        if best is None or best.price > DEAR:
            price, depth = (FAR, DEPTH) if best is None else (best.price, 0)
            pushed = self._pushed(wish, taken, price, depth, frozenset())
            if pushed is not None:
                taken.update(pushed)
                return True
        if best is None:
            return False
        taken[wish.key] = best
        return True

    def _pushed(
        self,
        wish: Wish,
        taken: Taken,
        price: float,
        depth: int,
        still: frozenset[str],
    ) -> Taken | None:
        """The cheapest move of a label and those it sends away, if it costs less than `price`.

        `depth`: how often one that is sent away and finds nothing may send others away; `still`: who stays.
        """
        best, least = None, price
        for lies in self._options_of(wish).few(listed=wish.key not in self._whole):
            if lies.price >= least or (best is not None and (depth or least < DEAR)):
                break
            west, north, east, south = lies.box
            away = [
                key
                for key, (_, box, _) in taken.items()
                if west < box[2] and box[0] < east and north < box[3] and box[1] < south
            ]
            if len(away) > 2 or not still.isdisjoint(away):
                continue
            moved = self._sent(wish, lies, away, taken, depth, still)
            if moved is None:
                continue
            cost = sum(one.price for one in moved.values()) - sum(
                taken[key].price for key in moved if key in taken
            )
            if cost < least:
                best, least = moved, cost
        return best

    def _sent(
        self,
        wish: Wish,
        lies: Lies,
        away: Sequence[str],
        taken: Taken,
        depth: int,
        still: frozenset[str],
    ) -> Taken | None:
        """Where all go if a label takes this spot; None where one of them finds none."""
        rest = taken.copy()
        for key in away:
            del rest[key]
        moved: Taken = {wish.key: lies}
        rest[wish.key] = lies
        for key in away:
            other = self._wishes[key]
            found = self._free(other, rest.values())
            if found is not None:
                rest[key] = moved[key] = found
                continue
            onward = self._pushed(other, rest, FAR, depth - 1, still | moved.keys()) if depth else None
            if onward is None:
                return None
            rest.update(onward)
            moved.update(onward)
        return moved

    def _least(self, wish: Wish, taken: Taken) -> Lies:
        """Where nothing is free: the spot that hides least."""

        def hides(spot: Spot) -> float:
            box = wish.box(spot)
            over = sum(overlap(box, lies.box) for lies in taken.values()) / (CELL * CELL)
            return spot[2] + DOUBT * wish.doubtful(box) + self.price(box) + HARD * over

        every = [spot for spot in self._options_of(wish).spots.all() if self.inside(wish.box(spot))] or [
            wish.home
        ]
        spot = min(every, key=hides)
        return Lies(spot, wish.box(spot), HARD)


def clear(box: Box, boxes: Iterable[Box]) -> bool:
    """Whether a box meets none of the others, which is asked a thousand times a picture."""
    left, top, right, bottom = box
    for b in boxes:  # noqa: SIM110 - a generator takes longer
        if b[0] < right and left < b[2] and b[1] < bottom and top < b[3]:
            return False
    return True


def span(left: int, right: int) -> int:
    """A row's cells from one to another."""
    return ((2 << (right - left)) - 1) << left


def meets(one: Box, other: Box) -> bool:
    """Whether two boxes share something."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def overlap(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    wide, tall = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return wide * tall if wide > 0 and tall > 0 else 0.0


def gap(one: Box, other: Box) -> float:
    """How far two boxes are apart, across and down."""
    across, down = max(one[0] - other[2], other[0] - one[2]), max(one[1] - other[3], other[1] - one[3])
    return (across if across > 0 else 0.0) + (down if down > 0 else 0.0)
