"""Many open tables: how long the shipped process takes to start, and how much memory it has then."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from statistics import median

from bench.figures import Figure
from bench.play import house, people
from engines.chance import Chance
from tests.process.discord_client import Discord, User, loopback
from tests.process.hatamoto_process import running

FEW, MANY = 10, 10_000
STARTS = 3
COPIED = ("tables", "seats", "actions", "snapshots")


async def model(path: Path, game: str) -> None:
    """A database with one running table, ten actions into its game."""
    async with house() as home:
        players, chance = people(0), Chance(bytes(32), 0)
        table = await home.table(game, players, "match=marathon")
        for _ in range(10):
            move = await home.move(table, players, chance)
            if move is not None:
                await home.tables.act(table, move[0].id, move[1], interaction_id=next(home.ids))
        async with home.database.transaction() as tx:
            await tx.run("DELETE FROM outbox")
        rows = home.database.where
        if not isinstance(rows, Path):
            raise TypeError("a house of the bench is a file")
        with closing(sqlite3.connect(rows)) as source, closing(sqlite3.connect(path)) as target:
            source.backup(target)


def multiply(path: Path, tables: int) -> None:
    """Copies the one table until there are so many."""
    with closing(sqlite3.connect(path)) as connection:
        for name in COPIED:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            key = "id" if name == "tables" else "table_id"
            others = ", ".join(c for c in columns if c != key)
            connection.execute(
                f"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {tables}) "
                f"INSERT INTO {name} ({key}, {others}) SELECT n.i, {others} FROM {name}, n WHERE {key} = 1"
            )
        connection.commit()


async def start(discord: Discord, channel: str, user: User, database: Path) -> tuple[float, float]:
    """Seconds until the bot answers a first command, and its memory then in MB."""
    begin = time.perf_counter()
    async with running(discord, database) as bot:
        await discord.slash(user, channel, "games")
        took = time.perf_counter() - begin
        memory = resident(bot.process.pid)
        await bot.stop()
    return took, memory


def resident(process: int) -> float:
    """Resident memory of a process and its workers in MB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    own = next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024
    return own + sum(resident(worker) for worker in workers(process))


def workers(process: int) -> list[int]:
    """The process ids of its children."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


async def measure(folder: str, game: str = "kamisado") -> list[Figure]:
    """Starts with few and with many open tables, in turns."""
    sizes = {FEW: Path(folder) / "few.db", MANY: Path(folder) / "many.db"}
    for tables, path in sizes.items():
        await model(path, game)
        multiply(path, tables)
    times: dict[int, list[float]] = {tables: [] for tables in sizes}
    memory: dict[int, list[float]] = {tables: [] for tables in sizes}
    async with loopback() as discord:
        channel = await discord.channel(await discord.guild())
        user = await discord.user("Ann")
        for _ in range(STARTS):
            for tables, path in sizes.items():
                took, used = await start(discord, channel, user, path)
                times[tables].append(took)
                memory[tables].append(used)
    figures = [
        Figure(f"start to first answer, {n:,} tables", median(times[n]), "s", note=f"{STARTS} starts")
        for n in sizes
    ]
    figures.append(
        Figure(
            f"start with {MANY:,} tables against {FEW}",
            median(times[MANY]) / median(times[FEW]),
            "ratio",
            aim=1.5,
        )
    )
    figures += [
        Figure(f"memory after the start, {n:,} tables", median(memory[n]), "MB", aim=150.0) for n in sizes
    ]
    return figures
