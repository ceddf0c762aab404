"""`/play`: which game, against whom, go, by buttons; also from the greeting and a person's menu (17.7)."""

from __future__ import annotations

import pytest

from cogs.text.games import playable
from locales import words
from tests.discord.conftest import answer_of, buttons, last_board, text_of
from tests.games import released
from tests.messages import parts_of, wording

pytestmark = pytest.mark.usefixtures("sketches")


def way(message, game: str, whom: str) -> str:
    """The custom id of the button for this choice, which is there."""
    assert f"g:{game}:{whom}" in buttons(message)
    return f"g:{game}:{whom}"


async def test_three_presses_begin_a_game_against_the_bot(world):
    which = answer_of(await world.ann.slash(world.channel, "play"))
    assert all(f"g:{game}:ask" in buttons(which) for game in playable())
    about = (words("en")(f"{game}.about") for game in playable() if released(game))
    assert all(said in wording(which) for said in about)
    whom = answer_of(await world.ann.click(which, custom_id=way(which, "kamisado", "ask")))
    told = await world.ann.click(whom, custom_id=way(whom, "kamisado", "bot"))
    table = await world.bot.tables.get(1)
    assert table.status == "running"
    assert table.game == "kamisado"
    assert "#1" in text_of(told)
    assert last_board(world.thread())


async def test_the_bot_is_met_at_the_level_that_is_pressed(world):  # 17.7
    which = answer_of(await world.ann.slash(world.channel, "play"))
    whom = answer_of(await world.ann.click(which, custom_id=way(which, "kamisado", "ask")))
    assert [label for label in buttons(whom).values() if label.startswith("Bot")] == [
        "Bot: easy",
        "Bot: normal",
        "Bot: hard",
    ]
    met = []
    for number, level in enumerate(("bot-easy", "bot", "bot-hard"), 1):
        await world.ann.click(whom, custom_id=way(whom, "kamisado", level))
        table = await world.bot.tables.get(number)
        met += [seat.level for seat in table.seats if seat.level is not None]
    assert met == ["easy", "normal", "hard"]


async def test_a_game_is_opened_to_anybody_and_to_one_who_is_picked(world):
    which = answer_of(await world.ann.slash(world.channel, "play"))
    whom = answer_of(await world.ann.click(which, custom_id=way(which, "kamisado", "ask")))
    await world.ann.click(whom, custom_id=way(whom, "kamisado", "open"))
    assert (await world.bot.tables.get(1)).status == "open"
    await world.ann.select(whom, [world.ben], custom_id="gs:kamisado")
    invited = await world.bot.tables.get(2)
    assert [seat.invited for seat in invited.seats if not seat.taken] == [world.ben.id]


async def test_the_menu_of_a_person_asks_for_the_game_alone(world):
    which = answer_of(await world.ann.context_menu(world.channel, "Play against", world.ben))
    rival = f"u{world.ben.id}"
    await world.ann.click(which, custom_id=way(which, "rokumon", rival))
    table = await world.bot.tables.get(1)
    assert table.game == "rokumon"
    assert [seat.invited for seat in table.seats if not seat.taken] == [world.ben.id]


async def test_a_table_that_waits_is_offered_first_and_its_button_opens_the_panel(world):
    await world.start()
    mover = await world.to_move()
    which = answer_of(await mover.slash(world.channel, "play"))
    first = next(part for part in parts_of(which) if part["type"] == 9)
    assert "#1 Kamisado" in str(first)
    panel = answer_of(await mover.click(which, custom_id=first["accessory"]["custom_id"]))
    assert panel.attachments


async def test_buttons_of_play_work_after_a_restart_and_in_the_greeting(world):
    told = answer_of(await world.ann.slash(world.channel, "help"))
    await world.restart()
    which = answer_of(await world.ann.click(told, custom_id=way(told, "-", "ask")))
    assert f"g:{playable()[0]}:ask" in buttons(which)


async def test_a_game_that_is_no_longer_there_is_asked_for_again(world):
    which = answer_of(await world.ann.slash(world.channel, "play"))
    stored = world.env.backend.get_message(which.channel_id, which.id)
    next(part for part in parts_of(stored) if "custom_id" in part)["custom_id"] = "g:chess:bot"
    again = answer_of(await world.ann.click(which, custom_id="g:chess:bot"))
    assert f"g:{playable()[0]}:bot" in buttons(again)
