"""A player's own order sheet in Shogun: eleven spaces with what lies on them, the hand, what it costs.

The cards shown are those of the draft (`scene.action`, a plan in notation), else of the plan that was sent.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from engines.protocol import RulesError, Seat
from engines.shogun.data import (
    ACTIONS,
    BUILDINGS,
    CHEST_CARDS,
    CHESTS,
    COST,
    PLACES,
    RICE,
    SPACES,
)
from engines.shogun.forecast import chests_short, troubles
from engines.shogun.model import Plan, PlanCards
from engines.shogun.notation import parse_action
from engines.shogun.planning import bid_cost, cards_due
from render import marks
from render import text as lines
from render.canvas import Canvas, Pen, Plate, Sparse
from render.kept import kept
from render.panels import Panel, pill, rounded_box
from render.scene import Picture, Scene
from render.shogun.icons import ADDED, crest, flame, icon
from render.shogun.palette import colours
from render.shogun.plan import finished
from render.shogun.words import HOUSE, own_provinces, say, view_of
from render.theme import (
    GOLD,
    HEAD,
    INK,
    LACQUER,
    LINE,
    MUTE,
    NIGHT,
    PAPER,
    RAISED,
    SHU,
    SHU_DARK,
    SUMI,
    WIDTH,
    Type,
)

HEIGHT, BAND_HEIGHT = 1300, 42
BAND = 3  # rows of the hand beside the spaces; what they do not hold is in a band below the sheet
ROOMS = (150, 128, 108, 90, 74, 60, 44)  # for a name in the hand, the widest that shows every card
TOP, ROW, COLUMN = 140, 162, 534  # the first row's top, and from one space to the next
HEAD_HEIGHT = 110


def hand(scene: Scene) -> Picture | None:
    """The viewer's order sheet; None for a spectator."""
    view = view_of(scene)
    if view.viewer is None:
        return None
    plan = laid(scene)
    many = any(card.row >= BAND for card in held(scene, plan))
    canvas = Canvas.blank(WIDTH, HEIGHT + BAND_HEIGHT * many, NIGHT, rtl=scene.words.rtl)
    head(canvas, scene, view.viewer)
    order = [*view.actions, *(a for a in ACTIONS if a not in view.actions), "bid"]
    doubted = {space for space, _ in troubles(view, plan)} if view.phase == "plan" else set()
    for number, space in enumerate(order):
        sheet_space(canvas, scene, number, space, plan, space in doubted)
    still_in_hand(canvas, scene, plan)
    sums(canvas, scene, view.viewer, plan)
    return Picture(canvas.png(colours()), "plan.png", alt(scene, plan))


def laid(scene: Scene) -> Plan:
    """The cards on the spaces: of the draft, else the panel's picks, else of the plan that was sent."""
    view = view_of(scene)
    if scene.action is not None and scene.action.startswith("plan"):
        try:
            action = parse_action(scene.action)
        except RulesError:
            return {}
        return action.cards if isinstance(action, PlanCards) else {}
    if scene.prompt is not None and scene.prompt.code == "space":
        cards = (c.params.get("province", c.params.get("card")) for c in scene.picked)
        return {space: str(card) for space, card in zip(PLACES, cards, strict=False) if card is not None}
    return dict(view.players[view.viewer].plan) if view.viewer is not None else {}


def head(canvas: Canvas, scene: Scene, seat: Seat) -> None:
    """Whose sheet it is, when, how many cards are to be laid, the chests."""
    view = view_of(scene)
    canvas.image.paste(SUMI, (0, 0, WIDTH, HEAD_HEIGHT))
    canvas.paste(marks.tape(WIDTH, 12, SUMI), 0, HEAD_HEIGHT)
    panel = Panel(canvas, (12, 0, WIDTH - 12, HEAD_HEIGHT), drawn=False)
    panel.icon(46, 54, crest(HOUSE[seat], 34))
    house = scene.words.term("shogun", HOUSE[seat])
    panel.words(100, 50, say(scene, "sheet.title", house=house), HEAD, PAPER, room=540)
    own = own_provinces(view, seat)
    line = say(
        scene,
        "sheet.when",
        year=view.year,
        season=view.season,
        provinces=len(own),
        cards=cards_due(len(own)),
    )
    panel.words(100, 88, line, Type("quiet", 27), MUTE, room=700)
    pill(panel, 10, 38, say(scene, "picture.private"), room=370, end=True)
    panel.figure(panel.width - 30, 88, str(view.players[seat].chests), Type("words", 28), PAPER)
    panel.icon(panel.width - 72, 88, icon("chests", 28, PAPER, SUMI))


def sheet_space(canvas: Canvas, scene: Scene, number: int, space: str, plan: Plan, doubtful: bool) -> None:
    """One of the eleven spaces with its card, and a mark where that may not work."""
    view = view_of(scene)
    left, top = 12 + COLUMN * (number % 2), TOP + ROW * (number // 2)
    asked = scene.prompt is not None and scene.prompt.params.get("space") == space
    now = view.phase == "action" and space == view.actions[view.action_index]
    over = space in finished(view) and not (now and view.turn == view.viewer)
    panel = Panel(canvas, (left, top, left + 522, top + 150), active=asked or now)
    open_ = space in view.actions
    if space != "bid":
        badge(panel, str(number + 1) if open_ else "?", GOLD if open_ else MUTE)
    if space in ADDED:
        panel.figure(110, 26, ADDED[space], Type("words", 28), GOLD)
    panel.icon(56, 66, icon(space, 54, MUTE if over else PAPER, LACQUER))
    if over:
        panel.icon(110, 98, marks.tick(28))
    if COST.get(space):
        panel.icon(110, 62, price(COST[space]))
    short = say(scene, f"sheet.space.{space}")
    style = Type("quiet", 26)
    word, style = lines.fit(short, style, 124)
    length = lines.width(word, style)
    panel.words(66 - length / 2, 136, word, style, MUTE, room=124)
    if doubtful:
        panel.icon(112, 100, warning())
    card = plan.get(space)
    if card is None:
        empty(panel, scene, asked=asked)
    elif card in CHEST_CARDS:
        chest_card(panel, scene, space, card)
    else:
        province_card(panel, scene, space, card)


def badge(panel: Panel, word: str, colour: str) -> None:
    """The number of the action, or a question mark while its card is hidden."""
    panel.icon(24, 24, disc())
    panel.figure(24, 24, word, Type("words", 26), colour)


@lru_cache(maxsize=4)
def price(cost: int) -> Image.Image:
    """What a space costs in chests."""
    pen = Pen(50, 32)
    pen.box((0, 0, 50, 32), 8, SUMI)
    image = pen.sprite()
    image.alpha_composite(icon("chests", 22, PAPER, SUMI), (3, 4))
    lines.write_centred(image, 37, 16, str(cost), Type("words", 26), PAPER)
    return image


@lru_cache(maxsize=1)
def warning() -> Image.Image:
    """That an entry may not work: the words beside the sheet say why."""
    pen = Pen(38, 38)
    pen.circle(19, 19, 17, SHU)
    image = pen.sprite()
    lines.write_centred(image, 19, 19, "!", Type("words", 30), PAPER)
    return image


@lru_cache(maxsize=1)
def disc() -> Image.Image:
    """The ground of a badge."""
    pen = Pen(44, 44)
    pen.circle(22, 22, 18, SUMI, LINE, 2)
    return pen.sprite()


@lru_cache(maxsize=8)
def plate(fill: str, edge: str) -> Plate:
    """A card."""
    return Plate(rounded_box(374, 128, 10, fill, edge, 2), 10)


@kept
def dashed_plate(colour: str) -> Sparse:
    """The place of a card that is missing."""
    pen = Pen(374, 128)
    corners = [(4.0, 4.0), (370.0, 4.0), (370.0, 124.0), (4.0, 124.0), (4.0, 4.0)]
    pen.dashes(corners, colour, 3, 14, 9)
    image, (wide, tall) = pen.sprite(), pen.size
    sides = (0, 0, wide, 8), (0, tall - 8, wide, tall), (0, 8, 8, tall - 8), (wide - 8, 8, wide, tall - 8)
    return Sparse.of(image, sides)


def empty(panel: Panel, scene: Scene, *, asked: bool) -> None:
    """No card yet."""
    colour = GOLD if asked else LINE
    panel.icon(324, 75, dashed_plate(colour))
    word = say(scene, "sheet.lay" if asked else "sheet.empty")
    length = lines.width(word, Type("words", 27))
    panel.words(324 - length / 2, 84, word, Type("words", 27), GOLD if asked else MUTE, room=330)


def chest_card(panel: Panel, scene: Scene, space: str, card: str) -> None:
    """A chest card: the bid, or no action."""
    panel.icon(324, 75, plate(RAISED, MUTE))
    panel.icon(206, 75, icon("chests", 60, PAPER, RAISED))
    panel.figure(266, 75, str(bid_cost(card)), Type("words", 48), PAPER)
    word = say(scene, "sheet.bid" if space == "bid" else "sheet.no-action")
    panel.words(30, 84, word, Type("words", 27), PAPER, room=190, end=True)


def province_card(panel: Panel, scene: Scene, space: str, card: str) -> None:
    """A province: armies, buildings, unrest, what tax and rice gain there."""
    province = view_of(scene).provinces[card]
    panel.icon(324, 75, plate(PAPER, PAPER))
    panel.words(154, 54, scene.words.term("shogun", card), Type("words", 31), INK, room=210)
    panel.icon(438, 44, icon("armies", 30, INK, PAPER))
    panel.figure(478, 44, str(province.armies), Type("words", 31), INK)
    start = 162.0
    for building in BUILDINGS:
        if getattr(province, building):
            panel.icon(start + 6, 108, icon(building, 26, INK, PAPER))
            start += 32
    for _ in range(SPACES[card] - province.buildings):
        panel.icon(start + 2, 108, ring())
        start += 22
    if province.unrest:
        panel.icon(start + 24, 108, unrest_chip(province.unrest))
    for at, what, gain in ((372, "tax", CHESTS[card]), (450, "rice", RICE[card])):
        if space == what:
            panel.icon(at + 16, 108, gain_frame())
        panel.icon(at, 108, icon(what, 28, INK, PAPER))
        panel.figure(at + 32, 108, str(gain), Type("words", 30), INK)


@lru_cache(maxsize=1)
def ring() -> Image.Image:
    """A free space for a building, on paper."""
    pen = Pen(18, 18)
    pen.circle(9, 9, 7, INK)
    pen.circle(9, 9, 4.5, PAPER)
    return pen.sprite()


@kept
def unrest_chip(markers: int) -> Image.Image:
    """A flame and the number of markers."""
    pen = Pen(52, 32)
    pen.box((0, 0, 52, 32), 16, PAPER, INK, 2)
    image = pen.sprite()
    image.alpha_composite(flame(23), (6, 4))
    lines.write_centred(image, 37, 16, str(markers), Type("words", 26), INK)
    return image


@lru_cache(maxsize=1)
def gain_frame() -> Image.Image:
    """Round what the action will gain."""
    pen = Pen(74, 50)
    pen.box((0, 0, 74, 50), 8, SHU_DARK)
    pen.box((3, 3, 71, 47), 6, PAPER)
    return pen.sprite()


class Held(NamedTuple):
    """A province's card in the hand: its words, where it begins, and in which row (BAND: below the sheet)."""

    word: str
    style: Type
    length: int
    start: float
    row: int


def held(scene: Scene, plan: Plan) -> list[Held]:
    """The provinces' cards that are not laid, all of them: where they are many their names take less room."""
    view = view_of(scene)
    if view.viewer is None:
        return []
    used = set(plan.values())
    names = [scene.words.term("shogun", n) for n in own_provinces(view, view.viewer) if n not in used]
    found = list[Held]()
    for room in ROOMS:
        found = arranged(names, room)
        if not found or found[-1].row <= BAND:
            break
    return found


def arranged(names: list[str], room: int) -> list[Held]:
    """The names in rows, each in at most `room` pixels; more rows than there are where it does not fit."""
    found = list[Held]()
    start, row = 10.0, 0
    for name in names:
        word, style = lines.fit(name, Type("words", 26), room)
        length = round(lines.width(word, style) + 20)
        if start + length > (512 if row < BAND else WIDTH - 34):
            start, row = 10.0, row + 1
        found.append(Held(word, style, length, start, row))
        start += length + 8
    return found


def still_in_hand(canvas: Canvas, scene: Scene, plan: Plan) -> None:
    """The cards that are not laid: chests beside the title, provinces below it."""
    if view_of(scene).viewer is None:
        return
    panel = Panel(canvas, (546, TOP + 5 * ROW, 1068, TOP + 5 * ROW + 150), drawn=False)
    band = Panel(canvas, (12, HEIGHT - 8, WIDTH - 12, HEIGHT + BAND_HEIGHT), drawn=False)
    panel.words(10, 28, say(scene, "sheet.in-hand"), Type("words", 26), PAPER, room=100)
    for card in held(scene, plan):
        where, y = (band, 24) if card.row >= BAND else (panel, 58 + 41 * card.row)
        tag(where, card.start, y, card.word, card.style, PAPER, INK)
    start = 114.0
    for chest in CHEST_CARDS:
        if chest not in plan.values():
            panel.icon(start + 38, 20, chest_tag(bid_cost(chest)))
            start += 79


def tag(panel: Panel, start: float, y: float, word: str, style: Type, fill: str, colour: str) -> None:
    """A card in the hand, small."""
    length = round(lines.width(word, style) + 20)
    panel.icon(start + length / 2, y, small_plate(length, fill))
    panel.words(start + 10, y + 9, word, style, colour, room=length)


@kept
def small_plate(length: int, fill: str) -> Plate:
    """The ground of a small card."""
    return Plate(rounded_box(length, 38, 7, fill), 7)


@lru_cache(maxsize=8)
def chest_tag(chests: int) -> Image.Image:
    """A chest card in the hand, small."""
    pen = Pen(76, 36)
    pen.box((0, 0, 76, 36), 7, RAISED, MUTE, 2)
    image = pen.sprite()
    image.alpha_composite(icon("chests", 26, PAPER, RAISED), (8, 4))
    lines.write_centred(image, 54, 18, str(chests), Type("words", 26), PAPER)
    return image


def cost_of(plan: Plan) -> int:
    """Chests that the actions cost if all of them are done, the bid left aside."""
    return sum(COST.get(space, 0) for space, card in plan.items() if card not in CHEST_CARDS)


def sums(canvas: Canvas, scene: Scene, seat: Seat, plan: Plan) -> None:
    """What the plan costs and whether there are chests enough; what is missing."""
    view = view_of(scene)
    cost, bid = cost_of(plan), bid_cost(plan.get("bid"))
    chests = view.players[seat].chests
    gain = CHESTS.get(plan.get("tax", ""), 0)
    panel = Panel(canvas, (12, 1120, WIDTH - 12, 1204))
    panel.words(18, 36, say(scene, "sheet.costs"), Type("quiet", 26), MUTE, room=500)
    panel.words(18, 70, say(scene, "sheet.sum", cost=cost, bid=bid), Type("words", 28), PAPER, room=500)
    box = say(scene, "sheet.box-tax" if gain else "sheet.box", chests=chests, gain=gain)
    panel.words(18, 36, box, Type("quiet", 26), MUTE, room=500, end=True)
    missing = max([*chests_short(view, plan).values(), cost + bid - chests - gain])
    if missing > 0:
        word, colour = say(scene, "sheet.short", n=missing), GOLD
    elif cost + bid <= chests:
        word, colour = say(scene, "sheet.enough"), PAPER
    else:
        word, colour = say(scene, "sheet.enough-tax"), GOLD
    panel.words(18, 70, word, Type("words", 28), colour, room=500, end=True)
    foot(canvas, scene, seat, plan)


def foot(canvas: Canvas, scene: Scene, seat: Seat, plan: Plan) -> None:
    """How many cards are laid, of how many."""
    view = view_of(scene)
    wanted = cards_due(len(own_provinces(view, seat)))
    panel = Panel(canvas, (12, 1216, WIDTH - 12, 1288))
    missing = wanted - len(plan)
    if view.phase != "plan":
        word = say(scene, "sheet.revealed")
    elif missing:
        word = say(scene, "sheet.missing", n=missing)
    else:
        word = say(scene, "sheet.sent" if view.players[seat].ready and scene.action is None else "sheet.full")
    panel.words(18, 46, word, Type("words", 29), GOLD, room=760)
    count = say(scene, "sheet.count", laid=len(plan), cards=wanted)
    panel.words(18, 46, count, Type("words", 29), PAPER, room=220, end=True)


def alt(scene: Scene, plan: Plan) -> str:
    """The sheet in words."""
    pairs = [
        say(
            scene,
            "sheet.alt-card",
            space=say(scene, f"sheet.space.{space}"),
            card=card_words(scene, plan[space]),
        )
        for space in PLACES
        if space in plan
    ]
    return say(scene, "sheet.alt", cards=pairs or [say(scene, "sheet.empty")])[:990]


def card_words(scene: Scene, card: str) -> str:
    """A card's name."""
    if card in CHEST_CARDS:
        return say(scene, "sheet.chest-card", n=bid_cost(card))
    return scene.words.term("shogun", card)
