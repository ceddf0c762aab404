"""Galleries of every kind of message: walked through, put on pages, photographed."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from simcord.env import Env

from db.repositories import guilds
from settings import Settings
from tables.reading.archive import HereLibrary
from tests.discord.conftest import EnvClock, HereThinker, QuickBot, World, fixed_seed
from tests.empty_database import lay
from tests.looks.gallery import Gallery, Hung, form_words, hang
from tests.looks.walks import WALKS, StripStudio, Walk
from workers.drawing import HereStudio

PAGE = 6_000  # pixels of messages on a page
PATIENCE = 60  # seconds: a machine that others load answers late
LINE, LETTERS, FRAME, STRIP = 26, {1280: 66, 390: 36}, 150, 40


@asynccontextmanager
async def simulated(studio: HereStudio) -> AsyncIterator[World]:
    """An empty server, whose games are the same each time."""
    clock = EnvClock()
    with tempfile.TemporaryDirectory(prefix="hatamoto-looks-") as place:
        database = Path(place) / "h.db"
        settings = Settings(database=await lay(database), emoji=False, _env_file=None)
        bot = QuickBot(settings, clock, HereThinker(), studio, HereLibrary(database))
        env = Env(bot, shard_count=1, check_errors=False, settle_timeout=PATIENCE)
        clock.env = env
        await env.start()
        world = World(env, database, clock)
        fixed_seed(world, 1)
        try:
            yield world
        finally:
            await bot.close()
            await env.shutdown()


async def speaking(world: World, language: str, people: Sequence[Any]) -> None:
    """The server and all who are there have this language."""
    async with world.bot.database.transaction() as tx:
        await guilds.set_language(tx, world.guild.id, language)
    for member in people:
        await member.slash(world.channel, "settings", language=language)


async def walked(language: str, names: Sequence[str] = tuple(WALKS)) -> Gallery:
    """What the walks brought forth."""
    gallery = Gallery(language)
    for name in names:
        async with simulated(StripStudio()) as world:
            with gallery.listening(world.env):
                walk = Walk(world, gallery)
                await speaking(world, language, list(walk.people.values()))
                await WALKS[name](walk)
        print(f"{name} {language}: {len(gallery.hung)} messages, {len(gallery.shown)} of the catalogue")
    return gallery


def told(gallery: Gallery) -> str:
    """What is wrong at sight, words in Latin letters, the forms, and what was said but stood nowhere."""
    lines = [f"! {fault}" for fault in gallery.faults]
    lines += [f"{times} {word}" for word, times in gallery.latin.most_common()]
    lines += [line for modal in gallery.forms.values() for line in form_words(modal)]
    lines += [f"? {key}" for key in gallery.unseen()]
    return "\n".join(lines)


def height(piece: Hung, width: int) -> int:
    """About how tall a message is."""
    lines = sum(1 + len(line) // LETTERS[width] for line in piece.words.split("\n"))
    return FRAME + LINE * lines + STRIP * len(piece.files)


def pages(pieces: Sequence[Hung], width: int) -> Iterator[list[Hung]]:
    """As many messages to a page as one photograph takes."""
    page: list[Hung] = []
    for piece in pieces:
        if page and sum(height(one, width) for one in [*page, piece]) > PAGE:
            yield page
            page = []
        page.append(piece)
    if page:
        yield page


async def exhibited(
    pieces: Sequence[Hung], width: int, photograph: Callable[[World, Any, int, int], Any]
) -> None:
    """Each page in a channel of its own, which `photograph` is given with its number and height."""
    async with simulated(StripStudio()) as world:
        Walk(world, Gallery("en"))  # the same people, whom mentions name
        for number, page in enumerate(pages(pieces, width)):
            channel = world.guild.create_text_channel(f"page{number}")
            hang(world.env, channel.id, page)
            await photograph(world, channel, number, sum(height(one, width) for one in page))


async def opened(forms: Iterable[dict[str, Any]], photograph: Callable[[World, Any, int], Any]) -> None:
    """Each form over a channel, as whoever opened it sees it."""
    async with simulated(StripStudio()) as world:
        for number, modal in enumerate(forms):
            shown = await world.ann.slash(world.channel, "game import")  # a form, with another's parts in it
            shown._interaction.modal = modal
            await photograph(world, shown, number)
            await world.env.advance_time(20)
