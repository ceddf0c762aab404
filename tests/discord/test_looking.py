"""Other ways to look at a board (16.7-16.11): what is new, the whole map, who leads, help, trophies."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs.commands import looking
from engines.capabilities import Foresight
from engines.registry import GAMES, engine
from render import areas, painter
from tests.discord.conftest import answer_of, button, buttons, last_board, text_of
from tests.messages import wording
from workers.drawing import HereStudio

pytestmark = pytest.mark.usefixtures("sketches")


@pytest.fixture
def drawn(monkeypatch):
    """The parts and scenes that were drawn, in order."""
    taken = []
    plain = HereStudio.draw

    async def noted(studio, part, scene):
        taken.append((part, scene))
        return await plain(studio, part, scene)

    monkeypatch.setattr(HereStudio, "draw", noted)
    return taken


def last(drawn, part):
    return next(scene for name, scene in reversed(drawn) if name == part)


async def moved(world, thread, *moves):
    for move in moves:
        mover = await world.to_move()
        assert "Played" in text_of(await mover.slash(thread, "move", move=move))


# -- since you last looked ----------------------------------------------------------------------


async def test_a_post_is_compared_with_the_post_before_it(world, drawn):  # 16.8
    thread = await world.start()
    assert last(drawn, "step").since is None
    await moved(world, thread, "d8-d3")
    first = last(drawn, "step")
    assert first.since is not None
    assert first.since != first.view
    await moved(world, thread, (await world.moves(thread))[0])
    assert last(drawn, "step").since == first.view


async def test_after_something_was_taken_back_nothing_on_the_post_is_new(world, drawn):  # 16.8
    thread = await world.start()
    await moved(world, thread, "d8-d3")
    asked = await world.ann.slash(thread, "game undo")
    vote = thread.history()[-1]
    assert asked.acknowledged
    await world.ben.click(vote, custom_id=button(vote, "Yes"))
    assert (await world.bot.tables.get(1)).to_act == {0}
    undone = last(drawn, "step")
    assert undone.since is None
    await moved(world, thread, "d8-d4")
    assert last(drawn, "step").since == undone.view


@pytest.mark.parametrize("restarted", [False, True])
async def test_what_changed_is_told_since_ones_own_last_move(world, drawn, restarted):  # 16.8
    thread = await world.start()
    await moved(world, thread, "d8-d3")
    own = (await world.bot.tables.show(1, world.ann.id)).view
    await moved(world, thread, (await world.moves(thread))[0])
    if restarted:
        await world.restart()
    board = last_board(thread)
    told = answer_of(await world.ann.click(board, custom_id=button(board, "What changed")))
    seen = last(drawn, "board")
    assert seen.since == own
    assert seen.view.last is not None
    assert "Since your last move:" in wording(told)
    mine = answer_of(await world.ben.click(board, custom_id=button(board, "What changed")))
    assert "Nothing on the board has changed since then." in wording(mine)


async def test_a_spectator_is_told_what_the_last_step_changed(world, drawn):  # 16.8
    thread = await world.start()
    await moved(world, thread, "d8-d3")
    posted = last(drawn, "step")
    board = last_board(thread)
    told = answer_of(await world.cho.click(board, custom_id=button(board, "What changed")))
    assert "Since the previous post:" in wording(told)
    assert last(drawn, "board").since == posted.since


async def test_a_board_marks_what_is_new_since_a_move_that_is_named(world, drawn):  # 16.8
    thread = await world.start()
    before = (await world.bot.tables.watch(1, world.ann.id)).view
    await moved(world, thread, "d8-d3")
    between = (await world.bot.tables.watch(1, world.ann.id)).view
    await moved(world, thread, (await world.moves(thread))[0])
    await world.cho.slash(thread, "board", since="0")
    assert last(drawn, "board").since == before
    await world.ann.slash(thread, "board", since="mine")
    assert last(drawn, "board").since == between
    assert "The game isn't that long" in text_of(await world.ann.slash(thread, "board", since="7"))
    assert "isn't a point in this game" in text_of(await world.ann.slash(thread, "board", since="dawn"))
    assert "You don't play at this table" in text_of(await world.cho.slash(thread, "board", since="mine"))


async def test_the_moves_that_news_may_be_asked_since_are_offered(world):  # 16.8
    thread = await world.start()
    assert [c["value"] for c in await world.ann.autocomplete(thread, "board", "since", "")] == ["mine"]
    assert await world.cho.autocomplete(thread, "board", "since", "") == []
    numbered = await world.cho.autocomplete(thread, "board", "since", "12")
    assert [(c["value"], c["name"]) for c in numbered] == [("12", "after 12 moves")]


# -- layers, focus, standing ----------------------------------------------------------------------


async def test_a_layer_that_there_is_not_is_refused(world, drawn, monkeypatch):  # 16.6
    thread = await world.start()
    assert "has one layer only" in text_of(await world.ann.slash(thread, "board", layer="values"))
    monkeypatch.setattr(painter("kamisado"), "LAYERS", ("values",), raising=False)
    assert "no such layer" in text_of(await world.ann.slash(thread, "board", layer="gold"))
    assert [c["value"] for c in await world.ann.autocomplete(thread, "board", "layer", "v")] == ["values"]
    await world.ann.slash(thread, "board", layer="Values")
    assert last(drawn, "board").layer == "values"


async def test_a_part_is_found_however_it_is_written(world, drawn, monkeypatch):
    thread = await world.start()
    monkeypatch.setattr(painter("kamisado"), "AREAS", ("Edo", "north"), raising=False)
    await world.ann.slash(thread, "board", area="EDO")
    assert last(drawn, "board").area == "Edo"
    assert [c["value"] for c in await world.ann.autocomplete(thread, "board", "area", "ed")] == ["Edo"]


async def test_under_a_picture_of_one_place_the_whole_map_is_a_press_away(world, monkeypatch):  # 16.9
    thread = await world.start()
    assert "Whole map" not in buttons(last_board(thread)).values()
    plain = HereStudio.draw

    async def focused(studio, part, scene):
        picture = await plain(studio, part, scene)
        return replace(picture, focus=True) if part == "step" and picture is not None else picture

    monkeypatch.setattr(HereStudio, "draw", focused)
    await moved(world, thread, "d8-d3")
    board = last_board(thread)
    await world.restart()
    whole = answer_of(await world.cho.click(board, custom_id=button(board, "Whole map")))
    assert whole.attachments
    assert "Whole map" not in buttons(whole).values()


async def test_the_standing_is_a_picture_and_words(world, drawn):  # 16.10
    thread = await world.start()
    board = last_board(thread)
    told = answer_of(await world.cho.click(board, custom_id=button(board, "Standing")))
    assert drawn[-1][0] == "standing"
    assert len(wording(told).splitlines()) > 1


# -- help ---------------------------------------------------------------------------------------------


async def test_a_table_says_how_much_help_it_gives(world, drawn):  # 16.7
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user, options="")
    assert "basic help" in wording(world.channel.history()[-1])
    told = wording((await world.ann.slash(world.channel, "game info", table=1)).response)
    assert "basic help" in told
    assert "`aids=basic match=single`" in told
    await world.ann.slash(world.channel, "game new", game="kamisado", options="aids=none")
    assert "no help" in wording(world.channel.history()[-1])
    refused = await world.ann.slash(world.channel, "game new", game="kamisado", options="aids=some")
    assert "full" in text_of(refused)


@pytest.mark.parametrize(
    ("options", "help_", "odds"),
    [("aids=full", "full", True), ("", "basic", False), ("aids=none", "none", None)],
)
async def test_a_confirmation_says_what_would_follow_as_far_as_help_goes(  # 16.7
    world, drawn, monkeypatch, options, help_, odds
):
    asked = []
    rules = engine("kamisado")
    assert isinstance(rules, Foresight)
    plain = type(rules).foresee

    def noted(self, view, action, *, odds):
        asked.append(odds)
        return plain(self, view, action, odds=odds)

    monkeypatch.setattr(type(rules), "foresee", noted)
    thread = await world.start(f"match=standard seat=first {options}")
    await moved(world, thread, "d8-d3")
    board, mover = last_board(thread), await world.to_move()
    panel = answer_of(await mover.click(board, custom_id=button(board, "Your turn")))
    while "Confirm" not in buttons(panel).values():
        first = next(one for one in buttons(panel) if ":p" in one)
        panel = answer_of(await mover.click(panel, custom_id=first))
    assert {*asked} == ({odds} if odds is not None else set())
    assert {scene.help for _, scene in drawn} == {help_}


# -- trophies -------------------------------------------------------------------------------------


@pytest.fixture
async def finished(world):
    """The thread of a game that Ann has resigned."""
    thread = await world.start()
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    return thread


async def test_a_finished_game_is_shown_in_another_channel_once(world, finished):  # 16.11
    hall = world.guild.create_text_channel("hall")
    over = last_board(finished)
    asked = answer_of(await world.ben.click(over, custom_id=button(over, "Share")))
    assert "It can be shown once in each channel." in wording(asked)
    menu = f"t:1:{(await world.bot.tables.get(1)).version}:C.share"
    told = answer_of(await world.ben.select(asked, [hall], custom_id=menu))
    assert f"<#{hall.id}>" in wording(told)
    [shown] = hall.history()
    table = await world.bot.tables.get(1)
    assert "Won by Ben" in wording(shown)
    assert table.seed in wording(shown)
    assert "`/game verify table:1`" in wording(shown)
    assert [file.filename for file in shown.attachments] == ["finale.png"]
    anew = answer_of(await world.ann.click(over, custom_id=button(over, "Share")))
    again = answer_of(await world.ann.select(anew, [hall], custom_id=menu))
    assert "shown there already" in wording(again)
    assert len(hall.history()) == 1


async def test_a_finished_game_is_shown_where_the_button_was_pressed(world, finished):  # 16.11
    over = last_board(finished)
    asked = answer_of(await world.ann.click(over, custom_id=button(over, "Share")))
    await world.ann.click(asked, custom_id=button(asked, "Here"))
    assert "`/game verify table:1`" in wording(finished.history()[-1])


async def test_only_players_show_a_game_and_not_where_they_may_not_write(world, finished):  # 16.11
    over = last_board(finished)
    refused = answer_of(await world.cho.click(over, custom_id=button(over, "Share")))
    assert "You don't play at this table" in wording(refused)
    silent = discord.PermissionOverwrite(send_messages=False)
    quiet = world.guild.create_text_channel("quiet", overwrites={world.ann: silent})
    asked = answer_of(await world.ann.click(over, custom_id=button(over, "Share")))
    menu = f"t:1:{(await world.bot.tables.get(1)).version}:C.share"
    told = answer_of(await world.ann.select(asked, [quiet], custom_id=menu))
    assert "can't be shown there" in wording(told)
    assert not quiet.history()


async def test_one_player_does_not_fill_a_server_with_trophies(world, finished):  # 16.11
    halls = [world.guild.create_text_channel(f"hall{n}") for n in range(4)]
    over = last_board(finished)
    asked = answer_of(await world.ann.click(over, custom_id=button(over, "Share")))
    menu = f"t:1:{(await world.bot.tables.get(1)).version}:C.share"
    told = [wording(answer_of(await world.ann.select(asked, [hall], custom_id=menu))) for hall in halls]
    assert ["will be shown" in text for text in told] == [True, True, True, False]
    assert "Try again in 10 minutes" in told[-1]


@pytest.mark.parametrize("restarted", [False, True])
async def test_no_picture_compares_one_viewers_board_with_anothers(world, drawn, restarted):  # 16.8
    await world.ann.slash(
        world.channel, "game new", game="sekigahara", opponent=world.ben.user, options="seat=first"
    )
    await world.ben.slash(world.channel, "game join", table=1)
    thread = world.thread()
    for _ in range(4):
        await moved(world, thread, (await world.moves(thread))[0])
        if restarted:
            await world.restart()
        board = last_board(thread)
        for member in (world.ann, world.ben, world.cho):
            answer_of(await member.click(board, custom_id=button(board, "What changed")))
        await (await world.to_move()).click(board, custom_id=button(board, "Your turn"))
    compared = [(scene.view.viewer, scene.since.viewer) for _, scene in drawn if scene.since is not None]
    assert {None, 0, 1} <= {viewer for viewer, _ in compared}
    assert all(now == then for now, then in compared)


@pytest.mark.parametrize("game", [game for game in GAMES if areas(game)])
def test_a_part_of_the_board_is_found_in_whatever_case_it_is_typed(game):
    table: Any = SimpleNamespace(id=1, game=game)
    for area in areas(game):
        assert looking.part_of(table, area.upper()) == looking.part_of(table, area.casefold()) == area
