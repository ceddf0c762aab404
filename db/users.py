"""People: names and locales as last seen, and their settings."""

from __future__ import annotations

from collections.abc import Sequence

from db.database import Source, Transaction
from db.rows import UserRow, row_of


async def see(tx: Transaction, user_id: int, name: str, locale: str | None) -> None:
    """Remembers a user's name, and the locale where it is known."""
    tx.put(
        "INSERT INTO users (id, name, locale) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "name = excluded.name, locale = coalesce(excluded.locale, locale)",
        (user_id, name, locale),
    )


async def get(source: Source, user_id: int) -> UserRow | None:
    """A user, if ever seen."""
    row = await source.one("SELECT * FROM users WHERE id = ?", (user_id,))
    return None if row is None else row_of(UserRow, row)


async def without_dm(source: Source, user_ids: Sequence[int]) -> set[int]:
    """Those of the users who do not want hands by DM."""
    marks = ", ".join("?" for _ in user_ids)
    rows = await source.all(
        f"SELECT id FROM users WHERE dm = 0 AND id IN ({marks})",  # noqa: S608 - only marks
        list(user_ids),
    )
    return {int(row["id"]) for row in rows}


async def set_language(tx: Transaction, user_id: int, name: str, language: str | None) -> None:
    """The user's own language; None follows Discord."""
    await see(tx, user_id, name, None)
    tx.put("UPDATE users SET language = ? WHERE id = ?", (language, user_id))


async def set_dm(tx: Transaction, user_id: int, name: str, dm: bool) -> None:
    """Whether hands go by DM."""
    await see(tx, user_id, name, None)
    tx.put("UPDATE users SET dm = ? WHERE id = ?", (dm, user_id))
