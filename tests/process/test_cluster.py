"""Three processes on one PostgreSQL, twelve shards, all games, and whatever is killed meanwhile (19.2, 19.3).

Processes, connections and the server itself are killed in the middle of actions: every acknowledged action is
there once, every message once, and those of one place come in the order of their rows. HATAMOTO_COUNT is how
many kills there are; a small number where it is not set. HATAMOTO_SEED is what is played and killed: each
number is another history, so that many kills may be had in parts.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cogs.text.games import playable
from db.address import Address
from db.postgresql.connections import rows_of
from db.postgresql.words import said
from tests import postgres
from tests.process.castle import Castle
from tests.process.discord_client import Discord, UnansweredError
from tests.process.hatamoto_process import Hatamoto, Launcher
from tests.process.siege import Deed, Siege, siege

COUNT = int(os.environ.get("HATAMOTO_COUNT") or 12)
SEED = int(os.environ.get("HATAMOTO_SEED") or 19)
HEARD_S = 15.0  # so long an answer may take
BURIED_S = 2.0  # so long a commit of a process that is dead
SHARDS, EACH = 12, 4
APART_MS = 200
SETTLED = 6  # after one kill in so many all is looked at
TRIES, IN_USE = 50, "is still in use"
MANNERS = ("process", "process", "process", "connections", "server")

pytestmark = pytest.mark.long


@dataclass
class Keep(Castle):
    """A castle whose rows are on a server."""

    address: Address | None = None

    def rows(self, sql: str, *params: object) -> Sequence[Any]:
        """What the database answers to a query, beside the running bots."""
        assert self.address is not None
        with closing(
            psycopg.Connection.connect(
                self.address.url, row_factory=rows_of, cursor_factory=psycopg.RawCursor, autocommit=True
            )
        ) as connection:
            return connection.execute(said(sql).encode(), params).fetchall()


@dataclass
class Clan:
    """Processes that share a database; each runs its part of the shards."""

    discord: Discord
    address: Address
    folder: Path
    by: Launcher
    more: dict[str, str] = field(default_factory=dict)
    bots: dict[int, Hatamoto] = field(default_factory=dict)

    def part(self, number: int) -> range:
        """The shards of a process."""
        return range(number * EACH, (number + 1) * EACH)

    def serves(self, number: int, guild: str) -> bool:
        """Whether a process hears what is done in this server."""
        return (int(guild) >> 22) % SHARDS in self.part(number)

    async def start(self, number: int) -> Hatamoto:
        """Starts a process, and does not wait for anything."""
        part = self.part(number)
        settings = {
            "HATAMOTO_DATABASE": self.address.url,
            "HATAMOTO_SHARDS": f"{part[0]}-{part[-1]}/{SHARDS}",
            "HATAMOTO_TEST_APART": str(APART_MS),
            **self.more,
        }
        bot = await self.by.start(
            self.folder / "h.db", "run", api=self.discord.api, more=settings, log=f"bot-{number}"
        )
        self.bots[number] = bot
        return bot

    async def ready(self, number: int, begin: int) -> None:
        """Until all shards of a process have identified after the log's entry `begin`."""

        def identified() -> bool:
            assert self.bots[number].process.returncode is None, self.bots[number].words[-3000:]
            found = {e["shard"][0] for e in self.discord.entries("gateway", begin) if e["what"] == "identify"}
            return found >= set(self.part(number))

        await self.discord.until(identified, f"the shards of process {number}")

    async def again(self, number: int) -> None:
        """Starts a process and waits for its shards."""
        await self.discord.read(0)
        begin = len(self.discord.log)
        await self.start(number)
        await self.ready(number, begin)

    async def kill(self, number: int) -> None:
        """SIGKILL."""
        await self.bots[number].kill()


@asynccontextmanager
async def clan(discord: Discord, address: Address, folder: Path, by: Launcher) -> AsyncIterator[Clan]:
    """Three of them, connected."""
    made = Clan(discord, address, folder, by)
    await discord.control("shards", shards=SHARDS, at_once=SHARDS, apart_s=APART_MS / 1000)
    async with AsyncExitStack() as stack:
        for number in range(SHARDS // EACH):
            await made.start(number)
            stack.push_async_callback(made.kill, number)
        for number in range(SHARDS // EACH):
            await made.ready(number, 0)
        yield made


@dataclass
class Storm:
    """Sieges of all games at once, and kills in the middle of their actions."""

    clan: Clan
    server: postgres.Cluster
    sieges: list[Siege]
    chance: random.Random
    kills: Counter[str] = field(default_factory=Counter)  # of each manner

    async def blow(self, kills: int) -> None:
        """Until so much was killed."""
        for number in range(kills):
            one = self.sieges[number % len(self.sieges)]
            table = one.table
            if not table or one.deed(table) is None or len(one.done[table]) > 40:
                table = await one.open_table()
            for _ in range(self.chance.randrange(4)):
                if (deed := one.deed(table)) is not None:
                    await one.act(table, deed)
            while (deed := one.deed(table)) is None:
                table = await one.open_table()
            await self.kill_in_the_middle(one, table, deed)
            if number % SETTLED == SETTLED - 1:
                await self.settle()
        await self.settle()

    async def kill_in_the_middle(self, one: Siege, table: int, deed: Deed) -> None:
        """An action is sent, and at a random moment something is killed; then all stands."""
        manner, discord, patience = self.chance.choice(MANNERS), one.discord, HEARD_S
        await discord.read(0)
        sent = await one.send(table, deed)
        await asyncio.sleep(self.chance.random() / 10)  # the random moment itself
        self.kills[manner] += 1
        victim = self.chance.randrange(len(self.clan.bots))
        if manner == "process":
            await self.clan.kill(victim)
            if self.clan.serves(victim, one.castle.guild):
                patience = BURIED_S  # whom it was sent to is dead, and nobody else has heard of it
            await self.clan.again(victim)
        elif manner == "connections":
            self.cut()
        else:
            await self.server_again()
        await self.known(one, table, deed, sent, patience)

    async def server_again(self) -> None:
        """SIGKILL for the server, and another as soon as what the old one has started is gone."""
        await asyncio.to_thread(self.server.stop, signal.SIGKILL)
        for _ in range(TRIES):
            try:
                await asyncio.to_thread(self.server.start)
            except RuntimeError as error:
                if IN_USE not in str(error):
                    raise
                await self.clan.discord.read(0.2)
            else:
                return
        raise AssertionError("processes of the server that was killed live on")

    def cut(self) -> None:
        """The server ends some connections of the bots."""
        with closing(psycopg.connect(self.clan.address.url, autocommit=True)) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND random() < 0.7"
            )

    async def known(self, one: Siege, table: int, deed: Deed, sent: str, patience: float) -> None:
        """What became of the action: acknowledged, or not, or carried out though nobody heard of it.

        One that is carried out after `patience` is met by the next look at the table, which fails.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        while loop.time() < end:
            answer = one.discord.answers.get(sent)
            if answer is not None and answer.complete:
                if await self.heard(one, table, deed, sent):
                    return
                break
            if len(one.log(table)) > len(one.done[table]):
                break
            await one.discord.read(0.2)
        log, done = one.log(table), one.done[table]
        assert log[: len(done)] == done
        if len(log) > len(done):
            assert log[len(done) :] == [(deed.seat, deed.text)]
            done.append(log[-1])

    async def heard(self, one: Siege, table: int, deed: Deed, sent: str) -> bool:
        """Whether the answer says that it was done; who has to say yes may find that nobody is there."""
        try:
            return await one.heard(table, deed, one.discord.answers[sent])
        except UnansweredError:
            return False

    async def settle(self) -> None:
        """Everything is sent once and in order, nothing acknowledged is lost or doubled."""
        for one in self.sieges:
            await one.settle()
        self.in_order()

    def in_order(self) -> None:
        """What is new at one place came there in the order of its rows."""
        castle, discord = self.sieges[0].castle, self.clan.discord
        rows = castle.rows("SELECT id, destination, nonce FROM outbox")
        row = {str(one["nonce"]): (one["destination"], one["id"]) for one in rows}
        last: dict[str, int] = {}
        for entry in discord.entries("message"):
            nonce = str(entry["message"]["nonce"])
            if entry["ephemeral"] or nonce not in row:
                continue
            destination, number = row[nonce]
            assert number > last.get(destination, 0), (destination, number)
            last[destination] = number


@pytest.fixture
async def storm(discord: Discord, by: Launcher, tmp_path: Path) -> AsyncIterator[Storm]:
    """A clan, and a siege of each game in a server of its own on another shard."""
    with postgres.cluster(safe=True) as server:
        address = server.new()
        async with clan(discord, address, tmp_path, by.sketching()) as found:
            sieges = []
            for number, game in enumerate(playable()):
                guild = await discord.guild(f"Castle {number}", shard=((3 * number + 1) % SHARDS, SHARDS))
                channel = await discord.channel(guild)
                players = (await discord.user(f"Ann {number}"), await discord.user(f"Ben {number}"))
                castle = Keep(discord, guild, channel, players, tmp_path / "h.db", address=address)
                sieges.append(await siege(castle, game, SEED + number))
                sieges[-1].sketches = True
            yield Storm(found, server, sieges, random.Random(SEED))


async def test_a_clan_loses_and_doubles_nothing_whatever_is_killed(storm: Storm) -> None:
    await storm.blow(COUNT)
    assert sum(storm.kills.values()) == COUNT
    print(f"{dict(storm.kills)}; actions: {sum(len(d) for one in storm.sieges for d in one.done.values())}")
    too_soon = [e for e in storm.clan.discord.entries("gateway") if e["what"] == "too-soon"]
    assert not too_soon, "identifies are apart, whichever process sends them"


async def test_a_process_that_ends_hands_on_its_shards(storm: Storm) -> None:
    one = storm.sieges[0]
    table = await one.open_table()
    number = 1 // EACH
    before = storm.clan.bots[number]
    begin = len(storm.clan.discord.log)
    await storm.clan.start(number)  # the next version, beside the one that runs
    for _ in range(2):
        if (deed := one.deed(table)) is not None:
            await one.act(table, deed)
    assert await before.stop() == 0
    await storm.clan.ready(number, begin)
    for _ in range(2):
        if (deed := one.deed(table)) is not None:
            await one.act(table, deed)
    await storm.settle()
