"""A panel that asks only what is to be decided, and goes on by itself (17.4)."""

from __future__ import annotations

import os
import random

import pytest
from simcord import UserHandle

from engines.capabilities import random_action
from engines.chance import Chance
from tests.discord.conftest import answer_of, button, fixed_seed, last_board, text_of
from tests.discord.test_presses import panel_of, to_confirmation
from tests.games import by_game, for_two, released, table_words
from tests.messages import wording

ACTIONS = int(os.environ.get("HATAMOTO_ACTIONS", "12"))
MOST = 900  # actions of people in a whole game

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures


def stored(world, message):
    """The message as it is now."""
    return world.env.backend.get_message(message.channel_id, message.id)


async def test_the_open_panel_goes_on_when_the_bot_has_answered(world):  # 17.4
    fixed_seed(world, 0)  # the bot may win the round at once, over the square that is left
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
    await quiet(world)
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


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", by_game(for_two()))
async def test_at_most_two_posts_come_from_a_press_to_the_next_decision_against_the_bot(world, game, seed):
    # 17.4
    await begun(world, game, UserHandle(world.env, world.env.backend.bot_user), seed)
    await few_posts(world, seed, ACTIONS)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "least"), [(game, 110 if game == "sekigahara" else 1) for game in for_two()]
)
async def test_nor_do_more_over_the_whole_of_a_long_game_against_the_bot(world, game, least):  # 17.4
    await begun(world, game, UserHandle(world.env, world.env.backend.bot_user), 0)
    assert await few_posts(world, 0, MOST) > least
    assert (await world.bot.tables.get(1)).status == "over"


@pytest.mark.parametrize("game", by_game(for_two()))
async def test_at_most_two_posts_come_from_a_press_to_the_next_decision_of_two_people(world, game):  # 17.4
    await begun(world, game, world.ben.user, 0)
    await world.ben.slash(world.channel, "game join", table=1)
    await few_posts(world, 0, ACTIONS)


@pytest.mark.long
@pytest.mark.parametrize("game", for_two())
async def test_nor_do_more_over_the_whole_of_a_game_of_two_people(world, game):  # 17.4
    await begun(world, game, world.ben.user, 1)
    await world.ben.slash(world.channel, "game join", table=1)
    await few_posts(world, 1, MOST)
    assert (await world.bot.tables.get(1)).status == "over"


async def begun(world, game, opponent, seed):
    """A table of Ann's, whose game is the same each time; a bot is an easy one."""
    fixed_seed(world, seed)
    level = "" if opponent is world.ben.user else "level=easy "
    options = f"{level}seat=first"
    if not released(game):
        options += f" {table_words(game)}"  # it may have more than two seats by itself
    await world.ann.slash(world.channel, "game new", game=game, opponent=opponent, options=options)
    await quiet(world)


async def few_posts(world, seed, most):
    """So many actions of people at random, each of which brings two posts at most; how many there were."""
    dice, people = random.Random(seed), {member.id: member for member in (world.ann, world.ben)}
    await quiet(world)
    thread = world.thread()
    for number in range(most):
        table = await world.bot.tables.get(1)
        if table.status != "running":
            return number
        seen = {message.id for message in thread.history()}
        loaded = await world.bot.tables._house.look(1)
        seat = min(seat for seat in table.to_act if table.seats[seat].user_id in people)
        text = harmless(loaded, seat, dice)
        mover = people[table.seats[seat].user_id]
        assert "Played `" in text_of(await mover.slash(thread, "move", move=text))
        await quiet(world)
        new = [message for message in thread.history() if message.id not in seen]
        assert len(new) <= 2, (text, [wording(message) for message in new])
    return most


def harmless(loaded, seat, dice):
    """A random action of a seat that is done at once, without a question."""
    for entry in range(100):
        action = random_action(loaded.engine, loaded.state, seat, Chance(dice.randbytes(32), entry))
        if loaded.engine.confirm(loaded.state, seat, action).warning is None:
            break
    return loaded.engine.format(action)


async def quiet(world):
    """Until nobody but a person has to do anything, and all is posted."""
    for _ in range(3):
        await world.bot.tables.settled()
        await world.env.settle()
