"""Garbage collection: what is there for good is not walked over again and again."""

from __future__ import annotations

import gc

# New objects until those are walked over, and how often that is done until older ones are, too. An action
# with its posts leaves a thousand that its table keeps: by Python's own 700, 10 and 10 a twentieth of its
# time went into walking over them.
THRESHOLDS = 5_000, 20, 20


def set_aside() -> None:
    """Leaves all objects of this moment out of later collections, which are to be seldom.

    Modules and their classes are some 100,000 objects: each full collection over them stopped everything
    for 40 ms, in the middle of whatever was carried out (`bench.reveal`).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
