"""`/play`, the one command that a newcomer needs: which game, against whom, go; all by buttons.

The same question opens from the greeting, from `/help`, and from the menu of a person ("Play against").
"""

from __future__ import annotations

import re
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.buttons import controls
from cogs.buttons.custom_ids import BEGIN, RIVALS
from cogs.buttons.lasting import on_control, picked
from cogs.commands import lobby
from cogs.commands.rules import RulesButton
from cogs.services import Services
from cogs.text.answers import Interaction, answer, answering, refuse, wait
from cogs.text.control import PEOPLE, Button, Select
from cogs.text.games import playable, solo
from cogs.text.layout import Entry, Rows, accent_of
from cogs.text.places import in_server
from cogs.text.translator import said
from locales import Words
from tables.core.errors import TableError

ASK, BOT, SOLO, OPEN, NO_GAME = "ask", "bot", "solo", "open", "-"
LEVELS = {f"{BOT}-easy": "easy", BOT: "normal", f"{BOT}-hard": "hard"}  # of the bot
MOST_WAITING = 3  # tables that wait for the user, shown first


class BeginButton(Button):
    """Goes on to the next question, or makes the table when all are answered."""

    __slots__ = ()

    def __init__(
        self, game: str, whom: str, label: str, style: str = "plain", *, row: int | None = None
    ) -> None:
        super().__init__(label, f"g:{game}:{whom}", style, row=row)


@on_control(BEGIN, "asking")
async def press_begin(interaction: Interaction, match: re.Match[str], _values: tuple[str, ...]) -> None:
    """Somebody pressed it."""
    await go_on(interaction, match["game"], match["whom"])


@on_control(RIVALS, "asking")
async def pick_rival(interaction: Interaction, match: re.Match[str], _values: tuple[str, ...]) -> None:
    """Whom to play a game against was picked."""
    rival = picked(interaction)[0]
    await go_on(interaction, match["game"], f"u{rival.id}", rival)


async def go_on(
    interaction: Interaction, game: str, whom: str, rival: discord.abc.User | None = None
) -> None:
    """Asks for what is not known yet; makes the table when all is. Raises TableError."""
    await wait(interaction)
    if game not in playable():
        await ask_game(interaction, whom)
    elif whom == ASK:
        await ask_whom(interaction, game)
    else:
        options = (solo(game) or "") if whom == SOLO else ""
        if whom in LEVELS:
            options = f"level={LEVELS[whom]}"
        await lobby.create(interaction, game, await opponent_of(interaction, whom, rival), options)


async def opponent_of(
    interaction: Interaction, whom: str, rival: discord.abc.User | None
) -> discord.abc.User | None:
    """Who is meant: this bot, nobody yet, or a person. Raises `opponent-gone` for one who is gone."""
    if whom in (OPEN, SOLO):
        return None
    if whom in LEVELS:
        return interaction.client.user
    if rival is None:
        try:
            rival = await interaction.client.fetch_user(int(whom[1:]))
        except discord.NotFound:
            raise TableError("opponent-gone") from None
    return rival


async def ask_game(interaction: Interaction, whom: str = ASK) -> None:
    """The games, each with a line on it; above them the tables that wait for the user."""
    client = interaction.client
    words = await client.languages.of_user(interaction)
    waiting = [one.table for one in await client.tables.mine(interaction.user.id) if one.mine]
    entries = []
    for table in waiting[:MOST_WAITING]:
        line = words("play.waits", heading=controls.heading(table, words))
        entries.append(Entry(line, controls.way_on(table, words, mine=True)))
    for game in playable():
        button = BeginButton(game, whom, words("button.choose"), "primary")
        entries.append(Entry(about(game, words), button))
    await answer(interaction, f"### {words('play.which')}", entries=entries)


def about(game: str, words: Words) -> str:
    """A game in a line or two."""
    title, told = words(f"{game}.title"), f"{game}.about"
    return f"**{title}**\n{words(told)}" if words.has(told) else f"**{title}**"


async def ask_whom(interaction: Interaction, game: str) -> None:
    """Against whom: the bot at a level, a person, or whoever comes; without a server, only who needs none."""
    words = await interaction.client.languages.of_user(interaction)
    rows = Rows()
    for whom, level in LEVELS.items():
        label = words("button.against-bot", level=words(f"choice.level.{level}"))
        style = "primary" if whom == BOT else "plain"
        rows.add_item(BeginButton(game, whom, label, style))
    if solo(game) is not None:
        rows.add_item(BeginButton(game, SOLO, words("button.alone")))
    server = in_server(interaction)
    if server:
        rows.add_item(BeginButton(game, OPEN, words("button.anybody")))
    rows.add_item(RulesButton(game, 1, words("button.rules"), apart=True))
    if server:
        rows.add_item(Select(f"gs:{game}", placeholder=words("play.rival"), kind=PEOPLE))
    said_first = f"### {words('play.whom')}\n{about(game, words)}"
    if not server:
        said_first = f"{said_first}\n{words('play.direct')}"
    await answer(interaction, said_first, view=rows, accented=accent_of(game))


class BeginCog(commands.Cog):
    """`/play`, and the menus of a person."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot
        self._menus = [
            app_commands.ContextMenu(name=said("menu.play-against"), callback=play_against),
        ]

    async def cog_load(self) -> None:
        """The menus come with the cog."""
        for menu in self._menus:
            self.bot.tree.add_command(menu)

    async def cog_unload(self) -> None:
        """And go with it."""
        for menu in self._menus:
            self.bot.tree.remove_command(menu.name, type=menu.type)

    @app_commands.command(name=said("command.play.name"), description=said("command.play.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @answering
    async def play(self, interaction: Interaction) -> None:
        """Which game, against whom, go."""
        await wait(interaction)
        await ask_game(interaction)


@app_commands.guild_only()
async def play_against(interaction: discord.Interaction[Any], user: discord.User) -> None:
    """Asks for the game only: against whom is known."""
    await wait(interaction)
    try:
        await ask_game(interaction, f"u{user.id}")
    except TableError as error:
        await refuse(interaction, error)
