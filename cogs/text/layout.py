"""How every message of the bot is laid out: one place, one style.

A container with the game's accent colour holds, from top to bottom, what is said, the pictures, the quiet
lines (what happened, seeds), and the controls. Discord's limits: 40 components, 4,000 characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ui

from engines.registry import GAMES
from locales.direction import in_order, label_in_order
from render import accent
from render.theme import GOLD, SHU

MOST_PARTS = 40  # components of a message
MOST_SAID = 4_000  # characters of all its words
MOST_ENTRIES = 12  # entries of a list that have a button: three components each
MOST_LABEL, MOST_OPTION, MOST_PLACEHOLDER = 80, 100, 150  # characters of a button, an option, a select
MOST_FIELD = 45  # characters above a field of a form
ROW, SECTION, TEXT, CONTAINER = (
    discord.ComponentType[name].value for name in ("action_row", "section", "text_display", "container")
)
WIDE = 5  # buttons in a row; a select takes them all
PICTURES = (".png", ".gif", ".jpg", ".webp")
REFUSED = SHU  # the accent of what was not done
PLAIN = GOLD  # the accent of what belongs to no game

Component = dict[str, Any]  # a part of a message, as Discord takes it


class Rows:
    """Controls, in rows of five buttons or of one select."""

    def __init__(self, *items: ui.Item[Any]) -> None:
        self._rows: dict[int, list[ui.Item[Any]]] = {}
        for item in items:
            self.add_item(item)

    def add_item(self, item: ui.Item[Any]) -> None:
        """Puts it into the row that it asks for, else into the first with room for it.

        Where the row that it asks for is full it goes into one of its own, below all.
        """
        if item.row is None:
            at = next(n for n in range(len(self._rows) + MOST_PARTS) if self._room(n) >= item.width)
        else:
            at = item.row if self._room(item.row) >= item.width else max(self._rows) + 1
        self._rows.setdefault(at, []).append(item)

    def _room(self, row: int) -> int:
        return WIDE - sum(item.width for item in self._rows.get(row, ()))

    @property
    def items(self) -> list[ui.Item[Any]]:
        """All of them, from the first row to the last."""
        return [item for _, row in sorted(self._rows.items()) for item in row]

    def laid(self) -> list[Component]:
        """As Discord takes them."""
        return [
            {"type": ROW, "components": [item.to_component_dict() for item in row]}
            for _, row in sorted(self._rows.items())
        ]


@dataclass(frozen=True)
class Entry:
    """A line of a list, with the button that stands beside it."""

    text: str
    button: ui.Item[Any] | None = None

    def laid(self) -> Component:
        """As Discord takes it."""
        if self.button is None:
            return text_display(self.text)
        return {
            "type": SECTION,
            "components": [text_display(self.text)],
            "accessory": self.button.to_component_dict(),
        }


class Laid(ui.LayoutView):
    """A message, of which discord.py keeps nothing: what its controls mean stands in their custom ids.

    It is written as Discord takes it at once: objects of discord.py for each part would be made, walked
    through and thrown away, which took a fifth of an answer.
    """

    def __init__(self, container: Component) -> None:
        super().__init__(timeout=None)
        self._container = container
        if parts_in(container) > MOST_PARTS:
            raise ValueError("more parts than a message may have")

    def to_components(self) -> list[dict[str, Any]]:
        """As Discord takes it."""
        return [self._container]

    def has_components_v2(self) -> bool:
        """Whether it is laid out, which all messages are."""
        return True

    def is_dispatchable(self) -> bool:
        """Whether presses are to be brought to this object; the kinds of our controls are registered once."""
        return False


def parts_in(container: Component) -> int:
    """Of how many parts a message is made, itself one: those in it, with what is in each row and section."""
    inner = container["components"]
    return 1 + sum(1 + len(part.get("components", ())) + ("accessory" in part) for part in inner)


def text_display(text: str) -> Component:
    """A text, as Discord takes it."""
    return {"type": TEXT, "content": text}


def laid_out(
    said: str,
    *,
    quiet: str = "",
    entries: Sequence[Entry] = (),
    rows: Rows | None = None,
    files: Sequence[discord.File] = (),
    accented: str = PLAIN,
) -> ui.LayoutView:
    """The message: what is `said` above its pictures, the `quiet` lines below them, the controls last.

    Files that are no pictures stand by their names. `entries` of a list come after what is said, those for
    whose buttons there is no room without one. `accented`: the colour, `#RRGGBB`.
    """
    said, quiet = in_order(said), in_order(quiet)
    entries = [replace(entry, text=in_order(entry.text)) for entry in entries]
    with_room = entries[:MOST_ENTRIES]
    rest = "\n".join(entry.text for entry in entries[MOST_ENTRIES:])
    pictures = [file for file in files if file.filename.endswith(PICTURES)]
    controls = [] if rows is None else rows.items
    for item in [*controls, *(entry.button for entry in with_room if entry.button is not None)]:
        label(item)
    parts = [text_display(said)] if said.strip() else []
    parts += [entry.laid() for entry in with_room]
    parts += [text_display(rest)] if rest else []
    # a gallery each: of several in one Discord cuts squares
    shown: list[ui.Item[Any]] = [ui.MediaGallery(discord.MediaGalleryItem(file)) for file in pictures]
    shown += [ui.File(file) for file in files if file not in pictures]
    parts += [item.to_component_dict() for item in shown]
    room = MOST_SAID - sum(len(text) for text in (said, rest, *(entry.text for entry in with_room)))
    if below := small(quiet.splitlines(), room):
        parts.append(text_display(below))
    parts += [] if rows is None else rows.laid()
    colour = int(accented.removeprefix("#"), 16)
    return Laid({"type": CONTAINER, "accent_color": colour, "spoiler": False, "components": parts})


def label(control: ui.Item[Any]) -> None:
    """Says on a control, or a field of a form, which way its words run."""
    inner = control.item if isinstance(control, ui.DynamicItem) else control
    if isinstance(inner, ui.Button) and inner.label:
        inner.label = label_in_order(inner.label, MOST_LABEL)
    if isinstance(inner, ui.Select | ui.UserSelect | ui.ChannelSelect) and inner.placeholder:
        inner.placeholder = label_in_order(inner.placeholder, MOST_PLACEHOLDER)
    if isinstance(inner, ui.Label):
        inner.text = label_in_order(inner.text, MOST_FIELD)
        inner.description = inner.description and label_in_order(inner.description, MOST_OPTION)
        label(inner.component)
    for option in inner.options if isinstance(inner, ui.Select | ui.RadioGroup) else ():
        option.label = label_in_order(option.label, MOST_OPTION)
        option.description = option.description and label_in_order(option.description, MOST_OPTION)


def small(lines: Iterable[str], room: int = MOST_SAID) -> str:
    """Lines of text in Discord's small type, as many as there is room for."""
    made = [f"-# {line.removeprefix('-# ')}" for line in lines if line.strip()]  # it may be in it already
    while made and len("\n".join(made)) > room:
        made.pop()
    return "\n".join(made)


def accent_of(game: str | None) -> str:
    """A game's accent colour; of none that is known, the plain one."""
    return accent(game) if game in GAMES else PLAIN
