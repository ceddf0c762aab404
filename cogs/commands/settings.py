"""`/settings`: languages, threads, hands by DM."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from cogs.commands.switches import CALLED, show
from cogs.services import Services
from cogs.text.answers import Interaction, answering, caller, wait
from cogs.text.times import OFF, Times, preferences
from cogs.text.translator import said, worded
from engines.typed import plainly
from locales import LANGUAGES, words
from tables.choices import OwnChoices, ServerChoices
from tables.core.errors import TableError
from tables.core.quiet import zones
from tables.time.absences import DAYS_A_YEAR

AUTOMATIC = "auto"  # follows Discord
DAY_MS = 24 * 3600 * 1000
MOST_AWAY = DAYS_A_YEAR  # days


def language_choices() -> list[app_commands.Choice[str]]:
    """Automatic, and each catalogue by its own name for itself."""
    named = [app_commands.Choice(name=words(code)("language.name"), value=code) for code in LANGUAGES]
    return [app_commands.Choice(name=said("choice.language.auto"), value=AUTOMATIC), *named][:25]


def call_choices() -> list[app_commands.Choice[str]]:
    """Where one may be called."""
    return [app_commands.Choice(name=said(f"choice.call.{way}"), value=way) for way in CALLED]


async def complete_zone(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Zones whose name contains what was typed: places in the world, the shortest names first."""
    part = plainly(typed).replace(" ", "_").casefold()
    found = sorted((zone for zone in zones() if part in zone.casefold()), key=lambda zone: (len(zone), zone))
    return [app_commands.Choice(name=zone, value=zone) for zone in found[:25]]


async def complete_quiet(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Usual nights, and none."""
    offers = ["22-8", "23-7", "21-9", "0-8", OFF]
    return [
        app_commands.Choice(name=text, value=text)
        for text in offers
        if text.startswith(plainly(typed).casefold())
    ]


class SettingsCog(commands.Cog):
    """One command: what is given is set, then everything is shown."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot

    @app_commands.command(
        name=said("command.settings.name"), description=said("command.settings.description")
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @worded(
        "settings", "language", "dm", "server_language", "threads",
        "remind", "quiet", "zone", "next", "vacation", "block", "unblock", "call", "digest", "forum",
    )  # fmt: skip
    @app_commands.choices(
        language=language_choices(), server_language=language_choices(), call=call_choices()
    )
    @app_commands.autocomplete(zone=complete_zone, quiet=complete_quiet)
    @answering
    async def settings(  # noqa: PLR0917 - the options of a command
        self,
        interaction: Interaction,
        language: str | None = None,
        dm: bool | None = None,
        server_language: str | None = None,
        threads: bool | None = None,
        remind: app_commands.Range[int, 0, 720] | None = None,
        quiet: app_commands.Range[str, 1, 40] | None = None,
        zone: app_commands.Range[str, 1, 60] | None = None,
        next: bool | None = None,  # noqa: A002 - what users read
        vacation: app_commands.Range[int, 0, MOST_AWAY] | None = None,
        block: discord.User | None = None,
        unblock: discord.User | None = None,
        call: str | None = None,
        digest: app_commands.Range[str, 1, 20] | None = None,
        forum: discord.ForumChannel | None = None,
    ) -> None:
        """Sets and shows settings; the server's want the permission to manage it."""
        await wait(interaction)
        await self.set_times(interaction, Times(remind, quiet, zone, next, call, digest))
        await self.set_people(interaction, vacation, block, unblock)
        if server_language is not None or threads is not None or forum is not None:
            await self.set_server(interaction, server_language, threads=threads, forum=forum)
        await self.set_own(interaction, language, dm=dm)
        await show(interaction)

    async def set_times(self, interaction: Interaction, times: Times) -> None:
        """When to be reminded and when to be left alone."""
        values = preferences(times)
        if values:
            await self.bot.tables.prefer(caller(interaction), values)

    async def set_people(
        self,
        interaction: Interaction,
        vacation: int | None,
        block: discord.User | None,
        unblock: discord.User | None,
    ) -> None:
        """Away for so many days (0: back), and whom not to meet at a table. Raises `block-yourself`."""
        user, tables = caller(interaction), self.bot.tables
        if vacation is not None:
            until = self.bot.clock.now() + vacation * DAY_MS if vacation else None
            await tables.vacation(user, until)
        if block is not None:
            if block.id == user.id or block.bot:
                raise TableError("block-yourself")
            await tables.block(user, block.id, on=True)
        if unblock is not None:
            await tables.block(user, unblock.id, on=False)

    async def set_own(self, interaction: Interaction, language: str | None, *, dm: bool | None) -> None:
        """The user's own settings."""
        chosen = OwnChoices()
        if language is not None:
            chosen["language"] = None if language == AUTOMATIC else language
        if dm is not None:
            chosen["dm"] = dm
        if chosen:
            await self.bot.tables.choose(caller(interaction), chosen)

    async def set_server(
        self,
        interaction: Interaction,
        language: str | None,
        *,
        threads: bool | None,
        forum: discord.ForumChannel | None,
    ) -> None:
        """The server's settings; tables are played in threads again once `threads` is said.

        Raises `no-server`, `not-a-manager`.
        """
        guild = interaction.guild_id
        if guild is None:
            raise TableError("no-server")
        if not interaction.permissions.manage_guild:
            raise TableError("not-a-manager")
        chosen = ServerChoices()
        if language is not None:
            chosen["language"] = None if language == AUTOMATIC else language
        if threads is not None:
            chosen["threads"], chosen["forum"] = threads, None
        if forum is not None:
            chosen["forum"] = forum.id
        await self.bot.tables.choose_for_server(guild, chosen)
