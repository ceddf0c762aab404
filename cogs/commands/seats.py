"""Seats that change hands, pauses and clocks: commands of `/game`, and their buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.buttons.controls import place_link
from cogs.buttons.custom_ids import CLOCK, OF_SEAT, Press
from cogs.buttons.forms import Sent, form, line, on_form
from cogs.buttons.lasting import on_press
from cogs.commands import lobby
from cogs.posting.guests import welcome
from cogs.posting.presence import removes, sought
from cogs.services import Services
from cogs.text.answers import Interaction, answer, answering, caller, person, wait
from cogs.text.completions import admitted, complete_table, meant, offered
from cogs.text.places import moderates
from cogs.text.translator import said, worded
from engines.capabilities import Secrets
from engines.registry import engine
from render.words import joined
from tables.core.errors import TableError
from tables.core.model import Purpose, Table, Vote
from tables.core.moments import moment
from tables.core.options import CLOCK_WORDS, CUSTOM, SPANS, TableOptions, begun
from tables.seats.handover import Successor

GIVEN = "1d"  # by the button below a clock that ran out


async def number_of(
    interaction: Interaction, number: int | None, purpose: Purpose = "any", *, moderating: bool = False
) -> int:
    """The number of the table that is meant, for what is to be done there."""
    return (await meant(interaction, number, purpose, moderating=moderating)).id


def seat_of(table: Table, player: discord.abc.User | None) -> int | None:
    """The seat of a player who was named; of the bot's the first. Raises `not-at-table`."""
    if player is None:
        return None
    bots = [info.seat for info in table.seats if info.level is not None]
    seat = min(bots, default=None) if player.bot else table.seat_of(player.id)
    if seat is None:
        raise TableError("not-at-table", table=table.id, game=table.game)
    return seat


async def complete_clock(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Clocks by name, then the words of a custom one."""
    before, word = begun(typed)
    named = [] if before else CLOCK_WORDS["clock"]
    used = {part.partition("=")[0] for part in before.split()}
    pairs = [f"{key}={value}" for key, values in CLOCK_WORDS.items() for value in values if key not in used]
    offers = [f"{before} {text}".strip() for text in offered([*named, *pairs], word)]
    return [app_commands.Choice(name=text, value=text) for text in offers if len(text) <= 100][:25]


async def complete_time(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Usual spans of time."""
    return [app_commands.Choice(name=text, value=text) for text in offered(["12h", "1d", "2d", "7d"], typed)]


class PeopleCommands(commands.Cog):
    """What the players of a running game agree on about time and about themselves."""

    bot: Services

    @app_commands.command(
        name=said("command.game.invite.name"), description=said("command.game.invite.description")
    )
    @worded("game.invite", "player", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def invite(self, interaction: Interaction, player: discord.User, table: int | None = None) -> None:
        """Keeps a seat for somebody at a table that has not started."""
        await wait(interaction)
        number = await number_of(interaction, table, "open")
        await lobby.invite(interaction, number, [player])

    @app_commands.command(
        name=said("command.game.replace.name"), description=said("command.game.replace.description")
    )
    @worded("game.replace", "new", "player", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def replace(
        self,
        interaction: Interaction,
        new: discord.User | None = None,
        player: discord.User | None = None,
        table: int | None = None,
    ) -> None:
        """Offers a seat in the channel or to a user, or hands it to the bot."""
        await wait(interaction)
        found = await meant(interaction, table, "running", moderating=True)
        seat = seat_of(found, player)
        if seat is not None:
            await sought(self.bot, found, seat)
        to = Successor()
        if new is not None and lobby.is_me(interaction, new):
            to = Successor(level=TableOptions.model_validate(found.table_options).level)
        elif new is not None and new.bot:
            raise TableError("opponent-is-a-bot")
        elif new is not None:
            await welcome(interaction, [new], found.place.channel_id)
            to = Successor(user=person(new))
        done = await self.bot.tables.replace(
            found.id,
            interaction.user.id,
            seat,
            to,
            interaction.id,
            moderator=moderates(interaction, found),
            removes=await removes(interaction, found),
        )
        words = await self.bot.languages.of_user(interaction)
        own = seat is None or seat == found.seat_of(interaction.user.id)
        code = "answer.seat-offered-own" if own else "answer.seat-offered"
        if isinstance(done, Vote):
            code = "answer.asked-others"
        elif to.level:
            code = "answer.seat-bot"
        await answer(interaction, words(code))

    @app_commands.command(
        name=said("command.game.claim.name"), description=said("command.game.claim.description")
    )
    @worded("game.claim", "player", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def claim(
        self, interaction: Interaction, player: discord.User | None = None, table: int | None = None
    ) -> None:
        """Goes on without a player who does not come back."""
        await wait(interaction)
        found = await meant(interaction, table, "running")
        await claim(interaction, found.id, seat_of(found, player))

    @app_commands.command(
        name=said("command.game.pause.name"), description=said("command.game.pause.description")
    )
    @worded("game.pause", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def pause(self, interaction: Interaction, table: int | None = None) -> None:
        """Asks for a pause, or ends one."""
        await wait(interaction)
        number = await number_of(interaction, table, "running")
        done = await self.bot.tables.pause(number, interaction.user.id, interaction.id)
        words = await self.bot.languages.of_user(interaction)
        if isinstance(done, Vote):
            await answer(interaction, words("answer.asked-others"))
        else:
            await answer(interaction, words("answer.resumed" if done.paused_at is None else "answer.paused"))

    @app_commands.command(
        name=said("command.game.clock.name"), description=said("command.game.clock.description")
    )
    @worded("game.clock", "clock", "table")
    @app_commands.autocomplete(clock=complete_clock)
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def clock(
        self,
        interaction: Interaction,
        clock: app_commands.Range[str, 1, 100] | None = None,
        table: int | None = None,
    ) -> None:
        """Asks for another clock; without one, opens the form that makes it."""
        if clock is None:
            await open_clock(interaction, await meant(interaction, table, "running"))
            return
        await wait(interaction)
        await change_clock(interaction, await number_of(interaction, table, "running"), clock)

    @app_commands.command(
        name=said("command.game.more-time.name"), description=said("command.game.more-time.description")
    )
    @worded("game.more-time", "time", "player", "table")
    @app_commands.autocomplete(time=complete_time)
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def more_time(
        self,
        interaction: Interaction,
        time: app_commands.Range[str, 1, 20],
        player: discord.User | None = None,
        table: int | None = None,
    ) -> None:
        """Asks for more time for one player."""
        await wait(interaction)
        found = await meant(interaction, table, "running")
        await more_time(interaction, found.id, seat_of(found, player), time)


async def change_clock(interaction: Interaction, number: int, clock: str) -> None:
    """By command or form: the same answer."""
    done = await interaction.client.tables.change_clock(number, interaction.user.id, clock, interaction.id)
    words = await interaction.client.languages.of_user(interaction)
    code = "answer.asked-others" if isinstance(done, Vote) else "answer.clock-changed"
    await answer(interaction, words(code))


async def open_clock(interaction: Interaction, table: Table) -> None:
    """The form of a clock, with what the table has now."""
    await interaction.response.send_modal(await clock_form(interaction, f"f:clock:{table.id}", {}))


async def clock_form(interaction: Interaction, custom_id: str, typed: Mapping[str, str]) -> ui.Modal:
    """The form of a clock, with what was typed, else with what the table has now. Raises `no-table`."""
    words = await interaction.client.languages.of_user(interaction)
    table = await admitted(interaction, int(custom_id.rpartition(":")[2]))
    now = {**TableOptions.model_validate(table.table_options).model_dump(), **typed}
    kinds = ui.Select[Any](
        custom_id="clock",
        options=[
            discord.SelectOption(label=words(f"clock.{kind}"), value=kind, default=kind == now["clock"])
            for kind in CLOCK_WORDS["clock"]
        ],
    )
    ends = ui.RadioGroup[Any](
        custom_id="timeout",
        options=[
            discord.RadioGroupOption(label=words(f"timeout.{end}"), value=end, default=end == now["timeout"])
            for end in CLOCK_WORDS["timeout"]
        ],
    )
    own = [line(name, str(now[name]), most=4, example=CLOCK_WORDS[name][0]) for name in SPANS]
    parts: list[tuple[str, ui.Item[Any]]] = [
        ("clock", kinds),
        *zip(SPANS, own, strict=True),
        ("timeout", ends),
    ]
    labels = [ui.Label[Any](text=words(f"form.{name}"), component=part) for name, part in parts]
    return form(words("form.clock-title"), custom_id, *labels)


@on_form(CLOCK, "asking", clock_form)
async def sent_clock(interaction: Interaction, sent: Sent) -> None:
    """Asks for the clock that was sent; its times count where it is a custom one."""
    await wait(interaction)
    names = [*(SPANS if sent.text("clock") == CUSTOM else ()), "timeout"]
    pairs = [f"{name}={text}" for name in names if (text := sent.text(name).strip().replace(" ", ""))]
    await change_clock(interaction, int(sent.match["table"]), " ".join([sent.text("clock"), *pairs]))


async def more_time(
    interaction: Interaction, number: int, seat: int | None, span: str, *, late: bool = False
) -> None:
    """By command or button: the same answer."""
    done = await interaction.client.tables.more_time(
        number, interaction.user.id, seat, span, interaction.id, late=late
    )
    words = await interaction.client.languages.of_user(interaction)
    code = "answer.asked-others" if isinstance(done, Vote) else "answer.time-given"
    await answer(interaction, words(code))


async def claim(interaction: Interaction, number: int, seat: int | None) -> None:
    """By command or button: the same answer."""
    table = await admitted(interaction, number)
    await sought(interaction.client, table, seat)
    power = await removes(interaction, table)
    done = await interaction.client.tables.claim(
        number, interaction.user.id, seat, interaction.id, removes=power
    )
    words = await interaction.client.languages.of_user(interaction)
    if isinstance(done, Vote):
        await answer(interaction, words("answer.asked-others"))
    else:
        await answer(interaction, words("answer.claimed-over" if done.status == "over" else "answer.claimed"))


def seat_named(press: Press) -> int:
    """The seat that a button is about. Raises `old-button`."""
    match = OF_SEAT.fullmatch(press.action)
    if match is None:
        raise TableError("old-button", table=press.table)
    return int(match["seat"])


@on_press("claim")
async def press_claim(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Claim, under the line that says whose time is over."""
    await wait(interaction)
    await claim(interaction, press.table, seat_named(press))


@on_press("give")
async def press_give(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """A day more for whose time is over, under the line that says so."""
    await wait(interaction)
    await more_time(interaction, press.table, seat_named(press), GIVEN, late=True)


@on_press("take")
async def press_take(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Takes an offered seat, or takes the offer back."""
    await wait(interaction)
    seat, client = seat_named(press), interaction.client
    mine = (seat, interaction.user.id) in [
        (other.seat, other.user_id) for other in (await client.tables.get(press.table)).seats
    ]
    table = await client.tables.take(press.table, caller(interaction), seat, interaction.id)
    words = await client.languages.of_user(interaction)
    code = "answer.offer-withdrawn" if mine else "answer.seat-taken"
    told = words(code, table=press.table, where=place_link(table))
    if not mine and isinstance(engine(table.game), Secrets):
        told = joined([told, words("answer.seat-hand")])
    await answer(interaction, told)


@on_press("decline")
async def press_decline(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Does not want the seat."""
    await wait(interaction)
    seat, client = seat_named(press), interaction.client
    await client.tables.decline(press.table, interaction.user.id, seat, interaction.id)
    words = await client.languages.of_user(interaction)
    await answer(interaction, words("answer.seat-declined"))


@on_press("later")
async def press_later(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Not now."""
    await wait(interaction)
    until = await interaction.client.tables.snooze(press.table, interaction.user.id)
    words = await interaction.client.languages.of_user(interaction)
    await answer(interaction, words("answer.later", until=moment(until, "R")))
