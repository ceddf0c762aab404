"""A panel that asks only what is to be decided, and goes on by itself (17.4)."""

from __future__ import annotations

import os
import random

import pytest
from simcord import UserHandle

from engines.capabilities import random_action
from engines.chance import Chance
from tests.discord.conftest import answer_of, button, last_board, text_of
from tests.discord.test_presses import panel_of, to_confirmation
from tests.games import by_game, for_two
from tests.messages import wording

ACTIONS = int(os.environ.get("HATAMOTO_ACTIONS", "12"))

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures


def stored(world, message):
    """The message as it is now."""
    return world.env.backend.get_message(message.channel_id, message.id)


async def test_the_open_panel_goes_on_when_the_bot_has_answered(world):  # 17.4
    bot = UserHandle(world.env, world.env.backend.bot_user)
    await world.ann.slash(
        world.channel,
        "game new",
        game="kamisado",
        opponent=bot,
        options="level=easy match=standard seat=first",
    )
    panel = await to_confirmation(world.ann, await panel_of(world, world.thread(), world.ann))
    await world.ann.click(panel, custom_id=button(panel, "Confirm"))
    await world.bot.tables.settled()
    await world.bot.following.settled()
    now = stored(world, panel)
    told = "\n".join(part["content"] for part in texts(now.components))
    assert "Done: Move the" in told
    assert "Played `" in told, "the notation stands below"
    assert "It is your turn again." in told
    assert "Where does the" in told


def texts(parts):
    """The texts of a stored message."""
    for part in parts:
        if part.get("type") == 10:
            yield part
        yield from texts(part.get("components") or [])


async def test_between_two_people_each_panel_goes_on_after_the_other(world):  # 17.4
    thread = await world.start()
    first = await to_confirmation(world.ann, await panel_of(world, thread, world.ann))
    done = answer_of(await world.ann.click(first, custom_id=button(first, "Confirm")))
    assert "your turn" not in wording(done)
    board = last_board(thread)
    assert board.attachments
    second = await to_confirmation(world.ben, await panel_of(world, thread, world.ben))
    await world.ben.click(second, custom_id=button(second, "Confirm"))
    await world.bot.following.settled()
    told = "\n".join(part["content"] for part in texts(stored(world, first).components))
    assert "It is your turn again." in told


@pytest.mark.parametrize("game", by_game(for_two()))
async def test_at_most_two_posts_come_from_a_press_to_the_next_decision_against_the_bot(world, game):  # 17.4
    bot, dice = UserHandle(world.env, world.env.backend.bot_user), random.Random(4)
    await world.ann.slash(world.channel, "game new", game=game, opponent=bot, options="level=easy seat=first")
    await quiet(world)
    thread = world.thread()
    for _ in range(ACTIONS):
        table = await world.bot.tables.get(1)
        if table.status != "running":
            break
        seen = {message.id for message in thread.history()}
        loaded = await world.bot.tables._house.look(1)
        text = harmless(loaded, dice)
        assert "Played `" in text_of(await world.ann.slash(thread, "move", move=text))
        await quiet(world)
        new = [message for message in thread.history() if message.id not in seen]
        assert len(new) <= 2, (text, [wording(message) for message in new])


def harmless(loaded, dice):
    """A random action of seat 0 that is done at once, without a question."""
    for entry in range(100):
        action = random_action(loaded.engine, loaded.state, 0, Chance(dice.randbytes(32), entry))
        if loaded.engine.confirm(loaded.state, 0, action).warning is None:
            break
    return loaded.engine.format(action)


async def quiet(world):
    """Until nobody but a person has to do anything, and all is posted."""
    for _ in range(3):
        await world.bot.tables.settled()
        await world.env.settle()
