"""Who is still there: looked up before somebody is called, and heard when the bot comes and goes."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from db.rows import OutboxRow
from tables.model import Table

if TYPE_CHECKING:
    from bot import HatamotoBot

log = logging.getLogger("hatamoto.presence")
ASKED = frozenset({"reminder", "claim"})  # posts that call people who have not been heard of for long
NO_MEMBER, NO_USER = 10007, 10013


async def present(bot: HatamotoBot, row: OutboxRow, table: Table) -> OutboxRow | None:
    """The row, calling only those who are still in the server; None where a reminder calls nobody.

    Who is gone is told at his tables instead.
    """
    payload = json.loads(row.payload)
    guild = bot.get_guild(table.place.guild_id or 0)
    if guild is None:
        return row
    there = []
    for user_id in payload.get("mention") or ():
        why = await gone(guild, user_id)
        if why is None:
            there.append(user_id)
        else:
            log.info("user %s is gone (%s)", user_id, why)
            await bot.tables.gone(user_id, why, guild.id)
    if not there and row.kind == "reminder":
        return None
    return replace(row, payload=json.dumps({**payload, "mention": there}, ensure_ascii=False))


async def gone(guild: discord.Guild, user_id: int) -> str | None:
    """`left` or `deleted` for who is no member; None for a member, and where it cannot be found out."""
    try:
        await guild.fetch_member(user_id)
    except discord.NotFound as error:
        return {NO_MEMBER: "left", NO_USER: "deleted"}.get(error.code)
    except discord.HTTPException as error:
        log.warning("user %s could not be looked up: %s", user_id, error)
    return None


class PresenceCog(commands.Cog):
    """The bot removed from a server, and invited again."""

    def __init__(self, bot: HatamotoBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Its tables wait."""
        await self.bot.tables.removed(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Its tables have their boards again, if it was there before."""
        await self.bot.tables.invited_back(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """The same after a start: it may have been invited while the bot did not run."""
        await self.bot.tables.invited_back(guild.id)
