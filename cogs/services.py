"""What commands, panels and the courier find on their client: the bot as the Discord layer knows it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Literal, Protocol

import discord
from discord.ext import commands

from cogs.text.languages import Languages
from cogs.text.rules_pages import Plates
from cogs.text.signs import Signs
from db.database import Database
from db.repositories.outbox import Part
from tables.core.clock import Clock
from tables.core.lane import Lane
from tables.core.model import Table
from tables.core.one_each import Door, OneEach, Queues
from tables.service import Tables
from workers.drawing import Studio

Kind = Literal["playing", "typing", "asking", "reading", "importing"]  # what an interaction costs


class Limits(Protocol):
    """How often one user, and one server, may ask."""

    def wait(self, user_id: int, guild_id: int | None, kind: Kind) -> int:
        """Whole seconds that this user has to wait, 0 where nothing stands in the way."""


class Sightings(Protocol):
    """When a member of a server was last found there."""

    def fresh(self, guild_id: int, user_id: int) -> bool:
        """Whether this member was found there not long ago."""

    def note(self, guild_id: int, user_id: int) -> None:
        """The member is there now."""

    def forget(self, guild_id: int, user_id: int) -> None:
        """The member is to be looked for again."""


class Openings(Protocol):
    """Answers that say where a table is played, to be changed once its thread is open."""

    @property
    def awaited(self) -> frozenset[int]:
        """Tables whose thread is waited for."""

    def wait(self, table_id: int, change: Callable[[Table], Awaitable[None]]) -> None:
        """Calls `change` with the table when its thread is open."""

    async def opened(self, table: Table) -> None:
        """The thread is open."""

    async def opened_elsewhere(self, table: Table) -> None:
        """Another process has changed the table: perhaps its thread is open."""


class OpenPanels(Protocol):
    """Panels that go on by themselves when it is their owner's turn again."""

    def wait(self, table_id: int, user_id: int, go_on: Callable[[], Awaitable[None]]) -> None:
        """Calls `go_on` when it is this user's turn at the table."""

    def awaits(self, table_id: int) -> bool:
        """Whether a panel waits for a turn at this table."""

    def forget(self, table_id: int, user_id: int) -> None:
        """The user has opened another panel."""

    def turned(self, table_id: int, users: frozenset[int]) -> None:
        """These users have to act at the table now."""

    async def close(self) -> None:
        """Changes nothing more."""


class Services(commands.AutoShardedBot):
    """The services of a running bot. `bot.py` wires them; nothing in `cogs` knows more of it."""

    clock: Clock
    database: Database
    tables: Tables
    languages: Languages
    limiter: Limits
    studio: Studio
    reading: OneEach[int]  # whose whole log is folded: one request a user at a time
    door: Door  # before what only looks
    refusals: asyncio.Semaphore  # answers to what is not carried out
    drawing: Queues  # pictures that somebody asks for: one at a time for each user
    leisure: asyncio.Semaphore  # for pictures that nobody's game waits for
    writing: Lane  # where texts are put together that grow with a game
    plates: Plates
    signs: Signs  # the bot's own emoji
    sightings: Sightings
    openings: Openings
    following: OpenPanels
    part: Part | None = None  # of all shards, where other processes run the others


if TYPE_CHECKING:
    Interaction = discord.Interaction[Services]
else:
    Interaction = discord.Interaction

__all__ = ["Interaction", "Services"]
