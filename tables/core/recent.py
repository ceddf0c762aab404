"""The tables that are held in memory: the last used ones, as many as a bound of their size allows."""

from __future__ import annotations

from collections import OrderedDict
from itertools import islice

from tables.core.loaded import Loaded

MOST = 8_000_000  # characters of stored positions; in memory one takes five to eleven bytes for each
ROWS = 500  # that a table's rows are counted as
FRESH = 32  # tables whose insight is kept: those that somebody plays at just now
POSITION = 5_000  # the same for a position that was not stored yet


class Recent:
    """Loaded tables, at most so many; the one that was not used for longest is the first to go."""

    def __init__(self, most: int, most_size: int = MOST) -> None:
        self._most, self._most_size = most, most_size
        self._kept: OrderedDict[int, tuple[Loaded, int]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, table_id: int) -> Loaded | None:
        """A table, if it is there."""
        kept = self._kept.get(table_id)
        return None if kept is None else kept[0]

    def used(self, table_id: int) -> None:
        """Makes a table that is there the last used one."""
        self._kept.move_to_end(table_id)
        self._rest()

    def keep(self, loaded: Loaded, size: int | None = None) -> None:
        """Puts a table in, or in place of what it was. `size`: of its stored position, None: as before."""
        _, before = self._kept.pop(loaded.row.id, (None, 0))
        if size is not None or not before:
            counted = ROWS + (size or (0 if loaded.state is None else POSITION))
        else:
            counted = before
        self._kept[loaded.row.id] = loaded, counted
        self._size += counted - before
        while len(self._kept) > 1 and (len(self._kept) > self._most or self._size > self._most_size):
            _, (_, gone) = self._kept.popitem(last=False)
            self._size -= gone
        self._rest()

    def _rest(self) -> None:
        """The table that is just not among the last few keeps no insight."""
        for loaded, _ in islice(reversed(self._kept.values()), FRESH, FRESH + 1):
            loaded.insight.forget()

    def amend(self, table_id: int, loaded: Loaded) -> None:
        """Another value of a table that is there; it counts as not used."""
        self._kept[table_id] = loaded, self._kept[table_id][1]

    def forget(self, table_id: int) -> None:
        """Drops a table."""
        _, gone = self._kept.pop(table_id, (None, 0))
        self._size -= gone
