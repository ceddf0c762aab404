"""Whole random games: they end by the rules, nothing is lost or made, replays are equal."""

import os

import pytest

from engines.chance import Chance
from engines.protocol import digest
from engines.sekigahara.model import SekigaharaOptions
from tests.engines.sekigahara.sekigahara_games import ENGINE, assert_all_there, random_game

COUNT = int(os.environ.get("HATAMOTO_COUNT", "20"))


def play(seed: int) -> str:
    """Plays a game through, checking each step; how it ended."""
    state = None
    for state, _seat, _action in random_game(seed, "revised5" if seed % 2 else "printed3"):
        assert_all_there(state)
    result = ENGINE.result(state)
    assert result is not None
    if result.reason == "points":
        ishida, tokugawa = result.scores
        assert result.winners == ((1,) if tokugawa > ishida else (0,))
    return str(result.reason)


def test_random_games_end_by_the_rules_with_everything_there():
    assert {play(seed) for seed in range(2)} <= {"points", "leader", "hideyori"}


@pytest.mark.long
def test_many_random_games_end_by_the_rules_with_everything_there():
    assert {play(seed) for seed in range(COUNT)} <= {"points", "leader", "hideyori"}


def test_a_replay_gives_equal_states():
    key = b"test" + (3).to_bytes(4, "big")
    state = ENGINE.setup(SekigaharaOptions(aizu="revised5"), 2, Chance(key, 0)).state
    for entry, (seen, seat, action) in enumerate(random_game(3, "revised5"), 1):
        assert digest(state.model_dump(mode="json")) == digest(seen.model_dump(mode="json"))
        if seat is not None:
            before = ENGINE.dump(state)
            again = ENGINE.parse(ENGINE.format(action), state, seat)
            after = ENGINE.apply(state, seat, again, Chance(key, entry)).state
            assert ENGINE.dump(state) == before
            state = after
    assert ENGINE.result(state) is not None
