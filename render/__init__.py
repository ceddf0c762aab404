"""Pictures and the words that go with them: a view in, a PNG out. Nothing here ever sees a full state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from engines.registry import GAMES
from render.scene import Picture, Scene, unpacked
from render.theme import GOLD


class Painter(Protocol):
    """What `render/<game>/painter.py` exports. Pure functions, safe to call from several threads."""

    def board(self, scene: Scene) -> Picture:
        """The board, in public style if the view has no viewer, else the viewer's own."""

    def hand(self, scene: Scene) -> Picture | None:
        """The viewer's private sheet, None where the game hides nothing."""

    def caption(self, scene: Scene) -> str:
        """One line: what changed, whose turn it is, what is forced."""

    def describe(self, scene: Scene) -> str:
        """The whole board in words."""


@cache
def painter(game: str) -> Painter:
    """The module that draws this game, imported at first use. KeyError for a game that does not exist."""
    if game not in GAMES:
        raise KeyError(game)
    return cast(Painter, import_module(f"render.{game}.painter"))


def has_painter(game: str) -> bool:
    """Whether there is a module that draws this game, without importing it: a fault is not its absence."""
    return all(find_spec(name) is not None for name in (f"render.{game}", f"render.{game}.painter"))


def ended(scene: Scene) -> Picture | None:
    """The board that an act or the like ended on, where this step began the next; most games have none."""
    draw = getattr(painter(scene.game), "ended", None)
    return None if draw is None else cast(Picture | None, draw(scene))


def finale(scene: Scene) -> Picture | None:
    """A finished game as a trophy: crest, score, curve; its statistics are the scene's events."""
    draw = getattr(painter(scene.game), "finale", None)
    return None if draw is None else cast(Picture | None, draw(scene))


def focus(scene: Scene) -> Picture | None:
    """The place where all that is new has happened, enlarged; None where it is more than one place."""
    draw = getattr(painter(scene.game), "focus", None)
    found = None if draw is None else cast(Picture | None, draw(scene))
    return None if found is None else replace(found, focus=True)


def standing(scene: Scene) -> Picture | None:
    """Who leads in what, and what it would score; None in a game where the board shows it."""
    draw = getattr(painter(scene.game), "standing", None)
    return None if draw is None else cast(Picture | None, draw(scene))


def stands(scene: Scene) -> bool:
    """Whether there is a standing to be shown: in a game that has one, where its `stands` does not say no."""
    drawn = painter(scene.game)
    asked = getattr(drawn, "stands", None)
    return hasattr(drawn, "standing") and (asked is None or bool(asked(scene)))


def standing_words(scene: Scene) -> str:
    """The same in words, some lines; "" in a game without it."""
    tell = getattr(painter(scene.game), "standing_words", None)
    return "" if tell is None else cast(str, tell(scene))


def changes(scene: Scene) -> str:
    """In words, what the board marks as new since `scene.since`; "" where nothing is, or without one."""
    tell = getattr(painter(scene.game), "changes", None)
    return "" if tell is None or scene.since is None else cast(str, tell(scene))


def own_ground(scene: Scene) -> Picture | None:
    """The viewer's own map, to go with the sheet of his hand; most games show both in one picture."""
    draw = getattr(painter(scene.game), "own_ground", None)
    return None if draw is None else cast(Picture | None, draw(scene))


def has(game: str, part: str) -> bool:
    """Whether a game may have this part: all have boards, and say themselves whether they have a hand."""
    return part in ("board", "hand", "sheet", "step") or hasattr(painter(game), part)


def drawing(part: str) -> Callable[[Scene], Picture | None]:
    """What draws a part of a scene. KeyError for a part that does not exist.

    board, hand, ended, own_ground, finale, focus, standing  as above
    sheet  the hand or, in a game without one, the board
    step   what a post or a panel shows: the place that it is about if it is one, else the board
    """
    made: dict[str, Callable[[Scene], Picture | None]] = {
        "board": lambda scene: painter(scene.game).board(scene),
        "hand": lambda scene: painter(scene.game).hand(scene),
        "sheet": lambda scene: painter(scene.game).hand(scene) or painter(scene.game).board(scene),
        "ended": ended,
        "own_ground": own_ground,
        "finale": finale,
        "focus": focus,
        "standing": standing,
        "step": lambda scene: focus(scene) or painter(scene.game).board(scene),
    }
    return made[part]


def areas(game: str) -> tuple[str, ...]:
    """Parts of the board that a picture may be asked for, the large ones first; most games have none."""
    found = painter(game)
    return (*getattr(found, "AREAS", ()), *getattr(found, "PLACES", ()))


def parted(scene: Scene) -> tuple[str, str]:
    """The caption in two: who is to act and how, and what happened before that.

    The second is empty where the painter does not tell them apart (`turn`).
    """
    whole, tell = painter(scene.game).caption(scene), getattr(painter(scene.game), "turn", None)
    now = "" if tell is None else cast(str, tell(scene))
    return (now, whole.removesuffix(now).strip()) if now and whole.endswith(now) else (whole, "")


def accent(game: str) -> str:
    """The game's own colour, `#RRGGBB`, as its messages carry it."""
    return str(getattr(painter(game), "ACCENT", GOLD))


def layers(game: str) -> tuple[str, ...]:
    """Other layers that the board may be asked for (`values`); most games have none."""
    return tuple(getattr(painter(game), "LAYERS", ()))


__all__ = [
    "Painter",
    "Picture",
    "Scene",
    "accent",
    "areas",
    "changes",
    "drawing",
    "ended",
    "finale",
    "focus",
    "has",
    "has_painter",
    "layers",
    "own_ground",
    "painter",
    "parted",
    "standing",
    "standing_words",
    "stands",
    "unpacked",
]
