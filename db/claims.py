"""What one of several processes has for itself for a while, and what they tell each other.

A claim is a session lock of PostgreSQL ("advisory"), held by one connection of this process, its line. It is
free again when it is let go, and when the line is cut: by the end of the process, by the server, by the
network. Rows locked by `FOR UPDATE SKIP LOCKED` are as good only while a transaction is open, and none may be
while Discord or an opponent is waited for: it takes a connection, keeps old rows from being cleaned away, and
who waits for the table's lock meanwhile waits in a circle that the server does not see. So a destination of
posts is claimed, and each of its rows taken so, for the moment in which it is marked as under way.

Who lost the line has lost every claim at once: `depart` says so before anything is sent, and what is written
is checked against the table's row (`tables/core/house.py`).

One process on SQLite has everything for itself: `Claims` as they are.
"""

from __future__ import annotations

from collections.abc import Callable

from db.rows import OutboxRow


class Claims:
    """Of the only process: everything is its own."""

    shared = False  # whether there may be other processes

    def __init__(self) -> None:
        # which tables others have changed, and whether they have left something to be sent or done
        self.heard: Callable[[frozenset[int], bool], None] = lambda _tables, _waits: None
        self.beat: Callable[[], None] = lambda: None  # now and then: it is time to look by oneself
        self.returned: Callable[[], None] = lambda: None  # the line stands again
        self.displaced: Callable[[str], None] = lambda _: None  # a claim that was to stay is another's

    async def take(self, key: str) -> bool:
        """Takes a claim if nobody has it."""
        return True

    async def hold(self, key: str) -> None:
        """Takes a claim as soon as nobody has it."""

    async def keep(self, key: str) -> None:
        """Takes a claim for as long as the process runs."""

    def let_go(self, key: str) -> None:
        """Another may take it."""

    def holds(self, key: str) -> bool:
        """Whether a claim that was taken is still this process's."""
        return True

    async def depart(self, key: str, row: OutboxRow, now: int) -> OutboxRow | None:
        """Takes a row of the outbox that is about to be sent, under a claim; None where it is not to be had.

        It is marked as under way, and returned as it was: who finds it so knows that it may have been sent.
        """
        return row

    def tell(self, *tables: int) -> None:
        """Tells the other processes which tables have changed; without any, that something waits."""

    async def turn(self, name: str, apart_ms: int) -> int:
        """In how many ms it is this process's turn, where turns are so many ms apart."""
        return 0

    async def close(self) -> None:
        """Lets everything go."""
