"""How the game ends: at once, by points, by resignation (2)."""

from __future__ import annotations

from engines.protocol import Result, game_over
from engines.sekigahara import control
from engines.sekigahara.board import SEAT, Board
from engines.sekigahara.data import ISHIDA, OTHER, SIDES, TOKUGAWA, Side
from engines.sekigahara.model import Outcome, Reason


def instant(board: Board, blocks: list[str], disks: list[str]) -> bool:
    """Ends the game if these losses decide it (2.1); both leaders in one battle are Ishida's win."""
    if TOKUGAWA in blocks:
        finish(board, "ishida", "leader")
    elif ISHIDA in blocks:
        finish(board, "tokugawa", "leader")
    elif "hideyori" in disks:
        finish(board, "tokugawa", "hideyori")
    return board.phase == "over"


def by_points(board: Board) -> None:
    """Ends the game after week 7: more points win, a tie is Ishida's (2.2)."""
    finish(board, control.more(control.points(board)) or "ishida", "points")


def finish(board: Board, winner: Side, reason: Reason) -> None:
    """The game is over: used cards go to their discards, nothing is drawn."""
    if board.battle:
        for side in SIDES:
            board.discards[side].extend(board.battle.used[side])
    board.battle = None
    board.march = None
    board.sealed = {}
    board.phase = "over"
    board.outcome = Outcome(winner=winner, reason=reason)
    board.events.append(game_over(Result(winners=(SEAT[winner],), scores=scores(board), reason=reason)))


def resign(board: Board, side: Side) -> None:
    """Ends the game for a side that gives up (2.3)."""
    board.tell("resigned", seat=SEAT[side])
    finish(board, OTHER[side], "resign")


def scores(board: Board) -> tuple[int, int]:
    """Points by seat."""
    points = control.points(board)
    return points[SIDES[0]], points[SIDES[1]]
