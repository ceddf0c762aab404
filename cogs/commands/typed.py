"""Actions that are typed, after `/move` or into the form that a panel's "Type it" opens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discord import ui

from cogs.buttons.custom_ids import FORM, Press
from cogs.buttons.forms import LONE, Sent, form, long_line, on_form
from cogs.buttons.lasting import on_press
from cogs.commands import votes
from cogs.panels.guided import ask_again, done_line
from cogs.panels.own import open_draft, own_panel
from cogs.text.answers import Interaction, answer, wait
from cogs.text.completions import admitted, meant
from cogs.text.places import lacking_here
from cogs.text.spoken import not_laid
from engines.capabilities import Drafts, Orders
from engines.registry import engine
from engines.typed import plainly
from locales import Words
from render.lessons import page_about
from tables.core.errors import TableError
from tables.core.model import Draft, Table
from tables.reading.access import headed

GIVING_UP = "resign"  # asked about once more, typed or pressed
MOST_TYPED = 4_000  # characters of a form's field
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
        before = "\n".join(filter(None, (words("answer.draft-kept"), not_laid(outcome, words))))
        if not await open_draft(interaction, found.id, before=before):
            await answer(interaction, words("answer.draft", draft=f"`{outcome.draft}`"))
        return
    lines = [done_line(outcome, words, interaction.client.signs)]
    if outcome.shown.seat in outcome.table.to_act:
        lines.append(words("answer.again"))
    lacking = lacking_here(interaction, outcome.table)
    if lacking:
        names = [words(f"permission.{name}") for name in lacking]
        lines.append(words("answer.cannot-post", permissions=names))
    await answer(interaction, "\n".join(lines))


def form_of(table: Table, words: Words, draft: str) -> ui.Modal:
    """A form with a field for an action's text."""
    field = long_line(TEXT, draft, most=MOST_TYPED)
    page = page_about(table.game, "bad-action")
    how = None if page is None else words("form.action-how", page=page)
    label = ui.Label[Any](text=words("form.action"), description=how, component=field)
    return form(f"#{table.id} {words(f'{table.game}.title')}", f"m:{table.id}", label)


@on_press("type")
async def open_form(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """The form, with the draft that is there: Discord takes a form as the first answer only.

    Raises `not-seated`.
    """
    await interaction.response.send_modal(await form_for(interaction, f"m:{press.table}", {}))


async def form_for(interaction: Interaction, custom_id: str, typed: Mapping[str, str]) -> ui.Modal:
    """The form of an action, with what was typed, else with the draft. Raises `not-seated`."""
    words = await interaction.client.languages.of_user(interaction)
    table = await admitted(interaction, int(custom_id.partition(":")[2]))
    if table.seat_of(interaction.user.id) is None:
        raise TableError("not-seated", table=table.id, game=table.game)
    return form_of(table, words, typed.get(LONE) or await drafted(interaction, table))


async def drafted(interaction: Interaction, table: Table) -> str:
    """What the user has of a draft, as text; "" where there is none."""
    if not isinstance(engine(table.game), Drafts):
        return ""
    try:
        return (await interaction.client.tables.draft(table.id, interaction.user.id)).text
    except TableError:
        return ""  # nothing to draft now: the form is for an action then


@on_form(FORM, "playing", form_for)
async def sent_action(interaction: Interaction, sent: Sent) -> None:
    """Carries out what was typed into a form."""
    await carried_out(interaction, int(sent.match["table"]), sent.text(TEXT))
