"""The fast form of the search: it knows the same actions, outcomes and wins as the rules."""

from __future__ import annotations

import os
from typing import Any

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.rokumon import Rokumon, rules
from engines.rokumon.search import FIGHT, Search, as_move, as_play, position

ENGINE: Any = Rokumon()
COUNT = int(os.environ.get("HATAMOTO_COUNT", "6"))


def boards(act: int, games: int):
    """Boards of random play as the seat to act sees them, and that seat's view."""
    for game in range(games):
        chance = Chance(b"search %d" % game, act)
        state = ENGINE.setup(ENGINE.read_options({"act": act}), 2, Chance(b"deal %d" % game, 0)).state
        for _ in range(14):
            if ENGINE.result(state) is not None:
                break
            seat = min(ENGINE.to_act(state))
            if state.phase == "act":
                yield ENGINE.view(state, seat)
            action = random_action(ENGINE, state, seat, chance)
            if ENGINE.format(action) not in ("surrender", "resign", "takeback"):
                state = ENGINE.apply(state, seat, action, chance).state


def searching(view: Any) -> Any:
    board = view.board
    at = position(board)
    return Search(board.colors, 1 - board.mover if at.pool else None, (0, 0), 10**6), at


@pytest.mark.parametrize("act", [3, 4, 5, 6])
def test_the_search_knows_the_actions_wins_and_outcomes_of_the_rules(act):
    seen = 0
    for view in boards(act, COUNT):
        board = view.board
        search, at = searching(view)
        listed = list(rules.legal(board))
        sure = any(rules.surely(board, play, board.mover) for play in listed)
        assert search.wins(at, board.mover) == sure
        seen += sure
        if sure:
            continue
        alive = [
            play
            for play in listed
            if play.kind == "fight"
            or rules.after(board, play).winner != 1 - board.mover
            or play.kind == "surprise"
        ]
        moves = search.moves(at, surprises=True) + [
            as_move(at, play) for play in alive if play.kind == "fight"
        ]
        assert {as_play(at, move) for move in moves} == set(alive)
        for play in alive:
            move = as_move(at, play)
            if move[0] != FIGHT:
                there = position(rules.after(board, play).board)
                mine = search.after(at, move)
                order = [mine.cells.index(cell) for cell in there.cells]
                assert tuple(mine.tiles[n] for n in order) == there.tiles
                assert mine.supply == there.supply
                continue
            winners = [done.winner for done in rules.foreseen(board, play) if done.how != "no-action"]
            found = [decided for _, _, decided in search.ends_of(at, move[1])]
            sides = {1: board.mover, -1: 1 - board.mover, 0: None}
            assert [sides[decided] for decided in found] == winners
    assert seen
