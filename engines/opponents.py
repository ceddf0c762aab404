"""The built-in opponents: one entry a game, each plays on its own view alone."""

from __future__ import annotations

from importlib import import_module
from typing import Literal, Protocol

from engines.chance import Chance
from engines.protocol import RulesError, View

Level = Literal["easy", "normal", "hard"]


class Opponent(Protocol):
    """`engines/<game>/opponent.py` exports `LEVELS` and `choose`."""

    LEVELS: tuple[Level, ...]

    def choose(self, view: View, level: Level, chance: Chance) -> str:
        """The action in canonical notation for the seat `view.viewer`, which has to act.

        A fixed node budget for each level: the same answer on every machine.
        """


def opponent(game: str) -> Opponent:
    """The opponent of this game. Raises RulesError `no-opponent`."""
    try:
        return import_module(f"engines.{game}.opponent")
    except ModuleNotFoundError:
        raise RulesError("no-opponent", game=game) from None
