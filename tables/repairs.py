"""What may be wrong in a database, and what of it can be mended. No record of a game is thrown away."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from db import actions, repairs, tables, timers
from db.rows import ActionRow, Message, SnapshotRow
from engines.base import State
from engines.chance import commitment
from tables import clocks, letters, lobby
from tables.errors import TableError
from tables.house import House
from tables.loaded import Loaded, dumped, record_of
from tables.reading import check_table
from tables.timing import WORK

FAR_MS = 2 * 3600 * 1000  # no post waits for longer: the clock went back
TIMER_FAR_MS = 400 * 24 * 3600 * 1000  # nor any timer for more than a year
MOST = 1000  # faults of a kind


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
    found = await check_table(house, table_id)
    row, _ = await house.kept(table_id)

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


def stamp(at: int) -> str:
    """A time, ms UTC, for the operator."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


async def mended(house: House, table_id: int) -> str:
    """The position is worked out anew from the log; a table whose log does not replay is set aside."""
    async with house.lock(table_id):
        house.trust(table_id)
        loaded, found = Loaded(*await house.kept(table_id)), await check_table(house, table_id)
        was_aside = loaded.row.aside_at is not None
        if found.end is None:
            return await set_aside(house, loaded)
        if not found.wrong and not was_aside:
            return f"table {table_id}: in order"
        now, entries = house.clock.now(), await actions.count(house.database.reads, table_id)
        after = rebuilt(clocks.returned(loaded, now) if was_aside else loaded, found.end[0], entries, now)
        shown = replace(after, state=found.end[0], events=found.end[1])
        kept = SnapshotRow(
            table_id, entries, shown.engine.dump(shown.state), json.dumps(dumped(shown.events))
        )
        posts = [letters.in_order(after), board_of(shown)] if was_aside else []
        async with house.revising(after, posts) as tx:
            await tables.put_snapshot(tx, kept)
        return f"table {table_id}: its position is that of its log again"


def rebuilt(loaded: Loaded, state: State, entries: int, now: int) -> Loaded:
    """The rows as they follow from the position; every button from before is stale."""
    version, acts = loaded.row.version + 1, loaded.engine.to_act(state)
    seats = tuple(
        replace(
            seat,
            acts=seat.seat in acts,
            acts_since=(seat.acts_since or now) if seat.seat in acts else None,
            choice_version=version,
        )
        for seat in loaded.seats
    )
    row = replace(
        loaded.row,
        entries=entries,
        to_act=json.dumps(sorted(acts)),
        version=version,
        commitment=commitment(loaded.row.seed),
    )
    return replace(loaded, row=row, seats=seats)


async def set_aside(house: House, loaded: Loaded) -> str:
    """Writes the table's record into a file beside the database, and tells its players, once."""
    log = await actions.log(house.database.reads, loaded.row.id)
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


async def look_again(house: House) -> None:
    """At a start: tables that were set aside go on where this program can read them."""
    for table_id in await tables.aside(house.database.reads):
        with suppress(TableError):  # it stays aside, as it was told
            await house.look(table_id)


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
    return [letters.line(loaded, "restored"), board_of(loaded)]


def board_of(loaded: Loaded) -> Message:
    """The board as it is now, for who has to act."""
    mention = [s.user_id for s in loaded.people if s.acts and s.user_id is not None and not s.away]
    return letters.at_table(loaded, "board", mention, **letters.scene(loaded, None))


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

    return [
        Fault(
            f"post {row.id}: {row.why}", mend(row.id, far), "it is sent at once" if far else "it is given up"
        )
        for row in rows
        for far in (row.why == repairs.FAR,)
    ]


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

    found = [Fault(f"timer {row.id}: {row.why}", remove(row.id), "it is removed") for row in wrong]
    return found + [
        Fault(f"table {number}: is open and will never close", arm(number), "it closes in a week")
        for number in bare
    ]
