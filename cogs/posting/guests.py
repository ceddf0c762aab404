"""Who is to sit down: members of the server who see where it is played, and are still there at the start."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from cogs.posting.codes import TROUBLE
from cogs.posting.presence import lost
from cogs.services import Interaction
from cogs.text.plain import cleaned
from tables.core.errors import TableError
from tables.core.model import Table
from tables.reading.results import Standing

log = logging.getLogger("hatamoto.guests")


async def welcome(
    interaction: Interaction, users: Sequence[discord.abc.User], channel_id: int | None = None
) -> None:
    """Raises `guest-outside` for who is no member here, `guest-blind` for who does not see the channel.

    Discord sends members along with the interaction, with what they may do where it was made; for another
    channel that is worked out. Who comes without is looked up. Bots have sentences of their own.
    """
    for user in users:
        who = cleaned(user.display_name) or str(user.id)
        known = isinstance(user, discord.Member) or user.bot
        member = user if known else await member_of(interaction, user)
        if member is None:
            raise TableError("guest-outside", who=who)
        if isinstance(member, discord.Member) and not sees(interaction, member, channel_id):
            raise TableError("guest-blind", who=who, where=f"<#{channel_id or interaction.channel_id}>")


async def seen_by_its_players(interaction: Interaction, table: Table) -> None:
    """Raises `guest-blind` where somebody who plays at a table does not see the channel of this interaction.

    Whoever takes a game to where the other cannot follow would win it by the clock. Who has left the server
    has no say.
    """
    for seat in table.seats:
        if seat.user_id in (None, interaction.user.id) or seat.user_id is None or seat.gone is not None:
            continue
        member = await member_of(interaction, discord.Object(seat.user_id))
        if isinstance(member, discord.Member) and not sees(interaction, member, None):
            who, where = cleaned(seat.name or "") or str(seat.user_id), f"<#{interaction.channel_id}>"
            raise TableError("guest-blind", who=who, where=where)


async def member_of(
    interaction: Interaction, user: discord.abc.User | discord.Object
) -> discord.abc.User | discord.Object | None:
    """The member of the server that a user is; None for who is none, the user where that is not certain."""
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    if guild is None or guild.unavailable:
        return user
    try:
        return await guild.fetch_member(user.id)
    except discord.NotFound:
        return None
    except (discord.HTTPException, discord.RateLimited, *TROUBLE) as error:
        log.warning("user %s could not be looked up: %s", user.id, error)
        return user


def sees(interaction: Interaction, member: discord.Member, channel_id: int | None) -> bool:
    """Whether a member sees a channel; True where that cannot be known."""
    here = getattr(interaction.channel, "parent_id", None) or interaction.channel_id
    known: discord.Permissions | None = getattr(member, "resolved_permissions", None)
    if channel_id in (None, here) and known is not None:
        return known.view_channel
    channel = member.guild.get_channel(channel_id or here or 0)
    return channel is None or channel.permissions_for(member).view_channel


async def still_there(interaction: Interaction, table: Table) -> None:
    """Looks whether those who sit at a lobby, or are asked to a rematch, are still in the server.

    Who is not gives a lobby's seat back. Raises `guest-left`. Who was seen lately is not looked up.
    """
    client, me = interaction.client, interaction.user.id
    guild = client.get_guild(table.place.guild_id or 0)
    if guild is None or guild.unavailable:
        return
    for seat in table.seats:
        if (
            seat.user_id in (None, me)
            or seat.user_id is None
            or client.sightings.fresh(guild.id, seat.user_id)
        ):
            continue
        if not await lost(client, guild, seat.user_id):
            client.sightings.note(guild.id, seat.user_id)
            continue
        if table.status == "open":
            await client.tables.left(table.id, seat.user_id)
        raise TableError("guest-left", table=table.id, game=table.game, who=seat.name)


async def who_are_here(interaction: Interaction, game: str) -> list[Standing]:
    """A server's leaderboard without those who have left: who is on it is looked up, twice a day at most."""
    client, guild = interaction.client, interaction.client.get_guild(interaction.guild_id or 0)
    while True:
        best = await client.tables.leaderboard(game, interaction.guild_id or 0)
        if guild is None or guild.unavailable:
            return best
        left = False
        for one in best:
            if not client.sightings.fresh(guild.id, one.user_id):
                if await lost(client, guild, one.user_id):
                    left = True
                else:
                    client.sightings.note(guild.id, one.user_id)
        if not left:
            return best
