"""What every part of the service shares: storage, locks, the cache, and how a change is written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from db.database import Database, Transaction
from db.repositories import actions, drafts, outbox, tables, votes
from db.rows import Message, SeatRow, SnapshotRow, TableRow
from engines.protocol import Begun
from tables.core import clocks, letters, soundness
from tables.core.archive import Archive
from tables.core.calls import Calls
from tables.core.clock import Clock
from tables.core.errors import TableError
from tables.core.lane import Lane
from tables.core.loaded import EVENTS, Loaded, dumped, readable
from tables.core.milestones import Milestones
from tables.core.model import Table
from tables.core.recent import Recent

T = TypeVar("T")
FIXED = frozenset(
    {
        "id",
        "creator_id",
        "rematch_id",
        "seed",
        "rematch_of",
        "lobby_message_id",
        "board_message_id",
        "thread_id",
    }
)


class Packed(NamedTuple):
    """A position as it is written: its snapshot, and the seats that may draft something, with what for."""

    snapshot: SnapshotRow
    marks: list[tuple[int, str]]

    @property
    def size(self) -> int:
        """Of the position, in characters."""
        return len(self.snapshot.state) + len(self.snapshot.events)


class House:
    """Locks each table, keeps the last used ones in memory, and writes them whole."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        queued: Callable[[], None],
        seed: Callable[[], bytes],
        *,
        cache: int,
        archive: Archive,
    ) -> None:
        self.database = database
        self.archive = archive
        self.aside = Lane("aside")  # folds that belong to play: never in the pool that answers moves
        self.hints = Lane("hints")  # completions: nothing hangs on them
        self.milestones = Milestones()
        self.calls = Calls(clock)
        self.clock = clock
        self.queued = queued
        self.seed = seed
        self.wake_bots: Callable[[Loaded], None] = lambda _: None
        self.followers: list[Callable[[Transaction, Loaded], Awaitable[None]]] = []  # of every change
        self._cache = Recent(cache)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._broken: set[int] = set()
        self._running: set[asyncio.Task[Any]] = set()

    # -- locks and tasks ----------------------------------------------------------------

    def lock(self, table_id: int) -> asyncio.Lock:
        """The table's lock: whoever changes or loads it holds it."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    async def whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Finishes `work` even where whoever waits for it is cancelled: no half-done change."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Waits for what is being written."""
        await self.archive.close()  # what waits for it has changed nothing yet
        while self._running:
            await asyncio.wait(self._running)
        await self.aside.close()
        await self.hints.close()

    # -- reading ------------------------------------------------------------------------

    async def rows(self, table_id: int) -> tuple[TableRow, tuple[SeatRow, ...]]:
        """A table's rows, from memory or the database. Raises `no-table`."""
        if (kept := self._cache.get(table_id)) is not None:
            return kept.row, kept.seats
        return await self.kept(table_id)

    async def kept(self, table_id: int) -> tuple[TableRow, tuple[SeatRow, ...]]:
        """A table's rows as the database has them. Raises `no-table`."""
        reads = self.database.reads
        row, seats = await asyncio.gather(tables.get(reads, table_id), tables.seats(reads, table_id))
        if row is None:
            raise TableError("no-table", table=table_id)
        return readable(row, seats), seats

    async def table(self, table_id: int) -> Table:
        """The public value of a table; never loads its state. Raises `no-table`."""
        row, seats = await self.rows(table_id)
        return Loaded(row, seats).table(broken=table_id in self._broken)

    async def load(self, table_id: int) -> Loaded:
        """The table with its state; the caller holds its lock. Raises `no-table`, `broken`."""
        if (kept := self._cache.get(table_id)) is not None:
            self._cache.used(table_id)
            return kept
        reads, size = self.database.reads, 0
        (row, seats), kept_state, asked = await asyncio.gather(
            self.rows(table_id), tables.snapshot(reads, table_id), votes.open_of(reads, table_id)
        )
        loaded = Loaded(row, seats, votes=tuple(asked))
        if loaded.damaged:
            await self.tell_broken(loaded)
            raise self.broken(loaded)
        if loaded.row.started_at is not None:
            loaded, size = await self._with_state(loaded, kept_state)
        elif loaded.row.aside_at is not None:
            loaded = await self._open_again(loaded)
        self.keep(loaded, size)
        return loaded

    async def look(self, table_id: int) -> Loaded:
        """The table with its state, for reading. Raises `no-table`, `broken`."""
        if (kept := self._cache.get(table_id)) is not None:
            return kept
        async with self.lock(table_id):
            return await self.load(table_id)

    async def _with_state(self, loaded: Loaded, kept: SnapshotRow | None) -> tuple[Loaded, int]:
        """A table that has started with its position, and the size of that."""
        row = loaded.row
        if row.aside_at is not None and row.id in self._broken:
            raise self.broken(loaded)  # it was looked at since the start
        if kept is None or kept.entry != row.entries:
            await self.tell_broken(loaded)
            raise self.broken(loaded)
        try:
            state = loaded.engine.load(kept.state)
            events = EVENTS.validate_json(kept.events)
            if len(loaded.engine.roles(state)) != len(loaded.seats):
                raise ValueError("a seat is missing")
        except soundness.STUMBLES as error:
            await self.tell_broken(loaded)
            raise self.broken(loaded) from error
        if row.aside_at is not None:
            loaded = await self._back(loaded, kept)
            row = loaded.row
        self._broken.discard(row.id)
        whole = replace(loaded, state=state, events=events)
        return whole, len(kept.state) + len(kept.events)

    async def tell_broken(self, loaded: Loaded) -> None:
        """Tells the players, once, that their table is out of order; its record stays as it is."""
        if loaded.row.aside_at is not None or self.database.read_only:
            return
        mention = [seat.user_id for seat in loaded.people if seat.user_id is not None]
        told = [letters.line(loaded, "out-of-order", mention)] if loaded.row.status == "running" else []
        async with self.database.transaction() as tx:
            await tables.change(tx, loaded.row.id, {"aside_at": self.clock.now()})
            await self.post(tx, told)
        self.queued()

    async def _back(self, loaded: Loaded, kept: SnapshotRow) -> Loaded:
        """A table that was set aside goes on where it is whole again: its log leads to its position.

        Another version of the program may read it, or somebody mended it. Raises `broken`.
        """
        log = await actions.log(self.database.reads, loaded.row.id)
        if (await self.aside.run(soundness.examined, loaded, kept, log)).wrong:
            raise self.broken(loaded)
        after = clocks.returned(loaded, self.clock.now())
        if not self.database.read_only:
            async with self.revising(after, [letters.in_order(after)]):
                pass
            if any(seat.level and seat.acts for seat in after.seats):
                self.wake_bots(after)
        return after

    async def _open_again(self, loaded: Loaded) -> Loaded:
        """A table that has not started and can be read again."""
        if not self.database.read_only:
            async with self.database.transaction() as tx:
                await tables.change(tx, loaded.row.id, {"aside_at": None})
        return loaded.updated(aside_at=None)

    def trust(self, table_id: int) -> None:
        """A table was mended: it is read anew."""
        self.forget(table_id)
        self._broken.discard(table_id)

    def broken(self, loaded: Loaded) -> TableError:
        """The error for a table that cannot be played on; its record is kept as it is."""
        self._broken.add(loaded.row.id)
        return TableError("broken", table=loaded.row.id, game=loaded.row.game)

    def keep(self, loaded: Loaded, size: int | None = None) -> None:
        """Puts a table into memory; `size`: of its stored position, None: about what it was."""
        self._cache.keep(loaded, size)

    def amend(self, table_id: int, values: dict[str, Any]) -> None:
        """Columns that were written on their own; what was not in memory is read when it is needed."""
        if (kept := self._cache.get(table_id)) is not None:
            self._cache.amend(table_id, kept.updated(**values))

    def forget(self, table_id: int) -> None:
        """Drops a table from memory: the database knows better."""
        self._cache.forget(table_id)

    # -- writing ------------------------------------------------------------------------

    async def earlier(self, interaction_id: int) -> dict[str, Any] | None:
        """What this interaction brought about, if it was carried out before."""
        done = await actions.done(self.database.reads, interaction_id)
        return None if done is None else dict(json.loads(done))

    @asynccontextmanager
    async def writing(
        self, table_id: int, interaction_id: int | None, **outcome: Any
    ) -> AsyncIterator[Transaction]:
        """One transaction for a change at a table, with the interaction that it is done for.

        After the commit the courier is told; on any error the table is read anew.
        """
        try:
            async with self.database.transaction() as tx:
                if interaction_id is not None:
                    await self.note(tx, interaction_id, table_id, **outcome)
                yield tx
        except BaseException:
            self.forget(table_id)
            raise
        self.queued()

    async def note(self, tx: Transaction, interaction_id: int, table_id: int, **outcome: Any) -> None:
        """Marks an interaction as carried out."""
        text = json.dumps({"table": table_id, **outcome})
        await actions.remember(tx, interaction_id, table_id, text, self.clock.now())

    async def post(self, tx: Transaction, messages: list[Message]) -> None:
        """Queues messages; who was called too often for the like of one is named without a ping."""
        await outbox.queue(tx, [self.calls.quietened(one) for one in messages], self.clock.now())

    async def store(
        self, tx: Transaction, after: Loaded, messages: list[Message], packed: Packed | None = None
    ) -> None:
        """Writes a table's rows, its snapshot (`packed` where a thread has made it) and its messages."""
        row = after.row
        values = {name: getattr(row, name) for name in tables.COLUMNS - FIXED - {*row.damaged}}
        await tables.change(tx, row.id, values)
        await tables.put_seats(tx, [seat for seat in after.seats if not seat.damaged])
        if after.state is not None:
            packed = packed or pack(after)
            await tables.put_snapshot(tx, packed.snapshot)
            await drafts.keep_only(tx, row.id, packed.marks)
        await self.post(tx, messages)
        for follow in self.followers:
            await follow(tx, after)

    @asynccontextmanager
    async def revising(
        self, after: Loaded, messages: list[Message], interaction_id: int | None = None, **outcome: Any
    ) -> AsyncIterator[Transaction]:
        """Writes rows that changed beside the game, with what the block adds; the position stays as it is."""
        async with self.writing(after.row.id, interaction_id, **outcome) as tx:
            yield tx
            await self.store(tx, replace(after, state=None), messages)
        self.forget(after.row.id)

    def committed(self, after: Loaded, size: int | None = None) -> None:
        """The change is on disk: it becomes what is in memory, and bots that have to act wake."""
        self.keep(after, size)
        if any(seat.level and seat.acts for seat in after.seats):
            self.wake_bots(after)


def pack(loaded: Loaded) -> Packed:
    """The position of a table that has started, ready to be written."""
    row = loaded.row
    state, events = loaded.engine.dump(loaded.state), json.dumps(dumped(loaded.events))
    return Packed(SnapshotRow(row.id, row.entries, state, events), marks(loaded))


def mark_of(begun: Begun) -> str:
    """Names what a draft is for, so that one for another occasion, or of what was sent since, is dropped."""
    return f"{begun.round}: {begun.text}"


def marks(loaded: Loaded) -> list[tuple[int, str]]:
    """Seats that may draft something, each with what for."""
    found = []
    for seat in loaded.people if loaded.row.status == "running" else ():
        begun = loaded.engine.begun(loaded.state, seat.seat)
        if begun is not None:
            found.append((seat.seat, mark_of(begun)))
    return found
