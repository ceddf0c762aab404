"""What a worker does before it is asked: it draws a first board, and so has all that the next ones need."""

from __future__ import annotations

from engines.chance import Chance
from engines.registry import engine, meta
from locales import words
from render import Scene, drawing

NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve")


def warm(game: str, locale: str) -> None:
    """Reads in the game, its words and fonts, and draws its empty board, in this language."""
    rules, names = engine(game), NAMES[: meta(game).seats[0]]
    state = rules.setup(rules.read_options({}), len(names), Chance(bytes(32), 0)).state
    for viewer, part in ((None, "board"), (0, "sheet")):
        drawing(part)(Scene(game, rules.view(state, viewer), names, words(locale)))
