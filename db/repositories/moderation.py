"""What a server's moderators set and look up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from db.database import Source, Transaction

LIMITS = frozenset({"user_tables", "server_tables"})


class StuckRow(NamedTuple):
    """A table, why it is stuck, since when (ms UTC), and how many posts wait."""

    table_id: int
    why: str
    since: int
    unsent: int


async def set_channels(tx: Transaction, guild_id: int, channels: Sequence[int]) -> None:
    """Where tables may be made; none means everywhere."""
    tx.put(
        "INSERT INTO guilds (id, channels) VALUES (?, ?) "
        "ON CONFLICT (id) DO UPDATE SET channels = excluded.channels",
        (guild_id, json.dumps(sorted(channels)) if channels else None),
    )


async def set_limits(tx: Transaction, guild_id: int, limits: Mapping[str, int | None]) -> None:
    """Sets some of LIMITS; None is the default."""
    if strange := limits.keys() - LIMITS:
        raise ValueError(f"no such limits: {sorted(strange)}")
    for name, most in limits.items():
        tx.put(
            f"INSERT INTO guilds (id, {name}) VALUES (?, ?) "  # noqa: S608 - known names
            f"ON CONFLICT (id) DO UPDATE SET {name} = excluded.{name}",
            (guild_id, most),
        )


async def stuck(
    source: Source, guild_id: int, *, unsent_since: int, waits_since: int, open_since: int, most: int
) -> list[StuckRow]:
    """A server's tables that are out of order, or unsent, waiting or open since before these times."""
    rows = await source.all(
        "SELECT t.id, t.status, t.aside_at, t.barred_at, t.turn_since, t.created_at, t.paused_at, "
        "coalesce(o.unsent, 0) AS unsent, o.oldest FROM tables t LEFT JOIN "
        "(SELECT table_id, count(*) AS unsent, min(created_at) AS oldest FROM outbox WHERE state IN "
        "('queued', 'flying') GROUP BY table_id) o ON o.table_id = t.id "
        "WHERE t.guild_id = ? AND t.status IN ('open', 'running') ORDER BY t.id",
        (guild_id,),
    )
    found = []
    for row in rows:
        if row["aside_at"] is not None:
            found.append(StuckRow(row["id"], "broken", row["aside_at"], row["unsent"]))
        elif row["barred_at"] is not None:
            found.append(StuckRow(row["id"], "barred", row["barred_at"], row["unsent"]))
        elif row["oldest"] is not None and row["oldest"] < unsent_since:
            found.append(StuckRow(row["id"], "unsent", row["oldest"], row["unsent"]))
        elif row["status"] == "open" and row["created_at"] < open_since:
            found.append(StuckRow(row["id"], "lobby", row["created_at"], row["unsent"]))
        elif row["paused_at"] is None and (row["turn_since"] or waits_since) < waits_since:
            found.append(StuckRow(row["id"], "waiting", row["turn_since"], row["unsent"]))
    return found[:most]
