"""Choices of some out of many, where equal ones count once: cards of a hand, blocks of a stack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from engines.sekigahara.data import block_order
from engines.sekigahara.data import card_order as in_card_order


def subsets(
    items: Iterable[str], sizes: Sequence[int], order: Callable[[Iterable[str]], list[str]]
) -> Iterator[tuple[str, ...]]:
    """Every multiset of these sizes out of `items`, each once, in the order of the data."""
    counts = Counter(items)
    names = order(counts)
    wanted = frozenset(size for size in sizes if 0 <= size <= counts.total())
    if not wanted:
        return
    least, most = min(wanted), max(wanted)
    to_come = [sum(counts[name] for name in names[number:]) for number in range(len(names) + 1)]

    def choose(number: int, chosen: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if number == len(names):
            if len(chosen) in wanted:
                yield chosen
            return
        name = names[number]
        fewest = max(0, least - len(chosen) - to_come[number + 1])
        for some in range(fewest, min(counts[name], most - len(chosen)) + 1):
            yield from choose(number + 1, chosen + (name,) * some)

    yield from choose(0, ())


def hands(cards: Iterable[str], sizes: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Every choice of this many cards."""
    return subsets(cards, sizes, in_card_order)


def groups(faces: Iterable[str], sizes: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Every choice of this many blocks."""
    return subsets(faces, sizes, block_order)


def kinds(names: Iterable[str]) -> list[str]:
    """Each card once, in the order of the data."""
    return in_card_order(set(names))


def numbers_by_size(items: Iterable[str]) -> list[int]:
    """How many multisets of each size, from 0, there are out of `items`."""
    numbers = [1]
    for count in Counter(items).values():
        longer = [0] * (len(numbers) + count)
        for size, number in enumerate(numbers):
            for more in range(count + 1):
                longer[size + more] += number
        numbers = longer
    return numbers
