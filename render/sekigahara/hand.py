"""A player's own sheet in Sekigahara: his cards, his recruitment box, and his blocks place by place."""

from __future__ import annotations

from engines.sekigahara.data import PLACES, Side
from render import marks
from render import text as lines
from render.canvas import Canvas
from render.panels import Panel, pill
from render.scene import Picture, Scene
from render.sekigahara.cards import hand_rows
from render.sekigahara.palette import colours
from render.sekigahara.pieces import block, chip
from render.sekigahara.words import own_side, say, term, view_of
from render.theme import GOLD, HEAD, MUTE, NIGHT, PAPER, SUMI, TALLEST, WIDTH, Type
from render.words import joined, shorten

HEAD_HEIGHT = 110
ROW, NAMES, STEP = 74, 190, 46  # a row of blocks, the room for a place's name, from one block to the next
LEAST_HEIGHT, MOST_ALT = 600, 990

Group = tuple[str, list[str], bool]  # a title, blocks, whether it is a box and not a place


def hand(scene: Scene) -> Picture | None:
    """The viewer's sheet; None for a spectator."""
    own = own_side(scene)
    view = view_of(scene)
    if own is None or view.hand is None:
        return None
    several = groups(scene, own)
    layout = flow(several)
    canvas = Canvas.blank(WIDTH, TALLEST, NIGHT, rtl=scene.words.rtl)
    head(canvas, scene, own)
    panel = Panel(canvas, (12, HEAD_HEIGHT + 24, WIDTH - 12, TALLEST), drawn=False)
    top = HEAD_HEIGHT + 24 + hand_rows(panel, scene, own, 0, list(view.hand))
    if not view.hand:
        panel.words(10, 40, say(scene, "hand.no-cards"), Type("words", 28), MUTE, room=500)
        top = HEAD_HEIGHT + 90
    for found, (left, width, row) in zip(several, layout, strict=True):
        group(canvas, found, (left, top + 10 + row * ROW, left + width, top + 76 + row * ROW))
    height = min(max(top + (layout[-1][2] + 1) * ROW + 22, LEAST_HEIGHT), TALLEST)
    canvas.cut(height)
    return Picture(canvas.png(colours()), "hand.png", alt(scene))


def groups(scene: Scene, own: Side) -> list[Group]:
    """The recruitment box, Ishida's Mori box, and the places where own blocks stand."""
    view = view_of(scene)
    found: list[Group] = [(say(scene, "hand.box"), list(view.box or ()), True)]
    if own == "ishida" and view.mori_box:
        found.append((say(scene, "picture.mori-box"), list(view.mori_box), True))
    places = [(term(scene, p), list(view.map[p].faces or ()), False) for p in PLACES if view.map[p].faces]
    return found + places


def flow(several: list[Group]) -> list[tuple[int, int, int]]:
    """Where each group of blocks goes: left, width, row."""
    out, left, row = [], 12, 0
    for _, faces, _ in several:
        width = min(NAMES + STEP * max(1, len(faces)), WIDTH - 24)
        if left + width > WIDTH - 12 and left > 12:
            left, row = 12, row + 1
        out.append((left, width, row))
        left += width + 8
    return out


def head(canvas: Canvas, scene: Scene, own: Side) -> None:
    """Whose sheet it is."""
    view = view_of(scene)
    canvas.image.paste(SUMI, (0, 0, WIDTH, HEAD_HEIGHT))
    canvas.paste(marks.tape(WIDTH, 12, SUMI), 0, HEAD_HEIGHT)
    panel = Panel(canvas, (12, 0, WIDTH - 12, HEAD_HEIGHT), drawn=False)
    panel.icon(46, 54, chip(own, 31))
    panel.words(98, 50, say(scene, "hand.title", side=own), HEAD, PAPER, room=560)
    line = say(scene, "hand.when", week=view.week, deck=view.decks[own], bag=view.bags[own])
    panel.words(98, 88, line, Type("quiet", 27), MUTE, room=900)
    pill(panel, 10, 38, say(scene, "picture.private"), room=400, end=True)


def group(canvas: Canvas, found: Group, box: tuple[int, int, int, int]) -> None:
    """A place's name and the blocks that stand there."""
    title, faces, boxed = found
    panel = Panel(canvas, box)
    word, style = lines.fit(title, Type("words", 26), NAMES - 22)
    panel.words(12, 43, word, style, GOLD if boxed else PAPER, room=NAMES - 20)
    step = min(STEP, (panel.width - NAMES) // max(1, len(faces)))
    for number, face in enumerate(faces):
        panel.icon(NAMES + step * (number + 0.5) - 6, 32, block(face, step - 6))
    if not faces:
        panel.words(NAMES, 43, "–", Type("words", 26), MUTE, room=40)


def alt(scene: Scene) -> str:
    """The sheet in words."""
    view = view_of(scene)
    parts = [say(scene, "alt.hand", cards=list(view.hand or ()), blocks=list(view.box or ()))]
    for place in PLACES:
        faces = view.map[place].faces
        if faces:
            parts.append(say(scene, "alt.faces", at=place, blocks=list(faces)))
    return shorten(joined(parts), MOST_ALT)
