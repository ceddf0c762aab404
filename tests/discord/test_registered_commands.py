"""Discord's own list of commands is what counts, whoever changed it (13.A8)."""

from __future__ import annotations

import copy

import pytest

from cogs.ops.registered import registered
from tests.discord.test_discord_limits import payload

MORE = {"name": "more", "type": 3, "description": "x"}


def slash(commands):
    """The first that is no menu."""
    return next(one for one in commands if one.get("type", 1) == 1)


def as_discord_answers(commands):
    """With what Discord adds, without what it leaves out, in an order of its own."""
    found = copy.deepcopy(commands)
    for number, command in enumerate(found):
        command |= {"id": str(number), "version": "1", "application_id": "9", "dm_permission": True}
        if not command.get("nsfw"):
            command.pop("nsfw", None)
        for option in command.get("options", ()):
            if not option.get("required"):
                option.pop("required", None)
    return found[::-1]


async def test_what_discord_answers_is_known_again():  # 13.A8
    commands = await payload()
    assert registered(commands, as_discord_answers(commands))
    assert not registered(commands, [])
    assert not registered([], as_discord_answers(commands))


@pytest.mark.parametrize(
    "change",
    [
        lambda found: found.pop(),
        lambda found: found.append({**found[0], "name": "another"}),
        lambda found: slash(found).update(description="Another one"),
        lambda found: found[0].update(default_member_permissions="8"),
        lambda found: slash(found)["description_localizations"].popitem(),
        lambda found: slash(found).setdefault("options", []).append(MORE),
        lambda found: next(c for c in found if c.get("options"))["options"].pop(),
    ],
)
async def test_any_change_made_elsewhere_is_seen(change):  # 13.A8
    commands = await payload()
    found = as_discord_answers(commands)
    change(found)
    assert not registered(commands, found)


async def test_commands_that_were_changed_elsewhere_are_sent_again_at_the_start(world):  # 13.A8
    there = world.env.backend.commands
    ours = copy.deepcopy(there[None])
    await world.restart()
    assert there[None] == ours
    next(iter(there[None].values()))["description"] = "Another program's"
    there[None].pop(list(there[None])[-1])
    await world.restart()
    assert there[None].keys() == ours.keys()
    assert [c["description"] for c in there[None].values()] == [c["description"] for c in ours.values()]
