"""How much of the long tests runs: HATAMOTO_COUNT is a number, left out it is small.

What every process of a run would do again is done once: modules are compiled before the processes start,
and what has been imported is no garbage to look through.

The tests keep compiled modules, also where PYTHONDONTWRITEBYTECODE is set, as images of Python set it: they
start over a hundred processes, each of which would compile the whole bot before it did anything.
"""

from __future__ import annotations

import compileall
import gc
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

from tests.places import place, server, stand_in
from tests.postgres import wanted

__all__ = ["place", "server", "stand_in"]

SMALL = 6  # cases of one long test in a small run
ROOT = Path(__file__).parent.parent
LAST = "test_hostile_inputs.py"
FORK = get_context("fork")
PACKAGES = ("cogs", "db", "engines", "kit", "locales", "render", "tables", "tests", "workers")

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_configure(config: pytest.Config) -> None:
    """Before xdist starts its processes: in a new clone each of them would compile all tests (13 s)."""
    if not getattr(config.option, "numprocesses", None) or hasattr(config, "workerinput"):
        return
    files = list(chain(ROOT.glob("*.py"), *((ROOT / package).rglob("*.py") for package in PACKAGES)))
    count = os.cpu_count() or 1
    processes = [FORK.Process(target=compiled, args=(config, files[n::count])) for n in range(count)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def compiled(config: pytest.Config, files: list[Path]) -> None:
    """Keeps modules as they are imported: tests with their assertions as pytest writes them.

    What cannot be compiled is told of where it is collected.
    """
    for file in files:
        if not (file.match("test_*.py") or file.name == "conftest.py"):
            compileall.compile_file(file, quiet=2)
            continue
        kept = rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
        if rewrite._read_pyc(file, kept) is None and rewrite.try_makedirs(kept.parent):
            source, code = rewrite._rewrite_test(file, config)
            rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source, kept)


def pytest_collection() -> None:
    """What is imported stays to the end, so nothing is looked for among it."""
    gc.disable()


def pytest_pycollect_makeitem(collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
    """Where what is long is left out, its hundreds of cases are not even made."""
    marks = getattr(obj, "pytestmark", ())
    left_out = collector.config.option.markexpr == "not long" and isinstance(marks, list)
    return [] if left_out and any(mark.name == "long" for mark in marks) else None


def pytest_collection_finish() -> None:
    """From here on garbage is looked for among what tests make: looking through it all took a tenth."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def as_nice_as_before() -> Iterator[None]:
    """A command that steps back for the bot, run in the test's process, would slow all tests after it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "nice", lambda _: 0)
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a long test with many cases (every opening, every deal), so many of them, evenly spread.

    The others are deselected, and pytest's last line says how many. What slows its process down from then on
    (`Opened` in tests/cogs/test_hostile_inputs.py) comes last.
    """
    items.sort(key=lambda item: item.path.name == LAST)
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
