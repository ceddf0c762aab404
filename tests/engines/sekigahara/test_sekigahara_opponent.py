"""The built-in opponent: legal actions from its own view alone, the same each time, better than chance."""

import os
from typing import Any

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.sekigahara import opponent
from engines.sekigahara.model import SekigaharaOptions
from tests.engines.sekigahara.sekigahara_games import ENGINE

COUNT = int(os.environ.get("HATAMOTO_COUNT", "4"))


def decide(state: Any, seat: int, who: str, chance: Chance) -> Any:
    if who == "random":
        return random_action(ENGINE, state, seat, chance)
    return ENGINE.parse(opponent.choose(ENGINE.view(state, seat), who, chance), state, seat)  # type: ignore[arg-type]


def duel(players: tuple[str, str], seed: int) -> int:
    """The seat that wins."""
    key = b"duel" + seed.to_bytes(4, "big")
    state, entry = ENGINE.setup(SekigaharaOptions(), 2, Chance(key, 0)).state, 0
    while seats := sorted(ENGINE.to_act(state)):
        entry += 1
        action = decide(state, seats[0], players[seats[0]], Chance(key + b"player", entry))
        state = ENGINE.apply(state, seats[0], action, Chance(key, entry)).state
    winners = ENGINE.result(state).winners
    return int(winners[0])


@pytest.mark.long
def test_normal_plays_a_whole_game_and_beats_chance():
    assert duel(("normal", "random"), 0) == 0


def test_the_same_view_gets_the_same_answer():
    state = ENGINE.setup(SekigaharaOptions(), 2, Chance(b"x", 0)).state
    view = ENGINE.view(state, 1)
    for level in opponent.LEVELS:
        assert opponent.choose(view, level, Chance(b"c", 1)) == opponent.choose(view, level, Chance(b"c", 1))


def test_the_guessed_position_looks_the_same_to_the_opponent():
    key = b"guess"
    state = ENGINE.setup(SekigaharaOptions(), 2, Chance(key, 0)).state
    for entry in range(1, 60):
        seat = min(ENGINE.to_act(state))
        view = ENGINE.view(state, seat)
        guessed = ENGINE.view(opponent.guess(view, ("ishida", "tokugawa")[seat], Chance(b"g", entry)), seat)
        assert (guessed.map, guessed.hand, guessed.box) == (view.map, view.hand, view.box)
        assert view.waiting[0] in guessed.waiting
        action = random_action(ENGINE, state, seat, Chance(b"r", entry))
        state = ENGINE.apply(state, seat, action, Chance(key, entry)).state


@pytest.mark.long
def test_normal_beats_easy_and_random_clearly():
    for other in ("easy", "random"):
        wins = sum(duel(("normal", other), seed) == 0 for seed in range(COUNT))
        wins += sum(duel((other, "normal"), seed) == 1 for seed in range(COUNT))
        assert wins >= 2 * COUNT * 3 // 4


@pytest.mark.long
def test_each_level_beats_the_one_below_and_easy_beats_chance():
    clear, half = 2 * COUNT * 3 // 4, COUNT + 1  # normal thinks as hard does in two decisions of three
    for better, worse, least in (
        ("easy", "random", clear),
        ("normal", "easy", clear),
        ("hard", "normal", half),
    ):
        wins = sum(duel((better, worse), seed) == 0 for seed in range(COUNT))
        wins += sum(duel((worse, better), seed) == 1 for seed in range(COUNT))
        assert wins >= least, (better, worse, wins)


def test_hard_decides_by_the_view_alone_not_by_chance_nor_by_what_is_hidden():
    key = b"hard"
    state = ENGINE.setup(SekigaharaOptions(), 2, Chance(key, 0)).state
    for entry in range(1, 40):
        seat = min(ENGINE.to_act(state))
        view = ENGINE.view(state, seat)
        texts = {opponent.choose(view, "hard", Chance(b"any", number)) for number in range(2)}
        assert len(texts) == 1
        state = ENGINE.apply(state, seat, ENGINE.parse(texts.pop(), state, seat), Chance(key, entry)).state
