"""One interaction that does several things: an id for each of them."""

from __future__ import annotations

from hashlib import blake2b


def part_of(interaction_id: int, part: int) -> int:
    """An id for one of them, the same when it is redelivered; below zero, where no id of Discord's is."""
    digest = blake2b(f"{interaction_id}/{part}".encode(), digest_size=8).digest()
    return -1 - (int.from_bytes(digest) >> 1)
