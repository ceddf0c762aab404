"""What a worker does before it is asked: it draws a first board, and so has all that the next ones need."""

from __future__ import annotations

from engines.chance import Chance
from engines.registry import engine
from locales import words
from render import Scene, drawing

NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve")


def warm(game: str, locale: str) -> None:
    """Reads in the game, its words and fonts, and draws its empty board, in this language."""
    rules = engine(game)
    options = rules.read_options({})
    names = NAMES[: rules.seat_counts(options)[0]]
    state = rules.setup(options, len(names), Chance(bytes(32), 0)).state
    for viewer, part in ((None, "board"), (0, "sheet")):
        drawing(part)(Scene(game, rules.view(state, viewer), names, words(locale)))
