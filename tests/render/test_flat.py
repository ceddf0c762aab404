"""What is looked up in a palette: only what was mixed; the bytes are as if all were (16.12)."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw

from bench.picture import scenes
from render import canvas as canvases
from render import drawing, flat, marks
from render.canvas import Canvas, Pen, palette
from render.flat import BAND, Sheet, png
from render.kamisado import pieces as kamisado
from render.panels import ground
from render.sekigahara import palette as sekigahara
from render.shogun import palette as shogun
from render.theme import Type
from tests.games import by_game

COLOURS = palette(["#102030", "#F0E0D0", "#C04020", "#20A060"], [("#102030", "#F0E0D0", 20)])


def pixels(data):
    with Image.open(io.BytesIO(data)) as image:
        image.load()
        return image.mode, image.size, image.getpalette(), image.tobytes()


def whole(image, colours):
    found = image.convert("RGB").quantize(palette=colours.copy(), dither=Image.Dither.NONE)
    return "P", found.size, colours.getpalette(), found.tobytes()


@pytest.mark.parametrize("game", by_game())
def test_every_picture_has_the_pixels_of_one_that_was_looked_up_whole(game, monkeypatch):
    drawn: list[tuple[Any, Any]] = []

    def kept(image, colours):
        drawn.append((image, colours))
        return png(image, colours)

    monkeypatch.setattr(canvases, "png", kept)
    kinds: dict[str, list[Any]] = {}
    for kind, part, scene in scenes(game, 48, 6):
        kinds.setdefault(kind, []).append((part, scene))
    for several in kinds.values():
        for part, scene in several[:3]:
            picture = drawing(part)(scene)
            if picture is not None:
                image, colours = drawn.pop()
                assert pixels(picture.png) == whole(image, colours)
                drawn.clear()


def scribbled(seed, *, many=12, solid=(120, 90), soft=70, greens=("#20A060",), words=False):
    """A sheet on which solid, mixed and coloured things lie over each other, over its edges too.

    With `words` in place of what is drawn on it by hand, it still knows its parts.
    """
    dice = random.Random(seed)
    canvas = Canvas(Image.effect_mandelbrot((310, 275), (-2, -1, 1, 1), 9).convert("RGB"))
    piece = Image.effect_mandelbrot(solid, (-1, -1, 1, 1), 9).convert("RGB")
    pen = Pen(soft, soft)
    pen.circle(soft / 2, soft / 2, soft / 2 - 5, "#C04020", "#F0E0D0", 3)
    sprite = pen.sprite()
    for _ in range(many):
        x, y = dice.randrange(-60, 300), dice.randrange(-60, 270)
        match dice.randrange(5):
            case 0:
                canvas.image.paste(piece, (x, y))
            case 1:
                canvas.paste(sprite, x, y)
            case 2:
                colour, wide, tall = dice.choice(greens), dice.randrange(1, 200), dice.randrange(1, 200)
                canvas.image.paste(colour, (x, y, x + wide, y + tall))
            case 3 if words:
                canvas.words(x, y, dice.choice(["Edo", "12"]), Type("words", 26), "#F0E0D0")
            case 3:
                ImageDraw.Draw(canvas.image).line((x, y, x + 90, y + 40), "#C04020", 5)
            case _:
                canvas.image.paste(piece, (x, y), sprite.getchannel("A").resize(piece.size))
    return canvas.image


@pytest.mark.parametrize("seed", range(40))
def test_whatever_was_laid_over_whatever_it_is_looked_up_as_it_lies(seed):
    image = scribbled(seed)
    assert isinstance(image, Sheet)
    assert pixels(png(image, COLOURS)) == whole(image, COLOURS)


@pytest.mark.parametrize("seed", range(40))
def test_what_lies_on_one_colour_is_looked_up_on_it_and_the_same_elsewhere(seed):
    image = scribbled(seed, many=40, solid=(20, 14), soft=30, greens=("#20A060", "#102030"), words=True)
    assert image.parts is not None
    assert pixels(png(image, COLOURS)) == whole(image, COLOURS)


@pytest.mark.parametrize("height", [200, BAND, 7])
def test_the_upper_part_of_a_sheet_is_looked_up_like_any_other(height):
    part = scribbled(3).cut(height)
    assert pixels(png(part, COLOURS)) == whole(part, COLOURS)


def test_a_picture_that_is_no_sheet_is_looked_up_whole():
    image = Image.effect_mandelbrot((310, 275), (-2, -1, 1, 1), 9).convert("RGB")
    assert pixels(png(image, COLOURS)) == whole(image, COLOURS)


def test_what_is_solid_and_comes_again_is_looked_up_once(monkeypatch):
    base, asked = Image.effect_mandelbrot((400, 300), (-2, -1, 1, 1), 9).convert("RGB"), []
    look = flat.looked_up

    def counted(image, colours):
        asked.append(image.size)
        return look(image, colours)

    monkeypatch.setattr(flat, "looked_up", counted)
    for _ in range(3):
        Canvas(base).png(COLOURS)
    assert asked == [(400, 300)]


@pytest.mark.parametrize("colours", [COLOURS, kamisado.colours(), sekigahara.colours(), shogun.colours()])
def test_a_ground_is_looked_up_as_itself(colours):
    """Whether what lies on it was touched or not, its pixels are the same."""
    image = Image.effect_mandelbrot((310, 275), (-2, -1, 1, 1), 9).convert("RGB")
    ground = flat.as_ground(image, colours)
    assert ground.mode == "P"
    assert flat.looked_up(ground.convert("RGB"), colours).tobytes() == ground.tobytes()
    canvas = Canvas(ground)
    canvas.paste(Image.new("RGBA", (50, 40), (240, 224, 208, 130)), 20, 30)
    assert pixels(canvas.png(colours)) == whole(canvas.image, colours)


def test_of_a_picture_like_the_last_one_the_bands_that_differ_are_drawn_alone(monkeypatch):
    height, made, draw = 6 * BAND + 12, [], flat.drawn
    base = Image.effect_mandelbrot((400, height), (-2, -1, 1, 1), 9).convert("RGB")

    def counted(parts, colours, canvas, top, tall):
        made.append(top)
        return draw(parts, colours, canvas, top, tall)

    monkeypatch.setattr(flat, "drawn", counted)
    soft = Image.new("RGBA", (50, 20), (240, 224, 208, 130))

    def drawn_anew(*tops, colour="#F0E0D0", word="Edo"):
        canvas = Canvas(base)
        for top in tops:
            canvas.paste(soft, 20, top)
        canvas.words(300, 30, word, Type("words", 26), colour)
        made.clear()
        assert pixels(canvas.png(COLOURS)) == whole(canvas.image, COLOURS)
        return made

    one, two, three = BAND + 10, 5 * BAND - 5, 3 * BAND - 5
    assert drawn_anew(one, two) == list(range(0, height, BAND))
    assert drawn_anew(one, two) == []
    assert drawn_anew(one, three) == [2 * BAND, 3 * BAND, 4 * BAND, 5 * BAND]
    assert drawn_anew(one, three, colour="#C04020") == [0]
    assert drawn_anew(one, three, word="Ueda") == [0]
    soft = soft.copy()  # another image, whatever is on it
    assert drawn_anew(one, three, word="Ueda") == [BAND, 2 * BAND, 3 * BAND]


def test_pixels_kept_beside_an_image_go_when_the_image_goes():
    before = len(flat._KNOWN)
    base = Image.effect_mandelbrot((400, 300), (-2, -1, 1, 1), 9).convert("RGB")
    Canvas(base).png(COLOURS)
    assert len(flat._KNOWN) == before + 1
    del base
    assert len(flat._KNOWN) == before


LINES = ([(40, 60), (300, 250)], [(60, 30), (60, 260)], [(20, 30), (200, 50), (260, 200), (60, 240)])


@pytest.mark.parametrize("line", LINES)
def test_an_arrow_in_slices_is_the_arrow_drawn_at_once(line, monkeypatch):
    sliced, at_once = Canvas(ground(320, 280)), Canvas(ground(320, 280))
    marks.arrow(sliced, line)
    monkeypatch.setattr(marks, "slices", lambda points: [marks.arrow_box(points)])
    marks.arrow(at_once, line)
    assert sliced.image.getcolors() != Canvas(ground(320, 280)).image.getcolors()
    apart = ImageChops.difference(sliced.image.convert("L"), at_once.image.convert("L"))
    differ = [value for value in apart.tobytes() if value]
    assert len(differ) < 200
    assert max(differ, default=0) < 64  # a third of a pixel, where an end was rounded the other way
