"""What garbage collection walks over while the bot runs."""

from __future__ import annotations

import gc

from cogs.ops.garbage import set_aside


def test_what_a_few_actions_make_is_not_walked_over_while_they_are_carried_out():
    walks, before = [], gc.get_threshold()
    gc.callbacks.append(lambda phase, about: walks.append(about["generation"]))
    try:
        gc.set_threshold(700, 10, 10)
        set_aside()
        walks.clear()
        made = [[number] for number in range(4_000)]
        assert not walks, len(made)
    finally:
        gc.callbacks.pop()
        gc.set_threshold(*before)
