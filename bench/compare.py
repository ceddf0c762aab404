"""Two states of the bot side by side: `python -m bench.compare BEFORE`, a checkout of the one before.

Each round measures both in turns, each in a process of its own with its own modules; of all rounds the
best median counts, so that what else the machine does falls out. It is the CPU time of all threads.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.figures import Figure, keep, section

HERE = Path(__file__).resolve().parent.parent
PROBE = HERE / "bench" / "probe.py"
GAMES = ("kamisado", "rokumon", "sekigahara")
MOST = 1.05  # a commit, a picture or a start may take so much longer

Samples = dict[str, float]


def probed(tree: Path, what: Sequence[str]) -> Samples:
    """What one process of a tree measured: name -> median."""
    done = subprocess.run(
        [sys.executable, str(PROBE), *what], cwd=tree, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{tree}: {done.stderr[-2000:]}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


def started(tree: Path) -> Samples:
    """A start on a database that an earlier one has made."""
    with TemporaryDirectory() as folder:
        probed(tree, ("start", folder))
        return probed(tree, ("start", folder))


def best(kept: Samples, now: Samples) -> Samples:
    """The lowest of each."""
    return kept | {name: min(kept.get(name, value), value) for name, value in now.items()}


def measure(before: Path, rounds: int) -> list[Figure]:
    """Ratios after / before, with both figures in the note."""
    lowest: dict[Path, Samples] = {before: {}, HERE: {}}
    for turn in range(rounds):
        for what in (("start",), ("move",), ("answers",), *(("play", game) for game in GAMES)):
            for tree in (before, HERE) if turn % 2 else (HERE, before):
                found = started(tree) if what == ("start",) else probed(tree, what)
                lowest[tree] = best(lowest[tree], found)
                print(tree.name, found, file=sys.stderr, flush=True)
    old, new = lowest[before], lowest[HERE]
    return [
        Figure(
            name,
            new[name] / old[name],
            "after/before",
            aim=1.0 if name.startswith(("/move", "answer")) else MOST,
            note=f"{old[name]:.2f} → {new[name]:.2f} ms, best of {rounds}",
        )
        for name in new
        if name in old
    ]


def main() -> None:
    """Measures and puts the section into docs/performance.md."""
    read = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__)
    read.add_argument("before", type=Path, help="a checkout of the state before, on the same disk")
    read.add_argument("--rounds", type=int, default=5)
    read.add_argument("--name", required=True, help="what the page calls the state before")
    given = read.parse_args()
    written = (
        f"Written by `python -m bench.compare BEFORE --rounds {given.rounds}`, BEFORE being {given.name}"
    )
    text = section(
        "compare",
        "Before and after",
        f"{written}: CPU time of the whole process, each state in processes of its own, in turns.",
        measure(given.before.resolve(), given.rounds),
    )
    print(text)
    keep("compare", text)


if __name__ == "__main__":
    main()
