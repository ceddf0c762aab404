"""Buttons and selects that outlive the process: whatever they mean stands in their custom id."""

from __future__ import annotations

import functools
import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord.app_commands.namespace import Namespace

from cogs.buttons.custom_ids import BUTTON, CHANNELS, GUESTS, SELECT, SHEET, VOTE, Press, spot
from cogs.services import Kind
from cogs.text.answers import Interaction, answer, answered
from cogs.text.control import Button

Handler = Callable[[Interaction, Press, tuple[str, ...]], Awaitable[None]]
KINDS: dict[str, Kind] = {
    **dict.fromkeys(("at", "log", "story"), "reading"),  # presses that fold a whole log
    **dict.fromkeys(("share", "C"), "asking"),  # what fills channels
}
HANDLERS: dict[str, Handler] = {}
Deed = Callable[[Interaction, re.Match[str], tuple[str, ...]], Awaitable[None]]  # with what was picked
CONTROLS: dict[re.Pattern[str], tuple[Kind | Callable[[re.Match[str]], Kind], Deed]] = {}


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


class TableButton(Button):
    """A button that names its table, version and action."""

    __slots__ = ()

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
        super().__init__(label, str(press), style, disabled=disabled, row=row, emoji=emoji)


def on_control(pattern: str, kind: Kind | Callable[[re.Match[str]], Kind]) -> Callable[[Deed], Deed]:
    """Registers what to do when a control is pressed whose custom id is like this, and what that costs."""

    def register(deed: Deed) -> Deed:
        CONTROLS[re.compile(pattern)] = kind, deed
        return deed

    return register


def of_table(match: re.Match[str]) -> Kind:
    """What a press at a table costs."""
    return kind_of(match["action"])


@on_control(BUTTON, of_table)
@on_control(SELECT, of_table)
@on_control(SHEET, of_table)
@on_control(GUESTS, of_table)
@on_control(CHANNELS, of_table)
async def at_table(interaction: Interaction, match: re.Match[str], values: tuple[str, ...]) -> None:
    """A press that names its table."""
    await carry_out(interaction, Press.of(match), values)


async def answer_press(interaction: Interaction) -> None:
    """Carries out what was pressed, in a message that any process sent at any time, and always answers it.

    Does nothing for any other interaction.
    """
    if interaction.type is not discord.InteractionType.component:
        return
    data: Any = interaction.data or {}
    custom_id, values = str(data.get("custom_id", "")), tuple(data.get("values", ()))
    for pattern, (kind, deed) in CONTROLS.items():
        if match := pattern.fullmatch(custom_id):
            cost = kind(match) if callable(kind) else kind
            await answered(interaction, cost, functools.partial(deed, interaction, match, values))
            return
    words = await interaction.client.languages.of_user(interaction)
    await answer(interaction, words("error.old-button"))


def unread(data: dict[str, Any]) -> dict[str, Any]:
    """An interaction with the message that was pressed laid aside, of which discord.py would make objects.

    It is most of what comes with a press, and hardly anybody looks at it.
    """
    if "message" in data:
        data["data"]["message"] = data.pop("message")
    return data


def pressed_message(interaction: Interaction) -> dict[str, Any]:
    """The message that was pressed, as Discord tells of it; nothing where none was."""
    data: Any = interaction.data or {}
    return dict(data.get("message") or {})


def picked(interaction: Interaction) -> list[discord.abc.User]:
    """The people that were picked in a select of them."""
    data: Any = interaction.data or {}
    resolved = Namespace._get_resolved_items(interaction, data.get("resolved", {}))  # noqa: SLF001
    return list(resolved.values())


__all__ = ["TableButton", "answer_press", "on_control", "on_press", "picked", "pressed_message", "unread"]
