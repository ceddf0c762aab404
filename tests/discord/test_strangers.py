"""Who may not see a private table hears what is said of a number that no table has (14.12).

Every command, every completion of a table's, every button and select: over all that are registered, so that
a new one is tried too.
"""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import app_commands

from cogs.buttons.lasting import HANDLERS
from tests.discord.conftest import text_of
from tests.discord.months import begun, delivered
from tests.messages import parts_of

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

NOWHERE = "There is no such table"
GIVEN: dict[str, Any] = {
    "move": "d8-d4",
    "clock": "slow",
    "text": "x",
    "action": "board",
    "at": 1,
    "area": "board",
    "time": "1d",
}
OF_NOBODY = {"forget", "keep"}  # buttons that are about no table
OF_MODERATORS = {"adminend"}
PRESSED = {
    "p": "p", "c": "c0", "w": "w0", "vote": "v1y", "claim": "claim.0", "give": "give.0", "take": "take.0",
    "decline": "decline.0", "at": "at.1.o", "log": "log.0", "plan": "plan.fill",
}  # fmt: skip
SELECTED = {"s": "s", "L": "L.castle", "G": "G.guests", "C": "C.share"}
KINDS = {"G": 5, "C": 8}  # Discord's types of selects that offer no text


def commands_of_tables(world) -> list[Any]:
    """All commands that take a table."""
    return [
        command
        for command in world.bot.tree.walk_commands()
        if isinstance(command, app_commands.Command)
        and not command.qualified_name.startswith("admin")
        and any(parameter.name == "table" for parameter in command.parameters)
    ]


def given(world, command) -> dict[str, Any]:
    """Something for each option that a command demands."""
    found = {}
    for parameter in command.parameters:
        if parameter.required and parameter.name != "table":
            person = parameter.type is discord.AppCommandOptionType.user
            found[parameter.name] = world.ann.user if person else GIVEN[parameter.name]
    return found


async def private(world, state):
    """A private table of Ann and Ben in this state."""
    if state == "open":
        await world.ann.slash(
            world.channel, "game new", game="shogun", options="private=yes setup=fixed seats=3 seat=first"
        )
        await delivered(world)
        return
    await begun(world, "kamisado", "private=yes")
    if state == "over":
        await world.bot.tables.resign(1, world.ann.id, 5)
        await delivered(world)
    assert (await world.bot.tables.get(1)).status == state


@pytest.mark.parametrize(
    "state", ["running", *(pytest.param(state, marks=pytest.mark.long) for state in ("open", "over"))]
)
async def test_no_command_completion_or_button_tells_a_stranger_of_a_private_table(world, state):  # 14.12
    await private(world, state)
    message = world.channel.history()[0]
    await try_commands(world)
    await try_completions(world)
    if state == "running":
        assert (await world.bot.tables.offer_draw(1, world.ann.id, 6)).id == 1
    await try_buttons(world, message)


async def try_commands(world):
    """Every command that takes a table."""
    commands = commands_of_tables(world)
    assert {"board", "move", "hand", "note", "game join", "game rematch", "game info"} <= {
        command.qualified_name for command in commands
    }
    for command in commands:
        asked = given(world, command)
        told = text_of(await world.cho.slash(world.channel, command.qualified_name, table=1, **asked))
        assert told.startswith(NOWHERE), (command.qualified_name, told)
        nothing = text_of(await world.cho.slash(world.channel, command.qualified_name, table=77, **asked))
        assert told == nothing, command.qualified_name


async def try_completions(world):
    """Every completion of such a command."""
    for command in commands_of_tables(world):
        for parameter in command.parameters:
            if not parameter.autocomplete:
                continue
            asked = (world.channel, command.qualified_name, parameter.name, "")
            offers = [await world.cho.autocomplete(*asked, table=number) for number in (1, 77)]
            assert offers[0] == offers[1], (command.qualified_name, parameter.name)
    assert await world.cho.autocomplete(world.channel, "game info", "table", "1") == []
    assert await world.cho.autocomplete(world.channel, "board", "area", "", table=1) == []


async def try_buttons(world, message):
    """Every button and select, in the place of the message's own."""
    row = next(
        part["components"]
        for part in parts_of(world.env.backend.get_message(message.channel.id, message.id))
        if part["type"] == 1
    )
    plain = dict(row[0])
    tried = set()
    for name in sorted(HANDLERS.keys() - OF_NOBODY - OF_MODERATORS):
        answers = []
        for number in (1, 77):
            custom_id = f"t:{number}:1:{SELECTED.get(name) or PRESSED.get(name, name)}"
            if name not in SELECTED:
                row[:] = [{**plain, "custom_id": custom_id}]
                told = await world.cho.click(message, custom_id=custom_id)
            else:
                kind, options = KINDS.get(name, 3), [{"label": "0", "value": "0"}]
                row[:] = [{"type": kind, "custom_id": custom_id, "options": options}]
                picked = {5: world.ann, 8: world.channel}.get(kind, "0")
                told = await world.cho.select(message, [picked], custom_id=custom_id)
            answers.append(text_of(told))
        tried.add(name)
        assert answers[0].startswith("This question no longer exists" if name == "vote" else NOWHERE), (
            name,
            answers,
        )
        assert answers[0] == answers[1], name
    assert {"join", "rematch", "hand", "turn", "cancel", "G", "L", "s"} <= tried
