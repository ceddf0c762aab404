"""A state that was stored and loaded is the one that was stored, in every order that anything goes by.

A table plays on from its snapshot after a restart, and its record is replayed without one: both must come to
the same, and a panel drawn before the restart must mean the same after it.
"""

from __future__ import annotations

import os
from copy import deepcopy
from typing import Any

import pytest
from pydantic import BaseModel

from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Prompt
from engines.registry import GAMES, engine
from tests.games import sample

COUNT = int(os.environ.get("HATAMOTO_COUNT", "1"))
PLIES = 120 if COUNT > 1 else 70


def options_of(game: str, number: int) -> dict[str, Any]:
    """Options of the number-th game, another set-up every second time."""
    ways: list[dict[str, Any]] = [{}, *sample(game).more]
    return ways[number % len(ways)]


def orders(value: Any, path: str = "") -> list[str]:
    """Every mapping within a value with its keys in their order."""
    if isinstance(value, dict):
        inner = [found for key, one in value.items() for found in orders(one, f"{path}.{key}")]
        return [f"{path}: {list(value)}", *inner]
    if isinstance(value, list | tuple):
        return [found for place, one in enumerate(value) for found in orders(one, f"{path}[{place}]")]
    return []


@pytest.mark.parametrize("number", range(COUNT))
@pytest.mark.parametrize("game", GAMES)
def test_a_stored_state_plays_on_as_the_one_that_was_never_stored(game: str, number: int) -> None:
    rules = engine(game)
    options = rules.read_options(options_of(game, number))
    seed = bytes([number % 256]) * 32
    counts = rules.seat_counts(options)
    step = rules.setup(options, counts[number % len(counts)], Chance(seed, 0))
    for ply in range(1, PLIES):
        state = step.state
        if rules.result(state) is not None:
            break
        loaded = rules.load(rules.dump(state))
        assert loaded == state
        assert orders(loaded.model_dump()) == orders(state.model_dump())
        seat = min(rules.to_act(state))
        for path in ((), (0,)):
            shown, again = (prompt(rules, one, seat, path) for one in (state, loaded))
            assert shown == again
        action = random_action(rules, state, seat, Chance(b"stored", ply))
        assert random_action(rules, loaded, seat, Chance(b"stored", ply)) == action
        step = rules.apply(state, seat, action, Chance(seed, ply))
        stored = rules.apply(loaded, seat, action, Chance(seed, ply))
        assert rules.dump(stored.state) == rules.dump(step.state)
        assert stored.events == step.events


def prompt(rules: Any, state: Any, seat: int, path: tuple[int, ...]) -> Any:
    """What the panel offers after the first choices of a path."""
    keys: tuple[str, ...] = ()
    found = rules.choices(state, seat)
    for place in path:
        if not isinstance(found, Prompt) or found.least != 1 or found.most != 1 or not found.choices:
            return found
        keys = (*keys, found.choices[place].key)
        found = rules.choices(state, seat, keys)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_its_fields_and_no_list_of_them(game: str) -> None:  # 14: half of its memory
    rules = engine(game)
    options = rules.read_options({})
    state = rules.setup(options, rules.seat_counts(options)[0], Chance(bytes(32), 0)).state
    stored = rules.load(rules.dump(state))
    for one in (state, stored, rules.view(state, 0), stored.model_copy(update={"rules": 9})):
        slot = BaseModel.__dict__["__pydantic_fields_set__"]
        with pytest.raises(AttributeError):
            slot.__get__(one)
    assert stored == state == deepcopy(state)
    assert stored.model_copy(update={"rules": 9}).model_dump() == {**state.model_dump(), "rules": 9}
