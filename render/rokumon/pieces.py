"""Rokumon's pieces: coin tiles told apart by shape as well as colour, warriors round and square, tokens."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from PIL import Image

from render.canvas import Pen, dashed, regular, star
from render.colour import mix
from render.crests import draw_crest
from render.kept import kept
from render.text import width, write_centred
from render.theme import GOLD, INK, LEAST_SIZE, LINE, MUTE, PAPER, ROKUMON, SHU, SHU_DARK, WHITE, Type

ROOM = 12  # around a tile's sprite, for its shadow and outlines
PIP, PIPS_AT = 0.034, 0.405  # a pip's radius, and how far it is from the middle, in diameters of the tile
LEAST_WARRIOR = 48  # pixels: its figure can be read


def rim(color: str, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """A tile's outline: jade round, gold an octagon, Sanada Maru a square."""
    if color == "gold":
        return regular(x, y, radius * 1.04, 8, 22.5)
    if color == "maru":
        return regular(x, y, radius * 1.24, 4, 45)
    return regular(x, y, radius, 60)


def tile(color: str, pips: int, size: int) -> Image.Image:
    """A coin tile of this diameter with its pips along the lower edge and a hole in its middle."""
    ground = ROKUMON[color]
    pen = Pen(size + 2 * ROOM, size + 2 * ROOM)
    middle, radius = size / 2 + ROOM, size / 2 - 4
    pen.polygon([(x, y + 6) for x, y in rim(color, middle, middle, radius)], INK, INK, 2.5)
    pen.polygon(rim(color, middle, middle, radius), ground, INK, 2.5)
    engraved = mix(ground, INK, 0.35)
    inner = rim(color, middle, middle, radius - 6)
    pen.line([*inner, inner[0]], engraved, 2)
    if color == "maru":
        draw_crest(pen, middle, middle - size * 0.02, size * 0.34, "sanada", fill=engraved, ground=ground)
    else:
        hole = size * 0.12
        pen.box((middle - hole, middle - hole, middle + hole, middle + hole), 2, engraved)
        hole -= 3
        pen.box((middle - hole, middle - hole, middle + hole, middle + hole), 1, ROKUMON["table"])
    for x, y in pip_spots(pips, size):
        pen.circle(middle + x, middle + y, size * PIP, INK)
    return pen.sprite()


def pip_spots(pips: int, size: float) -> list[tuple[float, float]]:
    """Where a tile's pips lie around its middle: at its lower edge, below all that stands on it."""
    angles = [(number - (pips - 1) / 2) * 11.5 * pi / 180 for number in range(pips)]
    return [(size * PIPS_AT * sin(a), size * PIPS_AT * cos(a)) for a in angles]


@kept
def pips_again(color: str, pips: int, size: int) -> Image.Image:
    """The pips alone, each on a ring of its tile's colour: above arrows that cross the tile."""
    pen = Pen(size + 2 * ROOM, size + 2 * ROOM)
    middle = size / 2 + ROOM
    for x, y in pip_spots(pips, size):
        pen.circle(middle + x, middle + y, size * PIP, INK, ROKUMON[color], 2)
    return pen.sprite()


@kept
def outline(color: str, size: int, shade: str, dashes: bool) -> Image.Image:
    """Around a tile: dashes where it may be picked, a whole line where it was; ink, white, and its colour."""
    pen = Pen(size + 2 * ROOM, size + 2 * ROOM)
    middle = size / 2 + ROOM
    around = rim(color, middle, middle, size / 2 + 1)
    closed = [*around, around[0]]
    pen.line(closed, INK, 16)
    for part in dashed(closed, 22, 14) if dashes else [closed]:
        pen.line(part, WHITE, 10)
        if shade != WHITE:
            pen.line(part, shade, 5)
    return pen.sprite()


@kept
def empty_cell(size: int, shade: str) -> Image.Image:
    """A cell without a tile, in dashes: free for a Surprise, or left by one."""
    pen = Pen(size + 2 * ROOM, size + 2 * ROOM)
    around = regular(size / 2 + ROOM, size / 2 + ROOM, size / 2 - 6, 60)
    for thick, colour in ((9.0, INK), (4.0, shade)):
        for part in dashed([*around, around[0]], 18, 13):
            pen.line(part, colour, thick)
    return pen.sprite()


@kept
def warrior(clan: str, value: str | None, size: int) -> Image.Image:
    """A warrior: Sanada round, Tokugawa square; its value, or the crest where that may not be known."""
    ground = ROKUMON[clan]
    room = 6
    pen = Pen(size + 2 * room, size + 2 * room + 4)
    middle = size / 2 + room
    if clan == "sanada":
        pen.circle(middle, middle + 4, size / 2, INK, INK, 2)
        pen.circle(middle, middle, size / 2 - 3, ground, PAPER, 3)
    else:
        box = (room, room, room + size, room + size)
        pen.box((room - 2, room + 2, room + size + 2, room + size + 6), 10, INK)
        pen.box(box, 9, ground, PAPER, 3)
    if value is None:
        reach = size * (0.66 if clan == "sanada" else 0.74)
        draw_crest(pen, middle, middle, reach, clan, fill=PAPER, ground=ground)
        return pen.sprite()
    starred = value.endswith("*")
    if starred:
        pen.polygon(star(middle + size * 0.24, middle - size * 0.2, size * 0.15, size * 0.065, 5), PAPER)
    image = pen.sprite()
    shift = -size * 0.07 if starred else 0
    style = Type("words", max(LEAST_SIZE, round(size * 0.58)))
    write_centred(image, middle + shift, middle, value.rstrip("*"), style, PAPER)
    return image


@lru_cache(maxsize=8)
def warrior_ghost(clan: str, size: int) -> Image.Image:
    """Where a warrior came from: its outline in dashes."""
    pen = Pen(size + 12, size + 12)
    middle, half = size / 2 + 6, size / 2 - 1
    around = (
        regular(middle, middle, half, 40) if clan == "sanada" else regular(middle, middle, half * 1.41, 4, 45)
    )
    for thick, colour in ((7.5, INK), (3.5, WHITE)):
        for part in dashed([*around, around[0]], 11, 8):
            pen.line(part, colour, thick)
    return pen.sprite()


@lru_cache(maxsize=4)
def revenge(up: bool, size: int = 58) -> Image.Image:
    """A revenge token: face up it is worth 1, face down it was used."""
    pen = Pen(size + 4, size + 4)
    middle = size / 2 + 2
    shape = regular(middle, middle, size / 2 - 2, 8, 22.5)
    if not up:
        pen.polygon(shape, LINE, MUTE, 2)
        pen.line([(middle - 11, middle + 11), (middle + 11, middle - 11)], MUTE, 4)
        return pen.sprite()
    pen.polygon(shape, SHU_DARK, PAPER, 2.5)
    image = pen.sprite()
    write_centred(image, middle - 1, middle, "+1", Type("words", 28), PAPER)
    return image


@lru_cache(maxsize=4)
def surprise_arrow(used: bool) -> Image.Image:
    """The Surprise of this act: a gold arrow, struck out when it was used."""
    pen = Pen(72, 56)
    colour = LINE if used else GOLD
    pen.polygon([(4, 20), (34, 20), (34, 6), (66, 28), (34, 50), (34, 36), (4, 36)], colour)
    if used:
        pen.line([(6, 52), (66, 4)], MUTE, 4)
    return pen.sprite()


@kept
def act_medal(who: str) -> Image.Image:
    """In the head: who won an act, the act that is played (`now`), or one to come (`later`)."""
    size = 36
    pen = Pen(size, size)
    middle = size / 2
    if who in ("sanada", "tokugawa"):
        ground = ROKUMON[who]
        if who == "sanada":
            pen.circle(middle, middle, 15.5, ground, PAPER, 2)
        else:
            pen.box((1.5, 1.5, size - 1.5, size - 1.5), 6, ground, PAPER, 2)
        draw_crest(pen, middle, middle, 24 if who == "sanada" else 27, who, fill=PAPER, ground=ground)
        return pen.sprite()
    pen.circle(middle, middle, 16, GOLD if who == "now" else LINE)
    pen.box((middle - 5, middle - 5, middle + 5, middle + 5), 1, INK)
    return pen.sprite()


@kept
def plate(text: str, *, edge: str = LINE, fill: str = INK, ink: str = PAPER) -> Image.Image:
    """A small plate with a cell's name or a result."""
    style = Type("words", 30)
    length = round(width(text, style)) + 18
    pen = Pen(length, 40)
    pen.box((0, 0, length, 40), 7, fill, edge, 2)
    image = pen.sprite()
    write_centred(image, length / 2, 20, text, style, ink)
    return image


@kept
def duel(sanada: str, tokugawa: str) -> Image.Image:
    """What the sides of a Fight are worth, each on its own colour: Sanada's round, Tokugawa's square."""
    style = Type("words", 32)
    wide = [round(width(text, style)) + 28 for text in (sanada, tokugawa)]
    pen = Pen(sum(wide) + 6, 46)
    pen.box((0, 0, sum(wide) + 6, 46), 10, PAPER)
    pen.box((3, 3, 3 + wide[0], 43), 18, ROKUMON["sanada"])
    pen.box((3 + wide[0], 3, 3 + sum(wide), 43), 5, ROKUMON["tokugawa"])
    image = pen.sprite()
    write_centred(image, 3 + wide[0] / 2, 23, sanada, style, PAPER)
    write_centred(image, 3 + wide[0] + wide[1] / 2, 23, tokugawa, style, PAPER)
    return image


@lru_cache(maxsize=1)
def warning() -> Image.Image:
    """Loses the act at once."""
    pen = Pen(52, 52)
    pen.circle(26, 26, 22, SHU, PAPER, 3)
    pen.polygon([(22.5, 12), (29.5, 12), (28, 30), (24, 30)], PAPER)
    pen.circle(26, 37, 3.6, PAPER)
    return pen.sprite()


@lru_cache(maxsize=4)
def danger(radius: float = 22) -> Image.Image:
    """Where the other side could win next: a red diamond with its exclamation mark, white on ink."""
    middle = radius + 9
    pen = Pen(2 * middle, 2 * middle)
    for more, colour in ((8.0, INK), (4.0, WHITE), (0.0, SHU)):
        pen.polygon(regular(middle, middle, radius + more, 4), colour)
    pen.polygon(
        [
            (middle - 3.5, middle - 12),
            (middle + 3.5, middle - 12),
            (middle + 2, middle + 3),
            (middle - 2, middle + 3),
        ],
        WHITE,
    )
    pen.circle(middle, middle + 9, 3.4, WHITE)
    return pen.sprite()


@kept
def halo(clan: str, size: int) -> Image.Image:
    """Behind a warrior that is new: its own shape in gold, between ink and white."""
    room = 22
    pen = Pen(size + room, size + room)
    middle = (size + room) / 2
    for more, colour in ((10.0, INK), (8.0, WHITE), (5.5, GOLD)):
        if clan == "sanada":
            pen.circle(middle, middle, size / 2 + more, colour)
        else:
            half = size / 2 + more
            pen.box((middle - half, middle - half, middle + half, middle + half), 13, colour)
    return pen.sprite()


@kept
def gain(text: str) -> Image.Image:
    """A gold chip: what is new in a panel, such as `+1`."""
    style = Type("words", 28)
    length = round(width(text, style)) + 22
    pen = Pen(length, 38)
    pen.box((0, 0, length, 38), 19, GOLD)
    image = pen.sprite()
    write_centred(image, length / 2, 19, text, style, INK)
    return image


@lru_cache(maxsize=1)
def returns() -> Image.Image:
    """Beside a warrior that goes back to its supply: a red cross on a white disc."""
    pen = Pen(76, 76)
    pen.circle(38, 38, 32, WHITE, INK, 4)
    for side in (-1, 1):
        pen.line([(38 - side * 15, 23), (38 + side * 15, 53)], SHU, 10)
    return pen.sprite()


@kept
def plus(text: str) -> Image.Image:
    """Tokens added to a Fight, large."""
    size = 92
    pen = Pen(size, size)
    pen.polygon(regular(size / 2, size / 2, size / 2 - 3, 8, 22.5), SHU_DARK, PAPER, 3)
    image = pen.sprite()
    write_centred(image, size / 2, size / 2, text, Type("words", 46), PAPER)
    return image


@lru_cache(maxsize=4)
def later(size: int, *, now: bool) -> Image.Image:
    """An act that this clan has not won: a ring, gold where it is played now."""
    pen = Pen(size, size)
    pen.circle(size / 2, size / 2, size / 2 - 8, None, GOLD if now else LINE, 6)
    return pen.sprite()
