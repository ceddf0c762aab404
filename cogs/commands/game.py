"""`/game`: tables from the first invitation to the rematch."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from cogs.buttons import controls
from cogs.commands import lobby, votes
from cogs.commands.moving import PlaceCommands
from cogs.commands.records import MemoryCommands
from cogs.commands.seats import PeopleCommands, number_of
from cogs.services import Services
from cogs.text.answers import Interaction, answer, answering, listed, plain, taking_turns, wait
from cogs.text.completions import complete_options, complete_table
from cogs.text.games import game_choices
from cogs.text.translator import said, worded
from locales import Words
from tables.core.model import Filters, Status, Table, Why

STATUSES: dict[str, Status] = {"open": "open", "running": "running", "over": "over"}
LISTED = (*STATUSES, "mine")


def show_choices() -> list[app_commands.Choice[str]]:
    """What `/game list` can be asked for."""
    return [app_commands.Choice(name=said(f"choice.show.{show}"), value=show) for show in LISTED]


def said_why(table: Table, found: Why, words: Words) -> str:
    """Which action, where that is known, and a line for each reason."""
    names = tuple(plain(seat.name) for seat in table.seats)
    code = "answer.why" if found.action is None else "answer.why-action"
    head = words(code, game=table.game, names=names, seat=found.seat, action=f"`{found.action}`")
    lines = [
        words(f"{table.game}.why.{one.code}", game=table.game, names=names, **one.params)
        for one in found.reasons
    ]
    return "\n".join((head, *lines))


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class GameCog(
    PeopleCommands,
    PlaceCommands,
    MemoryCommands,
    commands.GroupCog,
    group_name=said("command.game.name"),
    group_description=said("command.game.description"),
):
    """The commands of `/game`."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot

    # -- before it starts -----------------------------------------------------------------

    @app_commands.command(
        name=said("command.game.new.name"), description=said("command.game.new.description")
    )
    @worded("game.new", "game", "opponent", "options", "chance")
    @app_commands.choices(game=game_choices())
    @app_commands.autocomplete(options=complete_options)
    @answering
    async def new(
        self,
        interaction: Interaction,
        game: str,
        opponent: discord.User | None = None,
        options: app_commands.Range[str, 0, 200] = "",
        chance: app_commands.Range[str, 1, 200] | None = None,
    ) -> None:
        """Makes a table."""
        await wait(interaction)
        await lobby.create(interaction, game, opponent, options, chance)

    @app_commands.command(
        name=said("command.game.join.name"), description=said("command.game.join.description")
    )
    @worded("game.join", "table", "chance")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def join(
        self,
        interaction: Interaction,
        table: int | None = None,
        chance: app_commands.Range[str, 1, 200] | None = None,
    ) -> None:
        """Takes a seat, or accepts an invitation; adds words, or a seal on them, to the chances."""
        await wait(interaction)
        number = await number_of(interaction, table, "join" if chance is None else "open")
        await lobby.join(interaction, number, chance)

    @app_commands.command(
        name=said("command.game.leave.name"), description=said("command.game.leave.description")
    )
    @worded("game.leave", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def leave(self, interaction: Interaction, table: int | None = None) -> None:
        """Leaves a table that has not started, or declines an invitation."""
        await wait(interaction)
        number = await number_of(interaction, table, "open")
        await lobby.leave(interaction, number)

    @app_commands.command(
        name=said("command.game.start.name"), description=said("command.game.start.description")
    )
    @worded("game.start", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def start(self, interaction: Interaction, table: int | None = None) -> None:
        """Starts with those who are seated."""
        await wait(interaction)
        number = await number_of(interaction, table, "open")
        await lobby.start(interaction, number)

    @app_commands.command(
        name=said("command.game.cancel.name"), description=said("command.game.cancel.description")
    )
    @worded("game.cancel", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def cancel(self, interaction: Interaction, table: int | None = None) -> None:
        """Closes a table: one that has not started at once, a running one by vote or by a moderator."""
        await wait(interaction)
        number = await number_of(interaction, table, moderating=True)
        await lobby.cancel(interaction, number)

    # -- while it runs ----------------------------------------------------------------------

    @app_commands.command(
        name=said("command.game.resign.name"), description=said("command.game.resign.description")
    )
    @worded("game.resign", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def resign(self, interaction: Interaction, table: int | None = None) -> None:
        """Gives up, after one more question."""
        await wait(interaction)
        number = await number_of(interaction, table, "running")
        await votes.ask_to_resign(interaction, number)

    @app_commands.command(
        name=said("command.game.offer-draw.name"), description=said("command.game.offer-draw.description")
    )
    @worded("game.offer-draw", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def offer_draw(self, interaction: Interaction, table: int | None = None) -> None:
        """Asks the others for a draw."""
        await wait(interaction)
        number = await number_of(interaction, table, "running")
        vote = await self.bot.tables.offer_draw(number, interaction.user.id, interaction.id)
        words = await self.bot.languages.of_user(interaction)
        agreed = vote.status == "agreed"  # who offers what was offered agrees
        await answer(interaction, votes.answered(vote, words) if agreed else words("answer.draw-offered"))

    @app_commands.command(
        name=said("command.game.undo.name"), description=said("command.game.undo.description")
    )
    @worded("game.undo", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def undo(self, interaction: Interaction, table: int | None = None) -> None:
        """Takes back one's last action, alone or with the others' consent."""
        await wait(interaction)
        number = await number_of(interaction, table, "played")
        await votes.undo(interaction, number)

    @app_commands.command(
        name=said("command.game.remind.name"), description=said("command.game.remind.description")
    )
    @worded("game.remind", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def remind(self, interaction: Interaction, table: int | None = None) -> None:
        """Mentions who is to move."""
        await wait(interaction)
        number = await number_of(interaction, table, "running")
        await self.bot.tables.remind(number, interaction.user.id)
        words = await self.bot.languages.of_user(interaction)
        await answer(interaction, words("answer.reminded"))

    @app_commands.command(
        name=said("command.game.why.name"), description=said("command.game.why.description")
    )
    @worded("game.why", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def why(self, interaction: Interaction, table: int | None = None) -> None:
        """What the bot's last action was for."""
        await wait(interaction)
        number = await number_of(interaction, table, "played")
        async with taking_turns(interaction):
            found = await self.bot.tables.why(number, interaction.user.id)
        words = await self.bot.languages.of_user(interaction)
        await answer(interaction, said_why(await self.bot.tables.get(number), found, words))

    # -- reading, and again ---------------------------------------------------------------

    @app_commands.command(
        name=said("command.game.list.name"), description=said("command.game.list.description")
    )
    @worded("game.list", "show", "game", "player")
    @app_commands.choices(show=show_choices(), game=game_choices())
    @answering
    async def list_tables(
        self,
        interaction: Interaction,
        show: str | None = None,
        game: str | None = None,
        player: discord.User | None = None,
    ) -> None:
        """The server's tables."""
        await wait(interaction)
        words = await self.bot.languages.of_user(interaction)
        filters = Filters(
            status=STATUSES.get(show or ""),
            game=game,
            user_id=interaction.user.id if show == "mine" else None,
            player_id=None if player is None else player.id,
        )
        tables = await self.bot.tables.listing(interaction.guild_id or 0, filters)
        lines = [controls.line_of(table, words) for table in tables]
        await answer(interaction, listed(lines, words) or words("answer.no-tables"))

    @app_commands.command(
        name=said("command.game.info.name"), description=said("command.game.info.description")
    )
    @worded("game.info", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def info(self, interaction: Interaction, table: int | None = None) -> None:
        """Everything about a table that everybody may know."""
        await wait(interaction)
        number = await number_of(interaction, table)
        found = await self.bot.tables.admitted(number, interaction.user.id)
        words = await self.bot.languages.of_user(interaction)
        view = controls.view(controls.of_status(found, words, found.version))
        await answer(interaction, controls.information(found, words), view=view)

    @app_commands.command(
        name=said("command.game.rematch.name"), description=said("command.game.rematch.description")
    )
    @worded("game.rematch", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def rematch(self, interaction: Interaction, table: int | None = None) -> None:
        """The same game again, seats swapped."""
        await wait(interaction)
        number = await number_of(interaction, table, "over")
        await lobby.rematch(interaction, number)
