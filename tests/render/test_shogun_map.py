"""The map of Shogun: its borders are the data's, and what lies on it hides nothing."""

import json
from itertools import combinations, permutations
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from engines.shogun import data
from engines.shogun.data import PROVINCES, REGIONS
from engines.shogun.model import Province
from locales import LANGUAGES, words
from render import text
from render.canvas import put
from render.colour import SIGHT, contrast, distance, seen_as
from render.flat import as_sheet
from render.kept import number
from render.shogun import bake, layers, lens, panels, targets
from render.shogun import board as drawing
from render.shogun import map as ground
from render.shogun.icons import FARMER_GREEN, WORDS_ON, icon
from render.shogun.lens import TOP
from render.shogun.room import NAME_TYPE, found_room, taken
from render.shogun.since import NOTHING
from render.theme import (
    GOLD,
    INK,
    LACQUER,
    MUTE,
    NIGHT,
    PAPER,
    QUIET_INK,
    RAISED,
    SHOGUN,
    SHU_DARK,
    SUMI,
    WASHI,
    WIDTH,
)
from tests.render.picture_tools import shared

RULES = json.loads((Path(data.__file__).parent / "shogun.json").read_text(encoding="utf-8"))
LAND = {tuple(sorted(pair)) for pair in RULES["edges_land"]}
SEA = {tuple(sorted(pair)) for pair in RULES["edges_sea"]}


def inside(point, ring):
    x, y = point
    within = False
    for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            within = not within
    return within


def name_box(name, language="en"):
    x, y = ground.LABELS[name]
    half = text.width(words(language).term("shogun", name), NAME_TYPE) / 2
    return x - half, y - 42, x + half, y - 20


def figure_box(name):
    x, y = ground.LABELS[name]
    return x - 42, y - 21, x + 42, y + 21


def boxes_of(name, buildings, unrest):
    """The boxes of a province's row with so many of its spaces built on, and of a chip beside it."""
    built = dict.fromkeys(data.BUILDINGS[:buildings], True)
    marks = drawing.row(name, Province(unrest=unrest, **built), (INK, WASHI), None, NOTHING)
    level = [mark for mark in marks if mark[2] == marks[0][2]]
    return [box_of(level), *(box_of([mark]) for mark in marks if mark not in level)]


def box_of(marks):
    """The box round marks, without a sprite's rim, which is air."""
    left = min(x - sprite().width / 2 for sprite, x, _ in marks)
    right = max(x + sprite().width / 2 for sprite, x, _ in marks)
    tall = max(sprite().height for sprite, _, _ in marks)
    return left + 1, marks[0][2] - tall / 2 + 1, right - 1, marks[0][2] + tall / 2 - 1


def rows(unrest):
    """Every province's marks, without buildings and full of them."""
    return {
        name: [box for n in {0, data.SPACES[name]} for box in boxes_of(name, n, unrest)] for name in PROVINCES
    }


def mark(point):
    return point[0] - 23, point[1] - 23, point[0] + 23, point[1] + 23


def on_map(box):
    return box[0], box[1] - TOP, box[2], box[3] - TOP


def test_provinces_share_a_line_exactly_where_the_rules_have_a_border():
    assert ground.borders() == LAND


def test_no_line_bounds_more_than_two_provinces():
    assert max(len(names) for names in ground.segments().values()) == 2


def test_there_is_a_sea_route_exactly_where_the_rules_have_one():
    assert {tuple(sorted(pair)) for pair in ground.ROUTE_OF} == SEA


def test_a_sea_route_ends_in_its_provinces():
    for pair, line in ground.ROUTE_OF.items():
        for point in (line[0], line[-1]):
            near = min(
                min((x - point[0]) ** 2 + (y - point[1]) ** 2 for x, y in ground.POLYGONS[name]) ** 0.5
                for name in pair
            )
            assert near < 30 or any(inside(point, ground.POLYGONS[name]) for name in pair)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_province_is_named_inside_its_own_land(language):
    assert set(ground.POLYGONS) == set(ground.LABELS) == set(PROVINCES)
    for name in PROVINCES:
        assert words(language).has(f"shogun.term.{name}")
        assert inside(ground.LABELS[name], ground.POLYGONS[name]), name


def test_every_region_has_its_seal():
    assert set(ground.SEALS) == set(ground.NUMERALS) == set(REGIONS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_meets_another_name_or_figure(language):
    for one, other in combinations(PROVINCES, 2):
        assert not shared(name_box(one, language), name_box(other, language)), (one, other)
        assert not shared(name_box(one, language), figure_box(other)), (one, other)
        assert not shared(figure_box(one), name_box(other, language)), (one, other)
        assert not shared(figure_box(one), figure_box(other)), (one, other)


@pytest.mark.parametrize("unrest", [0, 3])
def test_no_row_of_marks_meets_a_name_or_a_figure_or_another_row(unrest):
    found = rows(unrest)
    for one, other in permutations(PROVINCES, 2):
        for box in found[one]:
            assert not shared(box, name_box(other)), (one, other)
            assert not shared(box, figure_box(other)), (one, other)
            assert not any(shared(box, beside) for beside in found[other]), (one, other)


@pytest.mark.parametrize("unrest", [0, 3])
def test_rows_of_marks_stay_in_their_provinces(unrest):  # 16.5
    for name, boxes in rows(unrest).items():
        over = 4 if unrest and name in ("Kazusa", "Izu") else 0  # where nothing at all is free
        for left, top, right, bottom in boxes:
            for x in (left + over, right - over):
                assert inside((x, (top + bottom) / 2), ground.POLYGONS[name]), name


def test_no_seal_meets_a_name_or_a_figure():
    for x, y in ground.SEALS.values():
        seal = (x - 21, y - 21, x + 21, y + 21)
        for name in PROVINCES:
            assert not shared(seal, name_box(name)), name
            assert not shared(seal, figure_box(name)), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_regions_name_stands_at_its_seal_and_hides_nothing(language):  # 15.7
    for region in REGIONS:
        word = words(language)(f"shogun.picture.region.{region}")
        box = ground.seal_name_box(region, text.width(word, ground.SEAL_NAME))
        assert 0 <= box[0] < box[2] <= WIDTH, region
        x, y = ground.SEALS[region]
        assert shared(box, (x - 21, y - 21, x + 21, y + 21)), region
        for name in PROVINCES:
            assert not shared(box, name_box(name, language)), (region, name)
            assert not shared(box, figure_box(name)), (region, name)
        for panel in (panels.order_box(5), panels.events_box(5, 4), panels.SPECIALS, panels.THROW):
            assert not shared(box, on_map(panel)), region


@pytest.mark.parametrize("players", [3, 4, 5])
def test_no_panel_meets_land_or_a_seal(players):
    boxes = [
        panels.order_box(players),
        panels.events_box(players, 4),
        panels.SPECIALS,
        panels.TRAY,
        panels.THROW,
    ]
    for box in map(on_map, boxes):
        for ring in ground.POLYGONS.values():
            assert not any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for x, y in ring), box
        for x, y in ground.SEALS.values():
            assert not shared(box, (x - 21, y - 21, x + 21, y + 21)), box
        for line in ground.ROUTES:
            assert not any(box[0] < x < box[2] and box[1] < y < box[3] for x, y in line), box


def test_the_mark_of_a_battle_lies_where_the_provinces_meet_and_hides_no_name_armies_or_seal():
    boxes = [box for name in PROVINCES for box in taken(name)]
    boxes += [(x - 22, y - 22, x + 22, y + 22) for x, y in ground.SEALS.values()]
    for pair in sorted(LAND | SEA):
        point = layers.meeting(*pair)
        away = min((x - point[0]) ** 2 + (y - point[1]) ** 2 for x, y in ground.shared_line(*pair))
        assert away**0.5 <= ground.ASIDE * 1.2, pair
        for box in boxes:
            allowed = 0.08 * (box[2] - box[0]) * (box[3] - box[1])  # a sliver, where it is narrow
            assert shared(mark(point), box) <= allowed, (pair, box)


@pytest.mark.long
def test_marks_of_battles_are_kept_where_they_would_be_worked_out():
    for pair in sorted(LAND | SEA)[::4]:
        assert layers.meeting(*pair) == tuple(round(v, 1) for v in ground.meeting(*pair)), pair


def test_words_stand_out_from_their_ground():
    pairs = [
        *((word, SHOGUN[house]) for house, word in WORDS_ON.items()),
        *((word, ground_) for word in (PAPER, MUTE) for ground_ in (SUMI, LACQUER, RAISED, NIGHT)),
        *((GOLD, ground_) for ground_ in (SUMI, LACQUER, NIGHT)),
        *((INK, ground_) for ground_ in (WASHI, MUTE, PAPER, GOLD)),
        (QUIET_INK, PAPER),
        (PAPER, SHU_DARK),
    ]
    for word, below in pairs:
        assert round(contrast(word, below), 1) >= 5.0, (word, below)


@pytest.mark.parametrize("sight", [None, *SIGHT])
def test_owners_can_be_told_from_each_other_and_from_neutral_land(sight):
    fills = [seen_as(fill, sight) if sight else fill for fill in (*SHOGUN.values(), WASHI)]
    assert min(distance(a, b) for a, b in combinations(fills, 2)) >= 15.9
    crests = [seen_as(fill, sight) if sight else fill for fill in (*SHOGUN.values(), FARMER_GREEN)]
    assert min(distance(a, crests[-1]) for a in crests[:-1]) >= 10


def test_what_is_out_of_play_is_hatched():
    def colours(fills):
        x, y = map(int, ground.LABELS["Aki"])
        here = x - 30, y - 30, x + 30, y + 30
        image = layers.coloured(layers.laid_out("sun", 1, here, layers.land("sun", 1)), fills)
        return len(image.getcolors() or ())

    assert colours({"Aki": WASHI}) == 1
    assert colours({}) > 1


def test_land_coloured_by_the_kinds_of_its_pixels_is_as_if_each_were_coloured():  # 16.12
    fills = dict.fromkeys(PROVINCES, WASHI) | {"Aki": SHOGUN["mori"], "Iga": SHOGUN["takeda"]}
    for place in (lens.WHOLE, lens.Lens(1.5, 90, 300, 950), lens.Lens(1.8, 60, 400, 950)):
        scale = place.scale
        box = place.box(scale)
        numbers, lines = (
            layers.laid_out("sun", scale, box, kind("sun", scale)) for kind in (layers.land, layers.borders)
        )
        expected = lens.put_together(numbers, lines, fills).convert("RGB")
        assert lens.ground(place, fills, "sun").convert("RGB").tobytes() == expected.tobytes()


@pytest.mark.parametrize("scale", layers.SCALES)
def test_a_line_round_a_province_that_was_drawn_beforehand_is_the_one_that_would_be_drawn_now(scale):
    for name, kind in zip(PROVINCES, 12 * [*layers.LINES], strict=False):
        found, drawn = layers.outline(name, kind, scale), ground.drawn_line(name, kind, scale)
        assert found is not None
        assert (found.width, found.height) == drawn.size
        land, expected = (as_sheet(Image.new("RGB", drawn.size, "#806040")) for _ in "ab")
        found.onto(land, 0, 0)
        put(expected, drawn, 0, 0)
        assert land.tobytes() == expected.tobytes(), (name, kind)
    assert layers.outline("Kai", "own", 1.3) is None


def test_a_line_that_is_read_anew_is_the_same_to_what_was_drawn_with_it():  # 16.12
    def numbers(kind):
        pieces = [piece for piece, *_ in ground.outline("Kai", kind)[0].pieces]
        return [number(piece) for piece in pieces if isinstance(piece, Image.Image)]

    first = numbers("own")
    ground.line.cache_clear()
    assert numbers("own") == first
    assert not {*first} & {*numbers("target")}


def test_a_place_is_enlarged_to_one_of_the_sizes_of_which_there_is_a_map():  # 16.12
    for one, other in combinations(PROVINCES, 2):
        found = lens.round_places([one, other])
        assert found is None or (found.scale in layers.SCALES and found.sees(one) and found.sees(other))


@pytest.mark.long
def test_what_was_drawn_beforehand_is_what_would_be_drawn_now():  # 16.12
    land, lines = bake.land_layer(1), bake.borders_layer("sun", 1)
    codes, *made = bake.in_tiles(land, lines, whole=True)
    assert bake.in_packs(codes) == (layers.FOLDER / "map-sun-1.bin").read_bytes()
    for kind, image in zip(("land", "borders"), made, strict=True):
        assert bake.png(image) == (layers.FOLDER / f"{kind}-sun-1.png").read_bytes(), kind
    assert bake.png(bake.small(land)) == (layers.FOLDER / "key.png").read_bytes()
    stored = layers.places()
    assert list(stored["rooms"]) == list(stored["chips"]) == list(PROVINCES)
    for name in PROVINCES:
        y, own, clear = found_room(name)
        assert stored["rooms"][name] == [y, list(own), list(clear)], name
    assert set(stored["meetings"]) == {"-".join(pair) for pair in LAND | SEA}
    for pair in sorted(LAND | SEA)[::9]:
        assert layers.meeting(*pair) == tuple(round(v, 1) for v in ground.meeting(*pair))


def test_a_window_lies_on_the_map_and_shows_the_places_it_is_for():  # 16.9
    for name in PROVINCES:
        found = lens.round_places([name])
        assert found is not None
        assert found.sees(name), name
        assert found.scale == 1.8
    for region in REGIONS:
        for side in ("sun", "moon"):
            found = lens.area_lens(region, side)
            assert found is not None
            assert found.left >= 0 <= found.top
            assert found.left + found.width / found.scale <= WIDTH + 1
            assert found.top + found.height / found.scale <= ground.MAP_HEIGHT + 1
            assert found.height + found.down <= 1350
            own = [name for name in PROVINCES if data.REGION[side][name] == region]
            assert all(found.sees(name) for name in own), (region, side)
    assert lens.round_places(["Mutsu", "Tosa"]) is None
    assert lens.area_lens("nowhere", "sun") is None


def test_the_temple_is_no_torii_and_differs_from_the_castle():  # 16
    def shape(name):
        return icon(name, 40, INK, PAPER).getchannel("A").point([255 * (v > 127) for v in range(256)])

    temple, castle = shape("temple"), shape("castle")
    differ = ImageChops.difference(temple, castle).histogram()[255]
    assert differ > 0.25 * temple.histogram()[255]
    step = temple.crop((0, 36, 42, 40)).histogram()[255]
    assert step > 80, "it stands on a step, a torii on two legs"


@pytest.mark.parametrize("name", PROVINCES)
@pytest.mark.parametrize(("size", "scale"), [(targets.SMALL_PLATE, 1), (targets.LARGE_PLATE, 1.8)])
def test_the_odds_of_an_attack_hide_no_name_and_no_armies(name, size, scale):  # 16.3, 16.7
    wide, tall = size[0] / scale, size[1] / scale
    lies = targets.box_at(targets.spots_of(name, wide, tall)[0], wide, tall)
    for other in PROVINCES:
        label, armies = taken(other)
        assert shared(lies, label) <= 0.1 * area_of(label), other
        most = 0.33 if name == other == "Mimasaka" else 0.1  # the smallest has not room for both
        assert shared(lies, armies) <= most * area_of(armies), other


def area_of(box):
    return (box[2] - box[0]) * (box[3] - box[1])
