"""Forms: what is sent comes by the form's custom id, also after a restart, to whoever knows it.

What is refused is not lost: the answer holds it, says which place the error means, and opens the form again
with it. It lives in that message alone: a text in a block of its own, short fields in the button's custom id.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import discord
from discord import ui

from cogs.buttons.custom_ids import ANEW, MOST
from cogs.buttons.lasting import on_control, pressed_message
from cogs.services import Interaction, Kind
from cogs.text.answers import answer, answered, cut, explained, names_at, way_for
from cogs.text.control import Button
from cogs.text.layout import REFUSED, TEXT, Rows
from cogs.text.misread import block, field_of, place_of, unblocked
from cogs.text.plain import quotable
from locales import Words
from tables.core.errors import TableError

MOST_TITLE = 45  # characters of a form's title
MOST_KEPT = 1_400  # characters of a text that was refused which its answer holds
HOPELESS = frozenset({"over", "not-running", "no-table", "not-seated"})  # errors that no other text mends
LONE = "text"  # what was typed into a form's only field is handed on as this
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

    @property
    def lone(self) -> str | None:
        """What was typed into a form that has no other field; None where it has several, or takes a file."""
        return self.text(next(iter(self.values))) if len(self.values) == 1 and not self.files else None


Handler = Callable[[Interaction, Sent], Awaitable[None]]
Opener = Callable[[Interaction, str, Mapping[str, str]], Awaitable[ui.Modal]]


class Form(NamedTuple):
    """What a form leads to, and how it is made: of whom asks, its custom id, and what is typed into it."""

    kind: Kind
    handler: Handler
    opener: Opener


FORMS: dict[str, Form] = {}  # by the pattern of their custom ids


def on_form(pattern: str, kind: Kind, opener: Opener) -> Callable[[Handler], Handler]:
    """Registers what to do with a form whose custom id is like this, and how it is opened again."""

    def register(handler: Handler) -> Handler:
        FORMS[pattern] = Form(kind, handler, opener)
        return handler

    return register


def form(title: str, custom_id: str, *parts: ui.Label[Any]) -> ui.Modal:
    """A form, to be sent as the first answer to a press or a command: Discord takes it as no other."""
    made = ui.Modal(title=cut(title, MOST_TITLE), custom_id=custom_id, timeout=STAYS_S)
    for part in parts:
        made.add_item(part)
    return made


def long_line(name: str, now: str, *, most: int, wanted: bool = True) -> ui.TextInput[Any]:
    """The field of a form that has no other: several lines, with what it holds now."""
    return ui.TextInput(
        custom_id=name,
        style=discord.TextStyle.paragraph,
        default=now or None,
        required=wanted,
        max_length=most,
    )


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
    for pattern, made in FORMS.items():
        if match := re.fullmatch(pattern, str(data.get("custom_id", ""))):
            deed = partial(carried, interaction, made.handler, read(interaction, data, match))
            await answered(interaction, made.kind, deed)


async def carried(interaction: Interaction, handler: Handler, sent: Sent) -> None:
    """Does what a form asks for; what is refused is given back."""
    try:
        await handler(interaction, sent)
    except TableError as error:
        await give_back(interaction, error, sent)


async def give_back(interaction: Interaction, error: TableError, sent: Sent) -> None:
    """Why not, the place that is meant, what was typed, and the way to type it anew."""
    words = await interaction.client.languages.of_user(interaction)
    typed = {name: values[0] for name, values in sent.values.items() if values and values[0]}
    lines = [explained(error, words, await names_at(interaction, error.table)), place(typed, error, words)]
    rows = Rows()
    if error.code not in HOPELESS:
        long = sent.lone
        if long and len(long) <= MOST_KEPT:
            lines.append(block(long))
        short = {} if long is not None else typed
        rows.add_item(Button(words("button.anew"), anew(sent.match.string, short), "primary"))
    if (link := way_for(error, words)) is not None:
        rows.add_item(link)
    await answer(interaction, "\n".join(filter(None, lines)), view=rows, accented=REFUSED)


def place(typed: Mapping[str, str], error: TableError, words: Words) -> str:
    """Which place of what was typed an error means; "" where it means all of it."""
    if len(typed) == 1:
        found = place_of(next(iter(typed.values())), error)
        return "" if found is None else words("form.here", place=found)
    name = field_of(typed, error)
    if name is None:
        return ""
    return words("form.here-field", field=words(f"form.{name}"), text=quotable(typed[name]))


@on_control(ANEW, "asking")
async def press_anew(interaction: Interaction, match: re.Match[str], _values: tuple[str, ...]) -> None:
    """Opens a form that was refused once more, with what was typed."""
    await open_anew(interaction, match["form"], dict(parse_qsl(match["typed"] or "")))


def anew(custom_id: str, typed: Mapping[str, str]) -> str:
    """The custom id that opens a form with what was typed, as many of its fields as there is room for."""
    kept, left = "", dict(sorted(typed.items(), key=lambda entry: len(entry[1])))
    for count in range(1, len(left) + 1):
        text = urlencode(list(left.items())[:count], safe=":/-")
        if len(f"e:{custom_id}?{text}") <= MOST:
            kept = f"?{text}"
    return f"e:{custom_id}{kept}"


async def open_anew(interaction: Interaction, custom_id: str, typed: Mapping[str, str]) -> None:
    """The form, with what was typed: Discord takes it as the first answer only. Raises TableError."""
    text = unblocked("\n".join(said(pressed_message(interaction).get("components") or ())))
    for pattern, made in FORMS.items():
        if re.fullmatch(pattern, custom_id):
            given = typed if text is None else {LONE: text}
            await interaction.response.send_modal(await made.opener(interaction, custom_id, given))


def said(components: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The texts of a message."""
    for part in components:
        if part["type"] == TEXT:
            yield part["content"]
        yield from said(part.get("components") or ())


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
