"""What became of a transaction whose connection was lost at its commit: by a mark that it left, or did not.

The server's own number of it is no answer: one that was given before the server crashed, and not written to
its log by then, is given again, to another's transaction, which may be committed. So each transaction first
writes a number into a row that is its connection's alone. Who asks waits for that row until whatever still
holds it has ended.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from db.database import Step

MADE = """INSERT INTO writers (key, value) VALUES (?, ?)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, at = now()"""
WAITED = "INSERT INTO writers AS w (key, value) VALUES (?, 0) ON CONFLICT (key) DO UPDATE SET value = w.value"
FOUND = "DELETE FROM writers WHERE key = ? RETURNING value"
SWEPT = Step("DELETE FROM writers WHERE at < now() - interval '1 day'")  # of connections that were lost


class Mark(NamedTuple):
    """One transaction's."""

    key: str
    value: int

    @property
    def made(self) -> Step:
        """What the transaction begins with."""
        return Step(MADE, (self.key, self.value))

    @property
    def asked(self) -> tuple[Step, Step]:
        """The last of these finds the value of its connection's last transaction that was committed."""
        return Step(WAITED, (self.key,)), Step(FOUND, (self.key,))


class Marks:
    """One connection's."""

    def __init__(self) -> None:
        self._key = secrets.token_hex(8)
        self._count = 0

    def next(self) -> Mark:
        """The next transaction's."""
        self._count += 1
        return Mark(self._key, self._count)

    @property
    def forgotten(self) -> list[Step]:
        """Takes the row away, if there may be one."""
        return [Step(FOUND, (self._key,))] if self._count else []
