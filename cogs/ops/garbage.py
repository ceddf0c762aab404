"""Memory: what is there for good is not walked over again and again, and what is free is given back."""

from __future__ import annotations

import ctypes
import gc


def set_aside() -> None:
    """Leaves all objects of this moment out of later collections.

    Modules and their classes are some 100,000 objects: each full collection over them stopped everything
    for 40 ms, in the middle of whatever was carried out (`bench.reveal`).
    """
    gc.collect()
    gc.freeze()


ARENA_MAX, TRIM_THRESHOLD, MMAP_THRESHOLD = -8, -1, -3  # parameters of glibc's mallopt


def give_back() -> None:
    """Lets all threads share one heap, whose free end is given back; with another C library nothing happens.

    glibc gives each thread a heap of its own, and each keeps what was free in it: records, pictures on their
    way and answers go through a dozen threads. They take turns at the interpreter anyway. Before they begin.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for parameter, value in ((ARENA_MAX, 1), (TRIM_THRESHOLD, 2 << 20), (MMAP_THRESHOLD, 1 << 20)):
            mallopt(parameter, value)
