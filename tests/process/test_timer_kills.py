"""SIGKILL in the work of timers: before and after each of its commits, and again at the next start.

Whatever moment it was, the next start finishes the work, and nobody sees any of it twice.
"""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from engines.registry import GAMES as ALL
from tables.core.clock import SystemClock
from tests.games import hidden
from tests.process.castle import Castle
from tests.process.discord_client import Json, readable
from tests.process.hatamoto_process import CLOCK, Hatamoto, Launcher, running
from tests.process.launcher import KILL
from tests.process.siege import Siege, siege

GAMES = (next(game for game in ALL if game not in hidden()), hidden()[0])  # one open, one with hands
EACH = (GAMES[0], pytest.param(GAMES[1], marks=pytest.mark.long))
DAY = 24 * 3600 * 1000


@dataclass
class Months:
    """A bot whose clock is set on while it does not run, as if it had run until then."""

    siege: Siege
    by: Launcher
    passed: int = 0  # ms by which its clock is before ours

    @property
    def castle(self) -> Castle:
        """Where it is played."""
        return self.siege.castle

    @property
    def offset(self) -> Path:
        """The file with what is added to the clock."""
        return self.castle.database.with_name("clock")

    def running(self) -> Any:
        """The bot at its own time, until the end of the block."""
        self.offset.write_text(str(self.passed))
        return running(self.castle.discord, self.castle.database, by=self.by, more={CLOCK: str(self.offset)})

    async def killed(self, days: int, moment: int) -> bool:
        """Started so many days later, whether it is killed: at this moment of its timers' work."""
        self.passed += days * DAY
        self.castle.lived(days * DAY)
        self.offset.write_text(str(self.passed))
        more = {CLOCK: str(self.offset), KILL: str(moment)}
        api, database = self.castle.discord.api, self.castle.database
        bot = await self.by.start(database, "run", api=api, more=more)
        try:
            return (
                await self.castle.discord.until(lambda: self.end(bot), "a kill, or nothing due") == "killed"
            )
        finally:
            await bot.kill()

    def end(self, bot: Hatamoto) -> str | None:
        """`killed` by itself, or `done` with all that was due and had to be sent."""
        if bot.process.returncode is not None:
            assert bot.process.returncode == -signal.SIGKILL, bot.words
            return "killed"
        return None if self.due() or self.castle.unsent() else "done"

    def due(self) -> int:
        """How many timers are due."""
        sql = "SELECT count(*) AS n FROM timers WHERE due_at <= ?"
        now = SystemClock().now() + self.passed
        return int(self.castle.rows(sql, now)[0]["n"])

    async def settled(self) -> None:
        """Until nothing is due or unsent, while it runs."""
        await self.castle.discord.until(lambda: not self.due() or None, "all that is due to be done")
        await self.castle.all_sent()
        self.siege.each_once()
        assert self.siege.log(self.siege.table) == self.siege.done[self.siege.table]

    def kinds(self, begin: int) -> list[str]:
        """What the bot had to post since that row."""
        rows = self.castle.rows("SELECT kind FROM outbox WHERE id > ? ORDER BY id", begin)
        return [str(row["kind"]) for row in rows]

    def last_row(self) -> int:
        """The newest row of the outbox."""
        return int(self.castle.rows("SELECT coalesce(max(id), 0) AS n FROM outbox")[0]["n"])

    def posted(self, begin: int) -> list[Json]:
        """Messages that were posted since the log's entry `begin`, deleted ones too."""
        return [entry["message"] for entry in self.castle.discord.entries("message", begin)]

    def acting(self, number: int) -> set[str]:
        """The users who have to act."""
        sql = "SELECT user_id FROM seats WHERE table_id = ? AND acts = 1"
        return {str(row["user_id"]) for row in self.castle.rows(sql, number)}


@pytest.mark.parametrize("game", EACH)
async def test_a_reminder_is_posted_once_whenever_it_is_killed(
    castle: Castle, quick: Launcher, game: str
) -> None:
    months, kills = Months(await siege(castle, game, 23), quick), 0
    async with months.running():
        number = await months.siege.open_table()
        await months.settled()
    for moment in (1, 2, 3):
        row, begin = months.last_row(), len(castle.discord.log)
        kills += await months.killed(15, moment)
        async with months.running():
            await months.settled()
        assert months.kinds(row) == ["reminder"]
        (post,) = months.posted(begin)
        assert {user["id"] for user in post["mentions"]} == months.acting(number)
        sent = castle.rows("SELECT payload FROM timers WHERE kind = 'remind'")
        assert [json.loads(timer["payload"])["sent"] for timer in sent] == [moment] * len(sent)
    assert kills == 2, "killed before and after the one commit of its work"


@pytest.mark.parametrize("game", EACH)
async def test_a_clock_that_runs_out_is_told_once_whenever_it_is_killed(
    castle: Castle, quick: Launcher, game: str
) -> None:
    months = Months(await siege(castle, game, 29), quick)
    async with months.running():
        number = await months.siege.open_table("clock=fast")
        for player in castle.players:
            await castle.discord.slash(player, castle.channel, "settings", remind=0)
        await months.settled()
    for moment in count(1):
        row, begin = months.last_row(), len(castle.discord.log)
        killed = await months.killed(5, moment)
        async with months.running():
            await months.settled()
            assert months.kinds(row) == ["claim"]
            (post,) = months.posted(begin)
            assert {user["id"] for user in post["mentions"]} == {p.id for p in castle.players}
            seats = castle.rows("SELECT acts, flagged FROM seats WHERE table_id = ?", number)
            assert [seat["flagged"] for seat in seats] == [seat["acts"] for seat in seats]
            assert castle.rows("SELECT * FROM timers WHERE kind = 'clock'") == []
            if not killed:
                break
            while castle.rows("SELECT * FROM seats WHERE flagged = 1"):
                assert await months.siege.play(number, 1) == 1
            await months.settled()
    assert moment == 3, "killed before and after the one commit of its work"


@pytest.mark.long  # the quick suite has `test_a_crash_in_a_vacation_is_finished_later_and_told_once`
async def test_a_vacation_ends_once_at_each_table_whenever_it_is_killed(
    castle: Castle, quick: Launcher
) -> None:
    ann = castle.players[0]
    months = Months(await siege(castle, GAMES[0], 31), quick)
    async with months.running():
        numbers = [await replace(months.siege, game=game).open_table() for game in GAMES]
        for player in castle.players:
            await castle.discord.slash(player, castle.channel, "settings", remind=0)
        await castle.all_sent()
    for moment in count(1):
        async with months.running():
            await castle.discord.slash(ann, castle.channel, "settings", vacation=5)
            await castle.all_sent()
            assert all(seat["away"] for seat in seats_of(castle, ann.id))
        row, begin = months.last_row(), len(castle.discord.log)
        killed = await months.killed(6, moment)
        async with months.running():
            await castle.discord.until(lambda: not months.due() or None, "the vacation to end")
            await castle.all_sent()
        months.siege.each_once()
        assert months.kinds(row) == ["line"] * len(numbers)
        assert all("is back" in readable(post) for post in months.posted(begin))
        called = [ann.id in {user["id"] for user in m["mentions"]} for m in months.posted(begin)]
        assert sum(called) == sum(ann.id in months.acting(number) for number in numbers)
        assert len(called) == len(numbers)
        assert not any(seat["away"] for seat in seats_of(castle, ann.id))
        assert castle.rows("SELECT * FROM timers WHERE kind = 'vacation'") == []
        if not killed:
            break
    assert moment == 2 * (len(numbers) + 1) + 1, "killed at each table's commit and at the timer's own"


def seats_of(castle: Castle, user_id: str) -> list[Any]:
    """The user's seats, one for each table."""
    found = list(castle.rows("SELECT * FROM seats WHERE user_id = ?", int(user_id)))
    assert len(found) == len(GAMES)
    return found
