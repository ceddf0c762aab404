"""What is drawn once and put on many pictures: kept, all of it together within a bound.

A bound on how many of a kind are kept says nothing about memory: after four hundred pictures of four games
the sprites of one process came to 180 MB. Here what was not used for longest goes first, whatever it is; but
what is large has room of its own: the map of one game's moment would push a hundred pieces out that all need.

What is small and goes is packed first: it takes a tenth of its room, and a tenth of a millisecond to unpack.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from copy import copy
from functools import lru_cache, update_wrapper
from itertools import count
from threading import Lock
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

from isal import isal_zlib
from PIL import Image

MOST = 12_000_000  # bytes of pixels: some thousand small pieces
MOST_LARGE = 7_000_000  # of whole boards and the like, in their palettes: a game needs two to four
LARGE = 1_000_000
MOST_PACKED = 2_000_000  # of small pieces that fell out
SHELL = 1_000  # bytes of a packed picture beside its pixels
P = ParamSpec("P")
K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
_NUMBERS = count(1)


def number(image: Image.Image, same: int | None = None) -> int:
    """A number that no image of other pixels has or had: what is put on pictures is not drawn on any more.

    `same` is that of an image that it was made anew of.
    """
    found: int | None = image.__dict__.get("number")
    if found is None:
        found = image.__dict__["number"] = next(_NUMBERS) if same is None else same
    return found


@lru_cache(maxsize=4096)
def lasting(*of: Hashable) -> int:
    """A number for an image that is made anew of the same whenever it is needed."""
    return next(_NUMBERS)


class Shelf:
    """Values by their keys, as many as weigh no more than `most` together."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.size = 0

    def put(self, key: Hashable, value: object, weight: int) -> list[tuple[Hashable, Any]]:
        """One more; what was not used for longest makes room for it, and is returned."""
        self.kept[key] = value, weight
        self.size += weight
        gone = []
        while self.size > self.most:
            old, (fell, bytes_) = self.kept.popitem(last=False)
            self.size -= bytes_
            gone.append((old, fell))
        return gone

    def take(self, key: Hashable) -> Any:
        """What is kept, which is so no longer; None where there is nothing."""
        found, bytes_ = self.kept.pop(key, (None, 0))
        self.size -= bytes_
        return found

    def forget(self, of: object) -> None:
        """What was made by this function."""
        for key in [key for key in self.kept if isinstance(key, tuple) and key[0] is of]:
            self.size -= self.kept.pop(key)[1]


class Lately(Generic[K, T]):
    """What was found lately, by all that it follows from: a picture is like one before it, or drawn again."""

    def __init__(self, most: int) -> None:
        self._shelf = Shelf(most)
        self._lock = Lock()

    def get(self, key: K) -> T | None:
        """One that was found before."""
        with self._lock:
            if key not in self._shelf.kept:
                return None
            self._shelf.kept.move_to_end(key)
            found: T = self._shelf.kept[key][0]
            return found

    def put(self, key: K, value: T, weight: int = 1) -> None:
        """One more; what was not asked for longest makes room for it."""
        with self._lock:
            self._shelf.take(key)
            self._shelf.put(key, value, weight)


class Store:
    """What is small and what is large, each within a bound: a map that is drawn once pushes no pieces out.

    Small pieces that fell out are packed, within a bound of their own.
    """

    def __init__(self, most: int = MOST, most_large: int = MOST_LARGE, most_packed: int = 0) -> None:
        self._small, self._large, self._packed = self._shelves = (
            Shelf(most),
            Shelf(most_large),
            Shelf(most_packed),
        )
        self._lock = Lock()  # scripts and tests draw in threads

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return sum(shelf.size for shelf in self._shelves)

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The value that is kept, or else what `make` makes."""
        with self._lock:
            for shelf in (self._small, self._large):
                if (found := shelf.kept.get(key)) is not None:
                    shelf.kept.move_to_end(key)
                    return found[0]
            packed = self._packed.take(key)
        value = make() if packed is None else changed(packed, Packed, Packed.image)
        with self._lock:
            if not any(key in shelf.kept for shelf in self._shelves):
                bytes_ = weight_of(value)
                if bytes_ >= LARGE:
                    self._large.put(key, value, bytes_)
                    return value
                gone = self._small.put(key, value, bytes_)
                for old, fell in gone if self._packed.most else ():
                    packed = changed(fell, Image.Image, pack)
                    self._packed.put(old, packed, weight_of(packed))
        return value

    def forget(self, of: object) -> None:
        """What was made by this function."""
        with self._lock:
            for shelf in self._shelves:
                shelf.forget(of)


SPRITES = Store(most_packed=MOST_PACKED)


class Kept(Generic[P, T]):
    """A function whose pictures are kept by what they were made of."""

    def __init__(self, make: Callable[P, T], store: Store) -> None:
        self._make, self._store = make, store
        update_wrapper(self, make)

    def __call__(self, *args: P.args, **named: P.kwargs) -> T:
        """The picture, which nobody may draw on."""
        key = self._make, args, tuple(named.items()) if named else ()
        found: T = self._store.get(key, lambda: self._make(*args, **named))
        return found

    def cache_clear(self) -> None:
        """Forgets them, as `functools.cache` does."""
        self._store.forget(self._make)


def kept(make: Callable[P, T]) -> Kept[P, T]:
    """As `functools.cache`, within the bound that all of them have together."""
    return Kept(make, SPRITES)


def kept_apart(most: int) -> Callable[[Callable[P, T]], Kept[P, T]]:
    """The same within a bound of its own: what is large and seldom seen again would push much out."""
    return lambda make: Kept(make, Store(most))


class Packed(NamedTuple):
    """A picture whose pixels are packed, and a smaller one with its mode, palette and what else it knows.

    number  its own: what was made of it is found again by it
    """

    shell: Image.Image
    size: tuple[int, int]
    pixels: bytes
    number: int

    @property
    def weight(self) -> int:
        """Its bytes."""
        return len(self.pixels) + SHELL

    def image(self) -> Image.Image:
        """The picture."""
        made = self.shell.resize(self.size, Image.Resampling.NEAREST)
        made.frombytes(isal_zlib.decompress(self.pixels))
        number(made, self.number)
        return made


def pack(image: Image.Image) -> Packed:
    """A picture with its pixels packed."""
    pixels = isal_zlib.compress(image.tobytes(), 1)
    return Packed(image.crop((0, 0, 1, 1)), image.size, pixels, number(image))


def weight_of(value: object) -> int:
    """Bytes of pixels in a picture, packed or not, or in the several that something is made of."""
    if isinstance(value, Image.Image):
        return value.width * value.height * (1 if value.mode in {"1", "L", "P"} else 4)
    if (weight := getattr(value, "weight", None)) is not None:
        return int(weight)
    pieces = getattr(value, "pieces", value)
    return sum(map(weight_of, pieces)) if isinstance(pieces, tuple | list) else 0


def changed(value: Any, kind: type, change: Callable[[Any], Any]) -> Any:
    """A copy of it with another thing for each that it holds of a kind."""
    if isinstance(value, kind):
        return change(value)
    if type(value) in (tuple, list):
        return type(value)(changed(one, kind, change) for one in value)
    if (pieces := getattr(value, "pieces", None)) is not None:
        value = copy(value)
        value.pieces = changed(pieces, kind, change)
    return value
