"""Which games can be played: those with rules, pictures and words."""

from __future__ import annotations

import logging
from functools import cache

from discord import app_commands

from cogs.text.translator import said
from engines.protocol import RulesError
from engines.registry import GAMES, engine, meta
from locales import words
from render import has_painter, painter
from tables.core.options import allowed

log = logging.getLogger("hatamoto.cogs")


class IncompleteGameError(Exception):
    """A game of the registry that cannot be offered: the bot does not start without what it should have."""


@cache
def playable() -> tuple[str, ...]:
    """Names of the games, in the order of the registry. Raises IncompleteGameError."""
    return tuple(game for game in GAMES if complete(game))


def complete(game: str) -> bool:
    """Whether a game has rules, pictures and words; one that is not released yet may lack them.

    Raises IncompleteGameError, with the game's name, where its rules or its painter do not import, and
    where a released game has no painter or no words.
    """
    try:
        engine(game)
        stage, drawn = meta(game).stage, has_painter(game)
        if drawn:
            painter(game)
    except Exception as error:
        raise IncompleteGameError(f"{game} does not import: {type(error).__name__}: {error}") from error
    told = words("en").has(f"{game}.rules.1")
    missing = [name for name, there in (("painter", drawn), ("words", told)) if not there]
    if missing and stage == "released":
        raise IncompleteGameError(f"{game} is released and has no {' and no '.join(missing)}")
    if missing:
        log.warning("%s is not offered: it has no %s", game, " and no ".join(missing))
    return not missing


@cache
def solo(game: str) -> str | None:
    """The option, as it is typed, that makes a game one for a single player; None where none does."""
    rules = engine(game)
    for name in rules.options_type.model_fields:
        for value in allowed(rules.options_type, name):
            try:
                counts = rules.seat_counts(rules.read_options({name: value}))
            except RulesError:
                continue
            if counts == (1,):
                return f"{name}={value}"
    return None


def game_choices() -> list[app_commands.Choice[str]]:
    """The games as choices of a command."""
    return [app_commands.Choice(name=said(f"{game}.title"), value=game) for game in playable()]
