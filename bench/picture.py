"""Pictures: `python -m bench.picture` prints what each kind of each game's costs, beside its own encoding.

The yardstick is the encoding that the program had when the aim was set (da23b97): each pixel of the finished
picture is looked up in its palette, and Pillow writes it (zlib, level 3). It is measured in turn with the
drawing: a ratio of one run says the same on any machine. The note has the writing alone too. Each position is
new to a process that has drawn others: twice as many of another game. A "next board" comes one action after
the one that was drawn before, as a table's do. A first board is cold: drawn in a process that has just begun.
Times are of the processor: other work beside it counts less.
"""

from __future__ import annotations

import gc
import io
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from PIL import Image

from bench.figures import Figure, cells, compiled
from cogs.text.games import playable
from engines.capabilities import Statistics, random_action
from engines.chance import Chance
from engines.protocol import Prompt
from engines.registry import engine
from locales import words
from render import Picture, Scene, drawing, has
from workers.process import MEMORY, ROOT

TIMES = 1.5  # of the picture's own encoding: the most that drawing and writing it may take
COLD_MS = 150.0
MOST_KB = 250.0
LEVEL = 3  # of Pillow's zlib
WARM = (b"\1" * 32, b"\2" * 32)  # seeds of the games that are drawn before
FOLLOWED = b"\3" * 32  # of a game of which each board is drawn, as a table's are
AFTER = 25  # of its plies
PEOPLE = {"shogun": 3}
NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve")
PLIES, EVERY = 150, 6  # of the random game, and how many lie between two scenes
PARTS = ("board", "hand", "own_ground", "ended", "focus", "standing", "finale")
COLD = """
import json, sys, time
begin = time.process_time()
import render
asked = json.loads(sys.stdin.read())
if "warm" in sys.argv:
    from workers.warmth import warm
    warm(asked["game"], "en")
    begin = time.process_time()
render.drawing("board")(render.unpacked(asked))
print((time.process_time() - begin) * 1000)
"""


@dataclass
class Kind:
    """What pictures of one kind took, ms, and how large they are, KB.

    encoding  pixels looked up in the palette and written
    writing   the same without looking up
    """

    took: list[float] = field(default_factory=list)
    encoding: list[float] = field(default_factory=list)
    writing: list[float] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """The time of all of them in encodings."""
        return sum(self.took) / sum(self.encoding)


def scenes(
    game: str, plies: int = PLIES, every: int = EVERY, seed: bytes = bytes(32)
) -> Iterator[tuple[str, str, Scene]]:
    """Kinds of pictures along a random game, each with the part that draws it."""
    rules, english = engine(game), words("en")
    names = NAMES[: PEOPLE.get(game, 2)]

    def begun(number: int) -> Any:
        return rules.setup(rules.read_options({}), len(names), Chance(seed, number))

    course: list[Any] = [begun(0)]  # of one game: its start, and its steps
    for ply in range(plies):
        state = course[-1].state
        if rules.result(state) is not None:
            if has(game, "finale") and isinstance(rules, Statistics):
                told = tuple(rules.statistics(course[0], course[1:]))
                yield "finale", "finale", Scene(game, rules.view(state, None), names, english, told, table=12)
            course = [begun(ply)]
            state = course[0].state
        seat, chance, before = min(rules.to_act(state)), Chance(seed, ply + 1), state
        step = rules.apply(state, seat, random_action(rules, state, seat, chance), chance)
        state = step.state
        course.append(step)
        if (ply + 1) % every:
            continue
        seen = tuple(event.seen_by(None) for event in step.events)
        public = Scene(game, rules.view(state, None), names, english, seen, table=12)
        public = replace(public, since=rules.view(before, None))
        own = Scene(game, rules.view(state, 0), names, english)
        for part in PARTS:
            if has(game, part) and part not in ("hand", "own_ground", "finale"):
                yield part, part, public
        yield "own board", "board", own
        for part in ("hand", "own_ground"):
            if has(game, part):
                yield part, part, own
        if rules.result(state) is None and (acting := sorted(rules.to_act(state))):
            prompt = rules.choices(state, acting[0], ())
            if isinstance(prompt, Prompt):
                yield "panel", "board", replace(own, view=rules.view(state, acting[0]), prompt=prompt)


def encoding(picture: Picture) -> tuple[float, float]:
    """What the finished picture takes to be looked up and written, and to be written alone, ms."""
    image = Image.open(io.BytesIO(picture.png))
    image.load()
    colours, true = image.copy(), image.convert("RGB")
    begin = time.thread_time()
    flat = true.quantize(palette=colours, dither=Image.Dither.NONE)
    found = time.thread_time()
    flat.save(io.BytesIO(), "PNG", compress_level=LEVEL)
    end = time.thread_time()
    return (end - begin) * 1000, (end - found) * 1000


def kinds(game: str) -> dict[str, Kind]:
    """Each kind of a game, in positions that were not drawn before."""
    for seed in WARM:
        for _, part, scene in scenes(game, seed=seed):
            drawing(part)(scene)
    gc.collect()
    gc.freeze()
    gc.disable()  # a worker collects when its answer is on its way
    found: dict[str, Kind] = defaultdict(Kind)
    boards = [(part, scene) for kind, part, scene in scenes(game, AFTER, 1, FOLLOWED) if kind == "board"]
    new = [*scenes(game), *(("next board", *one) for one in boards)]
    for kind, part, scene in new:
        begin = time.thread_time()
        picture = drawing(part)(scene)
        took = (time.thread_time() - begin) * 1000
        if picture is not None:
            whole, writing = encoding(picture)
            found[kind].took.append(took)
            found[kind].encoding.append(whole)
            found[kind].writing.append(writing)
            found[kind].sizes.append(len(picture.png) / 1024)
        gc.collect()
    return found


def asked(command: Sequence[str], said: str = "") -> str:
    """What a new Python of a worker's surroundings prints."""
    env = os.environ | MEMORY | {"PYTHONPATH": str(ROOT)} | compiled(ROOT)
    whole = [sys.executable, *command]
    return subprocess.run(whole, input=said, text=True, capture_output=True, check=True, env=env).stdout


def cold(game: str, *, warm: bool) -> float:
    """The first board of a new process, after what a worker does when a lobby opens if `warm`; ms."""
    scene = next(scene for kind, _, scene in scenes(game) if kind == "board")
    said = json.dumps(scene.packed())
    return min(float(asked(["-c", COLD, *["warm"] * warm], said)) for _ in range(3))


def measure() -> list[Figure]:
    """Every kind of every game, and the first board of a new process."""
    figures = []
    for game in playable():
        whole = json.loads(asked(["-m", "bench.picture", game]))  # in a process as a worker's
        several = {kind: Kind(**found) for kind, found in whole.items()}
        course = Kind(
            [ms for found in several.values() for ms in found.took],
            [ms for found in several.values() for ms in found.encoding],
        )
        figures.append(Figure(f"all pictures of a course, {game}", course.ratio, "encodings", aim=TIMES))
        for kind, found in sorted(several.items()):
            note = (
                f"{len(found.took)} pictures, {median(found.took):.1f} ms of {median(found.encoding):.1f} "
                f"ms, written alone {median(found.writing):.1f} ms"
            )
            figures.append(Figure(f"{kind}, {game}", found.ratio, "encodings", aim=TIMES, note=note))
            figures.append(Figure(f"{kind}, {game}: the largest", max(found.sizes), "KB", aim=MOST_KB))
        for warm in (False, True):
            name = f"first board of {'a worker that expects it' if warm else 'a process just begun'}, {game}"
            note = (
                "it drew an empty one while the lobby was open" if warm else "with imports, fonts and layers"
            )
            figures.append(
                Figure(name, cold(game, warm=warm), "ms", aim=COLD_MS if warm else None, note=note)
            )
    return figures


def main() -> None:
    """Prints this part alone; with a game's name its measurements, for `measure`."""
    if len(sys.argv) > 1:
        print(json.dumps({kind: vars(found) for kind, found in kinds(sys.argv[1]).items()}))
        return
    for figure in measure():
        print(*cells(figure), sep=" | ")


if __name__ == "__main__":
    main()
