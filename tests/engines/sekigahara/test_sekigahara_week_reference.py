"""Weeks and movement phases are those of a second program that was written from the spec alone."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest

from engines.chance import Chance
from engines.record import append, begin, from_position
from engines.sekigahara.data import (
    BLOCK_COUNTS,
    CARD_COUNTS,
    CASTLES,
    DISK_AT,
    NEIGHBOURS,
    OTHER,
    PLACES,
    RESOURCES,
    SIDES,
    block_order,
    card_order,
)
from tests.engines.many_games import met_in
from tests.engines.sekigahara.sekigahara_games import ENGINE as SEKIGAHARA
from tests.engines.sekigahara.sekigahara_week_reference import Week

ENGINE: Any = SEKIGAHARA
COUNT = int(os.environ.get("HATAMOTO_COUNT", "0"))
CENTRES = ["osaka", "osaka", "ueda", "kyoto", "edo", "gifu", "miyazu", *PLACES]
SEIZED = ["ishida", "tokugawa", None]


def places(chance: Chance, pool: dict[Any, list[str]]) -> dict[str, Any]:
    """A few armies close together, large ones, single enemies and sieges among them."""
    found: dict[str, Any] = {}
    region = [chance.pick(CENTRES)]
    while len(region) < 6:
        region = list(dict.fromkeys([*region, chance.pick(list(NEIGHBOURS[chance.pick(region)]))]))
    strong = chance.pick(list(SIDES))
    for place in region:
        sizes = {strong: chance.pick([0, 0, 1, 2, 3, 4, 5]), OTHER[strong]: chance.pick([0, 0, 1, 1, 2])}
        both = min(sizes.values()) > 0
        if both and place not in CASTLES:
            sizes[chance.pick(list(SIDES))] = 0
        here: dict[str, Any] = {side: [pool[side].pop() for _ in range(n)] for side, n in sizes.items()}
        if both and place in CASTLES:
            here |= {"besieged": True, "holder": "ishida" if place in DISK_AT else chance.pick(list(SIDES))}
        found[place] = here
    return found


def start(chance: Chance) -> dict[str, Any]:
    """A moment before a movement phase, or in a week's beginning."""
    pool: dict[Any, list[str]] = {
        s: chance.shuffled([f for f, n in BLOCK_COUNTS[s].items() for _ in range(n)]) for s in SIDES
    }
    phase = chance.pick(["discard", "bid", "first", "move", "move", "move", "move"])
    names = {side: list(CARD_COUNTS[side]) for side in SIDES}
    active = chance.pick(list(SIDES))
    sizes = [0, 1, 2, 3] if phase == "move" else [0, 1, 2, 5, 6]
    mori = ["mori3", "mori3", "mori-leader"][: chance.below(4)]
    pool["ishida"] = [face for face in pool["ishida"] if face not in {"mori3", "mori-leader"}]
    return {
        "week": 2 + chance.below(6),
        "turn": chance.pick(["A", "B"]),
        "phase": phase,
        "first": chance.pick(list(SIDES)),
        "active": active,
        "map": places(chance, pool),
        "control": {r: side for r in RESOURCES if (side := chance.pick(SEIZED))},
        "disks": chance.pick([["hideyori", "sanada"], ["hideyori"]]),
        "hands": {s: [chance.pick(names[s]) for _ in range(chance.pick(sizes))] for s in SIDES},
        "decks": {s: [chance.pick(names[s]) for _ in range(40)] for s in SIDES},
        "bags": {s: [pool[s].pop() for _ in range(chance.below(5))] for s in SIDES},
        "boxes": {s: [pool[s].pop() for _ in range(chance.below(4))] for s in SIDES},
        "mori_box": mori,
    }


def told(week: Week) -> dict[str, Any]:
    """The reference's position as the engine writes it."""
    p = week.p
    march = p["march"] and {
        **p["march"],
        "moved": {pl: block_order(p["march"]["moved"][pl]) for pl in PLACES if p["march"]["moved"].get(pl)},
        "segments": sorted(p["march"]["segments"]),
        "entered": {pl: sorted(p["march"]["entered"][pl]) for pl in PLACES if p["march"]["entered"].get(pl)},
    }
    here = {
        place: {
            **{side: block_order(week.blocks(side, place)) for side in SIDES},
            "besieged": week.siege(place),
            "holder": week.castle(place),
        }
        for place in PLACES
    }
    sorted_faces = {
        key: {side: block_order(p[key][side]) for side in SIDES} for key in ("bags", "boxes", "lost")
    }
    hands = {side: card_order(p["hands"][side]) for side in SIDES}
    return {**p, **sorted_faces, "march": march, "map": here, "hands": hands, "mori_box": p["mori_box"]}


def compare(state: Any, week: Week, seed: int) -> list[tuple[int, list[Any]]]:
    """The position, who acts and what each may do; the actions by seat, as the reference has them."""
    given, known = ENGINE.position(state), told(week)
    ignored = {"first", "active"} if given["phase"] in ("discard", "bid") else set()
    for key in sorted(known.keys() - ignored):
        assert given[key] == known[key], (seed, key)
    assert sorted(ENGINE.to_act(state)) == week.to_act(), seed
    found = []
    for seat in week.to_act():
        actions = week.actions(SIDES[seat])
        texts = {week.text(action): action for action in actions}
        assert len(texts) == len(actions)
        legal = ENGINE.legal(state, seat)
        if legal.complete:
            assert set(legal.actions) == set(texts), seed
        else:
            assert set(legal.actions) <= set(texts), seed
        found.append((seat, list(texts.items())))
    return found


def pick(actions: list[Any], chance: Chance) -> Any:
    """One of the actions: its kind first, seldom the end of the movement phase, often a long march."""
    kinds = sorted({action[0] for _, action in actions} - ({"end"} if chance.below(8) else set()))
    kind = chance.pick(kinds or ["end"])
    these = sorted(((text, a) for text, a in actions if a[0] == kind), key=lambda pair: pair[0])
    if kind == "move" and chance.below(4):
        these = [pair for pair in these if pair[1][1] != "none"]
    far = [pair for pair in these if kind == "march" and len(pair[1][3]) > 1]
    parted = [pair for pair in far if len(pair[1]) > 7]
    if parted and chance.below(2):
        return chance.pick(parted)
    return chance.pick(far if far and chance.below(2) else these)


def play(seed: int, steps: int = 12) -> Counter[str]:
    """Plays until a combat, the end or so many steps; the kinds of actions met."""
    chance = Chance(b"week" + seed.to_bytes(4, "big"), 0)
    history = begin(from_position("sekigahara", start(chance), b"\0"))
    if not ENGINE.to_act(history.state) or ENGINE.position(history.state)["phase"] == "over":
        return Counter()
    week = Week(ENGINE.position(history.state))
    met: Counter[str] = Counter()
    for _ in range(steps):
        options = compare(history.state, week, seed)
        seat, actions = chance.pick(options)
        if sum(len(some) for _, some in options) > 40_000:
            break
        text, action = pick(actions, chance)
        history = append(history, seat, text)
        week.do(SIDES[seat], action)
        week.drawn({side: list(faces) for side, faces in ENGINE.position(history.state)["boxes"].items()})
        met[action[0]] += 1
        met.update(event.code for event in history.plies[-1].events)
        if week.p["phase"] in ("combat", "over"):
            assert ENGINE.position(history.state)["phase"] == week.p["phase"]
            break
    return met


def test_weeks_and_movements_go_as_the_rules_written_twice_say():
    met = set(met_in(play, range(COUNT or 4)))
    assert {"march", "muster", "move", "bid", "first", "discard", "branched"} <= met


@pytest.mark.long
def test_many_weeks_and_movements_go_as_the_rules_written_twice_say():
    assert {"mori", "overrun", "took", "week", "recruited"} <= set(
        met_in(play, range(1000, 1000 + (COUNT or 300)))
    )
