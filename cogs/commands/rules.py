"""The rules of a game in short pages, `<game>.rules.N` of the catalogue."""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import ui

from cogs.buttons.custom_ids import RULES
from cogs.text.answers import Interaction, answer, apologise
from cogs.text.games import playable
from locales import Words


def pages_of(game: str, words: Words) -> int:
    """How many pages the catalogue has for a game."""
    count = 0
    while words.has(f"{game}.rules.{count + 1}"):
        count += 1
    return count


class RulesButton(ui.DynamicItem[ui.Button[Any]], template=RULES):
    """Turns to a page."""

    def __init__(
        self, game: str, page: int, label: str = "·", *, disabled: bool = False, row: int | None = None
    ) -> None:
        self.game = game
        self.page = page
        super().__init__(ui.Button(label=label, custom_id=f"r:{game}:{page}", disabled=disabled, row=row))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button of a message that was sent at any time."""
        return cls(match["game"], int(match["page"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Shows the page in place of the one that was open."""
        try:
            words = await interaction.client.languages.of_user(interaction)
            content, view = page_of(self.game, self.page, words)
            await interaction.response.edit_message(content=content, view=view)
        except Exception as error:  # noqa: BLE001 - discord.py would only log it, and the user wait in vain
            await apologise(interaction, error)


def page_of(game: str, page: int, words: Words) -> tuple[str, ui.View]:
    """A page and its buttons; a page that does not exist turns into the nearest."""
    last = pages_of(game, words)
    view = ui.View(timeout=None)
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


async def show(interaction: Interaction, game: str, page: int) -> None:
    """Answers with a page."""
    words = await interaction.client.languages.of_user(interaction)
    content, view = page_of(game, page, words)
    await answer(interaction, content, view=view)
