"""What would follow from an action, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.text.answers import plain
from engines.protocol import Seen
from locales import Words


def foretold(game: str, ahead: Iterable[Seen], words: Words, names: Sequence[str]) -> list[str]:
    """A line for each thing that would follow, `<game>.foresight.<code>`."""
    shown = tuple(plain(name) for name in names)
    return [words(f"{game}.foresight.{seen.code}", game=game, names=shown, **seen.params) for seen in ahead]
