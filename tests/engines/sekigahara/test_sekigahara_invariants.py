"""Random games: what holds in every state, and legal <-> apply in the phases that are no fight."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import Action, RulesError
from engines.sekigahara.data import CASTLES, DISKS, PLACES, RESOURCES, SIDES, card_order
from tests.engines.sekigahara.sekigahara_games import ENGINE, assert_all_there, random_game

COUNT = int(os.environ.get("HATAMOTO_COUNT", "6"))
TRIED = 30  # of the listed actions of a state
MODES = ("none", "minimal", "limited", "total")


def some(names: Any, most: int, least: int = 0) -> Iterator[str]:
    """Every multiset of few of these, as words."""
    for number in range(least, most + 1):
        yield from (" ".join(words) for words in combinations_with_replacement(sorted(set(names)), number))


def said(state: Any, seat: int) -> Iterator[str]:
    """What might be said outside a fight, marches apart, wrong or right, in few words."""
    side = SIDES[seat]
    hand, box = state.hands[side], state.boxes[side]
    yield from (f"discard {cards}" for cards in some(hand, 2))
    if state.phase == "discard":
        yield from (f"discard {cards}" for cards in some(hand, 3, 3))
    yield from (
        "end",
        "first ishida",
        "first tokugawa",
        "bid loyalty",
        *(f"bid {card}" for card in set(hand)),
    )
    yield from (f"move {mode} {cards}" for mode, cards in product(MODES, some(hand, 2)))
    yield from (f"combat {place}" for place in ("edo", "osaka", "gifu", "kiyosu"))
    for place in ("osaka", "himeji", "aizu", "edo", "sendai", "kyoto"):
        yield from (f"muster {place} {faces}{shown}" for faces in some(box, 2) for shown in ("", " shown"))
    mori = product(some(hand, 1), some({*state.mori_box, "ukita2"}, 2))
    yield from (f"mori {cards} = {faces}" for cards, faces in mori)


def plain(text: str) -> str:
    """With its cards in the order of the data, as `legal` lists them."""
    words, _, rest = text.partition("=")
    first, *cards = words.split()
    if first in {"discard", "mori"}:
        return " ".join([first, *card_order(cards), *(["=", rest.strip()] if rest else [])])
    if first == "move":
        return " ".join([first, cards[0], *card_order(cards[1:])])
    return text


def carried_out(state: Any, seat: int, text: str) -> str | None:
    """The action in canonical notation where it is done, None where it is refused."""
    try:
        action = ENGINE.parse(text, state, seat)
        ENGINE.apply(state, seat, action, Chance(b"try", 1))
    except RulesError:
        return None
    return plain(ENGINE.format(action))


def check_legal(state: Any, seat: int, chance: Chance) -> None:
    """What is listed is done and comes back from text and JSON; what is done is listed."""
    legal = ENGINE.legal(state, seat)
    assert len(set(legal.actions)) == len(legal.actions)
    for text in chance.shuffled(legal.actions)[:TRIED]:
        action = ENGINE.parse(text, state, seat)
        assert ENGINE.format(action) == text
        assert ENGINE.parse(json.dumps(action.model_dump(mode="json", by_alias=True)), state, seat) == action
        ENGINE.apply(state, seat, action, Chance(b"try", 1))
    if legal.complete and state.battle is None:
        texts = list(said(state, seat))
        done = {done for text in texts if (done := carried_out(state, seat, text))}
        assert done <= set(legal.actions)
        listed = {text for text in legal.actions if text in {plain(" ".join(t.split())) for t in texts}}
        assert listed <= done


def check_state(state: Any) -> None:
    """Everything is there once, castles and resources have owners that may have them, and it comes back."""
    assert_all_there(state)
    for place in PLACES:
        here = state.map[place]
        units = {side: bool(getattr(here, side)) for side in SIDES}
        units["ishida"] |= any(DISKS[disk] == place for disk in state.disks)
        there = [side for side in SIDES if units[side]]
        assert (here.holder is None) == (place not in CASTLES)
        assert not here.besieged or (len(there) == 2 and place in CASTLES)
        if here.holder and len(there) < 2:
            assert here.holder == (there[0] if there else CASTLES[place])
    assert set(state.control) <= set(RESOURCES)
    assert (state.march is None) or state.phase in {
        "march", "combat", "castle", "deploy", "challenge", "answer", "lose", "retreat",
    }  # fmt: skip
    if state.march:
        for place, faces in state.march.moved.items():
            if state.phase == "march":
                assert Counter(faces) <= Counter(getattr(state.map[place], state.active))
    position = ENGINE.position(state)
    if state.phase != "over":  # a resignation is not told by a position
        assert ENGINE.position(ENGINE.from_position(position, Chance(b"", 0)).state) == position
    assert ENGINE.load(ENGINE.dump(state)) == state


def check_told(state: Any, seat: int, action: Action) -> None:
    """Where anybody sees something new, something was told; by the view the same state is seen."""
    step = ENGINE.apply(state, seat, action, Chance(b"told", 1))
    changed = any(
        ENGINE.view(state, viewer) != ENGINE.view(step.state, viewer) for viewer in (None, 1 - seat)
    )
    assert not changed or step.events


def play(seed: int, every: int) -> set[str]:
    """A random game; every so many states in full. The phases looked at."""
    chance, looked, met = Chance(b"invariants", seed), set[str](), Counter[str]()
    for state, seat, action in random_game(seed, "revised5" if seed % 2 else "printed3"):
        met[state.phase] += 1
        if met[state.phase] % every != 1:
            continue
        check_state(state)
        if seat is not None and action is not None:
            check_legal(state, seat, chance)
            check_told(state, seat, action)
        looked.add(state.phase)
    return looked


def test_a_random_game_keeps_what_must_hold():
    assert play(3, 25) >= {"discard", "bid", "first", "move", "march", "combat", "deploy", "over"}


@pytest.mark.long
def test_many_random_games_keep_what_must_hold():
    for seed in range(100, 100 + COUNT):
        play(seed, 7)
