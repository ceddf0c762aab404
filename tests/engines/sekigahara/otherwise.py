"""What a viewer cannot tell apart: the test of secrets mixes it up."""

from __future__ import annotations

from typing import Any

from engines.chance import Chance
from tests.engines.sekigahara.test_sekigahara_secrets import permuted


def otherwise(state: Any, viewer: int | None, chance: Chance) -> Any:
    """Another position that this viewer (None: a spectator) cannot tell from the given one."""
    for seat, side in enumerate(("ishida", "tokugawa")):
        state = state if seat == viewer else permuted(state, side, chance)
    return state
