"""The bot: settings, wiring, and a stop that loses nothing. `python bot.py --help` names its verbs."""

from __future__ import annotations

import gc
import signal
import sys

if __name__ == "__main__":  # as process 1 of a container it has no default action; until it runs there is
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # nothing to finish
    if sys.argv[1:2] in (["backup"], ["health"]):
        from cogs.ops import verbs

        sys.exit(verbs.main())
COLLECTING = gc.isenabled()  # not where tests import this
gc.disable()  # what its modules make stays: each walk over all of it while they are read would find nothing

import argparse
import asyncio
import importlib
import logging
from collections.abc import AsyncIterator, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from PIL import features

from cogs.buttons.forms import answer_form
from cogs.buttons.lasting import answer_press, unread
from cogs.commands import sharing  # noqa: F401 - registers what its buttons do
from cogs.commands.admin import AdminCog
from cogs.commands.begin import BeginCog
from cogs.commands.game import GameCog
from cogs.commands.help import HelpCog
from cogs.commands.play import PlayCog
from cogs.commands.privacy import PrivacyCog
from cogs.commands.records import RecordsCog
from cogs.commands.settings import SettingsCog
from cogs.ops import journal, verbs
from cogs.ops.garbage import set_aside
from cogs.ops.health import COMMIT, Health
from cogs.ops.pulse import Pulse
from cogs.ops.rates import Limiter
from cogs.ops.registered import registered
from cogs.ops.timers import Backups, Timers
from cogs.ops.verbs import StartError
from cogs.ops.watchman import Watchman
from cogs.panels import guided  # noqa: F401 - registers what its buttons do
from cogs.panels.following import Following
from cogs.panels.own import own_panels
from cogs.posting.courier import Courier
from cogs.posting.places import PlacesCog
from cogs.posting.presence import PresenceCog, Sightings
from cogs.posting.rooms import Openings
from cogs.services import OpenPanels, Services
from cogs.text.answers import KindTree, apologise
from cogs.text.languages import Languages
from cogs.text.rules_pages import Plates
from cogs.text.signs import Signs
from cogs.text.translator import CatalogueTranslator
from db.address import beside, where_of
from db.database import Database
from db.errors import DatabaseError
from db.repositories.outbox import Part
from db.upkeep import copies, moving
from settings import Settings
from tables.core.archive import Archive
from tables.core.clock import Clock, SystemClock
from tables.core.errors import TableError
from tables.core.lane import Lane
from tables.core.one_each import Door, OneEach, Queues
from tables.reading.archive import Library
from tables.repair.mending import Fault
from tables.service import Tables
from workers.drawing import Studio, Workshop
from workers.heap import one_heap
from workers.thinking import Opponents, Thinker

gc.freeze()
if COLLECTING:
    gc.enable()
log = logging.getLogger("hatamoto")
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # it never speaks
own_panels()  # read in with all others
STOP_S = 8.0  # a stop is graceful for this long: with what ends after it, it takes less than ten
SWITCH_S = 0.0005  # rules work in threads: the loop, which answers, waits no longer than this for its turn
THREADS = 3  # at once: each more that works lets the loop wait longer, as they all share one interpreter
THOUGHTS = 4  # beats of the database until bots are looked for that nobody thinks for
APART_MS = 5_000  # between identifies of one bucket
REFUSALS = 4  # answered at once to those who ask too much
RATELIMIT_S = 30.0  # longer ones go back to the outbox


class HatamotoBot(Services):
    """Everything is wired here; what it does lives in `cogs` and `tables`."""

    courier: Courier
    timers: Timers
    health: Health

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        opponents: Thinker | None = None,
        studio: Studio | None = None,
        archive: Archive | None = None,
    ) -> None:
        some = dict[str, Any]()
        if settings.shards is not None:
            some = {"shard_ids": settings.shards.ids, "shard_count": settings.shards.count}
        super().__init__(
            command_prefix=commands.when_mentioned,  # never read: there is no intent for messages
            help_command=None,
            tree_cls=KindTree,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,  # none is ever looked for in memory
            max_ratelimit_timeout=RATELIMIT_S,
            **some,
        )
        parsers = self._connection.parsers
        read = parsers["INTERACTION_CREATE"]
        parsers["INTERACTION_CREATE"] = lambda data: read(unread(data))
        self.settings = settings
        self.clock = clock
        self.sightings = Sightings(clock)
        self.openings = Openings()
        self.following = Following(clock)
        self.signs = Signs()
        self.reading = OneEach[int]()
        self.door = Door()
        self.refusals = asyncio.Semaphore(REFUSALS)
        self.drawing = Queues()
        self.leisure = asyncio.Semaphore(1)
        self.writing = Lane("writing")
        self.watchman = Watchman(self)
        self.limiter = Limiter(clock, settings.rate_factor)
        self.studio = studio or Workshop()
        self.plates = Plates(self.studio)
        self._opponents = opponents or Opponents()
        self._archive = archive or Library(settings.database)
        self._parts: list[
            Timers | Courier | Backups | Tables | Health | Studio | Lane | Signs | OpenPanels
        ] = []
        self._opened: Database | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._hearing: set[asyncio.Task[None]] = set()
        self._beats = 0
        own = settings.shards
        self.part = None if own is None or own.whole else Part(own.first, own.last, own.count)
        self.identifies_at_once = 1

    async def login(self, token: str) -> None:
        """Opens the database before Discord hears of us: a second process must not even log in."""
        self.database = self._opened = await Database.open(
            self.settings.database, alone=self.settings.shards is None
        )
        await self._claim_shards()
        await super().login(token)

    async def _claim_shards(self) -> None:
        """Waits until no other process runs these shards: one that is to end lets go of them when it has."""
        shards, claims = self.settings.shards, self.database.claims
        for name in () if shards is None else [f"shard:{number}" for number in shards.ids]:
            if not await claims.take(name):
                log.info("waits for the process before, which runs %s", name)
            else:
                claims.let_go(name)
            await claims.keep(name)

    async def setup_hook(self) -> None:
        """Wires everything, tells Discord the commands if they changed, and takes up what was left."""
        await self._use_gateway()
        self.languages = Languages(self.database)
        self.tables = Tables(self.database, self.clock, self._opponents, self._queued, archive=self._archive)
        self.tables.on_turns(self.following.turned, self.following.awaits)
        self.courier = Courier(self)
        self.timers = Timers(self.tables, self.clock)
        own = self.settings
        backups = Backups(self.database, self.clock, own.backups, own.backup_hours, own.backups_kept)
        self.health = Health(self, own.http_port, own.http_host, backups)
        self.database.committed = COMMIT.observe
        self._parts = [
            self.timers,
            backups,
            self.tables,
            self.courier,
            self.following,
            self.studio,
            self.writing,
            self.health,
            self.signs,
        ]
        for cog in (GameCog(self), PlayCog(self), SettingsCog(self), RecordsCog(self), PresenceCog(self)):
            await self.add_cog(cog)
        admin = AdminCog(self, self.health)
        for more in (HelpCog(self), BeginCog(self), PrivacyCog(self), admin, PlacesCog(self), self.watchman):
            await self.add_cog(more)
        await self.health.start()
        async with self._alone("commands"):
            await self._sync()
        if own.emoji:
            self.signs.start(self, self.studio)
        await self.courier.begin()
        await self.tables.start_up()
        self.courier.wake()
        self.timers.look()
        await backups.start()
        self._join()

    @asynccontextmanager
    async def _alone(self, work: str) -> AsyncIterator[None]:
        """What one process at a time does; the next goes on when this one has done it, or is gone."""
        claims = self.database.claims
        await claims.hold(f"duty:{work}")
        try:
            yield
        finally:
            claims.let_go(f"duty:{work}")

    def _join(self) -> None:
        """From now on other processes are heard, where there may be any."""
        claims = self.database.claims
        claims.heard, claims.beat = self._heard, self._beat
        claims.returned, claims.displaced = self._returned, self._displaced

    def _aside(self, work: Coroutine[Any, Any, None]) -> None:
        """Does something on the side; what the database does not let it do comes with the next beat."""

        async def tried() -> None:
            try:
                await work
            except (DatabaseError, TableError) as error:
                log.warning("what other processes did is seen later: %s", error)

        self._hearing.add(task := asyncio.create_task(tried(), name="heard"))
        task.add_done_callback(self._hearing.discard)

    def _heard(self, table_ids: frozenset[int], waits: bool) -> None:
        """Other processes have done something."""
        if waits:
            self._queued(tell=False)
        if table_ids:
            self._aside(self._look(table_ids))

    async def _look(self, table_ids: frozenset[int]) -> None:
        await self.tables.heard(table_ids)
        for table_id in self.openings.awaited & table_ids:
            await self.openings.opened_elsewhere(await self.tables.get(table_id))

    def _beat(self) -> None:
        """What nobody told of, as who was to tell is gone: posts and timers now, thoughts more seldom."""
        self._beats += 1
        self._queued(tell=False)
        if self._beats % THOUGHTS == 0:
            self._aside(self.tables.take_over())

    def _returned(self) -> None:
        """The database was away: what was under way may have been sent."""
        self.courier.doubt()  # at once: the line that stands again is used before what is done aside
        self._aside(self.courier.begin())

    def _displaced(self, claim: str) -> None:
        """While the database was away another process took over the shards of this one: it ends."""
        log.error("another process has %s now: this one stops", claim)
        self._hearing.add(asyncio.create_task(self.close(), name="displaced"))

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Discord lets `max_concurrency` shards identify at once, five seconds apart, whoever runs them."""
        claims = self.database.claims
        if not claims.shared:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        wait = await claims.turn(f"identify:{(shard_id or 0) % self.identifies_at_once}", APART_MS)
        await asyncio.sleep(wait / 1000)

    async def on_ready(self) -> None:
        """The servers of its shards are known: what is posted there can be."""
        if self.part is not None:
            self.courier.wake()

    async def on_interaction(self, interaction: discord.Interaction[HatamotoBot]) -> None:
        """What was pressed or sent with a form, also from long ago; discord.py sees to the commands."""
        try:
            await answer_press(interaction)
            await answer_form(interaction)
        except Exception as error:  # noqa: BLE001 - discord.py would only log it, and the user wait in vain
            await apologise(interaction, error)

    async def close(self) -> None:
        """Finishes what is being committed and sent, leaves Discord, closes the database. May be repeated."""
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop(), name="stop")
        await asyncio.shield(self._stopping)

    async def _stop(self) -> None:
        """Each part in its turn, whatever becomes of the ones before it."""
        async with AsyncExitStack() as last_first:
            if self._opened is not None:  # else it never came to a login, which discord.py cannot close
                last_first.push_async_callback(self._opened.close)
                last_first.push_async_callback(super().close)
            for part in reversed(self._parts):
                last_first.push_async_callback(part.close)

    def has_its_files(self) -> bool:
        """Whether the database is still the file that was opened."""
        return self._opened is None or self._opened.there

    def _queued(self, *, tell: bool = True) -> None:
        self.courier.wake()
        self.timers.look()
        if tell:
            self.database.claims.tell()

    async def _use_gateway(self) -> None:
        """Behind a proxy, reconnects go where its `/gateway/bot` says, too."""
        if self.settings.api_base or self.database.claims.shared:
            answer = await self.http.request(Route("GET", "/gateway/bot"))
            self.identifies_at_once = max(1, answer["session_start_limit"]["max_concurrency"])
        if self.settings.api_base:
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(answer["url"])

    async def commands_in_all_languages(self) -> list[dict[str, Any]]:
        """The commands as Discord registers them."""
        translator = CatalogueTranslator()
        await self.tree.set_translator(translator)
        return [
            await command.get_translated_payload(self.tree, translator)
            for command in self.tree.get_commands()
        ]

    async def _sync(self) -> None:
        """Sends the commands to Discord where its own list has others: it may have been changed elsewhere."""
        payload = await self.commands_in_all_languages()
        read, write = (
            Route(how, "/applications/{application_id}/commands", application_id=self.application_id)
            for how in ("GET", "PUT")
        )
        try:
            if registered(payload, await self.http.request(read, params={"with_localizations": "true"})):
                return
            await self.http.request(write, json=payload)  # `tree.sync` would translate all of it once more
        except (discord.HTTPException, discord.RateLimited) as error:
            log.warning(
                "Discord did not take the commands; the old ones stay until the next start: %s", error
            )


def build_bot(
    settings: Settings,
    clock: Clock | None = None,
    opponents: Thinker | None = None,
    studio: Studio | None = None,
    archive: Archive | None = None,
) -> HatamotoBot:
    """The bot, not yet logged in. Time is the machine's, the rest that takes long workers', unless given."""
    if settings.api_base:
        Route.BASE = settings.api_base
    return HatamotoBot(settings, clock or SystemClock(), opponents, studio, archive)


# -- the command line ------------------------------------------------------------------------------


async def serve(settings: Settings) -> None:
    """Runs until SIGTERM or SIGINT, then stops within ten seconds."""
    token = settings.token.get_secret_value().strip()
    if not token:
        raise StartError("There is no DISCORD_TOKEN: set it in the environment or in .env (see the README).")
    if not features.check("fribidi"):
        log.error("libfribidi0 is not installed: Hebrew in pictures runs the wrong way (see the README)")
    loop = asyncio.get_running_loop()
    stop: asyncio.Future[str] = loop.create_future()

    def stopped(name: str) -> None:
        if not stop.done():
            stop.set_result(name)

    loop.set_exception_handler(journal.unheard)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped, number.name)
    one_heap()
    bot = build_bot(settings)
    set_aside()
    sys.setswitchinterval(SWITCH_S)
    loop.set_default_executor(ThreadPoolExecutor(THREADS, "work"))
    pulse = Pulse(bot, settings.database, bot.has_its_files, settings.part)
    running = asyncio.create_task(bot.start(token), name="bot")
    pulse.beat()
    bot.watchman.start()
    waited: set[asyncio.Future[Any]] = {running, stop}
    await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
    if stop.done():
        log.info("%s: stopping", stop.result())
    pulse.stop()
    bot.watchman.stop()
    try:
        await asyncio.wait_for(bot.close(), STOP_S)
    except TimeoutError:
        log.warning("not everything stopped in %s seconds; the rest is taken up at the next start", STOP_S)
    if running.done() and not stop.done():
        explain(running)
    else:
        running.cancel()
        await asyncio.wait({running})


def explain(running: asyncio.Task[None]) -> None:
    """Raises StartError for what a run may end with; anything else as it is."""
    try:
        running.result()
    except discord.LoginFailure as error:
        raise StartError("Discord does not know this DISCORD_TOKEN: copy it anew from its portal.") from error
    except discord.HTTPException as error:
        raise StartError(f"Discord refused the start: {error}") from error
    except (aiohttp.ClientError, OSError) as error:
        raise StartError(f"Discord cannot be reached: {error}") from error


async def check(settings: Settings, *, mend: bool = False) -> list[Fault]:
    """Faults of the database: its integrity, every running table against a replay of its log, what waits.

    With `mend` what can be set right is, after a copy was made; only what is still wrong is returned.
    Tables that were set aside are among them, marked so.
    """
    if mend:
        clock = SystemClock()
        copied = beside(settings.database, f".before-mend-{clock.now() // 1000}")
        await copies.copy(settings.database, copied)
        log.info("the database as it is was copied to %s", copied)
    async with tables_of(settings, read_only=not mend) as tables:
        for fault in await tables.faults() if mend else ():
            if fault.mend is not None:
                log.info("%s", await fault.mend())
        return await tables.faults()


async def put_back(settings: Settings, copied: Path) -> None:
    """Puts a backup in the database's place, and queues a line for every running table."""
    done = await asyncio.to_thread(copies.put_back, copied, settings.database)
    if done.old is not None:
        log.info("the database that was there is now %s", done.old)
    if done.ended:
        log.info("games that ended since the backup stay ended: %s", ", ".join(map(str, done.ended)))
    if not done.compared:
        log.warning(
            "nothing could be read of what happened since the backup: numbers of tables jump, and a game "
            "that ended since then runs again, with new chances. `/admin end` ends it"
        )
    async with tables_of(settings) as tables:
        await tables.restored()


@asynccontextmanager
async def tables_of(settings: Settings, *, read_only: bool = False) -> AsyncIterator[Tables]:
    """The tables without a bot around them."""
    database = await Database.open(settings.database, read_only=read_only)
    try:
        tables = Tables(database, SystemClock(), Opponents(), lambda: None)
        try:
            yield tables
        finally:
            await tables.close()
    finally:
        await database.close()


def run_demo(settings: Settings) -> None:
    """The bot on a simulated Discord, in a browser; needs the packages of `make setup`."""
    try:
        demo = importlib.import_module("demo")
    except ModuleNotFoundError as error:
        raise StartError(f"The demo needs {error.name}: use `make demo`, which installs it.") from error
    demo.main(settings)


async def move(source: str, target: str) -> None:
    """Moves a whole database, and says of every table what was moved. Raises StartError."""
    try:
        places = where_of(source), where_of(target)
    except ValueError as error:
        raise StartError(f"move: {error}.") from None
    try:
        for moved in await moving.move(*places):
            log.info("%s: %s rows, the same on both sides: %s", moved.name, moved.rows, moved.digest[:16])
    except moving.MoveError as error:
        raise StartError(f"move: {error}.") from error
    log.info("everything is in %s; HATAMOTO_DATABASE is to name it. %s is as it was", places[1], places[0])


def carry_out(arguments: argparse.Namespace, settings: Settings) -> int:
    """One verb; its exit status."""
    verb = arguments.verb
    if verb == "run":
        asyncio.run(serve(settings))
    elif verb == "demo":
        run_demo(settings)
    elif verb == "move":
        asyncio.run(move(arguments.source, arguments.target))
    elif verb == "restore":
        asyncio.run(put_back(settings, arguments.path))
        log.info("%s is in place", arguments.path)
    elif verb == "check":
        found = asyncio.run(check(settings, mend=arguments.mend))
        for fault in found:
            told = f"{fault.text}; --mend: {fault.plan}" if fault.plan else fault.text
            log.log(logging.WARNING if fault.aside else logging.ERROR, "%s", told)
        faults = sum(not fault.aside for fault in found)
        log.info("%s: %s", settings.database, f"faults: {faults}" if faults else "sound")
        return 1 if faults else 0
    else:
        return verbs.carry_out(arguments, settings)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 with one line on stderr that says why."""
    return verbs.main(argv, carry_out)


if __name__ == "__main__":
    sys.exit(main())
