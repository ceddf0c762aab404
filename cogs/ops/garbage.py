"""Garbage collection: what is there for good is not walked over again and again."""

from __future__ import annotations

import gc

EVERY = 3  # of the middle collections there is a full one: it walks over what is played at the moment alone


def set_aside() -> None:
    """Leaves all objects of this moment out of later collections.

    Modules and their classes are some 100,000 objects: each full collection over them stopped everything
    for 40 ms, in the middle of whatever was carried out (`bench.reveal`). What is left is small, and walked
    over more often: each interaction of discord.py is a circle, and hundreds of them waited to be found.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], EVERY)
    gc.collect()  # it counts what it has found: next to what was set aside, anything new would be too little
