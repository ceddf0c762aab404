"""Finds free room for labels: each takes the best of its own places that meets nothing.

The picture is a grid of small cells, a row of them one number, so that a box is looked at in a few steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from render.canvas import Box, Point

CELL = 4  # pixels
SOFT = 3.0  # what a cell of a road below costs; a place's own cost is in pixels from where it belongs
HARD = 1000.0  # what a cell of another label or a piece costs, where nothing is free


@dataclass(frozen=True)
class Wish:
    """A label: its size, and the middles where it may lie, each with what that costs; the best first."""

    key: str
    wide: float
    tall: float
    spots: tuple[tuple[float, float, float], ...]  # x, y, cost
    over_lines: bool = False  # whether it may lie on a line at no cost

    def box(self, number: int) -> Box:
        """What it covers at one of its spots."""
        x, y, _ = self.spots[number]
        return x - self.wide / 2, y - self.tall / 2, x + self.wide / 2, y + self.tall / 2


class Room:
    """What of the picture is taken."""

    def __init__(self, bounds: Box) -> None:
        """`bounds`: labels stay within."""
        self.bounds = bounds
        rows = int(bounds[3] // CELL) + 2
        self._hard, self._soft = [0] * rows, [0] * rows

    def take(self, box: Box) -> None:
        """Nothing may lie here."""
        mask, first, last = cells(box)
        for row in range(max(first, 0), min(last, len(self._hard))):
            self._hard[row] |= mask

    def line(self, points: Iterable[Point], half: float) -> None:
        """Something is drawn along these points that had better be seen."""
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

        Those with the fewest free spots choose first; one that finds none sends away a label that has
        another free spot.
        """
        kept = {wish.key: [n for n in range(len(wish.spots)) if self.free(wish.box(n))] for wish in wishes}
        taken: dict[str, tuple[Wish, Box]] = {}
        chosen: dict[str, tuple[Point, bool]] = {}
        for wish in sorted(wishes, key=lambda wish: (len(kept[wish.key]), wish.key)):
            number = self._best(wish, kept[wish.key], taken)
            if number is None:
                number = self._pushed(wish, kept, taken, chosen)
            clear = number is not None
            if number is None:
                every = [n for n in range(len(wish.spots)) if self.inside(wish.box(n))] or [0]
                number = min(every, key=lambda n: self._total(wish, n, taken))
            taken[wish.key] = wish, wish.box(number)
            chosen[wish.key] = wish.spots[number][:2], clear
        return chosen

    def _best(self, wish: Wish, open_spots: list[int], taken: dict[str, tuple[Wish, Box]]) -> int | None:
        best, least = None, 0.0
        for number in open_spots:
            if best is not None and wish.spots[number][2] >= least:
                break  # spots come by their cost: no later one is better
            box = wish.box(number)
            if any(meets(box, other) for _, other in taken.values()):
                continue
            price = wish.spots[number][2] + (0 if wish.over_lines else self.price(box))
            if best is None or price < least:
                best, least = number, price
        return best

    def _pushed(
        self,
        wish: Wish,
        kept: dict[str, list[int]],
        taken: dict[str, tuple[Wish, Box]],
        chosen: dict[str, tuple[Point, bool]],
    ) -> int | None:
        """The first spot whose neighbours can all move away, after they did."""
        for number in kept[wish.key]:
            box = wish.box(number)
            rest = dict(taken)
            away = [key for key, (_, other) in taken.items() if meets(box, other)]
            for key in away:
                del rest[key]
            rest[wish.key] = wish, box
            moved: dict[str, int] = {}
            for key in away:
                other = taken[key][0]
                found = self._best(other, kept[key], rest)
                if found is None:
                    break
                moved[key] = found
                rest[key] = other, other.box(found)
            else:
                for key, found in moved.items():
                    taken[key] = rest[key]
                    chosen[key] = rest[key][0].spots[found][:2], True
                return number
        return None

    def _total(self, wish: Wish, number: int, taken: dict[str, tuple[Wish, Box]]) -> float:
        box = wish.box(number)
        over = sum(overlap(box, other) for _, other in taken.values()) / (CELL * CELL)
        return wish.spots[number][2] + self.price(box) + HARD * over


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
