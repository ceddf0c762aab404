"""Acts 1 and 2 (and solo hexagons) solved: who wins every board of a deal, and in how many actions.

A board is a number in base 7, a digit a tile (HOLDS), and a set of boards is one Python integer
with a bit for each. An action adds a constant to the number, so that the predecessors of a whole
set are a handful of shifts: all 7^7 boards of a deal are solved in well under a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from engines.rokumon import rules
from engines.rokumon.data import LETTERS, Side
from engines.rokumon.model import Board, Play

HOLDS: Final = ("", "s", "t", "ss", "st", "ts", "tt")  # what a tile may hold, bottom to top, undecided
BASE: Final = len(HOLDS)
DIGIT: Final = {held: digit for digit, held in enumerate(HOLDS)}

Boards = int  # a set of boards, a bit for each


class Deal(NamedTuple):
    """What the boards of one act have in common: tiles, and how many warriors each side has."""

    cells: tuple[str, ...]
    colors: tuple[str, ...]
    square: bool
    warriors: tuple[int, int]


class Solved(NamedTuple):
    """For the side to act, boards that it wins or loses, by rounds of the search: sooner comes first.

    wins[side][n] holds the boards won within 2n + 1 actions, losses[side][n] those lost within 2n.
    """

    wins: tuple[tuple[Boards, ...], tuple[Boards, ...]]
    losses: tuple[tuple[Boards, ...], tuple[Boards, ...]]


class Sets:
    """Sets of a deal's boards that everything else is made of."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.tiles = len(deal.cells)
        self.all: Boards = (1 << power(self.tiles)) - 1
        self.holding = [[self.digit(tile, digit) for digit in range(BASE)] for tile in range(self.tiles)]
        self.rows = (self.with_row(0), self.with_row(1))
        self.can_deploy = tuple(self.fewer(side, deal.warriors[side]) for side in (0, 1))

    def digit(self, tile: int, digit: int) -> Boards:
        """Boards on which this tile holds this."""
        width = power(tile)
        pattern = ((1 << width) - 1) << (digit * width)
        for above in range(tile + 1, self.tiles):
            pattern = repeated(pattern, power(above))
        return pattern

    def with_row(self, side: Side) -> Boards:
        """Boards with a row of this side."""
        own = LETTERS[side]
        top = [
            any_of(self.holding[tile][digit] for digit, held in enumerate(HOLDS) if held.endswith(own))
            for tile in range(self.tiles)
        ]
        lines = rules.lines(self.deal.cells, self.deal.square)
        return any_of(top[a] & top[b] & top[c] for a, b, c in lines)

    def fewer(self, side: Side, most: int) -> Boards:
        """Boards with fewer than `most` warriors of a side: some are left in its supply."""
        counted: dict[int, Boards] = {0: self.all}
        for tile in range(self.tiles):
            following: dict[int, Boards] = {}
            for count, boards in counted.items():
                for digit, held in enumerate(HOLDS):
                    more = count + held.count(LETTERS[side])
                    following[more] = following.get(more, 0) | (boards & self.holding[tile][digit])
            counted = following
        return any_of(boards for count, boards in counted.items() if count < most)

    def before(self, side: Side, goal: Boards) -> Boards:
        """Boards from which the side can deploy or move to a board of `goal`, or complete a stack of three.

        A Move that uncovers a row of the other side does not count: it loses.
        """
        own = LETTERS[side]
        placed = [self.before_placing(tile, own, goal) for tile in range(self.tiles)]
        deployed = any_of(
            self.shifted(goal & self.holding[tile][DIGIT[own]], tile, own, "") for tile in range(self.tiles)
        )
        found = deployed & self.can_deploy[side]
        for tile in range(self.tiles):
            colors = self.deal.colors
            air = any_of(placed[n] for n in range(self.tiles) if colors[n] != colors[tile])
            air &= ~self.rows[1 - side]
            for held in HOLDS:
                if held.endswith(own):
                    rest = air & self.holding[tile][DIGIT[held[:-1]]]
                    found |= self.shifted(rest, tile, held[:-1], held)
        return found

    def before_placing(self, tile: int, own: str, goal: Boards) -> Boards:
        """Boards with a warrior in the air that reaches `goal`, or a stack of three, on this tile."""
        found = self.holding[tile][DIGIT[own * 2]]
        for held in ("", "s", "t"):
            after = held + own
            found |= self.shifted(goal & self.holding[tile][DIGIT[after]], tile, after, held)
        return found

    @staticmethod
    def shifted(boards: Boards, tile: int, now: str, then: str) -> Boards:
        """The same boards with `then` on a tile that holds `now`."""
        by = (DIGIT[then] - DIGIT[now]) * power(tile)
        return boards << by if by >= 0 else boards >> -by


def power(tile: int) -> int:
    """What a digit of this tile counts."""
    counts: int = BASE**tile
    return counts


def repeated(pattern: Boards, width: int) -> Boards:
    """BASE copies of a pattern of `width` bits side by side."""
    total = 0
    for _ in range(BASE):
        total = total << width | pattern
    return total


def any_of(sets: Iterator[Boards]) -> Boards:
    """The union of sets of boards."""
    union = 0
    for boards in sets:
        union |= boards
    return union


@lru_cache(maxsize=6)
def solve(deal: Deal) -> Solved:
    """Every board of a deal, backwards from the wins at once until nothing more is found."""
    sets = Sets(deal)
    wins: tuple[list[Boards], list[Boards]] = ([], [])
    losses: tuple[list[Boards], list[Boards]] = ([], [])
    known_wins, known_losses = [0, 0], [0, 0]
    while True:
        for side in (0, 1):
            # A side loses where every action of it leads to a board that the other wins.
            escapes = (sets.all & ~known_wins[1 - side]) | sets.rows[side]
            known_losses[side] = sets.all & ~sets.before(side, escapes)
        found = [sets.before(side, known_losses[1 - side] | sets.rows[side]) for side in (0, 1)]
        for side in (0, 1):
            losses[side].append(known_losses[side])
            wins[side].append(found[side])
        if found == known_wins:
            return Solved((tuple(wins[0]), tuple(wins[1])), (tuple(losses[0]), tuple(losses[1])))
        known_wins = found


def deal_of(board: Board) -> Deal:
    """The deal that a board belongs to."""
    counts = [0, 0]
    for group in (*board.stacks, *board.supply):
        for token in group:
            counts[LETTERS.index(token[0])] += 1
    return Deal(board.cells, board.colors, board.act == 1, (counts[0], counts[1]))


def number(board: Board) -> int:
    """The board's number."""
    held = ("".join(token[0] for token in stack) for stack in board.stacks)
    return sum(DIGIT[stack] * power(tile) for tile, stack in enumerate(held))


def value(board: Board) -> int:
    """What the side to act has: n > 0, a win within n actions; n < 0, a loss within -n; 0, neither."""
    solved, bit, side = solve(deal_of(board)), number(board), board.mover
    for n, boards in enumerate(solved.wins[side]):
        if boards >> bit & 1:
            return 2 * n + 1
    for n, boards in enumerate(solved.losses[side]):
        if boards >> bit & 1:
            return -2 * n - 1
    return 0


def best(board: Board) -> Play:
    """The action that wins soonest, else holds, else loses latest; the first of equals."""
    return max(rules.legal(board), key=lambda play: _rank(board, play))


def _rank(board: Board, play: Play) -> tuple[int, int]:
    done = rules.after(board, play)
    if done.winner is not None:
        return (1, 0) if done.winner == board.mover else (-1, 0)
    left = value(done.board)
    if left < 0:
        return 1, left
    return (0, 0) if left == 0 else (-1, left)
