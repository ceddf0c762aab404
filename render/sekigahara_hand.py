"""A player's own sheet in Sekigahara: his cards, his recruitment box, and his blocks place by place."""

from __future__ import annotations

from engines.sekigahara.data import PLACES, SIDES, Side
from render import marks
from render import text as lines
from render.canvas import Canvas
from render.panels import Panel, ground, pill
from render.scene import Picture, Scene
from render.sekigahara_battle import card_sprite
from render.sekigahara_palette import colours
from render.sekigahara_pieces import block, card_parts, chip
from render.sekigahara_words import own_side, say, seen, term
from render.theme import GOLD, HEAD, INK, MUTE, NIGHT, PAPER, SUMI, TALLEST, WIDTH, Type

HEAD_HEIGHT = 110
ROW = 74


def hand(scene: Scene) -> Picture | None:
    """The viewer's sheet; None for a spectator."""
    own = own_side(scene)
    view = seen(scene)
    if own is None or view.hand is None:
        return None
    stacks = [(place, list(view.map[place].faces or ())) for place in PLACES if view.map[place].faces]
    per_row = card_columns(len(view.hand))
    card_rows = max(1, -(-len(view.hand) // per_row))
    groups = [("", list(view.box or ())), *stacks]
    layout = flow(groups)
    height = HEAD_HEIGHT + 24 + card_rows * 262 + 20 + (layout[-1][2] + 1) * ROW * 1 + 40
    height = min(max(height, 600), TALLEST)
    canvas = Canvas(ground(WIDTH, height, NIGHT), rtl=scene.words.rtl)
    head(canvas, scene, own)
    cards(canvas, scene, own, per_row)
    top = HEAD_HEIGHT + 24 + card_rows * 262
    for (place, faces), (left, _, row) in zip(groups, layout, strict=True):
        group(canvas, scene, place, faces, left, top + row * ROW)
    return Picture(canvas.png(colours()), "hand.png", alt(scene))


def card_columns(cards_: int) -> int:
    """Cards in a row."""
    return 5 if cards_ <= 5 else 6 if cards_ <= 12 else 8


def flow(groups: list[tuple[str, list[str]]]) -> list[tuple[int, int, int]]:
    """Where each group of blocks goes: left, width, row."""
    out, left, row = [], 12, 0
    for _, faces in groups:
        width = 150 + 46 * max(1, len(faces))
        if left + width > WIDTH - 8 and left > 12:
            left, row = 12, row + 1
        out.append((left, width, row))
        left += width + 8
    return out


def head(canvas: Canvas, scene: Scene, own: Side) -> None:
    """Whose sheet it is."""
    view = seen(scene)
    canvas.image.paste(SUMI, (0, 0, WIDTH, HEAD_HEIGHT))
    canvas.paste(marks.tape(WIDTH, 12, SUMI), 0, HEAD_HEIGHT)
    panel = Panel(canvas, (12, 0, WIDTH - 12, HEAD_HEIGHT), drawn=False)
    panel.icon(46, 54, chip(own, 31))
    panel.words(98, 50, say(scene, "hand.title", side=own), HEAD, PAPER, room=560)
    line = say(scene, "hand.when", week=view.week, deck=view.decks[own], bag=view.bags[own])
    panel.words(98, 88, line, Type("quiet", 27), MUTE, room=900)
    pill(panel, 10, 38, say(scene, "picture.private"), room=330, end=True)


def cards(canvas: Canvas, scene: Scene, own: Side, per_row: int) -> None:
    """The hand, in the order of the data."""
    view = seen(scene)
    width = (WIDTH - 24 - 14 * (per_row - 1)) // per_row - 4
    panel = Panel(canvas, (12, HEAD_HEIGHT + 24, WIDTH - 12, canvas.image.height), drawn=False)
    for number, card in enumerate(view.hand or ()):
        row, column = divmod(number, per_row)
        x, y = (width + 18) * column + width / 2, 124 + 262 * row
        panel.icon(x, y, card_sprite(card, own, width, spent=False))
        daimyo, kind = card_parts(card)
        panel.words(x - width / 2 + 12, y + 66, term(scene, daimyo), Type("words", 27), INK, room=width - 18)
        what = say(scene, f"picture.card.{kind}")
        panel.words(x - width / 2 + 12, y + 98, what, Type("quiet", 25), INK, room=width - 18)
    if not view.hand:
        panel.words(10, 60, say(scene, "hand.no-cards"), Type("words", 28), MUTE, room=500)


def group(canvas: Canvas, scene: Scene, place: str, faces: list[str], left: int, top: int) -> None:
    """A place's name and the blocks that stand there; "" is the recruitment box."""
    panel = Panel(canvas, (left, top, min(WIDTH - 8, left + 150 + 46 * max(1, len(faces))), top + 66))
    name = term(scene, place) if place else say(scene, "hand.box")
    word, style = lines.fit(name, Type("words", 26), 128)
    panel.words(12, 43, word, style, PAPER if place else GOLD, room=130)
    for number, face in enumerate(faces):
        panel.icon(164 + 46 * number, 32, block(face, 40))
    if not faces:
        panel.words(146, 43, "–", Type("words", 26), MUTE, room=40)


def alt(scene: Scene) -> str:
    """The sheet in words."""
    view = seen(scene)
    own = own_side(scene)
    parts = [say(scene, "alt.hand", cards=list(view.hand or ()), blocks=list(view.box or ()))]
    for place in PLACES:
        faces = view.map[place].faces
        if faces:
            parts.append(say(scene, "alt.faces", at=place, blocks=list(faces)))
    return " ".join(parts)[:990] if own in SIDES else ""
