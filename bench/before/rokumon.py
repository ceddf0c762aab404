"""The built-in opponent of Rokumon's two-player acts. It knows its seat's view and nothing else.

Every level takes a sure win and, where it can, leaves none. Beyond that easy plays at random,
normal looks at rows in the making, hard also at the best answer; in acts 1 and 2, where nothing
is secret, hard plays from the solved deal (`solver`).
"""

from __future__ import annotations

from typing import Final

from bench.before import rokumon_solver as solver
from bench.before.rokumon_duel import Up, at_stake, endings, pairs, strengths, vain
from engines.chance import Chance
from engines.opponents import Level
from engines.protocol import RulesError, View
from engines.rokumon import rules
from engines.rokumon.data import CLANS, LETTERS, Side
from engines.rokumon.model import Board, Play, RokumonView, alike
from engines.rokumon.notation import as_action, write

LEVELS: Final[tuple[Level, ...]] = ("easy", "normal", "hard")

WIN: Final = 1000  # an act won, in the units of `worth`
WIDTH: Final = 12  # best actions that hard answers in its mind
THREAT: Final = 40  # a winning action that the other side is left with


def choose(view: View, level: Level, chance: Chance) -> str:
    """The action in canonical notation for the seat that has to act. Raises RulesError `not-your-turn`."""
    if not isinstance(view, RokumonView) or view.viewer is None or view.seat != view.viewer:
        raise RulesError("not-your-turn")
    if view.phase == "revenge":
        return f"revenge {answer_tokens(view)}"
    board, up = view.board, (view.revenge.sanada.up, view.revenge.tokugawa.up)
    plays = list(rules.legal(board))
    wins = [play for play in plays if sure(board, play, up)]
    if wins:
        return as_text(view, wins[0])
    if level == "hard" and alike(board.act):
        return as_text(view, solver.best(board))
    return as_text(view, pick(board, safest(board, plays, up), level, chance))


def as_text(view: RokumonView, play: Play) -> str:
    """The action with the tokens that an attacker adds at once, in canonical notation."""
    added = tokens_for(view, play.target, view.board.mover, (0, 0)) if play.kind == "fight" else 0
    return write(as_action(play._replace(added=added)))


# -- never a win missed, never one left -----------------------------------------------------


def outcomes(board: Board, play: Play, up: Up) -> list[list[rules.After]]:
    """What the action can lead to: a list for each guess at unknown warriors, tokens reckoned with."""
    return endings(board, play, up) if play.kind == "fight" else [[rules.after(board, play)]]


def sure(board: Board, play: Play, up: Up) -> bool:
    """Whether the action wins, whatever is unknown and whatever tokens are added."""
    found = outcomes(board, play, up)
    return bool(found) and all(done.winner == board.mover for dones in found for done in dones)


def safest(board: Board, plays: list[Play], up: Up) -> list[Play]:
    """The actions that may not lose at once and leave the other side the fewest winning ones."""
    alive = [play for play in plays if not may_lose(board, play, up)] or plays
    left = {play: threats(board, play, up) for play in alive}
    fewest = min(left.values())
    return [play for play in alive if left[play] == fewest]


def may_lose(board: Board, play: Play, up: Up) -> bool:
    """Whether some outcome of the action hands the act over."""
    return any(done.winner == 1 - board.mover for dones in outcomes(board, play, up) for done in dones)


def threats(board: Board, play: Play, up: Up) -> tuple[int, int]:
    """The other side's winning actions after the action, in its worst outcome: sure ones, possible ones."""
    left = {done.board for dones in outcomes(board, play, up) for done in dones if done.winner is None}
    return max((winning(after, up) for after in left), default=(0, 0))


def winning(board: Board, up: Up) -> tuple[int, int]:
    """How many actions of the side to act win at once for sure, and how many for some unknown warriors."""
    certain = possible = 0
    for play in rules.legal(board):
        wins = [all(done.winner == board.mover for done in dones) for dones in outcomes(board, play, up)]
        certain += bool(wins) and all(wins)
        possible += any(wins)
    return certain, possible


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
    return (
        lines_held(board, side)
        - lines_held(board, 1 - side)
        + THREAT // 4 * any(rules.surely(again, play, side) for play in rules.legal(again))
    )


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


def answer_tokens(view: RokumonView) -> int:
    """Tokens added to the Fight that is on. Raises RulesError `no-fight`."""
    fight = view.fight
    if fight is None:
        raise RulesError("no-fight")
    attacker = CLANS.index(fight.attacker)
    return tokens_for(view, fight.at, attacker, (fight.added.sanada, fight.added.tokugawa))


def tokens_for(view: RokumonView, at: str, attacker: Side, added: Up) -> int:
    """Just enough to be ahead, else to tie, else none.

    Against the strongest warrior that it may be where the act is at stake, else against the average.
    """
    board, side = view.board, view.board.mover
    known = [pair for pair in pairs(board, at) if not vain(pair, at)]
    if not known:
        return 0
    others = [strengths(pair, at)[1 - side] for pair in known]
    other = max(others) if at_stake(board, at, attacker) else sum(others) // len(others)
    lacking = other + added[1 - side] - strengths(known[0], at)[side] - added[side]
    up = view.revenge.of(side).up
    if lacking < 0:
        return 0
    return lacking + 1 if lacking + 1 <= up else lacking if lacking <= up else 0
