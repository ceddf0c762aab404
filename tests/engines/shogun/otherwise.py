"""What a viewer cannot tell apart: the test of secrets mixes it up."""

from __future__ import annotations

from typing import Any

from engines.chance import Chance
from tests.engines.shogun.test_shogun_play import shuffled_secrets


def otherwise(state: Any, viewer: int | None, chance: Chance) -> Any:
    """Another position that this viewer (None: a spectator) cannot tell from the given one."""
    return shuffled_secrets(state, viewer, chance)
