"""The games that there are: one line a game."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import cast

from engines.meta import Meta
from engines.protocol import AnyEngine, RulesError, printable

GAMES: dict[str, str] = {
    "kamisado": "engines.kamisado:Kamisado",
    "rokumon": "engines.rokumon:Rokumon",
    "shogun": "engines.shogun:Shogun",
    "sekigahara": "engines.sekigahara:Sekigahara",
}


@cache
def engine(game: str) -> AnyEngine:
    """The engine of a game by its name. Raises RulesError `unknown-game`.

    Here, and nowhere else, types are erased: whoever has an engine from here knows of its values only
    that they are options, a state, an action and a view, and gives them back to this engine alone.
    A game that does not import, or whose META says otherwise than its engine, is a fault of the
    program: ImportError, TypeError and the like, which stop the start.
    """
    package, name = place(game)
    made = getattr(package, name)()
    about = meta(game)
    if (about.game, made.game, about.seats) != (game, game, made.seats):
        raise TypeError(f"{GAMES[game]}: its META, its engine and the registry name it or its seats apart")
    return cast(AnyEngine, made)


def meta(game: str) -> Meta:
    """What a game says of itself. Raises RulesError `unknown-game`."""
    package, _ = place(game)
    about = getattr(package, "META", None)
    if not isinstance(about, Meta):
        raise TypeError(f"{package.__name__} has no META (engines.meta.Meta)")
    return about


def part(game: str, name: str) -> ModuleType | None:
    """A module of a game's package that not every game has; None where there is no such file.

    A fault inside it is raised as it is. Raises RulesError `unknown-game`.
    """
    package, _ = place(game)
    if not hasattr(package, "__path__") or find_spec(f"{package.__name__}.{name}") is None:
        return None
    return import_module(f"{package.__name__}.{name}")


def place(game: str) -> tuple[ModuleType, str]:
    """The package of a game, and the name of its engine's class. Raises RulesError `unknown-game`."""
    if game not in GAMES:
        raise RulesError("unknown-game", game=printable(game), games=list(GAMES))
    module, name = GAMES[game].split(":")
    return import_module(module), name
