"""Shogun on Discord: planning by sheet and by text, restarts, closed DMs, and one who is never ready."""

from __future__ import annotations

import random
import re

import pytest
from simcord.builders import UserHandle

from tests.discord.conftest import answer_of, button, controls, menus, text_of
from tests.discord.shogun_tables import (
    Four,
    assert_nothing_leaks,
    choose_by_buttons,
    last_board,
    plan_by_buttons,
    warm_up,
)
from tests.messages import wording

unseen = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures


async def plan_by_text(four: Four, thread, member, dice: random.Random, edits: int = 2) -> None:
    """A few entries that are offered, then the rest, then ready."""
    for _ in range(edits):
        offers = [str(c["value"]) for c in await member.autocomplete(thread, "move", "move", "plan ")]
        entries = [offer for offer in offers if "=" in offer]
        told = text_of(await member.slash(thread, "move", move=dice.choice(entries)))
        assert "not sent" in told, told
    if "plan fill" in [str(c["value"]) for c in await member.autocomplete(thread, "move", "move", "plan f")]:
        await member.slash(thread, "move", move="plan fill")
    shown = await member.slash(thread, "move", move="plan ready")
    if "Send it anyway?" in text_of(shown):
        panel = answer_of(shown)
        shown = await member.click(panel, custom_id=button(panel, "Yes, send it"))
    told = text_of(shown)
    assert any(said in told for said in ("Played `plan ", "Your plan is sent")), told


async def play(four: Four, thread, dice: random.Random, way, *, actions: int, restart: float) -> None:
    """So many actions, or until year 2 begins; restarts in between at random. `way` is how all is done."""
    for _ in range(actions):
        view = await four.view()
        acting = await four.acting()
        if not acting or view.year == 2:
            return
        if dice.random() < restart:
            await four.world.restart()
        await way(four, thread, dice.choice(acting), dice, view.phase)


async def by_buttons(four: Four, thread, member, dice: random.Random, phase: str) -> None:
    await (plan_by_buttons if phase == "plan" else choose_by_buttons)(member, last_board(thread), dice)


async def by_text(four: Four, thread, member, dice: random.Random, phase: str) -> None:
    if phase == "plan":
        await plan_by_text(four, thread, member, dice)
        return
    moves = [str(c["value"]) for c in await member.autocomplete(thread, "move", "move", "")]
    told = text_of(await member.slash(thread, "move", move=dice.choice(moves)))
    assert "Played `" in told, told


@unseen
async def test_a_round_is_planned_and_played_by_buttons_through_restarts(world):
    four = Four(world)
    thread = await four.begin()
    assert sorted(user.id for user in last_board(thread).mentions) == sorted(four.people)
    await play(four, thread, random.Random(11), by_buttons, actions=8, restart=0.1)
    assert (await four.view()).phase == "action"
    assert_nothing_leaks(four, thread)


@unseen
@pytest.mark.long
async def test_a_round_is_planned_and_played_by_text_through_restarts(world):
    four = Four(world)
    thread = await four.begin()
    await play(four, thread, random.Random(12), by_text, actions=8, restart=0.1)
    assert (await four.view()).phase == "action"
    assert_nothing_leaks(four, thread)


@unseen
@pytest.mark.long
@pytest.mark.parametrize("way", [by_buttons, by_text])
async def test_four_people_play_a_whole_year(world, way):
    four = Four(world)
    thread = await four.begin()
    await play(four, thread, random.Random(13), way, actions=400, restart=0.05)
    view = await four.view()
    assert view.year == 2
    assert sum(player.points for player in view.players) > 20
    assert_nothing_leaks(four, thread)


@unseen
async def test_the_channel_hears_only_who_is_ready_and_nobody_is_pinged_for_it(world):
    four = Four(world)
    thread = await four.begin()
    before = len(thread.history())
    await plan_by_buttons(world.ben, last_board(thread), random.Random(1))
    await plan_by_text(four, thread, four.dan, random.Random(2))
    (line,) = thread.history()[before:]
    assert not line.mentions
    assert not line.attachments
    assert wording(line) == "Dan is ready. Planning: Ann and Cho."
    assert_nothing_leaks(four, thread)


@unseen
async def test_a_sheet_keeps_its_draft_through_a_restart_and_another_hand(world):
    four = Four(world)
    thread = await four.begin()
    view, seat = await four.own(world.ben)
    first, second = [n for n, p in view.provinces.items() if p.owner == seat][:2]
    await world.ben.slash(thread, "move", move=f"plan castle={first} tax={second}")
    await world.restart()
    sheet = answer_of(await world.ben.slash(thread, "hand"))
    assert "Your plan: 2 of" in wording(sheet)
    labels = [option["label"] for option in menus(sheet)[0]["options"]]
    assert [label for label in labels if first in label and "castle" in label]
    cleared = answer_of(await world.ben.click(sheet, custom_id=button(sheet, "Clear")))
    assert "Your plan: 0 of" in wording(cleared)
    moved = text_of(await world.ben.slash(thread, "move", move=f"plan tax={first}"))
    assert "1 of" in moved


@unseen
async def test_refused_entries_say_why(world):
    four = Four(world)
    thread = await four.begin()
    view, seat = await four.own(world.ben)
    foreign = next(n for n, p in view.provinces.items() if p.owner != seat)
    own = next(n for n, p in view.provinces.items() if p.owner == seat)
    for text, why in (
        (f"plan castle={foreign}", "You don't have the card"),
        ("plan castle=atlantis", "There is no `atlantis`"),
        (f"plan castle={own} temple={own}", "lies on two spaces"),
        ("plan ready", "it needs"),
        (f"plan ready castle={own}", "on its own"),
    ):
        assert why in text_of(await world.ben.slash(thread, "move", move=text)), text
    assert (await world.bot.tables.draft(1, world.ben.id)).text == "plan"


@unseen
async def test_a_sent_plan_is_changed_while_others_plan_and_stale_sheets_are_answered_kindly(world):
    four = Four(world)
    thread = await four.begin()
    dice = random.Random(3)
    board = last_board(thread)
    old = answer_of(await world.ann.click(board, custom_id=button(board, "Your turn")))
    await plan_by_buttons(world.ann, board, dice)
    again = answer_of(await world.ann.click(board, custom_id=button(board, "Your turn")))
    assert "A sent plan can still be changed" in wording(again)
    assert "Send" not in controls(again).values()
    changed = answer_of(await world.ann.click(again, custom_id=button(again, "Clear")))
    assert "still counts" in wording(changed)
    stale = answer_of(await world.ann.click(old, custom_id=button(old, "Fill the rest")))
    assert "moved on" in wording(stale) or "changed" in wording(stale), wording(stale)
    for member in (world.ben, world.cho, four.dan):
        await plan_by_text(four, thread, member, dice, edits=1)
    assert (await four.view()).phase == "special"
    late = await world.ann.click(changed, custom_id=button(changed, "Fill the rest"))
    assert "Your plan" not in text_of(late)


@unseen
async def test_chests_that_will_be_short_are_asked_about_once(world):
    four = Four(world)
    thread = await four.begin()
    view, seat = await four.own(world.ben)
    own = [n for n, p in view.provinces.items() if p.owner == seat]
    dear = ("castle", "temple", "theater", "recruit5", "recruit3", "recruit1_move")
    entries = " ".join(f"{space}={card}" for space, card in zip(dear, own, strict=False))
    told = text_of(await world.ben.slash(thread, "move", move=f"plan bid=chest4 {entries}"))
    assert "chest short when its turn comes" in told
    sheet = answer_of(await world.ben.slash(thread, "hand"))
    full = answer_of(await world.ben.click(sheet, custom_id=button(sheet, "Fill the rest")))
    asked = answer_of(await world.ben.click(full, custom_id=button(full, "Send")))
    assert "Send it anyway?" in wording(asked)
    assert len(await four.acting()) == 4
    sent = text_of(await world.ben.click(asked, custom_id=button(asked, "Yes, send it")))
    assert sent.startswith("Your plan is sent")
    assert len(await four.acting()) == 3


@unseen
async def test_a_player_with_closed_dms_plans_by_the_channels_button_and_the_others_by_dm(world):
    four = Four(world)
    closed = world.ann.user.dm_channel
    world.env.inject_error("POST", f"/channels/{closed.id}/messages", status=403, code=50007, times=None)
    thread = await four.begin()
    lines = [m for m in thread.history() if "direct message" in wording(m)]
    assert [[user.id for user in line.mentions] for line in lines] == [[world.ann.id]]
    sheet = answer_of(await world.ann.click(lines[0], custom_id=button(lines[0], "Open your hand")))
    assert "Your plan: 0 of" in wording(sheet)
    (letter,) = world.ben.user.dm_channel.history(viewer=world.ben.user)
    assert "Your plan: 0 of" in wording(letter)
    await world.ben.user.click(letter, custom_id=button(letter, "Fill the rest"))
    (letter,) = world.ben.user.dm_channel.history(viewer=world.ben.user)
    await world.ben.user.click(letter, custom_id=button(letter, "Send"))
    (letter,) = world.ben.user.dm_channel.history(viewer=world.ben.user)
    assert "A sent plan can still be changed" in wording(letter)
    assert not [m for m in thread.history() if "direct message" in wording(m)][1:]
    assert_nothing_leaks(four, thread)


@unseen
async def test_who_never_gets_ready_is_reminded_and_resigns_for_the_others_to_go_on(world):
    four = Four(world)
    thread = await four.begin()
    for member in (world.ann, world.ben, world.cho):
        await plan_by_text(four, thread, member, random.Random(4), edits=1)
    assert [member.id for member in await four.acting()] == [four.dan.id]
    await world.env.advance_time(24 * 3600)
    await world.ann.slash(thread, "game remind", table=1)
    assert [user.id for user in thread.history()[-1].mentions] == [four.dan.id]
    await resign(four.dan, thread)
    assert (await four.view()).phase == "special"


@unseen
async def test_nobody_else_is_shown_a_draft(world):
    four = Four(world)
    thread = await four.begin()
    offers = await world.cho.autocomplete(thread, "move", "move", "plan ")
    await world.cho.slash(thread, "hand")  # the first sheet says once what is new
    sheet = answer_of(await world.cho.slash(thread, "hand"))
    own = [wording(sheet), menus(sheet)]
    view, seat = await four.own(world.ben)
    card = next(n for n, p in view.provinces.items() if p.owner == seat)
    await world.ben.slash(thread, "move", move=f"plan castle={card} bid=chest2")
    assert await world.cho.autocomplete(thread, "move", "move", "plan ") == offers
    sheet = answer_of(await world.cho.slash(thread, "hand"))
    assert [wording(sheet), menus(sheet)] == own
    assert "draft" not in await world.bot.tables.export(1, world.cho.id)
    assert "castle=" not in str(await world.bot.tables.export(1, world.ben.id))
    assert_nothing_leaks(four, thread)


async def resign(member, thread) -> None:
    """Gives up, and is sure of it."""
    asked = answer_of(await member.slash(thread, "game resign", table=1))
    await member.click(asked, custom_id=button(asked, "Yes, resign"))


async def test_the_last_post_sums_the_game_up(world):
    four = Four(world)
    thread = await four.begin()
    for member in (world.ben, world.cho, four.dan):
        await resign(member, thread)
    last = last_board(thread)
    assert "Rematch" in controls(last).values()
    for name in ("Ann", "Ben", "Cho", "Dan"):
        assert f"{name}: no points." in wording(last)
    assert re.search(r"The tower keeps \d+ cubes", wording(last))
    assert await world.bot.tables.statistics(1)
    board, drawn = last.attachments
    assert (board.filename, drawn.filename) == ("shogun.png", "statistics.png")
    assert "In the tower" in (drawn.description or "")


@unseen
async def test_the_bot_plans_at_a_table_with_people_and_tells_no_more_than_they_do(world):
    warm_up()
    bot = UserHandle(world.env, world.env.backend.bot_user)
    await world.ann.slash(world.channel, "game new", game="shogun", opponent=bot)
    await world.ben.slash(world.channel, "game join", table=1)
    await world.ann.slash(world.channel, "game start", table=1)
    await world.bot.tables.settled()
    thread = world.thread()
    four = Four(world)
    for member in (world.ann, world.ben):
        await plan_by_text(four, thread, member, random.Random(5), edits=1)
        await world.bot.tables.settled()
    assert (await four.view()).phase != "plan"
    assert_nothing_leaks(four, thread)


@unseen
async def test_a_plan_is_taken_back_alone_while_others_plan(world):
    four = Four(world)
    thread = await four.begin()
    await plan_by_text(four, thread, world.ben, random.Random(6), edits=1)
    assert len(await four.acting()) == 3
    await world.ben.slash(thread, "game undo", table=1)
    assert len(await four.acting()) == 4
    text = (await world.bot.tables.draft(1, world.ben.id)).text
    assert len(text.split()) > 6, "what was sent is his draft again"
    assert not [message for message in thread.history() if "took back" in wording(message)]
    assert not [user for message in thread.history()[1:] for user in message.mentions]
    assert_nothing_leaks(four, thread)
