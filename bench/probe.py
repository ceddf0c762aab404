"""Measures the checkout it is run in, of today or of an earlier day: what bench.compare starts.

It uses only what both states have by the same name: the world of the tests' scenes, the house of bench.play.
The last line it prints is JSON, name -> milliseconds of CPU.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Coroutine
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

sys.path[0] = str(Path.cwd())  # the state that is measured, not the one this file belongs to

MOVES, ACTIONS = 40, 100


async def start(folder: str) -> dict[str, float]:
    """From the first line of the process to a bot that is ready; on a database there, once it was made."""
    scenes: Any = import_module("tests.discord.conftest")
    scenes.QuickBot = scenes.HatamotoBot  # the tests' own one translates its commands once
    imported = time.process_time() * 1000
    async with scenes.simulated(Path(folder, "hatamoto.db"), scenes.EnvClock()):
        ready = time.process_time() * 1000
    return {"start": ready, "start, after its modules": ready - imported}


async def move() -> dict[str, float]:
    """Moves of Kamisado typed on a simulated Discord, until what follows is posted; nothing is drawn."""
    scenes: Any = import_module("tests.discord.conftest")

    async def sketch(_: object, part: str, _scene: object) -> Any:
        return import_module("render").Picture(b"", f"{part}.png", "a sketch")

    scenes.HereStudio.draw = sketch
    samples: list[float] = []
    with TemporaryDirectory() as folder:
        async with scenes.simulated(Path(folder, "hatamoto.db"), scenes.EnvClock()) as world:
            channel = await world.start("match=marathon seat=first")
            while len(samples) < MOVES and (mover := await world.to_move()):
                offered = await world.moves(channel)
                action = offered[len(offered) // 2]
                begun = time.process_time()
                result = await mover.slash(channel, "move", move=action)
                samples.append((time.process_time() - begun) * 1000)
                assert scenes.text_of(result)
    return {"/move, drawing left out": median(samples)}


async def play(game: str) -> dict[str, float]:
    """Random games: each action's commit, and each post with its pictures."""
    bench: Any = import_module("bench.play")
    commits: list[float] = []
    posts: list[float] = []
    seen = 0
    async with bench.house() as home:
        players, chance = bench.people(0), bench.Chance(bytes(32), 0)
        writer = bench.Writer(home.database, home.tables, bench.Languages(home.database))
        table = await home.table(game, players)
        while len(commits) < ACTIONS:
            action = await home.move(table, players, chance)
            if action is None:
                table = await home.table(game, players)
                continue
            begun = time.process_time()
            await home.tables.act(table, action[0].id, action[1], interaction_id=next(home.ids))
            commits.append((time.process_time() - begun) * 1000)
            for row in await bench.outbox.waiting(home.database.reads, f"table:{table}"):
                if row.id > seen and row.kind == "board":
                    begun = time.process_time()
                    await writer.post(row, await home.tables.get(table))
                    posts.append((time.process_time() - begun) * 1000)
                seen = max(seen, row.id)
                async with home.database.transaction() as tx:
                    await bench.outbox.sent(tx, row.id, row.id, 0)
    return {f"commit of an action, {game}": median(commits), f"post with its picture, {game}": median(posts)}


WHAT: dict[str, Callable[..., Coroutine[Any, Any, dict[str, float]]]] = {
    "start": start,
    "move": move,
    "play": play,
}

if __name__ == "__main__":
    print(json.dumps(asyncio.run(WHAT[sys.argv[1]](*sys.argv[2:]))))
