"""The demo: the real bot on a simulated Discord, with its preview page in a browser. No token, no network.

SimCord is a dependency of development; nothing that runs in production imports this module.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING

import discord

from bot import HatamotoBot, build_bot
from cogs.commands.begin import ASK, NO_GAME, BeginButton
from cogs.text.layout import Rows, laid_out
from db.repositories import guilds
from locales import words
from settings import Settings
from tables.core.model import Place, User
from tables.reading.archive import HereLibrary
from workers.drawing import HereStudio

logging.getLogger("discord.state").setLevel(logging.ERROR)  # SimCord's import makes a client without intents
from simcord.env import Env  # noqa: E402

if TYPE_CHECKING:
    from simcord.actors import MemberActor
    from simcord.builders import ChannelHandle, GuildHandle

ANSWER_S = 60.0  # longer than the opponent ever thinks, so its answer comes with the move that it answers

NAME = "Hatamoto"

# English as the README is: it speaks to whoever has cloned this.
TOPIC = "Board games of feudal Japan"
TOUR = """
**Welcome, Hana!** This is the real bot on a simulated Discord; nothing leaves your computer.
1. Press **Play** below, choose Kamisado, then **Bot: normal**.
2. Under the board press **Your turn**. Pick a tower, then a square, look at the preview, press **Confirm**. \
Hatamoto answers with the next board; *New messages · jump to latest* scrolls down to it.
3. Go on until one of you stands on the other's home row.

**Several people:** table #1 below is Guest's and wants two more. Switch *Viewing as* at the top to be Hana, \
Guest or Mika: **Join** as two of them, **Start**, and see what only each of them can see.
**Forms and switches:** `/settings`, `/game clock`, `/note`, **Type it** in a panel.
**Also worth a try:** `/help`, `/rules`, `/games`, `/board`, `/move`, `/game undo`, `/profile`.

**What this page can't show,** because it is one channel: on a server each table has a thread of its own, or \
a post in a forum with tags that follow the game (`/settings forum:`); a private table has a private thread. \
By direct message you get your hand, the call to your turn with the way to the table, or one list a day \
(`/settings call:`), and there you can play the bot, or alone, without any server.
""".strip()
OPEN = """
Hatamoto is open at {address}
Open it in a browser; the channel there says what to do. Ctrl-C ends it.
""".lstrip()


class SimulatedClock:
    """The simulation's clock: messages and tables then agree on what is young."""

    env: Env | None = None

    def now(self) -> int:
        """Milliseconds since 1970 UTC."""
        if self.env is None:
            raise RuntimeError("the simulation has not started")
        return int(self.env.now().timestamp() * 1000)


def main(settings: Settings) -> None:
    """Serves the demo until Ctrl-C."""
    logging.getLogger().setLevel(logging.WARNING)  # a newcomer reads the address, not our log
    with tempfile.TemporaryDirectory(prefix="hatamoto-demo-") as folder:
        database = Path(folder) / "demo.db"
        own = {"database": database, "backups": None, "rate_factor": 0.0}  # its clock stands still
        asyncio.run(show(settings.model_copy(update=own)))


async def show(settings: Settings) -> None:
    """One simulated Discord from its first message to Ctrl-C."""
    clock = SimulatedClock()
    bot = build_bot(settings, clock, studio=HereStudio(), archive=HereLibrary(settings.database))
    env = Env(bot, shard_count=1, settle_timeout=ANSWER_S, check_errors=False)
    clock.env = env
    env.backend.bot_user.name = NAME
    await env.start()
    try:
        guild = env.create_guild("Hatamoto's dojo")
        channel = guild.create_text_channel("games", topic=TOPIC)
        viewers = [guild.add_member(env.create_user(name)) for name in ("Hana", "Guest", "Mika")]
        await welcome(bot, guild, channel)
        await open_table(bot, guild, channel, viewers[1])
        async with env.preview(channel, viewers=viewers, layout="channel") as page:
            tell(page.url)
            await until_interrupted(page.wait_closed())
    finally:
        await bot.close()
        await env.shutdown()


async def welcome(bot: HatamotoBot, guild: GuildHandle, channel: ChannelHandle) -> None:
    """Games are played in the channel itself, the only one that the page shows; the tour is posted there."""
    async with bot.database.transaction() as tx:
        await guilds.set_threads(tx, guild.id, False)
    shown = bot.get_channel(channel.id)
    if isinstance(shown, discord.TextChannel):
        play = BeginButton(NO_GAME, ASK, words("en")("button.choose"), "success")
        await shown.send(view=laid_out(TOUR, rows=Rows(play)))


async def open_table(bot: HatamotoBot, guild: GuildHandle, channel: ChannelHandle, host: MemberActor) -> None:
    """A table of somebody's that waits for others, so that there is company from the start."""
    place = Place(guild.id, channel.id)
    user = User(host.id, host.name)
    await bot.tables.create(user, "shogun", "seats=3", place, in_place=True, interaction_id=1)


async def until_interrupted(closed: Coroutine[None, None, None]) -> None:
    """Returns at Ctrl-C, at SIGTERM, or when the page was closed for good."""
    loop = asyncio.get_running_loop()
    stop: asyncio.Future[None] = loop.create_future()

    def interrupted() -> None:
        if not stop.done():
            stop.set_result(None)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupted)
    page = asyncio.ensure_future(closed)
    await asyncio.wait({stop, page}, return_when=asyncio.FIRST_COMPLETED)
    page.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await page


def tell(address: str) -> None:
    """The address, for a human and for a script that reads the output."""
    sys.stdout.write(OPEN.format(address=address))
    sys.stdout.flush()
