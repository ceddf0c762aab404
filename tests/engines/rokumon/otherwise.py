"""What a viewer cannot tell apart: the test of secrets mixes it up."""

from __future__ import annotations

from typing import Any

from engines.chance import Chance
from tests.engines.rokumon.test_rokumon_secrets import shuffled


def otherwise(state: Any, viewer: int | None, chance: Chance) -> Any:
    """Another position that this viewer (None: a spectator) cannot tell from the given one."""
    return shuffled(state, viewer, chance.shuffled)
