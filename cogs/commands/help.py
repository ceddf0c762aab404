"""`/help` and the greeting of a new server: how to begin, and every language as a button.

Discord does not speak each of our languages (there is no Hebrew), so some users cannot get theirs from it.
"""

from __future__ import annotations

import logging
import re

import discord
from discord import app_commands
from discord.ext import commands

from cogs.buttons.custom_ids import LANGUAGE
from cogs.buttons.lasting import on_control
from cogs.commands.begin import ASK, NO_GAME, BeginButton
from cogs.services import Services
from cogs.text.answers import Interaction, answer, answering, caller, wait
from cogs.text.control import Button
from cogs.text.layout import Rows, laid_out
from cogs.text.translator import said
from locales import LANGUAGES, Words, words

log = logging.getLogger("hatamoto.help")


def language_button(language: str, *, row: int | None = None) -> Button:
    """Makes a language the one in which the bot answers whoever presses; it is called as it calls itself."""
    return Button(words(language)("language.name"), f"l:{language}", row=row)


@on_control(LANGUAGE, "asking")
async def press_language(interaction: Interaction, match: re.Match[str], _values: tuple[str, ...]) -> None:
    """Keeps the language, and says how to begin in it."""
    await choose(interaction, match["language"])


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
    view = Rows(BeginButton(NO_GAME, ASK, spoken("button.choose"), "success", row=0))
    for number, language in enumerate(LANGUAGES[:25]):
        view.add_item(language_button(language, row=1 + number // 5))
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
