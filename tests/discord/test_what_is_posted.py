"""What is posted and asked: endings, languages, which table is meant (issue 13, C)."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest

from cogs.posting.posts import parted_below
from cogs.text.games import playable
from engines.chance import Chance
from engines.opponents import opponent
from engines.registry import engine
from engines.values import GAME_OVER, Event
from locales import LANGUAGES, words
from render import Scene, parted
from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.games import opening
from tests.looks.galleries import speaking
from tests.messages import wording
from workers.drawing import HereStudio

pytestmark = pytest.mark.usefixtures("sketches")


# -- 13.C20: endings -----------------------------------------------------------------------------


async def test_the_last_post_begins_with_the_result_large_and_its_seed_is_behind_a_button(world):
    thread = await world.start()
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    last, table = last_board(thread), await world.bot.tables.get(1)
    assert wording(last).startswith("# Won by Ben\nAnn resigns."), "nothing says again who won"
    assert table.seed not in wording(last)
    assert table.commitment not in wording(last)
    shown = answer_of(await world.cho.click(last, custom_id=button(last, "Seed")))
    assert table.seed in wording(shown)
    assert table.commitment in wording(shown)


@pytest.mark.parametrize("locale", list(LANGUAGES))
@pytest.mark.parametrize("game", playable())
def test_below_its_heading_no_end_says_again_who_won(game, locale):  # 17
    rules, state = engine(game), opening(game).state
    events: tuple[Event, ...] = ()
    while rules.result(state) is None:
        seat = min(rules.to_act(state))
        state, events = rules.apply(state, seat, rules.parse("resign", state, seat), Chance(bytes(32), 1))
    seen = [event.seen_by(None) for event in events]
    end = next(event for event in seen if event.code == GAME_OVER)
    names = ("Ann", "Ben", "Cho", "Dan", "Eve")
    scene = Scene(game, rules.view(state, None), names, words(locale), events=tuple(seen))
    said = words(locale).event(game, end, names)
    assert said in "\n".join(parted(scene))
    result = {"winners": end.params["winners"]}
    below = "\n".join(parted_below(scene, result)).strip()
    assert below
    assert said not in below
    assert "\n".join(parted_below(scene, {"winners": []})) == "\n".join(parted(scene))
    assert parted_below(replace(scene, events=(end,)), result) == ("", "")


@pytest.mark.parametrize(
    ("command", "yes"), [("game resign", "Yes, resign"), ("game cancel", "Yes, end this game")]
)
async def test_a_question_about_giving_up_has_a_no_that_does_nothing(world, command, yes):
    thread = await world.start()
    asked = answer_of(await world.ann.slash(thread, command))
    assert list(controls(asked).values()) == [yes, "No, keep playing"]
    await world.ann.click(asked, custom_id=button(asked, "No, keep playing"))
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


async def test_in_japanese_sentences_follow_each_other_without_a_blank(world):  # 17
    await speaking(world, "ja", (world.ann, world.ben))
    opened = text_of(await world.ann.slash(world.channel, "game new", game="shogun"))
    joined = text_of(await world.ben.slash(world.channel, "game join", table=1))
    await world.ann.slash(world.channel, "game new", game="sekigahara", opponent=world.ben.user)
    await world.ben.slash(world.channel, "game join", table=2)
    thread = world.thread()
    log = text_of(await world.ann.slash(thread, "board", log=True))
    await world.ann.slash(thread, "game offer-draw")
    await world.env.settle()
    posted = wording(thread.last_message)
    assert posted.startswith(f"<@{world.ben.id}>：")
    for told in (opened, joined, log, posted):
        assert "。" in told
        assert "。 " not in told, told


# -- 13.C21: which table -----------------------------------------------------------------------------


async def without_threads(world):
    role = world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
    boss = world.guild.add_member(world.env.create_user("Boss"), roles=[role])
    await boss.slash(world.channel, "settings", threads=False)


async def two_tables_in_one_channel(world):
    await without_threads(world)
    for number in (1, 2):
        await world.ann.slash(
            world.channel, "game new", game="kamisado", opponent=world.ben.user, options="seat=first"
        )
        await world.ben.slash(world.channel, "game join", table=number)


async def completed(world, member, typed=""):
    return [c["value"] for c in await member.autocomplete(world.channel, "move", "move", typed)]


async def test_completions_are_of_the_table_in_the_channel_that_waits_and_carry_its_number(world):
    await two_tables_in_one_channel(world)
    both = await completed(world, world.ann)
    assert both[0].startswith("#1 ")
    assert {text.partition(" ")[0] for text in both} == {"#1", "#2"}
    second = await completed(world, world.ann, "#2 d8")
    assert second
    assert all(text.startswith("#2 d8-") for text in second)
    assert "Played" in text_of(await world.ann.slash(world.channel, "move", move=second[0]))
    assert (await world.bot.tables.get(2)).to_act == frozenset({1})
    assert (await world.bot.tables.get(1)).to_act == frozenset({0})
    assert all(text.startswith("#1 ") for text in await completed(world, world.ann))
    assert all(text.startswith("#2 ") for text in await completed(world, world.ben))


async def test_one_table_in_a_channel_is_completed_without_its_number(world):
    thread = await world.start()
    offered = [c["value"] for c in await world.ann.autocomplete(thread, "move", "move", "")]
    assert offered
    assert not any("#" in text for text in offered)
    assert "Played" in text_of(await world.ann.slash(world.channel, "move", move=f"＃1 {offered[0]}"))


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("colour", "match=single"),
        ("match=endless", "match=single"),
        ("match=long colour=red", "match=long points=2"),
        ("match = long", "match=long"),
    ],
)
async def test_an_unknown_option_offers_what_exists(world, typed, first):
    offered = await world.ann.autocomplete(world.channel, "game new", "options", typed, game="kamisado")
    assert offered[0]["value"] == first


async def test_an_unknown_word_of_a_clock_offers_the_clocks(world):
    thread = await world.start()
    offered = await world.ann.autocomplete(thread, "game clock", "clock", "quick")
    assert [choice["value"] for choice in offered][:2] == ["none", "slow"]


# -- 13.C24: hands, rules, replay ----------------------------------------------------------------------


async def test_a_hand_says_so_where_nothing_is_hidden(world, monkeypatch):
    async def no_hand(_, part, scene):
        return None if part in {"hand", "own_ground"} else await sketched(_, part, scene)

    sketched = HereStudio.draw
    monkeypatch.setattr(HereStudio, "draw", no_hand)
    await world.ann.slash(
        world.channel, "game new", game="rokumon", opponent=world.ben.user, options="seat=first"
    )
    await world.ben.slash(world.channel, "game join", table=1)
    board = last_board(world.thread())
    shown = answer_of(await world.ann.click(board, custom_id=button(board, "Open your hand")))
    assert "Nothing is hidden now" in wording(shown)
    assert shown.attachments


@pytest.mark.parametrize("threads", [False, True])
async def test_the_rules_open_on_the_game_that_is_played_here(world, threads):
    if not threads:
        await without_threads(world)
    for number in (1, 2):
        await world.ann.slash(
            world.channel, "game new", game="sekigahara", opponent=world.ben.user, options="seat=first"
        )
        await world.ben.slash(world.channel, "game join", table=number)
    assert "Sekigahara" in text_of(await world.ann.slash(world.channel, "rules"))
    assert "Sekigahara" in text_of(await world.cho.slash(world.channel, "rules"))


# -- 13.B13: questions ---------------------------------------------------------------------------------


async def test_the_answer_to_a_yes_says_what_closed_with_it_and_why(world):
    thread = await world.start()
    await world.ann.slash(thread, "game pause")
    await world.ann.slash(thread, "game offer-draw")
    question = thread.last_message
    told = text_of(await world.ben.click(question, custom_id=button(question, "Yes")))
    assert told == "You agreed. That settles it.\nThe game is over, so this question is closed: a pause."


async def test_a_rematch_that_runs_is_named_by_who_asks_for_it_again(world):
    thread = await world.start()
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    await world.ann.slash(thread, "game rematch")
    await world.ben.slash(thread, "game rematch")
    told = text_of(await world.ann.slash(thread, "game rematch"))
    assert told.startswith("The rematch has begun: **#2 Kamisado**")
    assert f"<#{world.thread().id}>" in told


# -- 13.B14 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("levels", [("easy", "normal", "hard"), ("easy", "normal")])
async def test_a_level_is_offered_only_where_it_exists(world, levels, monkeypatch):
    monkeypatch.setattr(opponent("kamisado"), "LEVELS", levels)
    offered = await world.ann.autocomplete(world.channel, "game new", "options", "level=", game="kamisado")
    assert {choice["value"] for choice in offered} == {f"level={level}" for level in levels}
