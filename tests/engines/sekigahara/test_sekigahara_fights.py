"""Fights of random games, told by their events: the order of what follows, and the cards (8.8.6, 8.10)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import Event
from engines.sekigahara.data import DISKS
from tests.engines.sekigahara.sekigahara_games import ENGINE, random_game

COUNT = int(os.environ.get("HATAMOTO_COUNT", "20"))
BEGINS = {"combat", "retreat-battle"}
RANKS = {"retreated": 3, "overrun": 4, "took": 5, "drew": 6}
ENOUGH = 12  # cards in deck and discards, so that no draw falls short


def fights(seed: int) -> Iterator[list[Event]]:
    """The events of each fight from its beginning to its end, where there were cards enough."""
    told: list[Event] = []
    for number, (state, seat, action) in enumerate(random_game(seed), 1):
        if seat is None:
            return
        enough = all(len(state.decks[s]) + len(state.discards[s]) > ENOUGH for s in state.decks)
        key = b"test" + seed.to_bytes(4, "big")
        for event in ENGINE.apply(state, seat, action, Chance(key, number)).events:
            if event.code in BEGINS:
                told = []
            told.append(event)
            if event.code == "combat-over" and told[0].code in BEGINS and enough:
                yield told


def check(told: list[Event]) -> Counter[str]:
    """The order after the last deployment, and both sides' cards; what was met."""
    siege = any(event.code == "siege-over" for event in told)
    beaten = [event.params["loser"] for event in told if event.code == "battle-over"]
    used, lost, overrun, drew = (Counter[Any]() for _ in range(4))
    ranks = []
    for event in told:
        params: Any = event.params
        if event.code in {"deployed", "challenged"}:
            used[params["seat"]] += 1
        elif event.code == "lost":
            ranks.append(1 if siege or params["seat"] in beaten else 2)
            lost[params["seat"]] += len([unit for unit in params["units"] if unit not in DISKS])
        elif event.code in RANKS:
            ranks.append(RANKS[event.code])
            overrun[params.get("owner")] += params["n"] if event.code == "overrun" else 0
            drew[params["seat"]] += params["n"] if event.code == "drew" else 0
    assert ranks == sorted(ranks)
    for seat in (0, 1):
        replaced = lost[seat] if siege else lost[seat] // 2
        assert drew[seat] == used[seat] + replaced + overrun[seat] // 2
    return Counter(fights=1, sieges=siege, losses=lost.total(), used=used.total())


def test_losses_retreat_overrun_control_and_cards_follow_in_their_order():
    met = sum((check(told) for seed in range(4) for told in fights(seed)), Counter[str]())
    assert met["fights"] > 10
    assert met["losses"] > 10


@pytest.mark.long
def test_in_many_games_losses_retreat_overrun_control_and_cards_follow_in_their_order():
    met = sum((check(told) for seed in range(COUNT) for told in fights(seed)), Counter[str]())
    assert met["sieges"]
