"""What a viewer is shown, as a painter wants it."""

from __future__ import annotations

from cogs.text.plain import called, plain
from locales import Words
from render import Scene
from tables.core.model import Shown


def scene_of(
    shown: Shown,
    words: Words,
    *,
    flip: bool = False,
    spoken: bool = False,
    area: str | None = None,
    layer: str | None = None,
) -> Scene:
    """A scene for one viewer; `spoken` escapes the names for text."""
    names = tuple(called(name, words) for name in shown.names)
    return Scene(
        game=shown.table.game,
        view=shown.view,
        names=tuple(map(plain, names)) if spoken else names,
        words=words,
        events=shown.events,
        flip=flip,
        area=area,
        layer=layer,
        table=shown.table.id,
        accounts=shown.table.accounts,
        since=shown.since,
        help=shown.table.help,
    )
