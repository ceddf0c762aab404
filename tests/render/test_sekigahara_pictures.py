"""Sekigahara's pictures and words: map, battle and sheet in every phase, and that they betray nothing."""

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from engines.protocol import Choice, Event, Prompt
from engines.sekigahara.data import BIDS, BLOCK_COUNTS, CARD_COUNTS, MON, PLACES, SIDES
from locales import LANGUAGES, Words, words
from render import painter, standing, text
from render.canvas import Canvas
from render.colour import rgb
from render.panels import Panel, ground
from render.sekigahara import board as drawing
from render.sekigahara import cards as drawing_cards
from render.sekigahara.cards import LARGE, one_card
from render.sekigahara.field import DISK_AT, Field
from render.sekigahara.geography import AT, COAST, WHOLE
from render.sekigahara.head import CHIP, POINTS, SIDE, STATS, TOP
from render.sekigahara.pieces import SIDE_FILL
from render.sekigahara.places import edged, map_of
from render.sekigahara.room import gap
from render.sekigahara.room import overlap as shared
from render.sekigahara.score import rows
from render.theme import GOLD, NIGHT, SHU_DARK, SUMI, Type
from tests.render.picture_tools import LONGEST, forget_sprites, wander

PAINT = painter("sekigahara")
NAMES = ("Mariko", "Bence")
CASE_LIST = json.loads((Path(__file__).parents[1] / "cases" / "sekigahara.json").read_text(encoding="utf-8"))


@cache
def course(stage, start):
    """A worked case, by the beginning of its name: position and last events, before and after each step."""
    case = next(case for case in CASE_LIST if case["name"].startswith(start))
    found = [(stage.position(case["position"]), ())]
    for step in case["steps"]:
        state, events = found[-1]
        if not step.get("error"):
            text = step["action"] if isinstance(step["action"], str) else json.dumps(step["action"])
            action = stage.engine.parse(text, state, step["seat"])
            state, events = stage.engine.apply(state, step["seat"], action, stage.chance)
        found.append((state, events))
    return found


def case_at(stage, start, steps=None):
    """The position and last events of a worked case after so many steps."""
    return course(stage, start)[-1 if steps is None else steps]


def until_battle(stage, start, phase):
    """The moments of a worked case in this phase of its battle."""
    for state, events in course(stage, start):
        if state.phase == phase and state.battle is not None:
            yield state, events


def moment(stage, start, phase, number=0):
    return list(until_battle(stage, start, phase))[number]


def crowded(stage):
    """Both sides in towns beside each other, a siege, 17 blocks in a town, week 7."""
    position = stage.engine.position(case_at(stage, "limited", 0)[0])
    pool = {side: [face for face, n in BLOCK_COUNTS[side].items() for _ in range(n)] for side in SIDES}

    def some(side, count):
        taken, pool[side] = pool[side][-count:], pool[side][:-count]
        return taken

    places: dict[str, Any] = {
        "kyoto": {"ishida": some("ishida", 5), "tokugawa": some("tokugawa", 3)},
        "osaka": {"ishida": some("ishida", 17)},
        "edo": {"tokugawa": some("tokugawa", 11)},
        "gifu": {"ishida": some("ishida", 1), "tokugawa": some("tokugawa", 2), "besieged": True},
        "miyazu": {"ishida": some("ishida", 1), "tokugawa": some("tokugawa", 2), "besieged": True},
        "tsuruga": {"tokugawa": some("tokugawa", 2)},
        "sendai": {"tokugawa": some("tokugawa", 1)},
    }
    full = {
        place: {"ishida": [], "tokugawa": [], "besieged": False, **here} for place, here in places.items()
    }
    empty: dict[str, list[str]] = {"ishida": [], "tokugawa": []}
    given = {
        "week": 7,
        "map": full,
        "march": None,
        "bags": pool,
        "boxes": empty,
        "lost": empty,
        "mori_box": [],
    }
    return stage.position({**position, **given})


@pytest.fixture(scope="module")
def midgame(sekigahara):
    """A random game in its fifth week."""
    start = sekigahara.engine.setup(sekigahara.engine.read_options({}), 2, sekigahara.chance)
    return wander(
        sekigahara.engine, *start, until=lambda state, events: state.week == 5 and state.phase == "march"
    )


@pytest.fixture(scope="module")
def scenes(sekigahara, midgame):
    """One of every kind of picture, by name."""
    stage = sekigahara
    new, told = stage.engine.setup(stage.engine.read_options({}), 2, stage.chance)
    found = {
        "new": stage.scene(new, events=told),
        "midgame": stage.scene(midgame[0], events=midgame[1]),
        "midgame own": stage.scene(midgame[0], 0, midgame[1]),
        "crop": stage.scene(midgame[0], events=midgame[1], area="kanto"),
        "crop own": stage.scene(midgame[0], 1, midgame[1], area="edo"),
        "crowded": stage.scene(crowded(stage)),
        "overrun": stage.scene(*shuffle(case_at(stage, "four overrun", 2))),
        "dropped": stage.scene(*shuffle(case_at(stage, "a stack drops", 2))),
        "retreated": stage.scene(*shuffle(case_at(stage, "worked battle: losses"))),
        "over": stage.scene(*shuffle(case_at(stage, "week 7: a tie"))),
    }
    for name, start, phase in (
        ("deploy", "worked battle: losses", "deploy"),
        ("challenge", "a challenge refuted", "challenge"),
        ("answer", "a challenge refuted", "answer"),
        ("defected", "a challenge not refuted", "deploy"),
        ("lose", "worked battle: losses", "lose"),
        ("castle", "siege", "castle"),
        ("siege", "siege", "deploy"),
    ):
        state, events = moment(stage, start, phase, -1)
        found[name] = stage.scene(state, None, events)
        if name in ("deploy", "lose", "siege"):
            found[f"{name} own"] = stage.scene(state, 0, events)
        if name != "answer":
            found[f"{name} asked"] = stage.panel(state, min(stage.engine.to_act(state)))
    return {name: replace(scene, names=NAMES) for name, scene in found.items()}


def shuffle(pair):
    """(state, events) as the arguments of Stage.scene."""
    return pair[0], None, pair[1]


# -- every picture ------------------------------------------------------------------------------


def test_every_kind_of_picture_is_of_the_right_size_and_only_long_names_are_smaller_than_26_pixels(
    scenes, look, sizes
):
    for name, scene in scenes.items():
        picture = PAINT.board(scene)
        look(picture)
        assert "sekigahara." not in picture.alt, name
        assert len(PAINT.caption(scene)) < 1500, name
        assert PAINT.describe(scene), name
        sheet = PAINT.hand(scene)
        assert (sheet is None) == (scene.view.viewer is None), name
        if sheet is not None:
            look(sheet)
    for name in ("siege", "over"):
        assert standing(scenes[name]) is not None
    assert sizes
    assert min(sizes) >= 26  # 16.9
    for name in ("crowded", "deploy asked"):
        PAINT.board(replace(scenes[name], names=LONGEST))
    assert min(sizes) >= 24


def test_equal_scenes_give_equal_bytes_also_when_all_is_drawn_anew(scenes):
    names = ("crowded", "crop own", "siege")
    before = [PAINT.board(scenes[name]) for name in names]
    forget_sprites()
    assert [PAINT.board(replace(scenes[name])) for name in names] == before


@pytest.mark.parametrize(
    "language", [one if one == "hu" else pytest.param(one, marks=pytest.mark.long) for one in LANGUAGES]
)
def test_longer_words_fit(scenes, language, look):
    class Longer(Words):
        def __call__(self, key, /, **more):
            word = super().__call__(key, **more)
            return word + "w" * (len(word) * 2 // 5) if ".picture." in key or ".hand." in key else word

    longer = Longer(language, *words(language)._catalogues)
    for name in ("midgame own", "deploy asked", "siege own", "over"):
        look(PAINT.board(replace(scenes[name], words=longer, names=LONGEST)))


def test_public_pictures_are_not_private_and_own_ones_are(scenes, look):
    assert look(PAINT.board(scenes["midgame"])).getpixel((4, 4)) == rgb(SUMI)
    assert look(PAINT.board(scenes["midgame own"])).getpixel((4, 4)) == rgb(NIGHT)
    public, own = look(PAINT.board(scenes["deploy"])), look(PAINT.board(scenes["deploy own"]))
    assert own.height > public.height
    assert own.getpixel((1070, public.height + 40)) == rgb(NIGHT)


# -- the map ------------------------------------------------------------------------------------


def test_a_place_with_both_sides_covers_as_little_as_it_can(scenes):
    scene = scenes["crowded"]
    field = Field(Canvas(ground(1080, 1350)), WHOLE, TOP, scene.view)
    stands = {place: field.stand(place) for place in PLACES}
    assert stands["kyoto"].stacks == (("ishida", 5), ("tokugawa", 3))
    assert stands["miyazu"].upright  # side by side it would hide Tsuruga
    assert not shared(stands["miyazu"].box, stands["tsuruga"].box)
    for stand in stands.values():
        left, top, right, bottom = stand.box
        assert left >= 0
        assert right <= 1080
        assert top >= TOP
        assert bottom <= drawing.HEIGHT


def test_disks_are_drawn_on_their_castles(scenes, look):
    scene = scenes["midgame"]
    with_both = look(PAINT.board(scene))
    without = scene.view.model_copy(update={"disks": ()})
    bare = look(PAINT.board(replace(scene, view=without)))
    if scene.view.disks:
        assert with_both.tobytes() != bare.tobytes()
    assert {DISK_AT[name] for name in ("hideyori", "sanada")} == {"osaka", "ueda"}


def test_the_last_march_is_drawn_along_the_road(scenes, look):
    scene = scenes["overrun"]
    assert [event.code for event in scene.events][:2] == ["marched", "overrun"]
    quiet = look(PAINT.board(replace(scene, events=())))
    image = look(PAINT.board(scene))
    event = scene.events[0]
    stops = [event.params["origin"], *event.params["path"]]
    field = Field(Canvas(image), WHOLE, TOP, scene.view)
    way = field.way(stops)
    x, y = way[len(way) // 4]
    fill = rgb(SIDE_FILL[SIDES[event.params["seat"]]])
    assert image.getpixel((int(x), int(y))) == fill
    assert quiet.getpixel((int(x), int(y))) != fill


def test_losses_are_marked_where_they_fell(scenes, look):
    scene = scenes["overrun"]
    image = look(PAINT.board(scene))
    field = Field(Canvas(image), WHOLE, TOP, scene.view)
    at = scene.events[1].params["at"]
    (mark,) = (one for one in map_of(field, scene) if one.key.startswith("badge") and one.key.endswith(at))
    left, top, right, bottom = (round(edge) for edge in mark.box)
    assert rgb(SHU_DARK) in {image.getpixel((x, (top + bottom) // 2)) for x in range(left, right)}
    assert gap(mark.box, field.stand(at).box) < 30


def test_the_panel_marks_where_a_stack_may_go_and_the_way_it_takes(sekigahara, look):
    state, _ = case_at(sekigahara, "a stack drops", 1)
    asked = sekigahara.panel(state, 0, ["march"])
    assert set(edged(asked).values()) == {"target"}
    origin = asked.prompt.choices[0].key
    blocks = sekigahara.panel(state, 0, ["march", origin])
    assert edged(blocks) == {origin: "chosen"}
    pick = blocks.prompt.choices[0].key
    targets = sekigahara.panel(state, 0, ["march", origin, pick])
    marked = edged(targets)
    assert marked.pop(origin) == "chosen"
    assert set(marked.values()) == {"target"}
    look(PAINT.board(targets))
    action = f"march {origin} {pick.partition('.')[0]} > {min(marked)}"
    ready = sekigahara.scene(state, 0, action=action)
    assert edged(ready) == {origin: "chosen", min(marked): "chosen"}
    image = look(PAINT.board(ready))
    x, y = AT[origin]
    assert rgb(GOLD) in {
        image.getpixel((int(x) + dx, int(y) + TOP + dy)) for dx in range(-90, 91, 2) for dy in (-32, 32)
    }


def test_own_blocks_show_their_faces_in_a_crop_and_to_nobody_else(scenes, midgame, sekigahara):
    state, events = midgame
    place = next(p for p in PLACES if state.map[p].ishida)
    own = sekigahara.scene(state, 0, events, area=place)
    public = sekigahara.scene(state, None, events, area=place)
    assert PAINT.board(own).png != PAINT.board(public).png
    assert scenes["crop"].view.map[place].faces is None


def test_an_area_during_a_battle_shows_the_map(scenes):
    scene = scenes["deploy"]
    assert PAINT.board(scene).filename == "sekigahara-battle.png"
    assert PAINT.board(replace(scene, area=scene.view.battle.at)).filename == "sekigahara.png"


def test_the_end_names_the_winner(scenes):
    scene = scenes["over"]
    assert scene.view.winner == "ishida"
    assert "wins" in PAINT.caption(scene)


# -- the battle ---------------------------------------------------------------------------------


def test_each_deployment_is_told_with_its_card_and_its_score(sekigahara):
    state, _ = moment(sekigahara, "worked battle: 6 to 6", "deploy", -1)
    told = {side: rows(state.battle, side) for side in SIDES}
    assert [(row.face, row.card, row.score) for row in told["ishida"]] == [
        ("mori-leader", None, 1),
        ("ukita2", "ukita-double", 2),
        ("ukita2", "ukita-double", 3),
    ]
    assert [(row.face, row.card, row.score) for row in told["tokugawa"]] == [
        ("maeda-cav", "maeda-sword", 3),
        ("tokugawa3", "tokugawa", 3),
    ]
    assert [row.same for row in told["ishida"]] == [False, False, True]


@pytest.mark.parametrize(
    "start", ["worked battle: losses", "a challenge refuted", "a challenge not refuted", "siege"]
)
def test_the_scores_told_add_up_to_the_impact(sekigahara, start):
    looked = 0
    for state, _ in until_battle(sekigahara, start, "deploy"):
        for side in SIDES:
            told = [row for row in rows(state.battle, side) if not row.pending]
            assert all(row.score is not None for row in told)
            assert sum(row.score or 0 for row in told) == state.battle.impact.get(side, 0)
            looked += len(told)
    assert looked


def test_a_deployment_that_waits_for_an_answer_scores_nothing_yet(sekigahara):
    state, _ = moment(sekigahara, "a challenge refuted", "challenge")
    (row,) = rows(state.battle, "ishida")
    assert row.pending
    assert row.score is None
    assert row.card == "ukita"


def test_a_defector_is_marked_and_keeps_its_own_colours(sekigahara):
    state, _ = moment(sekigahara, "a challenge not refuted", "deploy", -1)
    (row,) = rows(state.battle, "tokugawa")
    assert row.defector
    assert row.score == 3
    assert rows(state.battle, "ishida") == []


def test_nothing_is_told_that_does_not_follow(sekigahara):
    state, _ = moment(sekigahara, "worked battle: losses", "lose", -1)
    assert all(row.score is None and not row.known for row in rows(state.battle, "ishida"))
    doubt = state.battle.model_copy(update={"lost": {}, "impact": {"ishida": 99, "tokugawa": 99}})
    assert all(not row.known for row in rows(doubt, "tokugawa"))


@pytest.mark.parametrize("count", [4, 10, 17])
def test_many_blocks_a_side_fit(scenes, look, count):
    scene = scenes["deploy own"]
    view = scene.view
    faces = {
        side: tuple(face for face, n in BLOCK_COUNTS[side].items() for _ in range(n))[:count]
        for side in SIDES
    }
    found = view.battle.model_copy(
        update={"deployed": faces, "impact": {"ishida": 63, "tokugawa": 58}, "lost": {}, "pending": None}
    )
    here = view.map[found.at].model_copy(update={"ishida": count + 6, "tokugawa": count + 6})
    many = view.model_copy(update={"battle": found, "map": {**view.map, found.at: here}})
    look(PAINT.board(replace(scene, view=many, names=LONGEST)))


def test_a_battle_is_as_tall_as_what_stands_there(scenes, look):
    scene = scenes["deploy own"]
    found = scene.view.battle

    def tall(more, **deployed):
        battle = found.model_copy(update={"deployed": deployed, "pending": None, "lost": {}, "losses": {}})
        view = scene.view.model_copy(update={"battle": battle, **more})
        return look(PAINT.board(replace(scene, view=view, prompt=None))).height

    public = {"viewer": None, "hand": None}
    nothing, one, many = (tall(public, ishida=("mori2",) * count) for count in (0, 1, 5))
    assert nothing == one < many
    assert nothing < 560
    assert tall({"hand": ()}) == tall({}) - drawing_cards.NO_HAND


def test_a_battle_has_no_private_part_where_a_player_knows_no_more(scenes):
    scene = replace(scenes["deploy own"], prompt=None)
    here = scene.view.map[scene.view.battle.at].model_copy(update={"faces": ()})
    places = {**scene.view.map, scene.view.battle.at: here}
    bare = scene.view.model_copy(update={"hand": (), "map": places})
    public = bare.model_copy(update={"viewer": None, "hand": None})
    assert PAINT.board(replace(scene, view=bare)).png == PAINT.board(replace(scene, view=public)).png
    known = bare.model_copy(update={"hand": ("mori",)})
    assert PAINT.board(replace(scene, view=known)).png != PAINT.board(replace(scene, view=bare)).png


def test_the_panel_tells_what_a_deployment_would_score(sekigahara, look):
    state = next(
        state
        for state, _ in until_battle(sekigahara, "worked battle: losses", "deploy")
        if sekigahara.engine.to_act(state) == {0} and state.battle.impact["ishida"] == 7
    )
    seat = 0
    cards = ("mori", "mori-sword", "mori-double", "loyalty")
    state = state.model_copy(update={"hands": {**state.hands, "ishida": cards}})
    offers = sekigahara.panel(state, seat)
    assert offers.prompt.code == "deploy"
    keys = [choice.key for choice in offers.prompt.choices if not choice.aside]
    confirmed = [sekigahara.panel(state, seat, [key]) for key in keys]
    pictures = {PAINT.board(scene).png for scene in (offers, *confirmed)}
    assert len(pictures) == 1 + len(keys) == 4
    look(PAINT.board(confirmed[-1]))


def test_six_offers_fit(scenes, look):
    scene = scenes["deploy own"]
    offer = Choice(key="x", code="deploy-one", params={"what": "mori-sword", "blocks": ["mori2"], "n": 6})
    pair = Choice(
        key="y", code="deploy-two", params={"what": "mori-double", "blocks": ["mori2", "mori3"], "n": 5}
    )
    prompt = Prompt(code="deploy-card", params={"what": "mori2"}, choices=(offer, pair) * 3)
    look(PAINT.board(replace(scene, prompt=prompt)))


# -- the sheet ----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [4, 8, 12])
def test_a_hand_shows_what_its_cards_are_worth_as_bids_however_many_they_are(  # 13.C24
    sekigahara, midgame, monkeypatch, count
):
    scene = sekigahara.scene(midgame[0], 0, midgame[1])
    cards = list(BIDS["ishida"])[:3] * 4
    shown: list[int] = []
    real = drawing_cards.number_disc

    def disc(number):
        shown.append(number)
        return real(number)

    monkeypatch.setattr(drawing_cards, "number_disc", disc)
    held = cards[:count]
    PAINT.hand(replace(scene, view=scene.view.model_copy(update={"hand": tuple(held)})))
    assert shown == [BIDS["ishida"][card] for card in held]


@pytest.mark.parametrize("cards", [0, 5, 6, 10, 16])
def test_a_sheet_holds_any_hand_and_seventeen_blocks_in_a_place(scenes, look, cards):
    scene = scenes["midgame own"]
    every = [card for card, n in CARD_COUNTS["ishida"].items() for _ in range(n)]
    faces = tuple(face for face, n in BLOCK_COUNTS["ishida"].items() for _ in range(n))
    osaka = scene.view.map["osaka"].model_copy(update={"faces": faces[:17], "ishida": 17})
    kyoto = scene.view.map["kyoto"].model_copy(update={"faces": faces[17:36], "ishida": 19})
    view = scene.view.model_copy(
        update={
            "hand": tuple(every[:cards]),
            "box": faces[36:48],
            "mori_box": ("mori-leader", *["mori3"] * 4),
            "map": {**scene.view.map, "osaka": osaka, "kyoto": kyoto},
        }
    )
    picture = PAINT.hand(replace(scene, view=view))
    assert picture is not None
    look(picture)
    assert "Kyoto" in picture.alt


# -- words --------------------------------------------------------------------------------------


def test_a_card_s_bid_stays_clear_of_the_longest_name(scenes):
    canvas = Canvas(ground(200, 260, NIGHT))
    panel = Panel(canvas, (0, 0, 200, 260), drawn=False)
    size = 162, LARGE
    one_card(panel, scenes["midgame own"], "ishida", "kobayakawa-double", (100, 130), size, picked=False)
    below = canvas.image.crop((130, 160, 174, 250))  # the end of the name, the disc under it
    inked = [len(below.crop((0, y, below.width, y + 1)).getcolors() or ()) > 1 for y in range(below.height)]
    bands = [(ink, len(list(band))) for ink, band in groupby(inked)]
    name = next(n for n, (ink, _) in enumerate(bands) if ink)
    assert [ink for ink, _ in bands[name : name + 3]] == [True, False, True]  # the name, air, the disc
    assert bands[name + 1][1] >= 6


def test_sentences_of_the_board_in_words_end_before_the_next_begins(scenes):
    for told in (PAINT.describe(scenes["deploy"]), PAINT.board(scenes["deploy"]).alt):
        assert "in the bag. Battle at " in told.replace("\n", " ")


def test_the_alt_text_says_the_change_first(scenes):
    alt = PAINT.board(scenes["overrun"]).alt
    assert alt.index("march") < alt.index("Week 3")
    assert "Preview of" in PAINT.board(replace(scenes["midgame own"], action="end")).alt[:12]


def test_many_events_are_cut_to_a_readable_caption(scenes):
    scene = scenes["overrun"]
    caption = PAINT.caption(replace(scene, events=scene.events * 60))
    assert len(caption) <= 1500
    assert caption.endswith(PAINT.caption(replace(scene, events=())))


# -- secrets ------------------------------------------------------------------------------------


def swapped(state, viewer):
    """The position with every face, card and order changed that this viewer may not know."""
    dice = random.Random(5)
    hidden = [side for seat, side in enumerate(SIDES) if seat != viewer]
    change: dict[str, Any] = {
        name: dict(getattr(state, name)) for name in ("hands", "decks", "bags", "boxes")
    }
    places = dict(state.map)
    for side in hidden:
        cards = [*change["hands"][side], *change["decks"][side]]
        dice.shuffle(cards)
        cut = len(change["hands"][side])
        change["hands"][side], change["decks"][side] = tuple(cards[:cut]), tuple(cards[cut:])
        blocks = [face for place in places.values() for face in getattr(place, side)]
        blocks += [*change["boxes"][side], *change["bags"][side]]
        shown = [face for face in deployed(state, side) if face in blocks]
        at = state.battle.at if state.battle else None
        for face in shown:
            blocks.remove(face)
        dice.shuffle(blocks)
        for name, place in places.items():
            count = len(getattr(place, side)) - (len(shown) if name == at else 0)
            taken = [*(shown if name == at else ()), *blocks[:count]]
            blocks = blocks[count:]
            places[name] = place.model_copy(update={side: tuple(taken)})
        box = len(change["boxes"][side])
        change["boxes"][side], change["bags"][side] = tuple(blocks[:box]), tuple(blocks[box:])
    return state.model_copy(update={**change, "map": places})


def deployed(state, side):
    """A side's blocks that everybody has seen at the battle."""
    if state.battle is None:
        return []
    own: Mapping[str, int] = BLOCK_COUNTS[side]
    shown = [face for faces in state.battle.deployed.values() for face in faces]
    shown += state.battle.pending.blocks if state.battle.pending else ()
    return [face for face in shown if face in own]


@pytest.mark.parametrize("viewer", [None, 0, 1])
@pytest.mark.parametrize(
    ("start", "phase"),
    [
        (None, "march"),
        ("worked battle: losses", "deploy"),
        ("a challenge refuted", "challenge"),
        ("siege", "deploy"),
    ],
)
def test_pictures_and_words_betray_no_face_and_no_card(sekigahara, midgame, viewer, start, phase):
    state, events = midgame if start is None else moment(sekigahara, start, phase, -1)
    if start is None:
        state = state.model_copy(update={"march": state.march.model_copy(update={"moved": {}})})
    other = swapped(state, viewer)
    assert other != state
    one = sekigahara.scene(state, viewer, without_private(events))
    two = sekigahara.scene(other, viewer, without_private(events))
    for area in (None, "kinai") if start is None else (None,):
        assert PAINT.board(replace(one, area=area)) == PAINT.board(replace(two, area=area))
    assert PAINT.hand(one) == PAINT.hand(two)
    assert PAINT.caption(one) == PAINT.caption(two)
    assert PAINT.describe(one) == PAINT.describe(two)


def without_private(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Events as everybody knows them: what is private to one side is not what is tested here."""
    return tuple(event.model_copy(update={"private": {}}) for event in events)


def test_every_block_has_a_mon_and_a_word():
    for side in SIDES:
        for face in BLOCK_COUNTS[side]:
            assert MON[face]
            assert words("en").has(f"sekigahara.term.{face}")


def siege_of_seven(stage):
    """A siege in which Tokugawa has deployed seven of impact."""
    for case in CASE_LIST:
        if "siege" not in case["name"]:
            continue
        for steps in range(len(case["steps"]) + 1):
            state, events = case_at(stage, case["name"], steps)
            if state.battle and state.battle.siege and state.battle.impact["tokugawa"] == 7:
                return state, None, events
    raise AssertionError("no worked case has such a siege")


def test_the_bar_of_a_battle_fills_from_where_its_labels_begin(sekigahara, look):  # 15.7
    scene = sekigahara.scene(*siege_of_seven(sekigahara))
    filled = {}
    for language in ("en", "he"):
        image = look(PAINT.board(replace(scene, words=words(language))))
        left = 546 if language == "en" else 12  # Tokugawa's panel
        row = [image.getpixel((left + 22 + x, 120 + 118)) for x in range(478)]
        light = [x for x, colour in enumerate(row) if min(colour) > 200]
        filled[language] = (min(light), max(light))
    first, last = filled["en"]
    assert first < 20
    assert 130 < last < 170, "it ends at the first seven"
    assert filled["he"][0] == pytest.approx(477 - last, abs=4)
    assert filled["he"][1] == pytest.approx(477 - first, abs=4)


def test_the_weeks_fill_from_where_a_line_begins(sekigahara, look):  # 15.7
    state, _ = sekigahara.engine.setup(sekigahara.engine.read_options({}), 2, sekigahara.chance)
    for language, first, last in (("en", 444, 636), ("he", 636, 444)):
        image = look(PAINT.board(sekigahara.scene(state, words=words(language))))
        gold, empty = image.getpixel((first, 132)), image.getpixel((last, 132))
        assert gold[0] > 180 > 60 > max(empty), language


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_signs_below_a_sides_name_are_explained_where_only_sea_is(language):  # 15.7
    left, top, right, bottom = drawing.SIGNS
    for name in ("cards", "box", "bag", "lost"):
        word, _ = text.fit(
            words(language)(f"sekigahara.picture.sign.{name}"), Type("quiet", 25), right - left - 58
        )
        assert "…" not in word
        assert word != f"sekigahara.picture.sign.{name}"
    coast = [(x, y + TOP) for ring in COAST for x, y in ring]
    assert not any(left < x < right and top < y < bottom for x, y in coast)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_battle_is_cut(sekigahara, monkeypatch, language):  # 15.7
    cut, real = [], text.fit

    def fit(line, style, room):
        fitted = real(line, style, room)
        if fitted[0] != line:
            cut.append((line, fitted[0]))
        return fitted

    monkeypatch.setattr(text, "fit", fit)
    for start in ("worked battle: losses", "siege"):
        for phase in ("deploy", "lose"):
            for state, events in until_battle(sekigahara, start, phase):
                PAINT.board(sekigahara.scene(state, None, events, words=words(language)))
    assert cut == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_for_points_has_air_beside_the_last_number_that_has_changed(language):  # 16.5
    word = text.width(words(language)("sekigahara.picture.points"), POINTS)
    chip = max(start for _, start, _ in STATS) - 18 + CHIP
    assert chip + 10 < SIDE - 12 - word
