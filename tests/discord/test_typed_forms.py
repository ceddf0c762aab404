"""The form that an action is typed into: the same as `/move`, also after a restart (17.3)."""

from __future__ import annotations

import pytest

from tests.discord.conftest import answer_of, button, last_board, text_of

pytestmark = pytest.mark.usefixtures("sketches")


async def form_of(world, mover):
    """The form below the panel of who has to move."""
    board = last_board(world.thread())
    panel = answer_of(await mover.click(board, custom_id=button(board, "Your turn")))
    return await mover.click(panel, custom_id=button(panel, "Type it"))


async def test_what_is_typed_into_the_form_is_carried_out(world):
    thread = await world.start()
    mover = await world.to_move()
    (move, *_) = await world.moves(thread)
    form = await form_of(world, mover)
    assert form.modal["title"] == "#1 Kamisado"
    assert f"Played `{move}`" in text_of(await mover.submit_modal(form, {"text": move}))
    assert await world.to_move() is not mover


async def test_a_mistake_in_the_form_is_explained_and_changes_nothing(world):
    await world.start()
    mover = await world.to_move()
    version = (await world.bot.tables.get(1)).version
    told = text_of(await mover.submit_modal(await form_of(world, mover), {"text": "a1-a1"}))
    assert f"`{(await world.moves(world.thread()))[0]}`" in told, "what is possible is said"
    assert (await world.bot.tables.get(1)).version == version


async def test_a_form_that_was_open_over_a_restart_is_carried_out(world):
    thread = await world.start()
    mover = await world.to_move()
    (move, *_) = await world.moves(thread)
    form = await form_of(world, mover)
    await world.restart()
    assert f"Played `{move}`" in text_of(await mover.submit_modal(form, {"text": move}))


async def test_resigning_in_the_form_is_asked_about_once_more(world):
    await world.start()
    mover = await world.to_move()
    asked = answer_of(await mover.submit_modal(await form_of(world, mover), {"text": "resign"}))
    assert button(asked, "Yes, resign")
    assert (await world.bot.tables.get(1)).status == "running"


async def test_who_is_late_is_told_so(world):
    thread = await world.start()
    mover = await world.to_move()
    (move, *_) = await world.moves(thread)
    form = await form_of(world, mover)
    await mover.slash(thread, "move", move=move)
    told = text_of(await mover.submit_modal(form, {"text": move}))
    assert "turn" in told
