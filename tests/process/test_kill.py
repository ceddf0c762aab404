"""SIGKILL: whatever was acknowledged is there once after the next start, and so is every message."""

from __future__ import annotations

import asyncio
import os
import random

import pytest

from tests.process.castle import Castle, Turn
from tests.process.discord_client import Discord
from tests.process.hatamoto_process import Hatamoto, lives, running

POSTS = "POST /channels/.*/messages"
ANSWERS = "(PATCH|POST) /(webhooks|interactions)"
MOST_KILLS = 100


async def hang(discord: Discord, when: str, pattern: str) -> int:
    """From now on matching requests hang; the log's length, to find the first that does."""
    await discord.read(0)
    await discord.control("freeze", when=when, pattern=pattern)
    return len(discord.log)


async def send(castle: Castle, place: str, turn: Turn, action: str) -> str:
    return await castle.discord.send(turn.player, place, command="move", options={"move": action})


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_board_in_flight_at_a_kill_is_posted_once(castle: Castle, when: str) -> None:
    discord = castle.discord
    async with running(discord, castle.database) as bot:
        place = await castle.open_table()
        await castle.all_sent()
        turn = await castle.turn(place)
        assert turn is not None
        begin = await hang(discord, when, POSTS)
        await castle.play(place, turn.player, turn.moves[0])
        await discord.until(lambda: discord.entries("held", begin), "a post that hangs")
        await bot.kill()
    await discord.control("thaw")
    async with running(discord, castle.database):
        await castle.all_sent()
        castle.assert_sent_once()
        assert [entry.action for entry in castle.log()] == [turn.moves[0]]
        assert len(castle.boards()) == 2


async def test_a_bot_that_was_killed_while_it_thought_answers_once_after_the_restart(castle: Castle) -> None:
    discord, (ann, _) = castle.discord, castle.players
    async with running(discord, castle.database) as bot:
        opponent = await discord.bot()
        options = "match=single seat=first level=hard"
        await discord.slash(
            ann, castle.channel, "game new", game="kamisado", opponent=opponent, options=options
        )
        place = str((await discord.until(castle.boards, "a board"))[0]["channel_id"])
        await castle.play(place, ann, "a8-a4")
        worker = (await discord.until(lambda: bot.children, "the opponent's process"))[0]
        await bot.kill()
    await discord.until(lambda: not lives(worker), "the opponent's process to end by itself")
    async with running(discord, castle.database):
        await discord.until(lambda: len(castle.log()) == 2, "the answer")
        await castle.all_sent()
        castle.assert_sent_once()
        assert [entry.seat for entry in castle.log()] == [0, 1]


class Chaos:
    """One game after another, with a bot that is killed at random moments of it."""

    def __init__(self, castle: Castle, chance: random.Random) -> None:
        self.castle, self.chance = castle, chance
        self.discord = castle.discord
        self.acknowledged: dict[int, list[str]] = {}
        self.table, self.place, self.kills = 0, "", 0

    async def run(self, kills: int) -> None:
        """Until the bot was killed `kills` times and the game that runs then is over."""
        while self.kills < kills:
            async with running(self.discord, self.castle.database) as bot:
                await self.settle()
                while not await self.moves_until_killed(bot):
                    await self.new_game()
        async with running(self.discord, self.castle.database):
            await self.settle()
            while (turn := await self.castle.turn(self.place)) is not None:
                await self.acknowledge(turn)
            await self.settle()

    async def new_game(self) -> None:
        self.place = await self.castle.open_table()
        self.table += 1
        self.acknowledged[self.table] = []

    async def acknowledge(self, turn: Turn) -> None:
        action = self.chance.choice(turn.moves)
        await self.castle.play(self.place, turn.player, action)
        self.acknowledged[self.table].append(action)

    async def moves_until_killed(self, bot: Hatamoto) -> bool:
        """Plays on and kills the bot in the middle of a move; False if the game is over first."""
        quiet = self.chance.randrange(6)
        while self.table and (turn := await self.castle.turn(self.place)) is not None:
            if quiet == 0:
                await self.kill_in_the_middle(bot, turn)
                return True
            await self.acknowledge(turn)
            quiet -= 1
        return False

    async def kill_in_the_middle(self, bot: Hatamoto, turn: Turn) -> None:
        action = self.chance.choice(turn.moves)
        manner = self.chance.choice(("log", "moment", "held"))
        begin = len(self.discord.log)
        if manner == "held":
            when, what = self.chance.choice(("before", "after")), self.chance.choice((POSTS, ANSWERS))
            begin = await hang(self.discord, when, what)
        sent = await send(self.castle, self.place, turn, action)
        if manner == "held":
            await self.discord.until(lambda: self.discord.entries("held", begin), "a request that hangs")
        elif manner == "log":
            more = begin + self.chance.randrange(1, 6)
            await self.discord.until(lambda: len(self.discord.log) >= more or None, "something to happen")
        else:
            await asyncio.sleep(self.chance.random() / 25)  # the random moment itself
        await bot.kill()
        self.kills += 1
        await self.discord.control("thaw")
        await self.discord.read(0)
        answer = self.discord.answers.get(sent)
        if answer is not None and answer.complete and self.castle.accepted(answer, action):
            self.acknowledged[self.table].append(action)
        elif len(self.castle.log(self.table)) > len(self.acknowledged[self.table]):
            assert self.castle.log(self.table)[-1].action == action
            self.acknowledged[self.table].append(action)  # carried out, though nobody heard of it

    async def settle(self) -> None:
        """Everything is sent, and what was acknowledged is there once, in every game so far."""
        if not self.table:
            return
        await self.castle.all_sent()
        self.castle.assert_sent_once()
        for table, actions in self.acknowledged.items():
            assert [entry.action for entry in self.castle.log(table)] == actions
        sql = "SELECT count(*) AS n FROM outbox WHERE kind IN ('board', 'over') AND table_id = ?"
        posted = self.castle.rows(sql, self.table)[0]["n"]
        assert posted == len(self.acknowledged[self.table]) + 1, "a board for the start and for every action"


@pytest.mark.long
async def test_sigkill_at_random_moments_of_random_games_loses_and_doubles_nothing(castle: Castle) -> None:
    kills = min(int(os.environ.get("HATAMOTO_COUNT") or 8), MOST_KILLS)
    chaos = Chaos(castle, random.Random(20261128))
    await chaos.run(kills)
    assert chaos.kills >= kills
