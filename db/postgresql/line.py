"""The line of one process of several to PostgreSQL: its claims, what it tells the others."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from typing import Any, NamedTuple

import psycopg

from db.address import Address
from db.claims import Claims
from db.errors import DatabaseError
from db.postgresql.connections import Connection, closed, connected
from db.rows import OutboxRow

log = logging.getLogger("hatamoto.claims")
CHANNEL = "hatamoto"
SOON_S, LATE_S = 0.002, 0.05  # between two tries for a claim that another process has
BEAT_S = 3.0  # between two looks whether the line stands, and at what nobody told of
PATIENCE_S = 5.0  # a line that does not answer for so long is cut
NOTHING = "~"  # behind the name: nothing waits
MOST_TOLD = 400  # numbers in one message: the server takes 8,000 bytes
MOST_AHEAD_MS = 600_000  # a turn that is farther away was reckoned by another clock
ASK = """SELECT CASE WHEN a.take = 1 THEN pg_try_advisory_lock(a.key) ELSE pg_advisory_unlock(a.key) END
    FROM unnest($1::bigint[], $2::bigint[]) AS a (take, key)"""
DEPART = """WITH asked AS (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS a (id, now)),
    taken AS (SELECT o.id, o.state, o.flying_since FROM outbox o WHERE o.id = ANY ($1::bigint[])
        AND o.state IN ('queued', 'flying') FOR UPDATE SKIP LOCKED)
    UPDATE outbox o SET state = 'flying',
        flying_since = CASE WHEN t.state = 'flying' THEN o.flying_since ELSE a.now END
    FROM taken t JOIN asked a ON a.id = t.id WHERE o.id = t.id RETURNING o.id, t.state, t.flying_since"""
NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
END = """SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity
    WHERE application_name = $1 AND pid <> pg_backend_pid()"""
KEEPALIVES = {"tcp_keepalives_idle": 10, "tcp_keepalives_interval": 5, "tcp_keepalives_count": 3}
TURN = f"""INSERT INTO meta AS m (key, value) VALUES ($1, ({NOW})::text)
    ON CONFLICT (key) DO UPDATE SET value =
    least(greatest({NOW}, m.value::bigint + $2), {NOW} + $3)::text RETURNING value::bigint - {NOW}"""  # noqa: S608
TROUBLE = (psycopg.Error, OSError, TimeoutError)


class Asked(NamedTuple):
    """A claim that is asked for, or let go where nobody waits for the answer."""

    key: str
    answer: asyncio.Future[bool] | None


class Departure(NamedTuple):
    """A row that is about to be sent, and what will be known of it: its state and since when, or nothing."""

    row_id: int
    now: int
    taken: asyncio.Future[tuple[str, int | None] | None]


def number_of(key: str) -> int:
    """A claim's number for the server."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big", signed=True)


class Line(Claims):
    """Of one process of several. What is asked for at the same moment shares one trip to the server."""

    shared = True

    def __init__(self, address: Address) -> None:
        super().__init__()
        self._address = address
        self._name = secrets.token_hex(6)
        self._connection: Connection | None = None
        self._held: set[str] = set()
        self._asking: set[str] = set()
        self._kept: set[str] = set()
        self._asked: list[Asked] = []
        self._departing: list[Departure] = []
        self._told: set[int] | None = None
        self._waits = False  # whether something waits, too
        self._working: asyncio.Task[None] | None = None
        self._beating: asyncio.Task[None] | None = None
        self._busy = asyncio.Lock()

    async def open(self) -> None:
        """Connects. Raises DatabaseError `unreachable`."""
        await self._connect()
        self._beating = asyncio.create_task(self._beat(), name="line")

    async def close(self) -> None:
        """Lets everything go."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.wait({self._beating})
        while self._working is not None:
            await asyncio.wait({self._working})
        self._held.clear()
        connection, self._connection = self._connection, None
        await closed(connection)

    # -- claims --------------------------------------------------------------------------------

    async def take(self, key: str) -> bool:
        """Takes a claim if nobody has it, in this process or another. Raises DatabaseError `unreachable`."""
        if key in self._held or key in self._asking:
            return False
        self._asking.add(key)  # nobody else of this process asks meanwhile
        answer = asyncio.get_running_loop().create_future()
        self._ask(Asked(key, answer))
        try:
            await answer
        except asyncio.CancelledError:
            self.let_go(key)
            raise
        finally:
            self._asking.discard(key)
        return key in self._held  # else it was lost again, with the line

    async def hold(self, key: str) -> None:
        """Takes a claim as soon as nobody has it. Raises DatabaseError `unreachable`."""
        pause = SOON_S
        while not await self.take(key):
            await asyncio.sleep(pause * (1 + random.random()))  # noqa: S311 - not to meet again
            pause = min(2 * pause, LATE_S)

    async def keep(self, key: str) -> None:
        """Takes a claim for as long as the process runs; one that was lost with the line is taken again."""
        await self.hold(key)
        self._kept.add(key)

    def let_go(self, key: str) -> None:
        """Another may take it."""
        self._kept.discard(key)
        if key in self._held:
            self._held.discard(key)
            self._ask(Asked(key, None))

    def holds(self, key: str) -> bool:
        """Whether a claim that was taken is still this process's."""
        return key in self._held

    # -- what is told --------------------------------------------------------------------------

    def tell(self, *tables: int) -> None:
        """Tells the other processes which tables have changed; without any, that something waits."""
        self._waits |= not tables
        self._told = (self._told or set()) | set(tables)
        self._work()

    def hear(self, told: str) -> None:
        """What a process has told on the channel; "": something may have been missed."""
        name, _, numbers = told.partition(":")
        if name.rstrip(NOTHING) != self._name:
            tables = frozenset(int(number) for number in numbers.split(",") if number)
            self.heard(tables, not name.endswith(NOTHING))

    async def depart(self, key: str, row: OutboxRow, now: int) -> OutboxRow | None:
        """Takes a row that is about to be sent; None where it, or the claim, is not this process's.

        The mark need not wait for the disk: who finds the server restarted takes any row for under way.
        """
        taken = asyncio.get_running_loop().create_future()
        self._departing.append(Departure(row.id, now, taken))
        self._work()
        was = await taken
        if was is None or key not in self._held:
            return None
        return replace(row, state=was[0], flying_since=was[1])

    async def turn(self, name: str, apart_ms: int) -> int:
        """In how many ms it is this process's turn by the server's clock; turns are so many ms apart."""
        rows = await self._fetch(TURN, name, apart_ms, MOST_AHEAD_MS)
        return max(0, int(rows[0][0]))

    # -- trips ---------------------------------------------------------------------------------

    def _ask(self, asked: Asked) -> None:
        self._asked.append(asked)
        self._work()

    def _work(self) -> None:
        if self._working is None:
            self._working = asyncio.create_task(self._trips(), name="claims")

    async def _trips(self) -> None:
        """One trip after another until nothing is asked any more."""
        try:
            while self._asked or self._departing or self._told is not None:
                asked, self._asked = self._asked, []
                departing, self._departing = self._departing, []
                told, self._told = self._told, None
                waits, self._waits = self._waits, False
                if asked:
                    await self._carry(asked)
                if departing:
                    await self._mark(departing)
                if told is not None:
                    await self._shout(told, "" if waits else NOTHING)
        finally:
            self._working = None

    async def _carry(self, asked: list[Asked]) -> None:
        takes, numbers = [one.answer is not None for one in asked], [number_of(one.key) for one in asked]
        try:
            rows = await self._fetch(ASK, takes, numbers)
        except Exception as error:  # noqa: BLE001 - it is for those who asked
            for one in asked:
                if one.answer is not None and not one.answer.done():
                    one.answer.set_exception(error)
            return
        for one, row in zip(asked, rows, strict=True):
            if one.answer is None:
                continue
            if not one.answer.done():
                if row[0]:
                    self._held.add(one.key)
                one.answer.set_result(row[0])
            elif row[0]:  # who asked was cancelled
                self._ask(Asked(one.key, None))

    async def _mark(self, departing: list[Departure]) -> None:
        numbers, times = [one.row_id for one in departing], [one.now for one in departing]
        try:
            found = {row[0]: (row[1], row[2]) for row in await self._fetch(DEPART, numbers, times)}
        except Exception as error:  # noqa: BLE001 - it is for those who asked
            for one in departing:
                if not one.taken.done():
                    one.taken.set_exception(error)
            return
        for one in departing:
            if not one.taken.done():
                one.taken.set_result(found.get(one.row_id))

    async def _shout(self, told: set[int], sign: str) -> None:
        numbers = sorted(told)
        parts = [numbers[at : at + MOST_TOLD] for at in range(0, len(numbers), MOST_TOLD)] or [[]]
        for part in parts:
            with suppress(DatabaseError):  # the others look by themselves
                text = f"{self._name}{sign}:{','.join(map(str, part))}"
                await self._fetch("SELECT pg_notify($1, $2)", CHANNEL, text)

    async def _fetch(self, sql: str, *params: object) -> list[Any]:
        """Rows; once more on a new line where the old one was cut. Raises DatabaseError."""
        async with self._busy:
            for again in (True, False):
                connection = self._connection or await self._connect()
                try:
                    async with asyncio.timeout(PATIENCE_S):
                        return list(await (await connection.execute(sql, params)).fetchall())
                except TROUBLE as error:
                    await self._cut(connection)
                    if not again:
                        raise DatabaseError("unreachable", str(self._address)) from error
        raise AssertionError("the second try returns or raises")

    # -- the line ------------------------------------------------------------------------------

    async def _connect(self) -> Connection:
        """A new line, and what was to stay on it again. Raises DatabaseError."""
        made = await connected(self._address, busy_ms=int(PATIENCE_S * 1000))
        try:
            async with asyncio.timeout(PATIENCE_S):
                for name, value in KEEPALIVES.items():
                    with suppress(psycopg.DatabaseError):  # one that is reached by a socket has no such thing
                        await made.execute(f"SET {name} = {value}")
                # a line that was cut here may stand there, with all that it held
                await made.execute(f"SET application_name = 'hatamoto {self._name}'")
                await made.execute("SET synchronous_commit = off")
                await made.execute(END, (f"hatamoto {self._name}",))
                kept = sorted(self._kept)
                given = ([1] * len(kept), [number_of(key) for key in kept])
                rows = await (await made.execute(ASK, given)).fetchall()
        except TROUBLE as error:
            await closed(made)
            raise DatabaseError("unreachable", str(self._address)) from error
        self._connection = made
        for key, row in zip(kept, rows, strict=True):
            if row[0]:
                self._held.add(key)
            else:
                self.displaced(key)
        if self._beating is not None:
            log.info("the line to the database stands again")
            self.returned()
        return made

    async def _cut(self, connection: Connection) -> None:
        """The line is cut, and all claims are lost."""
        self._connection = None
        self._held.clear()
        log.warning("the line to the database is cut")
        await closed(connection)

    async def _beat(self) -> None:
        """Looks now and then whether the line stands, and at what nobody told of."""
        while True:
            await asyncio.sleep(BEAT_S)
            with suppress(DatabaseError):
                await self._fetch("SELECT 1")
                self.beat()
