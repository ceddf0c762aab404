"""What Sekigahara's pictures show beside the board: what only the viewer knows, what is new, what follows."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Choice, Event, Prompt, Seen
from engines.sekigahara.data import MON, SIDES
from engines.sekigahara.statistics import points
from engines.values import Step
from locales import LANGUAGES, words
from render import changes, finale, focus, painter, standing, standing_words
from render import text as lines
from render.canvas import Canvas
from render.colour import contrast
from render.panels import ground
from render.scene import Scene
from render.sekigahara import board as drawing
from render.sekigahara.arrows import Arrow
from render.sekigahara.board import AREAS, PLACES
from render.sekigahara.cards import offered
from render.sekigahara.field import Field
from render.sekigahara.finale import FOUGHT
from render.sekigahara.focus import window_of
from render.sekigahara.fresh import fresh
from render.sekigahara.geography import NEAR, WHOLE
from render.sekigahara.head import TOP
from render.sekigahara.own import content
from render.sekigahara.pieces import SIDE_FILL
from render.sekigahara.places import figures, map_of
from render.sekigahara.standing import contested, leader, margin, swing
from render.sekigahara.words import describe
from render.theme import GOLD, INK, WASHI, WHITE
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game
from tests.render.picture_tools import forget_sprites, wander

PAINT: Any = painter("sekigahara")
START = {"kyoto": "mori2 ukita2 ukita3 kobayakawa2 |", "gifu": "| date2 maeda2", "edo": "| tokugawa-leader"}


@pytest.fixture(scope="module")
def midgame(sekigahara):
    start = sekigahara.engine.setup(sekigahara.engine.read_options({}), 2, sekigahara.chance)
    return wander(
        sekigahara.engine, *start, until=lambda state, events: state.week == 5 and state.phase == "march"
    )


@pytest.fixture(scope="module")
def whole_game(sekigahara):
    """A random game to its end: the first step and all others."""
    engine, key = sekigahara.engine, b"whole game"
    start = engine.setup(engine.read_options({}), 2, Chance(key, 0))
    steps: list[Step[Any]] = []
    state = start.state
    while seats := engine.to_act(state):
        ply = len(steps) + 1
        action = random_action(engine, state, min(seats), Chance(key, 2 * ply))
        steps.append(engine.apply(state, min(seats), action, Chance(key, 2 * ply + 1)))
        state = steps[-1].state
    return start, steps


def with_other_faces(state: Any, side: str) -> Any:
    """The position with a side's blocks of two places exchanged, or those of one place and its box."""
    held = {p: getattr(here, side) for p, here in state.map.items() if getattr(here, side)}
    one, other = next(
        (place, face)
        for place in held
        for face in state.bags[side]
        if MON[face] not in {MON[own] for own in held[place]}
    )
    out = held[one][0]
    place = state.map[one].model_copy(update={side: (other, *held[one][1:])})
    bag = list(state.bags[side])
    bag[bag.index(other)] = out
    return state.model_copy(
        update={"map": {**state.map, one: place}, "bags": {**state.bags, side: tuple(bag)}}
    ), one


# -- what only the viewer knows ------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("where", ["whole", "place"])
def test_a_private_map_shows_its_viewers_own_faces(sekigahara, midgame, seat, where):  # 16.2
    state, _ = midgame
    other, place = with_other_faces(state, SIDES[seat])
    area = place if where == "place" else None
    one = sekigahara.scene(state, seat, (), area=area)
    two = sekigahara.scene(other, seat, (), area=area)
    assert PAINT.board(one).png != PAINT.board(two).png
    assert PAINT.own_ground(one).png != PAINT.own_ground(two).png or where == "place"
    assert PAINT.board(sekigahara.scene(state, 1 - seat, (), area=area)) == PAINT.board(
        sekigahara.scene(other, 1 - seat, (), area=area)
    ), "the other side sees no difference"


@pytest.mark.parametrize("area", [None, *AREAS, "sendai", "tanabe"])
def test_private_pictures_of_two_sides_differ_in_every_part_of_the_map(sekigahara, midgame, area):  # 16.2
    state, _ = midgame
    seen = [PAINT.board(sekigahara.scene(state, viewer, (), area=area)).png for viewer in (None, 0, 1)]
    assert len(set(seen)) == 3
    hands = {side: state.hands[side] for side in SIDES}
    poorer = state.model_copy(update={"hands": {**hands, "ishida": tuple(reversed(hands["tokugawa"][:1]))}})
    assert PAINT.board(sekigahara.scene(poorer, 0, (), area=area)).png != seen[1], "the hand is there too"


def test_the_march_panel_shows_the_chosen_stack_large_and_which_blocks_go(sekigahara):  # 16.2
    game = Game(START, phase="move", active="ishida").play("move minimal")
    asked = sekigahara.panel(game.state, 0, ["march_kyoto"])
    title, kind, names, picked = content(asked)
    assert (kind, sorted(names), picked.total()) == (
        "block",
        ["kobayakawa2", "mori2", "ukita2", "ukita3"],
        0,
    )
    assert "Kyoto" in title
    ready = sekigahara.scene(game.state, 0, action="march kyoto mori2 ukita3 > minakuchi")
    _, _, names, picked = content(ready)
    assert picked == {"mori2": 1, "ukita3": 1}
    assert len(names) == 4
    assert PAINT.board(asked).png != PAINT.board(ready).png


def test_the_bid_panel_shows_the_hand(sekigahara):  # 16.2
    state, _ = ENGINE.setup(ENGINE.read_options({}), 2, sekigahara.chance)
    asked = sekigahara.panel(state, 1)
    assert asked.prompt.code == "bid"
    _, kind, names, _ = content(asked)
    assert (kind, tuple(names)) == ("card", asked.view.hand)
    _, _, _, picked = content(replace(asked, prompt=None, action=f"bid {names[0]}"))
    assert picked == {names[0]: 1}


def test_the_muster_panel_shows_the_box(sekigahara):  # 16.2
    game = Game(START, phase="move", active="ishida", boxes={"ishida": ["mori3"], "tokugawa": []})
    game.play("move minimal")
    assert content(sekigahara.panel(game.state, 0, ["muster"]))[1:3] == ("block", ("mori3",))


def test_used_roads_are_struck_and_activated_places_ticked_while_a_side_moves(sekigahara):  # 16.2
    game = Game(START, phase="move", active="ishida").play("move minimal")
    game.play("march kyoto mori2 > minakuchi")
    scene = sekigahara.scene(game.state, 0)
    march = scene.view.march
    assert march is not None
    assert march.segments
    assert march.activated
    for part in ("segments", "activated"):
        plain = scene.view.model_copy(update={"march": march.model_copy(update={part: ()})})
        assert PAINT.board(scene).png != PAINT.board(replace(scene, view=plain)).png, part


# -- marches ------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
def test_an_arrow_has_an_outline_on_any_ground(side):  # 16.5
    for below in (WASHI, SIDE_FILL["ishida"], SIDE_FILL["tokugawa"], GOLD, INK):
        assert max(contrast(INK, below), contrast(WHITE, below)) > 5
    assert contrast(WHITE, INK) > 15
    assert max(contrast(SIDE_FILL[side], INK), contrast(SIDE_FILL[side], WHITE)) > 5


def test_a_retreat_is_seen_between_two_plates(sekigahara):  # 16.3
    game = Game({"kyoto": "mori2 |", "minakuchi": "ukita2 | date2", "osaka": "ishida-leader |"})
    gone = Seen(code="retreated", params={"seat": 0, "at": "minakuchi", "to": "kyoto", "n": 1})
    scene = replace(sekigahara.scene(game.state), events=(gone,))
    field = Field(Canvas(ground(1080, 1350)), WHOLE, TOP, scene.view)
    arrow = Arrow(field, ("minakuchi", "kyoto"))
    stands = [stand.box for stand in field.stands.values()]
    laid = [one.box for one in map_of(field, scene)]
    bare = [
        (x, y)
        for x, y in arrow.points
        if not any(b[0] < x < b[2] and b[1] < y < b[3] for b in (*stands, *laid))
    ]
    assert len(bare) * 4 >= 24


# -- what is new ----------------------------------------------------------------------------------


def test_what_is_new_since_the_last_look_is_marked_and_said(sekigahara):  # 16.8
    game = Game(START, phase="move", active="ishida").play("move minimal")
    before = game.state
    game.play("march kyoto mori2 ukita2 ukita3 kobayakawa2 > minakuchi > kuwana")
    scene = sekigahara.scene(game.state, since=sekigahara.engine.view(before, None))
    new = fresh(scene)
    assert new.stacks == {("kyoto", "ishida"): -4, ("kuwana", "ishida"): 4}
    assert "kuwana" in new.resources
    assert PAINT.board(scene).png != PAINT.board(replace(scene, since=None)).png
    said = changes(scene)
    assert "Kuwana +4" in said
    assert "Kyoto −4" in said
    assert "Ishida has a new resource: Kuwana." in said
    assert {(place, word) for place, word, *_ in figures(scene, new)} == {("kyoto", "−4"), ("kuwana", "+4")}


def test_nothing_is_marked_where_nothing_is_new(sekigahara, midgame):  # 16.8
    state, _ = midgame
    scene = sekigahara.scene(state, since=sekigahara.engine.view(state, None))
    assert not fresh(scene)
    assert changes(scene) == ""
    assert PAINT.board(scene).png == PAINT.board(replace(scene, since=None)).png


def test_cards_spent_blocks_lost_and_points_are_new_too(sekigahara, midgame):  # 16.8
    state, _ = midgame
    view = sekigahara.engine.view(state, None)
    old = view.model_copy(
        update={
            "hands": {**view.hands, "ishida": view.hands["ishida"] + 2},
            "lost": {**view.lost, "tokugawa": view.lost["tokugawa"][1:]},
            "points": {**view.points, "ishida": view.points["ishida"] - 1},
        }
    )
    scene = replace(sekigahara.scene(state), since=old)
    new = fresh(scene).counts
    assert new["hands", "ishida"] == -2
    assert new["lost", "tokugawa"] == 1
    assert new["points", "ishida"] == 1
    for language in LANGUAGES:
        said = changes(replace(scene, words=words(language)))
        assert said.strip()
        assert "sekigahara." not in said


# -- the place of a step ----------------------------------------------------------------------------


def test_a_step_in_one_place_is_shown_enlarged_with_its_names(sekigahara, look, sizes):  # 16.9
    game = Game(START, phase="move", active="ishida").play("move minimal")
    game.play("march kyoto mori2 ukita2 > minakuchi")
    scene = sekigahara.scene(game.state, None, game.events)
    picture = focus(scene)
    assert picture is not None
    image = look(picture)
    assert image.height < drawing.HEIGHT
    window = window_of(scene.events)
    assert window is not None
    assert window.zoom == NEAR == 1.8
    field = Field(Canvas(image), window, TOP, scene.view)
    assert {"minakuchi", "kyoto"} <= set(field.stands)
    names = [one for one in map_of(field, scene) if one.key.startswith("name")]
    assert all(one.box[3] - one.box[1] >= 30 for one in names)


def test_a_step_in_several_places_or_nowhere_has_no_focus(sekigahara):  # 16.9
    march = {"origin": "kyoto", "path": ["sendai"], "to": "sendai", "seat": 0, "n": 1, "drop": {}}
    first, second = Seen(code="marched", params=march), Seen(code="marched", params={**march, "to": "osaka"})
    far = Seen(code="mustered", params={"seat": 0, "to": "tanabe", "n": 1})
    assert window_of([first]) is not None
    assert window_of([first, second]) is None
    assert window_of([first, far]) is None
    assert window_of([Seen(code="movement-over", params={"seat": 0})]) is None
    state, _ = ENGINE.setup(ENGINE.read_options({}), 2, sekigahara.chance)
    assert focus(sekigahara.scene(state)) is None


def test_a_battle_or_a_private_map_has_no_focus(sekigahara):  # 16.9
    game = Game(START, phase="move", active="ishida").play("move minimal")
    game.play("march kyoto mori2 ukita2 > minakuchi")
    assert focus(sekigahara.scene(game.state, 0, game.events)) is None


# -- standing ----------------------------------------------------------------------------------------


def test_the_standing_adds_up_to_the_points(sekigahara, midgame, look):  # 16.10
    state, events = midgame
    scene = sekigahara.scene(state, None, events)
    for language in LANGUAGES:
        picture = standing(replace(scene, words=words(language)))
        assert picture is not None
        look(picture)
        said = standing_words(replace(scene, words=words(language)))
        assert all(str(n) in said for n in scene.view.points.values())
        assert "sekigahara." not in said


def test_the_standing_says_what_is_contested_and_what_it_would_change(sekigahara):  # 16.10
    game = Game(
        {
            "osaka": "ishida-leader |",
            "edo": "| tokugawa-leader",
            "okazaki": "mori3 | fukushima2",
            "kuwana": "mori2 | date2",
        }
    )
    scene = sekigahara.scene(game.state)
    assert contested(scene) == ["okazaki", "kuwana"] or set(contested(scene)) == {"okazaki", "kuwana"}
    assert (swing("okazaki"), swing("kuwana")) == (4, 2)
    assert "Okazaki (±4)" in standing_words(scene)


def test_a_side_that_holds_nothing_is_said_to_hold_none(sekigahara, midgame):  # 15
    scene = sekigahara.scene(midgame[0])
    scene = replace(scene, view=scene.view.model_copy(update={"control": {}}))
    assert standing_words(scene).count("Resources: none.") == 2
    assert describe(scene).count("Resources: none.") == 2


@pytest.mark.parametrize(
    ("ishida", "tokugawa", "wins", "short"), [(9, 9, "ishida", 1), (8, 10, "tokugawa", 2)]
)
def test_a_tie_is_ishidas(sekigahara, midgame, ishida, tokugawa, wins, short):  # 16.10
    scene = sekigahara.scene(midgame[0])
    view = scene.view.model_copy(update={"points": {"ishida": ishida, "tokugawa": tokugawa}})
    scene = replace(scene, view=view)
    assert (leader(scene), margin(scene)) == (wins, short)


# -- the end ------------------------------------------------------------------------------------------


def test_a_finished_game_is_summed_up_from_its_steps(sekigahara, whole_game):  # 16.11
    start, steps = whole_game
    told = sekigahara.engine.statistics(start, steps)
    curve = told[0]
    assert curve.code == "points"
    assert curve.params["ishida"][-1] == points(steps[-1].state)["ishida"]
    view = sekigahara.engine.view(steps[-1].state, None)
    assert {side: curve.params[side][-1] for side in SIDES} == view.points
    assert curve.params["at"] == sorted(curve.params["at"])
    assert len(curve.params["weeks"]) == view.week
    fights = [one for one in told if one.code in FOUGHT]
    assert 0 < len(fights) <= 5
    happened = sum(e.code in ("battle-over", "siege-over") for step in steps for e in step.events)
    assert len(fights) == min(5, happened)
    assert told[-1].params == {f"lost_{side}": len(view.lost[side]) for side in SIDES}


def test_two_battles_at_one_place_in_a_week_are_told_apart(sekigahara):  # 16.11
    def fight(code, **params):
        return Event(code=code, params={"at": "gifu", **params})

    over = {"winner": 0, "ishida": 9, "tokugawa": 7}
    events = (
        fight("battle-over", **over),
        fight("siege-over", seat=0, n=7),
        fight("battle-over", **over),
        fight("siege-over", seat=0, n=7),
    )
    start = sekigahara.engine.setup(sekigahara.engine.read_options({}), 2, Chance(bytes(32), 0))
    told = sekigahara.engine.statistics(start, [Step(start.state, (event,)) for event in events])
    fights = [one for one in told if one.code in FOUGHT]
    assert [one.code for one in fights] == ["battle", "siege", "battle-again", "siege-again"]
    for language in LANGUAGES:
        lines = {
            words(language)(
                f"sekigahara.statistics.{one.code}", game="sekigahara", names=("A", "B"), **one.params
            )
            for one in fights
        }
        assert len(lines) == len(fights)
    assert fights[2].params["nth"] == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_finale_is_drawn_and_told_in_every_language(sekigahara, whole_game, look, language):  # 16.11
    start, steps = whole_game
    told = sekigahara.engine.statistics(start, steps)
    scene = replace(sekigahara.scene(steps[-1].state, words=words(language)), events=tuple(told), table=12)
    picture = finale(scene)
    assert picture is not None
    look(picture)
    assert picture.png != finale(replace(scene, events=())).png  # type: ignore[union-attr]
    for one in told:
        line = scene.words(
            f"sekigahara.statistics.{one.code}", game="sekigahara", names=scene.names, **one.params
        )
        assert "sekigahara." not in line
        assert "–" not in line, "no parameter is missing"


def test_a_game_that_goes_on_has_no_finale(sekigahara, midgame):  # 16.11
    assert finale(sekigahara.scene(midgame[0])) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_map_or_of_the_standing_is_cut(
    sekigahara, midgame, whole_game, monkeypatch, language
):  # 16.5
    cut, real = [], lines.fit

    def fit(line, style, room):
        fitted = real(line, style, room)
        if fitted[0] != line:
            cut.append((line, fitted[0]))
        return fitted

    forget_sprites()
    monkeypatch.setattr(lines, "fit", fit)
    state, events = midgame
    start, steps = whole_game
    said = words(language)
    for viewer in (None, 0, 1):
        scene = sekigahara.scene(state, viewer, events, words=said, table=123)
        for picture in (PAINT.board, PAINT.standing, PAINT.hand):
            picture(scene)
        PAINT.board(replace(scene, area="kinai"))
    ended = sekigahara.scene(steps[-1].state, words=said)
    finale(replace(ended, events=tuple(sekigahara.engine.statistics(start, steps))))
    assert cut == []


# -- what follows ---------------------------------------------------------------------------------------


def test_a_preview_shows_whom_the_march_meets_and_the_odds_where_help_is_full(sekigahara):  # 16.7
    game = Game(
        {"kyoto": "mori2 ukita2 ukita3 |", "minakuchi": "| date2", "sawayama": "| date3 maeda2"},
        phase="move",
        active="ishida",
    ).play("move minimal")
    scene = sekigahara.scene(game.state, 0, action="march kyoto mori2 ukita2 ukita3 > minakuchi")
    shown = {aid: figures(replace(scene, help=aid), fresh(scene)) for aid in ("none", "basic", "full")}
    assert [(word, sign) for _, word, _, _, sign in shown["none"]] == [("+3", "")]
    assert [(word, sign) for _, word, _, _, sign in shown["basic"]] == [("3:1", "fight")]
    ((_, word, _, _, _),) = shown["full"]
    assert word.startswith("3:1 ")
    assert word.endswith("%")
    pictures = {PAINT.board(replace(scene, help=aid)).png for aid in shown}
    assert len(pictures) == 3


def test_the_places_a_stack_may_go_to_say_where_it_would_have_to_fight(sekigahara):  # 16.7
    game = Game(
        {"kyoto": "mori2 ukita2 ukita3 |", "minakuchi": "| date2", "osaka": "ishida-leader |"},
        phase="move",
        active="ishida",
    ).play("move minimal")
    scene = sekigahara.panel(game.state, 0, ["march_kyoto", "mori2"])
    assert scene.prompt.code == "march-to"
    signs = {place: sign for place, _, _, _, sign in figures(scene, fresh(scene))}
    assert signs == {"minakuchi": "fight"}
    assert figures(replace(scene, help="none"), fresh(scene)) == []


def test_the_odds_of_a_march_are_shown_where_it_may_go_once_they_are_asked_for(sekigahara):  # 16.7
    game = Game(
        {"kyoto": "mori2 ukita2 ukita3 |", "minakuchi": "| date2", "osaka": "ishida-leader |"},
        phase="move",
        active="ishida",
    ).play("move minimal")
    asked = sekigahara.panel(game.state, 0, ["march_kyoto", "mori2"])
    (odds,) = [choice for choice in asked.prompt.choices if choice.tells]
    told = sekigahara.panel(game.state, 0, ["march_kyoto", "mori2", odds.key])
    (note,) = [note for note in told.prompt.notes if note.code == "odds-at"]
    action = "march kyoto mori2 > minakuchi"
    view = ENGINE.view(game.state, 0)
    (seen,) = [one for one in ENGINE.foresee(view, action, odds=True) if one.code == "odds"]
    assert (note.params["at"], note.params["n"]) == ("minakuchi", seen.params["n"])
    shown = {place: word for place, word, _, _, _ in figures(told, fresh(told))}
    assert shown == {"minakuchi": f"{note.params['n']}%"}
    assert not any(choice.tells for choice in told.prompt.choices)
    assert PAINT.board(told).png != PAINT.board(asked).png
    ready = ENGINE.choices(game.state, 0, ("march_kyoto", "mori2", odds.key, "minakuchi"))
    assert (
        ready.action == ENGINE.choices(game.state, 0, ("march_kyoto", "mori2", "minakuchi")).action == action
    )
    alone = Game({"kyoto": "mori2 |", "osaka": "ishida-leader |"}, phase="move", active="ishida")
    at_peace = sekigahara.panel(alone.play("move minimal").state, 0, ["march_kyoto", "mori2"])
    assert not any(choice.tells for choice in at_peace.prompt.choices)


def test_all_places_may_be_asked_for():
    assert len(PLACES) > 40


def test_blocks_that_the_panel_offers_with_their_cards_are_ringed():  # 17.4
    choices = (
        Choice(key="mori_mori3", code="deploy-by", params={"what": "mori3", "card": "mori"}),
        Choice(key="mori-double_mori2_mori3", code="deploy-pair", params={"blocks": ["mori2", "mori3"]}),
        Choice(key="done", code="done", aside=True),
    )
    prompt = Prompt(code="deploy", choices=choices)
    asked, alone = (cast(Scene, SimpleNamespace(prompt=found)) for found in (prompt, None))
    assert {"mori2", "mori3"} == offered(asked) - {"done"}
    assert offered(alone) == set()
