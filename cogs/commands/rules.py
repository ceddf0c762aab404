"""The rules of a game in short pages, `<game>.rules.N` of the catalogue, with a picture each."""

from __future__ import annotations

import re

import discord

from cogs.buttons.custom_ids import RULES
from cogs.buttons.lasting import on_control
from cogs.text.answers import Interaction, answer, change, hold, wait
from cogs.text.control import Button
from cogs.text.games import playable
from cogs.text.layout import Rows
from cogs.text.letter import attached
from cogs.text.rules_pages import pages_of, rules_id
from locales import Words


class RulesButton(Button):
    """Turns to a page in place, or opens it `apart`, below what it was pressed on."""

    __slots__ = ()

    def __init__(
        self,
        game: str,
        page: int,
        label: str,
        *,
        apart: bool = False,
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        super().__init__(label, rules_id(game, page, apart=apart), disabled=disabled, row=row)


@on_control(RULES, "asking")
async def turn(interaction: Interaction, match: re.Match[str], _values: tuple[str, ...]) -> None:
    """Shows a page in place of the one that was open, or in a message of its own."""
    game, page = match["game"], int(match["page"])
    if match["apart"]:
        await wait(interaction)
        await show(interaction, game, page)
    else:
        await hold(interaction)
        content, view, files = await opened(interaction, game, page)
        await change(interaction, content, view=view, files=files)


def page_of(game: str, page: int, words: Words) -> tuple[str, Rows]:
    """A page and its buttons; a page that does not exist turns into the nearest."""
    last = pages_of(game, words)
    view = Rows()
    if last == 0:
        return words("answer.no-rules", title=words(f"{game}.title")), view
    page = max(1, min(page, last))
    view.add_item(RulesButton(game, page - 1, words("button.previous"), disabled=page == 1))
    view.add_item(RulesButton(game, page + 1, words("button.next"), disabled=page == last))
    for other in playable():
        if other != game:
            view.add_item(RulesButton(other, 1, words(f"{other}.title"), row=1))
    heading = words("rules.heading", title=words(f"{game}.title"), page=page, last=last)
    title = f"{game}.rules.{page}.title"
    lines = [heading, f"### {words(title, game=game)}" if words.has(title) else ""]
    return "\n".join([*filter(None, lines), words(f"{game}.rules.{page}", game=game)]), view


async def opened(interaction: Interaction, game: str, page: int) -> tuple[str, Rows, list[discord.File]]:
    """A page with its buttons and its picture, drawn once a language while it is asked for."""
    words = await interaction.client.languages.of_user(interaction)
    content, view = page_of(game, page, words)
    picture = await interaction.client.plates.of(game, max(1, min(page, pages_of(game, words))), words)
    return content, view, [] if picture is None else [attached(picture)]


async def show(interaction: Interaction, game: str, page: int) -> None:
    """Answers with a page."""
    content, view, files = await opened(interaction, game, page)
    await answer(interaction, content, view=view, files=files)
