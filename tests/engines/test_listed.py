"""A game whose actions can be listed: what `Listed` makes of one function."""

from __future__ import annotations

from typing import Literal

import pytest

from engines.chance import Chance
from engines.listed import Listed, branches
from engines.protocol import (
    GAME_OVER,
    Action,
    Options,
    Prompt,
    Ready,
    Result,
    RulesError,
    State,
    Step,
    View,
    game_over,
    read,
)


class NimState(State):
    heaps: tuple[int, ...] = (1, 3)
    turn: int = 0
    out: int | None = None


class NimView(View):
    heaps: tuple[int, ...]


class Take(Action):
    type: Literal["take"] = "take"
    heap: int
    n: int


class Resign(Action):
    type: Literal["resign"] = "resign"


class Nim(Listed[Options, NimState, Take | Resign, NimView]):
    """Takes from a heap in turn; who takes the last wins. All that a listed game has to write."""

    game = "nim"
    seats = (2,)
    options_type = Options
    state_type = NimState
    view_type = NimView
    action_types = {"take": Take, "resign": Resign}  # noqa: RUF012

    def setup(self, options, seats, chance):
        return Step(NimState(), ())

    def to_act(self, state):
        return frozenset() if self.result(state) else frozenset({state.turn})

    def apply(self, state, seat, action, chance):
        if self.result(state):
            raise RulesError(GAME_OVER)
        if isinstance(action, Resign):
            after = state.model_copy(update={"out": seat})
        else:
            heaps = list(state.heaps)
            heaps[action.heap] -= action.n
            after = state.model_copy(update={"heaps": tuple(heaps), "turn": 1 - state.turn})
        result = self.result(after)
        return Step(after, (game_over(result),) if result else ())

    def view(self, state, viewer):
        return NimView(game=self.game, viewer=viewer, heaps=state.heaps)

    def result(self, state):
        if state.out is None and any(state.heaps):
            return None
        winner = 1 - (state.turn if state.out is None else state.out)
        return Result(winners=(winner,), scores=(0, 0), reason="last" if state.out is None else "resign")

    def roles(self, state):
        return ("first", "second")

    def position(self, state):
        return state.model_dump(mode="json")

    def from_position(self, position, chance):
        return Step(read(NimState, position, "bad-position"), ())

    def format(self, action):
        return action.type if isinstance(action, Resign) else f"take {action.n} from:{action.heap}"

    def actions(self, state, seat):
        return [Take(heap=heap, n=n + 1) for heap, size in enumerate(state.heaps) for n in range(size)]


class NimByHeaps(Nim):
    """The same with a panel of two levels and a warning."""

    def ways(self, state, seat):
        best = sorted(self.actions(state, seat), key=lambda take: -take.n)
        return [((f"heap{take.heap}", str(take.n)), take) for take in best]

    def ready(self, state, seat, action):
        return Ready(
            action=self.format(action), warning="all" if action.n == state.heaps[action.heap] else None
        )


NIM, BY_HEAPS, START = Nim(), NimByHeaps(), NimState()
LISTED = ["take 1 from:0", "take 1 from:1", "take 2 from:1", "take 3 from:1"]


def refused(work, *args) -> str:
    with pytest.raises(RulesError) as caught:
        work(*args)
    return caught.value.code


def test_what_is_listed_is_legal_for_who_acts_and_for_nobody_else():
    assert list(NIM.legal(START, 0).actions) == LISTED
    assert NIM.legal(START, 0).complete
    assert NIM.legal(START, 1).actions == ()


@pytest.mark.parametrize(
    "text", ["take 2 from:1", "TAKE 2 from:1", "from:1  2 take", '{"type":"take","heap":1,"n":2}']
)
def test_a_listed_action_is_read_in_any_order_and_case_and_as_json(text):
    assert NIM.parse(text, START, 0) == Take(heap=1, n=2)


def test_what_is_always_possible_is_read_out_of_turn_and_in_no_list():
    assert NIM.parse("Resign", START, 1) == Resign()
    assert "resign" not in NIM.legal(START, 0).actions
    assert NIM.choices(START, 1, ("resign",)) == Ready(action="resign", warning="resign")


@pytest.mark.parametrize(
    "text",
    [
        "take 4 from:1",
        "take",
        "resign resign",
        '{"type":"steal"}',
        '{"n":1}',
        "[]",
        '{"type":"take","heap":1}',
    ],
)
def test_what_means_nothing_is_refused(text):
    assert refused(NIM.parse, text, START, 0) == "bad-action"


def test_a_text_of_a_seat_that_need_not_act_is_refused_as_such():
    assert refused(NIM.parse, "take 1 from:0", START, 1) == "not-your-turn"


def test_completions_are_the_listed_ones_that_go_on_from_a_text():
    assert NIM.complete("take 2", START, 0) == LISTED[2:3]
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
    assert [choice.key for choice in first.choices] == ["heap1", "heap0"]
    second = BY_HEAPS.choices(START, 0, ("heap1",))
    assert isinstance(second, Prompt)
    best = second.choices[0]
    assert (best.key, best.code, best.params) == ("3", "take", {"heap": 1, "n": 3})
    assert BY_HEAPS.choices(START, 0, ("heap1", "3")) == Ready(action="take 3 from:1", warning="all")


@pytest.mark.parametrize("path", [("heap2",), ("heap1", "4"), ("heap1", "3", "x"), ("take",)])
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
