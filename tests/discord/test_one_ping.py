"""One ping a turn: none for the many small actions of a movement phase or of a plan."""

from __future__ import annotations

import random

import pytest

from tests.discord.conftest import last_board, text_of
from tests.discord.sekigahara_tables import Two
from tests.discord.shogun_tables import Four
from tests.discord.test_sekigahara_marches import CAMP
from tests.discord.test_shogun_games import plan_by_text

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

MARCHES = ("march kyoto mori2 > minakuchi", "march kyoto mori3 > ayabe", "muster osaka ukita3")


class Pings:
    """Every message of a thread that calls somebody, also one that is deleted later."""

    def __init__(self, thread) -> None:
        self.thread = thread
        self.heard: dict[int, list[int]] = {}
        self.begin = {message.id for message in thread.history()}

    def listen(self) -> list[list[int]]:
        """Whom each message since the beginning called."""
        for message in self.thread.history():
            if message.id not in self.begin and message.mentions:
                self.heard[message.id] = sorted({user.id for user in message.mentions})
        return list(self.heard.values())


async def test_a_movement_phase_of_many_marches_calls_nobody_and_its_end_the_other_once(world):
    two = Two(world)
    pings = Pings(await two.begin(CAMP))
    for action in ("move limited mori", *MARCHES):
        await two.by_text(0, action)
        assert pings.listen() == [], action
    await two.by_text(0, "end")
    assert pings.listen() == [[world.ben.id]]


async def test_a_plan_of_many_entries_calls_nobody_but_the_last_and_then_who_acts_once(world):  # 17.6
    four = Four(world)
    thread = await four.begin()
    pings = Pings(thread)
    dice = random.Random(3)
    for member in (world.ben, world.cho, four.dan):
        await plan_by_text(four, thread, member, dice, edits=6)
        last = [] if member is not four.dan else [[world.ann.id]]
        assert pings.listen() == last, "who is ready is told, the last one called"
    for _ in range(6):
        offers = [str(c["value"]) for c in await world.ann.autocomplete(thread, "move", "move", "plan ")]
        told = text_of(
            await world.ann.slash(thread, "move", move=dice.choice([o for o in offers if "=" in o]))
        )
        assert "not sent" in told
        assert pings.listen() == [[world.ann.id]]
    await plan_by_text(four, thread, world.ann, dice, edits=0)
    acting = sorted(member.id for member in await four.acting())
    assert last_board(thread)
    assert pings.listen() == [[world.ann.id], [user for user in acting if user != world.ann.id]]
