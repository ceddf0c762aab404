"""Chapters: what the public follows in one message, such as a battle; all its events, and its recap."""

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
    rules = before.engine
    going_on = isinstance(rules, Chapters) and rules.chapter(before.state) is not None
    return await chapters.get(database.reads, before.row.id) if going_on else None


def turned(before: Loaded, after: Loaded, kept: ChapterRow | None) -> Chapter | None:
    """The chapter that an entry belongs to or ends; None where boards are posts of their own."""
    rules = after.engine
    if not isinstance(rules, Chapters):
        return None
    was = rules.chapter(before.state)
    now = rules.chapter(after.state) if after.row.status == "running" else None
    if was is None and now is None:
        return None
    earlier = heard(kept) if was is not None and kept is not None and kept.key == was else ()
    told = (*earlier, *after.seen(None))
    if was == now:
        return Chapter(now, told, ())
    return Chapter(now, after.seen(None), rules.recap(told) if was is not None else ())


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
        return
    if chapter.key is None:
        await chapters.drop(tx, after.row.id)
    else:
        told = SEEN.dump_json(chapter.told).decode()
        await chapters.put(tx, after.row.id, chapter.key, told)
