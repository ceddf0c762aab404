"""Shogun's pictures of what follows, what is new, one place, the standing and the end (16)."""

from dataclasses import replace
from typing import Any

import pytest

from engines.protocol import Seen
from engines.shogun.data import ACTIONS, BUILDINGS, COST, PROVINCES, REGIONS
from engines.shogun.odds import battle_odds
from engines.shogun.standing import gains
from locales import LANGUAGES, words
from render import (
    Picture,
    Scene,
    areas,
    changes,
    drawing,
    focus,
    layers,
    marks,
    painter,
    standing,
    standing_words,
)
from render.canvas import plain
from render.colour import rgb
from render.shogun import board as drawing_of_board
from render.shogun import hand as sheet
from render.shogun import panels, score
from render.shogun.focus import ENDS, lens_of, places
from render.shogun.lens import TOP, round_places
from render.shogun.map import outline
from render.shogun.plan import finished, pending, planned
from render.shogun.since import news
from render.shogun.targets import hundredths, plate, targets
from render.shogun.words import source
from render.theme import GOLD, NIGHT, PAPER, SUMI
from tests.render.picture_tools import wander

PAINT = painter("shogun")
PLAYERS = ("Maximilian", "Bartholome", "Alexandros", "Friederike", "Konstantin")


@pytest.fixture(scope="module")
def fight(shogun):
    """A state in which a battle card with an own and an enemy target lies open."""

    def until(state, events):
        if state.pending != "battle":
            return False
        view = shogun.engine.view(state, state.turn)
        found = targets(Scene("shogun", view, PLAYERS, words("en")))
        return len({target.own for target in found}) == 2 and round_places(
            [str(source(view)), *(target.name for target in found)]
        )

    start = shogun.engine.setup(shogun.engine.read_options({}), 5, shogun.chance)
    return wander(shogun.engine, *start, until=until)[0]


def panel(shogun, fight, **more):
    return shogun.panel(fight, fight.turn, (), names=PLAYERS, **more)


# -- what follows ---------------------------------------------------------------------------------


def png_of(picture: Picture | None) -> bytes:
    """The bytes of a picture that there is."""
    assert picture is not None
    return picture.png


def test_an_attack_has_its_exact_odds_and_a_march_none(shogun, fight):  # 16.7
    scene = panel(shogun, fight)
    view = scene.view
    armies = view.provinces[source(view)].armies - 1
    for target in targets(scene):
        assert target.own == (view.provinces[target.name].owner == view.turn)
        if target.own:
            assert target.odds is None
        else:
            assert target.odds == battle_odds(view, view.turn, target.name, armies)
            assert sum(hundredths(target.odds)) == 100


def test_own_and_enemy_targets_have_lines_of_different_shape():  # 16.7
    drawn = []
    for what in ("own", "target"):
        shape = outline("Kai", what)[0]
        drawn.append(plain(shape.width, shape.height))
        shape.onto(drawn[-1], 0, 0)
    own, enemy = drawn
    assert own.size == enemy.size
    assert own.tobytes() != enemy.tobytes()


@pytest.mark.parametrize("aid", ["none", "basic"])
def test_odds_are_shown_with_all_help_only(shogun, fight, aid):  # 16.7
    scene = panel(shogun, fight)
    assert any(target.odds for target in targets(scene))
    assert not any(target.odds for target in targets(replace(scene, help=aid)))
    assert PAINT.board(scene).png != PAINT.board(replace(scene, help=aid)).png


def test_others_and_the_public_see_no_odds(shogun, fight):  # 16.7
    for viewer in {None, *range(5)} - {fight.turn}:
        found = targets(shogun.scene(fight, viewer, names=PLAYERS))
        assert found
        assert not any(target.odds for target in found)


def test_a_plate_shows_each_of_its_figures():  # 16.7
    for large in (False, True):
        assert plate(60, 30, 10, large=large).tobytes() != plate(60, 20, 20, large=large).tobytes()


# -- what is new ----------------------------------------------------------------------------------


def changed(view, name, **more):
    land = {**view.provinces, name: view.provinces[name].model_copy(update=more)}
    return view.model_copy(update={"provinces": land})


@pytest.fixture
def before(shogun, fight):
    """A scene and a province of seat 0 with room for a building."""
    scene = shogun.scene(fight, None, names=PLAYERS)
    name = next(n for n, p in scene.view.provinces.items() if p.owner == 0 and not p.castle)
    return scene, name


@pytest.mark.parametrize("change", [{"armies": 9}, {"castle": True}, {"unrest": 7}, {"owner": 1}])
def test_a_board_marks_what_is_new_and_the_words_say_it(before, change):  # 16.8
    scene, name = before
    was = scene.view
    scene = replace(scene, view=changed(was, name, **change))
    fresh = replace(scene, since=was)
    assert news(fresh, name).any
    assert PAINT.board(fresh).png != PAINT.board(scene).png
    told = changes(fresh)
    assert scene.words.term("shogun", name) in told
    assert "shogun." not in told
    assert changes(scene) == ""


def test_where_nothing_is_new_nothing_is_marked(before):  # 16.8
    scene, _ = before
    same = replace(scene, since=scene.view)
    assert PAINT.board(same).png == PAINT.board(scene).png
    assert changes(same) == ""


def test_a_province_lost_to_nobody_shows_who_had_it(before):  # 16.8
    scene, name = before
    lost = replace(scene, view=changed(scene.view, name, owner=None, armies=0), since=scene.view)
    assert news(lost, name).was == 0
    assert scene.words.term("shogun", name) in changes(lost)


def test_goods_that_changed_lie_on_gold(before, look):  # 16.8
    scene, _ = before
    players = (scene.view.players[0].model_copy(update={"chests": 44}), *scene.view.players[1:])
    now = replace(scene, view=scene.view.model_copy(update={"players": players}), since=scene.view)
    assert "+" in changes(now)
    assert look(PAINT.board(now)).tobytes() != look(PAINT.board(replace(now, since=None))).tobytes()


@pytest.mark.parametrize("language", LANGUAGES)
def test_changes_are_told_in_every_language(before, language):  # 16.8
    scene, name = before
    now = changed(scene.view, name, armies=9, castle=True, unrest=5)
    other = next(n for n, p in now.provinces.items() if p.owner == 1)
    now = changed(now, other, owner=2)
    told = changes(replace(scene, view=now, since=scene.view, words=words(language)))
    assert "shogun." not in told
    assert "{" not in told
    assert words(language).term("shogun", other) in told


# -- one place ------------------------------------------------------------------------------------


def test_a_focus_picture_has_a_size_and_no_type_below_30(shogun, fight, look, sizes):  # 16.9
    picture = focus(panel(shogun, fight))
    assert picture is not None
    assert look(picture).height <= 1350
    assert min(sizes) >= 30


def test_the_step_is_the_focus_or_the_board(shogun, fight):  # 16.9
    scene = panel(shogun, fight)
    assert png_of(drawing("step")(scene)) == png_of(focus(scene))
    state, events = wander(
        shogun.engine, fight, until=lambda state, events: any(e.code == "round-dealt" for e in events)
    )
    wide = shogun.scene(state, None, events, names=PLAYERS)
    assert focus(wide) is None
    assert png_of(drawing("step")(wide)) == PAINT.board(wide).png


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_battle_that_is_over_is_told_below_its_place(shogun, language, look):  # 16.9
    start = shogun.engine.setup(shogun.engine.read_options({}), 5, shogun.chance)

    def until(state, events):
        if not any(event.code.startswith("attacked") for event in events):
            return False
        return focus(shogun.scene(state, None, events, names=PLAYERS)) is not None

    state, events = wander(shogun.engine, *start, until=until)
    scene = shogun.scene(state, None, events, names=PLAYERS, words=words(language))
    assert look(focus(scene)).getpixel((4, 4)) == rgb(SUMI)
    quiet = replace(scene, events=tuple(e for e in scene.events if e.code not in ENDS))
    assert focus(quiet) is None or png_of(focus(quiet)) != png_of(focus(scene))


def test_where_the_next_card_lies_elsewhere_the_place_is_that_of_what_happened(shogun, look):  # 16.9
    start = shogun.engine.setup(shogun.engine.read_options({}), 5, shogun.chance)

    def until(state, events):
        if not any(event.code.startswith("attacked") for event in events):
            return False
        scene = shogun.scene(state, None, events, names=PLAYERS)
        return focus(scene) is not None and round_places(places(scene)) is None

    state, events = wander(shogun.engine, *start, until=until)
    scene = shogun.scene(state, None, events, names=PLAYERS)
    lens, fought = lens_of(scene), next(e for e in scene.events if e.code.startswith("attacked"))
    assert lens is not None
    assert all(lens.sees(str(fought.params[key])) for key in ("province", "source"))
    assert look(focus(scene)).height <= 1350
    wide = replace(scene, events=(*scene.events, Seen(code="round-dealt", params={})))
    assert lens_of(wide) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_would_follow_stands_below_a_confirmation(shogun, fight, language):  # 16.7
    own = next(t.name for t in targets(panel(shogun, fight)) if not t.own)
    key = own.casefold()
    armies = shogun.engine.choices(fight, fight.turn, (key,)).choices[0].key
    scene = shogun.panel(fight, fight.turn, (key, armies), names=PLAYERS, words=words(language))
    assert png_of(focus(scene)) != png_of(focus(replace(scene, help="none")))


# -- what may be asked for ------------------------------------------------------------------------


def test_regions_provinces_and_goods_may_be_asked_for():  # 16.6
    assert areas("shogun") == (*REGIONS, *PROVINCES)
    assert layers("shogun") == ("values",)


@pytest.mark.parametrize("area", [*REGIONS, "Kai", "Mutsu", "Tosa"])
def test_a_part_of_the_map_is_drawn_large(before, look, area):  # 16.6
    scene, _ = before
    part = look(PAINT.board(replace(scene, area=area)))
    assert TOP + 690 <= part.height <= 1350
    goods = replace(scene, area=area, layer="values")
    assert look(PAINT.board(goods)).tobytes() != part.tobytes()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_area_has_a_name(language):  # 16.6
    for area in areas("shogun"):
        assert words(language).has(f"shogun.term.{area}")


def test_the_goods_of_every_province_are_shown(before):  # 16.6
    scene, _ = before
    for name in PROVINCES:
        found = drawing_of_board.Stand(
            name, name, scene.view.provinces[name], news(scene, name), None, None, True
        )
        other = found._replace(values=False)
        assert drawing_of_board.patch(found, 1)[0].tobytes() != drawing_of_board.patch(other, 1)[0].tobytes()


# -- the standing and the end ---------------------------------------------------------------------


def test_the_standing_is_what_the_next_scoring_gives(shogun):  # 16.10
    start = shogun.engine.setup(shogun.engine.read_options({}), 4, shogun.chance)
    state, events = wander(
        shogun.engine, *start, until=lambda state, events: any(e.code == "scored" for e in events)
    )
    scored = {e.params["seat"]: e.params for e in events if e.code == "scored"}
    assert state.year == 2
    for seat, gain in enumerate(gains(state, 4)):  # what scored is still on the board
        assert gain.all == scored[seat]["gain"]
        assert gain.majorities == scored[seat]["majorities"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_standing_is_a_picture_and_words(before, look, language):  # 16.10
    scene, name = before
    scene = replace(scene, words=words(language))
    image = look(standing(scene))
    told = standing_words(scene)
    assert "shogun." not in told
    assert all(player in told for player in PLAYERS)
    more = replace(scene, view=changed(scene.view, name, **dict.fromkeys(BUILDINGS, True)))
    assert look(standing(more)).tobytes() != image.tobytes()
    assert standing_words(more) != told


@pytest.fixture(scope="module")
def over(shogun):
    """A finished game: its start and its steps."""
    from tests.engines.shogun.test_shogun_statistics import played

    return played(b"statistics")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_finale_shows_the_curve_the_battles_and_the_records(shogun, over, look, language):  # 16.11
    start, steps = over
    found = shogun.engine.statistics(start, steps)
    scene = shogun.scene(steps[-1].state, None, names=PLAYERS[:3], words=words(language))
    scene = replace(scene, events=found, table=7)
    whole = score.finale(scene)
    image = look(whole)
    assert whole is not None
    assert "shogun." not in whole.alt
    for kind in ("curve", "battle-", "record-"):
        less = replace(scene, events=tuple(line for line in found if not line.code.startswith(kind)))
        assert look(score.finale(less)).height < image.height, kind


def test_when_all_is_over_there_is_no_tray_and_the_points_say_what_they_are_for(shogun, over, monkeypatch):
    """16.6."""
    drawn: list[str] = []
    for name in ("tray", "champion"):
        monkeypatch.setattr(panels, name, lambda *given, name=name: drawn.append(name))
    signs: list[str] = []
    real = panels.part_sign

    def sign(part: str, size: int) -> Any:
        signs.append(part)
        return real(part, size)

    monkeypatch.setattr(panels, "part_sign", sign)
    last = over[1][-1]
    PAINT.board(shogun.scene(last.state, None, last.events, names=PLAYERS[:3]))
    assert drawn == ["champion"]
    assert signs == list(panels.PARTS) * 3


def test_the_end_is_drawn_on_the_board_of_its_own_moment(shogun, over, look):  # 16.1
    last = over[1][-1].state
    image = look(PAINT.board(shogun.scene(last, None, names=PLAYERS[:3])))
    assert image.height == panels.HEIGHT
    earlier = over[1][len(over[1]) // 2].state
    assert look(PAINT.board(shogun.scene(earlier, None, names=PLAYERS[:3]))).size == image.size


# -- what only its viewer knows -------------------------------------------------------------------


def planned_state(shogun):
    start = shogun.engine.setup(shogun.engine.read_options({}), 3, shogun.chance)
    return wander(
        shogun.engine,
        *start,
        until=lambda s, _: s.phase == "plan" and sum(p.plan is not None for p in s.players) == 2,
    )[0]


def test_two_viewers_who_know_different_things_see_different_pictures(shogun):  # 16.2
    state = planned_state(shogun)
    ready = [seat for seat, player in enumerate(state.players) if player.plan is not None]
    one, two = (shogun.scene(state, seat, names=PLAYERS[:3]) for seat in ready)
    assert pending(one.view) != pending(two.view)
    public = shogun.scene(state, None, names=PLAYERS[:3])
    assert len({PAINT.board(scene).png for scene in (one, two, public)}) == 3
    assert png_of(PAINT.hand(one)) != png_of(PAINT.hand(two))


def test_the_own_map_shows_where_each_action_is_planned_and_says_that_it_is_private(shogun, look):  # 16.2
    state = planned_state(shogun)
    seat = next(seat for seat, player in enumerate(state.players) if player.plan is not None)
    scene = shogun.scene(state, seat, names=PLAYERS[:3])
    assert set(planned(scene.view).values()) == {
        space for space, card in state.players[seat].plan.items() if not card.startswith("chest")
    }
    assert look(PAINT.board(scene)).getpixel((4, 4)) == rgb(NIGHT)
    assert look(PAINT.board(shogun.scene(state, None, names=PLAYERS[:3]))).getpixel((4, 4)) == rgb(SUMI)


def test_the_sheet_ticks_what_is_done_and_shows_what_a_space_costs(shogun, fight, monkeypatch):  # 16.6
    ticks, prices, real = [], [], sheet.price

    def ticked(*given: object) -> object:
        ticks.append(given)
        return drawing_of_board.ring(PAPER)

    def priced(cost: int) -> object:
        prices.append(cost)
        return real(cost)

    monkeypatch.setattr(marks, "tick", ticked)
    monkeypatch.setattr(sheet, "price", priced)
    scene = shogun.scene(fight, fight.turn, names=PLAYERS)
    PAINT.hand(scene)
    now = fight.actions[fight.action_index]
    assert len(ticks) == len(finished(scene.view) - {now}) == fight.action_index + 1
    assert sorted(prices) == sorted(cost for cost in COST.values() if cost)
    assert set(ACTIONS) >= finished(scene.view) - {"bid"}


def test_ten_armies_have_a_plate_that_shows_over_a_border(before):  # 16.5
    scene, name = before

    def grounds(armies):
        view = changed(scene.view, name, armies=armies)
        key = drawing_of_board.Stand(name, name, view.provinces[name], news(scene, name), None, None, False)
        image = drawing_of_board.patch(key, 1)[0].convert("RGBA")
        return sum(n for n, colour in image.getcolors(1 << 16) or () if colour == (*rgb(PAPER), 255))

    assert grounds(10) > grounds(9) + 300


def test_what_is_new_on_gold_land_has_an_edge_of_ink_and_white():  # 16.5
    """Gold on Mori's gold has a contrast of 1.03."""
    image = drawing_of_board.plate(30, GOLD, 1)
    row = [
        image.convert("RGB").crop((x, image.height // 2, x + 1, image.height // 2 + 1)).tobytes()
        for x in range(6)
    ]
    assert max(sum(colour) for colour in row) > 600
    assert min(sum(colour) for colour in row) < 150
