"""What nobody needs any more is found soon, however much there is for good (14)."""

from __future__ import annotations

import subprocess
import sys

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


def test_circles_do_not_wait_until_they_are_many_beside_what_was_set_aside():
    told = subprocess.run([sys.executable, "-c", CIRCLES], capture_output=True, text=True, check=True)
    assert int(told.stdout) < 25_000
