"""Sekigahara's pieces: mons after the historical crests, tokens, blocks, cards, markers of places."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin

from PIL import Image

from engines.sekigahara.data import KIND, LEADERS, MON, OWNER, STRENGTH
from render import text as lines
from render.canvas import Pen, Point, regular
from render.colour import mix
from render.crests import bar_and_stars, gourd, six_coins, three_hollyhocks, two_sparrows
from render.emblems import bowl, crossed_swords, gate, keep
from render.kept import kept
from render.place import Place
from render.theme import GOLD, INK, MUTE, PAPER, PIECE_EDGE, SEKIGAHARA, SUMI, WHITE, Type

Draw = Callable[[Place], None]
SIDE_FILL = {"ishida": SEKIGAHARA["ishida"], "tokugawa": SEKIGAHARA["tokugawa"]}
SIDE_INK = {"ishida": INK, "tokugawa": PAPER}
PLATE = SEKIGAHARA["plate"]
PLATE_TALL = 54
GLYPHS = {"ishida": "大", "ukita": "兒", "ii": "井"}  # mons that are characters


def swirl(place: Place) -> None:
    """Kobayakawa: three commas that chase each other."""
    for number in range(3):
        start = number * 2 * pi / 3
        place.disc(22 * sin(start), -22 * cos(start), 17)
        steps = [step / 14 for step in range(15)]
        outer = [(45, start - 0.35 - 1.75 * t) for t in steps]
        inner = [(45 - 34 * (1 - t) ** 0.8, start - 0.1 - 1.95 * t) for t in reversed(steps)]
        place.shape([(r * sin(a), -r * cos(a)) for r, a in outer + inner])


def plum(place: Place) -> None:
    """Maeda: a plum blossom of five round petals."""
    for number in range(5):
        a = number * 2 * pi / 5
        place.disc(28 * sin(a), -28 * cos(a), 17)
    place.disc(0, 0, 15, hole=True)
    place.disc(0, 0, 10)


def arrowhead(place: Place) -> None:
    """Fukushima: the leaf of the arrowhead plant."""
    place.shape([(0, -46), (30, 34), (8, 20), (8, 44), (-8, 44), (-8, 20), (-30, 34)])
    place.stroke([(0, -20), (0, 20)], 5, hole=True)


def bars(place: Place) -> None:
    """Date: upright bars in a ring."""
    place.disc(0, 0, 46)
    place.disc(0, 0, 39, hole=True)
    for x in (-19, 0, 19):
        half = 32 if x == 0 else 26
        place.shape([(x - 6, -half), (x + 6, -half), (x + 6, half), (x - 6, half)])


MONS: dict[str, Draw] = {
    "tokugawa": three_hollyhocks,
    "mori": bar_and_stars,
    "kobayakawa": swirl,
    "uesugi": two_sparrows,
    "maeda": plum,
    "fukushima": arrowhead,
    "date": bars,
    "sanada": six_coins,
    "hideyori": gourd,
}


@kept
def mon(name: str, size: float, colour: str, ground: str) -> Image.Image:
    """A daimyo's mon in a square of this size."""
    pen = Pen(size, size)
    if name in MONS:
        MONS[name](Place(pen, size / 2, size / 2, size, colour, ground))
        return pen.sprite()
    image = pen.sprite()
    lines.write_centred(image, size / 2, size / 2, GLYPHS[name], Type("seals", round(size * 0.86)), colour)
    return image


# -- tokens -------------------------------------------------------------------------------


@kept
def chip(side: str, radius: float) -> Image.Image:
    """A side's crest: Ishida's round, Tokugawa's square."""
    size = 2 * radius + 6
    pen = Pen(size, size)
    fill, ink = SIDE_FILL[side], SIDE_INK[side]
    if side == "ishida":
        pen.circle(size / 2, size / 2, radius - 2, fill, PAPER, 2.5)
        pen.circle(size / 2, size / 2, radius * 0.78, ink)
        pen.circle(size / 2, size / 2, radius * 0.78 - 2, fill)
    else:
        pen.box((1, 1, size - 1, size - 1), 4, fill, PAPER, 2.5)
        pen.box((6, 6, size - 6, size - 6), 2, fill, PAPER, 1.6)
    image = pen.sprite()
    inside = mon(side, radius * (1.15 if side == "ishida" else 1.5), ink, fill)
    image.alpha_composite(inside, (round((size - inside.width) / 2), round((size - inside.height) / 2)))
    return image


def token_wide(blocks: int) -> int:
    """The width of a stack's token: two figures need more."""
    return 62 if blocks < 10 else 74


@kept
def token(side: str, blocks: int, k: float = 1.0) -> Image.Image:
    """A stack of a side's blocks from behind: its crest and how many there are; `k` times as large.

    Its outline is ink, white, ink, so that gold shows on gold and ink on ink.
    """
    wide = token_wide(blocks)
    pen = Pen(wide * k, 46 * k)
    fill, ink = SIDE_FILL[side], SIDE_INK[side]
    radius = 9 if side == "ishida" else 3
    end = wide - 9
    for step in range(min(blocks, 3) - 1, 0, -1):
        box = (1 + 3 * step, 1, end + 3 * step, 43 - 2 * step)
        pen.box(scaled(box, k), radius * k, mix(fill, INK, 0.3), INK, 2 * k)
    pen.box(scaled((0, 3, end + 1, 45), k), (radius + 1) * k, INK)
    pen.box(scaled((1.5, 4.5, end - 0.5, 43.5), k), radius * k, WHITE)
    pen.box(scaled((3.5, 6.5, end - 2.5, 41.5), k), (radius - 2) * k, fill, INK, 1 * k)
    image = pen.sprite()
    crest = mon(side, round(21 * k), ink, fill)
    image.alpha_composite(crest, (round(5 * k), round(13.5 * k)))
    figure = Type("words", round(26 * k)) if blocks < 10 else Type("narrow", round(27 * k))
    lines.write_centred(image, (end + 24) / 2 * k, 24 * k, str(blocks), figure, ink)
    return image


def scaled(box: tuple[float, float, float, float], k: float) -> tuple[float, float, float, float]:
    """A box so many times as large."""
    return box[0] * k, box[1] * k, box[2] * k, box[3] * k


@lru_cache(maxsize=4)
def battlements(colour: str = INK, k: float = 1.0) -> Image.Image:
    """Over the token of blocks inside a castle."""
    pen = Pen(62 * k, 10 * k)
    for x in range(0, 62, 14):
        pen.box(scaled((x, 0, x + 8, 9), k), 0, colour)
    pen.box(scaled((0, 6, 62, 10), k), 0, colour)
    return pen.sprite()


@kept
def marker(kind: str, side: str | None, k: float = 1.0, *, fresh: bool = False) -> Image.Image:
    """A place: `castle` (its side), `resource` or `capital` (its controller, None nobody), `town`.

    `fresh`: a ground of gold, it changed hands since the viewer last looked.
    """
    pen = Pen(56 * k, 56 * k)
    place = 28 * k
    if fresh:
        pen.box(scaled((0, 0, 56, 56), k), 10 * k, GOLD, INK, 2 * k)
    if kind == "town":
        pen.circle(place, place, 9.5 * k, PLATE, INK, 3 * k)
        return pen.sprite()
    fill = SIDE_FILL[side] if side else PLATE
    ink = SIDE_INK[side] if side else INK
    if kind == "castle" and side == "ishida":
        pen.circle(place, place, 21.5 * k, WHITE, INK, PIECE_EDGE * k)
        pen.circle(place, place, 18.5 * k, fill, INK, 1.2 * k)
        keep(Place(pen, place, 27 * k, 26 * k, ink, fill))
    elif kind == "castle":
        pen.box(scaled((5, 5, 51, 51), k), 2 * k, PLATE, INK, PIECE_EDGE * k)
        pen.box(scaled((10.5, 10.5, 45.5, 45.5), k), 1 * k, fill)
        keep(Place(pen, place, 27 * k, 26 * k, ink, fill))
    else:
        pen.polygon(regular(place, place, 22 * k, 6, 30), INK, INK, 3 * k)
        pen.polygon(regular(place, place, 22 * k, 6, 30), PLATE)
        pen.polygon(regular(place, place, 19 * k, 6, 30), fill, INK if side == "ishida" else None, 1 * k)
        draw = bowl if kind == "resource" else gate
        draw(Place(pen, place, place, 23 * k, ink, fill))
    return pen.sprite()


@kept
def plate(width: int, height: int = PLATE_TALL, *, fresh: bool = False) -> Image.Image:
    """The plate under a place's marker and tokens: paper, or gold where stacks changed."""
    pen = Pen(width + 6, height + 6)
    pen.box((3, 5, width + 3, height + 5), 10, INK)
    pen.box((2, 2, width + 4, height + 4), 11, GOLD if fresh else PLATE, INK, 2.5)
    return pen.sprite()


@lru_cache(maxsize=8)
def disk(name: str, k: float = 1.0) -> Image.Image:
    """A disk on its castle's corner."""
    pen = Pen(36 * k, 36 * k)
    pen.circle(18 * k, 18 * k, 15 * k, PLATE, INK, 2.5 * k)
    MONS[name](Place(pen, 18 * k, 18 * k, 22 * k, INK, PLATE))
    return pen.sprite()


# -- blocks and cards ----------------------------------------------------------------------


def horse(place: Place) -> None:
    """Cavalry: a horse's head."""
    place.shape(
        [
            (-18, 44),
            (-14, 8),
            (-30, 10),
            (-38, -2),
            (-14, -32),
            (-8, -46),
            (4, -34),
            (22, -20),
            (32, 10),
            (34, 44),
        ]
    )
    place.disc(-8, -16, 5, hole=True)


def gun(place: Place) -> None:
    """Arquebus."""
    place.shape([(-46, -14), (30, -14), (46, 2), (46, 26), (30, 26), (18, 2), (-46, 0)])
    place.shape([(-4, 2), (12, 2), (4, 18), (-8, 18)])


def banner(place: Place) -> None:
    """A leader's banner."""
    place.stroke([(-26, -42), (-26, 44)], 9)
    place.shape([(-22, -42), (34, -42), (34, 8), (-22, 8)])
    place.disc(6, -17, 13, hole=True)


KINDS: dict[str, Draw] = {"gun": gun, "cav": horse, "leader": banner}
SPOTS: dict[int, tuple[float, tuple[Point, ...]]] = {  # size of a mon and where, in units of the block
    1: (0.52, ((0.5, 0.5),)),
    2: (0.42, ((0.28, 0.5), (0.72, 0.5))),
    3: (0.38, ((0.5, 0.28), (0.27, 0.70), (0.73, 0.70))),
    4: (0.36, ((0.28, 0.29), (0.72, 0.29), (0.28, 0.71), (0.72, 0.71))),
}


@kept
def block(face: str, size: int) -> Image.Image:
    """A block's face: its mon as often as its strength, and gun, horse or banner."""
    side = OWNER[face]
    fill, ink = SIDE_FILL[side], SIDE_INK[side]
    tall = round(size * 1.06)
    pen = Pen(size + 4, tall + 4)
    radius = size * 0.16 if side == "ishida" else 2
    pen.box((2, 5, size + 2, tall + 4), radius, mix(fill, INK, 0.5), INK, 1)
    pen.box((1, 1, size + 3, tall + 1), radius, fill, INK if side == "ishida" else PAPER, 2.5)
    kind = "leader" if face in LEADERS else KIND[face]
    if kind is not None:
        KINDS[kind](Place(pen, size / 2 + 2, tall * 0.76, size * 0.32, ink, fill))
    image = pen.sprite()
    part, spots = SPOTS[STRENGTH[face]]
    if kind is not None:
        spots, part = ((0.5, 0.34),), 0.46
    for x, y in spots:
        put(image, mon(MON[face], round(size * part), ink, fill), x * size + 2, y * tall + 1)
    return image


@lru_cache(maxsize=8)
def back(side: str, size: int) -> Image.Image:
    """A block from behind."""
    fill, ink = SIDE_FILL[side], SIDE_INK[side]
    pen = Pen(size + 4, size + 4)
    pen.box((1, 1, size + 3, size + 3), size * 0.16 if side == "ishida" else 2, fill, PAPER, 2.5)
    image = pen.sprite()
    put(image, mon(side, round(size * 0.56), ink, fill), size / 2 + 2, size / 2 + 2)
    return image


def put(image: Image.Image, sprite: Image.Image, x: float, y: float) -> None:
    """A sprite with its middle at the point."""
    image.alpha_composite(sprite, (max(0, round(x - sprite.width / 2)), max(0, round(y - sprite.height / 2))))


def card_parts(card: str) -> tuple[str, str]:
    """A card's daimyo (or `loyalty`) and its kind: plain, sword, double, challenge."""
    daimyo, _, kind = card.partition("-")
    return daimyo, "challenge" if daimyo == "loyalty" else kind or "plain"


def draw_loyalty(pen: Pen, x: float, y: float, size: float, colour: str) -> None:
    """Two arrows, one each way."""
    place = Place(pen, x, y, size, colour, colour)
    for way, at in ((1, -20), (-1, 20)):
        place.stroke([(-38 * way, at), (14 * way, at)], 10)
        place.shape([(10 * way, at - 20), (44 * way, at), (10 * way, at + 20)])


@lru_cache(maxsize=8)
def loyalty_arrows(size: int, colour: str) -> Image.Image:
    """Changed sides: two arrows, one each way."""
    pen = Pen(size, size)
    draw_loyalty(pen, size / 2, size / 2, size, colour)
    return pen.sprite()


@kept
def card_face(card: str, side: str, width: int, height: int) -> Image.Image:
    """The coloured field of a card: mons, a sword, or the arrows of loyalty."""
    fill, ink = SIDE_FILL[side], SIDE_INK[side]
    pen = Pen(width, height)
    pen.box((0, 0, width, height), 9, fill, PAPER, 2)
    daimyo, kind = card_parts(card)
    if kind == "challenge":
        draw_loyalty(pen, width / 2, height / 2, min(width, height) * 0.62, ink)
        return pen.sprite()
    image = pen.sprite()
    size = round(min(width, height) * (0.62 if kind != "double" else 0.5))
    if kind == "double":
        for x in (0.28, 0.72):
            put(image, mon(daimyo, size, ink, fill), width * x, height / 2)
    else:
        put(image, mon(daimyo, size, ink, fill), width * (0.4 if kind == "sword" else 0.5), height * 0.52)
    if kind == "sword":
        put(image, sword(round(min(width, height) * 0.4), side), width * 0.8, height * 0.26)
    return image


@kept
def sword(size: int, side: str) -> Image.Image:
    """The badge of a special attack."""
    fill, ink = (SUMI, GOLD) if side == "ishida" else (PAPER, INK)
    pen = Pen(size, size)
    pen.circle(size / 2, size / 2, size / 2 - 1, fill)
    place = Place(pen, size / 2, size / 2, size * 0.72, ink, fill)
    place.stroke([(-34, 36), (34, -36)], 11)
    place.stroke([(-36, 6), (-6, 36)], 10)
    return pen.sprite()


def icon(name: str, size: float, colour: str, ground: str) -> Image.Image:
    """A small picture for a row of figures."""
    return _icon(name, size, colour, ground)


def hand_card(place: Place) -> None:
    """Cards in a hand."""
    place.shape([(-30, -44), (30, -44), (30, 44), (-30, 44)])
    place.shape([(-14, -28), (14, -28), (14, 28), (-14, 28)], hole=True)


def pouch(place: Place) -> None:
    """The bag of blocks."""
    place.disc(0, 14, 32)
    place.shape([(-18, -34), (18, -34), (14, -10), (-14, -10)])
    place.stroke([(-22, -16), (22, -16)], 6, hole=True)


def box(place: Place) -> None:
    """The recruitment box."""
    place.shape([(-38, -38), (38, -38), (38, 38), (-38, 38)])


def lost_block(place: Place) -> None:
    """Blocks lost: one crossed out."""
    place.shape([(-36, -36), (36, -36), (36, 36), (-36, 36)])
    for side in (-1, 1):
        place.stroke([(-24, -24 * side), (24, 24 * side)], 13, hole=True)


SMALL: dict[str, Draw] = {
    "castle": keep,
    "resource": bowl,
    "cards": hand_card,
    "box": box,
    "bag": pouch,
    "lost": lost_block,
    "fight": crossed_swords,
}


@kept
def _icon(name: str, size: float, colour: str, ground: str) -> Image.Image:
    pen = Pen(size + 2, size + 2)
    SMALL[name](Place(pen, size / 2 + 1, size / 2 + 1, size, colour, ground))
    image = pen.sprite()
    if name == "box":
        lines.write_centred(image, size / 2 + 1, size / 2 + 1, "?", Type("words", 26), ground)
    return image


@lru_cache(maxsize=8)
def diamond(size: float, *, full: bool) -> Image.Image:
    """A week: gold when it has begun."""
    pen = Pen(size, size)
    pen.polygon(
        regular(size / 2, size / 2, size / 2 - 2, 4), GOLD if full else None, GOLD if full else MUTE, 1.5
    )
    return pen.sprite()
