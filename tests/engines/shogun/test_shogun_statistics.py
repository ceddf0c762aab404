"""What a finished game is summed up in."""

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Step
from engines.shogun.model import ShogunState
from engines.shogun.odds import battle_odds
from engines.shogun.statistics import fought, statistics
from tests.engines.shogun.shogun_scenes import ENGINE, loaded, position, province


def played(seed, plies=2000):
    """The start and the steps of a random game of three."""
    chance = Chance(seed, 0)
    start = ENGINE.setup(ENGINE.read_options({}), 3, chance)
    steps: list[Step[ShogunState]] = []
    state = start.state
    while (seats := sorted(ENGINE.to_act(state))) and len(steps) < plies:
        here = Chance(seed, len(steps) + 1)
        step = ENGINE.apply(state, seats[0], random_action(ENGINE, state, seats[0], here), here)
        steps.append(step)
        state = step.state
    return start, steps


def test_points_add_up_battles_are_all_there_and_the_tower_is_counted():
    start, steps = played(b"statistics")
    final = steps[-1].state
    *seats, tower = statistics(start, steps)
    for line in seats:
        params = line.params
        player = final.players[params["seat"]]
        assert params["points"] == player.points
        assert params["provinces"] + params["buildings"] + params["majorities"] == player.points
        assert params["inside"] == final.tower[params["seat"]]
        assert 0 <= params["won"] <= params["attacks"]
        assert 0 <= params["expected"] <= params["attacks"]
        assert 0 <= params["expected_held"] <= params["defences"]
    told = sum(e.code in ("attacked", "attacked-neutral") for step in steps for e in step.events)
    assert sum(line.params["attacks"] for line in seats) == told > 0
    assert tower.params == {"cubes": sum(final.tower), "farmers": final.tower[-1]}


def test_a_battle_is_expected_as_the_mover_was_told():
    given = position(
        {"Kai": province(0, 6), "Musashi": province(1, 3), "Aki": province(2, 3)},
        {0: {"battle_a": "Kai"}},
        first=("battle_a",),
        tower=(3, 2, 1, 4),
        tray=(0, 1, 0, 2),
        pending="battle",
    )
    given["options"] = {"tower": "measured"}
    state = loaded(given)
    told = battle_odds(ENGINE.view(state, 0), 0, "Musashi", 4)
    chance = Chance(b"expected", 1)
    step = ENGINE.apply(state, 0, ENGINE.parse("battle musashi 4", state, 0), chance)
    battle = next(fought(Step(state, ()), [step]))
    assert (battle.seat, battle.owner) == (0, 1)
    assert battle.odds == pytest.approx(told)
