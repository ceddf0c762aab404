"""The form that an action is typed into: the same as `/move`, also after a restart (17.3)."""

from __future__ import annotations

import pytest

from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.discord.shogun_tables import Four
from tests.messages import wording

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
    assert "page 3 of the rules" in form.modal["components"][0]["description"], (
        "not the last, of options (17)"
    )
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


# -- a text that is refused (17.3) -----------------------------------------------------------------


async def refused(world, member, text):
    """The answer to a plan that was typed into the form and refused."""
    hand = answer_of(await member.slash(world.thread(), "hand"))
    form = await member.click(hand, custom_id=button(hand, "Type it"))
    return answer_of(await member.submit_modal(form, {"text": text}))


async def test_a_refused_plan_is_kept_with_the_place_of_its_error_and_opened_again(world):
    four = Four(world)
    await four.begin()
    own, seat = await four.own(world.ben)
    mine = next(name.casefold() for name, p in own.provinces.items() if p.owner == seat)
    other = next(name for name, p in own.provinces.items() if p.owner not in (None, seat)).casefold()
    text = f"plan rice=chest0 castle={mine} temple={other} bid=chest1"
    told = await refused(world, world.ben, text)
    assert f"Look here: … rice=chest0 castle={mine} **temple={other}** bid=chest1" in wording(told).replace(
        "\\", ""
    )
    assert f"```\n{text}\n```" in wording(told)
    await world.restart()  # it lives in the message alone
    form = await world.ben.click(told, custom_id="e:m:1")
    (field,) = fields_of(form)
    assert field["value"] == text
    mended = text.replace(other, "chest2")
    await world.ben.submit_modal(form, {"text": mended})
    assert (await world.bot.tables.draft(1, world.ben.id)).text.count("=") == 4


async def test_backticks_and_lines_of_a_refused_text_come_back_as_they_were(world):
    await world.start()
    mover = await world.to_move()
    text = "```d8\n`d3` ``x``"
    told = answer_of(await mover.submit_modal(await form_of(world, mover), {"text": text}))
    form = await mover.click(told, custom_id="e:m:1")
    assert fields_of(form)[0]["value"] == text


async def test_short_fields_of_a_refused_form_come_back_and_the_one_at_fault_is_named(world):
    settings = answer_of(await world.ann.slash(world.channel, "settings"))
    form = await world.ann.click(settings, custom_id="o:times:change")
    typed = {"remind": "12", "quiet": "25:77", "zone": "Asia/Tokyo", "digest": "18:30"}
    told = answer_of(await world.ann.submit_modal(form, typed))
    assert "Look at “Quiet hours" in wording(told)
    again = await world.ann.click(told, custom_id=button(told, "Correct it"))
    assert {field["custom_id"]: field["value"] for field in fields_of(again)} == typed
    kept = await world.ann.submit_modal(again, {**typed, "quiet": "23-7"})
    assert "Asia/Tokyo" in text_of(kept)


async def test_who_is_not_at_the_table_is_given_nothing_to_correct(world):
    await world.start()
    mover = await world.to_move()
    form = await form_of(world, mover)
    asked = answer_of(await mover.slash(world.thread(), "move", move="resign"))
    await mover.click(asked, custom_id=button(asked, "Yes, resign"))
    late = answer_of(await mover.submit_modal(form, {"text": "d8-d3"}))
    assert "Correct it" not in controls(late).values()


def fields_of(shown):
    """The fields of a form that was opened."""
    return [part["component"] for part in shown.modal["components"] if "component" in part]
