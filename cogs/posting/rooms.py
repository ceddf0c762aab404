"""Threads of tables: a public one under the lobby's message, a private one for those who play.

A private thread needs Create Private Threads. Where that is missing, or Discord refuses one for any other
reason, the table has a public one or its channel, and says so.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Literal, NamedTuple

import discord

from cogs.posting.codes import HAS_THREAD, TROUBLE, refused
from cogs.services import Services
from db.rows import Message, OutboxRow
from tables.core.model import Table

log = logging.getLogger("hatamoto.rooms")
NOT_PRIVATE, REFUSED = "not-private", "not-private-refused"  # what the table is told
MOST_WAITING = 1000  # tables
LONGEST: Literal[10080] = 10080  # minutes without a post until Discord archives a thread
PRIVATE = discord.ChannelType.private_thread


class Openings:
    """Answers that say where a table is played, to be changed once its thread is open; in memory."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[int, list[Callable[[Table], Awaitable[None]]]] = OrderedDict()

    def wait(self, table_id: int, change: Callable[[Table], Awaitable[None]]) -> None:
        """Calls `change` with the table when its thread is open."""
        self._waiting.setdefault(table_id, []).append(change)
        while len(self._waiting) > MOST_WAITING:
            self._waiting.popitem(last=False)

    @property
    def awaited(self) -> frozenset[int]:
        """Tables whose thread is waited for."""
        return frozenset(self._waiting)

    async def opened_elsewhere(self, table: Table) -> None:
        """Another process has changed the table: perhaps its thread is open."""
        if table.place.thread_id is not None:
            await self.opened(table)

    async def opened(self, table: Table) -> None:
        """The thread is open. An answer that cannot be changed any more stays as it was."""
        for change in self._waiting.pop(table.id, ()):
            try:
                await change(table)
            except (discord.HTTPException, *TROUBLE) as error:
                log.warning("an answer about table %s stays as it was: %s", table.id, error)


async def opened(bot: Services, table: Table, name: str, *, again: bool) -> int | None:
    """The table's thread, opened now or by an attempt that was cut off (`again`); None where there is none.

    None leaves the table in its channel.
    """
    if not table.private:
        return await public_thread(bot, table, name)
    found = await private_thread(bot, table, name, again=again)
    if found.thread_id is not None:
        return found.thread_id
    thread = await public_thread(bot, table, name)
    await tell(bot, table, found.why)
    return thread


class Room(NamedTuple):
    """A private thread, or what the table is told where there is none."""

    thread_id: int | None
    why: str = ""


async def public_thread(bot: Services, table: Table, name: str) -> int | None:
    """A thread under the lobby's message: its id is the message's, so opening it twice is harmless."""
    if table.lobby_message_id is None:
        return None
    channel = bot.get_partial_messageable(table.place.channel_id, guild_id=table.place.guild_id)
    try:
        await channel.get_partial_message(table.lobby_message_id).create_thread(
            name=name, auto_archive_duration=LONGEST
        )
    except discord.HTTPException as error:
        if error.code != HAS_THREAD and refused(error):
            log.warning("table %s plays in its channel: %s", table.id, error)
            return None
        if error.code != HAS_THREAD:
            raise
    return table.lobby_message_id


async def private_thread(bot: Services, table: Table, name: str, *, again: bool) -> Room:
    """A thread that only its members see, with the players in it; none where Discord refuses that.

    One that its players cannot be brought into, as it is full, is none.
    """
    place = table.place
    found = await left_behind(bot, table, name) if again else None
    if found is None:
        try:
            channel = bot.get_channel(place.channel_id) or await bot.fetch_channel(place.channel_id)
            if not isinstance(channel, discord.TextChannel):
                return Room(None, NOT_PRIVATE)
            made = await channel.create_thread(
                name=name, type=PRIVATE, invitable=False, auto_archive_duration=LONGEST
            )
        except discord.HTTPException as error:
            if not refused(error):
                raise
            log.warning("table %s has no private thread: %s", table.id, error)
            return Room(None, NOT_PRIVATE if error.status in (403, 404) else REFUSED)
        found = made.id
    if await bring(bot, found, players(table)):
        return Room(None, REFUSED)
    return Room(found)


async def left_behind(bot: Services, table: Table, name: str) -> int | None:
    """The private thread that an attempt before a crash opened: its name begins with the table's number."""
    listed = await bot.http.get_active_threads(table.place.guild_id or 0)
    for thread in listed["threads"]:
        ours = bot.user is not None and int(thread["owner_id"]) == bot.user.id
        below = int(thread["parent_id"]) == table.place.channel_id
        if ours and below and thread["type"] == PRIVATE.value and thread["name"] == name:
            return int(thread["id"])
    return None


def players(table: Table) -> list[int]:
    """Those who sit there and are not gone."""
    return [seat.user_id for seat in table.seats if seat.user_id is not None and seat.gone is None]


async def bring(bot: Services, thread_id: int, users: Iterable[int]) -> list[int]:
    """Puts players into a private thread; those for whom it has no room.

    Who cannot be brought because he left is noticed when he is called.
    """
    outside = []
    for user_id in users:
        try:
            await bot.http.add_user_to_thread(thread_id, user_id)
        except discord.HTTPException as error:
            if not refused(error):
                raise
            log.warning("user %s cannot be brought to thread %s: %s", user_id, thread_id, error)
            if error.status not in (403, 404):
                outside.append(user_id)
    return outside


async def dismiss(bot: Services, thread_id: int, user_id: int) -> None:
    """Takes who does not play any more out of a private thread, which its maker may do."""
    try:
        await bot.http.remove_user_from_thread(thread_id, user_id)
    except discord.HTTPException as error:
        if not refused(error):
            raise
        log.warning("user %s stays in thread %s: %s", user_id, thread_id, error)


async def change_of_players(bot: Services, row: OutboxRow, table: Table) -> None:
    """A seat has changed hands: the private thread has the newcomer in, and the one before out."""
    thread_id = table.place.thread_id
    if table.in_place or thread_id in (None, table.place.channel_id) or not await is_private(bot, thread_id):
        return
    for user_id in await bring(bot, thread_id, players(table)):
        await tell(bot, table, "not-brought", user=f"<@{user_id}>")
    left = row.content.get("left")
    if left is not None and table.seat_of(left) is None:
        await dismiss(bot, thread_id, left)


async def named_anew(bot: Services, table: Table, name: str) -> None:
    """A seat has changed hands: the thread that was named by who plays is named by who plays now.

    One that people have named otherwise keeps its name, and so does one where Discord takes no more names now
    (two in ten minutes).
    """
    thread = bot.get_channel(table.place.thread_id or 0)
    if table.in_place or not isinstance(thread, discord.Thread) or thread.archived or thread.name == name:
        return
    if not thread.name.startswith(f"#{table.id} "):
        return
    try:
        await thread.edit(name=name)
    except (discord.HTTPException, discord.RateLimited, *TROUBLE) as error:
        log.warning("the thread of table %s keeps its name: %s", table.id, error)


async def is_private(bot: Services, thread_id: int) -> bool:
    """Whether a thread is one that only its members see."""
    try:
        thread = bot.get_channel(thread_id) or await bot.fetch_channel(thread_id)
    except discord.HTTPException as error:
        if not refused(error):
            raise
        return False
    return isinstance(thread, discord.Thread) and thread.is_private()


def line(table: Table, code: str, **params: str) -> Message:
    """A line at the table."""
    payload = json.dumps({"code": code, "params": params, "mention": []}, ensure_ascii=False)
    return Message(table.id, f"table:{table.id}", "line", payload)


async def tell(bot: Services, table: Table, code: str, **params: str) -> None:
    """Queues a line at the table."""
    await bot.tables.say(line(table, code, **params))
