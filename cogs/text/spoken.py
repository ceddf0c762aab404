"""An action in words, to who does it: what it is, with its notation small beside it."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.text.answers import plain
from cogs.text.layout import small
from cogs.text.signs import Signs
from engines.protocol import Seen
from locales import Words
from tables.core.model import Outcome


def in_words(
    game: str, said: Sequence[Seen], words: Words, names: Sequence[str], signs: Signs | None = None
) -> str:
    """The phrases of an action as one, `<game>.action.<code>` each; "" where the game has none for it.

    With `signs` each begins with the emoji of what it names.
    """
    shown = tuple(plain(name) for name in names)
    made = ""
    for seen in said:
        told = words(f"{game}.action.{seen.code}", game=game, names=shown, **seen.params)
        if made:  # what begins as a sentence does is an action of its own
            made += " · " if told[:1].isupper() else words("words.separator")
        made += told if signs is None else f"{signs.of_phrase(game, seen)}{told}"
    return made


def not_laid(outcome: Outcome, words: Words) -> str:
    """What could not be laid as the round before, a line each, `<game>.lacking.<code>`."""
    game, names = outcome.table.game, tuple(plain(name) for name in outcome.shown.names)
    return "\n".join(
        words(f"{game}.lacking.{seen.code}", game=game, names=names, **seen.params)
        for seen in outcome.lacking
    )


def asked(phrase: str, action: str, words: Words) -> tuple[str, str]:
    """The question whether to do an action, and what stands small below it: the notation, or nothing."""
    written = f"`{action}`"
    if not phrase:
        return words("panel.confirm", action=written), ""
    return words("panel.confirm-said", said=phrase), small([written])


def done(phrase: str, action: str, words: Words) -> str:
    """That an action is done: its words, and below them the notation."""
    played = words("answer.played", action=f"`{action}`")
    return f"{words('answer.said', said=phrase)}\n{small([played])}" if phrase else played
