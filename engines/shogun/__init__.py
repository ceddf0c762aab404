"""Shogun: secret plans and the cube tower, three to five players."""

from engines.meta import Meta
from engines.shogun.engine import Shogun

__all__ = ["META", "Shogun"]

META = Meta(
    game="shogun",
    title="Shogun",
    seats=(3, 4, 5),
    stage="released",
    rules="docs/rules/shogun.md",
)
