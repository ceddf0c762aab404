"""The bot's own emoji: signs of the games, drawn as their boards show them, for buttons and sentences.

A painter's `EMOJI` maps codes of the game (a colour, a side, a block's face) to what draws their sign;
`ALIKE`, where a game has it, maps codes that share one (towns of a map) to the code that is drawn.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from hashlib import sha256

from PIL import Image

from engines.registry import GAMES
from engines.values import Choice
from render import painter

SIZE = 128  # pixels, Discord's own measure
MOST_NAME = 32  # characters of an emoji's name
MARK = 6  # of them tell one drawing of a sign from another
Signs = Mapping[str, Callable[[], Image.Image]]


def signs(game: str) -> Signs:
    """What draws each sign of a game, by code; empty where it has none."""
    found: Signs = getattr(painter(game), "EMOJI", {})
    return found


def sign(game: str, code: str) -> str | None:
    """The code of the sign that stands for a code: its own, or the one that it shares."""
    shared: Mapping[str, str] = getattr(painter(game), "ALIKE", {})
    return code if code in signs(game) else shared.get(code)


def slug(code: str) -> str:
    """A code as part of an emoji's name: letters, digits and `_`."""
    return re.sub(r"[^a-z0-9]+", "_", code.casefold())


def drawn(game: str, code: str) -> bytes:
    """The sign as a PNG of 128 x 128 on a clear ground. KeyError for a code without one."""
    sprite = signs(game)[code]().copy()  # the painter may keep it for its pictures
    sprite.thumbnail((SIZE, SIZE), Image.Resampling.LANCZOS)
    sheet = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    sheet.paste(sprite, ((SIZE - sprite.width) // 2, (SIZE - sprite.height) // 2))
    out = io.BytesIO()
    sheet.save(out, "PNG")
    return out.getvalue()


def all_drawn() -> dict[str, tuple[str, str, bytes]]:
    """Every sign of every game by the emoji's name, which changes with the drawing: game, code, PNG."""
    made = {}
    for game in GAMES:
        for code in signs(game):
            png = drawn(game, code)
            stem = f"{game}_{slug(code)}"[: MOST_NAME - MARK - 1]
            made[f"{stem}_{sha256(png).hexdigest()[:MARK]}"] = (game, code, png)
    return made


def sign_of(game: str, choice: Choice) -> str | None:
    """The code whose sign stands for a choice: its key, else the first of its parameters that has one."""
    named = (choice.key, *(value for value in choice.params.values() if isinstance(value, str)))
    found = (sign(game, code) for code in named)
    return next((code for code in found if code is not None), None)
