"""Whole games of random actions, and what must be true at every step of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Action
from engines.sekigahara import Sekigahara
from engines.sekigahara.data import BLOCK_COUNTS, CARD_COUNTS, SIDES
from engines.sekigahara.model import SekigaharaOptions, SekigaharaState

ENGINE: Any = Sekigahara()


Moment = tuple[SekigaharaState, int | None, Action | None]


def random_game(seed: int, aizu: str = "printed3") -> Iterator[Moment]:
    """Every state of a random game, with the seat and action that come next."""
    return iter(whole_game(seed, aizu))


@lru_cache(maxsize=32)
def whole_game(seed: int, aizu: str) -> tuple[Moment, ...]:
    """A random game, played once for all tests of a process that look at it: states are values."""
    return tuple(play(seed, aizu))


def play(seed: int, aizu: str) -> Iterator[Moment]:
    """Plays it."""
    key = b"test" + seed.to_bytes(4, "big")
    state = ENGINE.setup(SekigaharaOptions(aizu=aizu), 2, Chance(key, 0)).state
    picks, entry = Chance(b"picks" + key, 0), 0
    while seats := sorted(ENGINE.to_act(state)):
        seat = picks.pick(seats)
        action = random_action(ENGINE, state, seat, picks)
        yield state, seat, action
        entry += 1
        state = ENGINE.apply(state, seat, action, Chance(key, entry)).state
    yield state, None, None


def assert_all_there(state: SekigaharaState) -> None:
    """Every block and card of both sides is somewhere, once."""
    for side in SIDES:
        blocks = Counter(face for here in state.map.values() for face in getattr(here, side))
        for pile in (state.bags, state.boxes, state.lost):
            blocks.update(pile[side])
        if side == "ishida":
            blocks.update(state.mori_box)
        assert blocks == Counter(BLOCK_COUNTS[side])
        assert blocks.total() == 48
        cards = Counter([*state.hands[side], *state.decks[side], *state.discards[side]])
        if state.battle:
            cards.update(state.battle.used[side])
        assert cards == Counter(CARD_COUNTS[side])
        assert cards.total() == 55
