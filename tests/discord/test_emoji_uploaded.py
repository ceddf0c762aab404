"""The bot's own emoji: uploaded once, drawn anew where a drawing changes, else text (17.2)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
from simcord.env import Env

import cogs.text.signs
from bot import HatamotoBot
from engines.values import Seen
from render.emoji import all_drawn
from tests.discord.conftest import EnvClock, World, answer_of, button, kept_signs, last_board, made
from tests.discord.test_presses import to_confirmation
from tests.empty_database import lay
from tests.messages import parts_of, wording

pytestmark = pytest.mark.usefixtures("sketches")


@pytest.fixture
def signs_of() -> str:
    """The names of the emoji that are drawn begin with this: to upload each game's takes long."""
    return "kamisado_"


@pytest.fixture
async def world(tmp_path: Path, signs_of: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    some = {name: sign for name, sign in kept_signs().items() if name.startswith(signs_of)}
    monkeypatch.setattr(cogs.text.signs, "all_drawn", lambda: some)
    clock = EnvClock()
    database = await lay(tmp_path / "hatamoto.db")
    env = Env(made(database, clock, emoji=True), shard_count=1)
    clock.env = env
    await env.start()
    await learnt(env)
    try:
        yield World(env, database, clock)
    finally:
        await env.bot.close()
        await env.shutdown()


async def learnt(env: Env) -> None:
    """The bot has tried to upload what it draws."""
    assert isinstance(env.bot, HatamotoBot)
    assert env.bot.signs._learning is not None
    await env.bot.signs._learning


def there(world: World) -> dict[str, int]:
    """The application's emoji by name."""
    return {emoji.name: emoji.id for emoji in world.env.backend.application_emojis.values()}


async def restarted(world: World) -> None:
    await world.bot.close()
    await world.env.restart_bot(made(world.database, world.clock, emoji=True))
    await learnt(world.env)


@pytest.mark.parametrize("signs_of", [""])
async def test_every_sign_is_uploaded_once_and_kept_over_restarts(world):
    first = there(world)
    assert set(first) == set(all_drawn())
    await restarted(world)
    assert there(world) == first


async def test_a_sign_that_is_drawn_anew_takes_the_place_of_the_old_one_and_of_no_others(world, monkeypatch):
    before = there(world)
    strange = world.env.backend.create_application_emoji("somebodys_own").id
    old = next(name for name in before if name.startswith("kamisado_orange"))
    drawn = {name: sign for name, sign in kept_signs().items() if name in before}
    drawn["kamisado_orange_ffffff"] = drawn.pop(old)
    monkeypatch.setattr(cogs.text.signs, "all_drawn", lambda: drawn)
    await restarted(world)
    now = there(world)
    assert old not in now
    assert now["somebodys_own"] == strange
    assert {name: n for name, n in now.items() if name in before} == {
        name: n for name, n in before.items() if name != old
    }
    assert "kamisado_orange_ffffff" in now


async def test_choices_and_boards_carry_the_signs_of_their_game(world):
    thread = await world.start()
    board = last_board(thread)
    names = {str(n): name for name, n in there(world).items()}
    mover = await world.to_move()
    assert "<:kamisado_black_" in wording(board)
    panel = answer_of(await mover.click(board, custom_id=button(board, "Your turn")))
    carried = [names[str(part["emoji"]["id"])] for part in parts_of(panel) if part.get("emoji")]
    assert len(carried) > 1
    assert all(name.startswith("kamisado_") for name in carried)
    asked = await to_confirmation(mover, panel)
    said = re.search(r"### <:kamisado_(\w+?)_\w{6}:\d+> Move the (\w+) tower", wording(asked))
    assert said, wording(asked)
    assert said[1] == said[2], "a sentence begins with the sign of what it is about (17.2)"
    done = answer_of(await mover.click(asked, custom_id=button(asked, "Confirm")))
    assert f"Done: <:kamisado_{said[1]}_" in wording(done)


def test_a_phrase_begins_with_the_signs_of_what_it_names_first():  # 17.2
    signs = cogs.text.signs.Signs()
    for number, code in enumerate(("mori2", "mori3", "mori"), 1):
        signs._known["sekigahara", code] = discord.PartialEmoji(name=code, id=number)
    deployed = Seen(code="deploy", params={"blocks": ["mori2", "none", "mori3"], "card": "mori"})
    assert signs.of_phrase("sekigahara", deployed) == "<:mori2:1><:mori3:2> "
    assert signs.of_phrase("sekigahara", Seen(code="bid", params={"card": "mori"})) == "<:mori:3> "
    assert signs.of_phrase("sekigahara", Seen(code="march", params={"to": "edo", "blocks": 3})) == ""
    signs._known["sekigahara", "capital"] = discord.PartialEmoji(name="capital", id=4)
    assert signs.of_phrase("sekigahara", Seen(code="combat", params={"at": "edo"})) == "<:capital:4> "
    assert signs.of_phrase("shogun", deployed) == ""


async def test_without_emoji_of_its_own_the_bot_speaks_text(world, caplog):
    world.env.inject_error(
        "GET", f"/applications/{world.env.backend.application_id}/emojis", status=500, times=None
    )
    await restarted(world)
    assert "messages do without" in caplog.text
    thread = await world.start()
    assert "<:" not in wording(last_board(thread))
