"""Finds free room for labels: each takes the best of its own places that meets nothing.

The picture is a grid of small cells, a row of them one number, so that a box is looked at in a few steps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from render.canvas import Box, Point
from render.kept import Lately

CELL = 4  # pixels
SOFT = 3.0  # what a cell of a road below costs; a place's own cost is in pixels from where it belongs
BAND = 3.0  # rows of a road that a label is likely to hide
DEAR = 36.0  # a spot above that is given only where sending others away costs more
FAR = 1e9
BEST = 12  # spots by which labels are told that have few
STEPS = (0, BEST, 36, 64, 100, 1_000)  # spots that are looked at together: from one to the next
LISTED = 3  # steps that are listed for a label that is asked for again
TRIES = 10  # spots for which sending others away is looked at
DEPTH = 1  # how far sending away goes on for a label that has no free spot
HARD = 1000.0  # what a cell of another label or a piece costs, where nothing is free
DOUBT = 120.0  # what it costs a label to lie as near to something else as to what it belongs to
MOST_OPTIONS = 256  # labels whose options are kept, some 8 KB each

Spot = tuple[float, float, float]  # a middle, and what lying there costs


def never(_: Box) -> bool:
    """Nobody would take it for another's anywhere."""
    return False


class Wish:
    """A label: its size, where it belongs, and the spots it may have instead, asked for only when needed.

    more        the spots, the best first
    homes       whether it goes to its first spot without asking what others cost
    over_lines  whether it may lie on a line at no cost
    far         spots farther off, for where none of the others is to be had
    doubtful    whether at a box nobody would know whose it is; at its far spots a line leads to it
    alike       what its spots and its doubts follow from, but for its size: others of the same have the same
    around      what it covers at any of its spots, or more than that
    """

    def __init__(
        self,
        key: str,
        wide: float,
        tall: float,
        home: Spot,
        more: Callable[[], Sequence[Spot]],
        *,
        far: Callable[[], Sequence[Spot]] = tuple,
        homes: bool = True,
        over_lines: bool = False,
        doubtful: Callable[[Box], bool] = never,
        alike: Hashable = None,
        around: Box | None = None,
    ) -> None:
        self.key, self.wide, self.tall, self.home = key, wide, tall, home
        self.homes, self.over_lines = homes, over_lines
        self._more, self.far, self.doubtful = more, far, doubtful
        self.alike, self._around = alike, around

    @cached_property
    def spots(self) -> Sequence[Spot]:
        """All spots, the best first; what doubt costs comes on top."""
        return self._more()

    @cached_property
    def around(self) -> Box:
        """What it covers at any of its spots, or more than that."""
        if self._around is not None:
            return self._around
        xs, ys = [spot[0] for spot in self.spots], [spot[1] for spot in self.spots]
        wide, tall = self.wide / 2, self.tall / 2
        return min(xs) - wide, min(ys) - tall, max(xs) + wide, max(ys) + tall

    def box(self, spot: Spot) -> Box:
        """What it covers at a spot."""
        x, y, _ = spot
        return x - self.wide / 2, y - self.tall / 2, x + self.wide / 2, y + self.tall / 2


class Lies(NamedTuple):
    """A label at a spot, for so much."""

    spot: Spot
    box: Box
    price: float


price_of = attrgetter("price")
Taken = dict[str, Lies]
Off = list[tuple[float, Lies]]  # spots where no piece is: what each costs but for lines and doubt


class Options:
    """A label's spots where no piece is, worked out as far as they are asked for.

    The same for all labels that are alike and have the same in their way: the room and the wish that are
    asked are those of one of them.
    """

    def __init__(self) -> None:
        self._steps: tuple[Off, ...] = ()
        self._listed: dict[int, list[Lies]] = {}

    def step(self, number: int, room: Room, wish: Wish) -> Off:
        """Those of one of STEPS, the best first."""
        found = self._steps
        while len(found) <= number:
            start, end = STEPS[len(found)], STEPS[len(found) + 1]
            found = (*found, room.off_pieces(wish, wish.spots[start:end], wish.doubtful))
            self._steps = found
        return found[number]

    def listed(self, steps: int, room: Room, wish: Wish) -> list[Lies]:
        """Those of so many steps, the cheapest first; dear ones only of all of them."""
        if steps not in self._listed:
            most = DEAR if steps == LISTED else FAR
            off = [one for number in range(steps) for one in self.step(number, room, wish)]
            self._listed[steps] = cheapest_first(
                lies for cost, lies in off if cost <= most and lies.spot[2] <= most
            )
        return self._listed[steps]

    def cheapest(self, room: Room, wish: Wish, boxes: Sequence[Box]) -> Lies | None:
        """The cheapest where none of these boxes is."""
        best, least = None, FAR
        for number in range(len(STEPS) - 1):
            for cost, lies in self.step(number, room, wish):
                if cost >= least:
                    return best
                if lies.price < least and clear(lies.box, boxes):
                    best, least = lies, lies.price
        return best


def cheapest_first(lies: Iterable[Lies]) -> list[Lies]:
    """Those that cost the same by what they cost without lines."""
    return sorted(sorted(lies, key=lambda one: one.spot[2]), key=price_of)


_OPTIONS: Lately[Hashable, Options] = Lately(MOST_OPTIONS)


class Room:
    """What of the picture is taken."""

    def __init__(self, bounds: Box) -> None:
        """`bounds`: labels stay within."""
        self.bounds = bounds
        rows = int(bounds[3] // CELL) + 2
        self._hard, self._soft = [0] * rows, [0] * rows
        self._asked: set[str] = set()  # labels that looked for a spot
        self._whole: set[str] = set()  # labels all of whose spots were looked at
        self._banded: dict[int, tuple[list[int], list[int]]] = {}
        self._options: dict[str, Options] = {}
        self._taken: list[tuple[Hashable, Box]] = []  # what lies in it, and along what: nothing, a line
        self._wishes: dict[str, Wish] = {}

    def take(self, box: Box) -> None:
        """Nothing may lie here."""
        self._taken.append((None, box))
        mask, first, last = cells(box)
        for row in range(max(first, 0), min(last, len(self._hard))):
            self._hard[row] |= mask

    def line(self, points: Sequence[Point], half: float) -> None:
        """Something is drawn along these points that had better be seen."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        span = min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half
        self._taken.append(((tuple(points), half), span))
        for x, y in points:
            mask, first, last = cells((x - half, y - half, x + half, y + half))
            for row in range(max(first, 0), min(last, len(self._soft))):
                self._soft[row] |= mask

    def free(self, box: Box) -> bool:
        """Whether nothing lies here."""
        mask, first, last = cells(box)
        return self.inside(box) and not any(row & mask for row in self._hard[first:last])

    def inside(self, box: Box) -> bool:
        """Whether it lies in the picture."""
        left, top, right, bottom = self.bounds
        return left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom

    def price(self, box: Box) -> float:
        """What it would hide: roads a little, other things a lot."""
        mask, first, last = cells(box)
        soft = sum((row & mask).bit_count() for row in self._soft[first:last])
        hard = sum((row & mask).bit_count() for row in self._hard[first:last])
        return SOFT * soft + HARD * hard

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
            return len(self._options_of(wish).step(0, self, wish)), wish.key

        for wish in sorted(rest, key=scarce):
            if self._place(wish, taken):
                continue
            far = cheapest_first(lies for _, lies in self.off_pieces(wish, wish.far(), never))
            found = first(far, [lies.box for lies in taken.values()])
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
        """A label's spots where no piece is: those of the last that was alike, with the same in its way."""
        found = self._options.get(wish.key)
        if found is None:
            if wish.alike is None:
                found = Options()
            else:
                asked = wish.alike, wish.wide, wish.tall, self.bounds, *self._beside(wish.around)
                found = _OPTIONS.get(asked)
                if found is None:
                    found = Options()
                    _OPTIONS.put(asked, found)
            self._options[wish.key] = found
        return found

    def _beside(self, box: Box) -> tuple[Hashable, ...]:
        """What is taken in a part of the picture."""
        west, north, east, south = box
        return tuple(
            (b, half)
            for half, b in self._taken
            if b[0] < east and west < b[2] and b[1] < south and north < b[3]
        )

    def _open(self, wish: Wish) -> list[Lies]:
        """Its cheap spots where no piece is, the cheapest first; all of them once `_free` has asked."""
        steps = len(STEPS) - 1 if wish.key in self._whole else LISTED
        return self._options_of(wish).listed(steps, self, wish)

    def _free(self, wish: Wish, taken: Iterable[Lies]) -> Lies | None:
        """Its cheapest spot that meets none of those that are taken.

        Who asks again gets the first of those that are listed, if there is one.
        """
        west, north, east, south = wish.around
        boxes = [b for _, b, _ in taken if b[0] < east and west < b[2] and b[1] < south and north < b[3]]
        if wish.key not in self._asked:
            self._asked.add(wish.key)
            found = self._options_of(wish).cheapest(self, wish, boxes)
        else:
            found = first(self._open(wish), boxes)
        if found is None and wish.key not in self._whole:
            self._whole.add(wish.key)
            found = first(self._open(wish), boxes)
        return found

    def off_pieces(self, wish: Wish, spots: Iterable[Spot], doubtful: Callable[[Box], bool]) -> Off:
        """Those of the spots where no piece is."""
        hard, soft = self._bands(int(wish.tall // CELL) + 2)
        left, top, right, bottom = self.bounds
        half_wide, half_tall = wish.wide / 2, wish.tall / 2
        found = []
        for x, y, cost in spots:
            x0, y0, x1, y1 = x - half_wide, y - half_tall, x + half_wide, y + half_tall
            if x0 < left or y0 < top or x1 > right or y1 > bottom:
                continue
            first_cell, row = int(x0 // CELL), int(y0 // CELL)
            span = (2 << (int(x1 // CELL) - first_cell)) - 1
            if not hard[row] >> first_cell & span:
                over = 0 if wish.over_lines else (soft[row] >> first_cell & span).bit_count()
                box = x0, y0, x1, y1
                own = cost + DOUBT if doubtful(box) else cost
                found.append((cost, Lies((x, y, own), box, own + SOFT * BAND * over)))
        return found

    def _bands(self, tall: int) -> tuple[list[int], list[int]]:
        """For each row what is taken in it and the rows below it, so many in all."""
        if tall not in self._banded:
            bands = []
            for rows in (self._hard, self._soft):
                band, size = list(rows), 1
                while size < tall:  # doubling: a band of 8 rows is two of 4
                    step = min(size, tall - size)
                    band = [row | below for row, below in zip(band, band[step:] + [0] * step, strict=True)]
                    size += step
                bands.append(band)
            self._banded[tall] = bands[0], bands[1]
        return self._banded[tall]

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
        for lies in self._open(wish)[:TRIES]:
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
        rest = {key: other for key, other in taken.items() if key not in away}
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

        every = [spot for spot in wish.spots if self.inside(wish.box(spot))] or [wish.home]
        spot = min(every, key=hides)
        return Lies(spot, wish.box(spot), HARD)


def first(lies: Iterable[Lies], boxes: Sequence[Box]) -> Lies | None:
    """The first of them that meets none of these boxes."""
    return next((one for one in lies if clear(one.box, boxes)), None)


def clear(box: Box, boxes: Iterable[Box]) -> bool:
    """Whether a box meets none of the others, which is asked a thousand times a picture."""
    left, top, right, bottom = box
    for b in boxes:  # noqa: SIM110 - a generator takes longer
        if b[0] < right and left < b[2] and b[1] < bottom and top < b[3]:
            return False
    return True


def cells(box: Box) -> tuple[int, int, int]:
    """A box as a mask of columns, its first row and the one after its last."""
    left, right = int(max(box[0], 0) // CELL), int(max(box[2], 0) // CELL) + 1
    mask = ((1 << max(right - left, 0)) - 1) << left
    return mask, max(int(box[1] // CELL), 0), max(int(box[3] // CELL) + 1, 0)


def meets(one: Box, other: Box) -> bool:
    """Whether two boxes share something."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def overlap(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    wide, tall = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return wide * tall if wide > 0 and tall > 0 else 0.0


def gap(one: Box, other: Box) -> float:
    """How far two boxes are apart, across and down."""
    across = max(one[0] - other[2], other[0] - one[2], 0.0)
    return across + max(one[1] - other[3], other[1] - one[3], 0.0)
