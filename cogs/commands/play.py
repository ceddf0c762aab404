"""The commands of a player: move, look, and see which games wait."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from cogs.buttons import controls
from cogs.buttons.custom_ids import Press
from cogs.buttons.lasting import on_press
from cogs.commands import chronicle, looking, rules, typed
from cogs.panels.own import open_draft
from cogs.services import Services
from cogs.text.answers import Interaction, answer, answer_at_length, answering, listed, taking_turns, wait
from cogs.text.completions import (
    complete_area,
    complete_layer,
    complete_move,
    complete_since,
    complete_table,
    meant,
)
from cogs.text.games import game_choices, playable
from cogs.text.layout import accent_of
from cogs.text.letter import attached
from cogs.text.pictures import drawn_for
from cogs.text.scenes import scene_of
from cogs.text.translator import said, worded
from engines.capabilities import Secrets
from engines.registry import engine
from render import changes, painter
from tables.core.errors import TableError
from tables.core.model import Filters

MOST_LISTED = 20


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class PlayCog(commands.Cog):
    """`/move`, `/board`, `/hand`, `/games`, `/rules`."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot

    @app_commands.command(name=said("command.move.name"), description=said("command.move.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @worded("move", "move", "table")
    @app_commands.autocomplete(move=complete_move)
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def move(
        self, interaction: Interaction, move: app_commands.Range[str, 1, 4000], table: int | None = None
    ) -> None:
        """Does an action in the game's notation."""
        await typed.carried_out(interaction, table, move)

    @app_commands.command(name=said("command.board.name"), description=said("command.board.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @worded("board", "area", "layer", "since", "log", "flip", "text", "table")
    @app_commands.autocomplete(table=complete_table)
    @app_commands.autocomplete(area=complete_area)
    @app_commands.autocomplete(layer=complete_layer)
    @app_commands.autocomplete(since=complete_since)
    @answering
    async def board(  # noqa: PLR0917 - what a board may be asked for
        self,
        interaction: Interaction,
        area: str | None = None,
        layer: str | None = None,
        since: str | None = None,
        log: bool = False,
        flip: bool = False,
        text: bool = False,
        table: int | None = None,
    ) -> None:
        """The public board: at its table for everybody, elsewhere and as a log for who asks."""
        channel = interaction.channel_id or 0
        found = await meant(interaction, table, "played")
        part, kind = looking.part_of(found, area), looking.layer_of(found, layer)
        if log:
            await wait(interaction)
            async with taking_turns(interaction):
                await chronicle.show(interaction, found.id)
            return
        at_table = channel == (found.place.thread_id or found.place.channel_id)
        shown = await self.bot.tables.watch(found.id, interaction.user.id)  # a refusal is for who asks
        earlier = looking.earlier_of(shown, since, interaction.user.id)
        await wait(interaction, private=not at_table)
        words = await self.bot.languages.of_answer(interaction, found if at_table else None)
        paint = painter(found.game)
        if text:
            whole = await asyncio.to_thread(paint.describe, scene_of(shown, words, flip=flip, spoken=True))
            await answer_at_length(interaction, whole, private=not at_table)
            return
        if earlier is None:
            shown = await self.bot.tables.board(found.id, interaction.user.id)
        else:
            async with taking_turns(interaction):
                shown = await self.bot.tables.board(found.id, interaction.user.id, earlier)
        spoken = scene_of(shown, words, flip=flip, spoken=True)
        scene = scene_of(shown, words, flip=flip, area=part, layer=kind)
        picture, good = await drawn_for(interaction, "board", scene)
        lines = [await asyncio.to_thread(paint.caption, spoken)]
        if earlier is not None:
            lines.append(await asyncio.to_thread(changes, spoken) or words("answer.nothing-new"))
        if not good:
            lines.append(words("post.no-picture"))
        view = controls.view(
            [
                *controls.of_status(found, words, shown.version),
                *controls.looking(scene, found, shown.version, over=found.status == "over"),
            ]
        )
        files = [] if picture is None else [attached(picture)]
        await answer(interaction, "\n".join(lines), view=view, files=files, accented=accent_of(found.game))

    @app_commands.command(name=said("command.hand.name"), description=said("command.hand.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @worded("hand", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def hand(self, interaction: Interaction, table: int | None = None) -> None:
        """What only this player may see."""
        await wait(interaction)
        found = await meant(interaction, table, "running")
        await show_hand(interaction, found.id)

    @app_commands.command(name=said("command.games.name"), description=said("command.games.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @answering
    async def games(self, interaction: Interaction) -> None:
        """All my games, the one that waited longest first; then this server's that have not started."""
        await wait(interaction)
        opened, lines = Filters(status="open", user_id=interaction.user.id), list[str]()
        words, mine, lobbies = await asyncio.gather(  # what is read at once shares its trips
            self.bot.languages.of_user(interaction),
            self.bot.tables.mine(interaction.user.id),
            self.bot.tables.listing(interaction.guild_id or 0, opened),
        )
        entries = [controls.waiting_entry(waiting, words) for waiting in mine[:MOST_LISTED]]
        for table in lobbies:
            asked = any(interaction.user.id == seat.invited for seat in table.seats if not seat.taken)
            heading, where = controls.heading(table, words), controls.place_link(table)
            code = "list.invited" if asked else "list.not-started"
            line = words(code, heading=heading, table=table.id, where=where)
            lines.append(controls.barred_line(line, table, words))
        said_first = words("answer.no-games") if not (entries or lines) else ""
        await answer(interaction, said_first, quiet=listed(lines, words), entries=entries)

    @app_commands.command(name=said("command.rules.name"), description=said("command.rules.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @worded("rules", "game")
    @app_commands.choices(game=game_choices())
    @answering
    async def rules(self, interaction: Interaction, game: str | None = None) -> None:
        """The rules in short pages."""
        await wait(interaction)
        await rules.show(interaction, game or await played_here(interaction), 1)


async def played_here(interaction: Interaction) -> str:
    """The game that is played where this is asked, in its threads too, else the user's own; else the first.

    Of several, the one that waits for the user, else the newest.
    """
    try:
        return (await meant(interaction, None, "running")).game
    except TableError as error:
        games = list(error.params.get("games") or ())
    running = await interaction.client.tables.listing(interaction.guild_id or 0, Filters(status="running"))
    games += [table.game for table in running if table.place.channel_id == interaction.channel_id]
    return str([*games, *playable()][0])


async def show_hand(interaction: Interaction, number: int) -> None:
    """The asker's private sheet, with the way to choose. Raises `not-seated`."""
    if await open_draft(interaction, number):
        return
    words = await interaction.client.languages.of_user(interaction)
    shown = await interaction.client.tables.show(number, interaction.user.id)
    if shown.seat is None:
        raise TableError("not-seated", table=number, game=shown.table.game)
    scene = scene_of(shown, words)
    picture, good = await drawn_for(interaction, "hand", scene)
    open_now = picture is None and good
    if open_now and not isinstance(engine(shown.table.game), Secrets):
        await answer(interaction, words("answer.no-hand", title=words(f"{shown.table.game}.title")))
        return
    if open_now:  # the own board, with whatever is one's own on it
        picture, good = await drawn_for(interaction, "board", scene)
    view = controls.view(controls.of_status(shown.table, words, shown.version))
    ground, _ = await drawn_for(interaction, "own_ground", replace(scene, layer="ground"))
    files = [attached(found) for found in (picture, ground) if found is not None]
    lines = [
        controls.heading(shown.table, words),
        words("answer.nothing-hidden") if open_now else "",
        "" if good else words("post.no-picture"),
    ]
    content, accented = "\n".join(line for line in lines if line), accent_of(shown.table.game)
    await answer(interaction, content, view=view, files=files, accented=accented)


@on_press("hand")
async def press_hand(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Open your hand."""
    await wait(interaction)
    await show_hand(interaction, press.table)


@on_press("seed")
async def press_seed(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """The seed and what it was announced as. Raises `no-table`."""
    await wait(interaction)
    words = await interaction.client.languages.of_user(interaction)
    table = await interaction.client.tables.admitted(press.table, interaction.user.id)
    await answer(interaction, controls.ending(table, words) or controls.information(table, words))


@on_press("text", "board")
async def press_text(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """The whole board in words."""
    await wait(interaction)
    words = await interaction.client.languages.of_user(interaction)
    table = await interaction.client.tables.admitted(press.table, interaction.user.id)
    if table.status in ("open", "cancelled"):
        await answer(interaction, controls.information(table, words))
        return
    shown = await interaction.client.tables.watch(press.table, interaction.user.id)
    scene = scene_of(shown, words, spoken=True)
    await answer_at_length(interaction, await asyncio.to_thread(painter(table.game).describe, scene))
