"""`/game why`: what the bot's last action was for, from what who asks may know."""

from __future__ import annotations

import pytest
from simcord.builders import UserHandle

from tests.discord.conftest import answer_of, button, text_of

pytestmark = pytest.mark.usefixtures("sketches")


async def against_bot(world, game, options):
    """Ann against the bot; their thread, with the bot's turn played."""
    me = UserHandle(world.env, world.env.backend.get_user(world.bot.user.id))
    await world.ann.slash(world.channel, "game new", game=game, opponent=me, options=options)
    await world.bot.tables.settled()
    await world.env.settle()
    return world.thread()


async def test_the_bot_says_what_its_move_was_for(world):
    thread = await against_bot(world, "kamisado", "seat=first level=normal")
    assert "nothing to say" in text_of(await world.ann.slash(thread, "game why"))
    await world.ann.slash(thread, "move", move="d8-d3")
    await world.bot.tables.settled()
    first, *reasons = text_of(await world.ann.slash(thread, "game why")).splitlines()
    assert "last action, `" in first
    assert reasons


async def test_a_hidden_warrior_is_not_told_before_the_end_and_is_after_it(world):
    thread = await against_bot(world, "rokumon", "act=3 seat=last level=normal")
    for _ in range(6):
        moves = await world.moves(thread)
        await world.ann.slash(thread, "move", move=next(move for move in moves if move.startswith("deploy")))
        await world.bot.tables.settled()
        told = text_of(await world.ann.slash(thread, "game why"))
        if "as far as you can know" in told:
            break
    assert "as far as you can know" in told
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    assert "last action, `" in text_of(await world.ann.slash(thread, "game why"))


async def test_a_table_without_a_bot_has_nobody_to_ask(world):
    thread = await world.start()
    assert "no seat at this table" in text_of(await world.ann.slash(thread, "game why"))


async def test_the_bot_takes_a_draw_where_it_does_not_stand_better(world, monkeypatch):
    thread = await against_bot(world, "kamisado", "seat=first level=normal")
    monkeypatch.setattr("engines.kamisado.opponent.accepts_draw", lambda view: view.viewer == 1)
    assert "agreed" in text_of(await world.ann.slash(thread, "game offer-draw")).lower()
    assert (await world.bot.tables.get(1)).result["reason"] == "draw"
