"""Presses and commands that should not be there: every one is answered kindly, and changes nothing."""

from __future__ import annotations

import pytest

from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.discord.test_kamisado_matches import quickest
from tests.messages import parts_of, wording

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures


async def panel_of(world, thread, mover):
    board = last_board(thread)
    return answer_of(await mover.click(board, custom_id=button(board, "Your turn")))


async def to_confirmation(mover, panel):
    while "Confirm" not in controls(panel).values():
        pick = next(c for c, label in controls(panel).items() if label != "Back")
        panel = answer_of(await mover.click(panel, custom_id=pick))
    return panel


async def test_a_stranger_who_presses_is_told_where_he_may_join(world):
    thread = await world.start()
    board = last_board(thread)
    told = await world.cho.click(board, custom_id=button(board, "Your turn"))
    assert "don't play at this table" in wording(answer_of(told))
    assert (await world.bot.tables.get(1)).version == int(button(board, "Your turn").split(":")[2])


async def test_who_has_to_wait_is_told_so_and_nothing_moves(world):
    thread = await world.start()
    waiting = await world.other()
    board = last_board(thread)
    before = await world.bot.tables.get(1)
    assert "isn't your turn" in wording(
        answer_of(await waiting.click(board, custom_id=button(board, "Your turn")))
    )
    assert "isn't your turn" in text_of(await waiting.slash(thread, "move", move="d1-d5"))
    assert await world.bot.tables.get(1) == before


async def test_an_illegal_move_is_answered_with_what_is_legal(world):
    thread = await world.start()
    mover = await world.to_move()
    told = await mover.slash(thread, "move", move="d8-d1")
    assert told.ephemeral
    assert "Legal now, for example: `" in text_of(told)
    told = await mover.slash(thread, "move", move="hello, is this chess?")
    assert told.ephemeral
    assert (await world.bot.tables.get(1)).to_act == frozenset({0})


async def test_a_stale_panel_leads_to_the_current_one(world):
    thread = await world.start()
    mover = await world.to_move()
    panel = await panel_of(world, thread, mover)
    pick = next(iter(controls(panel)))
    await mover.slash(thread, "move", move=quickest(await world.moves(thread)))
    other = await world.to_move()
    await other.slash(thread, "move", move=quickest(await world.moves(thread)))
    await world.restart()
    stale = answer_of(await mover.click(panel, custom_id=pick))
    assert "moved on" in wording(stale)
    current = answer_of(await mover.click(stale, custom_id=button(stale, "Your turn")))
    assert current.attachments
    assert "moved on" not in wording(current)


async def test_an_old_boards_button_opens_the_current_panel(world):
    thread = await world.start()
    mover = await world.to_move()
    old = last_board(thread)
    await mover.slash(thread, "move", move=quickest(await world.moves(thread)))
    other = await world.to_move()
    assert other is not mover
    current = answer_of(await other.click(old, custom_id=button(old, "Your turn")))
    assert current.attachments


async def test_a_confirmation_pressed_twice_moves_once(world):
    thread = await world.start()
    mover = await world.to_move()
    panel = await to_confirmation(mover, await panel_of(world, thread, mover))
    confirm = button(panel, "Confirm")
    before = (await world.bot.tables.get(1)).version
    # the second press was under way before the first one's answer took the button away
    message = panel.message
    world.env.backend.get_message(panel.channel_id, panel.id)
    first = await mover.click(panel, custom_id=confirm)
    assert "Played `" in text_of(first)
    stored = world.env.backend.get_message(panel.channel_id, panel.id)
    stored.components = [row.to_dict() for row in message.components]
    second = await mover.click(panel, custom_id=confirm)
    assert second.acknowledged
    assert "Played" not in wording(second.followups[-1])
    assert (await world.bot.tables.get(1)).version == before + 1


async def test_going_back_in_the_panel_asks_the_step_before(world):
    thread = await world.start()
    mover = await world.to_move()
    first = await panel_of(world, thread, mover)
    content, pick = wording(first), next(iter(controls(first)))
    second = answer_of(await mover.click(first, custom_id=pick))
    assert wording(second) != content
    again = answer_of(await mover.click(second, custom_id=button(second, "Back")))
    assert wording(again) == content


async def test_moves_are_offered_to_who_has_to_move_and_to_nobody_else(world):
    thread = await world.start()
    mover, waiting = await world.to_move(), await world.other()
    offered = await mover.autocomplete(thread, "move", "move", "d8")
    assert offered
    assert all(str(choice["value"]).startswith("d8") for choice in offered)
    assert await waiting.autocomplete(thread, "move", "move", "") == []
    assert await world.cho.autocomplete(thread, "move", "move", "") == []


async def test_resigning_is_asked_about_once_more(world):
    thread = await world.start()
    told = await world.ann.slash(thread, "move", move="resign")
    assert (await world.bot.tables.get(1)).status == "running"
    asked = answer_of(told)
    assert "resigned" in text_of(await world.ann.click(asked, custom_id=button(asked, "Yes, resign")))
    table = await world.bot.tables.get(1)
    assert table.result is not None
    assert table.result["winners"] == [1]


@pytest.mark.parametrize("custom_id", ["t:1:1:somersault", "play/1/d8-d4", "r:kamisado:first"])
async def test_a_button_of_an_unknown_kind_is_answered(world, custom_id):
    thread = await world.start()
    board = last_board(thread)
    stored = world.env.backend.get_message(board.channel.id, board.id)
    next(part for part in parts_of(stored) if "custom_id" in part)["custom_id"] = custom_id
    told = await world.ann.click(board, custom_id=custom_id)
    assert "/board" in wording(answer_of(told))
