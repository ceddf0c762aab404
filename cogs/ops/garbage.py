"""Garbage collection: what is there for good is not walked over again and again."""

from __future__ import annotations

import gc

# New objects until those are walked over; how often that is done until older ones are, too, and how often
# those until all are. An action with its posts leaves a thousand that its table keeps: by Python's own 700,
# 10 and 10 a twentieth of its time went into walking over them.
THRESHOLDS = 5_000, 1, 2


def set_aside() -> None:
    """Leaves all objects of this moment out of later collections.

    Modules and their classes are some 100,000 objects: each full collection over them stopped everything
    for 40 ms, in the middle of whatever was carried out (`bench.reveal`). What is left is small: young
    objects are walked over seldom, but all of them often, as each interaction of discord.py is a circle, and
    hundreds of them waited to be found.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.collect()  # it counts what it has found: next to what was set aside, anything new would be too little
