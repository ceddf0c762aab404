"""The standing of a Kamisado match with teeth: points to the target, and what each tower can do."""

from __future__ import annotations

from typing import Final

from engines.kamisado.data import COLORS, MOST_TEETH, PUSHES, REACH, SIDES, TOOTH_POINTS, Side
from engines.kamisado.model import Tower
from render.canvas import Canvas
from render.kamisado.pieces import colours, emblem, piece
from render.kamisado.words import say, view_of
from render.panels import Panel, rounded
from render.scene import Picture, Scene
from render.theme import GOLD, LINE, MUTE, PAPER, WIDTH, Type
from render.words import joined, shorten

WITH_TEETH: Final = ("standard", "long", "marathon")
HEAD, BLOCK, GAP = 96, 452, 12
LEFT, COLUMN = 152, 110  # where the towers begin, and how far apart they are
LABEL, FIGURE = Type("quiet", 30), Type("words", 40)


def stands(scene: Scene) -> bool:
    """Whether it is a match with teeth."""
    return view_of(scene).match in WITH_TEETH


def standing(scene: Scene) -> Picture | None:
    """Both sides' points and towers; None in a match without teeth."""
    view = view_of(scene)
    if not stands(scene):
        return None
    canvas = Canvas.blank(WIDTH, HEAD + 2 * (BLOCK + GAP), rtl=scene.words.rtl)
    top = Panel(canvas, (12, 0, WIDTH - 12, HEAD), drawn=False)
    top.words(12, 62, say(scene, "picture.round", round=view.round), Type("words", 42), PAPER, room=480)
    top.words(
        12, 62, say(scene, "picture.target", points=view.target), Type("quiet", 36), MUTE, room=460, end=True
    )
    for seat, side in enumerate(SIDES):
        block(canvas, scene, seat, side)
    return Picture(canvas.png(colours()), "kamisado-standing.png", shorten(standing_words(scene), 990))


def block(canvas: Canvas, scene: Scene, seat: int, side: Side) -> None:
    """A side: its points as a bar to the target, its towers with their reach and pushes."""
    view = view_of(scene)
    start = HEAD + seat * (BLOCK + GAP)
    panel = Panel(canvas, (12, start, WIDTH - 12, start + BLOCK), active=view.winner == side)
    points = view.score.of(side)
    panel.icon(52, 58, emblem(side, 84))
    panel.words(104, 50, scene.names[seat], Type("words", 38), PAPER, room=330)
    panel.words(104, 92, scene.words.term("kamisado", side), LABEL, MUTE, room=330)
    bar = round(380 * min(points, view.target) / view.target)
    panel.icon(470 + 190, 42, rounded(380, 34, LINE))
    if bar >= 34:
        panel.icon(470 + bar / 2, 42, rounded(bar, 34, GOLD))
    panel.words(24, 66, str(points), Type("words", 60), PAPER, room=150, end=True)
    left = say(scene, "standing.left", left=max(0, view.target - points))
    panel.words(470, 96, left, LABEL, MUTE, room=400)
    towers = {tower.color: tower for tower in view.towers if tower.owner == side}
    for row, key in ((306, "moves"), (362, "pushes"), (420, "next")):
        panel.words(24, row, say(scene, f"standing.{key}"), LABEL, MUTE, room=LEFT - 20)
    for number, color in enumerate(COLORS):
        if (tower := towers.get(color)) is not None:
            column(panel, LEFT + 62 + COLUMN * number, tower, up=side == "white")


def column(panel: Panel, middle: float, tower: Tower, *, up: bool) -> None:
    """One tower: itself, how far it moves, how many it pushes, what its next tooth is worth."""
    panel.icon(middle, 190, piece(tower.owner, tower.color, tower.teeth, up))
    strong = PAPER if tower.teeth else MUTE
    panel.figure(middle, 296, str(REACH[tower.teeth]), FIGURE, strong)
    panel.figure(middle, 352, str(PUSHES[tower.teeth]), FIGURE, strong if PUSHES[tower.teeth] else LINE)
    following = f"+{TOOTH_POINTS[tower.teeth]}" if tower.teeth < MOST_TEETH else "–"
    panel.figure(middle, 410, following, FIGURE, GOLD)


def standing_words(scene: Scene) -> str:
    """The same in words: the score, and the towers that have teeth; "" in a match without them."""
    view = view_of(scene)
    if not stands(scene):
        return ""
    lines = []
    for seat, side in enumerate(SIDES):
        points = view.score.of(side)
        told = say(scene, "standing.side", seat=seat, points=points, left=max(0, view.target - points))
        grown = [strength(scene, tower) for tower in view.towers if tower.owner == side and tower.teeth]
        key = "standing.towers" if grown else "standing.plain"
        lines.append(joined([told, say(scene, key, side=side, towers=grown)]))
    return "\n".join(lines)


def strength(scene: Scene, tower: Tower) -> str:
    """A tower with teeth, what it is and what it can do."""
    following = TOOTH_POINTS[min(tower.teeth, MOST_TEETH - 1)]
    return say(
        scene,
        "standing.tower",
        color=tower.color,
        teeth=str(tower.teeth),
        reach=REACH[tower.teeth],
        pushes=PUSHES[tower.teeth],
        next=following,
    )
