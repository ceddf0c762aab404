"""People: names and locales as last seen, and their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from db.database import Source, Transaction
from db.rows import BlockRow, UserRow, whole, wholes
from db.statements import add

BLOCK = add("blocks", ("user_id", "blocked_id"))
LEAVE = add("leavers", ("user_id", "guild_id", "at"))

PREFERENCES = frozenset(
    {"remind_hours", "zone", "quiet_from", "quiet_to", "next_ping", "away_until", "call_by", "digest_at"}
)


async def see(tx: Transaction, user_id: int, name: str, locale: str | None) -> None:
    """Remembers a user's name, and the locale where it is known."""
    tx.put(
        "INSERT INTO users (id, name, locale) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "name = excluded.name, locale = coalesce(excluded.locale, users.locale)",
        (user_id, name, locale),
    )


async def get(source: Source, user_id: int) -> UserRow | None:
    """A user, if ever seen."""
    row = await source.one("SELECT * FROM users WHERE id = ?", (user_id,))
    return None if row is None else whole(UserRow, row)


async def some(source: Source, user_ids: Sequence[int]) -> dict[int, UserRow]:
    """Those of the users who were ever seen, by id."""
    marks = ", ".join("?" for _ in user_ids)
    rows = await source.all(
        f"SELECT * FROM users WHERE id IN ({marks})",  # noqa: S608 - only marks
        list(user_ids),
    )
    return {user.id: user for user in wholes(UserRow, rows)}


async def without_dm(source: Source, user_ids: Sequence[int]) -> set[int]:
    """Those of the users who do not want hands by DM."""
    marks = ", ".join("?" for _ in user_ids)
    rows = await source.all(
        f"SELECT id FROM users WHERE dm = 0 AND id IN ({marks})",  # noqa: S608 - only marks
        list(user_ids),
    )
    return {int(row["id"]) for row in rows}


async def called_elsewhere(source: Source) -> list[UserRow]:
    """Those who do not want to be called at the table."""
    return wholes(UserRow, await source.all("SELECT * FROM users WHERE call_by <> 'table'"))


async def set_language(tx: Transaction, user_id: int, name: str, language: str | None) -> None:
    """The user's own language; None follows Discord."""
    await see(tx, user_id, name, None)
    tx.put("UPDATE users SET language = ? WHERE id = ?", (language, user_id))


async def close_dm(tx: Transaction, user_id: int) -> None:
    """No more hands by DM; who is not known, because he was forgotten, stays so."""
    tx.put("UPDATE users SET dm = 0 WHERE id = ?", (user_id,))


async def set_call(tx: Transaction, user_id: int, call_by: str) -> None:
    """Where a user is called; who is not known, because they were forgotten, stays so."""
    tx.put("UPDATE users SET call_by = ? WHERE id = ?", (call_by, user_id))


async def back(tx: Transaction, user_id: int) -> None:
    """A vacation is over."""
    tx.put("UPDATE users SET away_until = NULL WHERE id = ?", (user_id,))


async def set_dm(tx: Transaction, user_id: int, name: str, dm: bool) -> None:
    """Whether hands go by DM."""
    await see(tx, user_id, name, None)
    tx.put("UPDATE users SET dm = ? WHERE id = ?", (dm, user_id))


async def prefer(tx: Transaction, user_id: int, name: str, values: Mapping[str, Any]) -> None:
    """Sets some of PREFERENCES."""
    if strange := values.keys() - PREFERENCES:
        raise ValueError(f"no such preferences: {sorted(strange)}")
    await see(tx, user_id, name, None)
    if values:
        sets = ", ".join(f"{key} = ?" for key in values)
        tx.put(f"UPDATE users SET {sets} WHERE id = ?", [*values.values(), user_id])  # noqa: S608


async def block(tx: Transaction, user_id: int, blocked_id: int) -> None:
    """`user_id` does not want to be invited by `blocked_id`."""
    tx.put(BLOCK, (user_id, blocked_id))


async def unblock(tx: Transaction, user_id: int, blocked_id: int) -> None:
    """Takes a block back."""
    tx.put("DELETE FROM blocks WHERE user_id = ? AND blocked_id = ?", (user_id, blocked_id))


async def blocked_by(source: Source, user_id: int) -> list[int]:
    """Whom this user has blocked."""
    rows = await source.all("SELECT * FROM blocks WHERE user_id = ? ORDER BY blocked_id", (user_id,))
    return [row.blocked_id for row in wholes(BlockRow, rows)]


async def blocking(source: Source, user_id: int, others: Sequence[int]) -> set[int]:
    """Those of `others` who have blocked this user."""
    marks = ", ".join("?" for _ in others)
    rows = await source.all(
        f"SELECT user_id FROM blocks WHERE blocked_id = ? AND user_id IN ({marks})",  # noqa: S608
        [user_id, *others],
    )
    return {int(row["user_id"]) for row in rows}


async def leave(tx: Transaction, user_id: int, guild_id: int, now: int) -> None:
    """A user has left a server; 0: Discord itself."""
    tx.put(LEAVE, (user_id, guild_id, now))


async def left(source: Source, user_id: int, guild_id: int) -> bool:
    """Whether a user is known to have left a server, or Discord."""
    row = await source.one(
        "SELECT 1 AS one FROM leavers WHERE user_id = ? AND guild_id IN (0, ?)", (user_id, guild_id)
    )
    return row is not None


async def arrive(tx: Transaction, user_id: int, guild_id: int) -> None:
    """A user is in a server, and on Discord."""
    tx.put("DELETE FROM leavers WHERE user_id = ? AND guild_id IN (0, ?)", (user_id, guild_id))
