"""The head of a map: both sides with what they have, the week, the phase."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from PIL import Image

from engines.sekigahara.data import CASTLES, SIDES, Side
from locales import Words
from render import marks
from render import text as lines
from render.canvas import Canvas, Pen
from render.flat import Part
from render.panels import Panel, pill
from render.scene import Scene
from render.sekigahara.fresh import Fresh, fresh
from render.sekigahara.pieces import chip, diamond, icon
from render.sekigahara.words import is_private, phase_line, say, view_of, week_line
from render.theme import GOLD, INK, LACQUER, MUTE, NIGHT, PAPER, SUMI, WIDTH, Type

TOP = 166
SIDE = 410  # the width of a side's panel
STATS = (  # name, from the start, row
    ("castle", 30, 0),
    ("resource", 140, 0),
    ("cards", 250, 0),
    ("box", 30, 1),
    ("bag", 140, 1),
    ("lost", 250, 1),
)
CHIP = 80  # the gold ground of a number that has changed, from 18 before its icon's middle on
POINTS = Type("quiet", 26)
PILL = Type("words", 27)  # as `pill` writes
KEYS = {"cards": "hands", "box": "boxes", "bag": "bags", "lost": "lost", "points": "points"}


def head(canvas: Canvas, scene: Scene) -> None:
    """Both sides with points and sizes, the week, the phase."""
    private = is_private(scene)
    canvas.image.paste(NIGHT if private else SUMI, (0, 0, WIDTH, TOP))
    if private:
        canvas.paste(marks.tape(WIDTH, 8, SUMI), 0, TOP - 8)
    else:
        canvas.image.paste(GOLD, (0, TOP - 3, WIDTH, TOP - 1))
    new = fresh(scene)
    for seat, side in enumerate(SIDES):
        left = 10 if seat == 0 else WIDTH - 10 - SIDE
        side_panel(canvas, scene, seat, side, (left, 8, left + SIDE, TOP - 12), new)
    middle = Panel(canvas, (SIDE + 14, 8, WIDTH - SIDE - 14, TOP - 12), drawn=False)
    room = middle.width - 4
    middle.middle(44, week_line(scene), Type("words", 34), PAPER, room=room)
    if private:
        word = say(scene, "picture.private-short")
        length = min(lines.width(word, PILL) + 78, room)
        pill(middle, (middle.width - length) / 2, 76, word, room=room)
    else:
        middle.middle(86, phase_line(scene), Type("quiet", 28), MUTE, room=room)
    week = view_of(scene).week
    for number in range(7):
        sign = diamond(34 if number + 1 == week else 24, full=number < week)
        middle.icon(middle.width / 2 - 96 + 32 * number, 124, sign)


def side_panel(
    canvas: Canvas, scene: Scene, seat: int, side: Side, box: tuple[int, int, int, int], new: Fresh
) -> None:
    """A side: crest, player, points; castles, resources, hand, recruitment box, bag, losses."""
    view = view_of(scene)
    numbers = {
        "castle": sum(1 for place in CASTLES if view.map[place].holder == side),
        "resource": sum(1 for controller in view.control.values() if controller == side),
        "cards": view.hands[side],
        "box": view.boxes[side],
        "bag": view.bags[side],
        "lost": len(view.lost.get(side, ())),
        "points": view.points[side],
    }
    changed = {name for name, key in KEYS.items() if (key, side) in new.counts}
    changed |= {"castle"} if new.castles else set()
    changed |= {"resource"} if new.resources else set()
    signs = side in view.waiting, view.winner == side
    key = box, seat, scene.names[seat], signs, tuple(numbers.items()), frozenset(changed)
    for part in side_parts(scene.words, *key):
        canvas.image.lay(part)


@lru_cache(maxsize=8)  # of four heads: all viewers of a table see the same
def side_parts(words: Words, *key: Any) -> Sequence[Part]:
    """What it is made of."""
    canvas = Canvas.blank(WIDTH, TOP, rtl=words.rtl)
    draw_side(canvas, words, *key)
    return (canvas.image.parts or [])[1:]


def draw_side(
    canvas: Canvas,
    words: Words,
    box: tuple[int, int, int, int],
    seat: int,
    name: str,
    signs: tuple[bool, bool],
    figures: Sequence[tuple[str, int]],
    changed: Collection[str],
) -> None:
    """Draw it; `signs`: whether it is to act, and whether it has won."""
    panel, numbers = Panel(canvas, box, active=any(signs)), dict(figures)
    side, (acts, won) = SIDES[seat], signs
    panel.icon(42, 38, chip(side, 27))
    if "points" in changed:
        panel.icon(SIDE - 50, 34, patch(80, 50))
    ink = INK if "points" in changed else PAPER
    panel.figure(SIDE - 50, 34, str(numbers["points"]), Type("words", 48), ink)
    room = SIDE - 210
    used = panel.words(84, 34, words.term("sekigahara", side), Type("words", 30), PAPER, room=room)
    if acts:
        panel.to_act(84 + used + 20, 26)
    if won:
        panel.icon(84 + used + 24, 26, marks.star_octagon(15))
    panel.words(84, 65, name, Type("quiet", 27), MUTE, room=room + 20)
    panel.words(12, 88, words("sekigahara.picture.points"), POINTS, MUTE, room=96, end=True)
    for what, start, row in STATS:
        y = 94 + 34 * row
        if what in changed:
            panel.icon(start - 18 + CHIP / 2, y, patch(CHIP, 31))
        colour, ground = (INK, GOLD) if what in changed else (PAPER, LACQUER)
        panel.icon(start, y, icon(what, 27, colour, ground))
        panel.words(start + 22, y + 10, str(numbers[what]), Type("words", 28), colour, room=44)


@lru_cache(maxsize=4)
def patch(wide: int, tall: int) -> Image.Image:
    """The gold ground of what is new."""
    pen = Pen(wide, tall)
    pen.box((0, 0, wide, tall), 8, GOLD)
    return pen.sprite()
