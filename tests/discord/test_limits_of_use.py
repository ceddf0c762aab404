"""Too much at once, and more tables than may be: a kind word to one user, nothing for the others."""

from __future__ import annotations

import pytest

from cogs.ops.rates import Limiter
from locales import words
from tables.core import caps
from tests.discord.conftest import answer_of, text_of
from tests.messages import wording

ENGLISH = words("en")


@pytest.fixture
def strict(world):
    world.bot.limiter = Limiter(world.clock, factor=0.05)  # 3 questions at once
    return world


async def test_who_asks_too_much_is_told_how_long_to_wait_and_another_is_not(strict):
    for _ in range(3):
        assert text_of(await strict.ann.slash(strict.channel, "games")) == ENGLISH("answer.no-games")
    refused = await strict.ann.slash(strict.channel, "games")
    assert wording(answer_of(refused)) == ENGLISH.plural("error.too-fast", 20)
    assert text_of(await strict.ben.slash(strict.channel, "games")) == ENGLISH("answer.no-games")
    await strict.env.advance_time(25)
    assert text_of(await strict.ann.slash(strict.channel, "games")) == ENGLISH("answer.no-games")


async def test_who_may_not_ask_any_more_may_still_play(strict):
    thread = await strict.start()
    mover = await strict.to_move()
    while "too fast" not in text_of(await mover.slash(strict.channel, "games")):
        pass
    assert "Played" in text_of(await mover.slash(thread, "move", move="d8-d4"))


async def test_a_player_has_so_many_tables_and_no_more(world, monkeypatch):
    monkeypatch.setattr(caps, "USER_LOBBIES", 2)
    for _ in range(2):
        await world.ann.slash(world.channel, "game new", game="kamisado")
    refused = await world.ann.slash(world.channel, "game new", game="kamisado")
    assert "2 tables that haven't started" in wording(answer_of(refused))
    assert "set up" in text_of(await world.ben.slash(world.channel, "game new", game="kamisado"))
    monkeypatch.setattr(caps, "USER_TABLES", 2)
    assert "and you have that many" in text_of(await world.ann.slash(world.channel, "game join", table=3))
    monkeypatch.setattr(caps, "SERVER_TABLES", 3)
    assert "3 open tables" in text_of(await world.cho.slash(world.channel, "game new", game="kamisado"))


async def test_a_name_full_of_markup_does_nothing_at_the_table(world):
    evil = world.guild.add_member(world.env.create_user("@everyone **x** <@1>\n`y`"))
    await evil.slash(world.channel, "game new", game="kamisado")
    content = wording(world.channel.last_message)
    assert "@everyone" not in content
    assert r"\*\*x\*\*" in content
    assert r"\`y\`" in content
