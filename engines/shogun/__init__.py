"""Shogun: secret plans and the cube tower, three to five players."""

from engines.shogun.engine import Shogun

__all__ = ["Shogun"]
