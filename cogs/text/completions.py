"""What Discord offers while somebody types: tables, options, moves. Only hints: all is checked again."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from discord import app_commands

from cogs.text.answers import Interaction, cut
from cogs.text.places import moderates
from cogs.text.plain import cleaned
from engines.protocol import RulesError
from engines.registry import engine
from engines.typed import plainly
from render import areas, layers
from tables.core.errors import TableError
from tables.core.model import Filters, Purpose, Table
from tables.core.options import CUSTOM, OFFERED, SPANS, allowed, begun, levels
from tables.reading.access import powerless
from tables.reading.since import MINE

MOST = 25
MOST_TEXT = 100
MOST_DIGITS = 6  # of an entry's number


async def meant(
    interaction: Interaction, number: int | None, purpose: Purpose = "any", *, moderating: bool = False
) -> Table:
    """The table that a command means; `moderating` where a moderator may mean what is not theirs to see.

    Raises `no-table`, `no-table-here`, `which-table`.
    """
    power = functools.partial(moderates, interaction) if moderating else powerless
    return await interaction.client.tables.find(
        interaction.user.id, interaction.channel_id or 0, number, interaction.guild_id, purpose, power
    )


async def admitted(interaction: Interaction, number: int, *, moderating: bool = False) -> Table:
    """The table of this number, as `meant` finds it. Raises `no-table`."""
    tables = interaction.client.tables
    power = moderating and moderates(interaction, await tables.get(number))
    return await tables.admitted(number, interaction.user.id, moderator=power)


async def complete_table(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    """The user's running tables, this channel's, those that wait for players, and those he has finished."""
    client = interaction.client
    words = await client.languages.of_user(interaction)
    found = {waiting.table.id: waiting.table for waiting in await client.tables.mine(interaction.user.id)}
    try:
        here = await client.tables.find(0, interaction.channel_id or 0)
        found.setdefault(here.id, here)
    except TableError:
        pass  # no table is played here
    finished = Filters(status="over", user_id=interaction.user.id, most=MOST)
    for filters in (Filters(status="open", most=MOST), finished):
        for table in await client.tables.listing(interaction.guild_id or 0, filters):
            found.setdefault(table.id, table)
    choices = []
    for number, table in found.items():
        if str(number).startswith(typed.lstrip("#")):
            names = [cleaned(name) for name in table.names if name]
            label = words("post.thread", table=number, title=words(f"{table.game}.title"), players=names)
            choices.append(app_commands.Choice(name=cut(label, MOST_TEXT), value=number))
    return choices[:MOST]


async def complete_level(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Levels at which the bot plays the table that is named; all of them where none is."""
    number = getattr(interaction.namespace, "table", None)
    words = await interaction.client.languages.of_user(interaction)
    try:
        table = await meant(interaction, number if isinstance(number, int) else None, "running")
        offers = levels(table.game)
    except TableError:
        offers = OFFERED["level"]
    named = [(level, words(f"choice.level.{level}")) for level in offers]
    start = plainly(typed).casefold()
    fit = [(level, name) for level, name in named if name.casefold().startswith(start)] or named
    return [app_commands.Choice(name=name, value=level) for level, name in fit]


async def complete_options(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """`key=value` words of the game that was chosen, and of every table, one word at a time."""
    before, word = begun(typed)
    used = dict(part.casefold().partition("=")[::2] for part in before.split())
    pairs = [
        f"{key}={value}"
        for key, values in options_of(getattr(interaction.namespace, "game", None)).items()
        if key not in used and wanted(key, used, word.casefold())
        for value in values
    ]
    offers = [f"{before} {pair}".strip() for pair in offered(pairs, word)]
    return [app_commands.Choice(name=text, value=text) for text in offers if len(text) <= MOST_TEXT][:MOST]


def offered(texts: Sequence[str], word: str) -> list[str]:
    """The texts that begin with the word; those of its option where no value does; else what exists."""
    start = word.casefold()
    for begin in (start, start.partition("=")[0] + "="):
        if found := [text for text in texts if text.startswith(begin)]:
            return found
    return list(texts)


def wanted(key: str, used: Mapping[str, str], word: str) -> bool:
    """Whether an option is worth its place: what a clock needs is, once one is chosen or it is typed."""
    if word and key.startswith(word):
        return True
    if key in SPANS:
        return used.get("clock") == CUSTOM
    return key != "timeout" or used.get("clock", "none") != "none"


def options_of(game: Any) -> dict[str, list[str]]:
    """Names of a game's options, then the table's own, with the values that can be listed."""
    try:
        rules = engine(str(game))
    except RulesError:
        return OFFERED
    model = rules.options_type
    own = {name: allowed(model, name) for name in model.model_fields}
    counts = rules.seat_counts(rules.read_options({}))
    if len(counts) > 1:
        own["seats"] = [str(count) for count in counts]
    return {**own, **OFFERED, "level": levels(str(game))}


async def complete_move(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Legal moves that continue what was typed, for the seat's own user."""
    number = getattr(interaction.namespace, "table", None)
    client = interaction.client
    try:
        moves = await client.tables.complete(
            number if isinstance(number, int) else None,
            interaction.user.id,
            interaction.channel_id or 0,
            typed,
        )
    except TableError:
        return []
    return [app_commands.Choice(name=move, value=move) for move in moves if len(move) <= MOST_TEXT][:MOST]


async def complete_area(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Parts of the board of the table that is meant, by code or by name."""
    words = await interaction.client.languages.of_user(interaction)
    table = await board_meant(interaction)
    if table is None:
        return []
    return fitting([(area, words.term(table.game, area)) for area in areas(table.game)], typed)


async def complete_layer(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Other layers of the board of the table that is meant, by code or by name."""
    words = await interaction.client.languages.of_user(interaction)
    table = await board_meant(interaction)
    if table is None:
        return []
    return fitting([(layer, words.term(table.game, layer)) for layer in layers(table.game)], typed)


async def complete_since(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The user's own last action at the table that is meant, and an entry of its log by number."""
    words = await interaction.client.languages.of_user(interaction)
    table = await board_meant(interaction)
    if table is None:
        return []
    offers = [] if table.seat_of(interaction.user.id) is None else [(MINE, words("choice.since.mine"))]
    number = plainly(typed).removeprefix("#")
    if number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS:
        offers.append((number, words("choice.since.entry", n=int(number))))
        return [app_commands.Choice(name=cut(name, MOST_TEXT), value=code) for code, name in offers[-1:]]
    return fitting(offers, typed)


async def board_meant(interaction: Interaction) -> Table | None:
    """The table whose board is asked for, None where none is meant."""
    number = getattr(interaction.namespace, "table", None)
    try:
        return await meant(interaction, number if isinstance(number, int) else None, "played")
    except TableError:
        return None


def fitting(named: Sequence[tuple[str, str]], typed: str) -> list[app_commands.Choice[str]]:
    """Those (code, name) that hold what is typed; all where none does."""
    start = plainly(typed).casefold()
    fit = [
        (code, name) for code, name in named if start in code.casefold() or start in name.casefold()
    ] or named
    return [app_commands.Choice(name=cut(name, MOST_TEXT), value=code) for code, name in fit][:MOST]
