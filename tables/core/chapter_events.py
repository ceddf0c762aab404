"""Chapters: what the public follows in one message, such as a battle; all its events, and its recap.

What bots do in a row is a chapter in every game: it begins with the action that makes it a bot's turn,
whatever the game's own chapters are, and is one message until a person has decided again.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from db.database import Database, Transaction
from db.repositories import chapters
from db.rows import ChapterRow
from engines.capabilities import Chapters
from engines.former import StoredSeen
from engines.protocol import Json, Seen
from tables.core.loaded import Loaded

log = logging.getLogger("hatamoto.tables")
RUN = "bots from"
SEEN = TypeAdapter(tuple[StoredSeen, ...])


@dataclass(frozen=True)
class Chapter:
    """After an entry: what is going on (`key`), its public events so far, and what ended, summed up."""

    key: str | None
    told: tuple[Seen, ...]
    recap: tuple[Seen, ...]

    def payload(self) -> dict[str, Json]:
        """What a board's row holds of it: nothing but what was public."""
        return {"chapter": self.key, "events": SEEN.dump_python(self.told, mode="json")} if self.key else {}

    def summed(self) -> list[Json]:
        """The recap as JSON."""
        return list(SEEN.dump_python(self.recap, mode="json"))


async def going_on(database: Database, before: Loaded) -> ChapterRow | None:
    """What was told so far of the chapter that goes on at a table."""
    going_on = named(before) is not None or bots_only(before)
    return await chapters.get(database.reads, before.row.id) if going_on else None


def named(loaded: Loaded) -> str | None:
    """The game's own name of what goes on; None where it has none, or none now."""
    rules = loaded.engine
    return rules.chapter(loaded.state) if isinstance(rules, Chapters) else None


def bots_only(loaded: Loaded) -> bool:
    """Whether only bots have to decide at a running table."""
    acting = [seat for seat in loaded.seats if seat.seat in loaded.to_act]
    return loaded.row.status == "running" and bool(acting) and all(seat.level for seat in acting)


def turned(before: Loaded, after: Loaded, kept: ChapterRow | None) -> Chapter | None:
    """The chapter that an entry belongs to or ends; None where boards are posts of their own."""
    rules, was = after.engine, named(before)
    now = named(after) if after.row.status == "running" else None
    by_bots = bots_only(before)
    if was is None and now is None and not by_bots and not bots_only(after):
        return None
    told = (*(heard(kept) if kept is not None else ()), *after.seen(None))
    runs_on = by_bots or (was is not None and (was == now or bots_only(after)))
    if after.row.status == "running" and runs_on:
        return Chapter(kept.key if kept is not None else now or run_of(after), told, ())
    key = now or (run_of(after) if bots_only(after) else None)
    recap = rules.recap(told) if was is not None and isinstance(rules, Chapters) else ()
    return Chapter(key, after.seen(None), recap)


def run_of(after: Loaded) -> str:
    """Names what bots do in a row after an entry."""
    return f"{RUN} {after.row.entries}"


def heard(kept: ChapterRow) -> tuple[Seen, ...]:
    """What was told of a chapter; nothing where that cannot be read: the game goes on."""
    try:
        return SEEN.validate_json(kept.told)
    except ValidationError as error:
        log.warning("what was told at table %s cannot be read: %s", kept.table_id, type(error).__name__)
        return ()


async def keep(tx: Transaction, after: Loaded, chapter: Chapter | None) -> None:
    """Writes what was told of the chapter that goes on."""
    if chapter is None:
        if any(seat.level for seat in after.seats):
            await chapters.drop(tx, after.row.id)  # what bots did before is no part of what they do next
        return
    if chapter.key is None:
        await chapters.drop(tx, after.row.id)
    else:
        told = SEEN.dump_json(chapter.told).decode()
        await chapters.put(tx, after.row.id, chapter.key, told)
