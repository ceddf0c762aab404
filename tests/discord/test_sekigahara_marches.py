"""Movement in Sekigahara by the panel: reach and its price, drops, taking back; parts of the map, the log."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from tests.discord.conftest import answer_of, button, controls, last_board, offered, pick, text_of
from tests.discord.sekigahara_tables import FIGHTS, Two
from tests.discord.test_every_game import one_action
from tests.messages import wording

unseen = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

GAMES = min(int(os.environ.get("HATAMOTO_COUNT", "1")), 5)  # about a minute each

CAMP: dict[str, Any] = {
    **FIGHTS,
    "turn": "A",
    "phase": "move",
    "first": "ishida",
    "march": None,
    "map": {
        "osaka": {"ishida": ["ishida-leader"]},
        "edo": {"tokugawa": ["tokugawa-leader"]},
        "kyoto": {"ishida": ["mori2", "mori3", "ukita2", "ukita-gun"]},
        "kuwana": {"tokugawa": ["maeda3"]},
    },
    "boxes": {"ishida": ["ukita3"], "tokugawa": ["maeda2"]},
}


@unseen
async def test_a_group_sees_where_it_gets_and_what_that_costs_drops_on_the_way_and_is_taken_back(world):
    two = Two(world)
    await two.begin(CAMP)
    await two.by_text(0, "move limited mori")
    start = await two.state()
    panel = await two.look(0)
    assert "3 stacks left · muster still possible" in wording(panel)
    assert "Undo" not in controls(panel).values(), "the card that paid was shown"
    who = await two.look(0, "march_kyoto")
    where = await two.press(0, who, "All (4)")
    assert "4 blocks, led from here: 2 steps, or 3 on highways only · +1 with a force march" in wording(where)
    assert "3 stacks left" in wording(where)
    assert offered(where)["Kuwana"] == "overruns"
    assert any("card" in (costs or "") for costs in offered(where).values())
    asked = await two.by_buttons(0, "march kyoto mori2 ukita2 > minakuchi -mori2 > kuwana")
    assert "march kyoto" in asked
    panel = await two.look(0)
    assert "2 stacks left" in wording(panel)
    assert "used: Kuwana–Minakuchi · Kyoto–Minakuchi" in wording(panel), "said once"
    await two.by_text(0, "muster osaka ukita3")
    assert "mustered" in (wording(await two.look(0)))
    back = await two.press(0, await two.look(0), "Undo")
    assert "muster still possible" in wording(back)
    await two.press(0, back, "Undo")
    assert await two.state() == start, "march and muster, one after the other"
    told = text_of(await world.ann.slash(world.thread(), "game undo"))
    assert "agree" in told or "asked" in told, "but not the price, whose card Ben has seen"


@unseen
async def test_those_left_behind_go_on_another_way_by_buttons_and_are_taken_back_with_the_rest(world):  # 13.0
    two = Two(world)
    thread = await two.begin(CAMP)
    await two.by_text(0, "move minimal")
    start = await two.state()
    stack = "march kyoto mori2 mori3 ukita2 > sawayama -mori3 -ukita2 > tsuruga"
    asked = await two.by_buttons(0, f"{stack} / sawayama mori3 ukita2 > gifu")
    assert "/ sawayama mori3 ukita2 > gifu" in asked
    assert "2 blocks go on from Sawayama to Gifu" in wording(last_board(thread))
    await two.press(0, await two.look(0), "Undo")
    assert await two.state() == start, "one march with its branches is one step back"

    ann = two.people[0]
    far = text_of(await ann.slash(thread, "move", move=f"{stack} / sawayama ukita2 > gifu > kiyosu"))
    assert "From Sawayama these blocks can take 1 step more" in far
    assert "march osaka mori2" in text_of(await ann.slash(thread, "move", move="march kyoto"))  # 13.15
    offered = {choice["value"] for choice in await ann.autocomplete(thread, "move", "move", f"{stack} /")}
    assert {f"{stack} / sawayama", f"{stack} / sawayama mori3 > gifu"} <= offered


@unseen
async def test_what_was_shown_or_overrun_in_a_march_is_not_taken_back_alone(world):
    two = Two(world)
    await two.begin(CAMP)
    await two.by_text(0, "move minimal")
    panel = await two.look(0)
    assert "Undo" in controls(panel).values(), "nothing was paid"
    asked = await two.by_buttons(0, "march kyoto mori2 mori3 ukita2 ukita-gun > minakuchi > kuwana")
    assert "can't undo" in asked
    assert "Undo" not in controls(await two.look(0)).values()


async def test_a_movement_phase_is_one_message_that_shows_every_march(world):
    two = Two(world)
    thread = await two.begin(CAMP)
    await two.by_text(0, "move limited mori")
    count = len([message for message in thread.history() if message.attachments])
    await two.by_text(0, "march kyoto mori2 > minakuchi")
    await two.by_text(0, "march kyoto mori3 > ayabe")
    assert len([message for message in thread.history() if message.attachments]) == count
    told = wording(last_board(thread))
    assert "Minakuchi" in told
    assert "Ayabe" in told
    await two.by_text(0, "end")
    assert len([message for message in thread.history() if message.attachments]) == count + 1
    private = world.ann.user.dm_channel.history(viewer=world.ann.user)
    assert [a.filename for a in private[0].attachments] == ["hand.png", "sekigahara.png"]


async def test_parts_of_the_map_and_what_happened_are_shown_on_request(world):
    two = Two(world)
    thread = await two.begin(CAMP)
    await two.by_text(0, "move minimal")
    await two.by_text(0, "march kyoto mori2 mori3 ukita2 ukita-gun > minakuchi > kuwana")
    offered = {choice["value"] for choice in await world.cho.autocomplete(thread, "board", "area", "k")}
    assert {"kinai", "kanto", "kyoto"} <= offered
    whole = (await world.cho.slash(thread, "board")).response
    part = (await world.cho.slash(thread, "board", area="kinai")).response
    assert whole is not None
    assert part is not None
    assert part.attachments[0].size != whole.attachments[0].size
    assert "no such part" in text_of(await world.cho.slash(thread, "board", area="atlantis"))
    log = answer_of(await world.cho.slash(thread, "board", log=True))
    assert "Kuwana" in wording(log)
    assert "Mori 2" not in wording(log), "the log holds what was posted"
    assert "Earlier" not in controls(log).values()
    assert not log.attachments


@pytest.mark.long
@pytest.mark.parametrize("seed", range(GAMES))
async def test_a_whole_week_from_the_first_bid_by_buttons_and_by_text(world, seed):
    two = Two(world)
    thread = await two.begin()
    dice = random.Random(seed)
    people = {member.id: member for member in two.people}
    for number in range(400):
        table = await world.bot.tables.get(1)
        state = await two.state()
        if table.status == "over" or state.week == 2:
            break
        seat = min(table.to_act)
        if number % 2:
            await one_action(people[table.seats[seat].user_id], last_board(thread), dice)
        else:
            offered = await two.people[seat].autocomplete(thread, "move", "move", "end")
            offered = offered or await two.people[seat].autocomplete(thread, "move", "move", "")
            await two.by_text(seat, str(dice.choice(offered)["value"]))
    assert (await two.state()).week == 2 or (await world.bot.tables.get(1)).status == "over"
    assert await world.bot.tables.check() == []
    assert button(last_board(thread), "Your turn")


@unseen
async def test_a_march_and_the_end_of_the_movement_are_one_press(world):  # 17.4
    two = Two(world)
    await two.begin(CAMP)
    await two.by_text(0, "move minimal")
    where = await two.look(0, "march_kyoto", "mori2")
    to = answer_of(await pick(world.ann, where, "Minakuchi"))
    assert set(controls(to).values()) >= {"Confirm", "Then end movement"}
    done = await world.ann.click(to, custom_id=button(to, "Then end movement"))
    told = text_of(done)
    assert "Played `march kyoto mori2 > minakuchi`" in told
    assert "Played `end`" in told
    state = await two.state()
    assert (state.phase, state.active) == ("move", "tokugawa")
