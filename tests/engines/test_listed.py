"""A game whose actions can be listed: what `Listed` makes of one function."""

from __future__ import annotations

import pytest

from engines.chance import Chance
from engines.listed import Listed, branches
from engines.protocol import GAME_OVER, Choice, Prompt, Ready, RulesError
from examples.nim.engine import flow
from examples.nim.engine.model import NimState, Resign, Take


class Nim(flow.Nim):
    """The example with the panel that a listed game has by itself."""

    def ways(self, state, seat):
        return Listed.ways(self, state, seat)


class NimByHeaps(flow.Nim):
    """The example, whose panel has two levels, with the most first and a warning."""

    def ways(self, state, seat):
        return sorted(super().ways(state, seat), key=lambda way: -way[1].stones)

    def ready(self, state, seat, action):
        all_of_it = action.stones == state.heaps[action.heap - 1]
        return Ready(action=self.format(action), warning="all" if all_of_it else None)


NIM, BY_HEAPS, START = Nim(), NimByHeaps(), NimState(heaps=(1, 3))
LISTED = ["take 1 heap1", "take 1 heap2", "take 2 heap2", "take 3 heap2"]


def refused(work, *args) -> str:
    with pytest.raises(RulesError) as caught:
        work(*args)
    return caught.value.code


def test_what_is_listed_is_legal_for_who_acts_and_for_nobody_else():
    assert list(NIM.legal(START, 0).actions) == LISTED
    assert NIM.legal(START, 0).complete
    assert NIM.legal(START, 1).actions == ()


@pytest.mark.parametrize(
    "text", ["take 2 heap2", "TAKE 2 heap2", "heap2  2 take", '{"type":"take","heap":2,"stones":2}']
)
def test_a_listed_action_is_read_in_any_order_and_case_and_as_json(text):
    assert NIM.parse(text, START, 0) == Take(heap=2, stones=2)


def test_what_is_always_possible_is_read_out_of_turn_and_in_no_list():
    assert NIM.parse("Resign", START, 1) == Resign()
    assert "resign" not in NIM.legal(START, 0).actions
    assert NIM.choices(START, 1, ("resign",)) == Ready(action="resign", warning="resign")


@pytest.mark.parametrize(
    "text",
    [
        "take 4 heap2",
        "take",
        "resign resign",
        '{"type":"steal"}',
        '{"stones":1}',
        "[]",
        '{"type":"take","heap":2}',
    ],
)
def test_what_means_nothing_is_refused(text):
    assert refused(NIM.parse, text, START, 0) == "bad-action"


def test_a_text_of_a_seat_that_need_not_act_is_refused_as_such():
    assert refused(NIM.parse, "take 1 heap1", START, 1) == "not-your-turn"


def test_completions_are_the_listed_ones_that_go_on_from_a_text():
    assert NIM.complete("take 3", START, 0) == LISTED[3:]
    assert NIM.complete("take", START, 0) == LISTED
    assert NIM.complete("", START, 1) == []


@pytest.mark.parametrize("game", [NIM, BY_HEAPS])
def test_every_listed_action_has_exactly_one_way_through_the_panel(game):
    def ends(path):
        step = game.choices(START, 0, path)
        if isinstance(step, Ready):
            return [step.action]
        assert all(not set("/+: ") & set(choice.key) for choice in step.choices)
        return [end for choice in step.choices for end in ends((*path, choice.key))]

    assert sorted(ends(())) == LISTED


def test_a_panel_of_levels_is_in_its_own_order_and_warns():
    first = BY_HEAPS.choices(START, 0)
    assert isinstance(first, Prompt)
    assert [choice.key for choice in first.choices] == ["heap2", "heap1"]
    assert first.choices[0] == Choice(key="heap2", code="take-some", params={"heap": 2}), "no stones yet"
    second = BY_HEAPS.choices(START, 0, ("heap2",))
    assert isinstance(second, Prompt)
    best = second.choices[0]
    assert (best.key, best.code, best.params) == ("3", "take", {"heap": 2, "stones": 3})
    assert BY_HEAPS.choices(START, 0, ("heap2", "3")) == Ready(action="take 3 heap2", warning="all")


@pytest.mark.parametrize("path", [("heap3",), ("heap2", "4"), ("heap2", "3", "x"), ("take",)])
def test_a_path_that_leads_nowhere_is_stale(path):
    assert refused(BY_HEAPS.choices, START, 0, path) == "stale-path"


def test_a_panel_is_for_who_acts_and_ends_with_the_game():
    assert refused(NIM.choices, START, 1) == "not-your-turn"
    over = NIM.apply(START, 0, Resign(), Chance(b"", 0)).state
    assert refused(NIM.choices, over, 0) == GAME_OVER
    assert refused(NIM.choices, over, 1, ("resign",)) == GAME_OVER


def test_items_are_told_apart_by_their_next_pick():
    items = [(tuple(word), word) for word in ("ab", "ac", "b")]
    assert branches(items, ()) == {"a": ["ab", "ac"], "b": ["b"]}
    assert branches(items, ("a",)) == {"b": ["ab"], "c": ["ac"]}
    assert branches(items, ("a", "c")) == ["ac"]
    assert refused(branches, [], ()) == "stale-path"
