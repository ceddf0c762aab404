"""What a game says of itself: `META` in the `__init__` of its package, read by `engines.registry`."""

from __future__ import annotations

from typing import Literal

from engines.values import Value

Stage = Literal["released", "experimental"]


class Meta(Value):
    """A game on its box.

    game    its name in commands, records and folders, the registry's
    title   the name on the box; the catalogue's `<game>.title` is shown to people
    seats   numbers of seats it allows, smallest first
    stage   `released`: it has words in every language; `experimental`: English is enough, it may change
    rules   where its rules are written down, as a path of the repository
    """

    game: str
    title: str
    seats: tuple[int, ...]
    stage: Stage
    rules: str
