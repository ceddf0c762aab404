"""What was freed goes back to the system: the C library keeps it where something still lies above it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

ARENA_MAX, MMAP_THRESHOLD = -8, -3  # of glibc's malloc.h
LARGE = 256 * 1024  # what is as large has pages of its own, which are given back with it


def one_heap() -> None:
    """All threads take their memory from one heap: with one each, what is free in one is none for the others.

    For a process whose threads take turns (the interpreter's lock), before there are others.
    """
    tell: Callable[[int, int], int] | None = getattr(ctypes.CDLL(None), "mallopt", None)
    if tell is not None:
        tell(ARENA_MAX, 1)
        tell(MMAP_THRESHOLD, LARGE)


@cache
def trim() -> Callable[[int], int] | None:
    """`malloc_trim` of glibc; None where the C library has none."""
    found: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return found


def give_back() -> None:
    """Gives the pages back that hold nothing any more: two milliseconds for a heap of 100 MB."""
    if (found := trim()) is not None:
        found(0)
