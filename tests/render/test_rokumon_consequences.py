"""What Rokumon's pictures tell of what follows and of what is new; that no pip is hidden; finales (16)."""

import io
from dataclasses import replace

import pytest
from PIL import Image

import render
from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import RulesError
from engines.rokumon.data import CLANS
from engines.rokumon.foresight import bout_of, threats
from locales import LANGUAGES, words
from render import painter
from render.colour import rgb
from render.rokumon import board as drawing
from render.rokumon import pieces
from render.rokumon.board import at_the_end, board
from render.rokumon.fresh import news
from render.rokumon.words import after, now_line
from render.scene import Scene
from render.theme import INK
from tests.engines.rokumon.rokumon_tables import ENGINE, Table
from tests.render.picture_tools import LONGEST
from tests.render.test_rokumon_pictures import ACT_4, NAMES, tile

PAINT = painter("rokumon")
OPEN = {
    "act": 6, "layout": "bricks", "to_move": "sanada",
    "tiles": [
        tile("d3", 2, "s2"), tile("f3", 7, "t3", "s6"), tile("h3", 5, "t3"), tile("c4", 1),
        tile("e4", 6, "s4"), tile("g4", 3, "t1*", "s2"), tile("i4", 4, "t1"),
    ],
    "supply": {"sanada": [], "tokugawa": ["t5"]},
}  # fmt: skip


@pytest.mark.parametrize("size", [103, 124, 150, 185, 218])
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("clan", CLANS)
def test_no_pip_is_hidden_by_a_warrior_or_its_halo(size, count, clan):  # 16.5
    wide = drawing.warrior_of(size)
    pips = Image.new("L", (2 * size, 2 * size))
    dots = pieces.pips_again("jade", 7, size).getchannel("A")
    pips.paste(dots, (size - dots.width // 2, size - dots.height // 2))
    for x, y in drawing.spots(count, size):
        for sprite in (pieces.warrior(clan, "3", wide), pieces.halo(clan, wide)):
            cover = Image.new("L", pips.size)
            at = round(size + x - sprite.width / 2), round(size + y - sprite.height / 2)
            cover.paste(sprite.getchannel("A"), at)
            met = Image.composite(
                pips, Image.new("L", pips.size), cover.point(lambda p: 255 if p > 128 else 0)
            )
            assert max(met.histogram()[128:]) == 0


def test_an_arrow_across_a_tile_leaves_its_pips_to_be_seen(rokumon, look):  # 16.5
    state = rokumon.position(ACT_4)
    for text in ("move i4 c4", "surprise c4 e2", "deploy 5 c4"):
        scene = rokumon.scene(state, 1, action=text, names=NAMES)
        image = look(PAINT.board(scene))
        grid, _ = drawing.grid_of(
            scene.view, drawing.cells_shown(scene, after(scene)), drawing.HEAD + 24 + drawing.SIDE
        )
        for one in after(scene).tiles:
            x, y = grid.at(one.at)
            for dx, dy in pieces.pip_spots(one.pips, grid.tile):
                assert image.getpixel((round(x + dx), round(y + dy))) == rgb(INK), (text, one.at)


def size_of(picture):
    return Image.open(io.BytesIO(picture.png)).size


def test_every_act_of_a_story_is_shown_at_its_end_in_its_own_layout():  # 16.1
    table, ends = Table(seed=b"story"), 0
    table.state = Table(seed=b"story", act=1).state.model_copy(update={"story": True})
    for _ in range(400):
        if table.state.phase == "over":
            break
        before = table.state
        table.at_random(1)
        view = ENGINE.view(table.state, None)
        if view.ended is None or view.ended == ENGINE.view(before, None).ended or view.result is not None:
            continue
        ends += 1
        shown = drawing.at_the_end(view)
        assert (shown.act, shown.layout) == (before.act, before.layout)
        events = tuple(event.seen_by(None) for event in table.events)
        scene = render.Scene("rokumon", view, NAMES, words("en"), events, since=ENGINE.view(before, None))
        marked, plain = render.ended(scene), render.ended(replace(scene, since=None))
        assert marked is not None
        assert plain is not None
        assert size_of(marked) == size_of(plain)  # what is new is marked on the same table
        assert marked.alt == plain.alt
    assert ends >= 3


def test_a_fight_of_two_known_warriors_shows_its_end_with_basic_help(rokumon):  # 16.7
    state = rokumon.position(OPEN)
    for help_, line in (
        ("none", "Fight on f3, with 0 revenge tokens"),
        ("basic", "Sanada 6 stays"),
        ("full", "Sanada 6 stays"),
    ):
        assert now_line(rokumon.scene(state, 0, action="fight f3", help=help_)) == line
    foreseen = ENGINE.foresee(ENGINE.view(state, 0), "fight f3", odds=False)
    assert [seen.code for seen in foreseen] == ["fight-end"]
    assert ENGINE.foresee(ENGINE.view(state, 1), "fight f3", odds=True) == ()
    assert ENGINE.foresee(ENGINE.view(state, None), "fight f3", odds=True) == ()


def test_a_fight_against_an_unknown_warrior_shows_what_it_may_come_to_with_full_help(rokumon):  # 16.7
    state = rokumon.position(ACT_4)
    scene = rokumon.scene(state, 1, action="fight f3", help="full")
    assert now_line(scene) == "possible: win 2, tie 0, lose 1"
    assert now_line(replace(scene, help="basic")) == "Fight on f3, with 0 revenge tokens"
    basic = ENGINE.foresee(scene.view, "fight f3", odds=False)
    full = ENGINE.foresee(scene.view, "fight f3", odds=True)
    assert basic == ()
    assert [seen.code for seen in full] == ["fight-odds", "fight-tokens"]
    assert full[0].params["wins"] + full[0].params["ties"] + full[0].params["losses"] == full[0].params["n"]


def test_what_is_foreseen_of_fights_and_threats_comes_true():  # 16.7
    fights = threatened = 0
    for number in range(60):
        table = Table(seed=bytes([number]), act=3 + number % 4).at_random(6 + number % 9)
        if table.state.phase == "over":
            continue
        seat = min(ENGINE.to_act(table.state))
        view = ENGINE.view(table.state, seat)
        for text in ENGINE.legal(table.state, seat).actions[::5]:
            action = ENGINE.parse(text, table.state, seat)
            try:
                after = ENGINE.apply(table.state, seat, action, Chance(bytes(32), 1))
            except RulesError:
                continue
            bout = bout_of(view, text)
            fought = next((e.params for e in after.events if e.code in ("fought", "fought-tie")), None)
            if bout is not None and bout.certain and fought is not None:
                fights += 1
                assert fought.get("survivor") == bout.survivor
            cells = threats(view, text).cells
            if cells and after.state.phase == "act" and after.state.act == view.act:
                threatened += 1
                other = ENGINE.view(after.state, 1 - seat)
                assert set(cells) <= {option.target for option in other.legal if option.wins}
    assert fights
    assert threatened


def test_a_fight_is_a_focus_picture_and_nothing_else_is(rokumon, look):  # 16.9
    start = rokumon.position(ACT_4)
    moved, events = rokumon.play(start, "move i4 c4")
    assert render.focus(rokumon.scene(moved, events=events)) is None
    fighting, events = rokumon.play(start, "fight f3 +1")
    for language in LANGUAGES:
        scene = rokumon.scene(fighting, events=events, names=LONGEST, words=words(language))
        picture = render.focus(scene)
        assert picture is not None
        look(picture)
    fought, events = rokumon.play(fighting, "revenge 0")
    assert render.focus(rokumon.scene(fought, events=events)) is not None
    assert render.focus(rokumon.scene(start, 1, action="fight f3")) is not None


def test_warriors_that_came_and_went_since_the_viewer_looked_are_marked_and_told(rokumon, look):  # 16.8
    start = rokumon.position(ACT_4)
    later, events = rokumon.play(start, "move i4 c4", "move d3 h3")
    scene = rokumon.scene(later, events=events, since=ENGINE.view(start, None))
    assert render.changes(scene) == (
        "New on the tiles: Sanada on h3 and Tokugawa on c4. No longer there: Sanada on d3 and Tokugawa on i4."
    )
    marked, plain = look(PAINT.board(scene)), look(PAINT.board(replace(scene, since=None)))
    assert marked.tobytes() != plain.tobytes()
    assert look(PAINT.board(replace(scene, since=scene.view))).tobytes() == plain.tobytes()
    fought, _ = rokumon.play(start, "fight f3 +1", "revenge 0")
    spent = rokumon.scene(fought, since=ENGINE.view(start, None))
    assert "Tokugawa has used 1 revenge token." in render.changes(spent)


def test_two_players_private_pictures_differ_where_they_know_different_things():  # 16.2
    compared = 0
    for number in range(12):
        state = Table(seed=bytes([number]), act=3 + number % 3).at_random(5 + number).state
        if state.phase == "over" or not ENGINE.secrets(state):
            continue
        one, other = (
            render.Scene("rokumon", ENGINE.view(state, seat), NAMES, words("en")) for seat in (0, 1)
        )
        compared += 1
        assert PAINT.board(one).png != PAINT.board(other).png
        hands = PAINT.hand(one), PAINT.hand(other)
        assert hands[0] is not None
        assert hands[1] is not None
        assert hands[0].png != hands[1].png
    assert compared


def test_a_preview_names_no_notation(rokumon):  # 16.5
    for position in (ACT_4, OPEN):
        state = rokumon.position(position)
        seat = min(ENGINE.to_act(state))
        for text in (*ENGINE.legal(state, seat).actions[::9], "surrender", "resign"):
            for help_ in ("none", "full"):
                scene = rokumon.scene(state, seat, action=text, help=help_)
                assert text not in now_line(scene)
                assert f"{text}:" not in PAINT.board(scene).alt


def test_at_an_end_only_what_the_last_step_brought_is_new():  # 16.8, an act's end and the game's
    ends = finals = 0
    for number in range(4):
        chance = Chance(bytes([number]) * 32, 0)
        state = ENGINE.setup(ENGINE.read_options({"act": 2} if number else {}), 2, chance).state
        for ply in range(1, 400):
            if state.phase == "over":
                break
            before, seat = state, min(ENGINE.to_act(state))
            chance = Chance(bytes([number]) * 32, ply)
            action = random_action(ENGINE, state, seat, chance)
            state, events = ENGINE.apply(state, seat, action, chance)
            seen = tuple(event.seen_by(None) for event in events)
            scene = Scene("rokumon", ENGINE.view(state, None), ("Ann", "Ben"), words("en"), seen)
            scene = replace(scene, since=ENGINE.view(before, None))
            if render.ended(scene) is not None:
                ends += 1
                scene = replace(scene, view=at_the_end(ENGINE.view(state, None)), layer="ended")
            elif state.phase == "over":
                finals += 1
            else:
                continue
            assert sum(map(len, news(scene).placed.values())) <= 2  # a Fight may move two
            new = bool(news(scene).placed or news(scene).gone or news(scene).tiles)
            assert new <= (board(scene).png != board(replace(scene, since=None)).png)
    assert ends
    assert finals
