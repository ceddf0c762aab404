"""No label of Sekigahara's map meets another, a piece or a panel; names stay with their places."""

import os
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis.strategies import data, integers, lists, tuples

from engines.capabilities import random_action
from engines.chance import Chance
from locales import LANGUAGES, words
from render.canvas import Canvas
from render.kept import Shelf
from render.panels import ground
from render.sekigahara import board as drawing
from render.sekigahara import labels
from render.sekigahara.field import Field
from render.sekigahara.geography import WHOLE
from render.sekigahara.head import TOP
from render.sekigahara.places import map_of
from render.sekigahara.room import Room, Wish, gap, meets, overlap
from render.sekigahara.spots import Spots, cells

AREAS = (None, None, None, "kinai", "chubu", "edo")
EVERY = 9  # plies from one position to the next
MOST_DOUBTS = 1.5  # names a picture that lie nearer to another place, where blocks stand at random everywhere


def positions(stage, count, start=0):
    """Scenes of random games with all that a phase has told, for all viewers, languages and areas."""
    found, seed = 0, start
    while found < count:
        seed += 1
        key = b"room" + seed.to_bytes(4, "big")
        state, told = stage.engine.setup(stage.engine.read_options({}), 2, Chance(key, 0))
        for ply in range(1, 1500):
            if not stage.engine.to_act(state) or found == count:
                break
            seat, before = min(stage.engine.to_act(state)), state.phase
            action = random_action(stage.engine, state, seat, Chance(key, 2 * ply))
            state, events = stage.engine.apply(state, seat, action, Chance(key, 2 * ply + 1))
            told = (*told, *events) if before == "march" else events
            if ply % EVERY == 0:
                area, viewer = AREAS[found % len(AREAS)], (None, 0, 1)[found % 3]
                said = words(LANGUAGES[found % len(LANGUAGES)])
                found += 1
                yield stage.scene(state, viewer, told, words=said, area=area)


def laid_out(scene):
    """The field of a picture, where its labels lie, and the panels on it."""
    window = drawing.window_of(scene.area)
    field = Field(Canvas(ground(1080, TOP + window.height)), window, TOP, scene.view)
    closed = drawing.panels_on(scene) if window is WHOLE else []
    return field, map_of(field, scene, closed), closed


def check_room(stage, count, start=0):
    """No label meets anything in so many positions."""
    doubts = labels = 0
    for scene in positions(stage, count, start):
        field, laid, closed = laid_out(scene)
        left, top, right, bottom = field.bounds
        for one in laid:
            assert one.clear, one.key
            assert left <= one.box[0] < one.box[2] <= right, one.key
            assert top <= one.box[1] < one.box[3] <= bottom, one.key
            for stand in field.stands.values():
                assert not overlap(one.box, stand.box), (one.key, stand.place)
            assert not any(meets(one.box, panel) for panel in closed), one.key
            if one.owner is not None and one.key.startswith("name"):
                mine = gap(one.box, one.owner)
                doubts += any(
                    gap(one.box, stand.box) < mine
                    for stand in field.stands.values()
                    if stand.box != one.owner
                )
        for one, other in combinations(laid, 2):
            assert overlap(one.box, other.box) < 0.01, (one.key, other.key)
        for one, other in combinations(field.stands.values(), 2):
            assert not overlap(one.box, other.box), (one.place, other.place)
        named = {one.key.partition(" ")[2] for one in laid if one.key.startswith("name")}
        assert named == set(field.stands), "every place in the picture has its name"
        labels += len(laid)
    assert labels > 30 * count
    assert doubts <= MOST_DOUBTS * count


def test_no_label_meets_another_or_a_piece(sekigahara):  # 16.3
    check_room(sekigahara, int(os.environ.get("HATAMOTO_COUNT", "12")))


def test_what_is_kept_of_other_layouts_changes_none(sekigahara):  # 16.12
    scenes = list(positions(sekigahara, 8))

    def layouts(forget):
        found = []
        for scene in scenes:
            labels._ANSWERS._shelf = Shelf(16)
            if forget:
                labels.spots.cache_clear()
            found.append([(one.key, one.box, one.clear) for one in laid_out(scene)[1]])
        return found

    alone = layouts(forget=True)
    assert layouts(forget=False) == alone
    assert layouts(forget=False) == alone


def test_a_label_with_something_in_its_way_lies_elsewhere():  # 16.12
    spots = Spots(((50, 50, 0.0), (100, 50, 5.0), (150, 50, 9.0)), 20, 10)

    def lies(*boxes):
        place = Room((0, 0, 200, 200))
        for box in boxes:
            place.take(box)
        one = Wish("one", 20, 10, spots[0], lambda: spots, homes=False)
        return place.settle([one])["one"][0]

    assert lies() == (50, 50)
    assert lies((45, 45, 55, 55)) == (100, 50)
    assert lies((45, 45, 55, 55), (95, 45, 105, 55)) == (150, 50)
    assert lies() == (50, 50)


@given(data())
def test_spots_are_found_by_columns_and_rows_as_one_by_one(drawn):  # 16.12
    near = integers(0, 60).map(lambda n: n / 2)
    wide, tall = drawn.draw(near), drawn.draw(near)
    at = drawn.draw(lists(tuples(near, near, near), min_size=1, max_size=30, unique_by=lambda one: one[:2]))
    spots = Spots(sorted(at, key=lambda one: one[2]), wide, tall).moved(100, 60, wide, tall)
    x, y = drawn.draw(near) + 90, drawn.draw(near) + 50
    box = (x, y, x + drawn.draw(near), y + drawn.draw(near))
    left, top, right, bottom = cells(box)

    def those(asked):
        return sum(asked(spots.box(*spot[:2])) << number for number, spot in enumerate(spots.all()))

    def on_it(lies):
        west, north, east, south = spots.cells(lies)
        return left <= east and west <= right and top <= south and north <= bottom

    assert spots.meets(box) == those(lambda lies: meets(lies, box))
    assert spots.covered([(left, top, right, bottom)]) == those(on_it)
    assert spots.within(box) == those(
        lambda lies: box[0] <= lies[0] and box[1] <= lies[1] and lies[2] <= box[2] and lies[3] <= box[3]
    )


@pytest.mark.long
def test_no_label_meets_another_or_a_piece_in_five_hundred_positions(sekigahara):  # 16.3
    check_room(sekigahara, 500, start=1000)


def wish(key, x, y, *more, **kind):
    spots = [(x, y, 0.0), *more]
    return Wish(key, 20, 10, spots[0], lambda: Spots(spots, 20, 10), **kind)


def test_a_label_goes_where_it_belongs_if_that_is_free():
    room = Room((0, 0, 200, 200))
    assert room.settle([wish("one", 50, 50), wish("two", 100, 100)]) == {
        "one": ((50, 50), True),
        "two": ((100, 100), True),
    }


def test_a_label_makes_way_for_one_that_has_no_other_spot():
    room = Room((0, 0, 200, 200))
    room.take((80, 0, 200, 200))
    found = room.settle([wish("first", 50, 50, (20, 20, 5.0)), wish("second", 55, 50)])
    assert found == {"first": ((20, 20), True), "second": ((55, 50), True)}


def test_a_label_without_any_room_says_so():
    room = Room((0, 0, 200, 200))
    room.take((0, 0, 200, 200))
    assert room.settle([wish("one", 50, 50)]) == {"one": ((50, 50), False)}


def test_a_label_far_off_is_better_than_one_that_meets_another():
    room = Room((0, 0, 200, 200))
    room.take((0, 0, 100, 200))
    far = Spots([(150, 50, 300.0)], 20, 10)
    assert room.settle([wish("one", 50, 50, far=lambda: far)]) == {"one": ((150, 50), True)}


def test_a_label_prefers_a_spot_off_the_ways_that_are_drawn():
    room = Room((0, 0, 200, 200))
    room.line([(x, 50) for x in range(0, 200, 4)], 6)
    assert room.settle([wish("one", 50, 50, (50, 80, 3.0), homes=False)]) == {"one": ((50, 80), True)}


def test_spots_are_alike_wherever_the_place_lies():
    def of(x, y):
        home = (x + 3.5, y + 40)
        found = labels.spots(home, (x - 60, y - 27, x + 60, y + 27), 88.25, 29, (home,))
        return [(at - x, up - y, cost) for at, up, cost in found.all()]

    labels.spots_round.cache_clear()
    here = of(300, 500)
    for x, y in ((411.2, 733.4), (87.6, 214.8)):
        assert all(spot == pytest.approx(other) for spot, other in zip(here, of(x, y), strict=True))
    assert labels.spots_round.cache_info().misses == 1
