"""A battle or siege: impact on both sides, what stands there, and the viewer's own cards below."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engines.sekigahara.data import SIDES, Side
from engines.sekigahara.model import BattleState
from render import marks
from render import text as lines
from render.canvas import Canvas, Pen
from render.panels import Panel, ground, pill
from render.scene import Scene
from render.sekigahara_palette import colours
from render.sekigahara_pieces import SIDE_FILL, back, block, card_face, card_parts, chip
from render.sekigahara_words import own_side, say, seen, term
from render.theme import (
    GOLD,
    HEAD,
    INK,
    LINE,
    MUTE,
    NIGHT,
    PAPER,
    SHU,
    SUMI,
    WIDTH,
    Type,
)

TOP, PANEL = 120, 664  # the head, and the height of the two sides' panels
PUBLIC = TOP + PANEL + 14
CARDS = 346  # the private part below


def battle(scene: Scene) -> bytes:
    """The PNG; with a viewer, his hand and the blocks he may still deploy lie below."""
    view = seen(scene)
    found = view.battle
    if found is None:
        raise ValueError("no battle")
    own = own_side(scene)
    private = own is not None and view.hand is not None
    height = PUBLIC + (CARDS + 110 if private else 0)
    canvas = Canvas(ground(WIDTH, height, SUMI), rtl=scene.words.rtl)
    head(canvas, scene, found)
    for number, side in enumerate(SIDES):
        left = 12 + 534 * number
        side_panel(canvas, scene, found, side, (left, TOP, left + 522, TOP + PANEL))
    if private and own is not None:
        own_part(canvas, scene, found, own)
    return canvas.png(colours())


def head(canvas: Canvas, scene: Scene, found: BattleState) -> None:
    """Where, when, and who has the initiative."""
    view = seen(scene)
    canvas.image.paste(GOLD, (0, TOP - 16, WIDTH, TOP - 13))
    panel = Panel(canvas, (12, 0, WIDTH - 12, TOP - 16), drawn=False)
    key = "picture.siege-of" if found.siege else "picture.battle-of"
    panel.words(10, 54, say(scene, key, at=found.at), HEAD, PAPER, room=560)
    when = say(scene, "picture.when", week=view.week, turn=view.turn)
    panel.words(10, 92, when, Type("quiet", 26), MUTE, room=500)
    seats = [SIDES.index(side) for side in view.waiting]
    panel.words(10, 54, say(scene, "picture.acts", seats=seats), Type("words", 29), GOLD, room=470, end=True)
    what = say(scene, f"picture.asks.{view.phase}")
    panel.words(10, 92, what, Type("quiet", 26), MUTE, room=470, end=True)


def side_panel(
    canvas: Canvas, scene: Scene, found: BattleState, side: Side, box: tuple[int, int, int, int]
) -> None:
    """A side: crest, player, role, impact with its sevens, what it deployed, how many are left."""
    view = seen(scene)
    seat = SIDES.index(side)
    panel = Panel(canvas, box, active=side in view.waiting)
    panel.icon(46, 48, chip(side, 29))
    used = panel.words(96, 46, scene.names[seat], Type("words", 30), PAPER, room=230)
    if side in view.waiting:
        panel.to_act(96 + used + 22, 36)
    role = "picture.attacks" if side == found.attacker else "picture.defends"
    if side in found.done:
        role = "picture.is-done"
    panel.words(96, 80, say(scene, role), Type("quiet", 26), MUTE, room=250)
    impact = found.impact.get(side, 0)
    panel.figure(464, 48, str(impact), Type("words", 64), PAPER)
    bar(panel, impact, side)
    deployed = list(found.deployed.get(side, ()))
    rows(panel, scene, deployed)
    here = view.map[found.at]
    count = here.ishida if side == "ishida" else here.tokugawa
    gone = sum(1 for face in deployed if face not in found.defected.get(other(side), ()))
    left = max(0, count - gone)
    panel.words(18, PANEL - 26, say(scene, "picture.not-deployed", n=left), Type("quiet", 26), MUTE, room=250)
    for number in range(min(left, 5)):
        panel.icon(panel.width - 36 - 52 * number, PANEL - 34, back(side, 40))


def other(side: Side) -> Side:
    """The other side."""
    return "tokugawa" if side == "ishida" else "ishida"


def bar(panel: Panel, impact: int, side: Side) -> None:
    """Impact as a bar, with a red mark and a loss at each seven."""
    top = max(21, (impact // 7 + 1) * 7)
    panel.icon(261, 118, bar_sprite(impact, top, side))
    for number in range(1, min(top // 7, 6)):
        start = 20 + 482 * 7 * number / top
        reached = impact >= 7 * number
        panel.words(start - 14, 166, "−1", Type("words", 25), "#F08070" if reached else MUTE, room=60)


@lru_cache(maxsize=128)
def bar_sprite(impact: int, top: int, side: str) -> Image.Image:
    """The bar itself; Tokugawa's is hatched."""
    pen = Pen(486, 38)
    pen.box((2, 6, 484, 32), 5, SUMI, LINE, 2)
    length = round(480 * min(impact, top) / top)
    if length > 3:
        pen.box((2, 6, 2 + length, 32), 5, SIDE_FILL["ishida"] if side == "ishida" else PAPER)
        if side != "ishida":
            for x in range(-20, int(length), 16):
                pen.line([(max(2, x + 2), 30), (min(length, x + 20), 8)], INK, 3.5, round_ends=False)
    for seven in range(7, top, 7):
        mark = 2 + 480 * seven / top
        pen.line([(mark, 2), (mark, 36)], SHU, 4, round_ends=False)
    return pen.sprite()


def rows(panel: Panel, scene: Scene, deployed: list[str]) -> None:
    """The blocks that stand on a side, in order, with what each is worth by itself."""
    size, step, columns = (62, 76, 1) if len(deployed) <= 5 else (56, 68, 2)
    per = 5 if columns == 1 else 6
    for number, face in enumerate(deployed[: per * columns]):
        column, row = divmod(number, per)
        x, y = 52 + 250 * column, 224 + step * row
        panel.icon(x, y, block(face, size))
        word = term(scene, face)
        room = 340 if columns == 1 else 150
        panel.words(x + 48, y + 8, word, Type("quiet", 26), PAPER, room=room)
    if len(deployed) > per * columns:
        panel.words(18, PANEL - 62, f"+{len(deployed) - per * columns}", Type("words", 26), PAPER, room=80)


# -- the viewer's own part -----------------------------------------------------------------


def own_part(canvas: Canvas, scene: Scene, found: BattleState, own: Side) -> None:
    """The viewer's hand, what is used already, and his blocks at the place."""
    view = seen(scene)
    hand = list(view.hand or ())
    canvas.image.paste(NIGHT, (0, PUBLIC, WIDTH, canvas.image.height))
    canvas.paste(marks.tape(WIDTH, 12, SUMI), 0, PUBLIC)
    panel = Panel(canvas, (12, PUBLIC + 12, WIDTH - 12, canvas.image.height - 8), drawn=False)
    pill(panel, 8, 34, say(scene, "picture.private"), room=330)
    used = list(found.used.get(own, ()))
    width = min(194, (WIDTH - 40) // max(1, len(hand)) - 14)
    for number, card in enumerate(hand):
        spent = card in used
        if spent:
            used.remove(card)
        x = 10 + (width + 14) * number + width / 2
        panel.icon(x, 194, card_sprite(card, own, width, spent=spent))
        daimyo, kind = card_parts(card)
        name, style = lines.fit(term(scene, daimyo), Type("words", 27), width - 24)
        panel.words(x - width / 2 + 14, 264, name, style, INK, room=width - 20)
        what = say(scene, f"picture.card.{kind}")
        panel.words(x - width / 2 + 14, 296, what, Type("quiet", 25), INK, room=width - 20)
    faces = list(view.map[found.at].faces or ())
    for face in found.deployed.get(own, ()):
        if face in faces:
            faces.remove(face)
    for number, face in enumerate(faces[:14]):
        panel.icon(44 + 76 * number, 372, block(face, 60))


@lru_cache(maxsize=128)
def card_sprite(card: str, side: str, width: int, *, spent: bool) -> Image.Image:
    """A card of the hand; spent ones are grey."""
    pen = Pen(width + 4, 246)
    pen.box((0, 2, width + 4, 246), 12, INK)
    pen.box((0, 0, width + 2, 242), 12, MUTE if spent else PAPER)
    image = pen.sprite()
    face = card_face(card, side, width - 10, 140)
    image.alpha_composite(face, (6, 6))
    return image
