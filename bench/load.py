"""Many tables at once: `python -m bench.load` drives the shipped process through the loopback Discord.

Scripted players of all games act at a steady rate; other tables are open and idle beside them. What they
do is worked out beforehand from the tables' seeds: the players cost nothing while it is measured.
The figures replace their own section of docs/performance.md, unless --dry.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from bench.figures import Figure, keep, percentile, section
from bench.many import model, multiply, resident, workers
from bench.play import here
from cogs.text.games import playable
from db.address import Where
from db.database import Database
from engines.capabilities import random_action
from engines.chance import Chance
from engines.registry import engine
from tables.core.clock import SystemClock
from tables.core.model import Place
from tables.core.model import User as Person
from tables.service import Tables
from tests.process.discord_client import DEFER, DEFER_UPDATE, Discord, User, loopback
from tests.process.hatamoto_process import running
from workers.thinking import Opponents

GUILDS = 20
PEOPLE = {"shogun": 3}
SCRIPT = 12  # actions worked out for each table
AIM_MS = 50.0
SEEN = ["interaction", "answer"]  # kinds of entries in the loopback's log
PAUSE_S = 0.2  # between two looks at it
PATIENCE_S = 60.0  # for what is still to be answered and posted at the end


@dataclass
class Script:
    """A table and what will be done there: who types what."""

    number: int
    channel: str
    deeds: deque[tuple[User, str]] = field(default_factory=deque)


@dataclass
class Measured:
    """Milliseconds from the interaction to its first answer and to the whole of it."""

    sent: dict[str, float] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)
    whole: dict[str, float] = field(default_factory=dict)
    played: int = 0
    others: Counter[str] = field(default_factory=Counter)  # what was said instead

    def take(self, entry: dict[str, object]) -> None:
        """One entry of the loopback's log."""
        name, at = str(entry.get("interaction")), float(str(entry["at"]))
        if entry["kind"] == "interaction":
            self.sent[name] = at
        elif entry["kind"] == "answer" and name in self.sent:
            took = (at - self.sent[name]) * 1000
            self.first.setdefault(name, took)
            if entry["callback"] not in {DEFER, DEFER_UPDATE} and name not in self.whole:
                self.whole[name] = took
                message = entry.get("message")
                content = str(message.get("content", "")) if isinstance(message, dict) else ""
                self.played += content.startswith(("Played", "Done"))
                if not content.startswith(("Played", "Done")):
                    self.others[content.partition("\n")[0][:60]] += 1


# -- before --------------------------------------------------------------------------------------------


async def prepared(path: Where, discord: Discord, tables: int, idle: int) -> list[Script]:
    """A database with so many tables that play, of all games in turn, and so many that wait."""
    if idle and isinstance(path, Path):
        await model(path, "kamisado")
        multiply(path, idle)
    channels = [await discord.channel(await discord.guild(f"Castle {n}")) for n in range(min(GUILDS, tables))]
    guilds = {str(c["channel"]["id"]): c["channel"]["guild_id"] for c in await discord.control("channels")}
    database = await Database.open(path)
    service = Tables(database, SystemClock(), Opponents(), lambda: None)
    ids, games, made = count(10**6), playable(), []
    try:
        for index in range(tables):
            game, channel = games[index % len(games)], channels[index % len(channels)]
            people = [await discord.user(f"P{index}x{n}") for n in range(PEOPLE.get(game, 2))]
            place = Place(int(guilds[channel]), int(channel))
            number = await opened(service, game, people, place, ids)
            made.append(await scripted(service, database, Script(number, channel), people, index))
        async with database.transaction() as tx:
            await tx.run("DELETE FROM outbox")
    finally:
        await service.close()
        await database.close()
    return made


async def opened(service: Tables, game: str, people: Sequence[User], place: Place, ids: Iterator[int]) -> int:
    """A running table."""
    persons = [Person(int(p.id), p.name, "en") for p in people]
    table = await service.create(
        persons[0], game, "", place, in_place=True, guild_locale="en", interaction_id=next(ids)
    )
    for other in persons[1:]:
        table = await service.join(table.id, other, next(ids))
    if table.status == "open":
        table = await service.start(table.id, persons[0].id, next(ids))
    return table.id


async def scripted(
    service: Tables, database: Database, script: Script, people: Sequence[User], seed: int
) -> Script:
    """What will be done at a table, by the seed that its chance comes from."""
    row = await database.reads.one("SELECT game, seed, entries FROM tables WHERE id = ?", (script.number,))
    kept = await database.reads.one("SELECT state FROM snapshots WHERE table_id = ?", (script.number,))
    if row is None or kept is None:
        raise ValueError(f"table {script.number} has no position")
    rules, dice = engine(row["game"]), random.Random(seed)
    state, seats = rules.load(kept["state"]), (await service.get(script.number)).seats
    by_id = {int(person.id): person for person in people}
    for entry in range(row["entries"] + 1, row["entries"] + 1 + SCRIPT):
        acting = sorted(rules.to_act(state))
        if not acting:
            break
        seat = dice.choice(acting)
        action = random_action(rules, state, seat, Chance(dice.randbytes(32), 1))
        script.deeds.append((by_id[seats[seat].user_id or 0], rules.format(action)))
        state, _ = rules.apply(state, seat, action, Chance(row["seed"], entry))
    return script


# -- the run -------------------------------------------------------------------------------------------


async def drive(discord: Discord, scripts: list[Script], rate: float, seconds: float) -> tuple[Measured, int]:
    """Players act at a steady rate for so long, whatever the bot does; how many actions were sent."""
    measured, tasks = Measured(), set()
    start = (await discord.control("log", start=0, seconds=0.0, kinds=[]))[-1]["n"] + 1
    reader = asyncio.create_task(read(discord, measured, start))
    begin, sent, waiting = time.monotonic(), 0, deque(scripts)
    while time.monotonic() < begin + seconds and waiting:
        script = waiting.popleft()
        player, text = script.deeds.popleft()
        options = {"move": text, "table": script.number}
        task = asyncio.create_task(discord.send(player, script.channel, command="move", options=options))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        sent += 1
        if script.deeds:
            waiting.append(script)
        await asyncio.sleep(max(0.0, begin + sent / rate - time.monotonic()))
    end = time.monotonic() + PATIENCE_S
    while (tasks or len(measured.whole) < sent) and time.monotonic() < end:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    reader.cancel()
    return measured, sent


async def read(discord: Discord, measured: Measured, at: int) -> None:
    """Follows the loopback's log from this entry on."""
    while True:
        for entry in await discord.control("log", start=at, seconds=1.0, kinds=SEEN):
            at = entry["n"] + 1
            if entry["kind"] in SEEN:
                measured.take(entry)
        await asyncio.sleep(PAUSE_S)  # the answers' times are those of the loopback: no need to hurry


async def drained(path: Where) -> float | None:
    """Seconds until nothing waits to be posted; None where that takes too long."""
    begin = time.monotonic()
    database = await Database.open(path, read_only=True)
    try:
        while time.monotonic() < begin + PATIENCE_S:
            row = await database.reads.one(
                "SELECT count(*) AS n FROM outbox WHERE state IN ('queued', 'flying')"
            )
            if row is not None and not row["n"]:
                return time.monotonic() - begin
            await asyncio.sleep(0.1)
    finally:
        await database.close()
    return None


async def measure(tables: int, idle: int, rates: Sequence[float], seconds: float) -> list[Figure]:
    """Everything, one rate after another on the same tables."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=here()) as folder:
        path = Path(folder) / "load.db"
        async with loopback() as discord:
            scripts = await prepared(path, discord, tables, idle)
            async with running(discord, path) as bot:
                await discord.slash(scripts[0].deeds[0][0], scripts[0].channel, "games")
                found = memory("before", bot.process.pid)
                begin = 0
                for rate in rates:
                    left = [script for script in scripts if script.deeds]
                    await discord.control("lag")
                    before = spent(bot.process.pid)
                    measured, sent = await drive(discord, left, rate, seconds)
                    own = Own(await discord.control("lag"), spent(bot.process.pid) - before)
                    late = await drained(path)
                    found += figures(measured, sent, rate, seconds, late, own)
                    begin = await posted(discord, begin, f"{rate:g}/s", found)
                return [*found, *memory("after", bot.process.pid)]


def memory(when: str, process: int) -> list[Figure]:
    """What the bot takes by itself, and its workers, which begin with their first work."""
    others = sum(resident(worker) for worker in workers(process))
    return [
        Figure(f"memory {when}, the bot alone", resident(process) - others, "MB"),
        Figure(f"memory {when}, its workers", others, "MB", note="pictures, folded logs"),
    ]


async def posted(discord: Discord, begin: int, rate: str, found: list[Figure]) -> int:
    """How many posts since the log's entry `begin` had a picture; the number of the next entry."""
    entries = await discord.control("log", start=begin, seconds=0.0, kinds=["message"])
    pictures = [entry["message"]["pictures"] > 0 for entry in entries if entry["kind"] == "message"]
    share = 100 * sum(pictures) / max(1, len(pictures))
    note = f"of {len(pictures)}; lines have none, nor boards that are late in a crowd"
    found.append(Figure(f"{rate}: posts with a picture", share, "%", note=note))
    return int(entries[-1]["n"]) + 1


@dataclass(frozen=True)
class Own:
    """What belongs to the figures: ms by which the loopback itself was late, and the bot's CPU in seconds."""

    lag: list[float]
    cpu: float


def spent(process: int) -> float:
    """Seconds of CPU that a process has used, without its workers."""
    used = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


def figures(  # noqa: PLR0917 - what one rate came to
    measured: Measured, sent: int, rate: float, seconds: float, late: float | None, own: Own
) -> list[Figure]:
    """One rate's as lines of the page."""
    others = "; ".join(f"{count} x {text!r}" for text, count in measured.others.most_common(2))
    silent = sent - measured.played - measured.others.total()
    share = 100 * measured.played / max(sent, 1)
    note = f"{sent} sent in {seconds:g} s, {silent} not answered in time. {others}".strip()
    found = [Figure(f"{rate:g}/s: actions carried out", share, "%", note=note.replace("|", "/"))]
    for name, samples, aim in (("first", measured.first, AIM_MS), ("whole", measured.whole, None)):
        for part in (50, 95, 99):
            value = percentile(list(samples.values()), part)
            limit = aim if part == 99 else None
            found.append(Figure(f"{rate:g}/s: interaction to {name} answer, p{part}", value, "ms", aim=limit))
    lag = percentile(own.lag, 99)
    found.append(Figure(f"{rate:g}/s: Discord's own lateness in these, p99", lag, "ms"))
    note = "what it posted meanwhile included, drawing not"
    found.append(Figure(f"{rate:g}/s: the bot's CPU", 1000 * own.cpu / max(sent, 1), "ms/action", note=note))
    if late is None:
        return [*found, Figure(f"{rate:g}/s: posts behind", PATIENCE_S, "s", note="and still some left")]
    return [*found, Figure(f"{rate:g}/s: posts behind the last answer", late, "s")]


def main() -> None:
    """Measures, prints, writes."""
    words = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    words.add_argument("--tables", type=int, default=1000)
    words.add_argument("--idle", type=int, default=10_000)
    words.add_argument("--rate", type=float, nargs="+", default=[10.0, 50.0], help="actions a second")
    words.add_argument("--seconds", type=float, default=60.0)
    words.add_argument("--dry", action="store_true", help="write no page")
    asked = words.parse_args()
    found = asyncio.run(measure(asked.tables, asked.idle, asked.rate, asked.seconds))
    command = (
        f"python -m bench.load --tables {asked.tables} --idle {asked.idle} "
        f"--rate {' '.join(f'{rate:g}' for rate in asked.rate)} --seconds {asked.seconds:g}"
    )
    written = f"Written by `{command}`, Discord and players on the same machine."
    text = section("load", "Load", written, found)
    sys.stdout.write(text)
    if not asked.dry:
        keep("load", text)


if __name__ == "__main__":
    main()
