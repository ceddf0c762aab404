"""Tribute: two to four players bid in secret for prizes; the most points win."""

from engines.meta import Meta
from examples.tribute.engine.flow import Tribute

__all__ = ["META", "Tribute"]

META = Meta(
    game="tribute",
    title="Tribute",
    seats=(2, 3, 4),
    stage="experimental",
    rules="docs/rules/tribute.md",
)
