"""The board in a fast form: squares and towers as small integers, occupancy as one 64-bit number.

A square is file + 8 * (rank - 1); a tower is its colour, plus 8 for White. Moves of one round
only: teeth do not change within it.
"""

from __future__ import annotations

from collections.abc import Iterable

from engines.kamisado.data import COLOR_OF, COLORS, PUSHES, REACH, SIDES, SQUARES, STRONGEST
from engines.kamisado.model import Tower

NOWHERE = -1
DEADLOCK = -1  # what `settle` answers instead of a tower (M8)
MISSING = -2  # ... or when the tower to move is not on the board

COLOR = tuple(COLORS.index(COLOR_OF[square]) for square in SQUARES)
INDEX = {square: number for number, square in enumerate(SQUARES)}
NUMBER = {(side, color): 8 * s + c for s, side in enumerate(SIDES) for c, color in enumerate(COLORS)}
FORWARD = (-8, 8)  # by side: Black goes down the ranks, White up
HOME = (7, 0)  # the home rank by side, counted from 0


def _ray(square: int, side: int, across: int) -> tuple[int, ...]:
    """The squares from `square` forward, `across` files to the right at each step, to the edge."""
    rank, file = divmod(square, 8)
    step = 1 if side else -1
    found = []
    while 0 <= rank + step < 8 and 0 <= file + across < 8:
        rank, file = rank + step, file + across
        found.append(file + 8 * rank)
    return tuple(found)


# by side, reach and square: the squares in each direction that a tower of that reach may go
RAYS = tuple(
    tuple(
        tuple(tuple(_ray(square, side, across)[:reach] for across in (0, -1, 1)) for square in range(64))
        for reach in range(8)
    )
    for side in (0, 1)
)
# by side and square: the squares one step forward; a tower with all of them taken is blocked
STEPS = tuple(
    tuple(sum(1 << ray[0] for ray in RAYS[side][7][square] if ray) for square in range(64)) for side in (0, 1)
)
# by side, reach and square: the paths to the opponent's home rank, each as a set of squares to be empty
GOALS = tuple(
    tuple(
        tuple(
            tuple(
                sum(1 << step for step in ray)
                for ray in RAYS[side][reach][square]
                if ray and ray[-1] // 8 == HOME[1 - side]
            )
            for square in range(64)
        )
        for reach in range(8)
    )
    for side in (0, 1)
)
# of towers without teeth, by tower
PLAIN_RAYS = [RAYS[tower >> 3][REACH[0]] for tower in range(16)]
PLAIN_GOALS = [GOALS[tower >> 3][REACH[0]] for tower in range(16)]


class Board:
    """Towers on squares. Mutable: for one caller's own use, never part of a state.

    at      by tower its square, or NOWHERE
    teeth   by tower its teeth
    who     by square the tower on it, or NOWHERE
    taken   occupied squares, a bit each
    """

    __slots__ = ("at", "goals", "rays", "taken", "teeth", "who")

    def __init__(self, towers: Iterable[Tower]) -> None:
        self.at = [NOWHERE] * 16
        self.teeth = [0] * 16
        self.who = [NOWHERE] * 64
        self.taken = 0
        self.rays, self.goals = PLAIN_RAYS.copy(), PLAIN_GOALS.copy()
        for tower in towers:
            number, square = NUMBER[tower.owner, tower.color], INDEX[tower.square]
            self.at[number], self.who[square] = square, number
            self.taken |= 1 << square
            if tower.teeth:
                self.teeth[number] = teeth = min(tower.teeth, STRONGEST)
                self.rays[number] = RAYS[number >> 3][REACH[teeth]]
                self.goals[number] = GOALS[number >> 3][REACH[teeth]]

    def steps(self, tower: int) -> list[int]:
        """Squares that the tower may move to (M1-M4, S1, DS1, TS1)."""
        taken = self.taken
        found = []
        for ray in self.rays[tower][self.at[tower]]:
            for square in ray:
                if taken >> square & 1:
                    break
                found.append(square)
        return found

    def line(self, tower: int) -> int:
        """How many enemy towers a push of this tower would move; 0 where it may not push.

        S2, DS2, TS2: an unbroken file of enemies ahead. S4, DS4, TS4: straight forward. S5, DS5, TS5: an
        empty square behind the last. S6, DS6, TS6: nobody leaves the board. S7, DS7, TS7: so many at most.
        S8, DS8, TS8: fewer teeth. S9: never own towers.
        """
        teeth = self.teeth[tower]
        ahead = FORWARD[tower >> 3]
        square = self.at[tower] + ahead
        for length in range(PUSHES[teeth] + 1):
            if not 0 <= square < 64:
                return 0
            pushed = self.who[square]
            if pushed == NOWHERE:
                return length
            if pushed >> 3 == tower >> 3 or self.teeth[pushed] >= teeth:
                return 0
            square += ahead
        return 0

    def movable(self, tower: int) -> bool:
        """Whether the tower, which must move, can (M6): a step or a push (S11)."""
        steps = STEPS[tower >> 3][self.at[tower]]
        return self.taken & steps != steps or (self.teeth[tower] > 0 and self.line(tower) > 0)

    def reaches(self, tower: int) -> bool:
        """Whether the tower could enter the opponent's home rank at once (M7)."""
        taken = self.taken
        for path in self.goals[tower][self.at[tower]]:  # noqa: SIM110 - asked ten times a position
            if not taken & path:
                return True
        return False

    def move(self, tower: int, to: int) -> None:
        """Puts the tower on the empty square `to`."""
        square = self.at[tower]
        self.taken ^= 1 << square | 1 << to
        self.who[square] = NOWHERE
        self.who[to] = tower
        self.at[tower] = to

    def push(self, tower: int, line: int) -> int:
        """Pushes `line` towers back a square; returns the square the farthest landed on (S3, DS3, TS3)."""
        ahead = FORWARD[tower >> 3]
        front = self.at[tower]
        for place in range(line, -1, -1):
            square = front + place * ahead
            self.move(self.who[square], square + ahead)
        return front + (line + 1) * ahead

    def unpush(self, tower: int, line: int) -> None:
        """Takes a push back."""
        ahead = FORWARD[tower >> 3]
        front = self.at[tower]
        for place in range(line + 1):
            square = front + place * ahead
            self.move(self.who[square], square - ahead)

    def settle(self, tower: int) -> int:
        """Who really moves when `tower` should: itself, or another after forced passes (M6).

        DEADLOCK when the blocked towers answer each other for ever (M8), MISSING when a tower
        that should move is not on the board.
        """
        passed = 0
        while True:
            square = self.at[tower]
            if square == NOWHERE:
                return MISSING
            if self.movable(tower):
                return tower
            if passed >> tower & 1:
                return DEADLOCK
            passed |= 1 << tower
            tower = (tower & 8 ^ 8) + COLOR[square]

    def perft(self, tower: int | None, side: int, depth: int) -> list[int]:
        """Lines of exactly 1..depth plies of this round; `tower` is forced, None for a first move."""
        counts = [0] * depth
        if tower is None:
            for own in range(side * 8, side * 8 + 8):
                if self.at[own] != NOWHERE:
                    self._count(own, counts, 0, first=True)
        else:
            self._count(tower, counts, 0)
        return counts

    def _count(self, tower: int, counts: list[int], ply: int, *, first: bool = False) -> None:
        steps = self.steps(tower)
        line = 0 if first or not self.teeth[tower] else self.line(tower)
        counts[ply] += len(steps) + (line > 0)
        if ply + 1 == len(counts):
            return
        goal, back = HOME[tower >> 3 ^ 1], self.at[tower]
        answer = tower & 8 ^ 8
        for to in steps:
            if to >> 3 != goal:
                self.move(tower, to)
                follower = self.settle(answer + COLOR[to])
                if follower >= 0:
                    self._count(follower, counts, ply + 1)
                self.move(tower, back)
        if line:
            follower = self.settle((tower & 8) + COLOR[self.push(tower, line)])
            if follower >= 0:
                self._count(follower, counts, ply + 1)
            self.unpush(tower, line)


def tower_number(tower: Tower) -> int:
    """The number of a tower."""
    return NUMBER[tower.owner, tower.color]
