"""Seats taken and left, by command or by button: the same answers for both."""

from __future__ import annotations

from cogs.answers import Interaction, answer, caller, plain, wait
from cogs.buttons import on_press
from cogs.controls import heading, place_link, wants_start
from cogs.custom_ids import Press
from cogs.places import moderates
from cogs.votes import sure
from tables.errors import TableError
from tables.model import Table, Vote


async def announce(interaction: Interaction, table: Table) -> None:
    """Tells who made or joined a table how it stands and where it is played."""
    words = await interaction.client.languages.of_user(interaction)
    title = heading(table, words)
    invited = [plain(seat.name) for seat in table.seats if seat.invited is not None and not seat.taken]
    if table.status == "running":
        content = words("answer.started", title=title, where=place_link(table))
    elif invited:
        code = "answer.invited-to-start" if wants_start(table) else "answer.invited"
        content = words(code, title=title, invited=invited)
    else:
        content = words("answer.opened-private" if table.private else "answer.opened", title=title)
    await answer(interaction, content)


async def join(interaction: Interaction, number: int) -> None:
    """Takes a seat, or accepts an invitation."""
    table = await interaction.client.tables.join(number, caller(interaction), interaction.id)
    words = await interaction.client.languages.of_user(interaction)
    code = "answer.joined-started" if table.status == "running" else "answer.joined"
    await answer(interaction, words(code, table=table.id, where=place_link(table)))


async def leave(interaction: Interaction, number: int) -> None:
    """Leaves before the start, or declines."""
    table = await interaction.client.tables.leave(number, interaction.user.id, interaction.id)
    words = await interaction.client.languages.of_user(interaction)
    await answer(interaction, words("answer.left", table=table.id))


async def start(interaction: Interaction, number: int) -> None:
    """Starts with those who are seated."""
    table = await interaction.client.tables.start(number, interaction.user.id, interaction.id)
    words = await interaction.client.languages.of_user(interaction)
    await answer(interaction, words("answer.joined-started", table=table.id, where=place_link(table)))


async def cancel(interaction: Interaction, number: int) -> None:
    """Closes an open table at once; asks once more about a running one. Raises `not-seated`."""
    words = await interaction.client.languages.of_user(interaction)
    table = await interaction.client.tables.get(number)
    if table.status != "running":
        await end(interaction, number)
        return
    user, moderator = interaction.user.id, moderates(interaction, table)
    if table.seat_of(user) is None and not moderator:
        raise TableError("not-seated", table=number, game=table.game)
    alone = moderator or all(seat.user_id in (None, user) for seat in table.seats)
    code = "answer.sure-cancel-alone" if alone else "answer.sure-cancel"
    await answer(interaction, words(code, table=number), view=sure(table, "end", words))


async def end(interaction: Interaction, number: int) -> None:
    """Closes the table; a running one by vote unless a moderator asks."""
    words = await interaction.client.languages.of_user(interaction)
    table = await interaction.client.tables.get(number)
    done = await interaction.client.tables.cancel(
        number, interaction.user.id, interaction.id, moderator=moderates(interaction, table)
    )
    code = "answer.asked-others" if isinstance(done, Vote) else "answer.cancelled"
    await answer(interaction, words(code, table=number))


async def rematch(interaction: Interaction, number: int) -> None:
    """The same game again; who presses second joins the same table."""
    table = await interaction.client.tables.rematch(number, caller(interaction), interaction.id)
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
