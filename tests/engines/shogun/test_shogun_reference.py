"""Games and positions go on as in a second program that was written from the spec alone."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import RulesError
from engines.shogun.planning import random_plan
from tests.engines.shogun.shogun_reference import (
    ACTION_IDS,
    CHESTS,
    DATA,
    EVENT_IDS,
    KINDS,
    MAP,
    NOTHING,
    SHEET,
    STOCK,
    Json,
    Reference,
)
from tests.engines.shogun.shogun_scenes import ENGINE

COUNT = int(os.environ.get("HATAMOTO_COUNT", "40"))
PLANNED = ("special", "action")
TOWERS = ("measured", "classic", "open", "swap")
SPECIALS = DATA["specials"]


# -- positions --------------------------------------------------------------------------------


def some_position(chance: Chance) -> Json:
    """Any moment but the draft: crowded or empty boards, short supplies, full towers, bare chests."""
    seats = 3 + chance.below(3)
    side = chance.pick(["sun", "moon"])
    provinces = some_provinces(chance, seats, side)
    tower, tray, supply = some_cubes(chance, seats, provinces)
    phase = chance.pick(["plan", "special", "action", "action", "action", "winter"])
    season = "winter" if phase == "winter" else chance.pick(["spring", "summer", "autumn", "autumn"])
    position: Json = {
        "options": {
            "side": side,
            "setup": "draft",
            "tower": chance.pick(TOWERS),
            "forced_battles": chance.below(3) > 0,
        },
        "year": 1 + chance.below(2),
        "season": season,
        "phase": phase,
        "turn": None,
        "pending": None,
        "provinces": provinces,
        "players": [some_player(chance, supply[seat]) for seat in range(seats)],
        "tower": tower,
        "tray": tray,
        "event": None,
        "actions": chance.shuffled(ACTION_IDS),
        "action_index": 0,
        "specials": chance.shuffled(SPECIALS),
        "bid_order": [],
        "order": [],
        "draft": None,
        "winter": None,
    }
    some_events(chance, position)
    for seat, player in enumerate(position["players"]):
        if phase in PLANNED or (phase == "plan" and chance.below(2)):
            player["plan"] = some_plan(chance, position, seat)
    some_turn(chance, position)
    return position


def some_player(chance: Chance, supply: int) -> Json:
    return {
        "chests": chance.pick([0, 1, 2, 3, 5, 12]),
        "rice": chance.below(19),
        "points": chance.below(5),
        "supply": supply,
        "plan": None,
        "special": None,
    }


def some_events(chance: Chance, position: Json) -> None:
    """The open ones, the one in force and the pile."""
    drawn = position["phase"] in PLANNED
    left = {"spring": 4, "summer": 3, "autumn": 2, "winter": 1}[position["season"]] - drawn
    events = chance.shuffled(EVENT_IDS)
    position["event"] = events.pop() if drawn else None
    position["events"] = [events.pop() for _ in range(left)]
    position["event_pile"] = events[: 8 if position["year"] == 1 else 4]


def some_turn(chance: Chance, position: Json) -> None:
    """Who decides, and what of."""
    players = position["players"]
    order = chance.shuffled(range(len(players)))
    if position["phase"] == "special":
        chosen = chance.below(len(players))
        position.update(bid_order=order, turn=order[chosen])
        for seat, special in zip(order[:chosen], chance.shuffled(SPECIALS), strict=False):
            players[seat]["special"] = special
    if position["phase"] in {"action", "winter"}:
        position.update(order=order, turn=chance.pick(order))
    if position["phase"] == "action":
        for seat, space in zip(order, sorted(chance.shuffled(range(5))[: len(players)]), strict=True):
            players[seat]["special"] = position["specials"][space]
        position["action_index"] = chance.below(10)
        position["pending"] = some_pending(chance, position)
    if position["phase"] == "winter":
        own = [name for name, place in position["provinces"].items() if place["owner"] == position["turn"]]
        revolts = chance.shuffled(own)[: chance.below(4)]
        position["winter"] = {"revolts": revolts, "farmers": chance.below(4) if revolts else 0}


def some_provinces(chance: Chance, seats: int, side: str) -> Json:
    """Some neutral; at times a seat has none, at times everything is built over."""
    out = DATA["out_with_3_players"][side] if seats == 3 else []
    owners = chance.shuffled(range(seats))[: seats - (chance.below(4) == 0)]
    free, dense, stock = chance.pick([1, 3, 6]), chance.pick([1, 1, 3, 9]), dict(STOCK)
    found = {}
    for name in [name for name in MAP if name not in out]:
        place: Json = dict(NOTHING)
        if chance.below(8) >= free:
            place.update(owner=chance.pick(owners), armies=chance.pick([1, 1, 2, 2, 3, 4]))
            place["unrest"] = chance.pick([0, 0, 1, 2, 3])
            for kind in list(KINDS)[: MAP[name]["spaces"]] if dense == 9 else chance.shuffled(list(KINDS)):
                room = [place[other] for other in KINDS].count(True) < MAP[name]["spaces"]
                if room and stock[kind] and chance.below(10) < dense:
                    place[kind] = True
                    stock[kind] -= 1
        found[name] = place
    return found


def some_cubes(chance: Chance, seats: int, provinces: Json) -> tuple[list[int], ...]:
    """Tower, tray and supply; some supplies are nearly used up."""
    tower, tray, supply = [], [], []
    for seat in range(seats):
        rest = 62 - sum(place["armies"] for place in provinces.values() if place["owner"] == seat)
        lying = chance.below(4)
        inside = rest - lying - chance.below(7) if chance.below(2) else chance.below(8)
        tower.append(max(0, inside))
        tray.append(lying)
        supply.append(rest - lying - tower[-1])
    farmers = chance.pick([0, 1, 2, 5, 14, 19, 20])
    lying = min(farmers, chance.below(4))
    return [*tower, farmers - lying], [*tray, lying], supply


def some_plan(chance: Chance, position: Json, seat: int) -> dict[str, str]:
    """A legal plan, at times with a few cards less, as a given position may hold."""
    own = [name for name, place in position["provinces"].items() if place["owner"] == seat]
    plan = random_plan(own, position["players"][seat]["chests"], chance)
    return {space: card for space, card in plan.items() if chance.below(12)}


def some_pending(chance: Chance, position: Json) -> str | None:
    action = position["actions"][position["action_index"]]
    card = position["players"][position["turn"]]["plan"].get(action, "chest0")
    if card in CHESTS or not chance.below(3):
        return None
    return {"battle_a": "battle", "battle_b": "battle", "recruit1_move": "move"}.get(action)


# -- comparing ----------------------------------------------------------------------------------


class Public:
    """What everybody has been told of the plans, gathered from the public events."""

    def __init__(self, state: Any) -> None:
        self.known = [dict(player.plan) for player in ENGINE.view(state, None).players]

    def hear(self, events: tuple[Any, ...]) -> None:
        for event in events:
            told = event.seen_by(None).params
            if event.code in {"round-dealt", "winter-came", "game-over"}:
                self.known = [{} for _ in self.known]
            elif event.code == "resigned":
                self.known[told["seat"]] = {}
            elif event.code in {"bid", "card-shown", "no-action"}:
                card = told.get("card", told.get("province"))
                if card is not None:
                    self.known[told["seat"]][told.get("action", "bid")] = card
            elif event.code == "card-lost":
                self.known[told["seat"]].pop(told["space"], None)

    def check(self, state: Any) -> None:
        """A view shows of a plan what was told, and the viewer's own."""
        assert [player.plan for player in ENGINE.view(state, None).players] == self.known
        for seat, player in enumerate(state.players):
            seen = ENGINE.view(state, seat).players
            assert [other.plan for other in seen[:seat] + seen[seat + 1 :]] == [
                *self.known[:seat],
                *self.known[seat + 1 :],
            ]
            assert seen[seat].plan == (player.plan or {})


def dumped(events: tuple[Any, ...]) -> list[Json]:
    return [event.model_dump(mode="json") for event in events]


def same(state: Any, reference: Reference) -> None:
    """The positions, who decides and what, and the result."""
    after = ENGINE.position(state)
    for key in reference.p.keys() | after.keys():
        assert after.get(key) == reference.p.get(key), key
    deciders = reference.deciders() if reference.p["phase"] != "over" else []
    assert sorted(ENGINE.to_act(state)) == sorted(deciders)
    for seat in reference.seats:
        listed = ENGINE.legal(state, seat)
        if seat not in deciders:
            assert (listed.complete, listed.actions) == (True, ())
        elif reference.p["phase"] == "plan":
            assert not listed.complete
            assert listed.actions
            for text in listed.actions:
                plan = json.loads(ENGINE.parse(text, state, seat).model_dump_json())
                assert reference.is_plan(seat, {s: c for s, c in plan.items() if s != "type"})
        else:
            assert listed.complete
            assert len(listed.actions) == len(set(listed.actions))
            assert set(listed.actions) == set(reference.legal())
    result = ENGINE.result(state)
    assert (None if result is None else result.model_dump(mode="json")) == reference.result()


def choice(state: Any, reference: Reference, chance: Chance, leaves: int) -> tuple[int, Any]:
    """A seat and what it does: now and then a second plan, or leaving."""
    if leaves and not chance.below(leaves):
        seat = chance.pick(reference.active)
        return seat, ENGINE.parse("resign", state, seat)
    if reference.p["phase"] == "plan":
        seat = chance.pick(reference.active)
        return seat, random_action(ENGINE, state, seat, chance)
    texts, seldom = sorted(reference.legal()), chance.below(4)
    if seldom:  # closed cards are turned up often, so that the same two lie open again
        texts = [text for text in texts if text in {"draft pile", "redraw"}] or texts
    return reference.p["turn"], ENGINE.parse(chance.pick(texts), state, reference.p["turn"])


def refused(state: Any, reference: Reference, chance: Chance) -> None:
    """Plans with one card changed are taken or refused as the spec says, other things always refused."""
    seat = chance.pick(reference.active)
    if reference.p["phase"] == "plan":
        action = json.loads(random_action(ENGINE, state, seat, chance).model_dump_json())
        card = chance.pick([*MAP, *CHESTS, *reference.own(seat), *reference.own(seat), ""])
        action[chance.pick(SHEET)] = card
        action = {key: value for key, value in action.items() if value}
        legal = reference.is_plan(seat, {s: c for s, c in action.items() if s != "type"})
    else:
        to = chance.pick(list(MAP))
        action = chance.pick(
            [
                {"type": "battle", "to": to, "armies": chance.below(5)},
                {"type": "move", "to": to, "armies": chance.below(5)},
                {"type": "stay"},
                {"type": "choose_special", "special": chance.pick(SPECIALS)},
                {"type": "revolts", "provinces": chance.shuffled(reference.own(seat))[:2]},
                {"type": "draft", "card": to, "armies": chance.below(6)},
                {"type": "place", "armies": chance.below(6)},
                {"type": "redraw"},
            ]
        )
        text = ENGINE.format(ENGINE.parse(action, state, seat))
        legal = seat == reference.p["turn"] and text in reference.legal()
    before = ENGINE.dump(state)
    try:
        ENGINE.apply(state, seat, ENGINE.parse(action, state, seat), Chance(b"refused", 1))
    except RulesError:
        assert not legal, action
    else:
        assert legal, action
    assert ENGINE.dump(state) == before


def follow(state: Any, reference: Reference, chance: Chance, most: int, leaves: int = 0) -> Counter[str]:
    """Plays on at random, both programs side by side; what was met."""
    met, public = Counter[str](), Public(state)
    for number in range(1, most):
        same(state, reference)
        public.check(state)
        assert ENGINE.position(ENGINE.from_position(ENGINE.position(state), chance).state) == reference.p
        met[reference.p["phase"]] += 1
        if reference.p["phase"] == "over":
            met[ENGINE.result(state).reason] += 1
            return met
        refused(state, reference, chance)
        seat, action = choice(state, reference, chance, leaves)
        text = ENGINE.format(action)
        data = json.loads(action.model_dump_json())
        assert ENGINE.parse(text, state, seat) == ENGINE.parse(data, state, seat) == action
        state, events = ENGINE.apply(state, seat, action, Chance(b"reference", chance.below(10**6) + number))
        public.hear(events)
        met.update(event.code for event in events)
        reference.act(seat, data, dumped(events), ENGINE.position(state))
    return met


def played_on(seed: int, most: int) -> Counter[str]:
    """From some position, loaded with its neutral provinces left out."""
    chance = Chance(b"position", seed)
    position = some_position(chance)
    given = {
        **position,
        "provinces": {name: p for name, p in position["provinces"].items() if p["owner"] is not None},
    }
    state, events = ENGINE.from_position(given, Chance(b"load", seed))
    reference = Reference(position)
    reference.load(dumped(events), ENGINE.position(state))
    met = Counter(event.code for event in events)
    return met + follow(state, reference, chance, most, leaves=chance.pick([0, 0, 25]))


def new_game(seed: int) -> Counter[str]:
    """From a draft, or the fixed set-up, to the end."""
    chance = Chance(b"game", seed)
    options: Json = {"tower": chance.pick(TOWERS), "forced_battles": chance.below(3) > 0}
    options |= chance.pick([{}, {"setup": "draft"}, {"setup": "draft", "side": "moon"}])
    step = ENGINE.setup(ENGINE.read_options(options), 3 + chance.below(3), Chance(b"new", seed))
    reference = Reference(ENGINE.position(step.state))
    return follow(step.state, reference, chance, 2000, leaves=chance.pick([0, 0, 400]))


def test_positions_go_on_as_in_the_second_program():
    met = Counter[str]()
    for seed in range(14):
        met += played_on(seed, 20)
    assert {"plan", "special", "action", "winter", "over"} <= met.keys()
    assert {"built", "recruited", "dropped", "unrest", "revolt-held", "revolt-lost", "stayed"} <= met.keys()
    assert {"conquered", "conquered-neutral", "held", "tied", "tied-neutral", "moved"} <= met.keys()


@pytest.mark.parametrize("seed", range(2))
def test_games_are_those_of_the_second_program(seed):
    assert new_game(seed)["over"] == 1


@pytest.mark.long
def test_many_positions_and_games_are_those_of_the_second_program():
    met = Counter[str]()
    for seed in range(COUNT):
        met += played_on(1000 + seed, 40)
        met += new_game(1000 + seed)
    assert {
        "points",
        "resigned",
        "calmed",
        "redrawn",
        "turned-up",
        "revolts-ordered",
        "card-lost",
    } <= met.keys()
