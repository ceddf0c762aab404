"""The map of Sekigahara: every place named, no name on another's piece, the data's roads and no others."""

from itertools import combinations, pairwise
from math import hypot

import pytest

from engines.sekigahara.data import CASTLES, HIGHWAYS, MON, PLACES, RECRUITS, SEGMENTS, SIDES
from locales import LANGUAGES, words
from render.colour import SIGHT, contrast, distance, seen_as
from render.sekigahara import geography as ground
from render.sekigahara import land
from render.sekigahara import map as named
from render.sekigahara.arrows import OFF, straightened
from render.sekigahara.battle import REACHED
from render.sekigahara.board import AREAS, window_of
from render.sekigahara.pieces import SIDE_FILL, SIDE_INK, marker, mon, token
from render.theme import (
    GOLD,
    INK,
    LACQUER,
    MUTE,
    NIGHT,
    PAPER,
    SEA,
    SEKIGAHARA,
    SHU_DARK,
    SUMI,
    WASHI,
    WIDTH,
)
from tests.render.picture_tools import shared

ROAD_POINTS = [point for line in ground.ROADS.values() for point in line]


def around(place, half, tall):
    x, y = ground.AT[place]
    return x - half, y - tall, x + half, y + tall


def road_under(box):
    return sum(box[0] < x < box[2] and box[1] < y < box[3] for x, y in ROAD_POINTS)


def test_the_roads_drawn_are_the_roads_of_the_rules():
    assert set(ground.ROADS) == {frozenset(pair) for pair in SEGMENTS}
    highways = {pair for pair, kind in ground.KIND.items() if kind == "highway"}
    assert highways == {frozenset(pair) for pair in HIGHWAYS}


def test_a_road_begins_and_ends_at_its_places():
    for one, other in SEGMENTS:
        line = ground.road(one, other)
        for place, (x, y) in ((one, line[0]), (other, line[-1])):
            ax, ay = ground.AT[place]
            assert abs(ax - x) + abs(ay - y) < 3, (one, other)
        assert ground.road(other, one) == line[::-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_is_named(language):
    for place in PLACES:
        assert words(language).has(f"sekigahara.term.{place}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_meets_another_name_a_marker_or_a_stack(language):
    tags = {place: named.tag_box(words(language), place) for place in PLACES}
    for one, other in combinations(PLACES, 2):
        assert not shared(tags[one], tags[other]), (one, other)
    for tag in PLACES:
        for place in PLACES:
            assert not shared(tags[tag], around(place, 22, 22)), (tag, place)
            if tag != place:
                assert not shared(tags[tag], around(place, 61, 27)), (tag, place)


def test_names_lie_on_roads_no_more_than_the_layout_has_it():
    for place in PLACES:
        tag = named.tag_box(words("en"), place)
        layout = ground.TAGS[place]
        mons = 30 * len(RECRUITS[place])
        allowed = road_under(
            (layout[0] - 8 - mons / 2, layout[1] - 3, layout[2] + 8 + mons / 2, layout[3] + 3)
        )
        assert road_under(tag) <= allowed, place


def test_no_name_leaves_the_map():
    for place in PLACES:
        left, top, right, bottom = named.tag_box(words("en"), place)
        assert left >= 0
        assert right <= WIDTH
        assert 0 <= top < bottom <= ground.MAP_HEIGHT


def test_a_crop_shows_its_place_and_writes_names_larger_but_less_than_the_map():
    for area in (*AREAS, *PLACES):
        window = window_of(area)
        assert window.zoom == ground.NEAR, area
        assert 0 <= window.left <= WIDTH - WIDTH / ground.NEAR, area
        assert 0 <= window.top <= ground.MAP_HEIGHT - WIDTH / ground.NEAR, area
        shown = [place for place in PLACES if window.shows(ground.AT[place])]
        assert shown, area
        assert area in AREAS or area in shown
        for place in shown:
            small, large = named.tag_box(words("en"), place), named.tag_box(words("en"), place, window)
            assert 1.1 < (large[2] - large[0]) / (small[2] - small[0]) < 1.4, (area, place)
        assert named.name_type(window.pieces).size >= 30, area  # 16.9


@pytest.mark.parametrize("zoom", [land.WHOLE_ZOOM, land.NEAR_ZOOM])
def test_the_ground_that_is_kept_is_the_ground_that_is_drawn(zoom):  # 16.12
    """After a change: `python -m render.sekigahara.land`."""
    assert land.sheet(zoom).convert("RGB").tobytes() == land.drawn(zoom).convert("RGB").tobytes()


def test_every_area_together_shows_the_whole_map():
    seen = {p for area in AREAS for p in PLACES if window_of(area).shows(ground.AT[p])}
    assert len(seen) >= len(PLACES) - 3


def test_a_crop_of_nowhere_is_the_whole_map():
    assert window_of("nowhere") == window_of(None) == ground.WHOLE


def test_words_stand_out_from_their_ground():
    pairs = [
        *((SIDE_INK[side], SIDE_FILL[side]) for side in SIDES),
        *((INK, below) for below in (WASHI, SEKIGAHARA["plate"], GOLD, PAPER)),
        *((word, below) for word in (PAPER, MUTE) for below in (SUMI, LACQUER, NIGHT)),
        *((word, below) for word in (GOLD, REACHED) for below in (SUMI, LACQUER)),
        (PAPER, SHU_DARK),
        (INK, MUTE),
    ]
    for word, below in pairs:
        assert round(contrast(word, below), 1) >= 5.0, (word, below)


@pytest.mark.parametrize("sight", [None, *SIGHT])
def test_sides_can_be_told_apart_and_from_land_and_sea(sight):
    def seen(colour):
        return seen_as(colour, sight) if sight else colour

    ishida, tokugawa = (seen(SIDE_FILL[side]) for side in SIDES)
    assert distance(ishida, tokugawa) >= 40
    for fill in (ishida, tokugawa):
        assert distance(fill, seen(WASHI)) >= 20
        assert distance(fill, seen(SEKIGAHARA["plate"])) >= 20
    assert distance(seen(SEA), seen(WASHI)) >= 40


def test_sides_and_kinds_of_places_have_shapes_of_their_own():
    shapes = {
        (kind, side): marker(kind, side).getchannel("A").tobytes()
        for kind, side in (("castle", "ishida"), ("castle", "tokugawa"), ("resource", None), ("town", None))
    }
    assert len(set(shapes.values())) == 4
    assert marker("resource", None).tobytes() != marker("capital", None).tobytes()
    assert token("ishida", 3).getchannel("A").tobytes() != token("tokugawa", 3).getchannel("A").tobytes()


def test_every_mon_is_drawn_and_none_like_another():
    drawn = {name: mon(name, 40, INK, WASHI).tobytes() for name in {*MON.values(), "hideyori", "sanada"}}
    assert len(set(drawn.values())) == len(drawn)
    assert all(any(image) for image in drawn.values())


def test_every_castle_is_on_the_map():
    assert {place for place in PLACES if ground.kind_of(place) == "castle"} == set(CASTLES)


def test_an_arrow_follows_its_road_with_few_points():
    for line in ground.ROADS.values():
        straight = straightened(line)
        assert (straight[0], straight[-1]) == (line[0], line[-1])
        for point in line:
            assert min(off(point, one, other) for one, other in pairwise(straight)) <= OFF + 1e-6
    assert sum(map(len, map(straightened, ground.ROADS.values()))) < 0.6 * sum(
        map(len, ground.ROADS.values())
    )


def off(point, start, end):
    """How far a point is from a stretch."""
    (x, y), (x0, y0), (x1, y1) = point, start, end
    dx, dy = x1 - x0, y1 - y0
    part = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy or 1.0)))
    return hypot(x - x0 - part * dx, y - y0 - part * dy)
