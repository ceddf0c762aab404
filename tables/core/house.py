"""What every part of the service shares: storage, locks, the cache, and how a change is written."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from db.claims import Claims
from db.database import Database, Source, Transaction
from db.errors import DatabaseError
from db.fitting import settle
from db.repositories import actions, aids, drafts, outbox, tables, timers, votes
from db.rows import Message, SeatRow, SnapshotRow, TableRow
from engines.capabilities import Begun, Drafts
from engines.protocol import written
from tables.core import clocks, letters, soundness, turns
from tables.core.archive import Archive
from tables.core.calls import Calls
from tables.core.clock import Clock
from tables.core.elsewhere import DIGEST, Elsewhere
from tables.core.errors import TableError
from tables.core.lane import Lane
from tables.core.loaded import Loaded, readable
from tables.core.looks import Looks
from tables.core.milestones import Milestones
from tables.core.model import Table
from tables.core.recent import Recent
from tables.core.trails import Trails

T = TypeVar("T")
log = logging.getLogger("hatamoto.tables")
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


WRITTEN = tuple(sorted(tables.COLUMNS - FIXED))
written_of = attrgetter(*WRITTEN)


class Packed(NamedTuple):
    """A position as it is written: its snapshot, and the seats that may draft something, with what for."""

    snapshot: SnapshotRow
    marks: list[tuple[int, str]]

    @property
    def size(self) -> int:
        """Of the position, in characters."""
        return len(self.snapshot.state) + len(self.snapshot.events)


class Shut(AbstractAsyncContextManager[None]):
    """A table's lock where several processes may want it: this one's own, and the claim behind it.

    seen  what the table's row was when it was first looked at under the lock, by table
    """

    def __init__(self, own: asyncio.Lock, claims: Claims, table_id: int, seen: dict[int, str | None]) -> None:
        self._own, self._claims, self._seen = own, claims, seen
        self._table_id = table_id

    async def __aenter__(self) -> None:
        """Waits for it. Raises DatabaseError `unreachable`."""
        await self._own.acquire()
        try:
            await self._claims.hold(f"table:{self._table_id}")
        except BaseException:
            self._own.release()
            raise
        self._seen[self._table_id] = None

    async def __aexit__(self, *_: object) -> None:
        """Lets the next one have it."""
        del self._seen[self._table_id]
        self._claims.let_go(f"table:{self._table_id}")
        self._own.release()


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
        self.trails = Trails()
        self.looks = Looks()
        self.calls = Calls(clock)
        self.elsewhere = Elsewhere()
        self.clock = clock
        self.queued = queued
        self.seed = seed
        self.unheard: Callable[[], bool] = lambda: False  # whether nobody can act, or be told, now
        self.counted_at = 0  # ms UTC: what was posted late until then was given back
        self.counted: dict[int, int] = {}  # the same for single tables
        self.wake_bots: Callable[[Loaded], None] = lambda _: None
        self.watched: Callable[[int, frozenset[int]], None] = lambda _table, _users: None
        self.awaited: Callable[[int], bool] = lambda _table: False  # whether a panel waits for a turn there
        self.followers: list[Callable[[Transaction, Loaded], Awaitable[None]]] = []  # of every change
        self._cache = Recent(cache)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        # what the rows of tables in memory were, where others may change them
        self._marks: dict[int, str] = {}
        self._seen: dict[int, str | None] = {}
        self._most_marks = 8 * cache
        self._broken: set[int] = set()
        self._running: set[asyncio.Task[Any]] = set()

    # -- locks and tasks ----------------------------------------------------------------

    def lock(self, table_id: int) -> AbstractAsyncContextManager[None]:
        """The table's lock: whoever changes or loads it holds it, in whichever process."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        claims = self.database.claims
        return Shut(lock, claims, table_id, self._seen) if claims.shared else lock

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
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
        await self.hints.close()
        await self.aside.close()

    # -- what other processes do --------------------------------------------------------

    async def heard(self, table_ids: Iterable[int]) -> None:
        """Others have changed these tables: panels that wait for a turn there go on."""
        for table_id in table_ids:
            if self.awaited(table_id):
                with suppress(TableError):
                    acting = (seat for seat in (await self.rows(table_id))[1] if seat.acts)
                    users = (seat.user_id for seat in acting if seat.user_id is not None)
                    self.watched(table_id, frozenset(users))

    async def _kept(self, table_id: int) -> Loaded | None:
        """A table in memory; where other processes may have changed it, only if its row is what it was."""
        kept = self._cache.get(table_id)
        if not self.database.claims.shared:
            return kept
        mark = await tables.mark(self.database.reads, table_id)
        if table_id in self._seen and self._seen[table_id] is None:
            self._seen[table_id] = mark
        if kept is not None and mark is not None and mark == self._marks.get(table_id):
            return self._cache.get(table_id)
        self._overtaken(table_id, mark)
        return None

    def _overtaken(self, table_id: int, mark: str | None) -> None:
        """Another process has changed the table, or may have: what is in memory goes."""
        self.forget(table_id)
        self.trails.drop(table_id)
        self.looks.forget(table_id)
        if mark is not None:
            if len(self._marks) > self._most_marks:
                self._marks.clear()
            self._marks[table_id] = mark

    def changing(self, table_id: int) -> AbstractAsyncContextManager[Transaction]:
        """One transaction that changes a table, or what is kept with it.

        Where there are other processes its row is locked, and has to be what was seen under the table's lock:
        the claim behind that is lost with a connection. Raises DatabaseError, then `overtaken`.
        """
        shared = self.database.claims.shared
        return self._changing_shared(table_id) if shared else self.database.transaction()

    @asynccontextmanager
    async def _changing_shared(self, table_id: int) -> AsyncIterator[Transaction]:
        """Where other processes may change the table, too."""
        async with self.database.transaction() as tx:
            was, mark = await tables.locked(tx, table_id)
            if self._seen.get(table_id) not in {None, was}:
                self._overtaken(table_id, was)
                raise DatabaseError("overtaken", str(self.database.where))
            if self._marks.get(table_id) != was:
                self._overtaken(table_id, was)
            yield tx
            tables.touch(tx, table_id)
        self._marks[table_id] = mark
        if table_id in self._seen:
            self._seen[table_id] = mark
        self.database.claims.tell(table_id)

    # -- reading ------------------------------------------------------------------------

    async def rows(self, table_id: int) -> tuple[TableRow, tuple[SeatRow, ...]]:
        """A table's rows, from memory or the database. Raises `no-table`."""
        if (kept := await self._kept(table_id)) is not None:
            return kept.row, kept.seats
        return await self.stored_rows(table_id)

    async def stored_rows(
        self, table_id: int, source: Source | None = None
    ) -> tuple[TableRow, tuple[SeatRow, ...]]:
        """A table's rows as the database, or a transaction, has them. Raises `no-table`."""
        reads = source or self.database.reads
        row, seats = await asyncio.gather(tables.get(reads, table_id), tables.seats(reads, table_id))
        if row is None:
            raise TableError("no-table", table=table_id)
        return readable(row, seats), seats

    async def table(self, table_id: int) -> Table:
        """The public value of a table; never loads its state. Raises `no-table`."""
        return (await self.known(table_id)).table(broken=table_id in self._broken)

    async def known(self, table_id: int) -> Loaded:
        """A table as it is in memory, else its rows alone. Raises `no-table`."""
        return await self._kept(table_id) or Loaded(*await self.stored_rows(table_id))

    async def at_hand(self, table: Table) -> Table:
        """A table that is about to be played at: it is loaded at once where it can be.

        Only once who asks may see it. One that is in memory was compared with its row when it was looked up.
        """
        if self._cache.get(table.id) is not None:
            return table
        with suppress(TableError):
            return (await self.look(table.id)).table(broken=table.id in self._broken)
        return table

    async def load(self, table_id: int) -> Loaded:
        """The table with its state; the caller holds its lock. Raises `no-table`, `broken`."""
        if (kept := await self._kept(table_id)) is not None:
            self._cache.used(table_id)
            return kept
        reads, size = self.database.reads, 0
        (row, seats), kept_state, asked, settled = await asyncio.gather(
            self.stored_rows(table_id),
            tables.snapshot(reads, table_id),
            votes.open_of(reads, table_id),
            aids.of_table(reads, table_id),
        )
        loaded = Loaded(row, seats, votes=tuple(asked), aids=settled)
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
        if (kept := await self._kept(table_id)) is not None:
            return kept
        async with self.lock(table_id):
            return await self.load(table_id)

    async def _with_state(self, loaded: Loaded, kept: SnapshotRow | None) -> tuple[Loaded, int]:
        """A table that has started with its position, and the size of that.

        The snapshot is a cache of the log: one that cannot be used is made anew.
        """
        row = loaded.row
        if row.aside_at is None:
            position = soundness.cached(loaded, kept)
            if position is not None and kept is not None:
                self._broken.discard(row.id)
                size = len(kept.state) + len(kept.events)
                return replace(loaded, state=position[0], events=position[1]), size
        elif row.id in self._broken:
            raise self.broken(loaded)  # it was looked at since the start
        return await self._replayed(loaded, kept)

    async def _replayed(self, loaded: Loaded, kept: SnapshotRow | None) -> tuple[Loaded, int]:
        """A table with the position that its log leads to, and a snapshot of that. Raises `broken`."""
        row = loaded.row
        entries = await actions.log(self.database.reads, row.id)
        found = await self.aside.run(soundness.examined, loaded, kept, entries)
        if found.end is None or len(entries) != row.entries:
            await self.tell_broken(loaded)
            raise self.broken(loaded)
        if row.aside_at is not None:
            if found.wrong:
                raise self.broken(loaded)
            back = clocks.returned(loaded, self.clock.now())
        else:
            log.info("table %s: its position is worked out from its log", row.id)
            back = loaded
        after = turns.at_position(back, found.end, self.clock.now())
        packed = await asyncio.to_thread(pack, after)
        if not self.database.read_only:
            await self._write_anew(loaded, after, packed)
        self._broken.discard(row.id)
        return after, packed.size

    async def _write_anew(self, before: Loaded, after: Loaded, packed: Packed) -> None:
        """Writes a snapshot that was worked out, and what of the rows follows from it."""
        aside = before.row.aside_at is not None
        if (before.row, before.seats) == (after.row, after.seats):
            async with self.database.transaction() as tx:
                await tables.put_snapshot(tx, packed.snapshot)
            return
        async with self.revising(after, [letters.in_order(after)] if aside else []) as tx:
            await tables.put_snapshot(tx, packed.snapshot)
        if any(seat.level and seat.acts for seat in after.seats):
            self.wake_bots(after)

    async def tell_broken(self, loaded: Loaded) -> None:
        """Tells the players, once, that their table is out of order; its record stays as it is."""
        if loaded.row.aside_at is not None or self.database.read_only:
            return
        mention = [seat.user_id for seat in loaded.people if seat.user_id is not None]
        told = [letters.line(loaded, "out-of-order", mention)] if loaded.row.status == "running" else []
        number = loaded.row.id
        torn = await self.database.misfits(number) if loaded.damaged else []
        why = "; ".join(misfit.text for misfit in torn) or "its log does not lead to a position"
        log.error("table %s is set aside: %s. `python bot.py check` says more", number, why)
        async with self.database.transaction() as tx:
            for sql, params in (step for misfit in torn for step in settle(misfit)):
                tx.put(sql, params)
            await tables.change(tx, loaded.row.id, {"aside_at": self.clock.now()})
            await self.post(tx, told)
        self.queued()

    async def _open_again(self, loaded: Loaded) -> Loaded:
        """A table that has not started and can be read again."""
        if not self.database.read_only:
            async with self.changing(loaded.row.id) as tx:
                await tables.change(tx, loaded.row.id, {"aside_at": None})
        return loaded.updated(aside_at=None)

    def trust(self, table_id: int) -> None:
        """A table was mended: it is read anew."""
        self.trails.drop(table_id)
        self.forget(table_id)
        self.looks.forget(table_id)
        self._broken.discard(table_id)

    def broken(self, loaded: Loaded) -> TableError:
        """The error for a table that cannot be played on; its record is kept as it is."""
        self.trails.drop(loaded.row.id)
        self._broken.add(loaded.row.id)
        return loaded.refusal("broken")

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

    @asynccontextmanager
    async def asked(self, lock_id: int, interaction_id: int | None) -> AsyncIterator[dict[str, Any] | None]:
        """Under a lock, what the interaction brought about where it was carried out before.

        Then the block only answers. Without an interaction (the bot's own actions) nothing is asked twice.
        """
        async with self.lock(lock_id):
            text = None
            if interaction_id is not None:
                text = await actions.done(self.database.reads, interaction_id)
            yield None if text is None else dict(json.loads(text))

    @asynccontextmanager
    async def once(
        self, table_id: int, interaction_id: int | None
    ) -> AsyncIterator[tuple[Loaded, dict[str, Any] | None]]:
        """The table under its lock, for a request that is carried out once; and what `asked` gives.

        Raises `no-table`, `broken`.
        """
        async with self.asked(table_id, interaction_id) as done:
            yield await self.load(table_id), done

    @asynccontextmanager
    async def writing(
        self, table_id: int, interaction_id: int | None, **outcome: Any
    ) -> AsyncIterator[Transaction]:
        """One transaction for a change at a table, with the interaction that it is done for.

        After the commit the courier is told; on any error the table is read anew.
        """
        try:
            async with self.changing(table_id) as tx:
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
        """Queues messages; who was called too often for the like of one is named without a ping.

        Who wishes to be called to a turn elsewhere is called there.
        """
        now = self.clock.now()
        found, digests = self.elsewhere.redirected(self.calls.quietened(one) for one in messages)
        for user_id in digests:
            await timers.rouse_daily(tx, DIGEST, user_id, self.elsewhere.digest_due(user_id, now))
        await outbox.queue(tx, found, now)

    async def store(
        self, tx: Transaction, after: Loaded, messages: list[Message], packed: Packed | None = None
    ) -> None:
        """Writes a table's rows, its snapshot (`packed` where a thread has made it) and its messages."""
        row = after.row
        values = dict(zip(WRITTEN, written_of(row), strict=True))
        for name in row.damaged:
            values.pop(name, None)  # it stays as it is
        await tables.change(tx, row.id, values)
        await tables.put_seats(tx, [seat for seat in after.seats if not seat.damaged])
        if after.state is not None:
            packed = packed or pack(after)
            await tables.put_snapshot(tx, packed.snapshot)
            await drafts.keep_only(tx, row.id, packed.marks)
        await self.post(tx, [*messages, *letters.calls(after, messages)])
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
        acting = (seat.user_id for seat in after.seats if seat.acts and seat.user_id is not None)
        self.watched(after.row.id, frozenset(acting))


def pack(loaded: Loaded) -> Packed:
    """The position of a table that has started, ready to be written."""
    row = loaded.row
    state, events = written(loaded.position), written(loaded.events)
    return Packed(SnapshotRow(row.id, row.entries, state, events), marks(loaded))


def mark_of(begun: Begun) -> str:
    """Names what a draft is for, so that one for another occasion, or of what was sent since, is dropped."""
    return f"{begun.round}: {begun.text}"


def marks(loaded: Loaded) -> list[tuple[int, str]]:
    """Seats that may draft something, each with what for."""
    found = list[tuple[int, str]]()
    if not isinstance(loaded.engine, Drafts) or loaded.row.status != "running":
        return found
    for seat in loaded.people:
        begun = loaded.insight.begun(seat.seat)
        if begun is not None:
            found.append((seat.seat, mark_of(begun)))
    return found
