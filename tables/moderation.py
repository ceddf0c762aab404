"""What those who manage a server may do: never look into a hand, never take a seat they give away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from db.repositories import guilds, moderation, tables
from engines.protocol import Seat
from tables.core import caps
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.model import Table, Vote
from tables.core.options import UNITS
from tables.lobby import seating
from tables.seats import handover
from tables.seats.handover import Successor

UNSENT_MS = UNITS["h"]
WAITS_MS = 14 * UNITS["d"]
OPEN_MS = 3 * UNITS["d"]
MOST_SHOWN = 20
MOST_CHANNELS = 50


@dataclass(frozen=True)
class Stuck:
    """A table that does not go on: `broken`, `barred`, `unsent` (so many posts), `waiting` or a `lobby`."""

    table: Table
    why: str
    since: int
    unsent: int


@dataclass(frozen=True)
class Limits:
    """Most live tables of one player and of the server, and how many it has."""

    user: int
    server: int
    now: int


async def own_table(house: House, guild_id: int, table_id: int) -> Table:
    """A table of this server; those of others do not exist for its moderators. Raises `no-table`."""
    table = await house.table(table_id)
    if table.place.guild_id != guild_id:
        raise TableError("no-table", table=table_id)
    return table


async def channels(house: House, guild_id: int) -> list[int]:
    """Where tables may be made; none means everywhere."""
    settings = await guilds.get(house.database.reads, guild_id)
    return guilds.channels(settings)


async def allow(house: House, guild_id: int, channel_id: int, *, allowed: bool) -> list[int]:
    """Puts a channel on the list or takes it off; the list."""
    listed = set(await channels(house, guild_id))
    listed = listed | {channel_id} if allowed else listed - {channel_id}
    if len(listed) > MOST_CHANNELS:
        raise TableError("bad-limit", most=MOST_CHANNELS)
    async with house.database.transaction() as tx:
        await moderation.set_channels(tx, guild_id, sorted(listed))
    return sorted(listed)


async def limits(house: House, guild_id: int, given: Mapping[str, int | None]) -> Limits:
    """Sets `user_tables` and `server_tables` where given, 0 for the default. Raises `bad-limit` (most)."""
    wanted = {name: most for name, most in given.items() if most is not None}
    if any(not 0 <= most <= caps.HIGHEST for most in wanted.values()):
        raise TableError("bad-limit", most=caps.HIGHEST)
    if wanted:
        async with house.database.transaction() as tx:
            await moderation.set_limits(tx, guild_id, {name: most or None for name, most in wanted.items()})
    settings = await guilds.get(house.database.reads, guild_id)
    return Limits(
        settings.user_tables or caps.USER_TABLES,
        settings.server_tables or caps.SERVER_TABLES,
        await tables.live_in(house.database.reads, guild_id),
    )


async def stuck(house: House, guild_id: int) -> list[Stuck]:
    """Tables of this server that do not go on."""
    now = house.clock.now()
    rows = await moderation.stuck(
        house.database.reads,
        guild_id,
        unsent_since=now - UNSENT_MS,
        waits_since=now - WAITS_MS,
        open_since=now - OPEN_MS,
        most=MOST_SHOWN,
    )
    return [Stuck(await house.table(row.table_id), row.why, row.since, row.unsent) for row in rows]


async def end(house: House, guild_id: int, table_id: int, user_id: int, interaction_id: int) -> Table | Vote:
    """Ends a table of this server, whatever state it is in.

    Raises `moderator-plays`: nobody calls off a game that he is losing.
    """
    table = await own_table(house, guild_id, table_id)
    others = [seat for seat in table.seats if seat.user_id not in (None, user_id)]
    if table.status == "running" and table.seat_of(user_id) is not None and others:
        raise TableError("moderator-plays", table=table_id, game=table.game)
    return await seating.cancel(house, table_id, user_id, interaction_id, moderator=True)


async def hand_over(  # noqa: PLR0917 - who asks, about what, for whom
    house: House, guild_id: int, table_id: int, user_id: int, seat: Seat, to: Successor, interaction_id: int
) -> Table | Vote:
    """Offers a seat, or gives it to the bot. Raises `moderator-seat`, `moderator-plays`, `bad-seat`, ..."""
    table = await own_table(house, guild_id, table_id)
    if to.user is not None and to.user.id == user_id:
        raise TableError("moderator-seat", table=table_id, game=table.game)
    if table.seat_of(user_id) is not None:
        raise TableError("moderator-plays", table=table_id, game=table.game)
    return await handover.replace_player(house, table_id, user_id, seat, to, interaction_id, moderator=True)
