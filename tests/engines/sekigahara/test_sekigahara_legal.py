"""What is listed is what may be done, and completions reach what cannot all be listed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest

from engines.chance import Chance
from engines.protocol import RulesError
from engines.sekigahara import marches
from engines.sekigahara.board import Board
from engines.sekigahara.data import CARD_COUNTS, DISKS, NEIGHBOURS, SIDES, Side
from engines.sekigahara.subsets import groups, numbers_by_size
from tests.engines.sekigahara.sekigahara_games import ENGINE, random_game
from tests.engines.sekigahara.sekigahara_positions import Game

COUNT = int(os.environ.get("HATAMOTO_COUNT", "6"))


def fight_candidates(state, side: Side) -> Iterator[str]:
    """Everything that could be said in a fight about the faces, cards and places at hand, wrong or right."""
    fight = state.battle
    here = sorted({*getattr(state.map[fight.at], side), "ii4", "mori-leader"})
    hand = sorted({*state.hands[side], "loyalty", "mori", "tokugawa-double"} & set(CARD_COUNTS[side]))
    yield from ("done", "challenge", "accept", "concede", "inside", "outside", "end", "retreat")
    for number in range(1, 3):
        for faces in combinations_with_replacement(here, number):
            yield f"deploy {' '.join(faces)}"
            yield from (f"deploy {' '.join(faces)} with {card}" for card in hand)
    yield from (f"show {card}" for card in hand)
    for number in range(5):
        for units in combinations_with_replacement([*here, *DISKS], number):
            yield f"lose {' '.join(units)}"
    inside = [faces for number in range(4) for faces in combinations_with_replacement(here, number)]
    for to, faces in product(["", *NEIGHBOURS[fight.at], fight.at], inside):
        yield " ".join(["retreat", to, *(["castle", *faces] if faces else [])])


def allowed(state, seat: int, texts: Iterator[str]) -> set[str]:
    """Those that are carried out, in canonical notation."""
    found = set()
    for text in texts:
        try:
            action = ENGINE.parse(text, state, seat)
            ENGINE.apply(state, seat, action, Chance(b"try", 1))
        except RulesError:
            continue
        found.add(ENGINE.format(action))
    return found


def check_fights(seed: int, most: int) -> set[str]:
    """In the fights of a random game exactly what is listed is carried out; the phases met."""
    met: list[str] = []
    for state, seat, _action in random_game(seed):
        if state.battle is None or seat is None or met.count(state.phase) >= most:
            continue
        if len(getattr(state.map[state.battle.at], SIDES[seat])) > 5:
            continue
        met.append(state.phase)
        texts = fight_candidates(state, SIDES[seat])
        assert allowed(state, seat, texts) == set(ENGINE.legal(state, seat).actions), state.phase
    return set(met)


def test_in_a_fight_exactly_what_is_listed_may_be_done():
    assert check_fights(6, 1) == {"castle", "deploy", "challenge", "answer", "lose", "retreat"}


@pytest.mark.long
def test_in_many_fights_exactly_what_is_listed_may_be_done():
    phases = set()
    for seed in range(COUNT):
        phases |= check_fights(seed, 6)
    assert phases >= {"castle", "deploy", "challenge", "answer", "lose", "retreat"}


def walks(origin: str, steps: int) -> Iterator[str]:
    """Every way of this many steps along roads, used once or twice."""
    if not steps:
        yield ""
        return
    for near in NEIGHBOURS[origin]:
        yield from (f" > {near}{rest}" for rest in walks(near, steps - 1))


def test_exactly_the_marches_listed_may_be_marched():
    game = Game(
        {"kyoto": "mori-leader mori2 |", "minakuchi": "| date2", "sawayama": "| date2", "gifu": "| date3"},
        hands={"ishida": ["mori"], "tokugawa": []},
        mori_box=[],
        boxes={"ishida": [], "tokugawa": []},
    )
    del game.state.map["osaka"]  # nobody else marches
    game.play("move minimal")
    paths = [walk for steps in range(1, 6) for walk in walks("kyoto", steps)]
    said = [
        f"march kyoto {group}{path}{more}"
        for group in ("mori2", "mori-leader", "mori2 mori-leader", "mori2 mori2")
        for path in paths
        for more in ("", " leader mori-leader", " force mori", " leader mori-leader force mori")
    ]
    listed = ENGINE.legal(game.state, 0)
    undivided = {text for text in listed.actions if text.startswith("march") and " -" not in text}
    assert listed.complete
    assert allowed(game.state, 0, iter(said)) == undivided


def test_the_number_of_marches_is_told_without_listing_them():
    game = Game({"kyoto": "mori-leader mori2 mori2 |", "kiso": "ukita2 |"}).play("move limited mori")
    board = Board.of(game.state, Chance(b"", 0))
    plans = [plan for plan in marches.every(board, "ishida") if not plan.drop]
    assert marches.number(board, "ishida", 10**6) == len(plans)
    faces = ["mori2", "mori2", "mori3", "ukita2"]
    assert numbers_by_size(faces) == [len(list(groups(faces, [size]))) for size in range(5)]


BIG_HAND = [card for card, number in CARD_COUNTS["ishida"].items() for _ in range(min(number, 2))]


def test_completions_reach_every_discard_of_a_large_hand():
    hands = {"ishida": BIG_HAND, "tokugawa": ["date", "maeda"]}
    game = Game({}, phase="discard", hands=hands)
    listed = ENGINE.legal(game.state, 0)
    assert not listed.complete
    typed = "discard uesugi loyalty uk"
    found = ENGINE.complete(typed, game.state, 0)
    assert found
    assert all(text.startswith(typed) for text in found)
    assert allowed(game.state, 0, iter(found[:20])) == set(found[:20])


def test_only_mode_none_is_offered_an_exchange():
    hands = {"ishida": BIG_HAND, "tokugawa": ["date", "maeda"]}
    for mode, offered in (("none", True), ("minimal", False)):
        game = Game({"kyoto": "mori2 mori3 |"}, hands=hands).play(f"move {mode}")
        assert not ENGINE.legal(game.state, 0).complete
        assert bool(ENGINE.legal(game.state, 0, "discard uesugi").actions) == offered


def test_the_mori_box_is_completed_beside_many_exchanges():
    hands = {"ishida": BIG_HAND, "tokugawa": ["date", "maeda"]}
    game = Game({}, hands=hands).play("move none")
    assert "mori loyalty = mori3" in ENGINE.complete("mori", game.state, 0)


def test_completions_go_on_after_a_drop():
    places = {"kyoto": "mori-leader mori2 mori3 ukita2 ukita3 |", "kiso": "ukita-cav uesugi3 uesugi3 |"}
    game = Game(places).play("move total mori mori-sword")
    assert not ENGINE.legal(game.state, 0).complete
    typed = "march kyoto mori2 mori3 > minakuchi -mori2 "
    found = ENGINE.complete(typed, game.state, 0)
    assert "march kyoto mori2 mori3 > minakuchi -mori2 > kuwana" in found
    assert allowed(game.state, 0, iter(found)) == set(found)
