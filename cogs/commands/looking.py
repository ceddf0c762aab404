"""Other ways to look at a board: a part or a layer of it, what is new on it, the whole of it, who leads."""

from __future__ import annotations

import asyncio

from cogs.buttons import controls
from cogs.buttons.custom_ids import Press
from cogs.buttons.lasting import on_press
from cogs.text.answers import Interaction, answer, wait
from cogs.text.letter import attached
from cogs.text.pictures import drawn_for
from cogs.text.scenes import scene_of
from engines.protocol import printable
from engines.typed import plainly
from render import Scene, areas, changes, layers, painter, standing_words
from tables.core.errors import TableError
from tables.core.model import Shown, Table
from tables.reading.since import MINE

MOST_LISTED = 20
MOST_DIGITS = 6


def part_of(table: Table, area: str | None) -> str | None:
    """The part of the board that is meant. Raises `no-area` (areas), `no-areas` where there are none."""
    return one_of(table, areas(table.game), area, "area")


def layer_of(table: Table, layer: str | None) -> str | None:
    """The layer of the board that is meant. Raises `no-layer` (layers), `no-layers` where there are none."""
    return one_of(table, layers(table.game), layer, "layer")


def one_of(table: Table, known: tuple[str, ...], text: str | None, kind: str) -> str | None:
    """What of `known` was typed, in whatever case."""
    if text is None:
        return None
    typed, found = plainly(text).casefold(), {one.casefold(): one for one in known}
    if not known:
        raise TableError(f"no-{kind}s", table=table.id, game=table.game)
    if typed not in found:
        error = TableError(f"no-{kind}", table=table.id, game=table.game)
        error.params[f"{kind}s"] = list(known[:MOST_LISTED])
        raise error
    return found[typed]


def earlier_of(shown: Shown, since: str | None, user_id: int) -> int | str | None:
    """Since when the news is asked for: an entry's number, or MINE; None: since the last post.

    Raises `bad-since`, `not-seated`, and `bad-ply` where there are not so many.
    """
    if since is None:
        return None
    typed, table = plainly(since).casefold().removeprefix("#"), shown.table
    if typed == MINE:
        if table.seat_of(user_id) is None:
            raise TableError("not-seated", table=table.id, game=table.game)
        return MINE
    if not (typed.isascii() and typed.isdecimal() and len(typed) <= MOST_DIGITS):
        raise TableError("bad-since", table=table.id, game=table.game, text=printable(since, 40))
    if int(typed) > shown.entry:
        raise TableError("bad-ply", table=table.id, game=table.game, ply=int(typed), most=shown.entry)
    return int(typed)


async def show(interaction: Interaction, part: str, scene: Scene, lines: list[str]) -> None:
    """A part of a scene to who asked alone, below these lines."""
    picture, good = await drawn_for(interaction, part, scene)
    if not good:
        lines.append(scene.words("post.no-picture"))
    files = [] if picture is None else [attached(picture)]
    await answer(interaction, "\n".join(line for line in lines if line), files=files)


async def on_the_way(interaction: Interaction, number: int) -> Table | None:
    """A table that has a board; None where it has none, and its visitor was told how it stands."""
    await wait(interaction)
    table = await interaction.client.tables.admitted(number, interaction.user.id)
    if table.started_at is not None and table.status in ("running", "over"):
        return table
    words = await interaction.client.languages.of_user(interaction)
    await answer(interaction, controls.information(table, words))
    return None


@on_press("news")
async def press_news(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """What changed: for a seat since its own last action, as it sees it; for others since the last post."""
    table = await on_the_way(interaction, press.table)
    if table is None:
        return
    client, user = interaction.client, interaction.user.id
    words = await client.languages.of_user(interaction)
    seated = table.seat_of(user) is not None
    shown = await (client.tables.show(table.id, user) if seated else client.tables.board(table.id, user))
    news = await asyncio.to_thread(changes, scene_of(shown, words, spoken=True))
    title = words("answer.news-mine" if seated else "answer.news-board")
    lines = [controls.heading(table, words), *([title, news] if news else [words("answer.nothing-new")])]
    await show(interaction, "board", scene_of(shown, words), lines)


@on_press("map")
async def press_map(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """The whole board, where a post shows one place of it."""
    table = await on_the_way(interaction, press.table)
    if table is None:
        return
    words = await interaction.client.languages.of_user(interaction)
    shown = await interaction.client.tables.board(table.id, interaction.user.id)
    caption = await asyncio.to_thread(painter(table.game).caption, scene_of(shown, words, spoken=True))
    await show(interaction, "board", scene_of(shown, words), [controls.heading(table, words), caption])


@on_press("standing")
async def press_standing(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Who leads in what, in a picture and in words."""
    table = await on_the_way(interaction, press.table)
    if table is None:
        return
    words = await interaction.client.languages.of_user(interaction)
    shown = await interaction.client.tables.watch(table.id, interaction.user.id)
    told = await asyncio.to_thread(standing_words, scene_of(shown, words, spoken=True))
    await show(interaction, "standing", scene_of(shown, words), [controls.heading(table, words), told])
