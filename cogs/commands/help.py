"""`/help` and the greeting of a new server: how to begin, and every language as a button.

Discord does not speak each of our languages (there is no Hebrew), so some users cannot get theirs from it.
"""

from __future__ import annotations

import logging
import re
from functools import partial
from typing import Any, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.buttons.custom_ids import LANGUAGE
from cogs.commands.begin import ASK, NO_GAME, BeginButton
from cogs.services import Services
from cogs.text.answers import Interaction, answer, answered, answering, caller, wait
from cogs.text.layout import Rows, laid_out
from cogs.text.translator import said
from locales import LANGUAGES, Words, words

log = logging.getLogger("hatamoto.help")


class LanguageButton(ui.DynamicItem[ui.Button[Any]], template=LANGUAGE):
    """Makes a language the one in which the bot answers whoever presses; it is called as it calls itself."""

    def __init__(self, language: str, *, row: int | None = None) -> None:
        self.language = language
        label = words(language)("language.name")
        super().__init__(ui.Button(label=label, custom_id=f"l:{language}", row=row))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button of a message that was sent at any time."""
        return cls(match["language"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Keeps the language, and says how to begin in it."""
        await answered(interaction, "asking", partial(choose, interaction, self.language))


async def choose(interaction: Interaction, language: str) -> None:
    """The user's own language from now on; of one that is no longer there, what Discord says."""
    await wait(interaction)
    known = language if language in LANGUAGES else None
    await interaction.client.tables.choose(caller(interaction), {"language": known})
    await show(interaction)


async def show(interaction: Interaction) -> None:
    """How to begin, in the user's language."""
    spoken = await interaction.client.languages.of_user(interaction)
    await answer(interaction, f"{spoken('help.text')}\n{spoken('help.language')}", view=beginning(spoken))


def beginning(spoken: Words) -> Rows:
    """The way to play, and a button a language."""
    view = Rows(BeginButton(NO_GAME, ASK, spoken("button.choose"), discord.ButtonStyle.success, row=0))
    for number, language in enumerate(LANGUAGES[:25]):
        view.add_item(LanguageButton(language, row=1 + number // 5))
    return view


class HelpCog(commands.Cog):
    """`/help`, and the greeting."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot

    @app_commands.command(name=said("command.help.name"), description=said("command.help.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @answering
    async def help(self, interaction: Interaction) -> None:
        """How to begin."""
        await wait(interaction)
        await show(interaction)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greets a server where Discord greets its members, if it has such a place that is open to the bot.

        It is one message without a game in it, so nothing is lost where Discord does not take it.
        """
        place = guild.system_channel
        if place is None or not place.permissions_for(guild.me).send_messages:
            return
        spoken = await self.bot.languages.of_posts(guild.id, guild.preferred_locale.value)
        try:
            said_here = f"{spoken('help.welcome')}\n{spoken('help.language')}"
            await place.send(view=laid_out(said_here, rows=beginning(spoken)))
        except discord.HTTPException as error:
            log.warning("server %s could not be greeted: %s", guild.id, error)
