"""Planning as on a phone: one draft behind the sheet by DM, the channel's and the text, asked about alike."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.shogun.model import ShogunState
from tests.discord.conftest import answer_of, button, controls, menus, text_of
from tests.discord.shogun_tables import Four, assert_nothing_leaks, menu
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

SURE = "Send it anyway?"


def sheet_by_dm(member: Any) -> Any:
    """The order sheet that was sent to a player, as it is now."""
    return next(message for message in reversed(letters(member)) if "Your plan: " in wording(message))


def letters(member: Any) -> list[Any]:
    """Everything that a player was sent by DM."""
    return list(member.user.dm_channel.history(viewer=member.user))


def laid_of(message: Any) -> str:
    """How many cards lie on a sheet: its first line of figures."""
    return str(next(line for line in wording(message).splitlines() if line.startswith("Your plan: ")))


async def dear(four: Four, thread: Any, member: Any) -> None:
    """Lays a plan that costs 16 chests, of 15."""
    own, seat = await four.own(member)
    names = [name.casefold() for name, p in own.provinces.items() if p.owner == seat]
    spaces = ("recruit5", "recruit3", "castle", "temple", "theater", "recruit1_move")
    entries = " ".join(f"{space}={name}" for space, name in zip(spaces, names, strict=False))
    await member.slash(thread, "move", move=f"plan bid=chest4 {entries}")
    await member.slash(thread, "move", move="plan fill")


async def test_ready_by_text_a_whole_plan_and_the_button_ask_alike_and_lose_nothing(world):
    four = Four(world)
    thread = await four.begin()
    await dear(four, thread, world.ben)
    draft = (await world.bot.tables.draft(1, world.ben.id)).text
    asked = await world.ben.slash(thread, "move", move="plan ready")
    assert SURE in text_of(asked)
    assert "chest short" in text_of(asked)
    sheet = answer_of(asked)
    assert set(controls(sheet).values()) == {"Yes, send it", "Clear"}
    hand = answer_of(await world.ben.slash(thread, "hand"))
    pressed = answer_of(await world.ben.click(hand, custom_id=button(hand, "Send")))
    assert wording(pressed) == wording(sheet)
    await world.ben.slash(thread, "move", move="plan clear")
    again = await world.ben.slash(thread, "move", move=draft)
    assert SURE in text_of(again)
    assert (await world.bot.tables.draft(1, world.ben.id)).text == draft
    assert world.ben in await four.acting()
    sent = await world.ben.click(answer_of(again), custom_id=button(answer_of(again), "Yes, send it"))
    assert text_of(sent).startswith("Your plan is sent")
    assert world.ben not in await four.acting()
    assert_nothing_leaks(four, thread)


async def test_the_sheet_by_dm_follows_what_is_laid_in_the_channel_and_by_text(world):
    four = Four(world)
    thread = await four.begin()
    await world.env.settle()
    assert laid_of(sheet_by_dm(world.ben)) == "Your plan: 0 of 11 cards."
    sheets = len(letters(world.ben))
    await world.ben.slash(thread, "move", move="plan rice=chest0")
    await world.env.settle()
    assert laid_of(sheet_by_dm(world.ben)) == "Your plan: 1 of 11 cards."
    hand = answer_of(await world.ben.slash(thread, "hand"))
    await world.ben.click(hand, custom_id=button(hand, "Fill the rest"))
    await world.env.settle()
    letter = sheet_by_dm(world.ben)
    assert laid_of(letter) == "Your plan: 11 of 11 cards."
    assert "Send" in controls(letter).values()
    assert len(letters(world.ben)) == sheets, "it is edited, and pings nobody"
    assert len(letters(world.ann)) == 1
    assert_nothing_leaks(four, thread)


async def test_a_press_at_the_sheet_by_dm_leaves_the_question_it_leads_to(world):
    four = Four(world)
    await four.begin()
    await world.env.settle()
    letter = sheet_by_dm(world.ben)
    await world.ben.user.select(letter, ["castle"], custom_id=menu(letter, 0))
    await world.env.settle()
    letter = sheet_by_dm(world.ben)
    assert "Which card for “castle”" in wording(letter)
    card = menus(letter)[1]["options"][0]["value"]
    await world.ben.user.select(letter, [card], custom_id=menu(letter, 1))
    await world.env.settle()
    letter = sheet_by_dm(world.ben)
    assert laid_of(letter) == "Your plan: 1 of 11 cards."
    assert "Which card for " in wording(letter), "the next space is asked at once"


async def test_an_older_sheet_sends_and_clears_nothing_that_it_does_not_show(world):
    four = Four(world)
    thread = await four.begin()
    hand = answer_of(await world.ben.slash(thread, "hand"))
    old = answer_of(await world.ben.click(hand, custom_id=button(hand, "Fill the rest")))
    for label, left in (("Send", 10), ("Clear", 9)):
        cleared = ("bid", "castle")[10 - left]
        await world.ben.slash(thread, "move", move=f"plan {cleared}=none")
        kept = (await world.bot.tables.draft(1, world.ben.id)).text
        old = answer_of(await world.ben.click(old, custom_id=button(old, label)))
        assert "changed elsewhere" in wording(old)
        assert f"Your plan: {left} of 11 cards." in wording(old)
        assert (await world.bot.tables.draft(1, world.ben.id)).text == kept
    assert len(await four.acting()) == 4


async def test_a_plan_taken_back_is_found_on_the_sheet_and_the_channel_hears_who_plans(world):
    four = Four(world)
    thread = await four.begin()
    for member in (world.ben, world.cho):
        await member.slash(thread, "move", move="plan fill")
        shown = await member.slash(thread, "move", move="plan ready")
        assert "Played `plan" in text_of(shown), text_of(shown)
    await world.env.settle()
    messages = len(thread.history())
    await world.ben.slash(thread, "game undo", table=1)
    await world.env.settle()
    assert len(thread.history()) == messages, "the line that told who is ready was edited"
    assert "Ben" in wording(thread.history()[-1])
    assert {m.id for m in await four.acting()} == {world.ann.id, world.ben.id, four.dan.id}
    letter = sheet_by_dm(world.ben)
    assert laid_of(letter) == "Your plan: 11 of 11 cards."
    assert "Send" in controls(letter).values()
    assert not [m for m in thread.history() if "took back" in wording(m)]
    assert_nothing_leaks(four, thread)


async def a_round_later(four: Four) -> None:
    """All plans are sent and everything is done at random until the next planning."""
    tables, dice = four.world.bot.tables, random.Random(3)
    for number in range(400):
        loaded = await tables._house.look(1)
        state = loaded.state
        assert isinstance(state, ShogunState)
        if state.season == "summer":
            break
        seat = min(loaded.to_act)
        action = random_action(loaded.engine, state, seat, Chance(dice.randbytes(32), number))
        mover = loaded.seats[seat].user_id
        assert mover is not None
        await tables.act(1, mover, loaded.engine.format(action), interaction_id=number + 1)
    await four.world.env.settle()


async def test_the_plan_of_last_round_is_laid_by_one_press_and_what_is_lacking_is_said(world):  # 17.4
    four = Four(world)
    thread = await four.begin()
    first = answer_of(await world.ben.slash(thread, "hand"))
    assert "As last round" not in controls(first).values(), "there was none"
    await a_round_later(four)
    hand = answer_of(await world.ben.slash(thread, "hand"))
    again = answer_of(await world.ben.click(hand, custom_id=button(hand, "As last round")))
    draft = (await world.bot.tables.draft(1, world.ben.id)).text
    cards, lacking = len(draft.split()) - 1, wording(again).count("Not laid again: ")
    assert cards + lacking == 11
    assert laid_of(again).startswith(f"Your plan: {cards} of ")
    typed = await world.cho.slash(thread, "move", move="plan again")
    assert "Not laid again: " in text_of(typed) or "11 of 11" in text_of(typed)
    assert_nothing_leaks(four, thread)
