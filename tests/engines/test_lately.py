"""What was worked out a moment ago is not worked out again, and never told of another value."""

from __future__ import annotations

from engines.chance import Chance
from engines.lately import Lately
from engines.sekigahara import Sekigahara
from engines.sekigahara.sight import view


class Sums:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, numbers: list[int], times: int) -> int:
        self.asked += 1
        return sum(numbers) * times


def test_the_same_value_is_asked_once_for_each_question():
    sums = Sums()
    lately, numbers = Lately(sums, most=4), [1, 2]
    assert [lately(numbers, 1), lately(numbers, 3), lately(numbers, 1)] == [3, 9, 3]
    assert sums.asked == 2


def test_an_equal_value_is_another_one():
    sums = Sums()
    lately = Lately(sums, most=4)
    assert [lately([1], 1), lately([1], 1)] == [1, 1]
    assert sums.asked == 2


def test_values_that_came_and_went_are_never_mistaken_for_new_ones():
    """An id is given again once its value is gone; one that is kept is not gone."""
    lately = Lately(Sums(), most=3)
    assert [lately([number], 2) for number in range(1000)] == [2 * number for number in range(1000)]


def test_only_the_last_few_are_kept():
    sums = Sums()
    lately, values = Lately(sums, most=2), [[1], [2], [3]]
    for value in (*values, values[2], values[1], values[0]):
        lately(value, 1)
    assert sums.asked == 4


def test_a_view_is_as_fresh_as_its_state():
    rules, seed = Sekigahara(), bytes(32)
    state = rules.setup(rules.options_type(), 2, Chance(seed, 0)).state
    seen = {viewer: view(state, viewer) for viewer in (None, 0, 1)}
    assert seen[0].hand
    assert seen[1].hand
    assert seen[0].hand != seen[1].hand
    assert seen[None].hand is None
    other = rules.load(rules.dump(state))
    assert [view(other, viewer) == seen[viewer] for viewer in seen] == [True] * 3
    later = state.model_copy(update={"hands": {**state.hands, "ishida": ()}})
    assert view(later, 0).hand == ()
    assert view(state, 0).hand == seen[0].hand
