"""A finished game as a trophy, shown where its players want it."""

from __future__ import annotations

import discord

from cogs.buttons.custom_ids import Press
from cogs.buttons.lasting import TableButton, on_press
from cogs.text.answers import Interaction, answer, wait
from cogs.text.control import CHANNELS, Select
from cogs.text.layout import Rows
from cogs.text.places import missing
from tables.core.errors import TableError
from tables.core.model import Table

NEEDED = ("view_channel", "send_messages", "attach_files")
READ_BY_ALL = (discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.public_thread)


def channel_select(press: Press, placeholder: str) -> Select:
    """A select of the server's channels where everybody may read."""
    return Select(str(press), placeholder=placeholder, kind=CHANNELS, channels=READ_BY_ALL)


@on_press("share")
async def press_share(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Asks where to: here, or in which channel."""
    await wait(interaction)
    client = interaction.client
    table = await client.tables.admitted(press.table, interaction.user.id)
    if press.action == "share.here":
        await shared(interaction, table, interaction.channel_id or 0)
        return
    if table.seat_of(interaction.user.id) is None:
        raise TableError("not-seated", table=table.id, game=table.game)
    words = await client.languages.of_user(interaction)
    view = Rows()
    view.add_item(channel_select(Press(table.id, table.version, "C.share"), words("answer.pick-channel")))
    view.add_item(TableButton(Press(table.id, table.version, "share.here"), words("button.share-here")))
    await answer(interaction, words("answer.share-where"), view=view)


@on_press("C")
async def press_channel(interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
    """The channel was picked."""
    await wait(interaction)
    table = await interaction.client.tables.admitted(press.table, interaction.user.id)
    if values:
        await shared(interaction, table, int(values[0]))


async def shared(interaction: Interaction, table: Table, channel_id: int) -> None:
    """Posts the trophy to a channel of the table's server where both who asks and the bot may write.

    Raises `no-channel`, `missing-permissions`, and what `Tables.share` raises.
    """
    client, guild, user = interaction.client, interaction.guild, interaction.user
    channel = None if guild is None else guild.get_channel_or_thread(channel_id)
    if guild is None or channel is None or guild.id != table.place.guild_id:
        raise TableError("no-channel", table=table.id, game=table.game)
    needed: tuple[str, ...] = NEEDED
    if isinstance(channel, discord.Thread):
        needed = tuple("send_messages_in_threads" if name == "send_messages" else name for name in NEEDED)
    if not isinstance(user, discord.Member) or missing(channel.permissions_for(user), needed[:2]):
        raise TableError("no-channel", table=table.id, game=table.game)
    if lacking := missing(channel.permissions_for(guild.me), needed):
        raise TableError("missing-permissions", permissions=lacking)
    await client.tables.share(table.id, user.id, channel_id, interaction.id)
    words = await client.languages.of_user(interaction)
    await answer(interaction, words("answer.shared", where=f"<#{channel_id}>"))
