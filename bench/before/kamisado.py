"""The built-in opponent. It plays on a view alone, with fixed budgets of positions looked at.

Every level wins when it can at once and never walks into an avoidable loss at once. Hard plays
the solved single round by the book and proves what the book leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence

from bench.before.kamisado_search import WIN, Move, OutOfNodesError, Search, enters, moves
from engines.chance import Chance
from engines.kamisado.board import INDEX, Board
from engines.kamisado.book import PLIES, START, book_move, covers
from engines.kamisado.data import COLORS, SQUARES
from engines.kamisado.model import End, KamisadoView
from engines.kamisado.rules import refilled
from engines.opponents import Level
from engines.protocol import RulesError

LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")

NORMAL_DEPTH = 3
HARD_LEAST = 6  # plies that hard always looks ahead
HARD_MOST = 20
HARD_NODES = 25_000  # positions after which it looks no deeper
PROOF_NODES = 60_000  # ... in which it looks for a proof
UNBOUNDED = 10**9
FILL_DEPTH = 2

ENDS: tuple[End, End] = ("left", "right")


def choose(view: KamisadoView, level: Level, chance: Chance) -> str:
    """The action of the seat `view.viewer`. Raises RulesError `not-your-turn`."""
    if view.viewer is None or view.viewer != view.to_act:
        raise RulesError("not-your-turn", seat=view.viewer)
    if view.phase == "fill":
        return f"fill {_end(view, level, chance)}"
    board = Board(view.towers)
    move = _move(board, open_moves(view, board), view.forced is None, level, chance)
    start, to = SQUARES[board.at[move[0]]], SQUARES[move[1]]
    return f"{start}{'x' if move[2] else '-'}{to}"


def open_moves(view: KamisadoView, board: Board) -> list[Move]:
    """The view's legal moves on the fast board."""
    found = []
    for target in view.targets:
        tower = board.who[INDEX[target.from_]]
        found.append((tower, INDEX[target.to], board.line(tower) if target.kind == "push" else 0))
    return found


def _move(board: Board, open_: list[Move], first: bool, level: Level, chance: Chance) -> Move:
    winning = [move for move in open_ if enters(move)]
    if winning:
        return max(winning, key=lambda move: board.teeth[move[0]])
    open_ = _safe(board, open_)
    if level == "hard":
        return _hard(board, open_, first)
    if level == "normal":
        return chance.pick(_best(Search(board, UNBOUNDED), open_, NORMAL_DEPTH))
    return chance.pick(open_)


def _safe(board: Board, open_: list[Move]) -> list[Move]:
    """The moves that do not lose at once; all of them where every one does."""
    search = Search(board, UNBOUNDED)
    kept = [move for move in open_ if search.after(move, 1, -3 * WIN, 3 * WIN) > -WIN]
    return kept or open_


def _best(search: Search, open_: list[Move], depth: int) -> list[Move]:
    """The moves of the highest value so many plies ahead."""
    worth = {move: search.after(move, depth, -3 * WIN, 3 * WIN) for move in open_}
    return [move for move in open_ if worth[move] == max(worth.values())]


def _hard(board: Board, open_: list[Move], first: bool) -> Move:
    if first and covers(board) and _is_opening(board) and open_[0][0] >> 3 == 0:
        return board.who[INDEX[START[0]]], INDEX[START[1]], 0
    if not first:
        to = book_move(board, open_[0][0])
        if to is not None:
            return open_[0][0], to, 0
        proved, open_ = _proof(board, open_)
        if proved is not None:
            return proved
    return _deepest(board, open_)


def _is_opening(board: Board) -> bool:
    """Whether every tower stands on its own colour."""
    squares = [*(63 - file for file in range(8)), *range(8)]
    return board.at == squares


def _proof(board: Board, open_: list[Move]) -> tuple[Move | None, list[Move]]:
    """A move proved to win within PLIES; else None and the moves that lose latest, or not at all."""
    search, side = Search(board, PROOF_NODES if not covers(board) else UNBOUNDED), open_[0][0] >> 3
    try:
        for plies in range(1, PLIES + 1):
            for move in open_ if plies % 2 else ():
                if search.proves(move, side, plies):
                    return move, open_
            holding = [move for move in open_ if not search.proves(move, 1 - side, plies + 1)]
            if not holding:
                return None, open_
            open_ = holding
    except OutOfNodesError:
        pass  # the budget is what ends a hopeless search
    return None, open_


def _deepest(board: Board, open_: list[Move]) -> Move:
    """The best move of ever deeper searches: HARD_LEAST plies always, then within the budget."""
    search = Search(board, UNBOUNDED)
    order = list(open_)
    for depth in range(2, HARD_MOST + 1):
        if depth > HARD_LEAST:
            search.budget = HARD_NODES
        try:
            best, order = _ranked(search, order, depth)
        except OutOfNodesError:
            break
        if abs(best) >= WIN or len(order) == 1:
            break
    return order[0]


def _ranked(search: Search, order: Sequence[Move], depth: int) -> tuple[int, list[Move]]:
    """The value of the best move, and the moves with that one first."""
    low, found = -3 * WIN, order[0]
    for move in order:
        worth = search.after(move, depth, low, 3 * WIN)
        if worth > low:
            low, found = worth, move
    return low, [found, *(move for move in order if move != found)]


def _end(view: KamisadoView, level: Level, chance: Chance) -> End:
    """The end to fill from: the one whose best first move is worth least to the challenger."""
    if level == "easy" or view.to_act is None:
        return chance.pick(ENDS)
    worth = {end: _challenge(view, view.to_act, end) for end in ENDS}
    return min(ENDS, key=lambda end: worth[end])


def _challenge(view: KamisadoView, defender: int, end: End) -> int:
    """What the next round is worth to the challenger after a refill from `end`."""
    board = Board(refilled(view.towers, end))
    challenger = range(8 * (1 - defender), 8 * (1 - defender) + len(COLORS))
    firsts = [
        move for tower in challenger if board.at[tower] >= 0 for move in moves(board, tower, first=True)
    ]
    if not firsts:
        return 0
    return _ranked(Search(board, UNBOUNDED), firsts, FILL_DEPTH)[0]
