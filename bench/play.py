"""One action's way: from the interaction to the commit, from the commit to the picture; and many at once."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from bench.figures import Figure, spread
from cogs.posting.posts import Writer
from cogs.text.languages import Languages
from db.database import Database
from db.repositories import outbox
from engines.chance import Chance
from engines.protocol import Ready
from tables.core.clock import SystemClock
from tables.core.model import Place, User
from tables.service import Tables
from workers.thinking import Opponents

ACTIONS = 300
AT_ONCE = 16
BESIDE_S = 4.0


def here() -> Path:
    """A folder on the disk that the bot's database would be on: fsync is part of what is measured."""
    folder = Path("data").absolute()
    folder.mkdir(exist_ok=True)
    return folder


@dataclass
class House:
    """A table service on a database of its own, and what is needed to play on it."""

    folder: Path
    database: Database
    tables: Tables
    ids: count[int] = field(default_factory=lambda: count(1))

    async def table(self, game: str, players: tuple[User, User], options: str = "") -> int:
        """A running table of two."""
        first, second = players
        made = await self.tables.create(
            first,
            game,
            options,
            Place(1, 2),
            opponents=[second],
            in_place=True,
            guild_locale="en",
            interaction_id=next(self.ids),
        )
        return (await self.tables.join(made.id, second, next(self.ids))).id

    async def move(self, table: int, players: tuple[User, User], chance: Chance) -> tuple[User, str] | None:
        """Who has to act and a random action of his, None when it is over."""
        found = await self.tables.get(table)
        for player in players:
            if found.status == "running" and found.seat_of(player.id) in found.to_act:
                offered = await self.tables.complete(table, player.id, 2, "")
                return player, chance.pick(offered) if offered else await self.by_panel(table, player, chance)
        return None

    async def by_panel(self, table: int, player: User, chance: Chance) -> str:
        """An action picked at random in the panel: some are too long to be completed."""
        path: list[str] = []
        while not isinstance(step := (await self.tables.panel(table, player.id, path)).step, Ready):
            picks = chance.shuffled(range(len(step.choices)))[: max(step.least, min(1, step.most))]
            path.append("+".join(map(str, sorted(picks))) or "-")
        return step.action


@asynccontextmanager
async def house() -> AsyncIterator[House]:
    """A table service whose database is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=here()) as folder:
        database = await Database.open(Path(folder) / "bench.db")
        tables = Tables(database, SystemClock(), Opponents(), lambda: None)
        try:
            yield House(Path(folder), database, tables)
        finally:
            await tables.close()
            await database.close()


def people(number: int) -> tuple[User, User]:
    """Two people of table `number`."""
    return User(2 * number + 1, f"Ann {number}"), User(2 * number + 2, f"Ben {number}")


async def one_after_another(game: str) -> list[Figure]:
    """Commits and pictures of random games, one action at a time."""
    commits: list[float] = []
    pictures: list[float] = []
    async with house() as home:
        players, chance = people(0), Chance(bytes(32), 0)
        writer = Writer(home.database, home.tables, Languages(home.database))
        table, seen = await home.table(game, players), 0
        while len(commits) < ACTIONS:
            move = await home.move(table, players, chance)
            if move is None:
                table = await home.table(game, players)
                continue
            begin = time.perf_counter()
            await home.tables.act(table, move[0].id, move[1], interaction_id=next(home.ids))
            commits.append((time.perf_counter() - begin) * 1000)
            for row in await outbox.waiting(home.database.reads, f"table:{table}"):
                if row.id > seen and row.kind == "board":
                    begin = time.perf_counter()
                    await writer.post(row, await home.tables.get(table))
                    pictures.append((time.perf_counter() - begin) * 1000)
                seen = max(seen, row.id)
                async with home.database.transaction() as tx:
                    await outbox.sent(tx, row.id, row.id, 0)
    return [
        spread(f"interaction to commit, {game}", commits, aim=15.0),
        spread(f"commit to image, {game}", pictures, aim=60.0),
    ]


async def at_once(game: str) -> list[Figure]:
    """Actions a second with many tables at once, and the bare commits of SQLite beside them."""
    async with house() as home:
        end = time.perf_counter() + BESIDE_S

        async def play(number: int) -> int:
            players, chance, done = people(number), Chance(bytes(32), number), 0
            table = await home.table(game, players)
            while time.perf_counter() < end:
                move = await home.move(table, players, chance)
                if move is None:
                    table = await home.table(game, players)
                    continue
                await home.tables.act(table, move[0].id, move[1], interaction_id=next(home.ids))
                done += 1
            return done

        done = sum(await asyncio.gather(*(play(number) for number in range(AT_ONCE))))
        bare = bare_commits(home.folder / "bare.db")
    return [
        Figure(
            f"actions through tables and database, {game}",
            done / BESIDE_S,
            "actions/s",
            note=f"{AT_ONCE} tables at once, fsync",
        ),
        Figure("bare commits of SQLite", bare, "commits/s", note="one row each, fsync"),
        Figure("an action in bare commits", bare / (done / BESIDE_S), "ratio"),
    ]


def bare_commits(path: Path) -> float:
    """Commits a second of a transaction that writes one small row, WAL and synchronous=FULL."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE t (i INTEGER PRIMARY KEY, x TEXT)")
        done, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < BESIDE_S / 2:
            connection.execute("INSERT INTO t (x) VALUES ('x')")
            done += 1
        return done / (time.perf_counter() - begin)


async def measure(game: str) -> list[Figure]:
    """One game."""
    return [*await one_after_another(game), *await at_once(game)]
