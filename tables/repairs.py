"""What may be wrong in a database, and what of it can be mended. No record of a game is thrown away."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from db import actions, repairs, tables, timers
from db.rows import ActionRow, Message, SnapshotRow
from engines.base import Event, RulesError, Seat, State
from tables import letters, lobby
from tables.errors import TableError
from tables.house import House
from tables.loaded import Loaded, dumped, record_of
from tables.reading import check_table, earlier
from tables.timing import WORK

FAR_MS = 2 * 3600 * 1000  # no post waits for longer: the clock went back
TIMER_FAR_MS = 400 * 24 * 3600 * 1000  # nor any timer for more than a year
MOST = 1000  # faults of a kind


@dataclass(frozen=True)
class Fault:
    """Something wrong, in one line; `mend` sets it right and says how, None where nobody can."""

    text: str
    mend: Callable[[], Awaitable[str]] | None = None


async def examine(house: House) -> list[Fault]:
    """Every fault: the file, every running table, what waits to be sent or done."""
    found = [Fault(f"{fault} (restore a backup)") for fault in await house.database.integrity()]
    if found:
        return found
    after = 0
    while numbers := await tables.running(house.database.reads, after):
        for number in numbers:
            found += await of_table(house, number)
        after = numbers[-1]
    return found + await of_outbox(house) + await of_timers(house)


# -- tables ------------------------------------------------------------------------------------


async def of_table(house: House, table_id: int) -> list[Fault]:
    """What is wrong with a running table: mended from its log where that replays, else set aside."""
    wrong = await check_table(house, table_id)
    house.forget(table_id)  # only looked at: a check must not keep every table in memory

    async def mend() -> str:
        return await mended(house, table_id)

    return [Fault(f"table {table_id}: {text}", mend) for text in wrong]


async def mended(house: House, table_id: int) -> str:
    """The position is worked out anew from the log; a table whose log does not replay is set aside."""
    async with house.lock(table_id):
        loaded = Loaded(*await house.rows(table_id))
        log = await actions.log(house.database.reads, table_id)
        if not await check_table_again(house, table_id):
            return f"table {table_id}: in order"
        found = await asyncio.to_thread(replayed, loaded, log)
        if found is None:
            return await set_aside(house, loaded, log)
        after = rebuilt(loaded, len(log), loaded.engine.to_act(found[0]), house.clock.now())
        kept = SnapshotRow(table_id, len(log), loaded.engine.dump(found[0]), json.dumps(dumped(found[1])))
        async with house.revising(after, []) as tx:
            await tables.put_snapshot(tx, kept)
        return f"table {table_id}: its position is that of its log again"


def replayed(loaded: Loaded, log: list[ActionRow]) -> tuple[State, tuple[Event, ...]] | None:
    """Where the log leads; None where it has gaps or does not replay."""
    if [row.seq for row in log] != list(range(1, len(log) + 1)):
        return None
    try:
        return earlier(loaded, log)
    except (RulesError, ValueError):  # pydantic's and json's are ValueErrors
        return None


def rebuilt(loaded: Loaded, entries: int, acts: frozenset[Seat], now: int) -> Loaded:
    """The rows as they follow from the position; every button from before is stale."""
    version = loaded.row.version + 1
    seats = tuple(
        replace(
            seat,
            acts=seat.seat in acts,
            acts_since=(seat.acts_since or now) if seat.seat in acts else None,
            choice_version=version,
        )
        for seat in loaded.seats
    )
    row = replace(loaded.row, entries=entries, to_act=json.dumps(sorted(acts)), version=version)
    return replace(loaded, row=replace(row, aside_at=None), seats=seats)


async def check_table_again(house: House, table_id: int) -> list[str]:
    """Whether a fault is still there: one mending may have set several right. The caller holds the lock."""
    kept = await tables.snapshot(house.database.reads, table_id)
    loaded = Loaded(*await house.rows(table_id))
    log = await actions.log(house.database.reads, table_id)
    if kept is None or kept.entry != loaded.row.entries or len(log) != loaded.row.entries:
        return ["entries"]
    found = await asyncio.to_thread(replayed, loaded, log)
    if found is None:
        return ["log"]
    same = loaded.engine.dump(found[0]) == kept.state and loaded.engine.to_act(found[0]) == loaded.to_act
    return [] if same and loaded.row.aside_at is None else ["position"]


async def set_aside(house: House, loaded: Loaded, log: list[ActionRow]) -> str:
    """Writes the table's record into a file beside the database, and tells its players."""
    folder = house.database.path.with_name(f"{house.database.path.name}.set-aside")
    file = folder / f"table-{loaded.row.id}.json"
    await asyncio.to_thread(write, file, loaded, log)
    await house.tell_broken(loaded)
    return f"table {loaded.row.id}: set aside, its record is {file}"


def write(file: Path, loaded: Loaded, log: list[ActionRow]) -> None:
    """The record, each entry as it is kept. It holds the seed, as the database does."""
    file.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        head = record_of(loaded, []).json_value()
    except ValueError:  # what it started from cannot be read either: it is kept as it stands
        row = loaded.row
        head = {"game": row.game, "rules": row.rules, "options": row.options, "seed": row.seed.hex()}
    entries = [{"seq": r.seq, "seat": r.seat, "action": r.action, "undo": r.undo} for r in log]
    file.write_text(json.dumps({**head, "log": entries, "names": list(loaded.names)}, ensure_ascii=False))


async def restored(house: House) -> None:
    """After a backup was put in place: a line and the board at every running table."""
    after = 0
    while numbers := await tables.running(house.database.reads, after):
        messages = [one for number in numbers for one in await shown_again(house, number)]
        async with house.database.transaction() as tx:
            await house.post(tx, messages)
        after = numbers[-1]
    house.queued()


async def shown_again(house: House, table_id: int) -> list[Message]:
    """What is posted at one table; nothing where it is out of order."""
    try:
        loaded = await house.look(table_id)
    except TableError:
        return []
    mention = [s.user_id for s in loaded.people if s.acts and s.user_id is not None and not s.away]
    board = letters.at_table(loaded, "board", mention, **letters.scene(loaded, None))
    return [letters.line(loaded, "restored"), board]


# -- what waits ------------------------------------------------------------------------------------


async def of_outbox(house: House) -> list[Fault]:
    """Posts that cannot be sent as they are, and posts that wait for a time that is too far away."""
    now = house.clock.now()
    rows = await repairs.unsendable(house.database.reads, now + FAR_MS, MOST)

    def mend(row_id: int, far: bool) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            async with house.database.transaction() as tx:
                if far:
                    await repairs.hurry(tx, row_id, now)
                    return f"post {row_id}: is sent at once"
                await repairs.give_up(tx, row_id, now)
                return f"post {row_id}: given up"

        return work

    return [Fault(f"post {row.id}: {row.why}", mend(row.id, row.why == repairs.FAR)) for row in rows]


async def of_timers(house: House) -> list[Fault]:
    """Timers of unknown kinds, of tables that are not there or over, too far away; lobbies without one."""
    now, reads = house.clock.now(), house.database.reads
    wrong = await repairs.senseless_timers(reads, sorted(WORK), now + TIMER_FAR_MS, MOST)
    bare = await repairs.lobbies_without(reads, lobby.LOBBY, MOST)

    def remove(timer_id: int) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            async with house.database.transaction() as tx:
                await repairs.remove_timer(tx, timer_id)
            return f"timer {timer_id}: removed"

        return work

    def arm(table_id: int) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            async with house.database.transaction() as tx:
                await timers.put(tx, lobby.LOBBY, now + lobby.OPEN_MS, table_id=table_id)
            return f"table {table_id}: closes in a week if it does not start"

        return work

    found = [Fault(f"timer {row.id}: {row.why}", remove(row.id)) for row in wrong]
    return found + [Fault(f"table {number}: is open and will never close", arm(number)) for number in bare]
