"""The map's ground in a picture, and the names of its places."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engines.sekigahara.data import RECRUITS
from locales import Words
from render import text as lines
from render.canvas import Box, Canvas, Pen
from render.kept import kept
from render.sekigahara.geography import AT, LABEL, WHOLE, Window
from render.sekigahara.land import NEAR_ZOOM, WHOLE_ZOOM, land
from render.sekigahara.pieces import mon
from render.theme import INK, SUMI, WASHI, WIDTH, Type

NAME_TALL = 29


def begun(window: Window, top: int, below: int = 0, *, rtl: bool) -> Canvas:
    """A picture of sea, land and roads of this part of the map, with room above and below it."""
    canvas = Canvas.blank(WIDTH, top + window.height + below, SUMI, rtl=rtl)
    ground = land(WHOLE_ZOOM if window.zoom == 1 else NEAR_ZOOM)
    left, up = round(window.left * window.zoom), round(window.top * window.zoom)
    canvas.image.add(ground, (-left, top - up, ground.width - left, top - up + ground.height), hides=True)
    return canvas


def name_type(k: float) -> Type:
    """How names are written: never below 26 pixels, from 32 where the map is larger."""
    return Type("map", round(26 * k))


@lru_cache(maxsize=512)
def name_size(words: Words, place: str, k: float = 1.0) -> tuple[float, float]:
    """The width and height of a place's name with the mons that are recruited there."""
    length = lines.width(words.term("sekigahara", place), name_type(k)) + 30 * k * len(RECRUITS[place])
    return length + 8, NAME_TALL * k


def tag_box(words: Words, place: str, window: Window = WHOLE) -> Box:
    """Where a place's name belongs if nothing stands there."""
    k = window.pieces
    x, y = window.at(AT[place])
    x, y = x + (LABEL[place][0] - AT[place][0]) * k, y + (LABEL[place][1] - AT[place][1]) * k
    wide, tall = name_size(words, place, k)
    left = max(6.0, min(x - wide / 2, WIDTH - wide - 6))
    y = min(y, window.height - tall / 2 - 4)
    return left, y - tall / 2, left + wide, y + tall / 2


def blank(wide: int, k: float) -> Image.Image:
    """An empty tag: two pieces of a longer one, which is drawn only once."""
    longest = rounded(k)
    end = round(12 * k)
    image = longest.crop((0, 0, wide, longest.height))
    image.paste(longest.crop((longest.width - end, 0, longest.width, longest.height)), (wide - end, 0))
    return image


@lru_cache(maxsize=2)
def rounded(k: float) -> Image.Image:
    """A tag that is longer than any."""
    pen = Pen(600, NAME_TALL * k)
    pen.box((0, 0, 600, NAME_TALL * k), 7 * k, WASHI)
    return pen.sprite()


@kept
def name_tag(name: str, recruits: tuple[str, ...], k: float) -> Image.Image:
    """A place's name on a tag of washi, after the mons that are recruited there."""
    style = name_type(k)
    wide = lines.width(name, style) + 30 * k * len(recruits) + 8
    image = blank(round(wide + 0.5), k)
    middle = NAME_TALL * k / 2
    for number, daimyo in enumerate(recruits):
        crest = mon(daimyo, round(25 * k), INK, WASHI)
        at = round(4 + (13 + 30 * number) * k - crest.width / 2), round(middle - crest.height / 2)
        image.alpha_composite(crest, (max(0, at[0]), max(0, at[1])))
    lines.write(image, 4 + 30 * k * len(recruits), middle + 8.5 * k, name, style, INK)
    return image
