"""What would follow from an action, in words, as far as a table's help goes and who looks can know."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cogs.text.answers import plain
from engines.capabilities import Foresight
from engines.protocol import Seen, View
from engines.registry import engine
from locales import Words
from tables.core.model import Help


def follows(  # noqa: PLR0917 - an action, who looks, and how it is said
    game: str,
    view: View,
    action: str,
    help_: Help,
    words: Words,
    names: Sequence[str],
    but: Collection[str] = (),
) -> list[str]:
    """A line each, `<game>.foresight.<code>`; none where the table wants no help or the game has none.

    Chances and threats are told with all the help only. `but`: codes that are said beside them anyway.
    """
    rules = engine(game)
    if help_ == "none" or not isinstance(rules, Foresight):
        return []
    seen = rules.foresee(view, action, odds=help_ == "full")
    return foretold(game, [one for one in seen if one.code not in but], words, names)


def foretold(game: str, ahead: Sequence[Seen], words: Words, names: Sequence[str]) -> list[str]:
    """A line for each thing that would follow."""
    shown = tuple(plain(name) for name in names)
    return [words(f"{game}.foresight.{seen.code}", game=game, names=shown, **seen.params) for seen in ahead]
