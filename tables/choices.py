"""Languages, and where things are posted: what users and servers choose."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from db.repositories import guilds, users
from tables.core.house import House
from tables.core.model import User


class OwnChoices(TypedDict):
    """A user's: the language (None follows Discord), and whether hands go by DM."""

    language: NotRequired[str | None]
    dm: NotRequired[bool]


class ServerChoices(TypedDict):
    """A server's: the language of posts (None follows its locale), whether each table gets a thread.

    forum  where each gets a post instead; None: nowhere
    """

    language: NotRequired[str | None]
    threads: NotRequired[bool]
    forum: NotRequired[int | None]


async def choose(house: House, user: User, chosen: OwnChoices) -> None:
    """Sets what a user chose; what is not named stays."""
    async with house.database.transaction() as tx:
        if "language" in chosen:
            await users.set_language(tx, user.id, user.name, chosen["language"])
        if "dm" in chosen:
            await users.set_dm(tx, user.id, user.name, chosen["dm"])


async def choose_for_server(house: House, guild_id: int, chosen: ServerChoices) -> None:
    """Sets what was chosen for a server; what is not named stays."""
    async with house.database.transaction() as tx:
        if "language" in chosen:
            await guilds.set_language(tx, guild_id, chosen["language"])
        if "threads" in chosen:
            await guilds.set_threads(tx, guild_id, chosen["threads"])
        if "forum" in chosen:
            await guilds.set_forum(tx, guild_id, chosen["forum"])
