"""What was worked out of a value a moment ago: states never change, so it still holds."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar, TypeVarTuple

V = TypeVar("V")
More = TypeVarTuple("More")
R = TypeVar("R")


class Lately(Generic[V, *More, R]):
    """`work(value, ...)` of the last few values, each known by its identity.

    For what is asked several times while one action is carried out: who acts, what a viewer sees. The
    result is shared, also among threads: nobody changes it. What is asked beside it must be hashable.
    """

    def __init__(self, work: Callable[[V, *More], R], most: int) -> None:
        self._work, self._most = work, most
        self._kept: dict[tuple[object, ...], tuple[V, R]] = {}  # a value that is kept keeps its id to itself
        self._lock = Lock()

    def __call__(self, value: V, *more: *More) -> R:
        """What `work` returns, or returned."""
        key = (id(value), *more)
        kept = self._kept.get(key)
        if kept is not None:
            return kept[1]
        result = self._work(value, *more)
        with self._lock:
            self._kept[key] = (value, result)
            while len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
        return result
