"""What stands in a table's log, as far as it was read: numbers and digests, no actions.

An undo needs to know which of the actions stand, and the few that it takes back or carries out again. With
this only those and what was written since are read from the database, however long the log is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from db.rows import ActionRow
from tables.core.loaded import Loaded
from tables.core.milestones import Stood, first_digest, next_digest

MOST = 16  # tables; each has up to some hundred kilobytes


@dataclass
class Trail:
    """Of each action that stands its number, seat and seed; `keys`: the start, then a digest after each."""

    seed: bytes  # what the next action draws from
    keys: list[bytes]
    read: int = 0  # entries of the log
    seqs: list[int] = field(default_factory=list)
    seats: list[int | None] = field(default_factory=list)
    seeds: list[bytes] = field(default_factory=list)

    def go_on(self, entries: Iterable[ActionRow]) -> None:
        """More of the log. Raises ValueError for an undo of more than stands, and for a missing entry."""
        for row in entries:
            self.read += 1
            if row.seq != self.read:
                raise ValueError(f"entry {self.read} is missing")
            if row.undo is None:
                self.seqs.append(row.seq)
                self.seats.append(row.seat)
                self.seeds.append(self.seed)
                self.keys.append(next_digest(self.keys[-1], Stood(row, self.seed)))
                continue
            left = len(self.seqs) - row.undo
            if left < 0:
                raise ValueError(f"entry {row.seq} takes back more than stands")
            del self.seqs[left:], self.seats[left:], self.seeds[left:], self.keys[left + 1 :]
            self.seed = row.seed or self.seed

    def __len__(self) -> int:
        """Actions that stand."""
        return len(self.seqs)

    def last_of(self, seat: int) -> int:
        """How many actions stand before the seat's last one; all of them where it has none."""
        return next((n for n in range(len(self) - 1, -1, -1) if self.seats[n] == seat), len(self))


def begun(loaded: Loaded) -> Trail:
    """Before the first entry."""
    return Trail(loaded.row.seed, [first_digest(loaded)])


class Trails:
    """Those of the tables at which something was taken back last."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[int, Trail] = OrderedDict()

    def get(self, table_id: int) -> Trail | None:
        """A table's, as far as it was read."""
        return self._kept.get(table_id)

    def keep(self, table_id: int, trail: Trail) -> None:
        """Keeps one; the one that was not used for longest goes."""
        self._kept[table_id] = trail
        self._kept.move_to_end(table_id)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def drop(self, table_id: int) -> None:
        """What was read is not what is written any more."""
        self._kept.pop(table_id, None)
