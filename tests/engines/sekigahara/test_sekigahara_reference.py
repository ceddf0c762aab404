"""Marches of the engine and of a second program side by side, over made-up positions."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import RulesError
from engines.sekigahara.board import SEAT
from engines.sekigahara.data import BLOCK_COUNTS, CASTLES, DISK_AT, NEIGHBOURS, OTHER, PLACES, SIDES, Side
from tests.engines.sekigahara.sekigahara_games import ENGINE
from tests.engines.sekigahara.sekigahara_reference import March, Reference

COUNT = int(os.environ.get("HATAMOTO_COUNT", "60"))
SIZES = [1, 1, 2, 3, 4, 4, 5, 6, 9, 12, 13, 16, 17]
TRIES = 12
PRICES = {"minimal": [], "limited": ["loyalty"], "total": ["loyalty", "loyalty"]}


def region(chance: Chance) -> list[str]:
    """Eight places that hang together."""
    found = [chance.pick(list(PLACES))]
    while len(found) < 8:
        found = list(dict.fromkeys([*found, chance.pick(list(NEIGHBOURS[chance.pick(found)]))]))
    return found


def places(chance: Chance, side: Side) -> dict[str, Any]:
    """Armies of every size, single enemies and sieges, close together."""
    pool = {s: chance.shuffled([f for f, n in BLOCK_COUNTS[s].items() for _ in range(n)]) for s in SIDES}
    found: dict[str, Any] = {}
    for place in region(chance):
        kind = chance.below(10)
        numbers = {side: chance.pick(SIZES) if kind < 5 else 0, OTHER[side]: 1 + chance.below(2)}
        if kind < 5 or (kind > 7 and place not in CASTLES):
            numbers[OTHER[side]] = 0
        if kind > 7 and place in CASTLES:
            numbers[side] = 1 + chance.below(3)
        here: dict[str, Any] = {
            s: [pool[s].pop() for _ in range(min(n, len(pool[s])))] for s, n in numbers.items()
        }
        if kind > 7 and place in CASTLES:
            here |= {"besieged": True, "holder": "ishida" if place in DISK_AT else chance.pick(list(SIDES))}
        found[place] = here
    return found


def start(chance: Chance) -> Any:
    """A state in phase `march`."""
    side = chance.pick(list(SIDES))
    mode = chance.pick(list(PRICES))
    position = {
        "week": 3,
        "phase": "move",
        "first": side,
        "active": side,
        "map": places(chance, side),
        "hands": {"ishida": ["loyalty"] * 3, "tokugawa": ["loyalty"] * 3},
        "decks": {"ishida": ["mori"] * 9, "tokugawa": ["date"] * 9},
        "disks": chance.pick([["hideyori", "sanada"], ["hideyori"]]),
    }
    state = ENGINE.from_position(position, chance).state
    text = " ".join(["move", mode, *PRICES[mode]])
    return ENGINE.apply(state, SEAT[side], ENGINE.parse(text, state, SEAT[side]), chance).state


def wish(position: dict[str, Any], chance: Chance) -> March:
    """A march that somebody might try, allowed or not."""
    side = position["active"]
    origin = chance.pick([place for place in PLACES if position["map"][place][side]])
    here = chance.shuffled(position["map"][origin][side])
    path = [chance.pick(list(NEIGHBOURS[origin]))]
    while chance.below(5) > 1 and len(path) < 5:
        path.append(chance.pick(list(NEIGHBOURS[path[-1]])))
    march = March(origin, here[: 1 + chance.below(min(len(here), 17))], path)
    rest = list(march.blocks)
    if not chance.below(3):
        march.drop = {place: [rest.pop()] for place in path[:-1] if rest and chance.below(2)}
    leaders = [face for face in here if face.endswith("-leader")]
    march.leader = chance.pick(leaders) if leaders and chance.below(2) else None
    march.force = "loyalty" if not chance.below(3) else None
    return march


def tried(state: Any, seat: int, march: March) -> Any:
    """The engine's answer to a march, None where it refuses."""
    try:
        return ENGINE.apply(
            state, seat, ENGINE.parse(json.dumps(march.json()), state, seat), Chance(b"tried", 1)
        )
    except RulesError:
        return None


def compare(seed: int) -> Counter[str]:
    """Tries marches on one position, going on from those that are allowed; what happened."""
    chance, met = Chance(b"reference", seed), Counter[str]()
    state = start(chance)
    for _ in range(TRIES):
        position = ENGINE.position(state)
        seat, enemy = SEAT[position["active"]], OTHER[position["active"]]
        if not any(here[position["active"]] for here in position["map"].values()):
            break
        march, reference = wish(position, chance), Reference(position)
        expected = reference.march(march)
        step = tried(state, seat, march)
        assert (step is not None) == expected, march
        if step is None:
            met["refused"] += 1
            continue
        after = ENGINE.position(step.state)
        assert (after["phase"] == "over") == reference.over
        met["marched"] += 1
        met["overrun"] += bool(reference.lost)
        if reference.over:
            break
        same(after, position, reference, enemy)
        state = step.state
    return met


def same(after: dict[str, Any], before: dict[str, Any], reference: Reference, enemy: Side) -> None:
    """Blocks, castles, resources, the dead and the cards for them."""
    for place, here in after["map"].items():
        for side in SIDES:
            assert Counter(here[side]) == Counter(reference.map[place][side]), place
        assert here["holder"] == reference.castle(place)
    assert after["control"] == reference.control
    assert Counter(after["lost"][enemy]) == Counter([*before["lost"][enemy], *reference.lost])
    assert len(after["hands"][enemy]) == len(before["hands"][enemy]) + reference.cards


def test_marches_are_those_of_a_program_written_from_the_spec_alone():
    met = sum((compare(seed) for seed in range(60)), Counter[str]())
    assert met["marched"] > 50
    assert met["overrun"]


@pytest.mark.long
def test_many_marches_are_those_of_a_program_written_from_the_spec_alone():
    met = sum((compare(seed) for seed in range(1000, 1000 + COUNT * 10)), Counter[str]())
    assert met["overrun"] > COUNT // 10
