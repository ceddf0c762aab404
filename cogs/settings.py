"""`/settings`: languages, threads, hands by DM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from cogs.answers import Interaction, answer, answering, wait
from cogs.translator import said, worded
from db import guilds, users
from locales import LANGUAGES, words
from tables.errors import TableError

if TYPE_CHECKING:
    from bot import HatamotoBot

AUTOMATIC = "auto"  # follows Discord


def language_choices() -> list[app_commands.Choice[str]]:
    """Automatic, and each catalogue by its own name for itself."""
    named = [app_commands.Choice(name=words(code)("language.name"), value=code) for code in LANGUAGES]
    return [app_commands.Choice(name=said("choice.language.auto"), value=AUTOMATIC), *named][:25]


class SettingsCog(commands.Cog):
    """One command: what is given is set, then everything is shown."""

    def __init__(self, bot: HatamotoBot) -> None:
        self.bot = bot

    @app_commands.command(
        name=said("command.settings.name"), description=said("command.settings.description")
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @worded("settings", "language", "dm", "server_language", "threads")
    @app_commands.choices(language=language_choices(), server_language=language_choices())
    @answering
    async def settings(
        self,
        interaction: Interaction,
        language: str | None = None,
        dm: bool | None = None,
        server_language: str | None = None,
        threads: bool | None = None,
    ) -> None:
        """Sets and shows settings; the server's want the permission to manage it."""
        await wait(interaction)
        if server_language is not None or threads is not None:
            await self.set_server(interaction, server_language, threads=threads)
        await self.set_own(interaction, language, dm=dm)
        await answer(interaction, await self.summary(interaction))

    async def set_own(self, interaction: Interaction, language: str | None, *, dm: bool | None) -> None:
        """The user's own settings."""
        user = interaction.user
        async with self.bot.database.transaction() as tx:
            if language is not None:
                own = None if language == AUTOMATIC else language
                await users.set_language(tx, user.id, user.display_name, own)
            if dm is not None:
                await users.set_dm(tx, user.id, user.display_name, dm)

    async def set_server(
        self, interaction: Interaction, language: str | None, *, threads: bool | None
    ) -> None:
        """The server's settings. Raises `no-server`, `not-a-manager`."""
        guild = interaction.guild_id
        if guild is None:
            raise TableError("no-server")
        if not interaction.permissions.manage_guild:
            raise TableError("not-a-manager")
        async with self.bot.database.transaction() as tx:
            if language is not None:
                await guilds.set_language(tx, guild, None if language == AUTOMATIC else language)
            if threads is not None:
                await guilds.set_threads(tx, guild, threads)

    async def summary(self, interaction: Interaction) -> str:
        """All settings as they are now."""
        said_in = await self.bot.languages.of_user(interaction)
        row = await users.get(self.bot.database.reads, interaction.user.id)

        def language(code: str | None) -> str:
            return said_in("choice.language.auto") if code is None else words(code)("language.name")

        def switch(on: bool) -> str:
            return said_in("settings.on" if on else "settings.off")

        lines = [
            said_in("settings.language", value=language(None if row is None else row.language)),
            said_in("settings.dm", value=switch(row is None or row.dm)),
        ]
        if interaction.guild_id is not None:
            guild = await self.bot.languages.of_guild(interaction.guild_id)
            lines.append(said_in("settings.server-language", value=language(guild.locale)))
            lines.append(said_in("settings.threads", value=switch(guild.threads)))
        return "\n".join(lines)
