"""Measures the checkout it is run in, of today or of an earlier day: what bench.compare starts, with a name and a game.

It uses only what both states have by the same name: the scenes' world of the tests and the house of bench.play.
The last line it prints is JSON, name -> milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

sys.path[0] = str(Path.cwd())  # the state that is measured, not the one this file belongs to

MOVES, ACTIONS = 40, 150


async def start() -> dict[str, float]:
    """From the first line of the process to a bot that is ready, on a database that was there before."""
    from tests.discord.conftest import EnvClock, simulated

    with TemporaryDirectory() as folder:
        database = Path(folder, "hatamoto.db")
        begun = time.process_time()
        imported = begun * 1000
        async with simulated(database, EnvClock()):
            first = (time.process_time() - begun) * 1000
        return {"start: modules": imported, "start: connected, database new": first}


async def move() -> dict[str, float]:
    """Moves of Kamisado typed on the simulated Discord, until all that follows is posted; nothing is drawn."""
    from render import Picture
    from tests.discord import conftest
    from tests.discord.conftest import EnvClock, HereStudio, simulated

    async def sketch(_: HereStudio, part: str, scene: object) -> Picture:
        return Picture(b"", f"{part}.png", "a sketch")

    HereStudio.draw = sketch
    samples: list[float] = []
    with TemporaryDirectory() as folder:
        async with simulated(Path(folder, "hatamoto.db"), EnvClock()) as world:
            channel = await world.start("match=marathon seat=first")
            while len(samples) < MOVES and (mover := await world.to_move()):
                offered = await world.moves(channel)
                action = offered[len(offered) // 2]
                begun = time.process_time()
                result = await mover.slash(channel, "move", move=action)
                samples.append((time.process_time() - begun) * 1000)
                assert conftest.text_of(result)
    return {"/move, drawing left out": median(samples)}


async def play(game: str) -> dict[str, float]:
    """Random games: each action's commit, and each post with its pictures."""
    from bench.play import Chance, Languages, Writer, house, outbox, people

    commits, posts, seen = [], [], 0
    async with house() as home:
        players, chance = people(0), Chance(bytes(32), 0)
        writer = Writer(home.database, home.tables, Languages(home.database))
        table = await home.table(game, players)
        while len(commits) < ACTIONS:
            move = await home.move(table, players, chance)
            if move is None:
                table = await home.table(game, players)
                continue
            begun = time.process_time()
            await home.tables.act(table, move[0].id, move[1], interaction_id=next(home.ids))
            commits.append((time.process_time() - begun) * 1000)
            for row in await outbox.waiting(home.database.reads, f"table:{table}"):
                if row.id > seen and row.kind == "board":
                    begun = time.process_time()
                    await writer.post(row, await home.tables.get(table))
                    posts.append((time.process_time() - begun) * 1000)
                seen = max(seen, row.id)
                async with home.database.transaction() as tx:
                    await outbox.sent(tx, row.id, row.id, 0)
    return {f"commit of an action, {game}": median(commits), f"post with its picture, {game}": median(posts)}


WHAT = {"start": start, "move": move, "play": play}

if __name__ == "__main__":
    print(json.dumps(asyncio.run(WHAT[sys.argv[1]](*sys.argv[2:]))))
