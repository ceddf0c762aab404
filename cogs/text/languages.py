"""Which language who reads: a user's own or his Discord's, a server's, a DM's."""

from __future__ import annotations

from typing import Any, NamedTuple

import discord

from db.database import Database
from db.errors import DatabaseError
from db.repositories import guilds, users
from locales import Words, words
from tables.core.model import Table


class GuildSettings(NamedTuple):
    """A server's settings; `locale` None follows its preferred locale."""

    locale: str | None
    threads: bool
    forum: int | None = None


class Languages:
    """Looks up settings at each use: they are one row each, and may change at any time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_user(self, interaction: discord.Interaction[Any]) -> Words:
        """For an ephemeral answer: the user's setting, else the language of his Discord."""
        try:
            row = await users.get(self._database.reads, interaction.user.id)
        except DatabaseError:  # then the answer is about that
            row = None
        own = None if row is None else row.language
        return words(own or interaction.locale.value)

    async def of_dm(self, user_id: int) -> Words:
        """For a DM: the user's setting, else the locale last seen."""
        row = await users.get(self._database.reads, user_id)
        return words(None if row is None else row.language or row.locale)

    async def of_posts(self, guild_id: int | None, preferred: str | None) -> Words:
        """For a post in a server: the server's setting, else what it preferred when the table was made."""
        settings = await self.of_guild(guild_id)
        return words(settings.locale or preferred)

    async def of_answer(self, interaction: discord.Interaction[Any], table: Table | None) -> Words:
        """For an answer that everybody at `table` reads, as a post is read; for who asks without one."""
        if table is None:
            return await self.of_user(interaction)
        return await self.of_posts(table.place.guild_id, table.locale)

    async def of_guild(self, guild_id: int | None) -> GuildSettings:
        """A server's settings; the defaults in a DM."""
        if guild_id is None:
            return GuildSettings(None, threads=False)
        row = await guilds.get(self._database.reads, guild_id)
        return GuildSettings(row.language, row.threads, row.forum_id)
