"""Forms: what is sent comes by the form's custom id, also after a restart, to whoever knows it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import discord
from discord import ui

from cogs.services import Interaction, Kind
from cogs.text.answers import answered, cut

MOST_TITLE = 45  # characters of a form's title
STAYS_S = 900.0  # how long an open form is kept in memory; one sent later is carried out as well


@dataclass(frozen=True)
class Sent:
    """A form that was sent: what its custom id says, and what its fields hold, by their own."""

    match: re.Match[str]
    values: dict[str, list[str]] = field(default_factory=dict)
    files: list[discord.Attachment] = field(default_factory=list)

    def text(self, name: str) -> str:
        """A field's text, or what was picked in it; "" where it was left empty."""
        return next(iter(self.values.get(name) or ()), "")


Handler = Callable[[Interaction, Sent], Awaitable[None]]
FORMS: dict[str, tuple[Kind, Handler]] = {}  # by the pattern of their custom ids


def on_form(pattern: str, kind: Kind) -> Callable[[Handler], Handler]:
    """Registers what to do with a form whose custom id is like this."""

    def register(handler: Handler) -> Handler:
        FORMS[pattern] = (kind, handler)
        return handler

    return register


def form(title: str, custom_id: str, *parts: ui.Label[Any]) -> ui.Modal:
    """A form, to be sent as the first answer to a press or a command: Discord takes it as no other."""
    made = ui.Modal(title=cut(title, MOST_TITLE), custom_id=custom_id, timeout=STAYS_S)
    for part in parts:
        made.add_item(part)
    return made


def line(
    name: str, now: str = "", *, most: int, wanted: bool = False, example: str = ""
) -> ui.TextInput[Any]:
    """A field of one line with what it holds now."""
    return ui.TextInput(
        custom_id=name, default=now or None, required=wanted, max_length=most, placeholder=example or None
    )


async def answer_form(interaction: Interaction) -> None:
    """Carries out what was sent with a form; does nothing for any other interaction."""
    if interaction.type is not discord.InteractionType.modal_submit:
        return
    data: dict[str, Any] = dict(interaction.data or {})
    for pattern, (kind, handler) in FORMS.items():
        if match := re.fullmatch(pattern, str(data.get("custom_id", ""))):
            deed = partial(handler, interaction, read(interaction, data, match))
            await answered(interaction, kind, deed)


def read(interaction: Interaction, data: dict[str, Any], match: re.Match[str]) -> Sent:
    """A form as it was sent."""
    sent = Sent(match)
    uploaded = (data.get("resolved") or {}).get("attachments") or {}
    for part in fields(data.get("components") or []):
        values = part.get("values")
        kept = [str(value) for value in values] if values is not None else [str(part.get("value") or "")]
        sent.values[part["custom_id"]] = kept
        sent.files.extend(
            discord.Attachment(data=uploaded[value], state=interaction._state)  # noqa: SLF001 - it reads no file else
            for value in kept
            if value in uploaded
        )
    return sent


def fields(parts: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The fields of a form, from rows and labels."""
    for part in parts:
        inner = part.get("component") or part
        if "custom_id" in inner:
            yield inner
        yield from fields(part.get("components") or [])
