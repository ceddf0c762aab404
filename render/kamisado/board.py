"""The Kamisado board: eight colours with their signs, towers as wedges, teeth at their back edge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import cast

from PIL import Image

from engines.kamisado.data import COLOR_OF, FILES, SIDES, SQUARES, Side
from engines.kamisado.model import KamisadoView, Target, Tower
from render import marks
from render.canvas import Canvas, Pen, Point, dashed, palette, unit
from render.colour import mix
from render.kamisado.signs import QUIET, draw_sign, ink_on, sign
from render.kamisado.words import (
    alt,
    at_the_end,
    last_line,
    next_mover,
    now_line,
    previewed,
    pushed_from,
    step_of,
    title,
)
from render.panels import Panel, ground, pill
from render.scene import Picture, Scene
from render.text import width
from render.theme import (
    GOLD,
    INK,
    KAMISADO,
    LABEL,
    LACQUER,
    LINE,
    MUTE,
    NIGHT,
    PAPER,
    PIECE_EDGE,
    RAISED,
    SCORE,
    SHU,
    SUMI,
    WHITE,
    WIDTH,
    WOOD,
    Type,
)

HEIGHT = 1278
LEFT, TOP, SQUARE = 38, 134, 126  # the corner of the board and a square with its gap
BLACK = "#24212A"  # Black's towers, edged with paper
TOWER_W, TOWER_H = 84, 120  # the box of a tower's sprite, teeth included
TOWER_AT = {
    True: (77, 65),
    False: (77, 69),
}  # its middle within the square, if it goes up or down: clear of the sign


@dataclass(frozen=True)
class Board:
    """What is drawn: towers where they stand (in a preview: where they will), and the way round."""

    view: KamisadoView
    towers: tuple[Tower, ...]
    flip: bool

    def corner(self, square: str) -> Point:
        """The top left corner of a square in the picture."""
        column, row = FILES.index(square[0]), 8 - int(square[1])
        if self.flip:
            column, row = 7 - column, 7 - row
        return LEFT + SQUARE * column, TOP + SQUARE * row

    def middle(self, square: str) -> Point:
        """The middle of a square."""
        x, y = self.corner(square)
        return x + SQUARE / 2 - 1, y + SQUARE / 2 - 1

    def stand(self, square: str, owner: Side) -> Point:
        """The middle of a side's tower that stands on a square."""
        x, y = self.corner(square)
        right, down = TOWER_AT[self.up(owner)]
        return x + right, y + down

    def up(self, owner: Side) -> bool:
        """Whether this side's towers go up in the picture."""
        return (owner == "white") != self.flip


def board(scene: Scene) -> Picture:
    """The board; with a prompt or an action, the preview of a panel."""
    view = view_of(scene)
    shown = Board(view, previewed(scene), scene.flip)
    canvas = Canvas(base(scene.flip, is_preview(scene)), rtl=scene.words.rtl)
    head(canvas, scene)
    moves(canvas, scene, shown)
    for tower in shown.towers:
        canvas.centre(
            piece(tower.owner, tower.color, tower.teeth, shown.up(tower.owner)),
            *shown.stand(tower.square, tower.owner),
        )
    badges(canvas, scene, shown)
    foot(canvas, scene)
    return Picture(canvas.png(colours()), "kamisado.png", alt(scene))


def hand(scene: Scene) -> None:
    """Kamisado hides nothing: there is no private sheet."""


def ended(scene: Scene) -> Picture | None:
    """The board that a round of a series ended on, to be shown beside the board of the next one."""
    end = at_the_end(scene)
    return None if end is None else replace(board(end), filename="kamisado-ended.png")


def view_of(scene: Scene) -> KamisadoView:
    """The scene's view, which is Kamisado's."""
    return cast(KamisadoView, scene.view)


def is_preview(scene: Scene) -> bool:
    """Whether this is a panel's picture, for its player alone."""
    return scene.prompt is not None or scene.action is not None


# -- sprites ---------------------------------------------------------------------------


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
    others += [(SUMI, GOLD, 2)]
    flat = [*hues, SUMI, LACQUER, RAISED, LINE, PAPER, MUTE, INK, GOLD, WHITE, NIGHT, WOOD, BLACK, SHU]
    flat += [mix(ink_on(hue), hue, QUIET) for hue in hues]
    return palette(flat, chain(on_hues, grounds, others))


@lru_cache(maxsize=8)
def base(flip: bool, preview: bool) -> Image.Image:
    """The empty board with its frame and coordinates."""
    canvas = Canvas(ground(WIDTH, HEIGHT, NIGHT if preview else SUMI))
    if preview:
        canvas.paste(marks.tape(WIDTH, 12, SUMI), 0, 106)
    edge = Pen(8 * SQUARE + 16, 8 * SQUARE + 16)
    edge.box((0, 0, 8 * SQUARE + 14, 8 * SQUARE + 14), 12, SUMI, WOOD, 4)
    canvas.paste(edge.sprite(), LEFT - 8, TOP - 8)
    empty = Board(cast(KamisadoView, None), (), flip)
    for square in SQUARES:
        x, y = empty.corner(square)
        canvas.paste(ground_of(COLOR_OF[square]), x, y)
    for number in range(8):
        rank, file = (number + 1, FILES[7 - number]) if flip else (8 - number, FILES[number])
        canvas.figure(16, TOP + SQUARE * number + SQUARE / 2, str(rank), LABEL, PAPER)
        canvas.words(LEFT + SQUARE * number + SQUARE / 2, TOP + 8 * SQUARE + 36, file, LABEL, PAPER, "m")
    return canvas.image


@lru_cache(maxsize=8)
def ground_of(color: str) -> Image.Image:
    """A square with its sign, top left."""
    pen = Pen(SQUARE - 2, SQUARE - 2)
    pen.box((0, 0, SQUARE - 2, SQUARE - 2), 7, KAMISADO[color])
    image = pen.sprite()
    mark = sign(color, 30)
    image.alpha_composite(mark, (8, 8))
    return image


def wedge(x: float, y: float, up: bool) -> list[Point]:
    """A tower's outline around its middle: it points the way it goes."""
    half, back, shoulder, tip = 36, 37, -17, -43
    way = 1 if up else -1
    points = [(-half, back), (-half + 6, shoulder), (0, tip), (half - 6, shoulder), (half, back)]
    return [(x + px, y + way * py) for px, py in points]


@lru_cache(maxsize=160)
def piece(owner: str, color: str, teeth: int, up: bool) -> Image.Image:
    """A tower: White's of paper, Black's of ink, its colour and sign on a disc, fangs at its back."""
    fill, edge = (PAPER, INK) if owner == "white" else (BLACK, PAPER)
    pen = Pen(TOWER_W, TOWER_H)
    x, y = TOWER_W / 2, TOWER_H / 2
    way = 1 if up else -1
    fangs(pen, x, y + (40 if up else -37), teeth, way)
    pen.polygon([(px, py + 3) for px, py in wedge(x, y, up)], INK, INK, PIECE_EDGE)
    pen.polygon(wedge(x, y, up), fill, edge, PIECE_EDGE)
    pen.circle(x, y + way * 7, 26, KAMISADO[color], edge if owner == "black" else INK, 2.5)
    draw_sign(pen, x, y + way * 7, 33, color)
    return pen.sprite()


def fangs(pen: Pen, x: float, y: float, teeth: int, way: int) -> None:
    """Teeth side by side, pointing away from the tower's back edge."""
    step = 22 if teeth < 4 else 18
    for number in range(teeth):
        middle = x + (number - (teeth - 1) / 2) * step
        fang = [(middle - 9, y), (middle + 9, y), (middle, y + way * 15)]
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


# -- head and foot -------------------------------------------------------------------------


def head(canvas: Canvas, scene: Scene) -> None:
    """Who plays, the score, whose turn it is, the round."""
    view = view_of(scene)
    for seat, side in enumerate(SIDES):
        box = (12, 12, 416, 96) if seat == 0 else (WIDTH - 416, 12, WIDTH - 12, 96)
        active = view.to_act == seat or view.winner == side
        panel = Panel(canvas, box, active=active)
        panel.icon(46, 42, emblem(side, 70))
        points = str(view.score.of(side))
        length = width(points, SCORE)
        panel.figure(388 - length / 2, 42, points, SCORE, PAPER)
        if view.winner == side or view.match != "series":  # in which there are no teeth
            panel.icon(356 - length, 42, marks.star_octagon(22) if view.winner == side else tooth(34))
        role = scene.words.term("kamisado", side)
        panel.player(88, scene.names[seat], role, room=240 - length, active=view.to_act == seat)
    middle = Panel(canvas, (428, 12, WIDTH - 428, 96), drawn=False)
    first, second = title(scene)
    middle.middle(36, first, Type("words", 29), PAPER, room=212)
    middle.middle(68, second, Type("quiet", 26), MUTE, room=212)


def foot(canvas: Canvas, scene: Scene) -> None:
    """What is to be done now, and what was done last."""
    panel = Panel(canvas, (12, HEIGHT - 84, WIDTH - 12, HEIGHT - 12))
    start = 24
    side, color = next_mover(scene)
    if side is not None:
        panel.icon(46, 36, small(side, color))
        start = 84
    y = 46
    if is_preview(scene):
        room = pill(panel, 16, 36, scene.words("kamisado.picture.private"), room=400, end=True)
        panel.words(start, y, now_line(scene), Type("words", 29), GOLD, room=panel.width - start - room - 40)
        return
    now, last = now_line(scene), last_line(scene)
    room = panel.width - start - 24
    used = panel.words(start, y, now, Type("words", 29), GOLD, room=room * (0.52 if last else 1))
    if last:
        panel.words(20, y, last, Type("quiet", 27), PAPER, room=room - used - 28, end=True)


@lru_cache(maxsize=24)
def small(side: str, color: str | None) -> Image.Image:
    """The tower that is to move, small enough for a line of words."""
    image = emblem(side, 68) if color is None else piece(side, color, 0, side == "white")
    return image.resize((round(image.width * 68 / image.height), 68), Image.Resampling.LANCZOS)


# -- marks on the board ----------------------------------------------------------------


def moves(canvas: Canvas, scene: Scene, shown: Board) -> None:
    """Below the towers: the last move, or the one to confirm, with its ghost and its arrow."""
    view = shown.view
    step = step_of(scene.action)
    if step is not None:
        start, to, _ = step
        owner = next((tower.owner for tower in view.towers if tower.square == start), view.to_move)
    elif view.last is not None and not (scene.action or "").startswith("fill"):
        start, to, owner = view.last.from_, view.last.to, view.last.owner
    else:
        return
    if owner is None:
        return
    occupied = any(tower.square == start for tower in shown.towers)
    if not occupied:
        canvas.centre(ghost(owner, shown.up(owner)), *shown.stand(start, owner))
    arrow(canvas, shown.stand(start, owner), shown.stand(to, owner), shown.corner(to))


def arrow(canvas: Canvas, start: Point, end: Point, corner: Point) -> None:
    """From the middle of one tower to the edge of the square (at `corner`) that another stands on."""
    dx, dy = unit(end[0] - start[0], end[1] - start[1])
    gaps = []
    for way, at, low in ((dx, end[0], corner[0]), (dy, end[1], corner[1])):
        if abs(way) > 0.01:
            gaps.append((at - low if way > 0 else low + SQUARE - 2 - at) / abs(way))
    gap = min(gaps) + 9
    line = [start, (end[0] - dx * gap, end[1] - dy * gap)]
    marks.arrow(canvas, line)


def badges(canvas: Canvas, scene: Scene, shown: Board) -> None:
    """Above the towers: brackets, targets, pushes, blocked towers, the tower that won the round."""
    view = shown.view
    if scene.action is None:
        chosen(canvas, scene, shown)
        for target in view.targets if len({t.from_ for t in view.targets}) == 1 else offered(scene, view):
            aim(canvas, shown, target.to, kind=target.kind, wins=target.wins)
    step = step_of(scene.action)
    if step is not None:
        start, to, push = step
        canvas.centre(marks.brackets(SQUARE + 8), *shown.middle(to))
        if push:
            pushes(canvas, shown, tuple(pushed_from(view, start, to).values()))
    elif view.last is not None and scene.action is None:
        pushes(canvas, shown, view.last.pushed)
        for blocked in view.last.passes:
            corner(canvas, shown, blocked.square, marks.no_way())
        if view.phase != "move" and view.last.to[1] in "18" and view.reason != "resign":
            corner(canvas, shown, view.last.to, marks.star_octagon(22))


def chosen(canvas: Canvas, scene: Scene, shown: Board) -> None:
    """White brackets around the tower that must move, was picked, or may be picked."""
    view = shown.view
    starts = {target.from_ for target in view.targets}
    if len(starts) == 1:
        squares = starts
    elif scene.picked:
        squares = {mark for choice in scene.picked for mark in choice.marks}
    elif scene.prompt is not None:
        squares = {mark for choice in scene.prompt.choices for mark in choice.marks}
    else:
        squares = set()
    for square in sorted(squares & set(SQUARES)):
        canvas.centre(marks.brackets(SQUARE + 8), *shown.middle(square))


def offered(scene: Scene, view: KamisadoView) -> list[Target]:
    """The targets of the tower that was picked in a panel."""
    squares = {mark for choice in scene.picked for mark in choice.marks}
    return [target for target in view.targets if target.from_ in squares]


def aim(canvas: Canvas, shown: Board, square: str, *, kind: str, wins: bool) -> None:
    """A legal target: a ring, a gold octagon where it wins, chevrons where it pushes."""
    if kind == "push":
        forward = shown.up(cast(Side, shown.view.to_move))
        x, y = shown.corner(square)
        canvas.centre(marks.chevrons(up=forward), x + SQUARE - 26, y + (SQUARE - 4 if forward else 4))
    else:
        canvas.centre(marks.star_octagon(40) if wins else marks.ring(), *shown.middle(square))


def pushes(canvas: Canvas, shown: Board, squares: tuple[str, ...]) -> None:
    """Chevrons on each tower that was pushed, the way it went."""
    for square in squares:
        owner = next((tower.owner for tower in shown.towers if tower.square == square), None)
        if owner is not None:
            corner(canvas, shown, square, marks.chevrons(up=not shown.up(owner)))


def corner(canvas: Canvas, shown: Board, square: str, sprite: Image.Image) -> None:
    """A medal on the bottom left corner of a square, where no sign and little of a tower is."""
    x, y = shown.corner(square)
    canvas.centre(sprite, x + 24, y + SQUARE - 26)
