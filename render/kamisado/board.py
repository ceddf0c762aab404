"""The Kamisado board: where everybody stands, what was done, what may be done and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, cast

from PIL import Image

from engines.kamisado.data import SIDES, SQUARES, Side
from engines.kamisado.foresight import Answer, losing
from engines.kamisado.model import KamisadoView, Target, Tower
from render import marks
from render.canvas import Canvas, Point, unit
from render.kamisado.fresh import Path, news
from render.kamisado.pieces import (
    CELL,
    HEIGHT,
    SQUARE,
    THREAT,
    alarm,
    answered,
    base,
    colours,
    corner_of,
    emblem,
    forced,
    ghost,
    piece,
    risky,
    tooth,
)
from render.kamisado.words import (
    alt,
    answer,
    at_the_end,
    is_preview,
    next_mover,
    now_line,
    previewed,
    pushed_from,
    step_of,
    title,
    under_line,
)
from render.kept import kept
from render.names import fitting
from render.panels import Panel, pill
from render.scene import Picture, Scene
from render.text import width
from render.theme import GOLD, INK, MUTE, PAPER, SCORE, WIDTH, Type

FOOT: Final = (12, HEIGHT - 144, WIDTH - 12, HEIGHT - 12)
NOW, THEN = Type("words", 35), Type("quiet", 31)  # the two lines of the foot


@dataclass(frozen=True)
class Board:
    """What is drawn: towers where they stand (in a preview: where they will), and the way round."""

    view: KamisadoView
    towers: tuple[Tower, ...]
    flip: bool

    def corner(self, square: str) -> Point:
        """The top left corner of a square in the picture."""
        return corner_of(square, flip=self.flip)

    def middle(self, square: str) -> Point:
        """The middle of a square."""
        x, y = self.corner(square)
        return x + CELL / 2, y + CELL / 2

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
        sprite = piece(tower.owner, tower.color, tower.teeth, shown.up(tower.owner))
        canvas.centre(sprite, *shown.middle(tower.square))
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


# -- head and foot -------------------------------------------------------------------------


def head(canvas: Canvas, scene: Scene) -> None:
    """Who plays, the score and what it gained, whose turn it is, the round."""
    view = view_of(scene)
    gained = news(scene).points
    for seat, side in enumerate(SIDES):
        box = (12, 12, 420, 106) if seat == 0 else (WIDTH - 420, 12, WIDTH - 12, 106)
        acts, won = view.to_act == seat, view.winner == side
        panel = Panel(canvas, box, active=acts or won)
        panel.icon(44, 47, emblem(side, 76))
        points = str(view.score.of(side))
        length = width(points, SCORE)
        panel.figure(390 - length / 2, 40 if gained[seat] > 0 else 47, points, SCORE, PAPER)
        if gained[seat] > 0:
            panel.words(16, 85, f"+{gained[seat]}", Type("words", 30), GOLD, room=70, end=True)
        if won or view.match != "series":  # in which there are no teeth
            panel.icon(358 - length, 47, marks.star_octagon(24) if won else tooth(36))
        room = 246 - length
        used = panel.words(84, 42, scene.names[seat], Type("words", 34), PAPER, room=room - 34 * acts)
        if acts:
            panel.to_act(84 + used + 20, 31)
        panel.words(84, 81, scene.words.term("kamisado", side), Type("quiet", 30), MUTE, room=room)
    middle = Panel(canvas, (424, 12, WIDTH - 424, 106), drawn=False)
    first, second = title(scene)
    middle.middle(40, first, Type("words", 33), PAPER, room=224)
    middle.middle(80, second, Type("quiet", 30), MUTE, room=224)


def foot(canvas: Canvas, scene: Scene) -> None:
    """What is to be done now, and below it what was done last; in a preview what would follow."""
    panel = Panel(canvas, FOOT)
    start = 24
    side, color = next_mover(scene)
    if side is not None:
        panel.icon(62, 66, small(side, color))
        start = 118
    room = float(panel.width - start - 20)
    now = fitting(scene.names, lambda names: now_line(replace(scene, names=names)), NOW, room)
    panel.words(start, 54, now, NOW, GOLD, room=room)
    if is_preview(scene):
        room -= pill(panel, 16, 95, scene.words("kamisado.picture.private"), room=430, end=True) + 12
    line, alarming = under_line(scene)
    panel.words(start, 106, line, THEN, THREAT if alarming else PAPER, room=room)


@kept
def small(side: str, color: str | None) -> Image.Image:
    """The tower that is to move, as large as the foot."""
    image = emblem(side, 106) if color is None else piece(side, color, 0, side == "white")
    return image.resize((round(image.width * 106 / image.height), 106), Image.Resampling.LANCZOS)


# -- marks on the board ----------------------------------------------------------------


def moves(canvas: Canvas, scene: Scene, shown: Board) -> None:
    """Below the towers: all that moved since the viewer looked, then the last move or the one to confirm."""
    view, step = shown.view, step_of(scene.action)
    last = None if step is not None or (scene.action or "").startswith("fill") else view.last
    for path in news(scene).paths:
        if last is None or (path.owner, path.color) != (last.owner, last.color):
            trail(canvas, shown, path.owner, (path.start, path.end), GOLD)
        elif path.start != last.from_:  # it moved more than once
            trail(canvas, shown, path.owner, (path.start, last.from_), GOLD)
    if step is not None:
        start, to, _ = step
        owner = next((tower.owner for tower in view.towers if tower.square == start), view.to_move)
        if owner is not None:
            trail(canvas, shown, owner, (start, to), PAPER)
    elif last is not None:
        trail(canvas, shown, last.owner, (last.from_, last.to), PAPER)


def trail(canvas: Canvas, shown: Board, owner: Side, way: tuple[str, str], fill: str) -> None:
    """The ghost of a tower where it stood, and the arrow to where it stands."""
    start, to = way
    if all(tower.square != start for tower in shown.towers):
        canvas.centre(ghost(owner, shown.up(owner)), *shown.middle(start))
    dx, dy = unit(*(end - begin for begin, end in zip(shown.middle(start), shown.middle(to), strict=True)))
    gap = CELL / 2 / max(abs(dx), abs(dy)) + 7
    x, y = shown.middle(to)
    marks.arrow(canvas, [shown.middle(start), (x - dx * gap, y - dy * gap)], fill)


def badges(canvas: Canvas, scene: Scene, shown: Board) -> None:
    """Above the towers: brackets, targets, pushes, blocked towers, the tower that won the round."""
    view = shown.view
    if scene.action is None:
        chosen(canvas, scene, shown)
        offers = view.targets if len({t.from_ for t in view.targets}) == 1 else offered(scene, view)
        risks = risks_of(scene, offers)
        for target in offers:
            aim(canvas, shown, target, risky_too=target.to in risks)
    step = step_of(scene.action)
    if step is not None:
        start, to, push = step
        canvas.centre(marks.brackets(SQUARE + 8), *shown.middle(to))
        if push:
            pushes(canvas, shown, tuple(pushed_from(view, start, to).values()))
        if (following := answer(scene)) is not None:
            follow(canvas, scene, shown, following)
    elif view.last is not None and scene.action is None:
        pushes(canvas, shown, (*view.last.pushed, *pushed_since(scene)))
        for blocked in view.last.passes:
            corner(canvas, shown, blocked.square, marks.no_way())
        if view.phase != "move" and view.last.to[1] in "18" and view.reason != "resign":
            corner(canvas, shown, view.last.to, marks.star_octagon(24))


def pushed_since(scene: Scene) -> tuple[str, ...]:
    """Where the towers stand that were pushed since the viewer looked, before the last move."""
    last = view_of(scene).last
    known = () if last is None else last.pushed
    return tuple(path.end for path in news(scene).paths if path.back and path.end not in known)


def risks_of(scene: Scene, offers: tuple[Target, ...]) -> frozenset[str]:
    """The targets of a panel after which the other side could win at once."""
    starts = {target.from_ for target in offers}
    if scene.prompt is None or scene.help != "full" or len(starts) != 1:
        return frozenset()
    return frozenset(losing(view_of(scene), *starts))


def follow(canvas: Canvas, scene: Scene, shown: Board, following: Answer) -> None:
    """What the action to confirm forces: the tower in brackets, where it may go, where it would win."""
    for blocked in following.passes:
        corner(canvas, shown, blocked.square, marks.no_way())
    own = following.again
    canvas.centre(marks.brackets(SQUARE + 8) if own else forced(SQUARE + 10), *shown.middle(following.square))
    for target in following.targets:
        if target.kind == "push":
            push_sign(canvas, shown, target.to, following.side)
        elif target.wins and scene.help == "full":
            canvas.centre(marks.star_octagon(40) if own else alarm(38), *shown.middle(target.to))
        else:
            canvas.centre(marks.ring() if own else answered(), *shown.middle(target.to))


def chosen(canvas: Canvas, scene: Scene, shown: Board) -> None:
    """White brackets around the tower that must move, was picked, or may be picked."""
    starts = {target.from_ for target in shown.view.targets}
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


def offered(scene: Scene, view: KamisadoView) -> tuple[Target, ...]:
    """The targets of the tower that was picked in a panel."""
    squares = {mark for choice in scene.picked for mark in choice.marks}
    return tuple(target for target in view.targets if target.from_ in squares)


def aim(canvas: Canvas, shown: Board, target: Target, *, risky_too: bool) -> None:
    """A legal target: a ring, a gold octagon where it wins, chevrons where it pushes, red where it risks."""
    if target.kind == "push":
        push_sign(canvas, shown, target.to, cast(Side, shown.view.to_move))
        return
    sprite = marks.star_octagon(40) if target.wins else risky() if risky_too else marks.ring()
    canvas.centre(sprite, *shown.middle(target.to))


def push_sign(canvas: Canvas, shown: Board, square: str, side: Side) -> None:
    """Chevrons on the edge over which this side would push."""
    forward = shown.up(side)
    x, y = shown.corner(square)
    canvas.centre(marks.chevrons(up=forward), x + SQUARE - 26, y + (SQUARE - 4 if forward else 4))


def pushes(canvas: Canvas, shown: Board, squares: tuple[str, ...]) -> None:
    """Chevrons on each tower that was pushed, the way it went."""
    for square in squares:
        owner = next((tower.owner for tower in shown.towers if tower.square == square), None)
        if owner is not None:
            corner(canvas, shown, square, marks.chevrons(up=not shown.up(owner)))


def corner(canvas: Canvas, shown: Board, square: str, sprite: Image.Image) -> None:
    """A medal on a square's free corner beside the tip of its tower, where no sign is."""
    x, y = shown.corner(square)
    owner: Side = next((tower.owner for tower in shown.towers if tower.square == square), "white")
    free = (x + CELL - 24, y + 24) if shown.up(owner) else (x + 24, y + CELL - 24)
    canvas.centre(sprite, *free)


__all__ = ["HEIGHT", "INK", "Board", "Path", "board", "ended", "hand"]
