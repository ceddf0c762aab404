"""Kamisado's pieces: the palette, the empty board, towers as wedges with teeth at their back edge, marks."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import Final

from PIL import Image

from engines.kamisado.data import COLOR_OF, FILES, SQUARES
from render import marks
from render.canvas import Canvas, Pen, Point, dashed, palette, regular
from render.colour import mix
from render.kamisado.signs import QUIET, draw_sign, ink_on, sign
from render.kept import kept
from render.theme import (
    FRAMED,
    GOLD,
    INK,
    KAMISADO,
    LACQUER,
    LINE,
    MUTE,
    NIGHT,
    PAPER,
    PIECE_EDGE,
    SHU,
    SUMI,
    WHITE,
    WIDTH,
    WOOD,
    Type,
)

HEIGHT: Final = 1350
LEFT, TOP, SQUARE = 38, 144, 126  # the corner of the board and a square with its gap
CELL: Final = SQUARE - 2
SIGN, SIGN_AT = 26, 5  # a sign of a square and how far it is from its corner
BLACK = "#24212A"  # Black's towers, edged with paper
THREAT = "#F28B7D"  # words of what threatens, on dark
TOWER_W, TOWER_H = 100, 124  # the box of a tower's sprite, teeth included
LABEL: Final = Type("words", 30)


def corner_of(square: str, *, flip: bool) -> Point:
    """The top left corner of a square in the picture."""
    column, row = FILES.index(square[0]), 8 - int(square[1])
    if flip:
        column, row = 7 - column, 7 - row
    return LEFT + SQUARE * column, TOP + SQUARE * row


@lru_cache(maxsize=1)
def colours() -> Image.Image:
    """The fixed palette: flat colours and the mixtures that soft edges need."""
    hues = list(KAMISADO.values())
    on_hues = [(hue, ink, 3) for hue in hues for ink in (INK, PAPER)]
    on_hues += (
        [(hue, BLACK, 2) for hue in hues]
        + [(hue, SUMI, 2) for hue in hues]
        + [(hue, WHITE, 2) for hue in hues]
    )
    grounds = [(LACQUER, word, 4) for word in (PAPER, MUTE, GOLD)] + [
        (SUMI, word, 3) for word in (PAPER, MUTE, LINE)
    ]
    others = [(NIGHT, word, 2) for word in (GOLD, PAPER, MUTE)] + [
        (INK, GOLD, 4),
        (INK, PAPER, 3),
        (INK, WHITE, 3),
    ]
    others += [(BLACK, PAPER, 3), (LACQUER, LINE, 2), (SUMI, WOOD, 2), (PAPER, SHU, 2), (BLACK, LACQUER, 1)]
    others += [(SUMI, GOLD, 2), (LACQUER, THREAT, 3), (SHU, WHITE, 3), (SHU, INK, 2), (LACQUER, BLACK, 1)]
    flat = [
        *hues,
        *FRAMED,
        GOLD,
        WHITE,
        NIGHT,
        WOOD,
        BLACK,
        SHU,
        THREAT,
    ]
    flat += [mix(ink_on(hue), hue, QUIET) for hue in hues]
    return palette(flat, chain(on_hues, grounds, others))


@kept
def base(flip: bool, preview: bool) -> Image.Image:
    """The empty board with its frame and coordinates, in the palette."""
    canvas = Canvas.blank(WIDTH, HEIGHT, NIGHT if preview else SUMI)
    if preview:
        canvas.paste(marks.tape(WIDTH, 12, SUMI), 0, 116)
    frame(canvas, (LEFT - 8, TOP - 8), 8 * SQUARE + 14, NIGHT if preview else SUMI)
    for square in SQUARES:
        canvas.paste(ground_of(COLOR_OF[square]), *corner_of(square, flip=flip))
    for number in range(8):
        rank, file = (number + 1, FILES[7 - number]) if flip else (8 - number, FILES[number])
        canvas.figure(15, TOP + SQUARE * number + SQUARE / 2, str(rank), LABEL, PAPER)
        canvas.words(LEFT + SQUARE * number + SQUARE / 2, TOP + 8 * SQUARE + 38, file, LABEL, PAPER, "m")
    return canvas.ground(colours())


def frame(canvas: Canvas, corner: tuple[int, int], size: int, under: str) -> None:
    """The wood round the board: four drawn corners, and straight bars between them."""
    (left, top), bend, wide = corner, 14, 4
    for colour, inner in ((WOOD, 0), (SUMI, wide)):
        box = (left + inner, top + inner, left + size - inner, top + size - inner)
        canvas.image.paste(colour, box)
    pen = Pen(2 * bend, 2 * bend)
    pen.box((0, 0, 2 * bend, 2 * bend), 12, SUMI, WOOD, wide)
    corners = pen.sprite()
    for right in (0, 1):
        for low in (0, 1):
            at = left + right * (size - bend), top + low * (size - bend)
            part = corners.crop((right * bend, low * bend, (right + 1) * bend, (low + 1) * bend))
            canvas.image.paste(under, (*at, at[0] + bend, at[1] + bend))
            canvas.image.paste(part, at, part)


@lru_cache(maxsize=8)
def ground_of(color: str) -> Image.Image:
    """A square with its sign in two corners, so that no tower hides both: top left, and upside down."""
    pen = Pen(CELL, CELL)
    pen.box((0, 0, CELL, CELL), 7, KAMISADO[color])
    image = pen.sprite()
    mark = sign(color, SIGN)
    image.alpha_composite(mark, (SIGN_AT, SIGN_AT))
    far = CELL - SIGN_AT - SIGN
    image.alpha_composite(mark.transpose(Image.Transpose.ROTATE_180), (far, far))
    return image


def wedge(x: float, y: float, up: bool) -> list[Point]:
    """A tower's outline around its middle: it points the way it goes."""
    half, back, shoulder, tip = 42, 40, -19, -49
    way = 1 if up else -1
    points = [(-half, back), (-half + 8, shoulder), (0, tip), (half - 8, shoulder), (half, back)]
    return [(x + px, y + way * py) for px, py in points]


@kept
def piece(owner: str, color: str, teeth: int, up: bool) -> Image.Image:
    """A tower: White's of paper, Black's of ink, its colour and sign on a disc, fangs at its back."""
    fill, edge = (PAPER, INK) if owner == "white" else (BLACK, PAPER)
    pen = Pen(TOWER_W, TOWER_H)
    x, y = TOWER_W / 2, TOWER_H / 2
    way = 1 if up else -1
    fangs(pen, x, y + (42 if up else -40), teeth, way)
    pen.polygon([(px, py + 3) for px, py in wedge(x, y, up)], INK, INK, PIECE_EDGE)
    pen.polygon(wedge(x, y, up), fill, edge, PIECE_EDGE)
    pen.circle(x, y + way * 6, 29, KAMISADO[color], edge if owner == "black" else INK, 2.5)
    draw_sign(pen, x, y + way * 6, 38, color)
    return pen.sprite()


def fangs(pen: Pen, x: float, y: float, teeth: int, way: int) -> None:
    """Teeth side by side, pointing away from the tower's back edge."""
    step = 24 if teeth < 4 else 20
    for number in range(teeth):
        middle = x + (number - (teeth - 1) / 2) * step
        fang = [(middle - 10, y), (middle + 10, y), (middle, y + way * 15)]
        pen.polygon(fang, GOLD, INK, 2.5)


@lru_cache(maxsize=4)
def ghost(owner: str, up: bool) -> Image.Image:
    """Where the last move began: the outline of a tower in dashes."""
    pen = Pen(TOWER_W, TOWER_H)
    outline = wedge(TOWER_W / 2, TOWER_H / 2, up)
    for thick, colour in ((8.0, INK), (4.0, WHITE)):
        for dash in dashed([*outline, outline[0]], 11, 8):
            pen.line(dash, colour, thick)
    return pen.sprite()


@lru_cache(maxsize=8)
def emblem(owner: str, size: int) -> Image.Image:
    """A side's mark in the head: the shape and colour of its towers."""
    pen = Pen(TOWER_W, TOWER_H)
    fill, edge = (PAPER, INK) if owner == "white" else (BLACK, PAPER)
    pen.polygon(wedge(TOWER_W / 2, TOWER_H / 2, owner == "white"), fill, edge, 3)
    image = pen.sprite()
    return image.resize((round(TOWER_W * size / TOWER_H), size), Image.Resampling.LANCZOS)


@lru_cache(maxsize=2)
def tooth(size: int) -> Image.Image:
    """A gold tooth beside a score."""
    pen = Pen(size, size)
    pen.polygon([(size * 0.1, 2), (size * 0.9, 2), (size / 2, size - 3)], GOLD)
    return pen.sprite()


# -- what follows ------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def answered() -> Image.Image:
    """Where the answer may go: a red diamond on white on ink, seen on every colour."""
    pen = Pen(48, 48)
    for reach, colour in ((23.0, INK), (18.5, WHITE), (12.5, SHU)):
        pen.polygon(regular(24, 24, reach, 4), colour)
    return pen.sprite()


@lru_cache(maxsize=4)
def alarm(radius: float) -> Image.Image:
    """Where the other side would win: a red octagon with its exclamation mark."""
    middle = radius + 8
    pen = Pen(2 * middle, 2 * middle)
    for more, colour in ((7.0, INK), (3.5, WHITE), (0.0, SHU)):
        pen.polygon(regular(middle, middle, radius + more, 8, 22.5), colour)
    exclaim(pen, middle, middle, radius, WHITE)
    return pen.sprite()


@lru_cache(maxsize=1)
def risky() -> Image.Image:
    """A legal target after which the other side could win at once: a ring with a red middle."""
    pen = Pen(62, 62)
    pen.circle(31, 31, 29, INK)
    pen.circle(31, 31, 25, WHITE)
    pen.circle(31, 31, 19, SHU)
    exclaim(pen, 31, 31, 19, WHITE)
    return pen.sprite()


def exclaim(pen: Pen, x: float, y: float, size: float, colour: str) -> None:
    """An exclamation mark in a disc of this radius."""
    top, thick = y - size * 0.62, size * 0.16
    pen.polygon(
        [
            (x - thick, top),
            (x + thick, top),
            (x + thick * 0.65, y + size * 0.16),
            (x - thick * 0.65, y + size * 0.16),
        ],
        colour,
    )
    pen.circle(x, y + size * 0.46, size * 0.15, colour)


@lru_cache(maxsize=2)
def forced(size: int) -> Image.Image:
    """Brackets around the tower that must answer: red on white on ink."""
    pen = Pen(size, size)
    low, high, arm = 8.0, size - 8.0, size * 0.24
    for thick, shade in ((15.0, INK), (10.0, WHITE), (5.5, SHU)):
        for x, dx in ((low, 1), (high, -1)):
            for y, dy in ((low, 1), (high, -1)):
                pen.line([(x + dx * arm, y), (x, y), (x, y + dy * arm)], shade, thick)
    return pen.sprite()
