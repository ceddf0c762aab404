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
    found = statistics(start, steps)
    seats = [line for line in found if line.code == "seat"]
    tower = next(line for line in found if line.code == "tower")
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


def test_a_curve_has_a_moment_a_season_and_ends_with_the_points():  # 16.11
    start, steps = played(b"statistics")
    final = steps[-1].state
    curves = [line.params for line in statistics(start, steps) if line.code == "curve"]
    assert [curve["seat"] for curve in curves] == [0, 1, 2]
    for curve in curves:
        assert len(curve["points"]) == 7  # the start, and three seasons of two years
        assert curve["points"][-1] == final.players[curve["seat"]].points
    scored = [e.params for step in steps for e in step.events if e.code == "scored"]
    for curve in curves:
        assert curve["points"][3] == next(p["points"] for p in scored if p["seat"] == curve["seat"])


def test_decisive_battles_and_records_are_what_the_log_says():  # 16.11
    start, steps = played(b"statistics")
    found = statistics(start, steps)
    battles = list(fought(start, steps))
    told = [line for line in found if line.code.startswith("battle-")]
    assert 0 < len(told) <= 3
    for line in told:
        params = line.params
        same = [
            b
            for b in battles
            if (b.year, b.season, b.province) == tuple(params[k] for k in ("year", "season", "province"))
        ]
        assert any(round(100 * b.chance) == params["chance"] and b.seat == params["seat"] for b in same)
        assert ("owner" in params) != line.code.endswith("-neutral")
    records = {line.code: line.params for line in found if line.code.startswith("record-")}
    assert records["record-largest"]["cubes"] == max(sum(b.counts) for b in battles)
    built = [e.params["seat"] for step in steps for e in step.events if e.code == "built"]
    assert records["record-builder"]["buildings"] == max(built.count(seat) for seat in range(3))
    lucky = [b.chance for b in battles if b.end == "won" or (b.end == "held" and b.owner is not None)]
    assert records["record-luckiest"]["chance"] == round(100 * min(lucky))


def test_a_game_that_has_just_begun_has_no_battles_and_no_records():  # 16.11
    start, _ = played(b"statistics", 0)
    codes = {line.code for line in statistics(start, [])}
    assert codes == {"seat", "tower", "curve"}
