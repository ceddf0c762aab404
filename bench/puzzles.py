"""`python -m bench.puzzles kamisado|rokumon`: positions with one right answer, for tests/engines/<game>.

They come from games of the plain plans and of random play, none of the opponent's own, and are proved by
plain search over the rules: an only move that wins by force, or the only one after which the other side
cannot win at once. The file is written anew: a seed gives the same positions everywhere.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import arena
from engines.chance import Chance
from engines.kamisado.board import INDEX, Board
from engines.kamisado.model import KamisadoView
from engines.kamisado.search import Move, enters, moves, play, unplay
from engines.protocol import Json, State
from engines.registry import engine
from engines.rokumon import rules
from engines.rokumon.model import Play, RokumonView
from engines.rokumon.notation import as_action, write
from engines.rokumon.search import Search, position

TESTS = Path(__file__).parent.parent / "tests" / "engines"
MIXED = (("random", "random"), ("random", None), (None, "random"), (None, None))  # None: a plan
Puzzle = dict[str, Json]


def games(game: str, options: Json) -> Iterator[tuple[State, int]]:
    """Positions of games without the opponent, and the seat to act."""
    engine_, plans = engine(game), sorted(arena.plans(game))
    number = 0
    while True:
        number += 1
        key = f"puzzle {game} {number}".encode()
        names = [name or plans[number % len(plans)] for name in MIXED[number % len(MIXED)]]
        minds = [arena.chooser(game, name) for name in names]
        state = engine_.setup(engine_.read_options(options), 2, Chance(key, 0)).state
        for entry in range(1, 120):
            acting = sorted(engine_.to_act(state))
            if not acting:
                break
            seat = acting[0]
            yield state, seat
            action = arena.decided(game, state, seat, minds[seat], Chance(key + b"%d" % seat, entry))
            if engine_.format(action) in ("resign", "surrender", "takeback"):
                break
            state = engine_.apply(state, seat, action, Chance(key, entry)).state


# -- Kamisado --------------------------------------------------------------------------------------


def forces(board: Board, tower: int, side: int, plies: int) -> bool:
    """Whether the side wins within so many plies when this tower is to move."""
    listed = moves(board, tower)
    found = (forced_by(board, move, side, plies) for move in listed)
    return any(found) if tower >> 3 == side else bool(listed) and all(found)


def forced_by(board: Board, move: Move, side: int, plies: int) -> bool:
    """The same, this move being the first of them."""
    if enters(move):
        return move[0] >> 3 == side
    if plies <= 1:
        return False
    back = board.at[move[0]]
    follower = play(board, move)
    won = (
        move[0] >> 3 != side if follower == -1 else follower >= 0 and forces(board, follower, side, plies - 1)
    )
    unplay(board, move, back)
    return won


def of_kamisado(wanted: dict[str, int]) -> Iterator[Puzzle]:
    """Puzzles by kind: `save` the only move that does not lose at once, `win-3` and `win-5` plies."""
    found: Counter[str] = Counter()
    for number, (state, seat) in enumerate(games("kamisado", {"match": "long"})):
        if sum(found.values()) == sum(wanted.values()):
            return
        view = engine("kamisado").view(state, seat)
        if not isinstance(view, KamisadoView) or view.phase != "move" or view.forced is None or number % 3:
            continue
        board = Board(view.towers)
        by_text: dict[str, Move] = {}
        for target in view.targets:
            tower = board.who[INDEX[target.from_]]
            line = board.line(tower) if target.kind == "push" else 0
            by_text[f"{target.from_}{'x' if line else '-'}{target.to}"] = (tower, INDEX[target.to], line)
        if len(by_text) < 4 or any(map(enters, by_text.values())):
            continue
        kind, right = "", list[str]()
        safe = [text for text, move in by_text.items() if not forced_by(board, move, 1 - seat, 2)]
        if len(safe) == 1:
            kind, right = "save", safe
        for plies in (3, 5):
            won = [text for text in safe if forced_by(board, by_text[text], seat, plies)]
            if won:
                kind, right = f"win-{plies}", won
                break
        if len(right) == 1 and found[kind] < wanted.get(kind, 0):
            found[kind] += 1
            yield {
                "kind": kind,
                "seat": seat,
                "answer": right[0],
                "position": engine("kamisado").position(state),
            }


# -- Rokumon ---------------------------------------------------------------------------------------


def winning(board: Any) -> bool:
    """Whether the side to act surely wins at once (a test compares it with the rules)."""
    at = position(board)
    return Search(board.colors, None, (0, 0), 0).wins(at, board.mover)


def wins_in_three(board: Any, one: Play) -> bool:
    """Whether the side to act wins by its next action, whatever the other does. All warriors are known."""
    side, done = board.mover, rules.after(board, one)
    if done.winner is not None:
        return False
    for answer in rules.legal(done.board):
        after = rules.after(done.board, answer)
        if after.winner == 1 - side or (after.winner is None and not winning(after.board)):
            return False
    return True


def of_rokumon(wanted: dict[str, int]) -> Iterator[Puzzle]:
    """Puzzles by kind: `win` at once, `save` from losing at once, `win-3` plies with warriors open."""
    found: Counter[str] = Counter()
    sources = [games("rokumon", {"act": act}) for act in (6, 3, 6, 4, 6, 5)]
    number = 0
    while sum(found.values()) < sum(wanted.values()):
        number += 1
        state, seat = next(sources[number % len(sources)])
        if number % 4:
            continue
        view = engine("rokumon").view(state, seat)
        if not isinstance(view, RokumonView) or view.phase != "act":
            continue
        board = view.board
        listed = list(rules.legal(board))
        right = [one for one in listed if rules.surely(board, one, board.mover)]
        kind = "win"
        if not right:
            kind = "save"
            right = [one for one in listed if holds(board, one)]
            if len(right) > 1 and board.act == 6 and found["win-3"] < wanted["win-3"]:
                kind, right = "win-3", [one for one in right if wins_in_three(board, one)]
        if len(right) == 1 and len(listed) > 8 and found[kind] < wanted[kind]:
            found[kind] += 1
            text = write(as_action(right[0]))
            yield {"kind": kind, "seat": seat, "answer": text, "position": engine("rokumon").position(state)}


def holds(board: Any, one: Play) -> bool:
    """Whether the other side has, after every end of this action, no sure win at once, and has not won."""
    ends = rules.foreseen(board, one)
    return all(
        end.winner != 1 - board.mover and (end.winner is not None or not winning(end.board)) for end in ends
    )


WANTED = {
    "kamisado": {"save": 12, "win-3": 20, "win-5": 16},
    "rokumon": {"win": 8, "save": 20, "win-3": 20},
}
MADE = {"kamisado": of_kamisado, "rokumon": of_rokumon}


def main() -> None:
    """Writes the positions of the games that are named."""
    for game in sys.argv[1:]:
        found = []
        for puzzle in MADE[game](WANTED[game]):
            found.append(puzzle)
            print(game, len(found), puzzle["kind"], puzzle["answer"], flush=True)
        path = TESTS / game / "right_answers.json"
        lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in found)
        path.write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
