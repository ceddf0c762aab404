"""Nim: two players, three heaps; who takes the last stone wins."""

from engines.meta import Meta
from examples.nim.engine.flow import Nim

__all__ = ["META", "Nim"]

META = Meta(
    game="nim",
    title="Nim",
    seats=(2,),
    stage="experimental",
    rules="docs/rules/nim.md",
)
