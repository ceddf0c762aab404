"""Taroma, the automaton of the solo game: ten steps, the first that has a candidate (Solo 1-3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engines.rokumon import rules
from engines.rokumon.model import Board, Play, side_of


class Decision(NamedTuple):
    """The step that Taroma took and its action, None for SURRENDER."""

    step: str
    play: Play | None


def decide(board: Board) -> Decision:
    """What Taroma does on a board where it is to act (Solo 1).

    Ruling: no losing candidates.
    """
    plays = [play for play in rules.legal(board) if rules.after(board, play).winner != 1 - board.mover]
    for step, candidates in STEPS.items():
        found = list(candidates(board, plays))
        if found:
            return Decision(step, min(found, key=lambda play: preference(board, play)))
    return Decision("SURRENDER", None)


def preference(board: Board, play: Play) -> tuple[int, int, int]:
    """Among a step's candidates (Solo 3): fewest winning actions left to the human, then fewest pips."""
    done = rules.after(board, play)
    left = 0 if done.winner is not None else len(rules.winning(done.board))
    return left, pips(board, play.target), pips(board, play.origin)


def pips(board: Board, cell: str) -> int:
    """Pips of the tile at a cell; 0 for the supply that a Deploy comes from."""
    return board.pips[board.cells.index(cell)] if cell else 0


def lone(board: Board, cell: str) -> int | None:
    """The side of a warrior that is alone on its tile, else None."""
    stack = board.stack_at(cell)
    return side_of(stack[0]) if len(stack) == 1 else None


def conquer(board: Board, plays: list[Play]) -> Iterator[Play]:
    """CONQUER: an action that wins, leaving the human no action included."""
    return (play for play in plays if rules.after(board, play).winner == board.mover)


def cover(board: Board, plays: list[Play]) -> Iterator[Play]:
    """COVER: Move a lone own warrior onto a lone one of the human."""
    return (p for p in lone_moves(board, plays) if lone(board, p.target) == 1 - board.mover)


def block(board: Board, plays: list[Play]) -> Iterator[Play]:
    """BLOCK: Deploy so that the human has fewer winning actions than he has now."""
    now = len(rules.winning(board._replace(mover=1 - board.mover)))
    return (p for p in of(plays, "deploy") if now and preference(board, p)[0] < now)


def match(board: Board, plays: list[Play]) -> Iterator[Play]:
    """MATCH: Deploy on the colour that holds more of the human's lone warriors, either if equal (Solo 2).

    Ruling: the colour to match.
    """
    held = [board.color_at(cell) for cell in board.cells if lone(board, cell) == 1 - board.mover]
    most = max((held.count(color) for color in held), default=0)
    colors = {color for color in held if held.count(color) == most}
    return (play for play in of(plays, "deploy") if board.color_at(play.target) in colors)


def bolster(board: Board, plays: list[Play]) -> Iterator[Play]:
    """BOLSTER: Move a lone own warrior onto another lone own one."""
    return (p for p in lone_moves(board, plays) if lone(board, p.target) == board.mover)


def maneuver(board: Board, plays: list[Play]) -> Iterator[Play]:
    """MANEUVER: Move the own top of a stack onto any lone warrior."""
    return (p for p in retreat(board, plays) if lone(board, p.target) is not None)


def deploy(_board: Board, plays: list[Play]) -> Iterator[Play]:
    """DEPLOY: any."""
    return of(plays, "deploy")


def lone_moves(board: Board, plays: list[Play]) -> Iterator[Play]:
    """MOVE: a lone own warrior."""
    return (p for p in of(plays, "move") if lone(board, p.origin) is not None)


def retreat(board: Board, plays: list[Play]) -> Iterator[Play]:
    """RETREAT: Move the own top of a stack."""
    return (p for p in of(plays, "move") if lone(board, p.origin) is None)


def of(plays: list[Play], kind: str) -> Iterator[Play]:
    """The actions of one kind."""
    return (play for play in plays if play.kind == kind)


STEPS: dict[str, Callable[[Board, list[Play]], Iterator[Play]]] = {
    "CONQUER": conquer,
    "COVER": cover,
    "BLOCK": block,
    "MATCH": match,
    "BOLSTER": bolster,
    "MANEUVER": maneuver,
    "DEPLOY": deploy,
    "MOVE": lone_moves,
    "RETREAT": retreat,
}
