"""Rules pages on Discord: their pictures, and the ways to them from panels and refusals (15.6)."""

import pytest

from tests.discord.conftest import answer_of, button, buttons, last_board
from tests.discord.shogun_tables import Four
from tests.messages import wording

pytestmark = pytest.mark.asyncio


async def page_one(world):
    return answer_of(await world.ann.slash(world.channel, "rules", game="kamisado"))


async def test_a_page_comes_with_its_picture_and_turning_it_brings_the_next_ones(world):
    first = await page_one(world)
    (one,) = first.attachments
    size = one.size
    second = answer_of(await world.ann.click(first, custom_id=button(first, "Next")))
    (two,) = second.attachments
    assert two.size != size


async def test_a_page_in_words_is_shown_where_the_picture_cannot_be_drawn(world, monkeypatch):
    async def broken(*_):
        raise OSError("no pencil")

    monkeypatch.setattr(world.bot.studio, "draw", broken)
    page = await page_one(world)
    assert page.attachments == []
    assert "### The aim" in wording(page)


async def test_a_picture_is_drawn_once_a_page(world, monkeypatch):
    drawn, draw = [], world.bot.studio.draw

    async def counted(part, scene):
        drawn.append(part)
        return await draw(part, scene)

    monkeypatch.setattr(world.bot.studio, "draw", counted)
    await page_one(world)
    await page_one(world)
    assert len(drawn) == 1


async def test_a_panel_leads_to_the_page_about_what_it_asks(world):
    thread = await world.start()
    board = last_board(thread)
    panel = answer_of(await world.ann.click(board, custom_id=button(board, "Your turn")))
    way = next(label for label in buttons(panel).values() if label.startswith("Rules: "))
    page = answer_of(await world.ann.click(panel, custom_id=button(panel, way)))
    assert page.id != panel.id
    assert wording(page).startswith("**Kamisado** · rules, page 1")


async def test_a_refused_move_leads_to_the_page_of_the_rule(world):
    thread = await world.start()
    refused = answer_of(await world.ann.slash(thread, "move", move="d8-d8"))
    page = answer_of(await world.ann.click(refused, custom_id=button(refused, "Rules: Moving")))
    assert wording(page).startswith("**Kamisado** · rules, page 2")


async def test_the_sheet_of_a_plan_leads_to_the_page_about_plans(world):
    thread = await Four(world).begin()
    board = last_board(thread)
    sheet = answer_of(await world.ann.click(board, custom_id=button(board, "Your turn")))
    page = answer_of(await world.ann.click(sheet, custom_id=button(sheet, "Rules: Your plan")))
    assert wording(page).startswith("**Shogun** · rules, page 5")
