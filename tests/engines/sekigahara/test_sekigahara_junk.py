"""Positions with parts missing, cut short or of the wrong kind: refused by a code, or playable."""

from __future__ import annotations

import copy
import os
from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import RulesError
from tests.engines.sekigahara.sekigahara_games import ENGINE, random_game

COUNT = int(os.environ.get("HATAMOTO_COUNT", "100"))
JUNK: list[Any] = [None, [], {}, "ishida", "mori2", 0, -1, 7, True, ["mori2"], ["mori"], "osaka", "over"]
DEEP = 4
PLIES = 12


def positions(seed: int) -> list[dict[str, Any]]:
    """Positions of a random game, every fight and some others."""
    states = [state for state, _seat, _action in random_game(seed)]
    return [ENGINE.position(state) for n, state in enumerate(states) if state.battle or n % 9 == 0]


def spoil(position: dict[str, Any], chance: Chance) -> None:
    """Takes one value somewhere in a position out, or puts another or half of it there."""
    node: Any = position
    for _ in range(1 + chance.below(DEEP)):
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = chance.pick(keys)
        inner = node[key]
        if isinstance(inner, dict | list) and inner and chance.below(2):
            node = inner
            continue
        how = chance.below(3)
        if how == 0:
            del node[key]
        elif how == 1 and isinstance(inner, list):
            node[key] = inner[: len(inner) // 2]
        else:
            node[key] = copy.deepcopy(chance.pick(JUNK))
        return


def check(seed: int, count: int) -> int:
    """Spoils positions of a game; those that are taken are played on. Returns how many were."""
    chance, pool, taken = Chance(b"junk", seed), positions(seed), 0
    for number in range(count):
        position = copy.deepcopy(chance.pick(pool))
        spoil(position, chance)
        try:
            state = ENGINE.from_position(position, Chance(b"junk", number)).state
        except RulesError:
            continue
        taken += 1
        play_on(state, chance)
    return taken


def play_on(state: Any, chance: Chance) -> None:
    """A few random legal actions; every position on the way comes back as it was."""
    for ply in range(PLIES):
        seats = sorted(ENGINE.to_act(state))
        if not seats:
            assert ENGINE.result(state) is not None
            return
        seat = chance.pick(seats)
        action = ENGINE.parse(chance.pick(ENGINE.legal(state, seat).actions), state, seat)
        state = ENGINE.apply(state, seat, action, Chance(b"played", ply)).state
        position = ENGINE.position(state)
        assert ENGINE.position(ENGINE.from_position(position, chance).state) == position


def test_a_spoilt_position_is_refused_by_a_code_or_played_on():
    assert check(1, 8)


@pytest.mark.long
def test_many_spoilt_positions_are_refused_by_a_code_or_played_on():
    assert all(check(seed, COUNT) for seed in range(3))
