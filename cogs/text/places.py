"""Where a table is played, and whether the bot may do there what it has to."""

from __future__ import annotations

from typing import NamedTuple

import discord

from cogs.services import Interaction, Services
from tables.core.errors import TableError
from tables.core.model import Place, Table

NEEDED = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history")
FOR_THREADS = ("create_public_threads", "send_messages_in_threads")
FOR_PRIVATE_THREADS = ("create_private_threads", "send_messages_in_threads")


class Spot(NamedTuple):
    """A place, and whether the game is played right there instead of in a thread of its own."""

    place: Place
    in_place: bool


def missing(permissions: discord.Permissions, names: tuple[str, ...]) -> list[str]:
    """Names of the permissions that are not there."""
    return [name for name in names if not getattr(permissions, name)]


def invitation(bot: Services) -> str:
    """Where a server's managers can invite the bot, with all that it may need."""
    permissions = discord.Permissions(**dict.fromkeys((*NEEDED, *FOR_THREADS, *FOR_PRIVATE_THREADS), True))
    return discord.utils.oauth_url(bot.application_id or 0, permissions=permissions)


def forum_for(interaction: Interaction, forum_id: int | None) -> discord.ForumChannel | None:
    """The forum in which a table gets a post: that of the post where it is asked, else the server's choice.

    None where there is none, or the bot may not post there.
    """
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    here = getattr(interaction.channel, "parent_id", None)
    for number in (here, forum_id) if guild is not None else ():
        channel = guild.get_channel(number or 0) if guild is not None else None
        if isinstance(channel, discord.ForumChannel):
            allowed = channel.permissions_for(channel.guild.me)
            lacking = missing(allowed, (*NEEDED, "send_messages_in_threads"))
            if lacking and number == here:
                return None  # it is played in the post itself, if at all
            if lacking:
                raise TableError("forum-closed", where=channel.mention, permissions=lacking)
            if channel.flags.require_tag and not (channel.available_tags or allowed.manage_channels):
                raise TableError("forum-needs-tag", where=channel.mention)
            return channel
    return None


def place_for_table(
    interaction: Interaction,
    *,
    threads: bool,
    private: bool = False,
    forum: int | None = None,
    right_here: bool = False,
) -> Spot:
    """Where a table made by this command is played.

    In a post of its own in a forum, where it is asked in one or the server has chosen one (`forum`); a
    private table never, as everybody reads a forum, nor one that is to go on `right_here`.

    In a thread, where `threads` are off or not permitted, it plays in place; a `private` one has a thread
    of its own where either kind is permitted. Raises TableError `missing-permissions` (params permissions),
    `no-server`, `not-installed` (link) where the bot is no member, `forum-closed` (where, permissions) and
    `forum-needs-tag` (where) for a forum that the server chose and that takes no posts of the bot.
    """
    channel = interaction.channel
    if interaction.guild_id is None or channel is None or interaction.channel_id is None:
        raise TableError("no-server")
    if interaction.client.get_guild(interaction.guild_id) is None:  # added to a user's account alone
        raise TableError("not-installed", link=invitation(interaction.client))
    if not (private or right_here) and (found := forum_for(interaction, forum)) is not None:
        return Spot(Place(interaction.guild_id, found.id), in_place=False)
    allowed = interaction.app_permissions
    if isinstance(channel, discord.Thread):
        needed = tuple("send_messages_in_threads" if name == "send_messages" else name for name in NEEDED)
        spot = Spot(Place(interaction.guild_id, channel.parent_id or channel.id, channel.id), in_place=True)
    else:
        needed = NEEDED
        threadable = isinstance(channel, discord.TextChannel) and not channel.is_news()
        kinds = (FOR_THREADS, FOR_PRIVATE_THREADS) if private else (FOR_THREADS,)
        own_thread = threads and threadable and not all(missing(allowed, kind) for kind in kinds)
        spot = Spot(Place(interaction.guild_id, channel.id), in_place=not own_thread)
    lacking = missing(allowed, needed)
    if lacking:
        raise TableError("missing-permissions", permissions=lacking)
    return spot


def in_server(interaction: Interaction) -> bool:
    """Whether it is asked in a server where the bot can post: it may be added to a user's account alone."""
    return interaction.client.get_guild(interaction.guild_id or 0) is not None


async def direct(interaction: Interaction) -> Spot:
    """The user's direct messages with the bot, where a game is played that wants nobody else."""
    channel = await interaction.client.create_dm(interaction.user)
    return Spot(Place(None, channel.id), in_place=True)


def is_open_to_others(interaction: Interaction, table: Table) -> bool:
    """Whether a private table will be played where others can read along, as far as can be told here."""
    if table.place.guild_id is None:
        return False
    if table.in_place:
        return not (isinstance(interaction.channel, discord.Thread) and interaction.channel.is_private())
    return bool(missing(interaction.app_permissions, FOR_PRIVATE_THREADS))


def can_post(channel: discord.abc.GuildChannel) -> bool:
    """Whether the bot may do in a channel, or in its threads, what a table needs."""
    allowed = channel.permissions_for(channel.guild.me)
    rest = tuple(name for name in NEEDED if name != "send_messages")
    return not missing(allowed, rest) and (allowed.send_messages or allowed.send_messages_in_threads)


def within_reach(bot: Services, table: Table) -> bool:
    """Whether the table's channel is there and open to the bot; True also where that is not known now."""
    guild = bot.get_guild(table.place.guild_id or 0)
    if guild is None or guild.unavailable:
        return True
    channel = guild.get_channel(table.place.channel_id)
    return channel is not None and can_post(channel)


def moderates(interaction: Interaction, table: Table) -> bool:
    """Whether the user may manage messages where the table is played; elsewhere does not count."""
    place, user = table.place, interaction.user
    if interaction.guild is None or place.guild_id != interaction.guild_id:
        return False
    if interaction.channel_id in (place.thread_id, place.channel_id):
        return interaction.permissions.manage_messages
    channel = interaction.guild.get_channel(place.channel_id)
    if channel is None or not isinstance(user, discord.Member):
        return interaction.permissions.manage_guild  # the channel is gone
    return channel.permissions_for(user).manage_messages


def lacking_here(interaction: Interaction, table: Table) -> list[str]:
    """Permissions without which the table's posts cannot come, where the table is played right here."""
    channel = interaction.channel
    if interaction.guild_id is None or interaction.channel_id not in (
        table.place.thread_id,
        table.place.channel_id,
    ):
        return []
    in_thread = isinstance(channel, discord.Thread)
    needed = tuple(
        "send_messages_in_threads" if in_thread and name == "send_messages" else name for name in NEEDED
    )
    return missing(interaction.app_permissions, needed)
