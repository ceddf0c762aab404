"""Seats taken and left, by command or by button: the same answers for both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from cogs.buttons.controls import heading, lobby_line, place_link, seat_counts, wants_start
from cogs.buttons.custom_ids import Press
from cogs.buttons.lasting import on_press, picked
from cogs.commands.votes import sure
from cogs.posting.guests import still_there, welcome
from cogs.text.answers import Interaction, answer, caller, change, person, plain, wait
from cogs.text.completions import admitted
from cogs.text.control import PEOPLE, Select
from cogs.text.layout import Rows
from cogs.text.places import (
    direct,
    in_server,
    invitation,
    is_open_to_others,
    moderates,
    place_for_table,
    within_reach,
)
from locales import Words
from render.words import joined
from tables.core.errors import TableError
from tables.core.model import Table, Vote
from tables.core.options import read_words
from tables.core.parts import part_of


async def create(
    interaction: Interaction,
    game: str,
    opponent: discord.abc.User | None,
    options: str = "",
    chance: str | None = None,
) -> None:
    """Makes a table: against somebody, against this bot, or for whoever comes.

    Where it is asked in no server of the bot's, a game alone or against the bot is played in direct messages.
    Raises TableError, `opponent-is-a-bot` for another bot, `opponent-outside` for a person there.
    """
    client = interaction.client
    guild = await client.languages.of_guild(interaction.guild_id)
    wishes = read_words(game, options)
    against_bot = opponent is not None and is_me(interaction, opponent)
    if plays_directly(interaction, opponent, against_bot=against_bot, alone=wishes.places == 1):
        spot, against_bot, opponent = await direct(interaction), wishes.places > 1, None
    else:
        private = wishes.table.private
        spot = place_for_table(interaction, threads=guild.threads, private=private, forum=guild.forum)
    if opponent is not None and opponent.bot and not against_bot:
        raise TableError("opponent-is-a-bot")
    await welcome(interaction, [] if opponent is None else [opponent])
    table = await client.tables.create(
        caller(interaction),
        game,
        options,
        spot.place,
        opponents=[] if opponent is None or against_bot else [person(opponent)],
        bot_seat=against_bot,
        in_place=spot.in_place,
        private=spot.place.guild_id is None,
        guild_locale=guild.locale or str(interaction.guild_locale or "en"),
        interaction_id=interaction.id,
        chance=chance,
    )
    await announce(interaction, table)


def plays_directly(
    interaction: Interaction, opponent: discord.abc.User | None, *, against_bot: bool, alone: bool
) -> bool:
    """Whether a table is one of direct messages. Raises `opponent-outside` where somebody else is to come."""
    if in_server(interaction):
        return False
    if against_bot or alone:
        return True
    if opponent is not None and interaction.guild_id is None:
        raise TableError("opponent-outside", link=invitation(interaction.client))
    return interaction.guild_id is None  # nobody else can come: the bot plays


async def announce(interaction: Interaction, table: Table) -> None:
    """Tells who made or joined a table how it stands and where it is played."""
    words = await interaction.client.languages.of_user(interaction)
    title = heading(table, words)
    invited = [plain(seat.name) for seat in table.seats if seat.invited is not None and not seat.taken]
    note = f"{open_note(interaction, table, words)}{chance_note(interaction, table, words)}"
    if table.status == "running":
        await started(interaction, table, "answer.started", note, title=title)
        return
    view = None
    if invited:
        code = "answer.invited-to-start" if wants_start(table) else "answer.invited"
        content = words(code, title=title, invited=invited)
    else:
        content = words("answer.opened-private" if table.private else "answer.opened", title=title)
        if not table.private:
            content = joined([content, lobby_line(table, words, seated=True)])
    if table.private and (free := free_seats(table)):
        view = Rows(
            Select(
                str(Press(table.id, table.version, "G.guests")),
                placeholder=words("answer.pick-guests"),
                most=free,
                kind=PEOPLE,
            )
        )
    await answer(interaction, f"{content}{note}", view=view)


def open_note(interaction: Interaction, table: Table, words: Words) -> str:
    """A line of its own where others can read along at a private table; else nothing."""
    if not (table.private and is_open_to_others(interaction, table)):
        return ""
    return f"\n{words('answer.not-private-here' if table.in_place else 'answer.not-private')}"


def chance_note(interaction: Interaction, table: Table, words: Words) -> str:
    """A line of its own on what who asks adds to the chances; nothing where they add none."""
    mine = next((seat for seat in table.seats if seat.user_id == interaction.user.id), None)
    if mine is None or mine.nonce_told is None:
        return ""
    code = "answer.sealed" if mine.sealed else "answer.chance"
    return f"\n{words(code, told=mine.nonce_told, table=table.id)}"


async def started(interaction: Interaction, table: Table, code: str, note: str = "", **params: Any) -> None:
    """Says where a table that runs is played; its thread may open only now, then the answer names it."""
    words = await interaction.client.languages.of_user(interaction)

    async def named(found: Table) -> None:
        content = f"{words(code, table=found.id, where=place_link(found), **params)}{note}"
        await change(interaction, content)

    openings = interaction.client.openings
    await answer(interaction, f"{words(code, table=table.id, where=place_link(table), **params)}{note}")
    if table.in_place or table.place.thread_id is not None:
        return
    openings.wait(table.id, named)
    now = await interaction.client.tables.get(table.id)
    if now.place.thread_id is not None:
        await openings.opened(now)  # while the answer was on its way


def free_seats(table: Table) -> int:
    """How many more may be invited to an open table."""
    return max(seat_counts(table)) - len(table.seats)


async def require_in_sight(interaction: Interaction, number: int) -> None:
    """Raises `barred` where a lobby's channel is gone or closed: nothing starts where nobody sees it.

    And `guest-left` where somebody who sits there has left the server.
    """
    table = await admitted(interaction, number)
    if table.status == "open" and (
        table.barred_at is not None or not within_reach(interaction.client, table)
    ):
        await interaction.client.tables.barred(number)
        raise TableError("barred", table=number, game=table.game, where=place_link(table))
    if table.status == "open":
        await still_there(interaction, table)


async def join(interaction: Interaction, number: int, chance: str | None = None) -> None:
    """Takes a seat, or accepts an invitation; `chance` is added to the chances, or opens a seal."""
    await require_in_sight(interaction, number)
    table = await interaction.client.tables.join(number, caller(interaction), interaction.id, chance)
    words = await interaction.client.languages.of_user(interaction)
    added = "" if chance is None else chance_note(interaction, table, words)
    if table.status == "running":
        await started(interaction, table, "answer.joined-started", added)
        return
    seated = words("answer.joined", table=table.id, where=place_link(table))
    await answer(interaction, f"{joined([seated, lobby_line(table, words, seated=True)])}{added}")


async def invite(interaction: Interaction, number: int, guests: Sequence[discord.abc.User]) -> None:
    """Keeps seats for these users; this bot sits down at once. Raises `opponent-is-a-bot`."""
    client, user = interaction.client, interaction.user.id
    people = [guest for guest in guests if not is_me(interaction, guest)]
    if any(guest.bot for guest in people):
        raise TableError("opponent-is-a-bot")
    table = await client.tables.get(number)
    await welcome(interaction, people, table.place.channel_id)
    for place, guest in enumerate(guests):  # an id for each: a redelivery invites nobody twice
        if guest in people:
            await client.tables.invite(number, user, person(guest), part_of(interaction.id, place))
        elif (
            table := await client.tables.seat_bot(number, user, part_of(interaction.id, place))
        ).status == "running":
            await started(interaction, table, "answer.joined-started")
            return
    words = await client.languages.of_user(interaction)
    lines = []
    if len(people) == 1:
        lines.append(words("answer.invited-one", who=people[0].mention))
    elif people:
        lines.append(words("answer.invited-all", invited=[guest.mention for guest in people]))
    if len(people) < len(guests):
        lines.append(words("answer.bot-seated", table=number))
    await answer(interaction, joined(lines))


def is_me(interaction: Interaction, user: discord.abc.User) -> bool:
    """Whether this user is the bot itself."""
    me = interaction.client.user
    return me is not None and user.id == me.id


async def leave(interaction: Interaction, number: int) -> None:
    """Leaves before the start, or declines."""
    user, words = interaction.user.id, await interaction.client.languages.of_user(interaction)
    asked = (await admitted(interaction, number)).seat_of(user) is None
    table = await interaction.client.tables.leave(number, user, interaction.id)
    code = "answer.declined" if asked else "answer.left"
    if table.status == "cancelled":
        code = "answer.left-closed"
    await answer(interaction, words(code, table=table.id))


async def start(interaction: Interaction, number: int) -> None:
    """Starts with those who are seated."""
    await require_in_sight(interaction, number)
    table = await interaction.client.tables.start(number, interaction.user.id, interaction.id)
    await started(interaction, table, "answer.joined-started")


async def cancel(interaction: Interaction, number: int) -> None:
    """Closes an open table at once; asks once more about a running one. Raises `not-seated`."""
    words = await interaction.client.languages.of_user(interaction)
    table = await admitted(interaction, number, moderating=True)
    if table.status != "running":
        await end(interaction, number)
        return
    user, moderator = interaction.user.id, moderates(interaction, table)
    if table.seat_of(user) is None and not moderator:
        raise TableError("not-seated", table=number, game=table.game)
    by_power = moderator and table.seat_of(user) is None
    alone = by_power or all(seat.user_id in (None, user) for seat in table.seats)
    code = "answer.sure-cancel-alone" if alone else "answer.sure-cancel"
    await answer(interaction, words(code, table=number), view=sure(table, "end", words))


async def end(interaction: Interaction, number: int) -> None:
    """Closes the table; a running one by vote unless a moderator asks."""
    words = await interaction.client.languages.of_user(interaction)
    table = await admitted(interaction, number, moderating=True)
    done = await interaction.client.tables.cancel(
        number, interaction.user.id, interaction.id, moderator=moderates(interaction, table)
    )
    code = "answer.asked-others" if isinstance(done, Vote) else "answer.cancelled"
    await answer(interaction, words(code, table=number))


async def rematch(interaction: Interaction, number: int) -> None:
    """The same game again; who presses second joins the same table; one that has begun is named.

    Where the place of the last one is gone or closed, it is played where this is asked for.
    """
    tables, spot = interaction.client.tables, None
    last = await admitted(interaction, number)
    after = None if last.rematch_id is None else await tables.get(last.rematch_id)
    if after is None and not within_reach(interaction.client, last):
        guild = await interaction.client.languages.of_guild(interaction.guild_id)
        spot = place_for_table(interaction, threads=guild.threads, private=last.private, forum=guild.forum)
        if spot.place.guild_id != last.place.guild_id:
            raise TableError("other-server", table=number, game=last.game)
    if last.rematch_id is None and last.status in ("over", "cancelled"):
        await still_there(interaction, last)
    elif last.rematch_id is not None:
        await require_in_sight(interaction, last.rematch_id)
    table = await tables.rematch(number, caller(interaction), interaction.id, spot)
    if after is not None and after.started_at is not None:
        words = await interaction.client.languages.of_user(interaction)
        named = words("answer.rematch-is", title=heading(after, words), where=place_link(after))
        await answer(interaction, named)
        return
    await announce(interaction, table)


@on_press("join")
async def press_join(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Join."""
    await wait(interaction)
    await join(interaction, press.table)


@on_press("leave")
async def press_leave(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Leave, or decline."""
    await wait(interaction)
    await leave(interaction, press.table)


@on_press("start")
async def press_start(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Start."""
    await wait(interaction)
    await start(interaction, press.table)


@on_press("cancel")
async def press_cancel(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Cancel."""
    await wait(interaction)
    await cancel(interaction, press.table)


@on_press("end")
async def press_end(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Cancel, really."""
    await wait(interaction)
    await end(interaction, press.table)


@on_press("rematch")
async def press_rematch(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Rematch."""
    await wait(interaction)
    await rematch(interaction, press.table)


@on_press("G")
async def press_guests(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Invites who was picked below the answer to `/game new`; the first who cannot be is explained."""
    await wait(interaction)
    await invite(interaction, press.table, picked(interaction))
