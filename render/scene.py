"""What a painter gets, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass

from engines.base import Choice, Prompt, Seen, View
from locales import Words


@dataclass(frozen=True)
class Scene:
    """One picture to draw: a viewer's view, the words of his language, and what his panel asks.

    names   display names by seat, plain text
    events  what happened since the last board, as this viewer may know it
    prompt  a panel's preview: what may be picked now; `picked`: what was picked before
    action  canonical text of the action to confirm: the preview shows its result
    flip    the board turned round; area, layer: a crop or another layer, where a game has them
    table   the table's number, where the picture is to carry it
    """

    game: str
    view: View
    names: tuple[str, ...]
    words: Words
    events: tuple[Seen, ...] = ()
    prompt: Prompt | None = None
    picked: tuple[Choice, ...] = ()
    action: str | None = None
    flip: bool = False
    area: str | None = None
    layer: str | None = None
    table: int | None = None


@dataclass(frozen=True)
class Picture:
    """A PNG of at most 250 KB, the name to upload it under, and alt text of less than 1,000 characters."""

    png: bytes
    filename: str
    alt: str
