"""A game that was given up by mistake is taken up again: what everybody sees of it (13.A11)."""

from __future__ import annotations

from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.messages import wording


async def test_a_game_given_up_by_mistake_goes_on_when_the_other_agrees(world):
    thread = await world.start("match=single seat=first")
    await world.ann.slash(thread, "move", move="d8-d3")
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    over = last_board(thread)
    seed = (await world.bot.tables.get(1)).seed
    label = next(label for label in controls(over).values() if "eed" in label)
    assert seed in wording(answer_of(await world.ann.click(over, custom_id=button(over, label))))
    assert "Rematch" in controls(over).values()
    told = text_of(await world.ann.slash(thread, "game undo"))
    assert told == "The others have been asked."
    question = thread.history()[-1]
    assert "asks to take back the action that ended the game, and to play on" in wording(question)
    assert [user.id for user in question.mentions] == [world.ben.id]
    await world.restart()
    await world.ben.click(question, custom_id=button(question, "Yes"))
    line, board = thread.history()[-2:]
    table = await world.bot.tables.get(1)
    assert "takes back the action that ended the game. It goes on" in wording(line)
    assert table.commitment in wording(line)
    assert "must move" in wording(board)
    assert seed not in wording(board)
    assert [user.id for user in board.mentions] == [world.ben.id]
    told = text_of(await world.ben.slash(thread, "game undo"))
    assert "nothing to take back" in told
    assert "Played" in text_of(await world.ben.slash(thread, "move", move=(await world.moves(thread))[0]))
    late = answer_of(await world.ann.click(over, custom_id=button(over, "Rematch")))
    assert "not over" in wording(late) or "still" in wording(late)
    asked = answer_of(await world.ben.slash(thread, "game resign"))
    await world.ben.click(asked, custom_id=button(asked, "Yes, resign"))
    checked = text_of(await world.ann.slash(thread, "game verify"))
    assert "all good" in checked
    assert f"Up to move 3, its seed was `{seed}`" in checked
    assert (await world.bot.tables.get(1)).seed in checked


async def test_a_finished_game_with_secrets_says_why_it_stays_over(world):
    await world.ann.slash(
        world.channel, "game new", game="rokumon", opponent=world.ben.user, options="act=3 seat=first"
    )
    await world.ben.slash(world.channel, "game join", table=1)
    thread = world.thread()
    await world.bot.tables.resign(1, world.ann.id, 77)
    told = text_of(await world.ann.slash(thread, "game undo"))
    assert "everything hidden can be looked up" in told
