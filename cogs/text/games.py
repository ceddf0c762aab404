"""Which games can be played: those with rules, pictures and words."""

from __future__ import annotations

import logging
from functools import cache

from discord import app_commands

from cogs.text.translator import said
from engines.registry import GAMES, engine
from locales import words
from render import painter

log = logging.getLogger("hatamoto.cogs")


@cache
def playable() -> tuple[str, ...]:
    """Names of the games, in the order of the registry."""
    return tuple(game for game in GAMES if complete(game))


def complete(game: str) -> bool:
    """Whether the rules of a game, its pictures and its words are there."""
    try:
        engine(game)
        painter(game)
    except (ImportError, AttributeError) as error:
        log.info("%s is not offered: %s", game, error)
        return False
    return words("en").has(f"{game}.rules.1")


def game_choices() -> list[app_commands.Choice[str]]:
    """The games as choices of a command."""
    return [app_commands.Choice(name=said(f"{game}.title"), value=game) for game in playable()]
