"""How much of the long tests runs: HATAMOTO_COUNT is a number, left out it is small."""

from __future__ import annotations

import os
from collections import defaultdict

import pytest

SMALL = 6  # cases of one long test in a small run


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a long test with many cases (every opening, every deal), so many of them, evenly spread.

    The others are deselected, and pytest's last line says how many.
    """
    most = int(os.environ.get("HATAMOTO_COUNT") or SMALL)
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("long"):
            cases[item.nodeid.partition("[")[0]].append(item)
    left_out = set[pytest.Item]()
    for several in cases.values():
        kept = {several[place * len(several) // most] for place in range(most)}
        left_out |= set(several) - kept
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
