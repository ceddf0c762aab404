"""Many games that two programs play side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable


def met_in(play: Callable[[int], Counter[str]], seeds: Iterable[int]) -> Counter[str]:
    """What was met in games of these seeds; `play` compares, and raises where the programs differ."""
    met: Counter[str] = Counter()
    for seed in seeds:
        met += play(seed)
    return met
