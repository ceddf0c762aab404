"""`/admin`: for those who manage a server. Nothing here shows what a player alone may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from cogs.buttons import controls
from cogs.buttons.custom_ids import Press
from cogs.buttons.lasting import TableButton, on_press
from cogs.ops.health import Health
from cogs.posting.guests import welcome
from cogs.services import Services
from cogs.text.answers import Interaction, answer, answering, person, storage_fault, wait
from cogs.text.completions import complete_level
from cogs.text.layout import Rows
from cogs.text.translator import said, worded
from tables.core.caps import HIGHEST
from tables.core.errors import TableError
from tables.core.moments import moment
from tables.seats.handover import Successor

if TYPE_CHECKING:
    from locales import Words
    from tables.moderation import Stuck


def managed(interaction: Interaction) -> int:
    """The server that the asker manages. Raises `no-server`, `not-a-manager`.

    Discord hides the commands from others by default, but a server may grant them to anybody.
    """
    if interaction.guild_id is None:
        raise TableError("no-server")
    if not interaction.permissions.manage_guild:
        raise TableError("not-a-manager")
    return interaction.guild_id


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.default_permissions(manage_guild=True)
class AdminCog(
    commands.GroupCog,
    group_name=said("command.admin.name"),
    group_description=said("command.admin.description"),
):
    """The commands of `/admin`; every answer is for the asker alone."""

    def __init__(self, bot: Services, health: Health) -> None:
        self.bot = bot
        self.readings = health

    @app_commands.command(
        name=said("command.admin.channels.name"), description=said("command.admin.channels.description")
    )
    @worded("admin.channels", "channel", "allowed")
    @answering
    async def channels(
        self, interaction: Interaction, channel: discord.TextChannel | None = None, allowed: bool = True
    ) -> None:
        """Where tables may be made."""
        await wait(interaction)
        guild = managed(interaction)
        if channel is None:
            listed = await self.bot.tables.channels(guild)
        else:
            listed = await self.bot.tables.allow_channel(guild, channel.id, allowed=allowed)
        words = await self.bot.languages.of_user(interaction)
        named = [f"<#{number}>" for number in listed]
        await answer(
            interaction, words("admin.channels", channels=named) if named else words("admin.channels-all")
        )

    @app_commands.command(
        name=said("command.admin.limits.name"), description=said("command.admin.limits.description")
    )
    @worded("admin.limits", "per_user", "per_server")
    @answering
    async def limits(
        self,
        interaction: Interaction,
        per_user: app_commands.Range[int, 0, HIGHEST] | None = None,
        per_server: app_commands.Range[int, 0, HIGHEST] | None = None,
    ) -> None:
        """How many tables may be open."""
        await wait(interaction)
        guild = managed(interaction)
        found = await self.bot.tables.limits(guild, user_tables=per_user, server_tables=per_server)
        words = await self.bot.languages.of_user(interaction)
        await answer(interaction, words("admin.limits", user=found.user, server=found.server, now=found.now))

    @app_commands.command(
        name=said("command.admin.tables.name"), description=said("command.admin.tables.description")
    )
    @answering
    async def tables(self, interaction: Interaction) -> None:
        """What is stuck."""
        await wait(interaction)
        found = await self.bot.tables.stuck(managed(interaction))
        words = await self.bot.languages.of_user(interaction)
        lines = [line_of(one, words) for one in found]
        await answer(interaction, "\n".join(lines) or words("admin.no-stuck"))

    @app_commands.command(
        name=said("command.admin.hand-over.name"), description=said("command.admin.hand-over.description")
    )
    @worded("admin.hand-over", "table", "seat", "player", "level")
    @app_commands.autocomplete(level=complete_level)
    @answering
    async def hand_over(
        self,
        interaction: Interaction,
        table: int,
        seat: app_commands.Range[int, 1, 64],
        player: discord.User | None = None,
        level: str | None = None,
    ) -> None:
        """A seat for somebody else than its player, and than the moderator."""
        await wait(interaction)
        guild = managed(interaction)
        if player is not None and player.bot:
            raise TableError("opponent-is-a-bot")
        if player is not None and not level:
            found = await self.bot.tables.of_guild(guild, table)
            await welcome(interaction, [player], found.place.channel_id)
        to = Successor(level=level) if level else Successor(None if player is None else person(player))
        await self.bot.tables.hand_over(guild, table, interaction.user.id, seat - 1, to, interaction.id)
        words = await self.bot.languages.of_user(interaction)
        await answer(interaction, words("admin.handed" if level else "admin.offered"))

    @app_commands.command(
        name=said("command.admin.end.name"), description=said("command.admin.end.description")
    )
    @worded("admin.end", "table")
    @answering
    async def end(self, interaction: Interaction, table: int) -> None:
        """Asks once more before it ends a table."""
        await wait(interaction)
        found = await self.bot.tables.of_guild(managed(interaction), table)
        if found.status in ("over", "cancelled"):
            raise TableError("over", table=table, game=found.game, status=found.status)
        words = await self.bot.languages.of_user(interaction)
        button = TableButton(Press(table, found.version, "adminend"), words("button.adminend"), "danger")
        await answer(interaction, words("admin.sure-end", table=table), view=Rows(button))

    @app_commands.command(
        name=said("command.admin.health.name"), description=said("command.admin.health.description")
    )
    @answering
    async def health(self, interaction: Interaction) -> None:
        """One line for the owner of the bot."""
        await wait(interaction)
        if not await self.bot.is_owner(interaction.user):
            raise TableError("not-owner")
        words = await self.bot.languages.of_user(interaction)
        found = await self.readings.reading()
        line = words("admin.health", **found.parameters())
        fault = "" if found.fault is None else storage_fault(found.fault, "admin", words)
        await answer(interaction, f"{fault}\n{line}".strip())


def line_of(stuck: Stuck, words: Words) -> str:
    """A stuck table in a line."""
    return words(
        f"admin.stuck-{stuck.why}",
        heading=controls.heading(stuck.table, words),
        where=controls.place_link(stuck.table),
        since=moment(stuck.since, "R"),
        n=stuck.unsent,
    )


@on_press("adminend")
async def press_end(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """End the table, really."""
    await wait(interaction)
    await interaction.client.tables.end(
        managed(interaction), press.table, interaction.user.id, interaction.id
    )
    words = await interaction.client.languages.of_user(interaction)
    await answer(interaction, words("answer.cancelled", table=press.table))
