"""Chapters in a channel: a battle is one message that is edited while it is young and the table's last.

An edit pings nobody, so who has to act is told in a short line below it; there is one such line at a time.
"""

from __future__ import annotations

import json
import logging
from typing import Any

import discord

from cogs.posting.codes import NO_CHANNEL, NO_MESSAGE
from cogs.services import Services
from db.repositories import outbox
from db.rows import Message, OutboxRow
from tables.core.elsewhere import NUDGE
from tables.core.model import Table

log = logging.getLogger("hatamoto.chapters")
BESIDE = (NUDGE, "ready")  # rows whose messages do not count as coming after a board
EDITABLE_MS = 3_600_000  # edits of older messages are rationed


def chapter_of(row: OutboxRow) -> str | None:
    """The chapter that a board belongs to."""
    key = row.content.get("chapter") if row.kind == "board" else None
    return None if key is None else str(key)


async def standing(bot: Services, row: OutboxRow, table: Table) -> int | None:
    """The message that already shows this board's chapter and may be edited; None where it is posted anew.

    What counts is what the message shows: the game may be in another chapter already.
    """
    key, last = chapter_of(row), table.board_message_id
    if key is None or last is None:
        return None
    sent_at = int(discord.utils.snowflake_time(last).timestamp() * 1000)
    if bot.clock.now() - sent_at > EDITABLE_MS:
        return None
    newest = await outbox.newest(bot.database.reads, row.destination, BESIDE)
    return last if newest == (last, key) else None


def nudges(row: OutboxRow, table: Table) -> tuple[Message, ...]:
    """After an edit: who has to act is told by a line of its own."""
    payload = row.content
    if not payload.get("mention"):
        return ()
    kept = {
        name: payload[name] for name in ("table", "game", "version", "locale", "names", "users", "mention")
    }
    if payload.get("direct"):
        kept["direct"] = True  # nobody is called elsewhere than there
    text = json.dumps({**kept, "code": NUDGE, "params": {}}, ensure_ascii=False)
    return (Message(table.id, row.destination, NUDGE, text),)


def outdated(row: OutboxRow, table: Table) -> bool:
    """Whether a line calls nobody who still has to act: the game went on before it was sent."""
    return row.kind == NUDGE and not called(row, table)


def called(row: OutboxRow, table: Table) -> set[int]:
    """Users whom a post mentions and who have to act."""
    return mentioned(row) & {table.seats[seat].user_id or 0 for seat in table.to_act}


def mentioned(row: OutboxRow) -> set[int]:
    """Users whom a post mentions."""
    return set(row.content.get("mention") or ())


async def nudged(bot: Services, row: OutboxRow, table: Table) -> int | None:
    """The line below a chapter's message that goes before this row, which is newer, tells who has to act."""
    if row.kind not in (NUDGE, "board", "over", "recap"):
        return None
    since = bot.clock.now() - EDITABLE_MS
    last = await outbox.last_sent(bot.database.reads, row.destination, NUDGE, row.table_id, since)
    return None if last is None or last < (table.board_message_id or 0) else last


async def clear(table: Table, channel: Any, line: int) -> None:
    """Takes away such a line."""
    try:
        await channel.get_partial_message(line).delete()
    except discord.HTTPException as error:
        if error.code not in (NO_MESSAGE, NO_CHANNEL):
            log.warning("a line of table %s stays: %s", table.id, error)
