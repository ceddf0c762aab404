"""What a march, a battle, a muster or a deployment would lead to, from what its side may know (16.7)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.sekigahara.data import OTHER, SIDES
from tests.engines.sekigahara.sekigahara_games import random_game
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game
from tests.engines.sekigahara.test_sekigahara_secrets import permuted

HOME = {"osaka": "ishida-leader |", "edo": "| tokugawa-leader"}


def seen(game: Game, action: str, seat: int = 0, *, odds: bool = False) -> dict[str, Any]:
    """What is foreseen, by code."""
    return {one.code: one.params for one in ENGINE.foresee(ENGINE.view(game.state, seat), action, odds=odds)}


def moving(places: dict[str, str], active: str = "ishida", **more: Any) -> Game:
    return Game({**HOME, **places}, phase="move", active=active, **more).play("move minimal")


def test_a_march_meets_a_battle_and_its_odds_come_on_request():
    game = moving({"kyoto": "mori2 ukita2 ukita3 |", "minakuchi": "| date2"})
    march = "march kyoto mori2 ukita2 ukita3 > minakuchi"
    assert seen(game, march)["battle"] == {"at": "minakuchi", "mine": 3, "theirs": 1}
    assert "odds" not in seen(game, march)
    odds = seen(game, march, odds=True)["odds"]
    assert odds["at"] == "minakuchi"
    assert 0 <= odds["n"] <= 100
    assert odds["own"] >= 0
    assert odds["theirs"] >= 0


def test_blocks_that_already_stand_there_fight_too():
    game = moving({"kyoto": "mori2 |", "minakuchi": "ukita2 ukita3 | date2 date3"})
    assert seen(game, "march kyoto mori2 > minakuchi")["battle"] == {
        "at": "minakuchi",
        "mine": 3,
        "theirs": 2,
    }


def test_an_overrun_is_certain_and_fights_nobody():
    game = moving({"kyoto": "mori2 ukita2 ukita3 kobayakawa2 |", "minakuchi": "| date2"})
    found = seen(game, "march kyoto mori2 ukita2 ukita3 kobayakawa2 > minakuchi > kuwana", odds=True)
    assert found["overrun"] == {"at": "minakuchi", "n": 1}
    assert "battle" not in found


def test_a_castle_may_be_gone_into_and_a_besieged_one_is_a_siege():
    game = moving({"gifu": "mori2 ukita2 |", "kiyosu": "mori3 |", "okazaki": "| fukushima2"})
    assert seen(game, "march kiyosu mori3 > okazaki")["castle"] == {"at": "okazaki", "mine": 1, "theirs": 1}
    shut = moving({"kiyosu": "mori3 |", "okazaki": "mori2 | fukushima2 besieged"})
    assert seen(shut, "march kiyosu mori3 > okazaki")["siege"]["mine"] == 2


def test_a_disk_alone_makes_a_siege():
    game = moving({"saku": "| tokugawa3 date2"}, active="tokugawa")
    assert seen(game, "march saku tokugawa3 date2 > ueda", 1)["siege"] == {
        "at": "ueda",
        "mine": 2,
        "theirs": 0,
    }


def test_a_leader_in_a_fight_is_warned_of():
    game = moving({"kyoto": "ukita2 |", "minakuchi": "| date2", "osaka": "ishida-leader mori2 |"})
    found = seen(game, "march osaka ishida-leader mori2 > kyoto > minakuchi")
    assert found["leader"]["what"] == "ishida-leader"


def check_points(seeds: range) -> int:
    """Points foreseen for marches that meet nobody are the points that follow; how many were compared."""
    compared = 0
    for seed in seeds:
        for state, seat, action in random_game(seed):
            if seat is None or action is None or action.type not in ("march", "muster"):
                continue
            view = ENGINE.view(state, seat)
            told = {one.code: one.params for one in ENGINE.foresee(view, ENGINE.format(action), odds=False)}
            after = ENGINE.apply(state, seat, action, Chance(b"after", seed)).state
            if after.phase == "over":
                continue
            now = ENGINE.view(after, None).points
            expected = told.get(
                "points", {"ishida": view.points["ishida"], "tokugawa": view.points["tokugawa"]}
            )
            assert expected == now, (seed, ENGINE.format(action))
            compared += 1
    return compared


def test_the_points_foreseen_are_the_points_that_follow():
    assert check_points(range(3)) > 30


@pytest.mark.long
def test_the_points_foreseen_are_the_points_that_follow_in_many_games():
    assert check_points(range(10, 60)) > 500


def test_what_is_foreseen_follows_from_the_own_view_alone():
    compared = 0
    for state, seat, action in random_game(0):
        if seat is None or action is None or action.type not in ("march", "combat", "deploy"):
            continue
        mixed = permuted(state, OTHER[SIDES[seat]], Chance(b"foresight", 0))
        text = ENGINE.format(action)
        first = ENGINE.foresee(ENGINE.view(state, seat), text, odds=True)
        assert first == ENGINE.foresee(ENGINE.view(mixed, seat), text, odds=True)
        compared += 1
    assert compared > 20


def test_a_spectator_foresees_nothing_and_neither_does_nonsense():
    game = moving({"kyoto": "mori2 |", "minakuchi": "| date2"})
    view = ENGINE.view(game.state, None)
    assert ENGINE.foresee(view, "march kyoto mori2 > minakuchi", odds=True) == ()
    own = ENGINE.view(game.state, 0)
    assert ENGINE.foresee(own, "march nowhere", odds=True) == ()
    assert ENGINE.foresee(own, "end", odds=True) == ()


def test_a_deployment_says_what_it_adds():
    march = {"mode": "total", "activated": ["kyoto"], "entered": {"kiyosu": ["kuwana"]}}
    game = Game({**HOME, "kiyosu": "mori3 mori2 | maeda2"}, phase="combat", march=march)
    game.play("combat kiyosu")
    seat = min(ENGINE.to_act(game.state))
    action = random_action(ENGINE, game.state, seat, Chance(b"deploy", 0))
    text = ENGINE.format(action)
    if action.type != "deploy":
        text = next(a for a in ENGINE.legal(game.state, seat).actions if a.startswith("deploy"))
    found = seen(game, text, seat)["deploys"]
    assert found[SIDES[seat]] == found["n"] > 0
