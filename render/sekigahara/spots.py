"""Spots that a label of one size may have, kept so that those which a box meets are found in a few steps.

A set of spots is one number: bit n is the n-th. They share few columns and few rows, which are kept in order,
each with all spots before it: what a box meets lies between two columns and between two rows.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from render.canvas import Box

CELL = 4  # pixels
Spot = tuple[float, float, float]  # a middle, and what lying there costs
Cells = tuple[int, int, int, int]  # the first column and row of the grid, the last ones


class Order(NamedTuple):
    """Where middles lie in one direction, each once, and before each of them all spots of those before."""

    middles: list[float]
    before: list[int]


class Lane(NamedTuple):
    """The stretches that a label may have in one direction; `before` each of them all spots of those before.

    `begin`, `end` in pixels, `low`, `high` the first and last cell.
    """

    begin: list[float]
    end: list[float]
    low: list[int]
    high: list[int]
    before: list[int]

    def between(self, first: int, end: int) -> int:
        """The spots of these stretches."""
        return self.before[end] ^ self.before[first] if first < end else 0


def ordered(middles: Iterable[float]) -> Order:
    """The middles of all spots, the first spot's first."""
    at: dict[float, int] = {}
    bit = 1
    for middle in middles:
        at[middle] = at.get(middle, 0) | bit
        bit <<= 1
    order = sorted(at)
    return Order(order, list(accumulate((at[middle] for middle in order), or_, initial=0)))


def lane(order: Order, half: float, by: float, more: int | None = None) -> Lane:
    """`by`: where the middles are counted from; `more`: cells from the first to the last."""
    begin, end = [by + at - half for at in order.middles], [by + at + half for at in order.middles]
    low = [int(one // CELL) for one in begin]
    high = [int(one // CELL) for one in end] if more is None else [one + more for one in low]
    return Lane(begin, end, low, high, order.before)


class Spots:
    """Spots of labels so large, the best first."""

    def __init__(self, spots: Sequence[Spot], wide: float, tall: float) -> None:
        xs, ys = [spot[0] for spot in spots], [spot[1] for spot in spots]
        self._xs, self._ys, self.costs = (
            array("d", xs),
            array("d", ys),
            array("d", [spot[2] for spot in spots]),
        )
        self._orders = ordered(xs), ordered(ys)
        self.lay(wide, tall, 0, 0)

    def lay(self, wide: float, tall: float, x: float, y: float) -> None:
        """Count them from this point, for labels so large."""
        self._wide, self._tall, self._x, self._y = wide / 2, tall / 2, x, y
        self._rows = int(tall // CELL) + 1
        across, down = self._orders
        self._across, self._down = lane(across, self._wide, x), lane(down, self._tall, y, self._rows)

    def moved(self, x: float, y: float, wide: float, tall: float) -> Spots:
        """The same from another point on, for labels so large."""
        made = copy(self)
        made.lay(wide, tall, x, y)
        return made

    def __getitem__(self, number: int) -> Spot:
        return self._x + self._xs[number], self._y + self._ys[number], self.costs[number]

    def all(self) -> Iterator[Spot]:
        """Each of them."""
        return (self[number] for number in range(len(self.costs)))

    def box(self, x: float, y: float) -> Box:
        """What the label covers with its middle there."""
        return x - self._wide, y - self._tall, x + self._wide, y + self._tall

    def cells(self, box: Box) -> Cells:
        """What it covers of the grid."""
        top = int(box[1] // CELL)
        return int(box[0] // CELL), top, int(box[2] // CELL), top + self._rows

    @property
    def around(self) -> Box:
        """What it covers at all of them."""
        across, down = self._across, self._down
        return across.begin[0], down.begin[0], across.end[-1], down.end[-1]

    def meets(self, box: Box) -> int:
        """Those at which it meets a box."""
        left, top, right, bottom = box
        across, down = self._across, self._down
        found = across.between(bisect_right(across.end, left), bisect_left(across.begin, right))
        return found and found & down.between(bisect_right(down.end, top), bisect_left(down.begin, bottom))

    def covered(self, several: Iterable[Cells]) -> int:
        """Those at which it lies on some of these cells."""
        (_, _, low, high, across), (_, _, first, last, down) = self._across, self._down
        west, east, north, south = low[0], high[-1], first[0], last[-1]
        found = 0
        for left, top, right, bottom in several:
            if left <= east and west <= right and top <= south and north <= bottom:
                begin, end = bisect_left(high, left), bisect_right(low, right)
                start, stop = bisect_left(last, top), bisect_right(first, bottom)
                if begin < end and start < stop:
                    found |= (across[end] ^ across[begin]) & (down[stop] ^ down[start])
        return found

    def within(self, box: Box) -> int:
        """Those at which it lies in a box."""
        left, top, right, bottom = box
        across, down = self._across, self._down
        found = across.between(bisect_left(across.begin, left), bisect_right(across.end, right))
        return found & down.between(bisect_left(down.begin, top), bisect_right(down.end, bottom))


def bits(mask: int) -> Iterator[int]:
    """Which of the spots are in a set, the best first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def cells(box: Box) -> Cells:
    """What a box covers of the grid; what lies beyond its upper left edge is laid on that."""
    left, top, right, bottom = box
    return (
        int(max(left, 0) // CELL),
        max(int(top // CELL), 0),
        int(max(right, 0) // CELL),
        max(int(bottom // CELL), -1),
    )
