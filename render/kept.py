"""What is drawn once and put on many pictures: kept, all of it together within a bound.

A bound on how many of a kind are kept says nothing about memory: after four hundred pictures of four games
the sprites of one process came to 180 MB. Here what was not used for longest goes first, whatever it is; but
what is large has room of its own: the map of one game's moment would push a hundred pieces out that all need.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from functools import update_wrapper
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

from PIL import Image

MOST = 12_000_000  # bytes of pixels: some thousand small pieces
MOST_LARGE = 12_000_000  # of whole boards and the like, in their palettes: a game needs two to four
LARGE = 1_000_000
P = ParamSpec("P")
T = TypeVar("T")


class Shelf:
    """Values by their keys, as many as weigh no more than `most` together."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.size = 0

    def put(self, key: Hashable, value: object, weight: int) -> None:
        """One more; what was not used for longest makes room for it."""
        self.kept[key] = value, weight
        self.size += weight
        while self.size > self._most:
            self.size -= self.kept.popitem(last=False)[1][1]

    def forget(self, of: object) -> None:
        """What was made by this function."""
        for key in [key for key in self.kept if isinstance(key, tuple) and key[0] is of]:
            self.size -= self.kept.pop(key)[1]


class Store:
    """What is small and what is large, each within a bound: a map that is drawn once pushes no pieces out."""

    def __init__(self, most: int = MOST, most_large: int = MOST_LARGE) -> None:
        self._small, self._large = self._shelves = Shelf(most), Shelf(most_large)
        self._lock = Lock()  # scripts and tests draw in threads

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return sum(shelf.size for shelf in self._shelves)

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The value that is kept, or else what `make` makes."""
        with self._lock:
            for shelf in self._shelves:
                if key in shelf.kept:
                    shelf.kept.move_to_end(key)
                    return shelf.kept[key][0]
        value = make()
        with self._lock:
            if not any(key in shelf.kept for shelf in self._shelves):
                weight = weight_of(value)
                (self._small if weight < LARGE else self._large).put(key, value, weight)
        return value

    def forget(self, of: object) -> None:
        """What was made by this function."""
        with self._lock:
            for shelf in self._shelves:
                shelf.forget(of)


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
