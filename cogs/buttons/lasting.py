"""Buttons and selects that outlive the process: whatever they mean stands in their custom id."""

from __future__ import annotations

import functools
import re
from collections.abc import Awaitable, Callable
from typing import Any, Self

import discord
from discord import ui

from cogs.buttons.custom_ids import BUTTON, GUESTS, LASTING, SELECT, VOTE, Press, spot
from cogs.services import Kind
from cogs.text.answers import Interaction, answer, answered, cut
from cogs.text.layout import MOST_LABEL

STYLES = {
    "plain": discord.ButtonStyle.secondary,
    "primary": discord.ButtonStyle.primary,
    "danger": discord.ButtonStyle.danger,
    "success": discord.ButtonStyle.success,
}

Handler = Callable[[Interaction, Press, tuple[str, ...]], Awaitable[None]]
KINDS: dict[str, Kind] = {
    **dict.fromkeys(("at", "log", "story"), "reading"),  # presses that fold a whole log
    **dict.fromkeys(("share", "C"), "asking"),  # what fills channels
}
HANDLERS: dict[str, Handler] = {}


def on_press(*names: str) -> Callable[[Handler], Handler]:
    """Registers what to do when one of these actions is pressed."""

    def register(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(names, handler))
        return handler

    return register


def handler_of(action: str) -> Handler | None:
    """What an action's name, a panel place or a vote leads to; None for one that no longer exists.

    An action `plan.fill` that is none of its own is one of `plan`.
    """
    place = spot(action)
    if place is not None:
        return HANDLERS.get(place.verb)
    return HANDLERS.get("vote" if VOTE.fullmatch(action) else action.partition(".")[0])


async def handle(interaction: Interaction, press: Press, values: tuple[str, ...] = ()) -> None:
    """Carries out a press, and always answers it."""
    deed = functools.partial(carry_out, interaction, press, values)
    await answered(interaction, kind_of(press.action), deed)


def kind_of(action: str) -> Kind:
    """What a press costs: most belong to playing."""
    return KINDS.get(action.partition(".")[0], "playing")


async def carry_out(interaction: Interaction, press: Press, values: tuple[str, ...]) -> None:
    """What a press leads to, or that it leads nowhere any more. Raises TableError."""
    handler = handler_of(press.action)
    if handler is None:
        words = await interaction.client.languages.of_user(interaction)
        await answer(interaction, words("error.old-button"))
    else:
        await handler(interaction, press, values)


class TableButton(ui.DynamicItem[ui.Button[Any]], template=BUTTON):
    """A button that names its table, version and action."""

    def __init__(
        self,
        press: Press,
        label: str = "",
        style: str = "plain",
        *,
        disabled: bool = False,
        row: int | None = None,
        emoji: discord.PartialEmoji | None = None,
    ) -> None:
        self.press = press
        super().__init__(
            ui.Button(
                emoji=emoji,
                label=cut(label, MOST_LABEL) or None,
                style=STYLES[style],
                custom_id=str(press),
                disabled=disabled,
                row=row,
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button of a message that was sent at any time, by any process."""
        return cls(Press.of(match), "·")

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Somebody pressed it."""
        await handle(interaction, self.press)


class TableSelect(ui.DynamicItem[ui.Select[Any]], template=SELECT):
    """A select whose picks continue a path of the panel."""

    def __init__(
        self,
        press: Press,
        options: list[discord.SelectOption] | None = None,
        *,
        placeholder: str | None = None,
        least: int = 1,
        most: int = 1,
        row: int | None = None,
    ) -> None:
        self.press = press
        super().__init__(
            ui.Select(
                custom_id=str(press),
                options=options or [],
                placeholder=None if placeholder is None else cut(placeholder, 150),
                min_values=least,
                max_values=most,
                row=row,
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The select of a message that was sent at any time, by any process."""
        return cls(Press.of(match))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Somebody picked."""
        await handle(interaction, self.press, tuple(self.item.values))


class GuestSelect(ui.DynamicItem[ui.UserSelect[Any]], template=GUESTS):
    """A select of people of the server, who are to be invited to a table."""

    def __init__(self, press: Press, placeholder: str | None = None, most: int = 1) -> None:
        self.press = press
        super().__init__(
            ui.UserSelect(
                custom_id=str(press),
                placeholder=None if placeholder is None else cut(placeholder, 150),
                max_values=most,
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The select of a message that was sent at any time, by any process."""
        return cls(Press.of(match))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Somebody picked: the people are in the interaction's extras."""
        interaction.extras["picked"] = list(self.item.values)
        await handle(interaction, self.press)


async def answer_unknown(interaction: Interaction) -> None:
    """Answers a press of something that no item of ours knows any more; does nothing for all others."""
    data: dict[str, Any] = dict(interaction.data or {})
    custom_id = str(data.get("custom_id", ""))
    if interaction.type is discord.InteractionType.component and not any(
        re.fullmatch(pattern, custom_id) for pattern in LASTING
    ):
        words = await interaction.client.languages.of_user(interaction)
        await answer(interaction, words("error.old-button"))


__all__ = [
    "GuestSelect",
    "TableButton",
    "TableSelect",
    "answer_unknown",
    "handle",
    "on_press",
]
