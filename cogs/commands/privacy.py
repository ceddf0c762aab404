"""`/privacy`: what is stored about a user, as a file; and to be forgotten."""

from __future__ import annotations

import io

import discord
from discord import app_commands
from discord.ext import commands

from cogs.buttons.custom_ids import Press
from cogs.buttons.lasting import TableButton, on_press
from cogs.services import Services
from cogs.text.answers import Interaction, answer, answering, taking_turns, wait
from cogs.text.layout import Rows
from cogs.text.translator import said


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class PrivacyCog(
    commands.GroupCog,
    group_name=said("command.privacy.name"),
    group_description=said("command.privacy.description"),
):
    """The commands of `/privacy`; every answer is for the asker alone."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot

    @app_commands.command(
        name=said("command.privacy.export.name"), description=said("command.privacy.export.description")
    )
    @answering
    async def export(self, interaction: Interaction) -> None:
        """A file with everything."""
        await wait(interaction)
        async with taking_turns(interaction):
            data = await self.bot.tables.about(interaction.user.id)
        words = await self.bot.languages.of_user(interaction)
        file = discord.File(io.BytesIO(data), f"hatamoto-{interaction.user.id}.json")
        await answer(interaction, words("answer.privacy-export"), files=[file])

    @app_commands.command(
        name=said("command.privacy.delete.name"), description=said("command.privacy.delete.description")
    )
    @answering
    async def delete(self, interaction: Interaction) -> None:
        """Says what would go, and asks once more."""
        await wait(interaction)
        await self.bot.tables.kept(interaction.user.id)
        running, lobbies = await self.bot.tables.seats_to_lose(interaction.user.id)
        words = await self.bot.languages.of_user(interaction)
        forgotten = words("term.forgotten")
        text = words("answer.privacy-sure", forgotten=forgotten, running=running, lobbies=lobbies)
        button = TableButton(Press(0, 0, "forget"), words("button.forget"), "danger")
        await answer(interaction, text, view=Rows(button))


@on_press("forget")
async def press_forget(interaction: Interaction, _press: Press, _values: tuple[str, ...]) -> None:
    """Delete, really: whoever presses is forgotten, nobody else."""
    await wait(interaction)
    words = await interaction.client.languages.of_user(interaction)
    done = await interaction.client.tables.forget(interaction.user.id, interaction.id)
    text = words(
        "answer.privacy-deleted",
        handed=done.handed,
        resigned=done.resigned,
        ended=done.ended,
        left=done.left,
    )
    await answer(interaction, text)
