"""A real bot on a simulated Discord, on a database of its own; closed before every restart and at the end."""

from __future__ import annotations

import asyncio
import json
import logging
import marshal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import discord
import pytest
import simcord.components
import simcord.gateway
import simcord.http.router
import simcord.results
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.env import Env
from simcord.results import InteractionResult, ResponseMessage

from bot import HatamotoBot
from engines.chance import Chance
from engines.opponents import opponent
from engines.registry import engine
from render import Picture, Scene
from render.emoji import all_drawn
from settings import Settings
from tables.reading.archive import HereLibrary
from tests.empty_database import lay
from tests.messages import badly_laid, parts_of, wording
from tests.sketches import marked, sketch
from workers.drawing import HereStudio, Signs

IDLE_S = 0.002  # between two looks of SimCord whether the bot has settled; by itself it is 50 ms, each time
WRITTEN = (0, 19, 20, 23)  # types of messages that an application writes, not Discord for it
(Env._settle_internal.__kwdefaults__ or {})["idle"] = IDLE_S


kept_signs = cache(all_drawn)


class QuickCopies:
    """A simulated Discord copies each payload several times: one of JSON is copied by C, others as ever."""

    @staticmethod
    def deepcopy(value: Any) -> Any:
        try:
            return marshal.loads(marshal.dumps(value))
        except ValueError:  # there are things in it
            return deepcopy(value)


@pytest.fixture(scope="session", autouse=True)
def what_all_bots_do_alike() -> Iterator[None]:
    """Each test starts a bot or several: what takes long and is the same each time is done once."""
    with pytest.MonkeyPatch.context() as patched:
        for module in (simcord.gateway, simcord.http.router):
            patched.setattr(module, "copy", QuickCopies)
        for module in (simcord.components, simcord.results):
            patched.setattr(module, "deepcopy", QuickCopies.deepcopy)
        yield


@cache
def usual_settings(emoji: bool) -> Settings:
    return Settings(emoji=emoji, _env_file=None)


class EnvClock:
    """The simulation's clock."""

    env: Env | None = None

    def now(self) -> int:
        assert self.env is not None
        return int(self.env.now().timestamp() * 1000)


class HereThinker:
    """The built-in opponent in this process: what the worker would answer."""

    async def choose(self, game: str, view: Any, level: Any, seed: bytes, entry: int) -> str:
        seen = engine(game).view_type.model_validate(view)
        return opponent(game).choose(seen, level, Chance(seed, entry))

    async def close(self) -> None:
        """Nothing to end."""


class KeptStudio(HereStudio):
    """Draws each scene once for all tests of a process: equal scenes give equal bytes."""

    _kept: ClassVar[dict[str, Picture | None]] = {}
    _most = 200

    async def signs(self) -> Signs:
        return await asyncio.to_thread(kept_signs)

    def _draw(self, part: str, scene: Scene) -> Picture | None:
        key = json.dumps([part, scene.packed()])
        if key in self._kept:
            return self._kept[key]
        if len(self._kept) >= self._most:
            self._kept.clear()
        picture = self._kept[key] = super()._draw(part, scene)
        return picture


class QuickBot(HatamotoBot):
    """A bot whose commands are translated once for all tests of a process: all bots have the same."""

    _translated: ClassVar[list[dict[str, Any]]] = []

    async def commands_in_all_languages(self) -> list[dict[str, Any]]:
        if not self._translated:
            self._translated.extend(await super().commands_in_all_languages())
        return self._translated


class World:
    """A server with a channel, two players and a stranger, and what a test does with them."""

    def __init__(self, env: Env, database: Path, clock: EnvClock) -> None:
        self.env = env
        self.database = database
        self.clock = clock
        self.guild = env.create_guild("Dojo")
        self.channel = self.guild.create_text_channel("tables")
        self.ann = self.guild.add_member(env.create_user("Ann"))
        self.ben = self.guild.add_member(env.create_user("Ben"))
        self.cho = self.guild.add_member(env.create_user("Cho"))

    @property
    def bot(self) -> HatamotoBot:
        assert isinstance(self.env.bot, HatamotoBot)
        return self.env.bot

    async def restart(self) -> None:
        """The bot stops, and another process takes over its database."""
        await self.bot.close()
        await self.env.restart_bot(made(self.database, self.clock))

    async def start(self, options: str = "match=standard seat=first") -> ChannelHandle:
        """Ann invites Ben, who accepts; the thread they play in."""
        await self.ann.slash(
            self.channel, "game new", game="kamisado", opponent=self.ben.user, options=options
        )
        await self.ben.slash(self.channel, "game join", table=1)
        return self.thread()

    def thread(self) -> ChannelHandle:
        """The newest thread."""
        return self.channel.threads[-1]

    async def to_move(self, number: int = 1) -> MemberActor | None:
        """Who has to act at a table, None when it is over."""
        table = await self.bot.tables.get(number)
        users = {table.seats[seat].user_id for seat in table.to_act}
        return next((member for member in (self.ann, self.ben) if member.id in users), None)

    async def other(self, number: int = 1) -> MemberActor:
        """Who sits there and has to wait."""
        return self.ben if await self.to_move(number) is self.ann else self.ann

    async def moves(self, channel: ChannelHandle) -> list[str]:
        """What the command offers to who has to act."""
        mover = await self.to_move()
        assert mover is not None
        return [str(choice["value"]) for choice in await mover.autocomplete(channel, "move", "move", "")]


def made(database: Path, clock: EnvClock, *, emoji: bool = False) -> HatamotoBot:
    settings = usual_settings(emoji).model_copy(update={"database": database})
    return QuickBot(settings, clock, HereThinker(), KeptStudio(), HereLibrary(database))


def fixed_seed(world: World, seed: int) -> None:
    """Tables that start from now on have this seed: what a test meets does not depend on the run."""
    world.bot.tables._house.seed = lambda: seed.to_bytes(32, "big")


def text_of(result: InteractionResult) -> str:
    """What the user was told: the answer, or the newest message after it."""
    assert result.acknowledged, "the application did not respond"
    answers = [message for message in (result.response, *result.followups) if message is not None]
    assert answers, "nothing was said"
    return wording(answers[-1])


def answer_of(result: InteractionResult) -> ResponseMessage:
    """The ephemeral message that answers."""
    answers = [message for message in (result.response, *result.followups) if message is not None]
    assert answers
    assert answers[-1].ephemeral
    return answers[-1]


def controls(message: Any) -> dict[str, str]:
    """Custom id -> label of the enabled buttons of a message but ways to the rules and to forms."""
    return {one: label for one, label in buttons(message).items() if not one.endswith((":new", ":type"))}


def menus(message: Any) -> list[dict[str, Any]]:
    """The selects of a message."""
    return [part for part in parts_of(message) if part["type"] == 3]


def offered(message: Any) -> dict[str, str | None]:
    """Label -> what is said below it, of all that the selects of a message offer."""
    return {
        option["label"]: option.get("description") for menu in menus(message) for option in menu["options"]
    }


async def pick(member: MemberActor, message: Any, label: str) -> Any:
    """Picks one of a select's options by its label."""
    for menu in menus(message):
        for option in menu["options"]:
            if option["label"] == label:
                return await member.select(message, [option["value"]], custom_id=menu["custom_id"])
    raise AssertionError(f"no {label!r} among {list(offered(message))}")


def buttons(message: Any) -> dict[str, str]:
    """Custom id -> label of all enabled buttons of a message."""
    found = {}
    for part in parts_of(message):
        if part["type"] == 2 and "custom_id" in part and not part.get("disabled"):
            found[part["custom_id"]] = part.get("label", "")
    return found


def button(message: Any, label: str) -> str:
    """The custom id of the button with this label."""
    found = [custom_id for custom_id, text in buttons(message).items() if text == label]
    assert found, f"no {label!r} among {buttons(message)}"
    return found[0]


def last_board(channel: ChannelHandle) -> discord.Message:
    """The newest message with a picture."""
    return next(message for message in reversed(channel.history()) if message.attachments)


@pytest.fixture
def sketches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any picture is the same one, for scenes in which nobody looks at them."""
    monkeypatch.setattr(HereStudio, "draw", sketch)


@pytest.fixture
def marked_sketches(monkeypatch: pytest.MonkeyPatch, sketches: None) -> None:
    """Pictures are the same where all that a process that draws is given is the same, and nowhere else."""
    monkeypatch.setattr(HereStudio, "draw", marked)


@asynccontextmanager
async def simulated(database: Path, clock: EnvClock) -> AsyncIterator[World]:
    """A world whose bot may log errors."""
    env = Env(made(database, clock), shard_count=1)
    clock.env = env
    await env.start()
    try:
        yield World(env, database, clock)
    finally:
        assert isinstance(env.bot, HatamotoBot)
        await env.bot.close()
        await env.shutdown()


@pytest.fixture
async def env(tmp_path: Path) -> AsyncIterator[Env]:
    clock = EnvClock()
    database = await lay(tmp_path / "hatamoto.db")
    env = Env(made(database, clock), shard_count=1)
    clock.env = env
    env.hatamoto = (database, clock)  # type: ignore[attr-defined]
    await env.start()
    try:
        yield env
    finally:
        assert isinstance(env.bot, HatamotoBot)
        await env.bot.close()
        await env.shutdown()
        env._raise_errors_since(env._errors_acknowledged)


@pytest.fixture
def world(env: Env, caplog: pytest.LogCaptureFixture) -> Any:
    caplog.set_level(logging.INFO, "hatamoto")
    database, clock = env.hatamoto  # type: ignore[attr-defined]
    yield World(env, database, clock)
    sent = [message for kept in env.backend.messages.values() for message in kept.values()]
    unlaid = [
        one
        for one in sent
        if one.author_id == env.backend.bot_user.id and one.type in WRITTEN and badly_laid(one)
    ]
    assert not unlaid, f"{badly_laid(unlaid[0])}: {wording(unlaid[0])}"
    wrong = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert not wrong, f"the bot logged errors: {[record.getMessage() for record in wrong]}"
