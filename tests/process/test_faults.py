"""SIGKILLs in the middle of every game: nothing acknowledged and no message is lost or doubled.

Somebody attacks meanwhile in every way of `attacks.py`, and what is done is taken back now and then (14).

HATAMOTO_COUNT is how many there are, over all games; a small number where it is not set. Whatever else goes
wrong in years: `test_troubles.py`.
"""

from __future__ import annotations

import asyncio
import os

import pytest

from cogs.text.games import playable
from tests.process.attacks import ATTACKS
from tests.process.castle import Castle
from tests.process.hatamoto_process import Hatamoto, Launcher, running
from tests.process.siege import Deed, Siege, siege

POSTS = "POST /channels/.*/messages"
ANSWERS = "(PATCH|POST) /(webhooks|interactions)"
COUNT = int(os.environ.get("HATAMOTO_COUNT") or 8)
UNDONE = 4  # one kill in so many is in the middle of an undo
MANY = 50  # kills, among which there is one of everything
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
        """SIGKILL at an entry of the log, at a moment, or while a request hangs before or after its work.

        It is in the middle of an action, or of one that is taken back, and often of an attack as well.
        """
        manner = self.chance.choice(("log", "moment", "held"))
        undo = self.chance.randrange(UNDONE) == 0
        if self.chance.randrange(2):
            await self.siege.attacker.attack(number)
        await self.discord.read(0)
        begin = len(self.discord.log)
        if manner == "held":
            when, what = self.chance.choice(("before", "after")), self.chance.choice((POSTS, ANSWERS))
            await self.discord.control("freeze", when=when, pattern=what)
        sent = await (self.siege.ask_back(number, deed) if undo else self.siege.send(number, deed))
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
        if undo:
            self.siege.note_undone(number, deed.seat)
            return
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
async def test_sigkills_lose_and_double_nothing(castle: Castle, by: Launcher, game: str) -> None:
    kills, wanted = Kills(await siege(castle, game, 7)), max(1, -(-COUNT // len(playable())))
    await kills.run(wanted, by)
    assert kills.kills == wanted
    attacks, taken_back = kills.siege.attacker.sent, kills.siege.taken_back
    print(f"{game}: {kills.kills} kills, {attacks}, taken back {taken_back} times")
    if wanted >= MANY:
        assert attacks.keys() == ATTACKS.keys()
        assert taken_back
