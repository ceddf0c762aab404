"""The built-in opponent of Rokumon's two-player acts. It knows its seat's view and nothing else.

Every level takes a sure win and, where it can, leaves none. Beyond that easy plays at random,
normal looks at rows in the making, hard also at the best answer; in acts 1 and 2, where nothing
is secret, hard plays from the solved deal (`solver`).
"""

from __future__ import annotations

from typing import Final

from engines.base import RulesError, View
from engines.chance import Chance
from engines.opponents import Level
from engines.rokumon import rules, solver
from engines.rokumon.data import GIANT, GIANT_KILLER, LETTERS, STRENGTH, Side
from engines.rokumon.model import Board, Play, RokumonView, alike, bare
from engines.rokumon.notation import as_action, write

LEVELS: Final[tuple[Level, ...]] = ("easy", "normal", "hard")

WIN: Final = 1000  # an act won, in the units of `worth`
WIDTH: Final = 12  # best actions that hard answers in its mind
THREAT: Final = 40  # a winning action that the other side is left with
UNKNOWN: Final = 3  # what a warrior of unknown value counts for in a Fight


def choose(view: View, level: Level, chance: Chance) -> str:
    """The action in canonical notation for the seat that has to act. Raises RulesError `not-your-turn`."""
    if not isinstance(view, RokumonView) or view.viewer is None or view.seat != view.viewer:
        raise RulesError("not-your-turn")
    if view.phase == "revenge":
        return f"revenge {answer_tokens(view)}"
    board, side = view.board, view.board.mover
    plays = list(rules.legal(board))
    wins = [play for play in plays if sure(view, board, play, side)]
    if wins:
        return as_text(view, wins[0])
    if level == "hard" and alike(board.act):
        return as_text(view, solver.best(board))
    return as_text(view, pick(board, safest(board, plays), level, chance))


def as_text(view: RokumonView, play: Play) -> str:
    """The action with the tokens that an attacker adds at once, in canonical notation."""
    added = opening_tokens(view, play) if play.kind == "fight" else 0
    return write(as_action(play._replace(added=added)))


def sure(view: RokumonView, board: Board, play: Play, side: Side) -> bool:
    """Whether the action surely wins; in a Fight the other side might add tokens."""
    if play.kind == "fight" and view.revenge.of(1 - side).up:
        return False
    return rules.surely(board, play, side)


# -- never a win missed, never one left -----------------------------------------------------


def safest(board: Board, plays: list[Play]) -> list[Play]:
    """The actions that may not lose at once and leave the other side the fewest winning ones."""
    alive = [play for play in plays if not may_lose(board, play)] or plays
    left = {play: threats(board, play) for play in alive}
    fewest = min(left.values())
    return [play for play in alive if left[play] == fewest]


def may_lose(board: Board, play: Play) -> bool:
    """Whether some outcome of the action hands the act over."""
    return any(done.winner == 1 - board.mover for done in rules.foreseen(board, play))


def threats(board: Board, play: Play) -> tuple[int, int]:
    """The other side's winning actions after the action, in its worst outcome: sure ones, possible ones."""
    open_ = [done.board for done in rules.foreseen(board, play) if done.winner is None]
    return max(((len(rules.winning(left)), len(winning_somehow(left))) for left in open_), default=(0, 0))


def winning_somehow(board: Board) -> list[Play]:
    """Actions of the side to act that win at once, a Fight if one of its outcomes does."""
    return [
        play
        for play in rules.legal(board)
        if any(done.winner == board.mover for done in rules.foreseen(board, play))
    ]


# -- which of the safe ones ------------------------------------------------------------------


def pick(board: Board, plays: list[Play], level: Level, chance: Chance) -> Play:
    """One of equally safe actions by the level's judgement; equal ones at random."""
    if level == "easy":
        return chance.pick(plays)
    marks = {play: worth_after(board, play) for play in plays}
    if level == "hard":
        best = sorted(plays, key=lambda play: -marks[play])[:WIDTH]
        marks = {play: marks[play] - answer(board, play) for play in best}
    most = max(marks.values())
    return chance.pick([play for play, mark in marks.items() if mark == most])


def worth_after(board: Board, play: Play) -> int:
    """What the board is worth to the side that acts after its action, on average."""
    outcomes = rules.foreseen(board, play)
    return sum(worth(done, board.mover) for done in outcomes) // len(outcomes)


def answer(board: Board, play: Play) -> int:
    """What the other side's best answer gains it, on average over the outcomes of the action."""
    outcomes = rules.foreseen(board, play)
    total = 0
    for done in outcomes:
        if done.winner is None:
            total += max(worth_after(done.board, reply) for reply in rules.legal(done.board))
    return total // len(outcomes)


def worth(done: rules.After, side: Side) -> int:
    """A board in units of a warrior on a line: own lines less the other's, and winning actions."""
    if done.winner is not None:
        return WIN if done.winner == side else -WIN
    board = done.board
    again = board._replace(mover=side, locked=None)
    return lines_held(board, side) - lines_held(board, 1 - side) + THREAT // 4 * bool(rules.winning(again))


def lines_held(board: Board, side: Side) -> int:
    """Own top warriors on every line, two on one counting more, and own warriors under each other."""
    own = LETTERS[side]
    top = [bool(stack) and stack[-1][0] == own for stack in board.stacks]
    held = 0
    for row in rules.lines(board.cells, board.act == 1):
        count = sum(top[n] for n in row)
        held += count * count
    pairs = sum(len(stack) == 2 and stack[0][0] == own == stack[1][0] for stack in board.stacks)
    return held + 2 * pairs


# -- revenge tokens --------------------------------------------------------------------------


def strengths(board: Board, at: str, side: Side) -> tuple[int, int, bool]:
    """The own and the other warrior's strength in a Fight as far as known, and whether tokens are vain."""
    own = next(bare(t) for t in board.stack_at(at) if t[0] == LETTERS[side])
    other = next(bare(t) for t in board.stack_at(at) if t[0] != LETTERS[side])
    vain = {own, other} == {GIANT, GIANT_KILLER}
    return STRENGTH.get(own, UNKNOWN), STRENGTH.get(other, UNKNOWN), vain


def opening_tokens(view: RokumonView, play: Play) -> int:
    """Tokens that the attacker adds with a Fight: just enough to win it, if that can be."""
    side = view.board.mover
    own, other, vain = strengths(view.board, play.target, side)
    lacking = other - own + 1
    return lacking if not vain and 0 < lacking <= view.revenge.of(side).up else 0


def answer_tokens(view: RokumonView) -> int:
    """Tokens added to the Fight that is on: just enough to be ahead, else to tie, else none."""
    fight, side = view.fight, view.board.mover
    if fight is None:
        raise RulesError("no-fight")
    own, other, vain = strengths(view.board, fight.at, side)
    lacking = other + fight.added.of(1 - side) - own - fight.added.of(side)
    up = view.revenge.of(side).up
    if vain or lacking < 0:
        return 0
    return lacking + 1 if lacking + 1 <= up else lacking if lacking <= up else 0
