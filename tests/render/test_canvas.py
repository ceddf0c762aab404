"""The pen, the palette and shapes."""

from math import dist
from typing import Any

import pytest
from PIL import Image

from render.canvas import (
    Canvas,
    Pen,
    Plate,
    Sparse,
    between,
    curve,
    dashed,
    grown,
    palette,
    plain,
    put,
    regular,
)
from render.flat import as_sheet
from render.kept import weight_of
from render.panels import Panel, ground, rounded_box
from render.theme import GOLD, INK, PAPER


def test_a_piece_has_soft_edges_without_a_dark_fringe():
    pen = Pen(40, 40)
    pen.circle(20, 20, 12.4, "#FFFFFF")
    sprite: Any = pen.sprite()
    partly = [pixel for pixel in sprite.get_flattened_data() if 0 < pixel[3] < 255]
    assert partly
    assert all(min(pixel[:3]) > 240 for pixel in partly)


def test_an_empty_canvas_is_as_one_that_began_with_an_empty_picture():  # 16.12
    blank, begun = Canvas.blank(300, 200, "#27313F", rtl=True), Canvas(ground(300, 200, "#27313F"), rtl=True)
    colours = palette(["#27313F", "#F7F0E1", "#4A5363", "#232833"], [])
    for canvas in (blank, begun):
        Panel(canvas, (12, 12, 200, 90))
        canvas.image.paste("#F7F0E1", (20, 100, 280, 140))
    assert blank.rtl
    assert blank.png(colours) == begun.png(colours)
    blank.cut(120)
    begun.image = as_sheet(begun.image.crop((0, 0, 300, 120)))  # its pixels alone, looked up whole
    assert blank.png(colours) == begun.png(colours)


def test_no_two_empty_canvases_share_a_pixel():  # 16.12, secrecy
    one, other = Canvas.blank(90, 80), Canvas.blank(90, 80)
    before = other.image.tobytes()
    one.image.paste("#FFFFFF", (0, 0, 90, 80))
    assert other.image.tobytes() == before


def test_a_hole_is_cut_out():
    pen = Pen(40, 40)
    pen.box((0, 0, 40, 40), 0, "#FF0000")
    pen.circle(20, 20, 10, None)
    sprite: Any = pen.sprite()
    assert sprite.getpixel((20, 20))[3] == 0
    assert sprite.getpixel((2, 2)) == (255, 0, 0, 255)


def test_a_polygon_grows_by_the_same_amount_on_every_side_whichever_way_it_runs():
    square = [(10, 10), (20, 10), (20, 20), (10, 20)]
    for points in (square, square[::-1]):
        rounded = [(round(x, 6), round(y, 6)) for x, y in grown(points, 2)]
        assert sorted(rounded) == [(8, 8), (8, 22), (22, 8), (22, 22)]


def test_dashes_begin_and_end_where_the_line_does():
    line = [(0.0, 0.0), (100.0, 0.0), (100.0, 50.0)]
    dashes = dashed(line, 10, 6)
    assert dashes[0][0] == line[0]
    assert dashes[-1][-1] == pytest.approx(line[-1])
    assert between(line, 95, 110) == [(95.0, 0.0), (100.0, 0.0), (100.0, 10.0)]


def test_curves_and_regular_polygons():
    assert curve((0, 0), (5, 9), (10, 0))[0] == (0, 0)
    assert curve((0, 0), (5, 9), (10, 0))[-1] == (10, 0)
    assert all(dist(point, (5, 5)) == pytest.approx(3) for point in regular(5, 5, 3, 8, 22.5))


def test_a_palette_has_its_flat_colours_and_no_more_than_256():
    made = palette(["#102030", "#FFFFFF"], [("#000000", "#FFFFFF", 3)])
    colours = made.getpalette() or []
    assert colours[:6] == [0x10, 0x20, 0x30, 255, 255, 255]
    with pytest.raises(ValueError, match="colours"):
        palette(["#000000"], [("#000000", "#FFFFFF", 254), ("#000000", "#FF0000", 254)])


def test_a_png_keeps_flat_colours_exactly(look):
    canvas = Canvas(ground(1080, 300, "#27313F"))
    from render.scene import Picture

    image = look(Picture(canvas.png(palette(["#000000", "#27313F", "#28313F"], [])), "x.png", "x"))
    assert image.getcolors() == [(1080 * 300, (0x27, 0x31, 0x3F))]


def test_a_canvas_never_draws_on_its_base():
    empty = [(1080 * 300, (0x19, 0x1C, 0x22))]
    kept = Canvas(ground(1080, 300, "#191C22")).image
    for base in (ground(1080, 300, "#191C22"), Image.new("RGB", (1080, 300), "#191C22"), kept):
        Panel(Canvas(base), (12, 12, 500, 100), active=True)
        assert base.getcolors() == empty


def test_panels_are_mirrored_from_right_to_left():
    left, right = Canvas(ground(1080, 200)), Canvas(ground(1080, 200), rtl=True)
    one, other = (Panel(canvas, (12, 12, 500, 100)) for canvas in (left, right))
    assert (one.left, one.right) == (12, 500)
    assert (other.left, other.right) == (580, 1068)
    assert one.x(20) == 32
    assert other.x(20) == 1048


def test_a_panel_on_the_sea_of_a_map_stays_there_from_right_to_left():
    panel = Panel(Canvas(ground(1080, 200), rtl=True), (12, 12, 500, 100), afloat=True)
    assert (panel.left, panel.right) == (12, 500)
    assert panel.x(20) == 480


@pytest.mark.parametrize("edge", [None, "gold"])
def test_a_plate_is_the_same_pixels_as_its_sprite(edge):
    pen = Pen(60, 50)
    pen.box((0, 0, 60, 50), 12, "navy", edge, 3)
    sprite = pen.sprite()
    one, other = (Canvas(Image.effect_mandelbrot((90, 80), (-2, -1, 1, 1), 9).convert("RGB")) for _ in "ab")
    one.centre(sprite, 41.5, 37.2)
    other.centre(Plate(sprite, 12), 41.5, 37.2)
    assert one.image.tobytes() == other.image.tobytes()


def test_a_shape_put_on_in_cells_is_the_whole_shape():  # 16.12
    pen = Pen(150, 120)
    for colour, width in (("#101010", 14), ("#E0B030", 6)):
        pen.line([(20, 15), (130, 30), (120, 100), (30, 90), (20, 15)], colour, width)
    sprite = pen.sprite()
    expected, sheet = plain(200, 180, "#405060"), plain(200, 180, "#405060")
    put(expected, sprite, 7, 9)
    found = Sparse([(sprite, 0, 0)])
    found.onto(sheet, 7, 9)
    assert sheet.tobytes() == expected.tobytes()
    assert weight_of(found) < 4 * 150 * 120, "empty cells are left out"
    again, cells = plain(200, 180, "#405060"), [(x, y, x + p.width, y + p.height) for p, x, y in found.pieces]
    Sparse.of(sprite, cells).onto(again, 7, 9)
    assert again.tobytes() == expected.tobytes()


def test_a_part_of_a_shape_looks_as_it_does_in_the_whole():  # 16.12
    def drawn(pen):
        pen.line([(20.3, 15.7), (71.9, 44.4), (90.1, 90.6)], PAPER, 14.3)
        pen.circle(40.4, 52.2, 11.7, GOLD, INK, 2.5)
        return pen.sprite()

    whole = drawn(Pen(120, 110))
    part = drawn(Pen(50, 60, (35, 30), part=True))
    assert part.tobytes() == whole.crop((35, 30, 85, 90)).tobytes()


@pytest.mark.parametrize("width", [20, 31, 133, 1056])
@pytest.mark.parametrize("height", [20, 45, 306])
@pytest.mark.parametrize(("radius", "line"), [(12, 2), (12, 4), (0, 3), (3, 0), (None, 0)])
def test_a_round_box_that_is_spread_is_the_one_that_is_drawn(width, height, radius, line):
    radius = height / 2 if radius is None else radius
    pen = Pen(width, height)
    pen.box((0, 0, width, height), radius, "#252A34", "#E3B341" if line else None, line)
    spread = rounded_box(width, height, radius, "#252A34", "#E3B341" if line else None, line)
    assert spread.tobytes() == pen.sprite().tobytes()
