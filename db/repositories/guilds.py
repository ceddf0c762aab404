"""Servers' settings."""

from __future__ import annotations

import json

from db.database import Source, Transaction
from db.rows import GuildRow, whole


async def get(source: Source, guild_id: int) -> GuildRow:
    """A server's settings; the defaults where nothing was set."""
    row = await source.one("SELECT * FROM guilds WHERE id = ?", (guild_id,))
    settings = None if row is None else whole(GuildRow, row)
    return settings or GuildRow(guild_id)


async def removed(source: Source, guild_id: int | None) -> bool:
    """Whether the bot is not in this server any more."""
    return guild_id is not None and (await get(source, guild_id)).left_at is not None


async def silent(source: Source, guild_id: int | None) -> bool:
    """Whether Discord cannot reach this server now."""
    return guild_id is not None and (await get(source, guild_id)).silent_at is not None


async def set_silent(tx: Transaction, guild_id: int, silent_at: int | None) -> None:
    """Since when Discord cannot reach the server; None when it can."""
    tx.put(
        "INSERT INTO guilds (id, silent_at) VALUES (?, ?) "
        "ON CONFLICT (id) DO UPDATE SET silent_at = excluded.silent_at",
        (guild_id, silent_at),
    )


def channels(settings: GuildRow) -> list[int]:
    """Where tables may be made; none means everywhere."""
    return list(json.loads(settings.channels or "[]"))


async def set_language(tx: Transaction, guild_id: int, language: str | None) -> None:
    """The language of posts; None follows the server's preferred locale."""
    tx.put(
        "INSERT INTO guilds (id, language) VALUES (?, ?) "
        "ON CONFLICT (id) DO UPDATE SET language = excluded.language",
        (guild_id, language),
    )


async def set_left(tx: Transaction, guild_id: int, left_at: int | None) -> None:
    """When the bot was removed from the server; None when it is there."""
    tx.put(
        "INSERT INTO guilds (id, left_at) VALUES (?, ?) "
        "ON CONFLICT (id) DO UPDATE SET left_at = excluded.left_at",
        (guild_id, left_at),
    )


async def set_threads(tx: Transaction, guild_id: int, threads: bool) -> None:
    """Whether each table gets a thread."""
    tx.put(
        "INSERT INTO guilds (id, threads) VALUES (?, ?) "
        "ON CONFLICT (id) DO UPDATE SET threads = excluded.threads",
        (guild_id, threads),
    )


async def set_forum(tx: Transaction, guild_id: int, forum_id: int | None) -> None:
    """The forum in which new tables get a post each; None: none."""
    tx.put(
        "INSERT INTO guilds (id, forum_id) VALUES (?, ?) "
        "ON CONFLICT (id) DO UPDATE SET forum_id = excluded.forum_id",
        (guild_id, forum_id),
    )


async def with_live_tables(source: Source) -> list[tuple[int, bool]]:
    """Servers where tables are open or running, each with whether the bot was removed, as far as is known."""
    rows = await source.all(
        "SELECT DISTINCT t.guild_id, g.left_at IS NOT NULL AS gone FROM tables t "
        "LEFT JOIN guilds g ON g.id = t.guild_id "
        "WHERE t.status IN ('open', 'running') AND t.guild_id IS NOT NULL ORDER BY 1"
    )
    return [(int(row["guild_id"]), bool(row["gone"])) for row in rows]
