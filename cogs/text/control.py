"""Buttons and selects as Discord takes them: what each of them means stands in its custom id or address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from cogs.text.plain import cut
from locales.direction import label_in_order

MOST_LABEL, MOST_OPTION, MOST_PLACEHOLDER = 80, 100, 150  # characters of a button, an option, a select
WIDE = 5  # buttons in a row; a select takes them all
STYLES = {
    name: discord.ButtonStyle[style].value
    for name, style in (
        ("plain", "secondary"),
        ("primary", "primary"),
        ("danger", "danger"),
        ("success", "success"),
        ("link", "link"),
    )
}
BUTTON = discord.ComponentType.button.value
PEOPLE, CHANNELS = discord.ComponentType.user_select, discord.ComponentType.channel_select

Component = dict[str, Any]  # a part of a message, as Discord takes it


class Control:
    """A button or a select: its JSON, how wide it is, and the row that it asks for."""

    __slots__ = ("json", "row", "width")

    def __init__(self, json: Component, row: int | None, width: int) -> None:
        self.json, self.row, self.width = json, row, width

    @property
    def label(self) -> str | None:
        """What stands on a button."""
        return self.json.get("label")


class Button(Control):
    """A button with a custom id, or with an address where it is a link."""

    __slots__ = ()

    def __init__(
        self,
        label: str,
        custom_id: str | None = None,
        style: str = "plain",
        *,
        url: str | None = None,
        disabled: bool = False,
        row: int | None = None,
        emoji: discord.PartialEmoji | None = None,
    ) -> None:
        json: Component = {"type": BUTTON, "style": STYLES[style], "disabled": disabled}
        if label:
            json["label"] = label_in_order(cut(label, MOST_LABEL), MOST_LABEL)
        if custom_id is not None:
            json["custom_id"] = custom_id
        if url is not None:
            json |= {"style": STYLES["link"], "url": url}
        if emoji is not None:
            json["emoji"] = emoji.to_dict()
        super().__init__(json, row, 1)


class Select(Control):
    """A select: of `options`, or of what Discord lists of a kind."""

    __slots__ = ()

    def __init__(
        self,
        custom_id: str,
        options: Sequence[Component] = (),
        placeholder: str | None = None,
        *,
        least: int = 1,
        most: int = 1,
        kind: discord.ComponentType = discord.ComponentType.select,
        channels: Sequence[discord.ChannelType] = (),
    ) -> None:
        json: Component = {
            "type": kind.value,
            "custom_id": custom_id,
            "min_values": least,
            "max_values": most,
            "disabled": False,
            "required": kind is discord.ComponentType.select,
        }
        if placeholder:
            json["placeholder"] = label_in_order(cut(placeholder, MOST_PLACEHOLDER), MOST_PLACEHOLDER)
        if options:
            json["options"] = list(options)
        if channels:
            json["channel_types"] = [channel.value for channel in channels]
        super().__init__(json, None, WIDE)


def option(
    label: str,
    value: str,
    description: str | None = None,
    *,
    default: bool = False,
    emoji: discord.PartialEmoji | None = None,
) -> Component:
    """An option of a select: what it says, what it means, what is said below it."""
    made: Component = {
        "label": label_in_order(cut(label, MOST_OPTION), MOST_OPTION),
        "value": value,
        "default": default,
    }
    if description:
        made["description"] = label_in_order(cut(description, MOST_OPTION), MOST_OPTION)
    if emoji is not None:
        made["emoji"] = emoji.to_dict()
    return made
