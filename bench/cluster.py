"""One process on SQLite beside 1, 2 and 4 on PostgreSQL: `python -m bench.cluster`, all in one run.

Shipped processes, the loopback Discord, the players and PostgreSQL share this machine; pictures are not
drawn, so that what is compared are tables and databases. Each arrangement has the same tables and idle ones
beside them, and is asked twice: at a steady rate that all of them carry, for how long the first answer takes,
and far above it, for how many actions a second come through. The figures replace their section of
docs/performance.md, unless --dry.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path

import psycopg

from bench.figures import Figure, keep, percentile, section
from bench.load import Measured, drained, drive, prepared
from bench.many import COPIED, resident
from bench.play import here
from db.address import Address, Where
from db.database import Database
from db.repositories import meta
from tables.time import reminders
from tests import postgres
from tests.process.discord_client import Discord, loopback
from tests.process.hatamoto_process import Hatamoto, Launcher, launcher

SHARDS = 4
ARRANGED = {
    "SQLite, 1 process": 0,
    "PostgreSQL, 1 process": 1,
    "PostgreSQL, 2 processes": 2,
    "PostgreSQL, 4 processes": 4,
}
APART_MS = 100  # between identifies: nobody's limit is here


def crowd(address: Address, tables: int) -> None:
    """Copies the first table until there are so many more; nobody plays at them."""
    with closing(psycopg.connect(address.url, autocommit=True)) as connection:
        for name in COPIED:
            query = (
                "SELECT column_name FROM information_schema.columns "
                "WHERE table_name = %s AND table_schema = current_schema()"
            )
            columns = [row[0] for row in connection.execute(query, (name,)).fetchall()]
            key = "id" if name == "tables" else "table_id"
            others = ", ".join(column for column in columns if column != key)
            connection.execute(
                f"INSERT INTO {name} ({key}, {others}) SELECT 100000 + n.i, {others} "
                f"FROM {name}, generate_series(1, {tables}) n (i) WHERE {key} = 1"
            )
        connection.execute("SELECT setval('tables_id_seq', (SELECT max(id) FROM tables))")
        connection.execute("ANALYZE")


async def armed(where: Where) -> None:
    """As if it had been started before: else the first start sets reminders for all that wait."""
    database = await Database.open(where)
    try:
        async with database.transaction() as tx:
            await meta.put(tx, reminders.ARMED, "0")
    finally:
        await database.close()


@asynccontextmanager
async def processes(
    discord: Discord, where: Where, folder: Path, by: Launcher, many: int
) -> AsyncIterator[list[Hatamoto]]:
    """So many on a server, 0: the one on SQLite; all of their shards connected."""
    await discord.control("shards", shards=SHARDS if many > 1 else 1, at_once=SHARDS, apart_s=0)
    each = SHARDS // max(1, many)
    async with AsyncExitStack() as stack:
        await discord.read(0)
        begin, bots = len(discord.log), list[Hatamoto]()
        for number in range(max(1, many)):
            more = {"HATAMOTO_TEST_APART": str(APART_MS), "HATAMOTO_RATE_FACTOR": "0"}
            if isinstance(where, Address):
                more["HATAMOTO_DATABASE"] = where.url
            if many > 1:
                more["HATAMOTO_SHARDS"] = f"{number * each}-{(number + 1) * each - 1}/{SHARDS}"
            path = where if isinstance(where, Path) else folder / "h.db"
            bot = await by.start(path, "run", api=discord.api, more=more, log=f"bot-{many}-{number}")
            stack.push_async_callback(bot.kill)
            bots.append(bot)
        wanted = SHARDS if many > 1 else 1
        await discord.until(
            lambda: sum(e["what"] == "identify" for e in discord.entries("gateway", begin)) >= wanted,
            "shards",
        )
        yield bots


async def arranged(
    name: str, asked: argparse.Namespace, server: postgres.Cluster, by: Launcher
) -> list[Figure]:
    """One arrangement, on tables of its own."""
    many = ARRANGED[name]
    with tempfile.TemporaryDirectory(prefix="bench-", dir=here()) as place:
        folder = Path(place)
        where: Where = server.new() if many else folder / "h.db"
        async with loopback() as discord:
            scripts = await prepared(where, discord, asked.tables, 0 if many else asked.idle)
            if isinstance(where, Address) and asked.idle:
                await asyncio.to_thread(crowd, where, asked.idle)
            await armed(where)
            began = time.monotonic()
            async with processes(discord, where, folder, by, many) as bots:
                await discord.slash(
                    scripts[-1].deeds[0][0], scripts[-1].channel, "games"
                )  # not of the copied
                found = [
                    Figure(f"{name}: start to the first answer", time.monotonic() - began, "s"),
                    Figure(f"{name}: memory", sum(resident(bot.process.pid) for bot in bots), "MB"),
                ]
                for rate in (asked.rate, asked.flood):
                    measured, sent = await drive(
                        discord, [one for one in scripts if one.deeds], rate, asked.seconds
                    )
                    found += figures(name, rate, measured, sent, flood=rate == asked.flood)
                    late = await drained(where)
                    found.append(
                        Figure(
                            f"{name}, {rate:g}/s: posts behind", float("inf") if late is None else late, "s"
                        )
                    )
        if isinstance(where, Address):
            server.drop(where)
    return found


def figures(name: str, rate: float, measured: Measured, sent: int, *, flood: bool) -> list[Figure]:
    """One rate's."""
    note = f"{measured.played} of {sent} carried out; {dict(measured.others.most_common(2))}".replace(
        "|", "/"
    )
    first = list(measured.first.values())
    found = [Figure(f"{name}, {rate:g}/s: first answer p{p}", percentile(first, p), "ms") for p in (50, 99)]
    if flood and measured.sent:
        ends = [measured.sent[one] + ms / 1000 for one, ms in measured.whole.items()]
        took = max(ends, default=0.0) - min(measured.sent.values())
        found.append(Figure(f"{name}: actions a second", measured.played / took, "/s", note=note))
    elif found:
        found[0] = Figure(found[0].name, found[0].value, "ms", note=note)
    return found


async def measure(asked: argparse.Namespace) -> list[Figure]:
    """All arrangements, one after another."""
    found: list[Figure] = []
    with postgres.cluster(safe=True) as server, launcher() as by:
        for name in ARRANGED:
            found += await arranged(name, asked, server, by.sketching())
    return found


def main() -> None:
    """Measures, prints, writes."""
    words = argparse.ArgumentParser(prog="python -m bench.cluster", description=__doc__)
    words.add_argument("--tables", type=int, default=120)
    words.add_argument("--idle", type=int, default=100_000)
    words.add_argument("--rate", type=float, default=5.0, help="actions a second that all carry")
    words.add_argument("--flood", type=float, default=100.0, help="more than any carries")
    words.add_argument("--seconds", type=float, default=20.0)
    words.add_argument("--dry", action="store_true", help="write no page")
    asked = words.parse_args()
    found = asyncio.run(measure(asked))
    command = (
        f"python -m bench.cluster --tables {asked.tables} --idle {asked.idle} --rate {asked.rate:g} "
        f"--flood {asked.flood:g} --seconds {asked.seconds:g}"
    )
    text = section("cluster", "Clusters", f"Written by `{command}`, everything on this machine.", found)
    sys.stdout.write(text)
    if not asked.dry:
        keep("cluster", text)


if __name__ == "__main__":
    main()
