"""Marches of the engine and of a second program side by side, over made-up positions."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import RulesError
from engines.sekigahara.board import SEAT, without
from engines.sekigahara.data import (
    BLOCK_COUNTS,
    CASTLES,
    DISK_AT,
    HIGHWAYS,
    NEIGHBOURS,
    OTHER,
    PLACES,
    SIDES,
    Side,
    segment,
)
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


def parting(position: dict[str, Any], chance: Chance) -> March | None:
    """A march along highways that splits on its way, perhaps twice, allowed or not."""
    side = position["active"]
    moved = position["march"]["moved"]
    free = {
        place: without(position["map"][place][side], [] if chance.below(20) == 0 else moved.get(place, []))
        for place in PLACES
    }
    large = [place for place in PLACES if len(free[place]) > 1]
    if not large:
        return None
    origin = chance.pick(large)
    here = chance.shuffled(free[origin])
    group = here[: 2 + chance.below(chance.pick([2, 3, 6]))]
    one = walk(origin, chance, 3)
    march = March(origin, group, one)
    if len(one) > 1:
        stay = group[: 1 + chance.below(len(group) - 1)]
        two = walk(one[0], chance, 2, origin, one[1])
        march.drop = {one[0]: stay}
        march.branches = [March(one[0], stay[: 1 + chance.below(len(stay))], two)]
        if len(two) > 1 and len(march.branches[0].blocks) > 1:
            again = march.branches[0].blocks[:1]
            march.branches[0].drop = {two[0]: again}
            march.branches.append(March(two[0], again, walk(two[0], chance, 1, one[0], two[1])))
        elif chance.below(2):
            more = [*without(stay, march.branches[0].blocks), *here[-1:]][:1]
            march.branches.append(March(one[0], more, walk(one[0], chance, 2, origin, one[1], two[0])))
    leaders = [face for face in here if face.endswith("-leader")]
    march.leader = leaders[0] if leaders else None
    march.force = "loyalty" if not chance.below(12) else None
    return march


def walk(here: str, chance: Chance, most: int, *met: str) -> list[str]:
    """One step to so many, on highways where there are any, seldom back."""
    path: list[str] = []
    for _ in range(1 + chance.below(most)):
        at = path[-1] if path else here
        near = [place for place in NEIGHBOURS[at] if place not in (here, *met, *path) or not chance.below(20)]
        fast = [place for place in near if segment(at, place) in HIGHWAYS]
        if not near:
            break
        path.append(chance.pick(fast if fast and chance.below(5) else near))
    return path or [NEIGHBOURS[here][0]]


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
        march = (parting(position, chance) if chance.below(2) else None) or wish(position, chance)
        reference = Reference(position)
        expected = reference.march(march)
        step = tried(state, seat, march)
        assert (step is not None) == expected, march
        if step is None:
            met["refused"] += 1
            continue
        after = ENGINE.position(step.state)
        assert (after["phase"] == "over") == reference.over
        met["marched"] += 1
        met["branched"] += len(march.branches)
        met["branched again"] += len(march.branches) > 1 and bool(march.branches[0].drop)
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
    met = sum((compare(seed) for seed in range(30)), Counter[str]())
    assert met["marched"] > 50
    assert met["branched"]
    assert met["overrun"]


@pytest.mark.long
def test_many_marches_are_those_of_a_program_written_from_the_spec_alone():
    met = sum((compare(seed) for seed in range(1000, 1000 + COUNT * 10)), Counter[str]())
    assert met["overrun"] > COUNT // 10
