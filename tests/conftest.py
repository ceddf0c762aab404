"""How much of the long tests runs: HATAMOTO_COUNT is a number, left out it is small.

The tests keep compiled modules, also where PYTHONDONTWRITEBYTECODE is set, as images of Python set it: they
start over a hundred processes, each of which would compile the whole bot before it did anything.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.places import place, server, stand_in
from tests.postgres import wanted

__all__ = ["place", "server", "stand_in"]

SMALL = 6  # cases of one long test in a small run

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(scope="session", autouse=True)
def as_nice_as_before() -> Iterator[None]:
    """A command that steps back for the bot, run in the test's process, would slow all tests after it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "nice", lambda _: 0)
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a long test with many cases (every opening, every deal), so many of them, evenly spread.

    The others are deselected, and pytest's last line says how many.
    """
    if wanted():  # what only a file has is tested with a file
        of_files = [item for item in items if item.get_closest_marker("sqlite")]
        config.hook.pytest_deselected(items=of_files)
        items[:] = [item for item in items if not item.get_closest_marker("sqlite")]
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
