"""The games that there are: one line a game."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from engines.protocol import Engine, RulesError, printable

GAMES: dict[str, str] = {
    "kamisado": "engines.kamisado:Kamisado",
    "rokumon": "engines.rokumon:Rokumon",
    "shogun": "engines.shogun:Shogun",
    "sekigahara": "engines.sekigahara:Sekigahara",
}


@cache
def engine(game: str) -> Engine[Any, Any, Any]:
    """The engine of a game by its name. Raises RulesError `unknown-game`."""
    if game not in GAMES:
        raise RulesError("unknown-game", game=printable(game), games=list(GAMES))
    module, name = GAMES[game].split(":")
    made: Engine[Any, Any, Any] = getattr(import_module(module), name)()
    return made
