"""The solved single round: what to play in the positions that good play leads to (book.json)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from engines.kamisado.board import Board

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
PLIES = 7  # within which a search proves what the book leaves out
START = ("g8", "g2")


@cache
def entries() -> dict[str, int]:
    """By position and tower to move, the square to go to."""
    data = json.loads(Path(__file__).with_name("book.json").read_text(encoding="ascii"))
    return {entry[:17]: DIGITS.index(entry[17]) for entry in data["entries"].split()}


def covers(board: Board) -> bool:
    """Whether the book is about such a board: all sixteen towers, none with teeth."""
    return not any(board.teeth) and min(board.at) >= 0


def book_move(board: Board, tower: int) -> int | None:
    """Where the book sends the tower that must move, or None where it does not say."""
    if not covers(board):
        return None
    turned = [square ^ 63 for square in (*board.at[8:], *board.at[:8])]  # White began, as in even rounds
    for squares, mover, turn in ((board.at, tower, 0), (turned, tower ^ 8, 63)):
        found = entries().get(_key(squares, mover))
        if found is not None:
            return found ^ turn
        mirrored = [square ^ 7 for square in (*squares[7::-1], *squares[:7:-1])]
        found = entries().get(_key(mirrored, mover ^ 7))
        if found is not None:
            return found ^ 7 ^ turn
    return None


def _key(squares: list[int], tower: int) -> str:
    return "".join(DIGITS[square] for square in squares) + f"{tower:x}"
