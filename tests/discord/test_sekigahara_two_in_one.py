"""One press that settles two things: a mode and its first march, a bid and who goes first (17.4)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.sekigahara.data import BIDS
from tests.discord.conftest import controls
from tests.discord.months import delivered
from tests.discord.sekigahara_tables import FIGHTS, Two
from tests.discord.test_sekigahara_marches import CAMP
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

BIDDING: dict[str, Any] = {**CAMP, "phase": "bid"}


async def test_a_mode_is_looked_into_before_it_is_paid_for_with_its_first_march(world):  # 17.4
    two = Two(world)
    await two.begin(CAMP)
    chosen = await two.look(0, "limited_mori")
    assert "3 stacks left" in wording(chosen)
    assert (await two.state()).phase == "move", "nothing was spent by looking"
    asked = await two.look(0, "limited_mori", "all_kyoto", "minakuchi")
    assert "Limited movement" in wording(asked)
    assert "March from Kyoto to Minakuchi with 4 blocks" in wording(asked)
    told = await two.press(0, asked, "Confirm")
    assert "Played `move limited mori; march kyoto mori2 mori3 ukita2 ukita-gun > minakuchi`" in wording(told)
    assert "2 stacks left" in wording(told), "the panel goes on"
    await delivered(world)
    state = await two.state()
    assert sorted(state.map["minakuchi"].ishida) == ["mori2", "mori3", "ukita-gun", "ukita2"]
    assert state.hands["ishida"].count("mori") == 0
    both = await two.look(0)
    assert "Undo" in controls(both).values(), "the march alone is taken back; the card was shown"


async def test_a_mode_its_march_and_the_end_of_the_movement_are_one_press(world):  # 17.4
    two = Two(world)
    await two.begin(CAMP)
    asked = await two.look(0, "limited_mori", "all_kyoto", "minakuchi")
    told = wording(await two.press(0, asked, "Then end movement"))
    assert "Played `move limited mori; march kyoto mori2 mori3 ukita2 ukita-gun > minakuchi`" in told
    assert "Played `end`" in told
    state = await two.state()
    assert (state.phase, state.active) == ("move", "tokugawa")


async def test_a_bid_says_who_goes_first_and_only_its_player_knows_before_both_lie_open(world):  # 17.4
    two = Two(world)
    thread = await two.begin(BIDDING)
    high = max(FIGHTS["hands"]["ishida"], key=BIDS["ishida"].__getitem__)
    low = min(FIGHTS["hands"]["tokugawa"], key=BIDS["tokugawa"].__getitem__)
    asked = await two.look(0, high)
    assert "who goes first?" in wording(asked)
    told = await two.press(0, asked, "Tokugawa goes first")
    assert f"Played `bid {high}`" in wording(told)
    assert "Your secret orders are saved: Tokugawa goes first." in wording(told)
    await delivered(world)
    assert "Your orders: Tokugawa goes first" in wording(await two.look(0))
    other = await two.look(1, low)
    assert "Tokugawa goes first" not in "\n".join(wording(message) for message in thread.history())
    assert "orders" not in wording(other)
    done = await two.press(1, other, "Ask me then")
    assert f"Played `bid {low}`" in wording(done)
    await delivered(world)
    state = await two.state()
    assert (state.phase, state.first) == ("move", "tokugawa"), "nobody was asked again"
