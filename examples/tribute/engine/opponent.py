"""The built-in opponent of Tribute: bids about what the prize is worth to it, from its own view alone."""

from __future__ import annotations

from typing import cast

from engines.chance import Chance
from engines.opponents import Level
from engines.protocol import View
from examples.tribute.engine.model import TributeView

LEVELS: tuple[Level, ...] = ("easy", "normal")


def choose(view: View, level: Level, chance: Chance) -> str:
    """The action in canonical notation."""
    seen = cast(TributeView, view)
    hand = seen.players[view.viewer or 0].hand
    if level == "easy":
        return f"bid {chance.pick(hand)}"
    worth = (seen.prize or 0) + seen.stake + chance.below(2)
    return f"bid {min(hand, key=lambda card: (abs(card - worth), card))}"
