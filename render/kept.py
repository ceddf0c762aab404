"""What is drawn once and put on many pictures: kept, all of it together within a bound.

A bound on how many of a kind are kept says nothing about memory: after four hundred pictures of four games
the sprites of one process came to 180 MB. Here what was not used for longest goes first, whatever it is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from functools import update_wrapper
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

from PIL import Image

MOST = 20_000_000  # bytes of pixels: three whole boards, and some thousand small pieces
P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """Values by their keys, as many as weigh no more than `most` together."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()  # scripts and tests draw in threads
        self.size = 0

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The value that is kept, or else what `make` makes."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        value = make()
        with self._lock:
            if key not in self._kept:
                weight = weight_of(value)
                self._kept[key] = value, weight
                self.size += weight
            while self.size > self._most:
                self.size -= self._kept.popitem(last=False)[1][1]
        return value

    def forget(self, of: object) -> None:
        """What was made by this function."""
        with self._lock:
            for key in [key for key in self._kept if isinstance(key, tuple) and key[0] is of]:
                self.size -= self._kept.pop(key)[1]


SPRITES = Store()


class Kept(Generic[P, T]):
    """A function whose pictures are kept by what they were made of."""

    def __init__(self, make: Callable[P, T], store: Store) -> None:
        self._make, self._store = make, store
        update_wrapper(self, make)

    def __call__(self, *args: P.args, **named: P.kwargs) -> T:
        """The picture, which nobody may draw on."""
        key = self._make, args, tuple(named.items())
        found: T = self._store.get(key, lambda: self._make(*args, **named))
        return found

    def cache_clear(self) -> None:
        """Forgets them, as `functools.cache` does."""
        self._store.forget(self._make)


def kept(make: Callable[P, T]) -> Kept[P, T]:
    """As `functools.cache`, within the bound that all of them have together."""
    return Kept(make, SPRITES)


def weight_of(value: object) -> int:
    """Bytes of pixels in a picture, or in the several that something is made of."""
    return sum(
        image.width * image.height * (1 if image.mode in {"1", "L", "P"} else 4) for image in images(value)
    )


def images(value: object) -> Iterator[Image.Image]:
    """The pictures that it holds."""
    if isinstance(value, Image.Image):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from images(one)
    elif (pieces := getattr(value, "_pieces", None)) is not None:
        yield from images(pieces)
