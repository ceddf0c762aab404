"""The rules of a game in short pages, `<game>.rules.N` of the catalogue, with a picture each."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Self

import discord
from discord import ui

from cogs.buttons.custom_ids import RULES
from cogs.text.answers import Interaction, answer, answered, change, hold, wait
from cogs.text.games import playable
from cogs.text.layout import Rows
from cogs.text.letter import attached
from cogs.text.rules_pages import pages_of, rules_id
from locales import Words


class RulesButton(ui.DynamicItem[ui.Button[Any]], template=RULES):
    """Turns to a page in place, or opens it `apart`, below what it was pressed on."""

    def __init__(
        self,
        game: str,
        page: int,
        label: str = "·",
        *,
        apart: bool = False,
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        self.game, self.page, self.apart = game, page, apart
        custom_id = rules_id(game, page, apart=apart)
        super().__init__(ui.Button(label=label, custom_id=custom_id, disabled=disabled, row=row))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button of a message that was sent at any time."""
        return cls(match["game"], int(match["page"]), apart=match["apart"] is not None)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Shows the page in place of the one that was open, or in a message of its own."""
        await answered(interaction, "asking", partial(self._turned, interaction))

    async def _turned(self, interaction: Interaction) -> None:
        if self.apart:
            await wait(interaction)
            await show(interaction, self.game, self.page)
        else:
            await hold(interaction)
            content, view, files = await opened(interaction, self.game, self.page)
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
