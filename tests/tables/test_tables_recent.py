"""Tables in memory: bounded by their number and by the size of their positions."""

from __future__ import annotations

from dataclasses import replace

from tables.core.recent import POSITION, ROWS, Recent
from tests.tables.players import BEN


async def test_a_bound_of_size_lets_the_one_go_that_was_not_used_for_longest(house):
    loaded = await house.tables._house.look((await house.new(BEN)).id)
    numbered = {number: loaded.updated(id=number) for number in (1, 2, 3)}
    recent = Recent(most=10, most_size=2 * ROWS + 3_000)
    recent.keep(numbered[1], 1_000)
    recent.keep(numbered[2], 2_000)
    recent.used(1)
    recent.keep(numbered[3], 1_000)
    assert [recent.get(number) for number in (1, 2, 3)] == [numbered[1], None, numbered[3]]


async def test_a_table_that_grows_is_counted_anew_and_one_alone_may_be_too_large(house):
    loaded = await house.tables._house.look((await house.new(BEN)).id)
    recent = Recent(most=10, most_size=2 * ROWS + 3_000)
    for number in (1, 2):
        recent.keep(loaded.updated(id=number), 1_000)
    recent.keep(loaded.updated(id=2), 9_000)
    assert (len(recent), recent.get(1)) == (1, None)
    recent.forget(2)
    recent.keep(loaded.updated(id=3), 3_000)
    recent.keep(replace(loaded.updated(id=4), state=None))  # rows alone
    assert len(recent) == 2
    recent.keep(replace(loaded.updated(id=5), state=None))
    assert (len(recent), recent.get(3)) == (2, None)


async def test_a_position_of_unknown_size_counts_as_a_usual_one_and_then_as_it_is(house):
    loaded = await house.tables._house.look((await house.new(BEN)).id)
    recent = Recent(most=10, most_size=2 * (ROWS + POSITION))
    for number in (1, 2, 3):
        recent.keep(loaded.updated(id=number))
    assert (len(recent), recent.get(1)) == (2, None)
    recent.keep(loaded.updated(id=3), 100)
    recent.keep(loaded.updated(id=3))
    recent.keep(loaded.updated(id=4), 100)
    assert len(recent) == 3
