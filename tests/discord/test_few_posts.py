"""How many posts a table gets between the decisions of its people, whole games long (17.4)."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from tests.discord.shogun_tables import Four
from tests.messages import wording

ACTIONS = int(os.environ.get("HATAMOTO_ACTIONS", "12"))
WHOLE = 2_000  # more actions than any game has
MOST = 2

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures


async def counted(world: Any, thread: Any, most: int) -> tuple[int, dict[int, int]]:
    """So many random actions of people, one settled after another: how many posts followed how often."""
    tables, dice, found = world.bot.tables, random.Random(5), dict[int, int]()
    for number in range(1, most + 1):
        loaded = await tables._house.look(1)
        if not loaded.to_act:
            return number - 1, found
        seat = dice.choice(sorted(loaded.to_act))
        action = random_action(loaded.engine, loaded.state, seat, Chance(dice.randbytes(32), number))
        text = loaded.engine.format(action)
        before = {message.id for message in thread.history()}
        await tables.act(1, loaded.seats[seat].user_id, text, interaction_id=number)
        await world.env.settle()
        new = [message for message in thread.history() if message.id not in before]
        assert len(new) <= MOST, (text, [wording(message) for message in new])
        found[len(new)] = found.get(len(new), 0) + 1
    return most, found


async def test_four_people_at_shogun_get_at_most_two_posts_from_one_decision_to_the_next(world):  # 17.4
    four = Four(world)
    thread = await four.begin()
    done, _ = await counted(world, thread, ACTIONS)
    assert done == ACTIONS


@pytest.mark.long
async def test_a_whole_game_of_shogun_between_people_is_told_in_few_posts(world):  # 17.4
    four = Four(world)
    thread = await four.begin()
    done, found = await counted(world, thread, WHOLE)
    assert (await world.bot.tables.get(1)).status == "over"
    assert sum(found.values()) == done > 60
