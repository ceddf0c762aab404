"""Rokumon's pictures: secrets, shapes, and that nothing covers what must be seen."""

import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any, ClassVar

import pytest
from PIL import Image

from engines.rokumon.model import Ended, SeenTile, Won
from locales import LANGUAGES, Words, words
from render import marks, painter
from render.canvas import Canvas
from render.colour import rgb
from render.rokumon import board as drawing
from render.rokumon import pieces
from render.rokumon.words import after as after_action
from render.rokumon.words import decided_on
from render.theme import GOLD, NIGHT, ROKUMON, WIDTH
from tests.render.picture_tools import LONGEST, forget_sprites

PAINT = painter("rokumon")
NAMES = ("Mariko", "Bence")


def tile(at, pips, *stack, down=False):
    return {"at": at, "pips": pips, "stack": list(stack), "down": down}


ACT_4 = {
    "act": 4, "layout": "bricks", "to_move": "tokugawa",
    "tiles": [
        tile("d3", 2, "s2"), tile("f3", 7, "t3", "s6"), tile("h3", 5, "t3!"), tile("c4", 1),
        tile("e4", 6, "s4!"), tile("g4", 3, "t1*", "s2"), tile("i4", 4, "t1"),
    ],
    "supply": {"sanada": [], "tokugawa": ["t5"]},
    "revenge": {"sanada": {"up": 1, "down": 0}, "tokugawa": {"up": 1, "down": 1}},
}  # fmt: skip
SPREAD = {
    **ACT_4, "act": 6, "to_move": "sanada", "locked": "d7",
    "revenge": {"sanada": {"up": 3, "down": 3}, "tokugawa": {"up": 1, "down": 0}},
    "tiles": [
        tile("d3", 2, "s2!"), tile("f3", 7, "t3!", "s6!", down=True), tile("h3", 5, "t3!"),
        tile("c4", 1, "s4!"), tile("e4", 6), tile("b5", 3, "t1!"), tile("d7", 4),
    ],
    "supply": {"sanada": ["s2"], "tokugawa": ["t1*", "t5"]},
}  # fmt: skip


@pytest.fixture
def scenes(rokumon):
    """One of every kind of picture."""
    start, spread = rokumon.position(ACT_4), rokumon.position(SPREAD)
    shifted, shifted_events = rokumon.play(start, "surprise i4 f5")
    fighting, _ = rokumon.play(shifted, "fight f3 +1")
    fought, fought_events = rokumon.play(fighting, "revenge 0")
    story, events = rokumon.engine.setup(rokumon.engine.read_options({}), 2, rokumon.chance)
    solo, _ = rokumon.engine.setup(rokumon.engine.read_options({"solo": "hard"}), 1, rokumon.chance)
    over, over_events = rokumon.play(story, "resign")
    made = [
        rokumon.scene(start),
        rokumon.scene(start, 1),
        rokumon.scene(start, 0),
        rokumon.scene(shifted, events=shifted_events),
        rokumon.scene(fighting),
        rokumon.scene(fought, events=fought_events),
        rokumon.scene(story, events=events),
        rokumon.scene(solo),
        rokumon.scene(over, events=over_events),
        rokumon.scene(spread),
        rokumon.panel(start, 1),
        rokumon.panel(start, 1, ["move"]),
        rokumon.panel(start, 1, ["move", "i4-c4"]),
        rokumon.panel(start, 1, ["deploy", "5"]),
        rokumon.panel(start, 1, ["deploy", "5", "c4"]),
        rokumon.panel(start, 1, ["surprise", "c4"]),
        rokumon.panel(start, 1, ["surprise", "c4", "e2"]),
        rokumon.panel(start, 1, ["fight", "f3"]),
        rokumon.panel(start, 1, ["fight", "f3", "1"]),
        rokumon.panel(fighting, 1),
        rokumon.panel(fighting, 1, ["1"]),
        rokumon.panel(spread, 0, ["move"]),
        rokumon.panel(start, 1, ["give-up", "surrender"]),
    ]
    return [replace(scene, names=NAMES) for scene in made]


def test_every_kind_of_picture_is_of_the_right_size_and_nothing_on_it_is_smaller_than_26_pixels(
    scenes, look, sizes
):
    for one in scenes:
        scene = replace(one, names=LONGEST)
        look(PAINT.board(scene))
        assert PAINT.caption(scene)
        assert PAINT.describe(scene)
    assert sizes
    assert min(sizes) >= 26


def test_equal_scenes_give_equal_bytes_and_threads_change_nothing(scenes):
    alone = [PAINT.board(scene).png for scene in scenes[:8]]
    forget_sprites()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda scene: PAINT.board(scene).png, scenes[:8])) == alone


@pytest.mark.parametrize("viewer", [None, 0])
def test_what_a_viewer_cannot_know_changes_no_picture_and_no_word(rokumon, viewer):
    """Tokugawa's hidden warriors change places, also with the supply."""
    swapped = {
        **ACT_4,
        "tiles": [
            tile("d3", 2, "s2"), tile("f3", 7, "t5", "s6"), tile("h3", 5, "t3!"), tile("c4", 1),
            tile("e4", 6, "s4!"), tile("g4", 3, "t1", "s2"), tile("i4", 4, "t3"),
        ],
        "supply": {"sanada": [], "tokugawa": ["t1*"]},
    }  # fmt: skip
    one, other = (rokumon.scene(rokumon.position(p), viewer, names=NAMES) for p in (ACT_4, swapped))
    assert PAINT.board(one) == PAINT.board(other)
    assert PAINT.describe(one) == PAINT.describe(other)
    assert PAINT.caption(one) == PAINT.caption(other)
    assert PAINT.hand(one) == PAINT.hand(other)


def test_a_viewers_own_board_shows_his_values_on_a_private_ground(rokumon, look):
    state = rokumon.position(ACT_4)
    public, own = (rokumon.scene(state, viewer, names=NAMES) for viewer in (None, 1))
    assert look(PAINT.board(public)).getpixel((4, 400)) == rgb(ROKUMON["table"])
    assert look(PAINT.board(own)).getpixel((4, 400)) == rgb(NIGHT)
    assert "1*" in PAINT.board(own).alt
    assert "1*" not in PAINT.board(public).alt


def test_the_private_sheet_lists_every_own_warrior(rokumon):
    state = rokumon.position(ACT_4)
    sheet = PAINT.hand(rokumon.scene(state, 1, names=NAMES))
    assert sheet is not None
    assert Image.open(io.BytesIO(sheet.png)).width == 1080
    for words_of in ("1 on i4", "1* on g4", "3 on f3", "3 on h3", "5 in the supply"):
        assert words_of in sheet.alt
    assert PAINT.hand(rokumon.scene(state, names=NAMES)) is None
    assert PAINT.hand(rokumon.scene(rokumon.position(SPREAD), 1, names=NAMES)) is None
    story, _ = rokumon.engine.setup(rokumon.engine.read_options({}), 2, rokumon.chance)
    assert PAINT.hand(rokumon.scene(story, 0, names=NAMES)) is None


class Recorder(Canvas):
    """A canvas that remembers what was put where."""

    placed: ClassVar[list[Any]] = []

    def centre(self, sprite, x, y):
        type(self).placed.append((sprite, x, y))
        super().centre(sprite, x, y)


def boxes(kinds):
    """The boxes of the recorded sprites of these kinds, by what is inked."""
    found = []
    for sprite, x, y in Recorder.placed:
        if any(sprite is kind for kind in kinds):
            left, top, right, bottom = sprite.getchannel("A").getbbox()
            dx, dy = x - sprite.width / 2, y - sprite.height / 2
            found.append((left + dx, top + dy, right + dx, bottom + dy))
    return found


def meet(one, other, slack=4):
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > slack
        and min(one[3], other[3]) - max(one[1], other[1]) > slack
    )


def test_plates_medals_and_warriors_do_not_cover_each_other(scenes, monkeypatch):
    monkeypatch.setattr(drawing, "Canvas", Recorder)
    for scene in scenes:
        Recorder.placed = []
        PAINT.board(scene)
        cells = [pieces.plate(f"{column}{row}") for column in "abcdefghijk" for row in range(1, 9)]
        values = [None, "1", "1*", "2", "3", "4", "5", "6"]
        sizes = {
            drawing.grid_of(scene.view, {"d3", "f3", "h3", "c4", "e4", "g4", "i4"}, 0)[0].warrior,
            46,
            60,
            70,
        }
        warriors = [pieces.warrior(clan, value, size) for clan in ROKUMON if clan in ("sanada", "tokugawa")
                    for value in values for size in sizes]  # fmt: skip
        medals = boxes([marks.lock(), marks.swords(23), marks.star_octagon(26), pieces.warning()])
        plates = boxes(cells)
        assert plates
        for group in (plates, medals):
            for one, other in combinations(group, 2):
                assert not meet(one, other), scene
        for plate in plates:
            for thing in medals + boxes(warriors) + boxes([marks.eye_medal()]):
                assert not meet(plate, thing), scene


@pytest.mark.parametrize("count", [1, 2, 3])
def test_what_lies_under_the_top_can_be_seen(count):
    size = 81
    spots = drawing.spots(count, 218)
    for (x, y), (above_x, above_y) in pairwise(spots):
        assert above_x - x >= size * 0.4
        assert y - above_y >= size * 0.4


def test_tiles_are_told_apart_by_shape_and_pips():
    shapes = {
        color: pieces.tile(color, 4, 200).getchannel("A").getbbox() for color in ("jade", "gold", "maru")
    }
    alphas = {color: pieces.tile(color, 4, 200).getchannel("A") for color in shapes}
    corners = {color: alpha.getpixel((30, 30)) for color, alpha in alphas.items()}
    assert corners["maru"] == 255
    assert corners["jade"] == corners["gold"] == 0
    different = {pieces.tile(color, pips, 200).tobytes() for color in shapes for pips in range(1, 8)}
    assert len(different) == 3 * 7


@pytest.mark.parametrize("rows", range(1, 9))
@pytest.mark.parametrize("layout", ["square", "bricks"])
def test_the_cloth_round_a_tile_hides_nothing_of_another(rokumon, layout, rows):
    step = 1 if layout == "square" else 2
    cells = {f"{chr(99 + row % step + step * at)}{row + 1}" for row in range(rows) for at in range(4)}
    view = rokumon.scene(rokumon.position(ACT_4)).view.model_copy(update={"layout": layout})
    grid, high = drawing.grid_of(view, cells, 20)
    mixed, laid = (Canvas.blank(WIDTH, round(high) + 40, NIGHT) for _ in range(2))
    for number, cell in enumerate(sorted(cells)):
        color = ("gold", "jade", "maru")[number % 3]
        mixed.centre(pieces.tile(color, 3, grid.tile), *grid.at(cell))
        drawing.lay(laid, grid, SeenTile(at=cell, pips=3, down=False, color=color, stack=()), NIGHT)
    palette = drawing.colours()
    assert laid.ground(palette).tobytes() == mixed.ground(palette).tobytes()


def test_a_hidden_warrior_is_as_large_as_a_known_one():
    for clan in ("sanada", "tokugawa"):
        boxes_of = {
            pieces.warrior(clan, value, 80).getchannel("A").getbbox()
            for value in (None, "1", "1*", "2", "3", "4", "5", "6")
        }
        assert len(boxes_of) == 1


def test_every_tile_fits_wherever_a_surprise_put_it(rokumon):
    view = rokumon.scene(rokumon.position(ACT_4)).view
    cells = {"d3", "f3", "h3", "c4", "e4", "g4", "i4"}
    for far in ("a4", "k4", "b1", "j7", "d7", "e2"):
        grid, high = drawing.grid_of(view, cells | {far}, 240)
        for cell in cells | {far}:
            x, y = grid.at(cell)
            assert grid.tile / 2 <= x <= 1080 - grid.tile / 2
            assert 240 + grid.tile / 2 <= y <= 240 + high - grid.tile / 2
        assert high <= drawing.TALLEST_BOARD + 1


def test_the_head_shows_who_won_which_act(rokumon):
    scene = rokumon.scene(rokumon.position(ACT_4))
    assert drawing.medals(scene) == ["later"] * 3 + ["now"] + ["later"] * 2
    solo, _ = rokumon.engine.setup(rokumon.engine.read_options({"solo": "easy"}), 1, rokumon.chance)
    assert drawing.medals(rokumon.scene(solo)) == ["now", "later", "later"]


def test_the_end_of_the_last_act_can_be_looked_at(rokumon, look):
    row = {**ACT_4, "act": 2, "to_move": "sanada", "supply": {"sanada": ["s6"], "tokugawa": ["t5"]}}
    row["tiles"] = [
        tile("d3", 2, "s2"), tile("f3", 7, "s2"), tile("h3", 5), tile("c4", 1, "t1"), tile("e4", 6, "t3"),
        tile("g4", 3), tile("i4", 4),
    ]  # fmt: skip
    state, events = rokumon.play(rokumon.position(row), "deploy h3")
    scene = rokumon.scene(state, events=events, names=NAMES)
    assert not decided_on(scene)
    ended = replace(scene, layer="ended")
    assert set(decided_on(ended)) == {"d3", "f3", "h3"}
    picture = PAINT.board(ended)
    look(picture)
    assert picture.alt.startswith(f"{words('en').term('rokumon', 'sanada')} wins.")
    assert "Act 2" in picture.alt
    assert "Act 3" in PAINT.board(scene).alt


def test_the_table_that_ended_an_act_is_drawn_in_that_acts_own_layout(rokumon, look):  # 13.C18
    start = rokumon.engine.setup(rokumon.engine.read_options({}), 2, rokumon.chance).state
    scene = rokumon.scene(start, names=NAMES)
    tiles = scene.view.tiles
    end = Ended(act=1, winner="sanada", how="row", cells=(tiles[0].at,), tiles=tiles)
    later = scene.view.model_copy(
        update={"act": 2, "layout": "bricks", "ended": end, "won": (Won(act=1, winner="sanada"),)}
    )
    shown = replace(scene, view=later, layer="ended")
    assert look(PAINT.board(shown)).size == look(PAINT.board(scene)).size
    assert "Act 1" in PAINT.board(shown).alt
    assert drawing.medals(replace(shown, view=drawing.at_the_end(later))) == ["sanada", *["later"] * 5]


def test_a_resigned_act_has_no_deciding_row(rokumon):
    state, _ = rokumon.play(rokumon.position(ACT_4), "surrender", "resign")
    assert decided_on(rokumon.scene(state, names=NAMES)) == ()


def test_the_side_to_act_has_a_gold_edge(rokumon, look):
    picture = look(PAINT.board(rokumon.scene(rokumon.position(ACT_4), names=NAMES)))
    golds = {rgb(GOLD), rgb(ROKUMON["gold"])}
    assert picture.getpixel((13, drawing.HEAD + 60)) in golds
    assert picture.getpixel((13, picture.height - 60)) not in golds


def test_a_preview_shows_the_table_after_the_action(rokumon):
    state = rokumon.position(ACT_4)
    for path, text in ((["move", "i4-c4"], "move i4 c4"), (["surprise", "c4", "e2"], "surprise c4 e2")):
        after, _ = rokumon.play(state, text)
        shown = after_action(rokumon.panel(state, 1, path)).tiles
        expected = rokumon.scene(after, 1).view.tiles
        assert sorted(map(repr, shown)) == sorted(map(repr, expected))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fits(scenes, look, language):
    for scene in scenes[:6]:
        look(PAINT.board(replace(scene, names=LONGEST, words=words(language))))


def test_right_to_left_mirrors_the_panels_and_never_the_board(rokumon, look):
    scene = rokumon.scene(rokumon.position(ACT_4), names=NAMES)
    hebrew = Words("he", *words("en")._catalogues)
    left, right = look(PAINT.board(scene)), look(PAINT.board(replace(scene, words=hebrew)))
    box = (0, drawing.HEAD + drawing.SIDE + 14, 1080, left.height - drawing.SIDE - 14)
    assert left.crop(box).tobytes() == right.crop(box).tobytes()
    assert left.tobytes() != right.tobytes()
