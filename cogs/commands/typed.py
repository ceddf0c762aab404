"""Actions that are typed, after `/move` or into the form that a panel's "Type it" opens."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import discord
from discord import ui

from cogs.buttons.custom_ids import FORM, Press
from cogs.buttons.lasting import on_press
from cogs.commands import votes
from cogs.panels.guided import ask_again, done_line
from cogs.panels.own import open_draft, own_panel
from cogs.text.answers import Interaction, answer, answered, cut, wait
from cogs.text.completions import admitted, meant
from cogs.text.places import lacking_here
from engines.capabilities import Drafts, Orders
from engines.registry import engine
from engines.typed import plainly
from locales import Words
from tables.core.errors import TableError
from tables.core.model import Draft, Table
from tables.reading.access import headed

GIVING_UP = "resign"  # asked about once more, typed or pressed
MOST_TYPED = 4_000  # characters of a form's field
MOST_TITLE = 45  # characters of a form's title
STAYS_S = 900.0  # how long an open form is kept in memory; one sent later is carried out as well
TEXT = "text"  # the field's custom id


async def carried_out(interaction: Interaction, number: int | None, text: str) -> None:
    """An action in the game's notation, headed by `#12` or with a table's `number`. Raises TableError."""
    await wait(interaction)
    client, user = interaction.client, interaction.user.id
    headed_by, action = headed(plainly(text))
    found = await meant(interaction, headed_by or number, "running")
    if action.casefold() == GIVING_UP:
        await votes.ask_to_resign(interaction, found.id)
        return
    doubtful = await client.tables.doubt(found.id, user, action)
    if isinstance(doubtful, Draft):
        if panel := own_panel(doubtful.shown.table.game):
            await panel.open_sheet(interaction, doubtful, "")
            return
    elif doubtful is not None:
        await ask_again(interaction, doubtful)
        return
    outcome = await client.tables.act(
        found.id, user, action, interaction_id=interaction.id, guild_id=interaction.guild_id
    )
    words = await client.languages.of_user(interaction)
    if outcome.draft is not None and not isinstance(engine(found.game), Orders):
        kept = words("answer.draft", draft=f"`{outcome.draft}`")
        if not await open_draft(interaction, found.id, before=words("answer.draft-kept")):
            await answer(interaction, kept)
        return
    lines = [done_line(outcome, words)]
    if outcome.shown.seat in outcome.table.to_act:
        lines.append(words("answer.again"))
    lacking = lacking_here(interaction, outcome.table)
    if lacking:
        names = [words(f"permission.{name}") for name in lacking]
        lines.append(words("answer.cannot-post", permissions=names))
    await answer(interaction, "\n".join(lines))


class Form(ui.Modal):
    """A field for an action's text. What is sent comes by `answer_form`, also after a restart."""

    def __init__(self, table: Table, words: Words, draft: str) -> None:
        super().__init__(
            title=cut(f"#{table.id} {words(f'{table.game}.title')}", MOST_TITLE),
            custom_id=f"m:{table.id}",
            timeout=STAYS_S,
        )
        field = ui.TextInput[Any](
            custom_id=TEXT,
            style=discord.TextStyle.paragraph,
            default=draft or None,
            max_length=MOST_TYPED,
        )
        self.add_item(
            ui.Label(text=words("form.action"), description=words("form.action-how"), component=field)
        )


@on_press("type")
async def open_form(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """The form, with the draft that is there: Discord takes a form as the first answer only.

    Raises `not-seated`.
    """
    words = await interaction.client.languages.of_user(interaction)
    table = await admitted(interaction, press.table)
    if table.seat_of(interaction.user.id) is None:
        raise TableError("not-seated", table=table.id, game=table.game)
    await interaction.response.send_modal(Form(table, words, await drafted(interaction, table)))


async def drafted(interaction: Interaction, table: Table) -> str:
    """What the user has of a draft, as text; "" where there is none."""
    if not isinstance(engine(table.game), Drafts):
        return ""
    try:
        return (await interaction.client.tables.draft(table.id, interaction.user.id)).text
    except TableError:
        return ""  # nothing to draft now: the form is for an action then


async def answer_form(interaction: Interaction) -> None:
    """Carries out what was typed into a form; does nothing for any other interaction."""
    data: dict[str, Any] = dict(interaction.data or {})
    found = re.fullmatch(FORM, str(data.get("custom_id", "")))
    if interaction.type is not discord.InteractionType.modal_submit or found is None:
        return
    text = field_of(data.get("components") or [])
    await answered(interaction, "playing", partial(carried_out, interaction, int(found["table"]), text))


def field_of(parts: list[dict[str, Any]]) -> str:
    """The text of the field in a form that was sent."""
    for part in parts:
        inner = part.get("component") or part
        if inner.get("custom_id") == TEXT:
            return str(inner.get("value", ""))
        if found := field_of(part.get("components") or []):
            return found
    return ""
