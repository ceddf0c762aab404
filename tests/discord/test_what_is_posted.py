"""What is posted and asked: endings, languages, which table is meant (issue 13, C)."""

from __future__ import annotations

import pytest

from tests.discord.conftest import answer_of, button, controls, last_board, text_of

pytestmark = pytest.mark.usefixtures("sketches")


# -- 13.C20: endings -----------------------------------------------------------------------------


async def test_the_last_post_begins_with_the_result_large_and_its_seed_is_behind_a_button(world):
    thread = await world.start()
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    last, table = last_board(thread), await world.bot.tables.get(1)
    assert last.content.startswith("# Won by Ben\n")
    assert table.seed not in last.content
    assert table.commitment not in last.content
    shown = answer_of(await world.cho.click(last, custom_id=button(last, "Seed")))
    assert table.seed in shown.content
    assert table.commitment in shown.content


@pytest.mark.parametrize(
    ("command", "yes"), [("game resign", "Yes, resign"), ("game cancel", "Yes, end this game")]
)
async def test_a_question_about_giving_up_has_a_no_that_does_nothing(world, command, yes):
    thread = await world.start()
    asked = answer_of(await world.ann.slash(thread, command))
    assert list(controls(asked).values()) == [yes, "No, play on"]
    await world.ann.click(asked, custom_id=button(asked, "No, play on"))
    assert (await world.bot.tables.get(1)).status == "running"


async def test_surrender_and_resign_are_a_page_of_their_own(world):
    await world.ann.slash(
        world.channel, "game new", game="rokumon", opponent=world.ben.user, options="act=1 seat=first"
    )
    await world.ben.slash(world.channel, "game join", table=1)
    board = last_board(world.thread())
    mover = await world.to_move()
    panel = answer_of(await mover.click(board, custom_id=button(board, "Your turn")))
    assert not [label for label in controls(panel).values() if "urrender" in label or "esign" in label]
    page = answer_of(await mover.click(panel, custom_id=button(panel, "Give up …")))
    assert list(controls(page).values()) == ["Surrender act 1", "Resign the game", "Back"]


# -- 13.C19: the place's language -----------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"text": True}])
async def test_a_board_that_everybody_sees_is_in_the_places_language_whoever_asks(world, options):
    thread = await world.start()
    await world.ann.slash(thread, "settings", language="hu")
    posted = text_of(await world.ann.slash(thread, "board", **options))
    by_ben = text_of(await world.ben.slash(thread, "board", **options))
    assert posted == by_ben
    own = text_of(await world.ann.slash(world.channel, "board", table=1, **options))
    assert own != posted  # an answer to Ann alone is in Ann's
