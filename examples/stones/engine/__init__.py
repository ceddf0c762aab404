"""Stones: two players, three heaps; who takes the last stone wins."""

from engines.meta import Meta
from examples.stones.engine.flow import Stones

__all__ = ["META", "Stones"]

META = Meta(
    game="stones",
    title="Stones",
    seats=(2,),
    stage="experimental",
    rules="docs/rules/stones.md",
)
