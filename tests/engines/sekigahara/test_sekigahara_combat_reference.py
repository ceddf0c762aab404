"""Combats are those of a second program that was written from the spec alone."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any

import pytest

from engines.chance import Chance
from engines.sekigahara.data import (
    BLOCK_COUNTS,
    CARD_COUNTS,
    CASTLES,
    DISK_AT,
    NEIGHBOURS,
    OTHER,
    PLACES,
    SIDES,
)
from tests.engines.sekigahara.sekigahara_combat_reference import Combat
from tests.engines.sekigahara.sekigahara_games import ENGINE

COUNT = int(os.environ.get("HATAMOTO_COUNT", "60"))
SIZES = [1, 1, 2, 2, 3, 3, 4, 6, 8]
CENTRES = ["osaka", "osaka", "ueda", "gifu", "anotsu", "edo", *PLACES]


def places(chance: Chance) -> dict[str, Any]:
    """Both sides mixed in a region of ten places, castles besieged or not."""
    pool = {s: chance.shuffled([f for f, n in BLOCK_COUNTS[s].items() for _ in range(n)]) for s in SIDES}
    pool["ishida"] = [f for f in pool["ishida"] if f not in {"mori3", "mori-leader"}]
    region = [chance.pick(CENTRES)]
    while len(region) < 10:
        region = list(dict.fromkeys([*region, chance.pick(list(NEIGHBOURS[chance.pick(region)]))]))
    found: dict[str, Any] = {}
    for place in region:
        there = [side for side in SIDES if chance.below(5) > 1]
        here: dict[str, Any] = {
            s: [pool[s].pop() for _ in range(chance.pick(SIZES)) if pool[s]] for s in there
        }
        if place in CASTLES and len(there) == 2:
            here["holder"] = "ishida" if place in DISK_AT else chance.pick(list(SIDES))
            here["besieged"] = bool(chance.below(2)) and len(here[here["holder"]]) < 4
        found[place] = here
    return found


def start(chance: Chance) -> Any:
    """A turn after movement, as a position."""
    side = chance.pick(list(SIDES))
    here = places(chance)
    cards = {s: chance.shuffled([c for c, n in CARD_COUNTS[s].items() for _ in range(n)]) for s in SIDES}
    sizes = {s: chance.below(9) for s in SIDES}
    entered = {p: [chance.pick(list(NEIGHBOURS[p]))] for p in here if chance.below(2) and here[p].get(side)}
    return {
        "week": 3,
        "phase": "combat",
        "first": side,
        "active": side,
        "map": here,
        "control": {"kyoto": "ishida", "edo": "tokugawa"},
        "hands": {s: cards[s][: sizes[s]] for s in SIDES},
        "decks": {s: cards[s][sizes[s] :] for s in SIDES},
        "disks": chance.pick([["hideyori", "sanada"], ["hideyori"], ["sanada"]]),
        "mori_box": ["mori3", "mori3", "mori-leader"][: chance.below(4)],
        "march": {"mode": "minimal", "entered": entered},
    }


def pick(texts: list[str], chance: Chance) -> str:
    """An action, seldom `done` or `outside`, often a challenge and what loses it."""
    most = [text for text in texts if text not in {"done", "accept"}]
    return chance.pick(most if most and chance.below(5) else texts)


def compare(seed: int) -> Counter[str]:
    """Fights a turn's combats to the end; what was met."""
    chance, met = Chance(b"combat", seed), Counter[str]()
    position = start(chance)
    state = ENGINE.from_position(position, chance).state
    first = ENGINE.position(state)
    if first["phase"] != "combat":
        return met
    reference = Combat(first)
    for number in range(400):
        after = ENGINE.position(state)
        if reference.phase in {"over", "turn over"}:
            ended(state, after, reference)
            met[reference.phase] += 1
            return met
        same(after, reference)
        (seat,) = ENGINE.to_act(state)
        assert SIDES[seat] == reference.decider()
        assert set(ENGINE.legal(state, seat).actions) == reference.legal(), reference.phase
        met[reference.phase + (" siege" if reference.b and reference.b["siege"] else "")] += 1
        text = pick(sorted(reference.legal()), chance)
        action = ENGINE.parse(text, state, seat)
        state = ENGINE.apply(state, seat, action, Chance(b"combat", number)).state
        reference.act(json.loads(action.model_dump_json()))
        met["caused"] += bool(reference.b) and reference.caused
    raise AssertionError("the combats never end")


def ended(state: Any, after: dict[str, Any], reference: Combat) -> None:
    """The turn, or the game."""
    everything(after, reference)
    if reference.phase == "over":
        assert ENGINE.result(state).winners == (SIDES.index(reference.winner),)
        assert (after["phase"], after["battle"], after["march"]) == ("over", None, None)
    else:
        assert (after["phase"], after["active"], after["march"]) == ("move", OTHER[reference.active], None)


def everything(after: dict[str, Any], reference: Combat) -> None:
    """Blocks, castles, resources, cards and the lost."""
    for place, here in after["map"].items():
        wanted = reference.map[place]
        for side in SIDES:
            assert Counter(here[side]) == Counter(wanted[side]), place
        assert (here["holder"], here["besieged"]) == (wanted["holder"], wanted["besieged"]), place
    for key in ("hands", "discards", "lost"):
        for side in SIDES:
            assert Counter(after[key][side]) == Counter(reference.p[key][side]), key
    for key in ("control", "decks"):
        assert after[key] == reference.p[key]
    assert Counter(after["disks"]) == Counter(reference.p["disks"])
    assert Counter(after["mori_box"]) == Counter(reference.p["mori_box"])


def same(after: dict[str, Any], reference: Combat) -> None:
    """A moment within the combats."""
    everything(after, reference)
    assert after["phase"] == reference.phase
    assert set(after["march"]["fought"]) == set(reference.fought)
    fight, wanted = after["battle"], reference.b
    assert (fight is None) == (wanted is None)
    if fight is None:
        return
    for key in ("at", "attacker", "siege", "holder", "impact", "done", "used"):
        assert fight[key] == wanted[key], key
    assert fight["losses"] == {side: n for side, n in wanted["losses"].items() if n}
    for key in ("defected", "lost"):
        for side in SIDES:
            assert Counter(fight[key][side]) == Counter(wanted[key][side]), key
    if after["phase"] not in {"lose", "retreat"}:  # those that are lost stand no more
        for side in SIDES:
            assert Counter(fight["deployed"][side]) == Counter(wanted["deployed"][side])
    waits = wanted["pending"]
    assert fight["pending"] == (waits and {**waits, "blocks": fight["pending"]["blocks"]})
    if waits:
        assert Counter(fight["pending"]["blocks"]) == Counter(waits["blocks"])


PHASES = {"combat", "castle", "deploy", "challenge", "answer", "lose", "retreat", "deploy siege", "caused"}


def test_combats_are_those_of_a_program_written_from_the_spec_alone():
    met = sum((compare(seed) for seed in range(12)), Counter[str]())
    assert set(met) >= PHASES


@pytest.mark.long
def test_many_combats_are_those_of_a_program_written_from_the_spec_alone():
    met = sum((compare(seed) for seed in range(1000, 1000 + COUNT * 10)), Counter[str]())
    assert set(met) >= {*PHASES, "lose siege", "over", "turn over"}
