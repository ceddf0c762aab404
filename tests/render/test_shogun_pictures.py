"""Shogun's pictures and words: every phase, what they weigh and show, and that they betray nothing."""

import random
import re
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops

from engines.chance import Chance
from engines.protocol import Choice, Event, Prompt, Seen
from engines.shogun import Shogun
from engines.shogun.data import ACTIONS, EVENTS, PROVINCES, REGIONS
from engines.shogun.model import Battle
from locales import LANGUAGES, Words, words
from render import Scene, painter
from render.colour import rgb
from render.shogun import hand as sheet
from render.shogun import panels
from render.shogun.board import crest_aside
from render.shogun.lens import TOP
from render.shogun.map import LABELS, SEALS, meeting, seal_name, seal_name_box
from render.shogun.narration import FIGHTS, READABLE, by_action, important
from render.shogun.targets import previewed
from render.shogun.words import MOST_CAPTION, now_line, winners
from render.theme import GOLD, NIGHT, SHOGUN, SUMI, TALLEST, WASHI
from tests.render.picture_tools import forget_sprites, wander

PAINT = painter("shogun")
PLAYERS = ("Maximilian", "Bartholome", "Alexandros", "Friederike", "Konstantin")


class Story:
    """Moments of random games, each found once."""

    def __init__(self, stage):
        self.stage, self.found = stage, {}

    def at(self, name, seats=5, **options):
        """The state and last events of a moment by name."""
        if name not in self.found:
            engine, chance = (
                self.stage.engine,
                Chance(name.encode(), 0),
            )  # whichever moment is asked for first
            start = engine.setup(engine.read_options(options), seats, chance)
            self.found[name] = wander(engine, *start, until=MOMENTS[name])
        return self.found[name]

    def scene(self, name, viewer=None, **more):
        options = {key: more.pop(key) for key in ("seats", "side", "setup") if key in more}
        state, events = self.at(name, **options)
        more.setdefault("names", PLAYERS[: len(state.players)])
        return self.stage.scene(state, viewer, events, **more)


def fought(events):
    return any(event.code.startswith("attacked") for event in events)


MOMENTS = {
    "draft": lambda state, events: state.phase == "draft" and state.draft.pile and len(events) > 1,
    "turned-up": lambda state, events: state.phase == "draft" and state.draft.drawn is not None,
    "moon": lambda state, events: state.phase == "action" and fought(events),
    "plan": lambda state, events: (
        state.phase == "plan" and sum(p.plan is not None for p in state.players) == 2
    ),
    "special": lambda state, events: state.phase == "special" and any(p.special for p in state.players),
    "battle": lambda state, events: state.pending == "battle" and fought(events),
    "move": lambda state, events: state.pending == "move",
    "winter": lambda state, events: state.phase == "winter" and state.winter.revolts,
    "over": lambda state, events: state.phase == "over",
}


@pytest.fixture(scope="module")
def story(shogun):
    return Story(shogun)


@pytest.fixture(scope="module")
def scenes(story):
    """One of every kind of picture."""
    moon = {"seats": 3, "side": "moon", "setup": "draft"}
    battle, _ = story.at("battle")
    stage = story.stage
    target = stage.engine.choices(battle, battle.turn, ()).choices[0].key
    armies = stage.engine.choices(battle, battle.turn, (target,)).choices[0].key
    special, _ = story.at("special")
    return {
        "draft": story.scene("draft", setup="draft"),
        "turned-up": story.scene("turned-up", setup="draft"),
        "moon": story.scene("moon", **moon),
        **{name: story.scene(name) for name in ("plan", "special", "battle", "move", "winter", "over")},
        "values": story.scene("battle", layer="values"),
        "targets": stage.panel(battle, battle.turn, (), names=PLAYERS),
        "how many": stage.panel(battle, battle.turn, (target,), names=PLAYERS),
        "confirm": stage.panel(battle, battle.turn, (target, armies), names=PLAYERS),
        "which special": stage.panel(special, special.turn, (), names=PLAYERS),
        "resign": story.scene("plan", 0, action="resign"),
    }


def test_every_kind_of_picture_is_of_the_right_size_and_nothing_on_it_is_smaller_than_26_pixels(
    scenes, story, look, sizes
):
    for name, scene in scenes.items():
        picture = PAINT.board(scene)
        assert look(picture).height == panels.HEIGHT, name
        assert "shogun." not in picture.alt, name
        assert 0 < len(PAINT.caption(scene)) < MOST_CAPTION, name
        assert PAINT.describe(scene), name
    PAINT.hand(story.scene("plan", 0))
    assert sizes
    assert min(sizes) >= 26


def test_a_sheet_is_of_the_right_size_with_any_number_of_cards(story, look):
    state, _ = story.at("plan")
    plan = next(p.plan for p in state.players if p.plan is not None)
    for cards in range(len(plan) + 1):
        text = " ".join(["plan", *(f"{space}={card}" for space, card in list(plan.items())[:cards])])
        picture = PAINT.hand(story.scene("plan", 0, action=text))
        assert picture is not None
        assert look(picture).height == sheet.HEIGHT
        assert picture.alt
    assert PAINT.hand(story.scene("plan")) is None


def test_the_sheet_shows_the_plan_that_was_sent_and_the_panels_picks(story):
    state, _ = story.at("plan")
    ready = next(seat for seat, player in enumerate(state.players) if player.plan is not None)
    scene = story.scene("plan", ready)
    assert sheet.laid(scene) == state.players[ready].plan
    picks = (
        Choice(key="chest1", code="chest-card", params={"card": "chest1", "chests": 1}),
        Choice(key="none", code="no-card"),
    )
    prompt = Prompt(code="space", params={"space": "theater"}, choices=picks)
    assert sheet.laid(replace(scene, prompt=prompt, picked=picks)) == {"castle": "chest1"}
    assert sheet.laid(replace(scene, action="plan castle=nowhere")) == {}


def test_equal_scenes_give_equal_bytes_also_when_all_is_drawn_anew(scenes):
    before = [PAINT.board(scenes[name]) for name in ("battle", "draft")]
    forget_sprites()
    assert [PAINT.board(replace(scenes[name])) for name in ("battle", "draft")] == before


@pytest.mark.parametrize(
    "language", [one if one == "hu" else pytest.param(one, marks=pytest.mark.long) for one in LANGUAGES]
)
def test_longer_words_fit(scenes, story, language, look):
    class Longer(Words):
        def __call__(self, key, /, **more):
            word = super().__call__(key, **more)
            return word + "w" * (len(word) * 2 // 5) if ".picture." in key or ".sheet." in key else word

    longer = Longer(language, *words(language)._catalogues)
    for name in ("draft", "special", "battle", "over"):
        look(PAINT.board(replace(scenes[name], words=longer)))
    look(PAINT.hand(story.scene("plan", 0, words=longer)))


def test_owners_and_neutral_land_have_their_colour(scenes, look):
    scene = scenes["winter"]
    image = look(PAINT.board(scene))
    houses = list(SHOGUN.values())
    for name, province in scene.view.provinces.items():
        x, y = LABELS[name]
        fill = WASHI if province.owner is None else houses[province.owner]
        around = {
            image.getpixel((int(x) + dx, int(y) + TOP + dy))
            for dx in range(-36, 37, 4)
            for dy in range(-14, 21, 4)
        }
        assert rgb(fill) in around, name


def test_a_preview_is_private_and_a_public_board_is_not(scenes, look):
    assert look(PAINT.board(scenes["confirm"])).getpixel((4, 4)) == rgb(NIGHT)
    assert look(PAINT.board(scenes["battle"])).getpixel((4, 4)) == rgb(SUMI)


def test_the_preview_marks_source_and_target_and_says_how_many(scenes, look):
    scene = scenes["confirm"]
    action = previewed(scene)
    assert isinstance(action, Battle)
    image = look(PAINT.board(scene))
    x, y = meeting(
        scene.view.players[scene.view.turn].plan[scene.view.actions[scene.view.action_index]], action.to
    )
    near = {image.getpixel((int(x) + dx, int(y) + TOP + 14)) for dx in range(-8, 9)}
    assert rgb(GOLD) in near
    assert str(action.armies) in now_line(scene)


def test_the_last_battle_is_marked_on_its_border_and_its_throw_is_told(scenes, look):
    scene = scenes["battle"]
    throw = panels.last_throw(scene.events)
    assert throw is not None
    assert sum(throw.thrown) > 0
    quiet = replace(scene, events=())
    assert panels.last_throw(()) is None
    assert PAINT.board(quiet).png != PAINT.board(scene).png
    look(PAINT.board(quiet))


def test_a_battle_over_the_sea_is_marked_too(story, look):
    scene = story.scene("plan")
    params = {"seat": 0, "source": "Kii", "province": "Awa-Shikoku", "armies": 2}
    by_sea = replace(scene, events=(Seen(code="attacked-neutral", params=params),))
    x, y = meeting("Kii", "Awa-Shikoku")
    assert look(PAINT.board(by_sea)).getpixel((int(x), int(y) + TOP + 17)) == (255, 255, 255)


def test_revolts_in_winter_are_marked(scenes, look):
    scene = scenes["winter"]
    calm = replace(scene, view=scene.view.model_copy(update={"winter": None}))
    assert look(PAINT.board(scene)).tobytes() != look(PAINT.board(calm)).tobytes()


def test_the_order_of_revolts_stands_in_place_of_the_crest_and_hides_no_armies(scenes, look):
    scene = replace(scenes["winter"], events=())
    names = [name for name in PROVINCES if scene.view.provinces[name].owner is not None][:5]
    asked = look(PAINT.board(replace(scene, action=" ".join(["revolts", *names]))))
    before = look(PAINT.board(scene))
    for name in names:
        x, y = LABELS[name]
        middle = x + crest_aside(scene.view.provinces[name].armies, 1)
        figure = tuple(round(at) for at in (middle + 28, y + TOP - 15, middle + 46, y + TOP + 15))
        assert asked.crop(figure).tobytes() == before.crop(figure).tobytes(), name
        crest = tuple(round(at) for at in (middle - 14, y + TOP - 14, middle + 14, y + TOP + 14))
        assert rgb(GOLD) in {colour for _, colour in asked.crop(crest).getcolors(2000)}, name


def test_the_end_ranks_the_seats_and_names_the_winner(scenes):
    scene = scenes["over"]
    result_event = next(event for event in scene.events if event.code == "game-over")
    assert winners(scene.view) == result_event.params["winners"]
    first = scene.names[winners(scene.view)[0]]
    assert first in now_line(scene)
    assert re.match(r"\w+ wins the game\.", PAINT.caption(scene))


def test_a_tie_is_broken_by_chests_or_shared(scenes):
    view = scenes["over"].view
    players = tuple(p.model_copy(update={"points": 20, "chests": 1}) for p in view.players)
    assert winners(view.model_copy(update={"players": players})) == [0, 1, 2, 3, 4]
    richer = (*players[:3], players[3].model_copy(update={"chests": 2}), players[4])
    assert winners(view.model_copy(update={"players": richer})) == [3]
    gone = (*richer[:3], richer[3].model_copy(update={"passive": True}), richer[4])
    assert winners(view.model_copy(update={"players": gone})) == [0, 1, 2, 4]


# -- words ------------------------------------------------------------------------------------


def reveal(story):
    """All events of a round from the reveal to the next season, as one public scene."""
    engine = story.stage.engine
    state, _ = story.at("plan")
    told: list[Event] = []

    def next_season(now, events):
        told.extend(events)
        return now.season != state.season

    after, _ = wander(engine, state, until=next_season)
    names = tuple(f"<@{seat}00000000000000000>" for seat in range(1, 6))
    return story.stage.scene(after, events=told, names=names)


def test_the_caption_of_a_whole_round_is_readable(story):
    scene = reveal(story)
    caption = PAINT.caption(scene)
    assert READABLE < len(caption) < MOST_CAPTION
    assert "shogun." not in caption
    lines = caption.split("\n")
    fights = [told_in(scene, event, lines) for event in scene.events if event.code in FIGHTS]
    assert fights
    assert fights == sorted(fights)
    assert any(line.startswith(("Build a castle:", "Collect tax:", "Recruit 5 armies:")) for line in lines)
    assert lines[-1].startswith("Planning")
    assert len(lines) == len(set(lines))


def told_in(scene, event, lines):
    """The line that tells an event, at either length."""
    full = scene.words.event("shogun", event, scene.names)
    return next(n for n, line in enumerate(lines) if line in {full, important(scene, event)})


def test_a_fight_is_told_with_its_numbers_where_there_is_room(story):  # 13.C17
    scene = reveal(story)
    fights = [event for event in scene.events if event.code.startswith(("conquered", "held", "tied"))]
    few = replace(scene, events=tuple(fights[:1]))  # a whole round's other events may leave no room
    assert scene.words.event("shogun", fights[0], scene.names) in PAINT.caption(few)


def test_a_viewers_own_fight_gets_its_numbers_before_those_of_others(story):  # 13.C17
    scene, places = reveal(story), ("Kai", "Mino", "Omi", "Kaga", "Ise")
    one = next(e for e in scene.events if e.code in FIGHTS and scene.words.has(f"shogun.told.{e.code}"))
    fights = [
        one.model_copy(
            update={"params": {**one.params, "seat": seat, "owner": None, "province": places[seat]}}
        )
        for seat in range(5)
    ]
    scene, more = replace(scene, events=tuple(fights)), []
    for seat in range(5):
        own = replace(scene, view=scene.view.model_copy(update={"viewer": seat}))
        full = {scene.words.event("shogun", fights[seat], scene.names)}
        for most in range(50, 1000, 9):
            ours, theirs = (len(full & {*by_action(told, most)}) for told in (own, scene))
            more.append(ours - theirs)
    assert min(more) == 0
    assert max(more) > 0


def test_the_winter_is_told_in_the_order_in_which_it_happened(story):  # 13.C17
    engine, told = story.stage.engine, list[Event]()

    def spring(now, events):
        told.extend(events)
        return now.year == 2

    state, _ = story.at("plan")
    after, _ = wander(engine, state, until=spring)
    begun = [event.code for event in told].index("winter-came")
    scene = story.stage.scene(after, events=told[begun:], names=("Ann", "Ben", "Cho", "Dan", "Eve"))
    caption = PAINT.caption(scene)
    lines = caption.split("\n")
    codes = ("winter-came", *FIGHTS, "rice-lost", "scored", "year-began", "round-dealt")
    events = [event for event in scene.events if event.code in codes]
    left_out = [e for e in events if e.code == "rice-lost" and important(scene, e) not in lines]
    assert all(len(caption) + len(important(scene, e)) >= MOST_CAPTION for e in left_out), "there is room"
    places: dict[str, list[int]] = {}
    for event in events:
        if event not in left_out:  # what matters least
            places.setdefault(event.code, []).append(told_in(scene, event, lines))
    in_turn = [told_in(scene, event, lines) for event in events if event not in left_out]
    assert in_turn == sorted(in_turn)
    assert {*FIGHTS} & {*places}, "somebody went hungry"
    assert next(iter(places)) == "winter-came"
    scores = [lines[n] for n in places["scored"]]
    assert len(scores) == 5
    assert all("provinces" in line and "buildings" in line and "majorities" in line for line in scores)
    assert max(places["scored"]) < places["year-began"][0]


def test_no_count_stands_bare_beside_a_name(story):  # 13.C17
    scene = reveal(story)
    names = ("Hatamoto", "Okubo", "Torii", "Mizuno", "Naito")
    caption = PAINT.caption(replace(scene, names=names))
    assert not re.search(rf"(?:{'|'.join(names)}) \d", caption)


def test_a_short_caption_is_told_step_by_step(scenes):
    caption = PAINT.caption(scenes["special"])
    assert len(caption) <= READABLE + 100
    assert "\n" not in caption


def test_the_alt_text_says_the_change_first_and_stays_short(story, scenes):
    alt = PAINT.board(reveal(story)).alt
    assert len(alt) < 1000
    assert "\n" not in alt
    preview = PAINT.board(scenes["confirm"]).alt
    assert preview.startswith("Preview of")
    assert re.match(r"\w+ \([\w ]+\) wins the game\.", PAINT.board(scenes["over"]).alt)


def test_the_description_names_every_province(scenes):
    described = PAINT.describe(scenes["battle"])
    for name in scenes["battle"].view.provinces:
        assert words("en").term("shogun", name) in described


# -- secrets ----------------------------------------------------------------------------------


def shuffled(state, viewer):
    """The position with everything changed that this viewer may not know."""
    dice = random.Random(7)
    players = list(state.players)
    for seat, player in enumerate(players):
        if seat != viewer and player.plan is not None and state.phase == "plan":
            spaces = list(player.plan)
            dice.shuffle(spaces)
            plan = dict(zip(spaces, player.plan.values(), strict=True))
            players[seat] = player.model_copy(update={"plan": plan})
    known = 5 + state.action_index if state.phase != "winter" else 10
    closed, pile = list(state.actions[known:]), list(state.event_pile)
    dice.shuffle(closed)
    dice.shuffle(pile)
    change = {
        "players": tuple(players),
        "actions": (*state.actions[:known], *closed),
        "event_pile": tuple(pile),
    }
    return state.model_copy(update=change)


@pytest.mark.parametrize("moment", ["plan", "special", "battle", "winter"])
@pytest.mark.parametrize("viewer", [None, 0])
def test_pictures_and_words_betray_no_plan_and_no_deck(story, moment, viewer):
    state, events = story.at(moment)
    other = shuffled(state, viewer)
    assert other != state or moment == "winter"
    one = story.stage.scene(state, viewer, events, names=PLAYERS)
    two = story.stage.scene(other, viewer, events, names=PLAYERS)
    assert PAINT.board(one) == PAINT.board(two)
    assert PAINT.hand(one) == PAINT.hand(two)
    assert PAINT.caption(one) == PAINT.caption(two)
    assert PAINT.describe(one) == PAINT.describe(two)


def test_a_panel_with_four_events_and_long_words_keeps_its_place(story, look):
    scene = story.scene("plan")
    view = scene.view.model_copy(update={"events": tuple(EVENTS[:4])})
    look(PAINT.board(replace(scene, view=view)))
    assert panels.events_box(5, 4)[3] - TOP <= SEALS["green"][1] - 21 - 8


def test_the_sheet_marks_what_may_not_work():
    rules = Shogun()
    state = rules.setup(rules.read_options({}), 3, Chance(bytes(32), 0)).state
    own = next(name for name, province in state.provinces.items() if province.owner == 0)

    def castle(chests):
        players = (state.players[0].model_copy(update={"chests": chests}), *state.players[1:])
        view = rules.view(state.model_copy(update={"players": players}), 0)
        plan = f"plan castle={own.casefold()} bid=chest4"
        found: Any = PAINT.hand(Scene("shogun", view, PLAYERS[:3], words("en"), action=plan))
        number = [*view.actions, *(a for a in ACTIONS if a not in view.actions)].index("castle")
        left, top = 12 + sheet.COLUMN * (number % 2), TOP + sheet.ROW * (number // 2)
        image = Image.open(BytesIO(found.png)).convert("RGB")
        return image.crop((left, top, left + 522, top + 150)).tobytes()

    assert castle(7) == castle(12)
    assert castle(6) != castle(7), "one chest short: its space is marked"


@pytest.mark.parametrize("count", [9, 16, 27, 36])
@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_sheet_shows_every_card_in_the_hand(story, monkeypatch, look, count, locale):  # 13.C24
    scene = story.stage.scene(story.at("plan")[0], viewer=0, names=PLAYERS, words=words(locale))
    provinces = {
        name: province.model_copy(update={"owner": 0 if number < count else None})
        for number, (name, province) in enumerate(scene.view.provinces.items())
    }
    many = replace(scene, view=scene.view.model_copy(update={"provinces": provinces}))
    laid = set(sheet.laid(many).values())
    own = sum(province.owner == 0 and name not in laid for name, province in provinces.items())
    drawn: list[Any] = []
    real = sheet.tag

    def tag(*given):
        drawn.append(given)
        real(*given)

    monkeypatch.setattr(sheet, "tag", tag)
    picture = look(PAINT.hand(many))
    assert len(drawn) == own
    assert picture.height <= TALLEST
    boxes = [(id(panel), start, y) for panel, start, y, *_ in drawn]
    assert len(set(boxes)) == own, "none lies on another"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_map_names_its_regions_in_the_language_of_who_looks(scenes, look, language):  # 15.7
    scene = replace(scenes["plan"], words=words(language))
    image = look(PAINT.board(scene))
    for region in REGIONS:
        plate = seal_name(words(language)(f"shogun.picture.region.{region}"))
        left, top, _, _ = seal_name_box(region, plate.width - 14)
        box = (
            round(left),
            round(top) + TOP,
            round(left) + plate.width,
            round(top) + TOP + plate.height,
        )
        drawn = image.crop(box)
        drawn.paste(plate, (0, 0), plate)
        difference = ImageChops.difference(drawn, image.crop(box)).convert("L")
        assert not any(difference.histogram()[80:]), region
