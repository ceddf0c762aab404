"""Searching ahead on the fast board: a round's value, and proofs that one side wins it."""

from __future__ import annotations

from functools import cache

from engines.chance import Chance
from engines.kamisado.board import COLOR, DEADLOCK, HOME, MISSING, NOWHERE, Board
from engines.kamisado.data import TOOTH_POINTS

WIN = 100_000  # at least this much for a won round, plus what it scores
POINT = 1_000  # for each point that the winning tower scores

Move = tuple[int, int, int]  # a tower, the square it goes to, the towers it pushes (0: a step)


class OutOfNodesError(Exception):
    """The budget of nodes is used up."""


@cache
def keys() -> tuple[tuple[int, ...], ...]:
    """Zobrist numbers by tower (16: who is to move, as a tower) and square, the same everywhere."""
    draw = Chance(b"kamisado search", 0)
    return tuple(tuple(draw.below(1 << 62) for _ in range(64)) for _ in range(17))


def moves(board: Board, tower: int, *, first: bool = False) -> list[Move]:
    """The moves of a tower; a first move is never a push (T1)."""
    found = [(tower, to, 0) for to in board.steps(tower)]
    line = 0 if first or not board.teeth[tower] else board.line(tower)
    if line:
        found.append((tower, board.at[tower] + (8 if tower >> 3 else -8), line))
    return found


def play(board: Board, move: Move) -> int:
    """Carries the move out; returns the tower to move next, DEADLOCK or MISSING."""
    tower, to, line = move
    if line:
        return board.settle((tower & 8) + COLOR[board.push(tower, line)])
    board.move(tower, to)
    return board.settle((tower & 8 ^ 8) + COLOR[to])


def unplay(board: Board, move: Move, back: int) -> None:
    """Takes the move back; `back` is the square that the tower came from."""
    if move[2]:
        board.unpush(move[0], move[2])
    else:
        board.move(move[0], back)


def enters(move: Move) -> bool:
    """Whether the move enters the opponent's home rank (M7)."""
    return move[1] >> 3 == HOME[move[0] >> 3 ^ 1]


class Search:
    """Alpha-beta over one round. `budget` is the number of positions it may look at."""

    def __init__(self, board: Board, budget: int) -> None:
        self.board = board
        self.budget = budget
        self.nodes = 0
        self._seen: dict[int, tuple[int, int, int, int]] = {}  # key -> depth, value, bound, square
        self._proofs: dict[int, tuple[int, int]] = {}  # key -> plies proved won in, not won in

    def won_by(self, tower: int) -> int:
        """What it is worth to bring this tower home."""
        return WIN + POINT * TOOTH_POINTS[min(self.board.teeth[tower], 3)]

    def value(self, tower: int, depth: int, low: int, high: int) -> int:
        """The value for the side of `tower`, which is to move and can. Quicker wins are worth more.

        Raises OutOfNodesError.
        """
        self._count()
        board = self.board
        if board.reaches(tower):
            return self.won_by(tower) + depth
        if depth == 0:
            return self._judged(tower)
        key = self._key(tower)
        known = self._seen.get(key)
        if known is not None and known[0] == depth and self._settles(known, low, high):
            return known[1]
        best, best_to, floor = -2 * WIN, NOWHERE, low
        for move in self._ordered(tower, NOWHERE if known is None else known[3]):
            worth = self.after(move, depth, floor, high)
            if worth > best:
                best, best_to = worth, move[1]
                floor = max(floor, best)
                if best >= high:
                    break
        self._seen[key] = (depth, best, -1 if best <= low else 1 if best >= high else 0, best_to)
        return best

    def after(self, move: Move, depth: int, low: int, high: int) -> int:
        """The value of a move for the side that makes it, `depth` plies ahead with the move itself."""
        board, tower = self.board, move[0]
        if enters(move):
            return self.won_by(tower) + depth
        back = board.at[tower]
        follower = play(board, move)
        try:
            if follower == MISSING:
                return 0
            if follower == DEADLOCK:  # M8: the tooth is for the tower of the last square's colour
                return -self.won_by((tower & 8 ^ 8) + COLOR[move[1]]) - depth
            if follower >> 3 == tower >> 3:
                return self.value(follower, depth - 1, low, high)
            return -self.value(follower, depth - 1, -high, -low)
        finally:
            unplay(board, move, back)

    def _ordered(self, tower: int, first: int) -> list[Move]:
        """Moves, the one to `first` first, then those that call no tower which wins at once."""
        board, answer = self.board, tower & 8 ^ 8

        def rank(move: Move) -> int:
            if move[1] == first:
                return 0
            called = answer + COLOR[move[1]]
            return 2 if board.at[called] >= 0 and board.reaches(called) else 1

        return sorted(moves(board, tower), key=rank)

    def _judged(self, tower: int) -> int:
        """A guess: towers that would win if they were called, and the room of the one that is."""
        board, side = self.board, tower & 8
        mine = sum(board.reaches(t) for t in range(side, side + 8) if board.at[t] >= 0)
        other = side ^ 8
        theirs = sum(board.reaches(t) for t in range(other, other + 8) if board.at[t] >= 0)
        teeth = sum(board.teeth[side : side + 8]) - sum(board.teeth[other : other + 8])
        return 20 * (mine - theirs) + len(board.steps(tower)) + teeth

    def wins_within(self, tower: int, side: int, plies: int) -> bool:
        """Whether `side` forces the win within so many plies when `tower` is to move.

        Raises OutOfNodesError.
        """
        self._count()
        board = self.board
        if board.reaches(tower):
            return tower >> 3 == side
        if plies <= 1 and (tower >> 3 == side or plies == 0):
            return False
        key = self._key(tower) ^ side
        won, not_won = self._proofs.get(key, (99, -1))
        if won <= plies:
            return True
        if not_won >= plies:
            return False
        proved = self._some(tower, side, plies) if tower >> 3 == side else self._all(tower, side, plies)
        self._proofs[key] = (plies, not_won) if proved else (won, plies)
        return proved

    def _some(self, tower: int, side: int, plies: int) -> bool:
        return any(self.proves(move, side, plies) for move in self._ordered(tower, NOWHERE))

    def _all(self, tower: int, side: int, plies: int) -> bool:
        return all(self.proves(move, side, plies) for move in moves(self.board, tower))

    def proves(self, move: Move, side: int, plies: int) -> bool:
        """Whether `side` forces the win within so many plies, this move being the first of them."""
        board, tower = self.board, move[0]
        if enters(move):
            return tower >> 3 == side
        back = board.at[tower]
        follower = play(board, move)
        try:
            if follower == DEADLOCK:
                return tower >> 3 != side
            return follower != MISSING and self.wins_within(follower, side, plies - 1)
        finally:
            unplay(board, move, back)

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.budget:
            raise OutOfNodesError

    @staticmethod
    def _settles(known: tuple[int, int, int, int], low: int, high: int) -> bool:
        _, worth, bound, _ = known
        return bound == 0 or (bound < 0 and worth <= low) or (bound > 0 and worth >= high)

    def _key(self, tower: int) -> int:
        table = keys()
        key = table[16][tower] << 1
        for number, square in enumerate(self.board.at):
            key ^= table[number][square] << 1
        return key
