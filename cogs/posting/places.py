"""Channels and threads that go, close or open again while the bot runs."""

from __future__ import annotations

import discord
from discord.ext import commands

from cogs.services import Services
from cogs.text.places import can_post


class PlacesCog(commands.Cog):
    """Tells the tables; what was missed while the bot did not run is noticed at the next post."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Its tables have nowhere to be shown."""
        await self.bot.tables.place_lost(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Its table is shown in the channel above it."""
        await self.bot.tables.place_lost(payload.guild_id, payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Permissions were taken or given: the difference is looked at, not the reason."""
        could, can = can_post(before), can_post(after)
        if could and not can:
            await self.bot.tables.place_lost(after.guild.id, after.id)
        elif can and not could:
            await self.bot.tables.try_again(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """The bot may have been let in again."""
        await self.bot.tables.try_again(after.guild.id)
