"""Positions with one right answer, written from the rules (problems.json), and whether a level finds it.

want  `answers`: the action itself, any of these
      `wins`: the game is won before the other side has decided anything but its losses, or at its end
      `overruns`: so many blocks are overrun in the movement phase
      `holds`: the castle is the side's at the end of its movement phase
      `safe`: no march of one stack wins the game for the other side afterwards
asks  whose decision it is, where that is not the side whose turn it is; `play` leads up to it
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engines.chance import Chance
from engines.sekigahara import movement, opponent
from engines.sekigahara.board import SEAT, Board, Marching
from engines.sekigahara.data import OTHER, Side
from engines.sekigahara.marches import likely
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game

PROBLEMS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "problems.json").read_text(encoding="utf-8")
)
KNOWN = {"name", "why", "side", "phase", "places", "want", "asks", "play"}
ENOUGH = 60  # actions after which nothing more is expected


def begun(problem: dict[str, Any]) -> Game:
    """The position in which the side has to decide."""
    more = {key: value for key, value in problem.items() if key not in KNOWN}
    game = Game(problem["places"], active=problem["side"], phase=problem["phase"], **more)
    return game.play(*problem.get("play", ()))


def chosen(game: Game, seat: int, level: str) -> str:
    """What a level does."""
    chance = Chance(b"problem", game.entry)
    return str(opponent.choose(ENGINE.view(game.state, seat), level, chance))  # type: ignore[arg-type]


def solved(problem: dict[str, Any], level: str) -> bool:
    """Whether a level finds the answer."""
    game, want = begun(problem), problem["want"]
    side: Side = problem.get("asks", problem["side"])
    seat = SEAT[side]
    assert seat in game.acts, problem["name"]
    if "answers" in want:
        return chosen(game, seat, level) in want["answers"]
    overrun = 0
    for _ in range(ENOUGH):
        if game.phase == "over":
            break
        acts = game.acts[0]
        if "wins" not in want and (acts != seat or game.phase not in {"move", "march"}):
            break
        game.by(acts, chosen(game, acts, level))
        overrun += sum(e.params["n"] for e in game.events if e.code == "overrun" and e.params["seat"] == seat)
    if "wins" in want:
        result = ENGINE.result(game.state)
        return result is not None and result.winners == (seat,)
    if "overruns" in want:
        return bool(overrun >= want["overruns"])
    if "holds" in want:
        return bool(game.state.map[want["holds"]].holder == side)
    return not any_march_wins(game, OTHER[side])


def any_march_wins(game: Game, side: Side) -> bool:
    """Whether a march of one stack of this side would win at once, whatever it spends."""
    state = game.state.model_copy(update={"active": side, "phase": "march", "battle": None})
    board = Board.of(state, Chance(b"", 0))
    board.march = Marching(mode="total")
    for plan in list(likely(board, side, [])):
        after = Board.of(state, Chance(b"", 0))
        after.march = Marching(mode="total")
        movement.march_stack(after, plan.march())
        if after.outcome is not None and after.outcome.winner == side:
            return True
    return False
