"""Garbage collection: what is there for good is not walked over again and again."""

from __future__ import annotations

import gc


def set_aside() -> None:
    """Leaves all objects of this moment out of later collections.

    Modules and their classes are some 100,000 objects: each full collection over them stopped everything
    for 40 ms, in the middle of whatever was carried out (`bench.reveal`).
    """
    gc.collect()
    gc.freeze()
