"""The chance source: a stream of numbers that anyone can recompute from the seed.

The stream of one action is keyed by (seed, number of entries ever written to the
table's log). Set-up has entry 0; the action that becomes the n-th entry has n.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b, sha256
from typing import TypeVar

T = TypeVar("T")

BLOCK = 32  # bytes a BLAKE2b block gives


def commitment(seed: bytes) -> str:
    """The SHA-256 of the seed's bytes in hex, posted before a game starts."""
    return sha256(seed).hexdigest()


def mixed(seed: bytes, nonces: Iterable[bytes]) -> bytes:
    """What a table draws from: its seed alone, or the SHA-256 of the seed and all that its players added.

    nonces  in seating order, 32 bytes each, of those who added any
    """
    added = b"".join(nonces)
    return sha256(seed + added).digest() if added else seed


def typed_nonce(text: str) -> bytes:
    """What a player's own words add to the chances: their SHA-256, so that the words stay their own."""
    return sha256(text.encode("utf-8", "replace")).digest()  # half a surrogate is no text


class Chance:
    """Numbers drawn from BLAKE2b(seed, entry, counter); `used` tells whether any was drawn."""

    def __init__(self, seed: bytes, entry: int) -> None:
        self._key = blake2b(seed, digest_size=BLOCK).digest()
        self._entry = entry
        self._counter = 0
        self._pool = b""

    @property
    def used(self) -> bool:
        """True when something was drawn or thrown, which bars undo by oneself."""
        return self._counter > 0

    def _take(self, count: int) -> bytes:
        while len(self._pool) < count:
            block = self._entry.to_bytes(8, "big") + self._counter.to_bytes(8, "big")
            self._pool += blake2b(block, key=self._key, digest_size=BLOCK).digest()
            self._counter += 1
        taken, self._pool = self._pool[:count], self._pool[count:]
        return taken

    def below(self, bound: int) -> int:
        """A fair integer 0 <= n < bound, by rejection sampling. `bound` >= 1."""
        if bound < 1:
            raise ValueError(f"bound must be positive, not {bound}")
        if bound == 1:
            return 0
        width = ((bound - 1).bit_length() + 7) // 8
        span = 256**width
        limit = span - span % bound
        while True:
            number = int.from_bytes(self._take(width), "big")
            if number < limit:
                return number % bound

    def happens(self, times: int, out_of: int) -> bool:
        """True with probability times/out_of, in integers."""
        return self.below(out_of) < times

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a fair random order (Fisher-Yates)."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
