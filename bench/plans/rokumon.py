"""Two plain plans of Rokumon: rows of one's own, and on top of whatever the other side has."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from engines.chance import Chance
from engines.protocol import View
from engines.rokumon import rules
from engines.rokumon.data import LETTERS, Side
from engines.rokumon.model import Board, Play, RokumonView
from engines.rokumon.notation import as_action, write


def rows(view: View, chance: Chance) -> str:
    """A win, no win for the other side, else the most own warriors in line."""

    def worth(board: Board, side: Side) -> int:
        top = [stack[-1][0] if stack else "" for stack in board.stacks]
        return sum(
            [top[n] for n in row].count(LETTERS[side]) ** 2
            for row in rules.lines(board.cells, board.act == 1)
        )

    return chosen(cast(RokumonView, view), chance, worth)


def over(view: View, chance: Chance) -> str:
    """A win, no win for the other side, else the most own warriors on top, on others' twice."""

    def worth(board: Board, side: Side) -> int:
        own = [stack for stack in board.stacks if stack and stack[-1][0] == LETTERS[side]]
        return sum(1 + 2 * any(token[0] != LETTERS[side] for token in stack) for stack in own)

    return chosen(cast(RokumonView, view), chance, worth)


def chosen(view: RokumonView, chance: Chance, worth: Callable[[Board, Side], int]) -> str:
    """The action of the highest worth to the side, on average of what a Fight may come to; no tokens."""
    if view.phase == "revenge":
        return "revenge 0"
    board = view.board
    marks = {play: marked(board, play, worth) for play in rules.legal(board)}
    most = max(marks.values())
    return write(as_action(chance.pick([play for play, mark in marks.items() if mark == most])))


def marked(board: Board, play: Play, worth: Callable[[Board, Side], int]) -> float:
    """What an action is worth: what it decides, what the other side could win, then the plan's own."""
    side, total = board.mover, 0.0
    ends = rules.foreseen(board, play)
    for end in ends:
        if end.winner is not None:
            total += 1000 if end.winner == side else -1000
            continue
        loses = any(rules.surely(end.board, answer, 1 - side) for answer in rules.legal(end.board))
        total += worth(end.board, side) - 500 * loses
    return total / len(ends)


PLANS = {"greedy-rows": rows, "greedy-over": over}
