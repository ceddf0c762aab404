"""`/game move-here`: a table goes on in the channel where this is typed."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.buttons.controls import place_link
from cogs.commands.lobby import open_note
from cogs.posting.guests import seen_by_its_players
from cogs.services import Services
from cogs.text.answers import Interaction, answer, answering, wait
from cogs.text.completions import complete_table, meant
from cogs.text.places import moderates, place_for_table
from cogs.text.translator import said, worded


class PlaceCommands(commands.Cog):
    """Where a table is played."""

    bot: Services

    @app_commands.command(
        name=said("command.game.move-here.name"), description=said("command.game.move-here.description")
    )
    @worded("game.move-here", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def move_here(self, interaction: Interaction, table: int) -> None:
        """Takes a table to this channel, by one of its players or a moderator."""
        await wait(interaction)
        found = await meant(interaction, table, moderating=True)
        guild = await self.bot.languages.of_guild(interaction.guild_id)
        spot = place_for_table(interaction, threads=guild.threads, private=found.private, right_here=True)
        await seen_by_its_players(interaction, found)
        moved = await self.bot.tables.move(
            found.id,
            interaction.user.id,
            spot.place,
            spot.in_place,
            interaction.id,
            moderator=moderates(interaction, found),
        )
        words = await self.bot.languages.of_user(interaction)
        told = words("answer.moved", table=moved.id, where=place_link(moved))
        await answer(interaction, f"{told}{open_note(interaction, moved, words)}")
