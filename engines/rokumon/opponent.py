"""The built-in opponent of Rokumon's two-player acts. It knows its seat's view and nothing else.

Every level takes a sure win and, where it can, leaves none. Beyond that easy plays at random,
normal looks at rows in the making, hard searches ahead (`search`); in acts 1 and 2, where nothing is
secret, hard plays from the solved deal (`solver`).
"""

from __future__ import annotations

from typing import Final

from engines.chance import Chance
from engines.opponents import Level
from engines.protocol import RulesError, View
from engines.rokumon import rules, solver
from engines.rokumon.data import ACTS, CLANS, LETTERS, Side
from engines.rokumon.duel import Ahead, Up, at_stake, compared, ending, endings, pairs, strengths, vain
from engines.rokumon.model import Board, Play, RokumonView, alike
from engines.rokumon.notation import as_action, write
from engines.rokumon.search import WIN as SEARCH_WIN
from engines.rokumon.search import Search, as_move, as_play, position

LEVELS: Final[tuple[Level, ...]] = ("easy", "normal", "hard")

WIN: Final = 1000  # an act won, in the units of `worth`
HARD_NODES: Final = 16_000  # positions that hard looks at in acts 3 to 6
HARD_DEEPEST: Final = 12
TOKEN_NODES: Final = 1_500  # ... for each end that a Fight may come to, where tokens can be added
TOKEN_WORTH: Final = 150  # what a token face up is worth in each act to come, where an act is 10,000
WAYS: Final[tuple[Ahead, ...]] = (-1, 0, 1)
THREAT: Final = 40  # a winning action that the other side is left with


def choose(view: View, level: Level, chance: Chance) -> str:
    """The action in canonical notation for the seat that has to act. Raises RulesError `not-your-turn`."""
    if not isinstance(view, RokumonView) or view.viewer is None or view.seat != view.viewer:
        raise RulesError("not-your-turn")
    if level != "easy" and lost(view):
        return "resign"
    if view.phase == "revenge":
        return f"revenge {answer_tokens(view, level)}"
    board, up = view.board, (view.revenge.sanada.up, view.revenge.tokugawa.up)
    plays = list(rules.legal(board))
    wins = [play for play in plays if sure(board, play, up)]
    if wins:
        return as_text(view, wins[0])
    if level == "hard" and alike(board.act):
        return as_text(view, solver.best(board))
    if level == "hard":
        return as_text(view, looked_ahead(board, plays, up, chance), level)
    return as_text(view, pick(board, safest(board, plays, up), level, chance))


def looked_ahead(board: Board, plays: list[Play], up: Up, chance: Chance) -> Play:
    """The action of the most worth, as far as hard looks ahead; of equal ones any."""
    alive = [play for play in plays if not may_lose(board, play, up)] or plays
    if len(alive) == 1:
        return alive[0]
    at = position(board)
    hidden = 1 - board.mover if at.pool else None
    search = Search(board.colors, hidden, up, HARD_NODES)
    found = search.best(at, [as_move(at, play) for play in chance.shuffled(alive)], HARD_DEEPEST)
    return as_play(at, found[1])


def lost(view: RokumonView) -> bool:
    """Whether the story is lost, whoever wins the acts that are left."""
    side = view.board.mover
    behind = view.revenge.of(side).count - view.revenge.of(1 - side).count
    return view.story and not view.solo and behind > ACTS - view.act + 1


def accepts_draw(view: RokumonView) -> bool:
    """A draw is taken by who is behind in tokens, or in the last act does not lead."""
    if view.side is None or view.solo or not view.story:
        return False
    ahead = view.revenge.of(1 - view.side).count - view.revenge.of(view.side).count
    return ahead < 0 or (ahead == 0 and view.act == ACTS)


def as_text(view: RokumonView, play: Play, level: Level = "normal") -> str:
    """The action with the tokens that an attacker adds at once, in canonical notation."""
    reckon = weighed_tokens if level == "hard" else tokens_for
    added = reckon(view, play.target, view.board.mover, (0, 0)) if play.kind == "fight" else 0
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
    most = max(marks.values())
    return chance.pick([play for play, mark in marks.items() if mark == most])


def worth_after(board: Board, play: Play) -> int:
    """What the board is worth to the side that acts after its action, on average."""
    outcomes = rules.foreseen(board, play)
    return sum(worth(done, board.mover) for done in outcomes) // len(outcomes)


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


def answer_tokens(view: RokumonView, level: Level) -> int:
    """Tokens added to the Fight that is on. Raises RulesError `no-fight`."""
    fight = view.fight
    if fight is None:
        raise RulesError("no-fight")
    attacker = CLANS.index(fight.attacker)
    reckon = weighed_tokens if level == "hard" else tokens_for
    return reckon(view, fight.at, attacker, (fight.added.sanada, fight.added.tokugawa))


def weighed_tokens(view: RokumonView, at: str, attacker: Side, added: Up) -> int:
    """As many tokens as pay: what each end of the Fight is worth, as far as hard looks ahead, less the price.

    A token is kept for the Fights of the acts to come. The other side is taken to answer as suits it best.
    """
    board, side = view.board, view.board.mover
    up = (view.revenge.sanada.up, view.revenge.tokugawa.up)
    if not up[side]:
        return 0
    price = TOKEN_WORTH * (ACTS - view.act) + 1
    totals = [0] * (up[side] + 1)
    for pair in pairs(board, at):
        ways = {0: pair_worth(pair, at, attacker, 0, up)}
        if not vain(pair, at):
            ways |= {ahead: pair_worth(pair, at, attacker, ahead, up) for ahead in WAYS}
        gains = {ahead: worth if side == attacker else -worth for ahead, worth in ways.items()}
        both = strengths(pair, at)
        lead = both[side] + added[side] - both[1 - side] - added[1 - side]
        for count in range(up[side] + 1):
            ends = []
            for answer in range(up[1 - side] + 1):
                ahead = compared(lead + count, answer) if len(gains) > 1 else 0
                ends.append(gains[ahead if side == attacker else -ahead] + price * answer)
            totals[count] += min(ends) - price * count
    return totals.index(max(totals))


def pair_worth(pair: Board, at: str, attacker: Side, ahead: Ahead, up: Up) -> int:
    """What this end of a Fight of known warriors is worth to the attacker."""
    done = ending(pair, at, attacker, ahead)
    if done.winner is not None:
        return SEARCH_WIN if done.winner == attacker else -SEARCH_WIN
    there = position(done.board)
    hidden = 1 - pair.mover if there.pool else None
    search = Search(done.board.colors, hidden, up, TOKEN_NODES)
    if search.wins(there, there.mover):
        return -SEARCH_WIN
    listed = [as_move(there, play) for play in rules.legal(done.board)]
    return -search.best(there, listed, HARD_DEEPEST)[0] if listed else SEARCH_WIN


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
