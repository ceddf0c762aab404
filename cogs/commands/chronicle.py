"""`/board log`: what happened at a table, as it was posted, newest page first."""

from __future__ import annotations

from cogs.buttons import controls
from cogs.buttons.custom_ids import Press
from cogs.buttons.lasting import TableButton, on_press
from cogs.text.answers import Interaction, answer, change, hold, plain, start_of, taking_turns, wait
from cogs.text.layout import Rows
from cogs.text.plain import called
from locales import Words
from render.words import joined
from tables.core.model import Happened, Table
from tables.core.moments import moment

ROOM = 1_700  # characters of a page


def lines_of(table: Table, told: list[Happened], words: Words) -> list[str]:
    """A line for each entry that had something to tell."""
    names = tuple(plain(called(name, words)) for name in table.names)
    lines = []
    for one in told:
        seen = [words.event(table.game, event, names) for event in one.events]
        text = joined(seen)
        if text:
            when = "" if one.at is None else f"{moment(one.at, 'd')} "
            lines.append(f"{when}{start_of(text, ROOM // 2)}")
    return lines


def pages_of(lines: list[str]) -> list[list[str]]:
    """The lines in pages that fit into a message, each but the first one full, so that the last ones meet."""
    pages: list[list[str]] = []
    room = 0
    for line in reversed(lines):
        if not pages or room < len(line) + 1:
            pages.insert(0, [])
            room = ROOM
        pages[0].insert(0, line)
        room -= len(line) + 1
    return pages


async def show(interaction: Interaction, table_id: int, back: int = 0, *, anew: bool = True) -> None:
    """A page: `back` pages before the newest. Raises `no-table`, `not-running`."""
    client = interaction.client
    words = await client.languages.of_user(interaction)
    told = await client.tables.chronicle(table_id, interaction.user.id)
    table = await client.tables.get(table_id)
    pages = await client.writing.run(lambda: pages_of(lines_of(table, told, words)))
    back = max(0, min(back, len(pages) - 1))
    shown = pages[-1 - back] if pages else []
    content = "\n".join([controls.heading(table, words), *shown])
    view = Rows()
    for label, to in (("button.earlier", back + 1), ("button.later-page", back - 1)):
        press = Press(table_id, table.version, f"log.{max(to, 0)}.{label[7]}")
        view.add_item(TableButton(press, words(label), disabled=not 0 <= to < len(pages)))
    if anew:
        await answer(interaction, content, view=view)
    else:
        await change(interaction, content, view=view)


@on_press("log")
async def turn(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Another page."""
    await hold(interaction)
    page = press.action.partition(".")[2].partition(".")[0]
    async with interaction.client.reading.turn(interaction.user.id) as mine:
        if mine:  # else a newer press turned the page
            await show(interaction, press.table, int(page) if page.isdecimal() else 0, anew=False)


@on_press("story")
async def open_story(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """The newest page, as a new answer."""
    await wait(interaction)
    async with taking_turns(interaction):
        await show(interaction, press.table)
