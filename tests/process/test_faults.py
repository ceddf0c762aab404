"""Everything that goes wrong in years, in minutes: nothing acknowledged and no message is lost or doubled.

HATAMOTO_COUNT is how many times (SIGKILLs, over all games); a small number of each where it is not set.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing

import pytest

from cogs.games import playable
from tests.process.castle import Castle
from tests.process.hatamoto_process import Hatamoto, Launcher, launcher, running, start
from tests.process.siege import Deed, Siege, siege

POSTS = "POST /channels/.*/messages"
ANSWERS = "(PATCH|POST) /(webhooks|interactions)"
COUNT = int(os.environ.get("HATAMOTO_COUNT") or 8)
ACTIONS = 12
SETTLED = 8  # one start in so many waits until all is sent

pytestmark = pytest.mark.long


class Kills:
    """A siege whose bot is killed in the middle of every few actions."""

    def __init__(self, siege: Siege) -> None:
        self.siege, self.kills = siege, 0
        self.chance, self.discord = siege.chance, siege.discord

    async def run(self, kills: int, by: Launcher) -> None:
        """Until it was killed so often, and started once more."""
        while self.kills < kills:
            async with running(self.discord, self.siege.castle.database, by=by) as bot:
                if self.chance.randrange(SETTLED) == 0:  # else it is killed with posts that wait since before
                    await self.siege.settle()
                number = self.siege.table
                if not number or self.siege.deed(number) is None or len(self.siege.done[number]) > 40:
                    number = await self.siege.open_table()
                await self.siege.play(number, self.chance.randrange(4))
                deed = self.siege.deed(number)
                if deed is not None:
                    await self.kill_in_the_middle(bot, number, deed)
        async with running(self.discord, self.siege.castle.database):
            await self.siege.settle()
            await self.siege.play(self.siege.table, 2)
            await self.siege.settle()

    async def kill_in_the_middle(self, bot: Hatamoto, number: int, deed: Deed) -> None:
        """SIGKILL at an entry of the log, at a moment, or while a request hangs before or after its work."""
        manner = self.chance.choice(("log", "moment", "held"))
        await self.discord.read(0)
        begin = len(self.discord.log)
        if manner == "held":
            when, what = self.chance.choice(("before", "after")), self.chance.choice((POSTS, ANSWERS))
            await self.discord.control("freeze", when=when, pattern=what)
        sent = await self.siege.send(number, deed)
        if manner == "held":
            await self.discord.until(
                lambda: self.held_or_asked(begin, sent), "a request that hangs, or a question"
            )
        elif manner == "log":
            more = begin + self.chance.randrange(1, 5)
            await self.discord.until(lambda: len(self.discord.log) >= more or None, "something to happen")
        else:
            await asyncio.sleep(self.chance.random() / 20)  # the random moment itself
        await bot.kill()
        self.kills += 1
        await self.discord.control("thaw")
        await self.discord.read(0)
        answer = self.discord.answers.get(sent)
        if answer is not None and answer.complete and await self.siege.heard(number, deed, answer):
            return
        log, done = self.siege.log(number), self.siege.done[number]
        if len(log) > len(done):  # carried out, though nobody heard of it
            assert log[-1] == (deed.seat, deed.text)
            done.append(log[-1])

    def held_or_asked(self, begin: int, sent: str) -> bool:
        """Whether a request hangs; none does where the bot asked whether he is sure, which posts nothing."""
        answer = self.discord.answers.get(sent)
        return bool(self.discord.entries("held", begin)) or (answer is not None and answer.complete)


@pytest.mark.parametrize("game", playable())
async def test_sigkills_lose_and_double_nothing(castle: Castle, game: str) -> None:
    kills, wanted = Kills(await siege(castle, game, 7)), max(1, -(-COUNT // len(playable())))
    async with launcher() as by:
        await kills.run(wanted, by)
    assert kills.kills == wanted


@pytest.mark.parametrize("game", playable())
async def test_a_game_through_429_storms_and_a_gateway_that_drops(castle: Castle, game: str) -> None:
    played = await siege(castle, game, 11)
    async with running(castle.discord, castle.database):
        number = await played.open_table()
        for turn in range(min(COUNT, 100)):
            if turn % 2 == 0:
                await castle.discord.control("limit", count=3, pattern=POSTS, retry_after=0.05)
            if turn % 3 == 0:
                await castle.discord.control("drop")
                await resumed(castle)
            if await played.play(number, 1) == 0:
                number = await played.open_table()
        await castle.discord.control("limit", count=0)
        await played.settle()
    assert any(e["status"] == 429 for e in castle.discord.entries("request"))


async def resumed(castle: Castle) -> None:
    """Until the bot has come back after a drop."""
    before = len([e for e in castle.discord.entries("gateway") if e["what"] in ("resumed", "identify")])

    def back() -> bool:
        now = [e for e in castle.discord.entries("gateway") if e["what"] in ("resumed", "identify")]
        return len(now) > before

    await castle.discord.until(back, "the bot to come back")


async def test_dms_that_close_one_by_one_hang_nobody(castle: Castle) -> None:
    played = await siege(castle, "shogun", 13)
    async with running(castle.discord, castle.database):
        number = await played.open_table()
        for player in played.players:
            await castle.discord.control("close-dm", user=player.id)
            await played.play(number, ACTIONS)
        await castle.all_sent()
    assert played.log(number) == played.done[number]
    states = castle.rows("SELECT kind, state FROM outbox WHERE state <> 'sent'")
    assert {row["kind"] for row in states} <= {"hand"}
    told = [m for m in castle.new_posts(0) if castle.button(m, "hand")]
    assert told


async def test_another_process_that_locks_the_database_delays_and_loses_nothing(castle: Castle) -> None:
    played = await siege(castle, "kamisado", 17)
    async with running(castle.discord, castle.database):
        number = await played.open_table()
        await castle.all_sent()
        with closing(sqlite3.connect(castle.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            deed = played.deed(number)
            assert deed is not None
            sent = await played.send(number, deed)
            answer = await castle.discord.answer(sent)
            assert not castle.accepted(answer, deed.text), "it says that it did not work"
            other.execute("ROLLBACK")
        assert await played.play(number, ACTIONS) > 0
        await played.settle()


async def test_a_second_process_changes_nothing_for_the_first(castle: Castle) -> None:
    played = await siege(castle, "kamisado", 19)
    async with running(castle.discord, castle.database) as bot:
        number = await played.open_table()
        for _ in range(2):
            second = await start(castle.database, "run", api=castle.discord.api, log="second")
            assert await second.ended() == 1
            await played.play(number, 2)
        await played.settle()
        assert bot.process.returncode is None
