"""A battle or siege: impact on both sides, what stands there and by which card."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageOps

from engines.sekigahara.data import OWNER, SIDES, Side
from engines.sekigahara.model import BattleState
from render import text as lines
from render.canvas import Canvas, Pen
from render.kept import kept
from render.panels import Panel
from render.scene import Scene
from render.sekigahara.cards import knows_more, own_part, own_tall
from render.sekigahara.field import DISK_AT
from render.sekigahara.palette import colours
from render.sekigahara.pieces import (
    SIDE_FILL,
    back,
    battlements,
    block,
    card_face,
    chip,
    disk,
    loyalty_arrows,
    marker,
)
from render.sekigahara.score import Row, other, rows
from render.sekigahara.words import own_side, say, term, view_of
from render.theme import GOLD, HEAD, LINE, MUTE, PAPER, SHU, SUMI, WIDTH, Type

TOP = 120  # the head
ABOVE, FEWEST, BELOW = 180, 100, 94  # of a side's panel: over what is deployed, that at least, and under it
BESIEGED, LOST = 524, 84  # the height that a side in its castle takes, and its losses
REACHED = "#F08070"  # a seven that was reached
LAYOUTS = ((5, 1, 62, 78), (12, 2, 52, 66), (99, 3, 46, 58))  # rows at most, columns, block, step
WAITS = 6  # blocks that stand large where none is deployed yet


def battle(scene: Scene) -> bytes:
    """The PNG; with a viewer, his hand and the blocks he may still deploy lie below."""
    view = view_of(scene)
    found = view.battle
    if found is None:
        raise ValueError("no battle")
    own = own_side(scene)
    private = own is not None and view.hand is not None and knows_more(scene, found, own)
    bottom = TOP + panels_tall(found)
    more = own_tall(scene, found, own) if private and own is not None else 0
    canvas = Canvas.blank(WIDTH, bottom + 14 + more, SUMI, rtl=scene.words.rtl)
    head(canvas, scene, found)
    for number, side in enumerate(SIDES):
        left = 12 + 534 * number
        side_panel(canvas, scene, found, side, (left, TOP, left + 522, bottom))
    if private and own is not None:
        own_part(canvas, scene, found, own, bottom + 14)
    return canvas.png(colours())


def panels_tall(found: BattleState) -> int:
    """How tall the sides' panels are: as what is deployed, or stands in the castle, needs."""
    columns = [layout(len(rows(found, side))) for side in SIDES]
    inner = max(FEWEST, *(per * step for per, _, _, step in columns))
    castle = BESIEGED + (LOST if found.losses or found.lost else 0)
    return max(ABOVE + inner + BELOW, castle if found.siege else 0)


def layout(count: int) -> tuple[int, int, int, int]:
    """For so many rows: how many stand in a column, how many columns, a block's size, the way to the next."""
    columns, size, step = next(found[1:] for found in LAYOUTS if count <= found[0])
    return min(count, 5 if columns == 1 else 6), columns, size, step


def head(canvas: Canvas, scene: Scene, found: BattleState) -> None:
    """Where, when, and who has the initiative."""
    view = view_of(scene)
    canvas.image.paste(GOLD, (0, TOP - 16, WIDTH, TOP - 13))
    panel = Panel(canvas, (12, 0, WIDTH - 12, TOP - 16), drawn=False)
    key = "picture.siege-of" if found.siege else "picture.battle-of"
    panel.words(10, 54, say(scene, key, at=found.at), HEAD, PAPER, room=560)
    when = say(scene, "picture.when", week=view.week, turn=view.turn)
    panel.words(10, 92, when, Type("quiet", 26), MUTE, room=500)
    seats = [SIDES.index(side) for side in view.waiting]
    acts = say(scene, "picture.acts", seats=seats) if seats else ""
    panel.words(10, 54, acts, Type("words", 29), GOLD, room=470, end=True)
    what = say(scene, f"picture.asks.{view.phase}") if seats else ""
    panel.words(10, 92, what, Type("quiet", 26), MUTE, room=470, end=True)


def side_panel(
    canvas: Canvas, scene: Scene, found: BattleState, side: Side, box: tuple[int, int, int, int]
) -> None:
    """A side: crest, player, role, impact with its sevens, what it deployed, what is left and lost."""
    view = view_of(scene)
    panel = Panel(canvas, box, active=side in view.waiting)
    panel.icon(46, 48, chip(side, 29))
    used = panel.words(96, 46, scene.names[SIDES.index(side)], Type("words", 30), PAPER, room=280)
    if side in view.waiting:
        panel.to_act(96 + used + 22, 36)
    panel.words(96, 80, say(scene, role(found, side)), Type("quiet", 26), MUTE, room=300)
    if found.siege and side != found.attacker:
        besieged(panel, scene, found, side)
    else:
        impact = found.impact.get(side, 0)
        panel.figure(464, 48, str(impact), Type("words", 64), PAPER)
        bar(panel, impact, side)
        deployed(panel, scene, rows(found, side))
    losses(panel, scene, found, side)
    left_over(panel, scene, found, side)


def role(found: BattleState, side: Side) -> str:
    """What a side does: attacks, defends, or has no more to deploy."""
    if side in found.done:
        return "picture.is-done"
    return "picture.attacks" if side == found.attacker else "picture.defends"


def bar(panel: Panel, impact: int, side: Side) -> None:
    """Impact as a bar, with a red mark and a loss at each seven."""
    top = max(21, (impact // 7 + 1) * 7)
    panel.icon(261, 118, bar_sprite(impact, top, side, mirrored=panel.rtl))
    step = 1 if top <= 49 else 2  # not every loss is named where they would meet
    for number in range(step, top // 7, step):
        start = 20 + 482 * 7 * number / top
        reached = impact >= 7 * number
        panel.words(start - 14, 166, f"−{number}", Type("words", 26), REACHED if reached else MUTE, room=60)


@kept
def bar_sprite(impact: int, top: int, side: str, *, mirrored: bool = False) -> Image.Image:
    """The bar itself; Tokugawa's is hatched. It fills from the start of the line, as its labels run."""
    pen = Pen(486, 38)
    pen.box((2, 6, 484, 32), 5, SUMI, LINE, 2)
    length = round(480 * min(impact, top) / top)
    if length > 3:
        pen.box((2, 6, 2 + length, 32), 5, SIDE_FILL["ishida"] if side == "ishida" else PAPER)
        if side != "ishida":
            for x in range(-20, int(length), 16):
                pen.line([(max(2, x + 2), 30), (min(length, x + 20), 8)], SUMI, 3.5, round_ends=False)
    for seven in range(7, top, 7):
        mark = 2 + 480 * seven / top
        pen.line([(mark, 2), (mark, 36)], SHU, 4, round_ends=False)
    return ImageOps.mirror(pen.sprite()) if mirrored else pen.sprite()


# -- deployments ------------------------------------------------------------------------------


def deployed(panel: Panel, scene: Scene, told: list[Row]) -> None:
    """The blocks that stand on a side in order, each with its card and its score."""
    per, columns, size, step = layout(len(told))
    for number, row in enumerate(told[: per * columns]):
        column, line = divmod(number, per)
        start, y = (panel.width - 8) / columns * column, 220 + step * line - (62 - size) / 2
        panel.icon(start + 22 + size / 2, y, block(row.face, size))
        if row.pending:
            panel.icon(start + 22 + size / 2, y, waiting(size))
        if columns == 1:
            wide_row(panel, scene, row, y, [earlier.face for earlier in told[:number]])
        elif columns == 2:
            card_of(panel, scene, row, start + 130, y, 78)
            score(panel, row, start + 212, y, Type("words", 30))
        else:
            score(panel, row, start + 128, y, Type("words", 28))


def wide_row(panel: Panel, scene: Scene, row: Row, y: float, before: list[str]) -> None:
    """A block's card, the parts of its score and the score."""
    card_of(panel, scene, row, 158, y, 100)
    if row.pending:
        panel.words(226, y + 9, say(scene, "picture.pending"), Type("quiet", 26), GOLD, room=190)
    elif row.score is None:
        panel.words(226, y + 9, term(scene, row.face), Type("quiet", 26), MUTE, room=200)
    else:
        panel.words(238, y + 9, row.parts(before), Type("quiet", 26), MUTE, room=150)
    score(panel, row, 464, y, Type("words", 34))


def card_of(panel: Panel, scene: Scene, row: Row, middle: float, y: float, wide: int) -> None:
    """The card that deployed a block, or why there is none."""
    if row.defector:
        panel.icon(middle, y, loyalty_arrows(38, MUTE))
    elif row.card is not None and row.same:
        panel.icon(middle, y, bracket(wide))
    elif row.card is not None:
        panel.icon(middle, y, card_face(row.card, OWNER[row.face], wide, 58))
    elif row.known:
        room = wide + 38  # no card is there: up to the block and the score
        word, style = lines.fit(say(scene, "picture.no-card"), Type("quiet", 26), room)
        panel.words(middle - lines.width(word, style) / 2, y + 9, word, style, MUTE, room=room)


def score(panel: Panel, row: Row, middle: float, y: float, style: Type) -> None:
    """What a block added; `?` while it waits for an answer, nothing where it cannot be told."""
    if row.pending:
        panel.figure(middle, y, "?", style, GOLD)
    elif row.score is not None:
        panel.figure(middle, y, f"+{row.score}", style, PAPER)


@lru_cache(maxsize=4)
def waiting(size: int) -> Image.Image:
    """Round a block that waits for an answer: gold dashes."""
    pen = Pen(size + 16, size + 20)
    corners = [(4, 4), (size + 12, 4), (size + 12, size + 16), (4, size + 16), (4, 4)]
    pen.dashes(corners, GOLD, 4, 11, 8, round_ends=False)
    return pen.sprite()


@lru_cache(maxsize=4)
def bracket(wide: int) -> Image.Image:
    """The same card as above: a line up to it."""
    pen = Pen(wide, 70)
    pen.line([(wide / 2, 4), (wide / 2, 40), (10, 40)], MUTE, 3)
    return pen.sprite()


# -- what is left and lost --------------------------------------------------------------------


def besieged(panel: Panel, scene: Scene, found: BattleState, side: Side) -> None:
    """The side inside a castle: it takes no part, and loses a block at each seven."""
    here = view_of(scene).map[found.at]
    count = here.ishida if side == "ishida" else here.tokugawa
    panel.icon(panel.width / 2, 250, marker("castle", side).resize((112, 112), Image.Resampling.LANCZOS))
    panel.middle(350, say(scene, "picture.inside"), Type("words", 28), PAPER, room=470)
    for number in range(count):
        x = panel.width / 2 + 74 * (number - (count - 1) / 2)
        panel.icon(x, 420, back(side, 58))
        panel.icon(x, 382, battlements(PAPER))
    disks = [name for name in view_of(scene).disks if DISK_AT[name] == found.at]
    for number, name in enumerate(disks):
        panel.icon(panel.width / 2 - 62 + 124 * number, 205, disk(name))
    panel.middle(488, say(scene, "picture.each-seven"), Type("quiet", 26), MUTE, room=480)


def losses(panel: Panel, scene: Scene, found: BattleState, side: Side) -> None:
    """What a side lost here, struck out, and what it still has to lose."""
    lost, due = list(found.lost.get(side, ())), found.losses.get(side, 0)
    if not lost and not due:
        return
    y = panel.height - 82
    word = say(scene, "picture.to-lose", n=due) if due else say(scene, "picture.lost")
    panel.words(18, y + 9, word, Type("words", 26), REACHED, room=150)
    for number, face in enumerate(lost[:6]):
        panel.icon(200 + 54 * number, y, block(face, 40))
        panel.icon(200 + 54 * number, y, strike(46))


@lru_cache(maxsize=4)
def strike(size: int) -> Image.Image:
    """Lost: a bar across."""
    pen = Pen(size, size)
    pen.line([(4, size - 6), (size - 4, 6)], SUMI, 9)
    pen.line([(4, size - 6), (size - 4, 6)], REACHED, 5)
    return pen.sprite()


def left_over(panel: Panel, scene: Scene, found: BattleState, side: Side) -> None:
    """How many of a side's blocks have not been deployed."""
    here = view_of(scene).map[found.at]
    count = here.ishida if side == "ishida" else here.tokugawa
    shown = [
        f for faces in (found.deployed.get(side, ()), found.deployed.get(other(side), ())) for f in faces
    ]
    shown += found.pending.blocks if found.pending is not None else ()
    left = max(0, count - sum(OWNER[face] == side for face in shown))
    if found.siege and side != found.attacker:
        return
    word = say(scene, "picture.not-deployed", n=left)
    large = not rows(found, side) and left <= WAITS
    panel.words(18, panel.height - 26, word, Type("quiet", 26), MUTE, room=480 if large else 220)
    for number in range(left if large else min(left, 5)):
        if large:
            panel.icon(53 + 78 * number, 222, back(side, 62))
        else:
            panel.icon(panel.width - 36 - 52 * number, panel.height - 34, back(side, 40))
