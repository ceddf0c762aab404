"""Who is still there: looked up before somebody is called; and where the bot is, as it comes and goes."""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from cogs.posting.codes import NO_ACCESS, NO_GUILD, NO_MEMBER, NO_USER, TROUBLE
from cogs.services import Interaction, Services
from db.errors import DatabaseError
from db.rows import OutboxRow
from tables.core.model import Table

if TYPE_CHECKING:
    from tables.core.clock import Clock

log = logging.getLogger("hatamoto.presence")
ASKED = frozenset({"reminder", "claim", "reminded"})  # they call people who have not been heard of for long
FRESH_MS = 12 * 3600 * 1000  # who was seen within it is not looked up again for any other post
PROMPT_MS = 5 * 60 * 1000  # a reminder that is later than this may find somebody asleep
MOST_SEEN = 20_000
DIRECT = 0  # no server's number: direct messages


class Sightings:
    """When a member of a server was last found there; in memory, as it only saves looking up."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: OrderedDict[tuple[int, int], int] = OrderedDict()

    def fresh(self, guild_id: int, user_id: int) -> bool:
        """Whether this member was found there not long ago."""
        at = self._seen.get((guild_id, user_id))
        return at is not None and 0 <= self._clock.now() - at < FRESH_MS

    def note(self, guild_id: int, user_id: int) -> None:
        """This member is there, or cannot be looked up now."""
        self._seen[guild_id, user_id] = self._clock.now()
        self._seen.move_to_end((guild_id, user_id))
        while len(self._seen) > MOST_SEEN:
            self._seen.popitem(last=False)

    def forget(self, guild_id: int, user_id: int) -> None:
        """This member is not there any more."""
        self._seen.pop((guild_id, user_id), None)


async def present(bot: Services, row: OutboxRow, table: Table, *, hurried: bool = False) -> OutboxRow | None:
    """The row, calling only those who are still in the server; None where a reminder calls nobody.

    One that was held up until somebody's quiet hours names him without a ping.
    Who is gone, or is back, is told at his tables. But for those who have been silent for long, and those
    marked as gone, a player is looked up twice a day at most; not where the row is `hurried`: the next one
    that calls him does it.
    """
    guild = bot.get_guild(table.place.guild_id or 0)
    called = row.content.get("mention") or ()
    if guild is None or guild.unavailable or not called:
        return row
    asked = row.kind in ASKED or row.content.get("code") in ASKED
    marked = {seat.user_id for seat in table.seats if seat.gone is not None}
    there = []
    for user_id in called:
        if not asked and user_id not in marked and (hurried or bot.sightings.fresh(guild.id, user_id)):
            there.append(user_id)
        elif not await lost(bot, guild, user_id):
            bot.sightings.note(guild.id, user_id)
            there.append(user_id)
    if not there and row.kind == "reminder":
        return None
    if row.kind == "reminder" and bot.clock.now() - row.created_at > PROMPT_MS:  # it was held up on the way
        asleep = await bot.tables.asleep(there)
        there = [user_id for user_id in there if user_id not in asleep]
    if there == called:
        return row
    return replace(row, payload=json.dumps({**row.content, "mention": there}, ensure_ascii=False))


async def lost(bot: Services, guild: discord.Guild, user_id: int) -> bool:
    """Whether a player is found to be gone. That, and that who was gone is back, is told at his tables."""
    found = await whereabouts(guild, user_id)
    if found == "here":
        await bot.tables.here(user_id, guild.id)
    if found in ("here", None):
        return False
    log.info("user %s is gone (%s)", user_id, found)
    bot.sightings.forget(guild.id, user_id)
    await bot.tables.gone(user_id, found, guild.id)
    return True


async def whereabouts(guild: discord.Guild, user_id: int) -> str | None:
    """`here` for a member, `left` or `deleted` for who is none; None where it cannot be found out."""
    try:
        await guild.fetch_member(user_id)
    except discord.NotFound as error:
        return {NO_MEMBER: "left", NO_USER: "deleted"}.get(error.code)
    except (discord.HTTPException, discord.RateLimited, *TROUBLE) as error:
        log.warning("user %s could not be looked up: %s", user_id, error)
        return None
    return "here"


async def sought(bot: Services, table: Table, seat: int | None) -> None:
    """Looks once more for who is marked as gone, before the others go on without him."""
    guild = bot.get_guild(table.place.guild_id or 0)
    for info in table.seats if guild is not None else ():
        if info.gone is not None and info.user_id is not None and seat in (None, info.seat):
            await lost(bot, guild, info.user_id)  # type: ignore[arg-type]  # no guild, no seats


async def removes(interaction: Interaction, table: Table) -> bool:
    """Whether who asks may remove members of the table's server; True where that cannot be found out.

    By DM the member is looked up, as Discord sends permissions for the place of the interaction alone.
    """
    guild = interaction.client.get_guild(table.place.guild_id or 0)
    if guild is None:
        return False
    allowed = interaction.permissions
    if interaction.guild_id != guild.id:
        try:
            allowed = (await guild.fetch_member(interaction.user.id)).guild_permissions
        except discord.NotFound:
            return False
        except (discord.HTTPException, discord.RateLimited, *TROUBLE) as error:
            log.warning("user %s could not be looked up: %s", interaction.user.id, error)
            return True
    return allowed.kick_members or allowed.ban_members


async def removed(bot: Services, guild_id: int) -> bool:
    """Whether the bot is no member of a server that it does not hear of; False where that is not certain."""
    try:
        await bot.fetch_guild(guild_id, with_counts=False)
    except (discord.NotFound, discord.Forbidden) as error:
        return error.code in (NO_GUILD, NO_ACCESS)
    except (discord.HTTPException, discord.RateLimited, *TROUBLE) as error:
        log.warning("server %s could not be looked up: %s", guild_id, error)
    return False


class PresenceCog(commands.Cog):
    """The bot removed from a server, and invited again, whether it ran then or not."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Services]) -> None:
        """Whoever uses the bot is there: whoever was marked as gone is back.

        There is no event for it, as that of a member who joins wants a privileged intent.
        """
        guild_id, user_id, seen = interaction.guild_id or DIRECT, interaction.user.id, self.bot.sightings
        if seen.fresh(guild_id, user_id):
            return
        seen.note(guild_id, user_id)
        try:
            await self.bot.tables.here(user_id, interaction.guild_id)
        except DatabaseError as error:
            log.warning("whether user %s is back was not written down: %s", user_id, error)
            seen.forget(guild_id, user_id)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """What happened while the bot did not run: servers with live tables that removed it, or took it back.

        A server that is only `unavailable` is among those that this start heard of.
        """
        live, left = await self.bot.tables.servers()
        heard = {guild.id: guild for guild in self.bot.guilds}
        for guild_id in live:
            if guild_id in heard and heard[guild_id].unavailable:
                await self.bot.tables.out_of_reach(guild_id)
            if guild_id not in heard and self.ours(guild_id) and await removed(self.bot, guild_id):
                log.info("removed from server %s while not running", guild_id)
                await self.bot.tables.removed(guild_id)
        for guild_id in left:
            if guild_id in heard and not heard[guild_id].unavailable:
                await self.bot.tables.invited_back(guild_id)

    def ours(self, guild_id: int) -> bool:
        """Whether a shard of this process would hear of a server."""
        return (guild_id >> 22) % (self.bot.shard_count or 1) in self.bot.shards

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Its tables wait."""
        await self.bot.tables.removed(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Its tables have their boards again, if it was there before."""
        await self.bot.tables.within_reach(guild.id)
        await self.bot.tables.invited_back(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """The same after a start: it may have been invited while the bot did not run. It is reached again."""
        await self.bot.tables.within_reach(guild.id)
        await self.bot.tables.invited_back(guild.id)

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Discord has trouble with a server: nobody can act there."""
        await self.bot.tables.out_of_reach(guild.id)
