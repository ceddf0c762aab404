"""How many tables one person, and one server, may have open or running at a time."""

from __future__ import annotations

from db.repositories import guilds, tables
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.model import Place

USER_LOBBIES = 25  # tables that somebody made and that have not started
USER_TABLES = 100  # at which somebody sits, open or running
SERVER_TABLES = 2000
HIGHEST = 100_000  # what a server may set


async def room_for(house: House, user_id: int, guild_id: int | None, game: str, *, making: bool) -> None:
    """Raises `too-many-lobbies`, `too-many-tables` or `server-full` (most) where no more is allowed."""
    reads = house.database.reads
    settings = None if guild_id is None else await guilds.get(reads, guild_id)
    most = (settings.user_tables if settings else None) or USER_TABLES
    if making and await tables.lobbies_of(reads, user_id) >= USER_LOBBIES:
        raise TableError("too-many-lobbies", game=game, most=USER_LOBBIES)
    if await tables.live_of(reads, user_id) >= most:
        raise TableError("too-many-tables", game=game, most=most)
    if guild_id is None or not making:
        return
    most = (settings.server_tables if settings else None) or SERVER_TABLES
    if await tables.live_in(reads, guild_id) >= most:
        raise TableError("server-full", game=game, most=most)


async def allowed_here(house: House, place: Place, game: str) -> None:
    """Raises `channel-not-allowed` (channels) where the server's moderators want no tables."""
    if place.guild_id is None:
        return
    settings = await guilds.get(house.database.reads, place.guild_id)
    allowed = guilds.channels(settings)
    if allowed and place.channel_id not in (*allowed, settings.forum_id):
        raise TableError("channel-not-allowed", game=game, channels=[f"<#{number}>" for number in allowed])
