"""What viewers saw when they last looked: a seat after its own last action, the public at the last board.

It was worked out for the answer or the post of that moment and is only kept here, as many views as a bound
allows. What is not here any more the archive works out of the log (`tables.reading.since`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from engines.protocol import Seat, View

MOST = 400  # views of each kind; the largest takes some 100 kB
K = TypeVar("K")


class Look(NamedTuple):
    """What was seen after so many entries of the log."""

    entry: int
    view: View


class Kept(Generic[K]):
    """Looks by a key; the one that was not used for longest is the first to go."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[K, Look] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> Look | None:
        """A look, if it is there."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: K, look: Look) -> None:
        """Keeps a look."""
        self._kept[key] = look
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def drop(self, gone: Callable[[K], bool]) -> None:
        """Forgets the looks of these keys."""
        for key in [key for key in self._kept if gone(key)]:
            del self._kept[key]


class Looks:
    """The looks of all tables. `undone` counts: what was asked before an undo is not kept after it."""

    def __init__(self, most: int = MOST) -> None:
        self._seats: Kept[tuple[int, Seat]] = Kept(most)
        self._boards: Kept[tuple[int, int]] = Kept(most)
        self._newest: OrderedDict[int, int] = OrderedDict()
        self._most = most
        self.undone = 0

    def __len__(self) -> int:
        return len(self._seats) + len(self._boards)

    def acted(self, table_id: int, seat: Seat, entry: int, view: View) -> None:
        """A seat acted, and sees this; what it saw later than that stays."""
        known = self._seats.get((table_id, seat))
        if known is None or known.entry <= entry:
            self._seats.put((table_id, seat), Look(entry, view))

    def of_seat(self, table_id: int, seat: Seat) -> Look | None:
        """What a seat saw after its own last action, if that is here."""
        return self._seats.get((table_id, seat))

    def posted(self, table_id: int, entry: int, view: View) -> None:
        """The newest board follows on one that showed this."""
        self.remember(table_id, Look(entry, view))
        self._newest[table_id] = entry
        self._newest.move_to_end(table_id)
        while len(self._newest) > self._most:
            self._newest.popitem(last=False)

    def remember(self, table_id: int, look: Look) -> None:
        """What the public saw once."""
        self._boards.put((table_id, look.entry), look)

    def board(self, table_id: int, entry: int) -> Look | None:
        """The public's view after so many entries, if it is here."""
        return self._boards.get((table_id, entry))

    def before_newest(self, table_id: int) -> int | None:
        """After how many entries the board before the newest was made, if that is known."""
        return self._newest.get(table_id)

    def forget(self, table_id: int) -> None:
        """Something was taken back at this table, or it was mended."""
        self.undone += 1
        self._seats.drop(lambda key: key[0] == table_id)
        self._boards.drop(lambda key: key[0] == table_id)
        self._newest.pop(table_id, None)
