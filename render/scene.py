"""What a painter gets, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal, TypeVar

from engines.protocol import Choice, Prompt, Seen, View
from engines.registry import engine
from locales import Words, words

Help = Literal["none", "basic", "full"]
T = TypeVar("T")


@dataclass(frozen=True)
class Scene:
    """One picture to draw: a viewer's view, the words of his language, and what his panel asks.

    names   display names by seat, plain text
    events  what happened since the last board, as this viewer may know it
    prompt  a panel's preview: what may be picked now; `picked`: what was picked before
    action  canonical text of the action to confirm: the preview shows its result
    flip    the board turned round; area, layer: a crop or another layer, where a game has them
    table   the table's number, where the picture is to carry it
    accounts  names of their accounts by seat, for pictures; "" where there is none
    since   what this viewer saw when he last looked: the board marks what is new; None: nothing is marked
    help    how much of what follows is shown: "none"; "basic", what is certain and open to a look at the
            board; "full", odds and threats too. Never more than the view knows
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
    accounts: tuple[str, ...] = ()
    since: View | None = None
    help: Help = "full"

    def packed(self) -> dict[str, Any]:
        """Itself as JSON, for another process: `unpacked` makes an equal one."""
        return {
            "game": self.game,
            "view": self.view.model_dump(mode="json"),
            "names": self.names,
            "words": self.words.locale,
            "events": [event.model_dump(mode="json") for event in self.events],
            "prompt": None if self.prompt is None else self.prompt.model_dump(mode="json"),
            "picked": [choice.model_dump(mode="json") for choice in self.picked],
            "action": self.action,
            "flip": self.flip,
            "area": self.area,
            "layer": self.layer,
            "table": self.table,
            "accounts": self.accounts,
            "since": None if self.since is None else self.since.model_dump(mode="json"),
            "help": self.help,
        }


def once(find: Callable[[Scene], T]) -> Callable[[Scene], T]:
    """Lets a scene keep what was found out about it, since several parts of a picture ask."""

    @wraps(find)
    def asked(scene: Scene) -> T:
        known: dict[Callable[[Scene], Any], Any] = scene.__dict__.setdefault("known", {})
        if find not in known:
            known[find] = find(scene)
        found: T = known[find]
        return found

    return asked


def unpacked(sketch: dict[str, Any]) -> Scene:
    """The scene that was packed."""
    prompt, since = sketch["prompt"], sketch["since"]
    view_type = engine(sketch["game"]).view_type
    return Scene(
        **{
            **sketch,
            "view": view_type.model_validate(sketch["view"]),
            "since": None if since is None else view_type.model_validate(since),
            "names": tuple(sketch["names"]),
            "accounts": tuple(sketch["accounts"]),
            "words": words(sketch["words"]),
            "events": tuple(Seen.model_validate(event) for event in sketch["events"]),
            "prompt": None if prompt is None else Prompt.model_validate(prompt),
            "picked": tuple(Choice.model_validate(choice) for choice in sketch["picked"]),
        }
    )


@dataclass(frozen=True)
class Picture:
    """A PNG of at most 250 KB, the name to upload it under, and alt text of less than 1,000 characters.

    focus  whether it is one place enlarged, so that the whole board is to be asked for
    """

    png: bytes
    filename: str
    alt: str
    focus: bool = False
