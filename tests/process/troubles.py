"""What goes wrong for the shipped process in years, as scripts over a siege of any game.

Each begins with a table that runs, makes its trouble while it is played, and ends it. Time is virtual: the
process's clock is the machine's and what `Trial.clock` adds.
"""

from __future__ import annotations

import resource
import shlex
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from locales import words
from tables.core.clock import SystemClock
from tests.process import launcher
from tests.process.castle import Castle
from tests.process.discord_client import buttons
from tests.process.hatamoto_process import CLOCK, Launcher, running
from tests.process.siege import Siege

WORDS = words("en")
POSTS = "POST /channels/.*/messages"
CHANGES = "(PATCH|POST|DELETE) /(channels|users)"  # all but the answers to interactions
HOUR = 3_600_000
DISK = 8 << 20  # bytes of the small disk
SPARE = 16_384  # bytes by which a file may still grow under a quota
MOST = 60  # actions before a refusal must have come
SILENT = 12  # actions in a row of which Discord may hear nothing


class SetClock:
    """A clock of the process that the test sets; `more` starts the bot with it."""

    def __init__(self, folder: Path) -> None:
        self._file, self._offset = folder / "offset", 0
        self.more = {CLOCK: str(self._file)}
        self.move(0)

    def now(self) -> int:
        """What the process takes for the time, ms UTC."""
        return SystemClock().now() + self._offset

    def move(self, ms: int) -> None:
        """Sets it on, or back; at once, so that it is never read half written."""
        self._offset += ms
        new = self._file.with_suffix(".new")
        new.write_text(str(self._offset))
        new.replace(self._file)


@dataclass
class Trial:
    """A siege with a bot that is started by `by`, and its clock."""

    siege: Siege
    by: Launcher
    folder: Path
    clock: SetClock = field(init=False)
    more: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.clock = SetClock(self.folder)
        self.more = {**self.clock.more}

    @property
    def castle(self) -> Castle:
        """Where it is played."""
        return self.siege.castle

    def running(self, limits: Mapping[int, int] = MappingProxyType({})) -> Any:
        """The bot at its own time, until the end of the block."""
        where = self.castle
        return running(where.discord, where.database, by=self.by, more=self.more, limits=limits)

    async def verb(self, *arguments: str) -> tuple[int, str]:
        """Exit status and words of `python bot.py <arguments>`, beside the bot if it runs."""
        api, database = self.castle.discord.api, self.castle.database
        output = database.with_name(f"{arguments[0]}.log")
        output.unlink(missing_ok=True)
        bot = await self.by.start(database, *arguments, api=api, more=self.more, log=arguments[0])
        return await bot.ended(), bot.words

    async def play(self, actions: int) -> None:
        """So many actions that are carried out, at a new table where one is over."""
        left = actions
        while left:
            number = self.siege.table
            if not number or self.siege.deed(number) is None:
                number = await self.siege.open_table()
            left -= (carried := await self.siege.play(number, left))
            assert carried or self.siege.deed(number) is None, "nothing is carried out"

    async def until_refused(self) -> str:
        """Plays until an action is refused that is legal; what was said."""
        number = self.siege.table
        for _ in range(MOST):
            deed = self.siege.deed(number)
            assert deed is not None
            answer = await self.castle.discord.answer(await self.siege.send(number, deed))
            if not await self.siege.heard(number, deed, answer) and not buttons(answer.message):
                return answer.text
        raise AssertionError("nothing was ever refused")

    async def health_line(self) -> str:
        """The first line of what the bot's owner is told of its health."""
        owner = await self.castle.discord.bot()  # the application is its own here
        answer = await self.castle.discord.slash(owner, self.castle.channel, "admin health")
        return answer.text.partition("\n")[0]


# -- the database ----------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path) -> Iterator[int]:
    """A disk of DISK bytes in a folder, as only a process that waits sees it; its id."""
    mount = f"mount -t tmpfs -o size={DISK} none {shlex.quote(str(folder))} && echo ready && exec cat"
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount]
    try:
        holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    except FileNotFoundError:
        pytest.skip("a disk of its own size wants `unshare` of util-linux, which is not here")
    with holder:
        assert holder.stdout is not None
        if holder.stdout.readline() != "ready\n":
            pytest.skip("this machine lets its users mount nothing, not even for themselves")
        try:
            yield holder.pid
        finally:
            holder.kill()


def fill(file: Path) -> None:
    """Takes all the room that is left on a disk."""
    with file.open("wb", buffering=0) as ballast:
        for size in (1 << 20, 4096):
            try:
                while ballast.write(bytes(size)) == size:
                    pass
            except OSError:
                continue


async def full_disk(trial: Trial) -> None:
    """The disk is full: that is said to players and to the owner, and all goes on when there is room."""
    folder = trial.folder / "disk"
    folder.mkdir()
    with small_disk(folder) as holder:
        disk = Path(f"/proc/{holder}/root{folder}")
        trial.castle.database, trial.castle.eyes = folder / "hatamoto.db", disk
        trial.more[launcher.DISK] = str(holder)
        async with trial.running():
            await trial.play(1)
            await trial.siege.settle()
            fill(disk / "ballast")
            assert await trial.until_refused() == WORDS("error.database-full")
            assert await trial.health_line() == WORDS("admin.database-full")
            (disk / "ballast").unlink()
            await trial.play(2)
            assert "h up" in await trial.health_line()
            await trial.siege.settle()
        await sound(trial)


async def quota(trial: Trial) -> None:
    """The file may not grow any more; another start may let it."""
    async with trial.running() as bot:
        await trial.play(1)
        await trial.siege.settle()
        assert await bot.stop() == 0, bot.words
    most = trial.castle.database.stat().st_size + SPARE
    async with trial.running({resource.RLIMIT_FSIZE: most}):
        assert await trial.until_refused() == WORDS("error.database-failing")
        assert await trial.health_line() == WORDS("admin.database-failing")
    await at_the_end(trial)


async def locked(trial: Trial) -> None:
    """Another process holds the database: for a moment, which nobody sees, then for as long as it is said."""
    async with trial.running():
        await trial.play(1)
        await trial.castle.all_sent()
        siege, discord = trial.siege, trial.castle.discord
        with closing(sqlite3.connect(trial.castle.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            number = siege.table
            deed = siege.deed(number)
            assert deed is not None
            sent = await siege.send(number, deed)
            await discord.until(lambda: discord.answers.get(sent), "the bot to begin with it")
            other.execute("ROLLBACK")
            await siege.heard(number, deed, await discord.answer(sent))
            other.execute("BEGIN IMMEDIATE")
            assert await trial.until_refused() == WORDS("error.database-locked")
            other.execute("ROLLBACK")
        await trial.play(2)
        await trial.siege.settle()
    await sound(trial)


async def second_process(trial: Trial) -> None:
    """What would write to the database while the bot runs refuses in a line; what only reads works."""
    copied = trial.folder / "copy.db"
    async with trial.running() as bot:
        await trial.play(1)
        for arguments, status in (
            (("run",), 1),
            (("backup", str(copied)), 0),
            (("check",), 0),
            (("check", "--mend"), 1),
            (("restore", str(copied)), 1),
        ):
            ended, said = await trial.verb(*arguments)
            assert ended == status, (arguments, said)
            if status:
                elsewhere = arguments[0] == "restore" and trial.castle.where != trial.castle.database
                why = "is on a server" if elsewhere else "already in use"
                assert why in said.splitlines()[-1], (arguments, said)
                assert "Traceback" not in said
            await trial.play(1)
        await trial.siege.settle()
        assert bot.process.returncode is None
    identified = [e for e in trial.castle.discord.entries("gateway") if e["what"] == "identify"]
    assert len(identified) == 1, "the second one did not even log in"
    await sound(trial)


# -- the clock -------------------------------------------------------------------------------------


async def clock_back(trial: Trial) -> None:
    """The clock is set back by seconds and by months, and on again.

    What was sent in the past counts as old then, and its rows may be cleared away: posts are counted before.
    """
    async with trial.running():
        await trial.play(1)
        for jump in (-5_000, -HOUR, -30 * 24 * HOUR):
            trial.clock.move(jump)
            await trial.play(1)
        await trial.siege.settle()
        for jump in (31 * 24 * HOUR, -24 * HOUR):
            trial.clock.move(jump)
            await trial.play(1)
        await trial.castle.all_sent()
        for number, done in trial.siege.done.items():
            assert trial.siege.log(number) == done
    await sound(trial)


# -- Discord ---------------------------------------------------------------------------------------


async def hour_of_503(trial: Trial) -> None:
    """Discord takes no post for an hour, while it is played on."""
    discord = trial.castle.discord
    async with trial.running():
        await trial.play(1)
        await trial.siege.settle()
        await discord.control("limit", count=100_000, pattern=CHANGES, status=503)
        for _ in range(6):
            await play_until(trial, 503)
            await discord.until(lambda: put_back(trial) or None, "the post to wait for its next try")
            trial.clock.move(HOUR // 6)
        assert trial.castle.unsent()
        await discord.control("limit", count=0)
        trial.clock.move(HOUR)  # whatever was put off is due at the next look
        await trial.play(1)
        await trial.siege.settle()
    await sound(trial)


async def rate_limits(trial: Trial) -> None:
    """Storms of 429: on posts, on everything at once, and one so long that the post goes back to the line."""
    discord = trial.castle.discord
    async with trial.running():
        await trial.play(1)
        for pattern, everywhere in ((POSTS, False), (CHANGES, False), ("", True), (POSTS, True)):
            limit = {"pattern": pattern, "everywhere": everywhere, "retry_after": 0.05}
            await discord.control("limit", count=4, **limit)
            await play_until(trial, 429)
        await discord.control("limit", count=0)
        await trial.siege.settle()
        await discord.control("limit", count=1, pattern=POSTS, retry_after=600)
        await play_until(trial, 429)
        await discord.until(lambda: put_off(trial) or None, "the post to go back to the line")
        trial.clock.move(HOUR)
        await trial.play(1)
    await at_the_end(trial)  # discord.py keeps the limit of ten minutes for itself until it ends


def put_back(trial: Trial) -> bool:
    """Whether the table's next post is back in the line; only then has it its next time."""
    heads = trial.castle.rows(
        "SELECT due_at FROM outbox WHERE id IN "
        "(SELECT min(id) FROM outbox WHERE state IN ('queued', 'flying') GROUP BY destination)"
    )
    return all(row["due_at"] > trial.clock.now() for row in heads)


def put_off(trial: Trial) -> bool:
    """Whether a post waits for a rate limit to end."""
    return bool(trial.castle.rows("SELECT 1 FROM outbox WHERE state = 'queued' AND error = 'rate limit'"))


async def play_until(trial: Trial, status: int) -> None:
    """Plays until a request is refused: of a choice in secret nothing may be told, so nothing is sent."""
    discord = trial.castle.discord
    begin = len(discord.log)

    def refused() -> bool:
        return any(entry["status"] == status for entry in discord.entries("request", begin))

    for _ in range(SILENT):
        await trial.play(1)
        await discord.until(lambda: refused() or not trial.castle.unsent(), f"a {status}, or nothing to send")
        await discord.read(0)
        if refused():
            return
    raise AssertionError(f"no {status} in {SILENT} actions")


async def gateway_drops(trial: Trial) -> None:
    """The gateway is cut after every few events, some of which never arrive; the session is resumed."""
    discord = trial.castle.discord
    discord.patient = True
    async with trial.running():
        await trial.play(1)
        for every in (1, 1, 2, 3, 5):
            await discord.control("drop", every=every)
            await trial.play(3)
        await discord.control("drop", every=0)
        await trial.siege.settle()
    resumed = [e for e in discord.entries("gateway") if e["what"] == "resumed"]
    assert len(resumed) > 4, resumed
    assert any(e["replayed"] for e in resumed)
    await sound(trial)


async def closed_dms(trial: Trial) -> None:
    """One player after the other takes no DMs any more, then one after the other does again."""
    discord, siege = trial.castle.discord, trial.siege
    async with trial.running():
        for player in siege.players:
            await discord.control("close-dm", user=player.id)
            siege.shut.add(player.id)
            trial.clock.move(2 * HOUR)  # the last hand is too old to be changed
            await siege.open_table()
            await trial.play(2)
        await siege.settle()
        assert bool(hands(trial, "dropped")) == (siege.game not in OPEN)
        offered = [m for m in trial.castle.new_posts(0) if trial.castle.button(m, "hand")]
        assert bool(offered) == (siege.game not in OPEN), "the thread has a button instead"
        for player in siege.players:
            await discord.control("open-dm", user=player.id)
            await discord.slash(player, trial.castle.channel, "settings", dm=True)
            trial.clock.move(2 * HOUR)
            await siege.open_table()
            await trial.play(2)
        await siege.settle()
    newest = f"AND table_id = {siege.table}"
    assert not hands(trial, "dropped", newest)
    assert bool(hands(trial, "sent", newest)) == (siege.game not in OPEN)
    await sound(trial)


def hands(trial: Trial, state: str, more: str = "") -> list[Any]:
    """Rows of hands of which this became."""
    return list(trial.castle.rows(f"SELECT * FROM outbox WHERE kind = 'hand' AND state = ? {more}", state))


OPEN = {"kamisado"}  # without hands
Trouble = Callable[[Trial], Awaitable[None]]
TROUBLES: dict[str, Trouble] = {
    trouble.__name__: trouble
    for trouble in (
        full_disk,
        quota,
        locked,
        second_process,
        clock_back,
        hour_of_503,
        rate_limits,
        gateway_drops,
        closed_dms,
    )
}


# -- what must be true -----------------------------------------------------------------------------


async def at_the_end(trial: Trial) -> None:
    """One more start: it plays on, and everything is there once."""
    async with trial.running():
        await trial.play(2)
        await trial.siege.settle()
    await sound(trial)


async def sound(trial: Trial) -> None:
    """The file is whole, each log leads to its position, nothing waits for ever."""
    status, said = await trial.verb("check")
    assert status == 0, said
