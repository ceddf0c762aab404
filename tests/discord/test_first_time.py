"""The first time that a rule matters to a player, the panel names it and leads to its page (15.6)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cogs.panels.met import codes_of
from cogs.text.games import playable
from cogs.text.rules_pages import pages_of
from db.belongings import belongings
from db.errors import DatabaseError
from db.repositories import met
from engines.chance import Chance
from engines.protocol import Prompt, Seen
from engines.registry import engine
from locales import LANGUAGES, words
from render.kamisado.lessons import pushing
from render.lessons import Lesson, first_rules, lessons, played
from tables.core import letters
from tables.core.turns import advanced
from tests.discord.conftest import World, answer_of, button, last_board, menus
from tests.discord.months import delivered
from tests.discord.sekigahara_tables import FIGHTS, Two
from tests.discord.shogun_tables import Four
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

NEW = "New to you:"


async def turn(member: Any, thread: Any) -> Any:
    """The panel, as a new answer."""
    board = last_board(thread)
    return answer_of(await member.click(board, custom_id=button(board, "Your turn")))


TAUGHT = [game for game in playable() if lessons(game) is not None]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_may_be_met_has_a_name_and_a_page(language):
    said = words(language)
    for game in TAUGHT:
        rules = lessons(game).FIRST  # type: ignore[union-attr]
        assert len({one.rule for one in rules}) == len(rules)
        for one in rules:
            assert said.has(f"{game}.first.{one.rule}")
            assert 1 <= one.page <= pages_of(game, said)


@pytest.mark.parametrize("game", TAUGHT)
def test_what_brings_a_rule_up_is_said_in_the_game(game):
    """No code of `FIRST` is one that nothing ever says."""
    said = words("en")
    for one in lessons(game).FIRST:  # type: ignore[union-attr]
        for code in one.codes:
            asked = code.partition("/")[0]
            kinds = ("prompt", "choice", "note", "event")
            assert any(said.has(f"{game}.{kind}.{asked}") for kind in kinds), code


def test_a_value_is_brought_up_with_its_question():
    rules = engine("sekigahara")
    state, _ = rules.setup(rules.read_options({}), 2, Chance(bytes(32), 0))
    step = rules.choices(state, 0, ())
    assert isinstance(step, Prompt)
    codes = set(codes_of(step, (Seen(code="drew"),)))
    assert {step.code, "drew"} <= codes
    assert any(code.startswith(f"{step.code}/") for code in codes)
    assert first_rules("sekigahara", {"march-to/overruns"})[0].rule == "overrun"
    assert first_rules("sekigahara", {"bid/mori-sword"}) == ()
    assert [one.rule for one in first_rules("kamisado", {"target/teeth:1", "push"})] == ["push", "sumo"]


async def placed(world: World, game: str, position: Any) -> None:
    """Puts table 1, at which nothing was done yet, at a position."""
    rules, house = engine(game), world.bot.tables._house
    async with house.lock(1):
        loaded = await house.load(1)
        step = rules.from_position(position, Chance(loaded.row.seed, 0))
        after = advanced(loaded, step.state, step.events, house.clock.now(), actor=None, entries=0)
        after = after.updated(position=json.dumps(position))
        async with house.writing(1, None) as tx:
            await house.store(tx, after, letters.boards(None, after))
        house.committed(after)
    await delivered(world)


async def test_a_push_is_named_once_and_leads_to_its_page(world):
    await world.start("match=standard seat=last")
    await placed(world, "kamisado", pushing())
    player = await world.to_move()
    panel = await turn(player, world.thread())
    assert f"{NEW} the push. Rules, page 5: Sumo towers." in wording(panel)
    page = answer_of(await player.click(panel, custom_id=button(panel, "Rules: Sumo towers")))
    assert "rules, page 5" in wording(page)
    assert f"{NEW} sumo towers." in wording(await turn(player, world.thread()))
    assert NEW not in wording(await turn(player, world.thread()))


async def test_what_was_met_is_met_after_a_restart_and_for_its_own_player_only(world):
    two = Two(world)
    await two.begin(FIGHTS)
    assert f"{NEW} the battle." in wording(await turn(world.ann, world.thread()))
    await world.restart()
    assert NEW not in wording(await turn(world.ann, world.thread()))
    reads = world.bot.database.reads
    assert await met.of_user(reads, world.ann.id, "sekigahara") == {"battle"}
    assert await met.of_user(reads, world.ben.id, "sekigahara") == set()


async def test_a_fight_is_named_when_it_is_first_offered(world):
    await world.ann.slash(
        world.channel, "game new", game="rokumon", opponent=world.ben.user, options="act=3 seat=first"
    )
    await world.ben.slash(world.channel, "game join", table=1)
    assert NEW not in wording(await turn(await world.to_move(), world.thread()))
    rules, moves = engine("rokumon"), ("deploy 4 d3", "deploy 3 e4", "deploy 6 g4", "move e4 d3")
    met_there = played(rules, Lesson(options={"act": 3}, plies=moves)).state
    await placed(world, "rokumon", rules.position(met_there))
    panel = await turn(await world.to_move(), world.thread())
    assert f"{NEW} the Fight. Rules, page 4: Act 3: Fight." in wording(panel)


async def test_a_sheet_tells_of_the_plan_once_and_of_the_bid_when_its_space_is_picked(world):
    thread = await Four(world).begin()
    assert f"{NEW} the plan. Rules, page 5: Your plan." in wording(await turn(world.ann, thread))
    sheet = await turn(world.ann, thread)
    assert NEW not in wording(sheet)
    menu = menus(sheet)[0]
    sheet = answer_of(await world.ann.select(sheet, ["bid"], custom_id=menu["custom_id"]))
    assert f"{NEW} the bid and special cards." in wording(sheet)
    assert f"{NEW} the plan." in wording(await turn(world.ben, thread))


async def test_what_was_met_is_exported_and_forgotten(world):
    two = Two(world)
    await two.begin(FIGHTS)
    await turn(world.ann, world.thread())
    database = world.bot.database
    kept = belongings(world.database, world.ann.id)
    assert kept["met_rules"] == [{"game": "sekigahara", "rule": "battle"}]
    await world.bot.tables.forget(world.ann.id, 1)
    assert await met.of_user(database.reads, world.ann.id, "sekigahara") == set()


async def test_a_panel_is_shown_where_it_cannot_be_kept_what_was_met(world, monkeypatch):
    async def full(*_):
        raise DatabaseError("full", "h.db")

    two = Two(world)
    await two.begin(FIGHTS)
    monkeypatch.setattr(met, "put", full)
    for _ in range(2):
        assert f"{NEW} the battle." in wording(await turn(world.ann, world.thread()))
