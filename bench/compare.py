"""Two states of the bot side by side: `python -m bench.compare BEFORE`, a checkout of the one before.

In each round both measure a part in processes of their own, turn and turn about, a few actions each; the
medians of the round make a ratio, and the median of the rounds' ratios counts. A machine that is slower for
a while so slows both. It is the CPU time of all threads, with modules compiled before, as they are shipped.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Self

from bench.figures import Figure, compiled, keep, section

HERE = Path(__file__).resolve().parent.parent
PROBE = HERE / "bench" / "probe.py"
MOST = 1.05  # a commit, a picture or a start may take so much longer

Samples = dict[str, list[float]]


@dataclass(frozen=True)
class Part:
    """What one process measures, and how many turns it takes in a round."""

    what: tuple[str, ...]
    turns: int


PARTS = {
    "start": Part(("start",), 2),
    "move": Part(("move",), 10),
    "answers": Part(("answers",), 30),
    **{game: Part(("play", game), 20) for game in ("kamisado", "rokumon", "sekigahara")},
}


class Probe:
    """A process of one state, which measures when it is told to."""

    def __init__(self, tree: Path, what: Sequence[str]) -> None:
        env = os.environ | compiled(tree)
        self._tree = tree
        self._process = subprocess.Popen(
            [sys.executable, str(PROBE), *what],
            cwd=tree,
            env=env,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def turn(self) -> Samples:
        """What it measures in one turn."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{self._tree}: it ended, see above")
        return dict(json.loads(line))


def started(trees: Sequence[Path], turns: int) -> dict[Path, Samples]:
    """Starts on databases that earlier ones have made; each is a process."""
    found: dict[Path, Samples] = {tree: defaultdict(list) for tree in trees}
    with TemporaryDirectory() as folder:
        for turn in range(turns + 1):
            for tree in in_turn(trees, turn):
                own = Path(folder, str(trees.index(tree)))
                own.mkdir(exist_ok=True)
                with Probe(tree, ("start", str(own))) as probe:
                    samples = probe.turn()
                if turn:  # the first makes the database
                    add(found[tree], samples)
    return found


def together(trees: Sequence[Path], part: Part) -> dict[Path, Samples]:
    """A round of a part."""
    found: dict[Path, Samples] = {tree: defaultdict(list) for tree in trees}
    with Probe(trees[0], part.what) as first, Probe(trees[1], part.what) as second:
        probes = {trees[0]: first, trees[1]: second}
        for turn in range(part.turns + 1):
            for tree in in_turn(trees, turn):
                samples = probes[tree].turn()
                if turn:  # the first imports what only some actions need, and fills caches
                    add(found[tree], samples)
    return found


def in_turn(trees: Sequence[Path], turn: int) -> Iterable[Path]:
    """Who is first changes."""
    return reversed(trees) if turn % 2 else trees


def add(to: Samples, more: Samples) -> None:
    """More samples of each name."""
    for name, samples in more.items():
        to[name] += samples


def measure(before: Path, rounds: int, parts: Sequence[str]) -> list[Figure]:
    """Ratios after / before, with both figures in the note."""
    ratios: dict[str, list[float]] = defaultdict(list)
    medians: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for turn in range(rounds):
        trees = list(in_turn((before, HERE), turn))
        for name in parts:
            part = PARTS[name]
            found = started(trees, part.turns) if name == "start" else together(trees, part)
            old, new = found[before], found[HERE]
            for what in new:
                if what in old:
                    pair = median(old[what]), median(new[what])
                    medians[what].append(pair)
                    ratios[what].append(pair[1] / pair[0])
                    print(f"{what}: {ratios[what][-1]:.3f}", file=sys.stderr, flush=True)
    return [
        Figure(
            what,
            median(several),
            "after/before",
            aim=1.0 if what.startswith(("/move", "answer")) else MOST,
            note=noted(several, medians[what]),
        )
        for what, several in ratios.items()
    ]


def noted(ratios: Sequence[float], medians: Sequence[tuple[float, float]]) -> str:
    """How far the rounds lie apart, and the medians of both."""
    old, new = (median(side) for side in zip(*medians, strict=True))
    return f"{old:.2f} → {new:.2f} ms, {len(ratios)} rounds from {min(ratios):.2f} to {max(ratios):.2f}"


def main() -> None:
    """Measures and, if it was all, puts the section into docs/performance.md."""
    read = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__)
    read.add_argument("before", type=Path, help="a checkout of the state before, on the same disk")
    read.add_argument("--rounds", type=int, default=5)
    read.add_argument("--name", required=True, help="what the page calls the state before")
    read.add_argument("--only", choices=PARTS, action="append", help="a part of it, which is only printed")
    given = read.parse_args()
    written = (
        f"Written by `python -m bench.compare BEFORE --rounds {given.rounds}`, BEFORE being {given.name}"
    )
    text = section(
        "compare",
        "Before and after",
        f"{written}: CPU time of the whole process, each state in processes of its own, in turns of a few "
        "actions. A ratio is the median of the rounds'.",
        measure(given.before.resolve(), given.rounds, given.only or list(PARTS)),
    )
    print(text)
    if not given.only:
        keep("compare", text)


if __name__ == "__main__":
    main()
