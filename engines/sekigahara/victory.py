"""How the game ends: at once, by points, by resignation (2)."""

from __future__ import annotations

from engines.sekigahara import control
from engines.sekigahara.board import SEAT, Board
from engines.sekigahara.data import ISHIDA, OTHER, SIDES, TOKUGAWA, Side


def instant(board: Board, blocks: list[str], disks: list[str]) -> bool:
    """Ends the game if these losses decide it (2.1); both leaders in one battle are Ishida's win."""
    if TOKUGAWA in blocks:
        board.finish("ishida", "leader")
    elif ISHIDA in blocks:
        board.finish("tokugawa", "leader")
    elif "hideyori" in disks:
        board.finish("tokugawa", "hideyori")
    return board.phase == "over"


def by_points(board: Board) -> None:
    """Ends the game after week 7: more points win, a tie is Ishida's (2.2)."""
    board.finish(control.more(control.points(board)) or "ishida", "points")


def resign(board: Board, side: Side) -> None:
    """Ends the game for a side that gives up (2.3)."""
    board.tell("resigned", seat=SEAT[side])
    board.finish(OTHER[side], "resign")


def scores(board: Board) -> tuple[int, int]:
    """Points by seat."""
    points = control.points(board)
    return points[SIDES[0]], points[SIDES[1]]
