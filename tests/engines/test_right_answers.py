"""Positions with one right answer, from games without the opponent (`bench.puzzles`): hard finds it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.chance import Chance
from engines.opponents import opponent
from engines.registry import engine

GAMES = ("kamisado", "rokumon")
LEAST, SHARE = 40, 0.9


def puzzles(game):
    return json.loads((Path(__file__).parent / game / "right_answers.json").read_text("utf-8"))


def answered(game, puzzle):
    rules = engine(game)
    state = rules.from_position(puzzle["position"], Chance(b"puzzle", 0)).state
    view = rules.view(state, puzzle["seat"])
    return opponent(game).choose(view, "hard", Chance(b"puzzle", 1))


def solved(game, some):
    wrong = [puzzle["kind"] for puzzle in some if answered(game, puzzle) != puzzle["answer"]]
    return len(some) - len(wrong), wrong


@pytest.mark.parametrize("game", GAMES)
def test_the_right_answers_are_actions_that_may_be_done(game):
    rules, found = engine(game), puzzles(game)
    assert len(found) >= LEAST
    for puzzle in found:
        state = rules.from_position(puzzle["position"], Chance(b"puzzle", 0)).state
        assert puzzle["answer"] in rules.legal(state, puzzle["seat"]).actions


@pytest.mark.parametrize("game", GAMES)
def test_hard_finds_the_only_move_that_is_not_lost_at_once(game):
    some = [puzzle for puzzle in puzzles(game) if puzzle["kind"] == "save"][:3]
    assert solved(game, some) == (3, [])


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_hard_finds_nine_of_ten_right_answers(game):
    found = puzzles(game)
    right, wrong = solved(game, found)
    assert right >= SHARE * len(found), wrong
