"""A table that is not what its log leads to: worked out anew, or set aside with its record kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from db.address import beside
from db.fitting import PERSONAL, plain
from db.repositories import actions, tables
from db.rows import ActionRow, SnapshotRow
from engines.chance import commitment
from engines.protocol import Json
from tables.core import clocks, letters
from tables.core.house import House
from tables.core.loaded import Loaded, dumped, record_of, told_of_nonce
from tables.core.soundness import STUMBLES, Found, reseeded
from tables.core.turns import rebuilt
from tables.reading.access import check_table

PARTS = ("tables", "seats", "actions", "snapshots", "drafts", "chapters", "offers", "aids", "lost")


@dataclass(frozen=True)
class Fault:
    """Something wrong, in one line.

    mend    sets it right and says how; None where nobody can
    plan    what mending would do
    aside   it was dealt with: a table that was set aside, which only another program or a hand can mend
    """

    text: str
    mend: Callable[[], Awaitable[str]] | None = None
    plan: str = ""
    aside: bool = False


async def of_table(house: House, table_id: int) -> list[Fault]:
    """What is wrong with a table that has started: mended from its log where that replays, else set aside."""
    found = await check_table(house, table_id)
    row, _ = await house.stored_rows(table_id)

    async def mend() -> str:
        return await mended(house, table_id)

    if row.aside_at is None:
        plan = "it is set aside with its record" if found.end is None else "worked out anew from its log"
        return [Fault(f"table {table_id}: {text}", mend, plan) for text in found.wrong]
    if found.end is None:
        why = f"set aside since {stamp(row.aside_at)}: {found.wrong[0]}"
        return [Fault(f"table {table_id}: {why}. `/admin end` ends it", aside=True)]
    why = ", ".join(found.wrong) or "nothing is wrong with it any more"
    return [Fault(f"table {table_id}: set aside, but it can go on ({why})", mend, "it goes on from its log")]


async def of_lobby(house: House, table_id: int) -> list[Fault]:
    """A table that was set aside before it started."""
    loaded = Loaded(*await house.stored_rows(table_id))
    if loaded.damaged:
        why = f"set aside since {stamp(loaded.row.aside_at or 0)}, before it started"
        return [Fault(f"table {table_id}: {why}. `/admin end` ends it", aside=True)]

    async def mend() -> str:
        return await mended(house, table_id)

    return [Fault(f"table {table_id}: set aside, but it can go on", mend, "it is open again")]


def stamp(at: int) -> str:
    """A time, ms UTC, for the operator."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


async def mended(house: House, table_id: int) -> str:
    """The position is worked out anew from the log; a table whose log does not replay is set aside."""
    async with house.lock(table_id):
        house.trust(table_id)
        loaded = Loaded(*await house.stored_rows(table_id))
        if loaded.row.started_at is None and not loaded.row.damaged:
            return await opened(house, loaded)
        found = await check_table(house, table_id)
        if found.end is None:
            return await set_aside(house, loaded)
        if not found.wrong and loaded.row.aside_at is None:
            return f"table {table_id}: in order"
        await put_anew(house, loaded, found)
        return f"table {table_id}: its position is that of its log again"


async def opened(house: House, loaded: Loaded) -> str:
    """A table that has not started has no position to be wrong; the caller holds its lock."""
    if loaded.damaged:
        return await set_aside(house, loaded)
    async with house.database.transaction() as tx:
        await tables.change(tx, loaded.row.id, {"aside_at": None})
    house.trust(loaded.row.id)
    return f"table {loaded.row.id}: in order"


async def put_anew(house: House, loaded: Loaded, found: Found) -> None:
    """Writes the position that the log leads to; a running table that was set aside is told of it."""
    if found.end is None:
        raise ValueError("a log that leads nowhere has no position")
    number, now, was_aside = loaded.row.id, house.clock.now(), loaded.row.aside_at is not None
    state, events = found.end
    log = await actions.log(house.database.reads, number)
    entries, loaded = len(log), loaded.updated(reseed=reseeded(log))
    back = clocks.returned(loaded, now) if was_aside else loaded
    back = back.updated(entries=entries, commitment=commitment(loaded.row.seed))
    seats = tuple(replace(seat, nonce_told=told_of_nonce(seat)) for seat in back.seats)
    shown = replace(back, seats=seats, state=state, events=events)
    if loaded.row.status == "running":
        shown = rebuilt(shown, now)
    kept = SnapshotRow(number, entries, shown.engine.dump(state), json.dumps(dumped(events)))
    told = was_aside and loaded.row.status == "running"
    posts = [letters.in_order(shown), letters.board_again(shown)] if told else []
    async with house.revising(shown, posts) as tx:
        await tables.put_snapshot(tx, kept)


async def set_aside(house: House, loaded: Loaded) -> str:
    """Writes the table's record into a file beside the database, and tells its players, once."""
    number = loaded.row.id
    log = await actions.log(house.database.reads, number)
    rows = await everything(house, number)
    folder = beside(house.database.where, ".set-aside")
    file = folder / f"table-{number}.json"
    await asyncio.to_thread(write, file, loaded, log, rows)
    await house.tell_broken(loaded)
    return f"table {number}: set aside, its record is {file}"


async def everything(house: House, table_id: int) -> dict[str, Json]:
    """The rows of a game's table as they stand, without the people: who is forgotten must not live on in a
    file.
    """
    found = {}
    for name in PARTS:
        own = "id" if name == "tables" else "table_id"
        rows = await house.database.reads.all(f"SELECT * FROM {name} WHERE {own} = ?", (table_id,))  # noqa: S608
        found[name] = [plain(dict(row), PERSONAL) for row in rows]
    return found


def with_seed(entry: ActionRow) -> dict[str, Json]:
    """The seed that an entry brought, where it took back a game's end."""
    return {} if entry.seed is None else {"seed": entry.seed.hex()}


def write(file: Path, loaded: Loaded, log: list[ActionRow], rows: Json) -> None:
    """The record, each entry as it is kept, and every row as it stands: secrets too, as in the database."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    row = loaded.row
    try:
        head: dict[str, Json] = record_of(loaded, []).json_value()
    except STUMBLES:  # what it started from cannot be read either: it is kept as it stands
        head = {"game": row.game, "rules": row.rules, "options": row.options, "seed": row.seed.hex()}
    entries = [
        {"seq": r.seq, "seat": r.seat, "action": r.action, "undo": r.undo, **with_seed(r)} for r in log
    ]
    whole = {**head, "log": entries, "rows": rows}
    file.touch(mode=0o600)  # it holds hands and a seed
    file.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8", errors="replace")
