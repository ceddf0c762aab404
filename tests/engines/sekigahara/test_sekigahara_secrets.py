"""What a viewer cannot know changes nothing he sees: view, events, completions, choices, legal."""

import os
from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import RulesError
from engines.sekigahara.board import contains, without
from engines.sekigahara.data import NEIGHBOURS, OTHER, SIDES, deploys
from tests.engines.sekigahara.sekigahara_games import ENGINE, random_game

COUNT = int(os.environ.get("HATAMOTO_COUNT", "10"))


def deal(pool: list[str], sizes: list[int]) -> list[tuple[str, ...]]:
    """The pool cut into parts of these sizes."""
    parts, start = [], 0
    for size in sizes:
        parts.append(tuple(pool[start : start + size]))
        start += size
    return parts


def shown_blocks(state: Any, side: str) -> list[str]:
    """Blocks of a side that everybody sees in the fight."""
    fight = state.battle
    if fight is None:
        return []
    own = [face for faces in fight.deployed.values() for face in faces]
    own += fight.pending.blocks if fight.pending else ()
    return [
        face for face in own if contains([f for p in state.map.values() for f in getattr(p, side)], [face])
    ]


def permuted(state: Any, secret: Any, chance: Chance) -> Any:
    """The state with everything of `secret`'s side mixed that the other side cannot know."""
    fixed = {state.battle.at: shown_blocks(state, secret)} if state.battle else {}
    moved = state.march.moved if state.march and state.active == secret else {}
    hidden = {p: without(getattr(here, secret), fixed.get(p, ())) for p, here in state.map.items()}
    parts = [list(faces) for faces in hidden.values()] + [list(state.bags[secret]), list(state.boxes[secret])]
    mixed = deal(chance.shuffled([f for part in parts for f in part]), [len(part) for part in parts])
    places: dict[str, Any] = {}
    for (place, here), faces in zip(state.map.items(), mixed, strict=False):
        places[place] = here.model_copy(update={secret: (*fixed.get(place, ()), *faces)})
    cards = chance.shuffled([*state.hands[secret], *state.decks[secret], *state.discards[secret][:-1]])
    sizes = [len(state.hands[secret]), len(state.decks[secret]), max(0, len(state.discards[secret]) - 1)]
    hand, deck, under = deal(cards, sizes)
    update: dict[str, Any] = {
        "map": places,
        "bags": {**state.bags, secret: mixed[-2]},
        "boxes": {**state.boxes, secret: mixed[-1]},
        "hands": {**state.hands, secret: hand},
        "decks": {**state.decks, secret: deck},
        "discards": {**state.discards, secret: (*under, *state.discards[secret][-1:])},
        "standing": {**state.standing, secret: chance.pick(["ask", "never"])},
    }
    other = OTHER[secret]
    update["bags"][other] = tuple(chance.shuffled(state.bags[other]))
    update["decks"][other] = tuple(chance.shuffled(state.decks[other]))
    if secret in state.sealed:
        update["sealed"] = {**state.sealed, secret: hand[: len(state.sealed[secret])]}
    if state.march and moved:
        now = {p: (*getattr(places[p], secret), *faces)[: len(faces)] for p, faces in moved.items()}
        update["march"] = state.march.model_copy(update={"moved": now})
    return state.model_copy(update=update)


def seen(state: Any, viewer: int | None) -> list[object]:
    """All that leaves the engine towards a viewer."""
    found: list[object] = [ENGINE.view(state, viewer).model_dump(mode="json"), sorted(ENGINE.to_act(state))]
    found.append(ENGINE.result(state))
    if viewer is None:
        return found
    found += [
        ENGINE.legal(state, viewer),
        ENGINE.complete("", state, viewer),
        ENGINE.complete("march", state, viewer),
    ]
    found.append(ENGINE.choices_mark(state, viewer))
    path: tuple[str, ...] = ()
    for _ in range(6):
        try:
            prompt = ENGINE.choices(state, viewer, path)
        except RulesError as error:
            found.append((error.code, error.params))
            break
        found.append(prompt)
        if not hasattr(prompt, "choices"):
            break
        keys = [choice.key for choice in prompt.choices[: max(1, prompt.least)]]
        path = (*path, "+".join(keys))
    return found


def check(seed: int) -> set[Any]:
    """A random game in which every state is compared with mixed ones; the phases met."""
    chance, phases = Chance(b"mix", seed), set()
    for number, (state, seat, action) in enumerate(random_game(seed)):
        fresh = state.phase not in phases
        phases.add(state.phase)
        if not fresh and number % 40:
            continue
        for viewer in (0, 1):
            mixed = permuted(state, OTHER[SIDES[viewer]], chance)
            assert seen(mixed, viewer) == seen(state, viewer)
            assert seen(mixed, None) == seen(state, None)
            said = said_wrongly(state, viewer)
            assert refusals(mixed, viewer, said) == refusals(state, viewer, said)
            if seat == viewer:
                assert events_seen(state, viewer, action) == events_seen(mixed, viewer, action)
            elif seat is not None:
                assert no_secret_told(state, seat, action, viewer)
    return phases


def said_wrongly(state: Any, viewer: int) -> list[str]:
    """Actions of every kind, most of them not allowed: about own things and the enemy's places."""
    side = SIDES[viewer]
    other = OTHER[side]
    mine, theirs = ([p for p, h in state.map.items() if getattr(h, s)][:4] for s in (side, other))
    faces = [face for place in mine for face in getattr(state.map[place], side)[:2]]
    card = next(iter(state.hands[side]), "loyalty")
    said = ["end", "done", "challenge", "accept", "concede", "inside", "outside", "discard", "move limited"]
    said += [f"bid {card}", "first ishida", "show loyalty", f"show {card}", "lose hideyori", "retreat kyoto"]
    for place, face in zip(mine, faces, strict=False):
        said += [f"march {place} {face} > {near}" for near in (*NEIGHBOURS[place], "edo")]
        said += [f"deploy {face}", f"deploy {face} with {card}", f"lose {face}", f"retreat castle {face}"]
        on = NEIGHBOURS[place][0]
        said += [
            f"march {place} {face} {face} > {on} -{face} > {to} / {on} {face} > edo" for to in NEIGHBOURS[on]
        ]
    for place in theirs:
        said += [f"march {place} {faces[0]} > osaka", f"combat {place}", f"retreat {place}"]
        said += [f"muster {place} {face}" for face in state.boxes[side][:1]]
    return said


def refusals(state: Any, viewer: int, said: list[str]) -> list[object]:
    """How each of them is answered: by an error with its parameters, or carried out."""
    found: list[object] = []
    for text in said:
        try:
            ENGINE.apply(state, viewer, ENGINE.parse(text, state, viewer), Chance(b"said", 1))
            found.append("carried out")
        except RulesError as error:
            found.append((error.code, error.params))
    return found


PUBLIC_PHASES = {
    "march",
    "first",
    "move",
    "combat",
    "castle",
    "deploy",
    "challenge",
    "answer",
    "lose",
    "retreat",
}


def events_seen(state, viewer, action):
    """What the actor sees of his own action before chance and others' faces come into it."""
    if state.phase not in PUBLIC_PHASES:
        return []
    events = ENGINE.apply(state, viewer, action, Chance(b"e", 1)).events
    return [event.seen_by(viewer) for event in events[:1]]


def no_secret_told(state, seat, action, viewer):
    """An opponent's secret choice tells its number only; faces only where the rules show them."""
    telling = {
        "overrun",
        "mustered-shown",
        "mori",
        "mori-joined",
        "led",
        "deployed",
        "challenged",
        "defected",
        "lost",
    }
    for event in ENGINE.apply(state, seat, action, Chance(b"e", 1)).events:
        params = event.seen_by(viewer).params
        if (
            params.get("seat") != viewer
            and event.code not in telling
            and ("blocks" in params or "cards" in params)
        ):
            return False
    return True


def test_what_a_viewer_cannot_know_changes_nothing_he_sees():
    assert check(0) >= {
        "discard",
        "bid",
        "first",
        "move",
        "march",
        "combat",
        "deploy",
        "challenge",
        "lose",
        "over",
    }


@pytest.mark.long
def test_no_phase_of_many_games_tells_a_secret():
    phases = set()
    for seed in range(100, 100 + COUNT):
        phases |= check(seed)
    assert phases >= {"castle", "answer", "retreat"}


def test_a_secret_discard_hides_its_cards_from_the_other():
    states = (state for seed in range(9) for state, _, _ in random_game(seed))
    state = next(state for state in states if state.phase == "discard" and ENGINE.to_act(state) == {0, 1})
    text = ENGINE.legal(state, 0).actions[0]
    step = ENGINE.apply(state, 0, ENGINE.parse(text, state, 0), Chance(b"", 1))
    (event,) = step.events
    assert "cards" in event.seen_by(0).params
    assert "cards" not in event.seen_by(1).params
    assert ENGINE.view(step.state, 1).sealed is None


def test_permutations_do_change_what_is_hidden():
    state = next(s for s, _, _ in random_game(1) if s.phase == "march")
    mixed = permuted(state, "tokugawa", Chance(b"m", 0))
    assert mixed.map != state.map
    assert mixed.hands != state.hands
    assert any(deploys(card, "ii4") for card in mixed.decks["tokugawa"])


PICKED = {"march", "end", "move", "done", "combat", "castle", "bid", "discard", "retreat", "muster"}
SHOWING = {"overrun", "drew", "recruited", "discarded", "bid", "over"}  # chance or faces come into it


def with_blocks(leg: Any, there: list[str], left: dict[str, list[str]]) -> Any:
    """A path of a march with the first of the blocks there, which it takes; what it leaves where."""
    blocks, drop = tuple(there[: len(leg.blocks)]), {}
    del there[: len(leg.blocks)]
    rest = list(blocks)
    for place, faces in (leg.drop or {}).items():
        drop[place], rest = tuple(rest[: len(faces)]), rest[len(faces) :]
        left[place] = list(drop[place])
    return leg.model_copy(update={"blocks": blocks, "drop": drop or None})


def same_seen(state: Any, mixed: Any, seat: int, action: Any) -> Any:
    """The action as it looks from outside, done with the blocks of the mixed state; None where faces show."""
    secret = SIDES[seat]
    if action.type == "march":
        if action.leader or action.force:
            return None
        moved = mixed.march.moved.get(action.origin, ())
        rest = without(getattr(mixed.map[action.origin], secret), moved)[: len(action.blocks)]
        left: dict[str, list[str]] = {}
        main = with_blocks(action, rest, left)
        branches = [with_blocks(branch, left[branch.origin], left) for branch in action.branches or ()]
        return main.model_copy(update={"branches": tuple(branches) or None})
    if action.type == "muster":
        blocks = tuple(mixed.boxes[secret][:1])
        return None if action.shown else action.model_copy(update={"blocks": blocks})
    if action.type == "retreat":
        inside = getattr(mixed.map[state.battle.at], secret)[: len(action.castle)]
        return action.model_copy(update={"castle": tuple(inside)})
    cards = (action.card,) if action.type == "bid" else getattr(action, "cards", ())
    return action if action.type in PICKED and contains(mixed.hands[secret], cards) else None


def check_others(seed: int) -> set[str]:
    """What an opponent's action tells does not depend on his hidden blocks and cards; the actions met."""
    chance, met = Chance(b"others", seed), set()
    for state, seat, action in random_game(seed):
        if seat is None or action is None:
            continue
        mixed = permuted(state, SIDES[seat], chance)
        alike = same_seen(state, mixed, seat, action)
        if alike is None:
            continue
        one = ENGINE.apply(state, seat, action, Chance(b"e", 1))
        two = ENGINE.apply(mixed, seat, alike, Chance(b"e", 1))
        if SHOWING & {event.code for event in (*one.events, *two.events)}:
            continue
        for viewer in (1 - seat, None):
            assert [e.seen_by(viewer) for e in one.events] == [e.seen_by(viewer) for e in two.events]
            assert ENGINE.view(one.state, viewer) == ENGINE.view(two.state, viewer)
        met.add(action.type)
        met.update(["branch"] if getattr(action, "branches", None) else [])
    return met


def test_what_an_opponent_does_tells_nothing_that_is_hidden():
    assert check_others(1) | check_others(2) >= {"march", "branch", "muster", "end", "move", "bid"}


@pytest.mark.long
def test_what_opponents_do_in_many_games_tells_nothing_that_is_hidden():
    met = set()
    for seed in range(COUNT):
        met |= check_others(seed)
    assert met >= {"march", "end", "combat"}
