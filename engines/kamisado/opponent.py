"""The built-in opponent. It plays on a view alone, with fixed budgets of positions looked at.

Every level wins when it can at once and never walks into an avoidable loss at once. Hard plays
the solved single round by the book and proves what the book leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.chance import Chance
from engines.kamisado.board import INDEX, Board
from engines.kamisado.book import PLIES, START, book_move, covers
from engines.kamisado.data import COLORS, SIDES, SQUARES
from engines.kamisado.model import End, KamisadoView
from engines.kamisado.rules import refilled
from engines.kamisado.search import POINT, WIN, Move, OutOfNodesError, Search, enters, moves
from engines.opponents import Level
from engines.protocol import RulesError

LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")

NORMAL_DEPTH = 3
HARD_LEAST = 6  # plies that hard always looks ahead
HARD_MOST = 20
HARD_NODES = 120_000  # positions after which it looks no deeper
PROOF_NODES = 150_000  # ... in which it looks for a proof
UNBOUNDED = 10**9
DRAWN_FROM = 10  # towers of both sides on their first row
FILL_DEPTH = 2  # normal's plies into the next round, for each end
FILL_NODES = 40_000  # positions after which hard looks no deeper into it

ENDS: tuple[End, End] = ("left", "right")
Stake = tuple[int, int]  # points that each side needs to win the match


def choose(view: KamisadoView, level: Level, chance: Chance) -> str:
    """The action of the seat `view.viewer`. Raises RulesError `not-your-turn`."""
    if view.viewer is None or view.viewer != view.to_act:
        raise RulesError("not-your-turn", seat=view.viewer)
    if view.phase == "fill":
        return f"fill {_end(view, level, chance)}"
    board = Board(view.towers)
    open_ = open_moves(view, board)
    if level != "easy" and lost(view, board, open_):
        return "resign"
    move = _move(board, open_, view.forced is None, level, chance, needed(view))
    start, to = SQUARES[board.at[move[0]]], SQUARES[move[1]]
    return f"{start}{'x' if move[2] else '-'}{to}"


def open_moves(view: KamisadoView, board: Board) -> list[Move]:
    """The view's legal moves on the fast board."""
    found = []
    for target in view.targets:
        tower = board.who[INDEX[target.from_]]
        found.append((tower, INDEX[target.to], board.line(tower) if target.kind == "push" else 0))
    return found


def lost(view: KamisadoView, board: Board, open_: Sequence[Move]) -> bool:
    """Whether every move lets the other side win the match at once, whatever it is."""
    search, theirs = Search(board, UNBOUNDED), view.score.of("black" if view.to_move == "white" else "white")
    for move in open_:
        worth = -search.after(move, 1, -3 * WIN, 3 * WIN)
        points = 1 if view.match == "series" else (worth - WIN) // POINT
        if enters(move) or worth < WIN or theirs + points < view.target:
            return False
    return True


def accepts_draw(view: KamisadoView) -> bool:
    """A draw is taken by who does not lead, where the other side's next move looks no worse than its own.

    Not while more than DRAWN_FROM towers stand on their first row: a game that has hardly begun is played.
    """
    if view.viewer is None or view.phase != "move" or view.to_act is None or view.forced is None:
        return False
    if view.score.of(SIDES[view.viewer]) > view.score.of(SIDES[1 - view.viewer]):
        return False
    home = dict(zip(SIDES, "81", strict=True))
    if sum(tower.square[1] == home[tower.owner] for tower in view.towers) > DRAWN_FROM:
        return False
    board = Board(view.towers)
    worth = _ranked(Search(board, UNBOUNDED), open_moves(view, board), NORMAL_DEPTH)[0]
    return worth <= 0 if view.to_act == view.viewer else worth >= 0


def needed(view: KamisadoView) -> tuple[int, int]:
    """Points that Black and White need to win the match."""
    scores = (view.score.black, view.score.white)
    left = (max(1, view.target - scores[0]), max(1, view.target - scores[1]))
    return (99, 99) if view.match == "series" else left


def _move(  # noqa: PLR0917 - a position, who plays, and for what
    board: Board, open_: list[Move], first: bool, level: Level, chance: Chance, stake: Stake
) -> Move:
    winning = [move for move in open_ if enters(move)]
    if winning:
        return max(winning, key=lambda move: board.teeth[move[0]])
    open_ = _safe(board, open_)
    if level == "hard":
        return _hard(board, open_, first, stake)
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


def _hard(board: Board, open_: list[Move], first: bool, stake: Stake) -> Move:
    if first and covers(board) and _is_opening(board):
        turn = 63 * (open_[0][0] >> 3)  # White's side of the board is Black's, turned round
        return board.who[INDEX[START[0]] ^ turn], INDEX[START[1]] ^ turn, 0
    if not first:
        to = book_move(board, open_[0][0])
        if to is not None:
            return open_[0][0], to, 0
        proved, open_ = _proof(board, open_)
        if proved is not None:
            return proved
    return _deepest(board, open_, stake)


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


def _deepest(board: Board, open_: list[Move], stake: Stake) -> Move:
    """The best move of ever deeper searches: HARD_LEAST plies always, then within the budget."""
    search = Search(board, UNBOUNDED, stake)
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
    worth: dict[End, int] = {}
    for depth in range(FILL_DEPTH, HARD_LEAST + 1):
        try:
            worth = {end: _challenge(view, view.to_act, end, depth) for end in ENDS}
        except OutOfNodesError:
            break
        if level != "hard":
            break
    return min(ENDS, key=lambda end: worth[end])


def _challenge(view: KamisadoView, defender: int, end: End, depth: int) -> int:
    """What the next round is worth to the challenger after a refill from `end`. Raises OutOfNodesError."""
    board = Board(refilled(view.towers, end))
    challenger = range(8 * (1 - defender), 8 * (1 - defender) + len(COLORS))
    firsts = [
        move for tower in challenger if board.at[tower] >= 0 for move in moves(board, tower, first=True)
    ]
    if not firsts:
        return 0
    budget = UNBOUNDED if depth == FILL_DEPTH else FILL_NODES
    return _ranked(Search(board, budget, needed(view)), firsts, depth)[0]
