"""A full disk and a clock that is set back."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from locales import words
from tests.process.castle import Castle
from tests.process.hatamoto_process import CLOCK, running
from tests.process.siege import Siege, siege

HOUR = 3_600_000
SPARE = 16_384  # bytes that the full disk still has
MOST = 60  # actions before it must be full

pytestmark = pytest.mark.long
games = pytest.mark.parametrize("game", ["kamisado"])


class SetClock:
    """A clock of the process that the test sets; `more` starts the bot with it."""

    def __init__(self, folder: Path) -> None:
        self._file, self._offset = folder / "offset", 0
        self.more = {CLOCK: str(self._file)}
        self.move(0)

    def move(self, ms: int) -> None:
        """Sets it on, or back; at once, so that it is never read half written."""
        self._offset += ms
        new = self._file.with_suffix(".new")
        new.write_text(str(self._offset))
        new.replace(self._file)


@games
async def test_a_full_disk_refuses_clearly_and_loses_nothing(castle: Castle, game: str) -> None:
    played = await siege(castle, game, 23)
    async with running(castle.discord, castle.database) as bot:
        number = await played.open_table()
        await played.settle()
        assert await bot.stop() == 0, bot.words
    most = castle.database.stat().st_size + SPARE
    async with running(castle.discord, castle.database, limits={resource.RLIMIT_FSIZE: most}):
        said = await until_refused(played, number)
        assert said == words("en")("error.internal"), said
    async with running(castle.discord, castle.database):
        assert await played.play(number, 2) == 2
        await played.settle()


async def until_refused(played: Siege, number: int) -> str:
    """Plays until an action is refused that is legal; what was said."""
    for _ in range(MOST):
        deed = played.deed(number)
        assert deed is not None
        answer = await played.discord.answer(await played.send(number, deed))
        if not await played.heard(number, deed, answer) and not answer.message.get("components"):
            return answer.text
    raise AssertionError("the disk was never full")


@games
async def test_a_clock_set_back_delays_and_doubles_nothing(castle: Castle, game: str) -> None:
    played, clock = await siege(castle, game, 29), SetClock(castle.database.parent)
    async with running(castle.discord, castle.database, more=clock.more):
        number = await played.open_table()
        for jump in (-5_000, -HOUR, -30 * 24 * HOUR, 31 * 24 * HOUR, -24 * HOUR):
            clock.move(jump)
            await played.play(number, 1)
        await played.settle()
