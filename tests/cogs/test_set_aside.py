"""What garbage collection walks over while the bot runs."""

from __future__ import annotations

import gc
import subprocess
import sys

from cogs.ops.garbage import set_aside

CIRCLES = """
import gc
from cogs.ops.garbage import set_aside
there = [[number] for number in range(200_000)]
set_aside()
class Circle:
    alive = most = 0
    def __init__(self):
        self.own = self
        Circle.alive += 1
        Circle.most = max(Circle.most, Circle.alive)
    def __del__(self):
        Circle.alive -= 1
for _ in range(20):
    kept = [Circle() for _ in range(5_000)]
    del kept
print(Circle.most)
"""


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


def test_circles_do_not_wait_until_they_are_many_beside_what_was_set_aside():
    told = subprocess.run([sys.executable, "-c", CIRCLES], capture_output=True, text=True, check=True)
    assert int(told.stdout) < 35_000, "of 100,000"
