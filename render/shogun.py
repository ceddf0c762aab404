"""The Shogun map: owners by fill and crest, armies, buildings, unrest, the order, the tray, the actions."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engines.base import Seat
from engines.shogun.data import (
    BUILDINGS,
    CHESTS,
    PROVINCES,
    RICE,
    RICE_LOSS,
    SPACES,
    in_play,
)
from engines.shogun.model import Province, ShogunView
from engines.shogun.rules import battle_targets, move_targets
from render import marks
from render import text as lines
from render.canvas import Canvas, Pen, star
from render.colour import rgb
from render.panels import Panel, ground, pill
from render.scene import Picture, Scene
from render.shogun_icons import ADDED, WORDS_ON, crest, farmer_chip, flame, icon, struck
from render.shogun_map import FILLS, LABELS, MAP_HEIGHT, OUT, land, outline, overlay, sea, shared_middle
from render.shogun_palette import colours
from render.shogun_sheet import hand
from render.shogun_words import (
    HOUSE,
    alt,
    caption,
    describe,
    kind,
    now_line,
    say,
    seats,
    seen,
    source,
    title,
)
from render.theme import (
    EDGE,
    FIGURE,
    GOLD,
    HEAD,
    INK,
    LACQUER,
    LINE,
    MUTE,
    PAPER,
    QUIET_INK,
    RAISED,
    SUMI,
    WASHI,
    WIDTH,
    WORDS,
    Type,
)

TOP = 112  # the head above the map
STRIP = 138  # the ten actions below it
HEIGHT = TOP + MAP_HEIGHT + STRIP
NAME_TYPE = Type("map", 26)
ROWS = (-30, 0, 37)  # name, crest and armies, buildings: from a province's label point
NO_CREST = "–"


def board(scene: Scene) -> Picture:
    """The public map, or a player's own with what his panel asks."""
    canvas = Canvas(base(len(scene.names), seen(scene).options.side), rtl=scene.words.rtl)
    provinces(canvas, scene)
    head(canvas, scene)
    order(canvas, scene)
    open_events(canvas, scene)
    tray(canvas, scene)
    actions(canvas, scene)
    return Picture(canvas.png(colours()), "shogun.png", alt(scene))


# -- the map ----------------------------------------------------------------------------


@lru_cache(maxsize=8)
def base(players: int, side: str) -> Image.Image:
    """Sea, neutral land and what is out of play; the head and the strip empty."""
    canvas = Canvas(ground(WIDTH, HEIGHT, SUMI))
    canvas.image.paste(sea(), (0, TOP))
    for name in PROVINCES:
        fill = "neutral" if name in in_play(side, players) else OUT
        image, (x, y) = land(name, fill)
        canvas.paste(image, x, y + TOP)
    canvas.image.paste(GOLD, (0, TOP - 3, WIDTH, TOP - 1))
    return canvas.image


def provinces(canvas: Canvas, scene: Scene) -> None:
    """Fills, borders, outlines of a preview, the last battle, and each province's marks."""
    view = seen(scene)
    for name, province in view.provinces.items():
        if province.owner is not None:
            image, (x, y) = land(name, HOUSE[province.owner])
            canvas.paste(image, x, y + TOP)
    canvas.paste(overlay(view.options.side, len(view.players)), 0, TOP)
    outlines(canvas, scene)
    for name in PROVINCES:
        if name in view.provinces:
            stand(canvas, scene, name, view.provinces[name])
        else:
            label(canvas, scene, name, INK, MUTE)
    fights(canvas, scene)


def outlines(canvas: Canvas, scene: Scene) -> None:
    """The province that acts or was picked in gold, where it may go in white dashes."""
    view = seen(scene)
    chosen = {mark for choice in scene.picked for mark in choice.marks}
    open_ = source(view)
    aims: set[str] = set()
    if open_ is not None and view.turn is not None and view.options is not None:
        chosen.add(open_)
        find = battle_targets if view.pending == "battle" else move_targets
        aims = set(find(view, view.turn, open_))
    if scene.prompt is not None:
        aims |= {mark for choice in scene.prompt.choices for mark in choice.marks}
    for names, what in ((aims - chosen, "target"), (chosen, "chosen")):
        for name in sorted(names & set(view.provinces)):
            image, (x, y) = outline(name, what)
            canvas.paste(image, x, y + TOP)


def fights(canvas: Canvas, scene: Scene) -> None:
    """Crossed swords on the border of the last battle."""
    found = [e for e in scene.events if e.code in ("attacked", "attacked_neutral")]
    if not found:
        return
    one, other = str(found[-1].params.get("source")), str(found[-1].params.get("province"))
    point = shared_middle(one, other)
    if point is not None:
        canvas.centre(marks.swords(20), point[0], point[1] + TOP)


def words_on(province: Province) -> tuple[str, str]:
    """The colour of words on a province, and the province's own."""
    if province.owner is None:
        return INK, WASHI
    house = HOUSE[province.owner]
    return WORDS_ON[house], FILLS[house]


def label(canvas: Canvas, scene: Scene, name: str, colour: str, halo: str) -> None:
    """A province's name, above its marks."""
    x, y = LABELS[name]
    canvas.centre(tag(scene.words.term("shogun", name), colour, halo), x, y + TOP + ROWS[0])


@lru_cache(maxsize=512)
def tag(word: str, colour: str, halo: str) -> Image.Image:
    """A name with its halo, as a sprite: shaping and stroking it anew for every picture takes too long."""
    image = Image.new("RGBA", (round(lines.width(word, NAME_TYPE)) + 10, 44), (*rgb(halo), 0))
    lines.write(image, 5, 31, word, NAME_TYPE, colour, "l", halo)
    return image


def stand(canvas: Canvas, scene: Scene, name: str, province: Province) -> None:
    """Name, crest and armies (or the province's goods), buildings, free spaces and unrest."""
    colour, fill = words_on(province)
    label(canvas, scene, name, colour, fill)
    if scene.layer == "values":
        goods(canvas, name, colour, fill)
    else:
        armies(canvas, name, province, colour)
    buildings(canvas, name, province, colour, fill)


def armies(canvas: Canvas, name: str, province: Province, colour: str) -> None:
    """The owner's crest and how many armies stand there."""
    x, y = LABELS[name]
    if province.owner is None:
        canvas.figure(x, y + TOP + 2, NO_CREST, FIGURE, colour)
        return
    figure = str(province.armies)
    length = lines.width(figure, FIGURE)
    left = x - (42 + 8 + length) / 2
    canvas.centre(crest(HOUSE[province.owner], 19), left + 21, y + TOP)
    canvas.figure(left + 50 + length / 2, y + TOP, figure, FIGURE, colour)


def goods(canvas: Canvas, name: str, colour: str, fill: str) -> None:
    """What tax and rice gain there."""
    x, y = LABELS[name]
    for at, what, number in ((x - 34, "tax", CHESTS[name]), (x + 13, "rice", RICE[name])):
        canvas.centre(icon(what, 22, colour, fill), at, y + TOP)
        canvas.figure(at + 20, y + TOP, str(number), Type("words", 26), colour)


def buildings(canvas: Canvas, name: str, province: Province, colour: str, fill: str) -> None:
    """A row of buildings, rings for free spaces, and a chip with the unrest."""
    row: list[Image.Image] = [icon(b, 25, colour, fill) for b in BUILDINGS if getattr(province, b)]
    row += [ring(colour)] * (SPACES[name] - province.buildings)
    if province.unrest:
        row.append(unrest(province.unrest))
    x, y = LABELS[name]
    left = x - (sum(s.width for s in row) + 3 * (len(row) - 1)) / 2
    for sprite in row:
        canvas.centre(sprite, left + sprite.width / 2, y + TOP + ROWS[2])
        left += sprite.width + 3


@lru_cache(maxsize=4)
def ring(colour: str) -> Image.Image:
    """A free space for a building."""
    pen = Pen(18, 18)
    pen.circle(9, 9, 6.5, colour)
    pen.circle(9, 9, 4, None)
    return pen.sprite()


@lru_cache(maxsize=16)
def unrest(markers: int) -> Image.Image:
    """A paper chip with a flame and the number of markers."""
    pen = Pen(44, 28)
    pen.box((0, 0, 44, 28), 14, PAPER, INK, 2)
    image = pen.sprite()
    image.alpha_composite(flame(21), (5, 3))
    lines.write_centred(image, 32, 14, str(markers), Type("words", 24), INK)
    return image


# -- panels --------------------------------------------------------------------------------


def head(canvas: Canvas, scene: Scene) -> None:
    """The year and season, whose turn it is, the event in force."""
    view = seen(scene)
    right = WIDTH - 390 if view.event is not None or scene.prompt or scene.action else WIDTH - 12
    panel = Panel(canvas, (12, 0, right, TOP - 4), drawn=False)
    panel.words(10, 50, title(scene), HEAD, PAPER, room=panel.width - 20)
    start = 12.0
    if view.turn is not None:
        panel.icon(30, 80, crest(HOUSE[view.turn], 20))
        start = 62
    panel.words(start, 90, now_line(scene), Type("words", 29), GOLD, room=panel.width - start - 8)
    if scene.prompt or scene.action:
        edge = Panel(canvas, (right, 0, WIDTH, TOP - 4), drawn=False)
        pill(edge, 14, 50, say(scene, "picture.private"), room=edge.width - 24, end=True)
    elif view.event is not None:
        event_panel(canvas, scene, view.event)


def event_panel(canvas: Canvas, scene: Scene, event: str) -> None:
    """The event in force."""
    panel = Panel(canvas, (WIDTH - 380, 12, WIDTH - 12, TOP - 16))
    panel.icon(40, 42, event_icon(event, 44, PAPER, LACQUER))
    name = say(scene, f"picture.event.{kind(event)}")
    panel.words(76, 38, name, WORDS, PAPER, room=panel.width - 88)
    panel.words(76, 70, say(scene, "picture.in-force"), Type("quiet", 25), MUTE, room=panel.width - 88)


def event_icon(event: str, size: float, colour: str, fill: str) -> Image.Image:
    """The thing that an event is about."""
    what = kind(event)
    if what == "temple_peace":
        return struck("temple", size, colour, fill)
    return icon(EVENT_ICON[what], size, colour, fill)


EVENT_ICON = {
    "theater_calms": "theater",
    "neutral_two_farmers": "farmers",
    "castle_defense": "castle",
    "tax_max_5": "tax",
    "tax_min_6": "tax",
    "rice_min_4": "rice",
    "rice_max_3": "rice",
    "recruit_reduced": "armies",
}


def order(canvas: Canvas, scene: Scene) -> None:
    """The seats in turn order: done, place, crest, name, special card, chests, rice, and points late."""
    view = seen(scene)
    panel = Panel(canvas, (12, TOP + 12, 344, TOP + 56 + 42 * len(view.players)))
    late = view.year == 2 or view.phase == "over"
    key = "picture.order" if view.order else "picture.players"
    panel.words(14, 32, say(scene, key), Type("words", 26), PAPER, room=160)
    columns = ((182, "points"), (240, "tax"), (298, "rice")) if late else ((240, "tax"), (298, "rice"))
    for x, what in columns:
        mark = point_star(24) if what == "points" else icon(what, 26, MUTE, LACQUER)
        panel.icon(x, 22, mark)
    for row, seat in enumerate(seats(scene)):
        line(panel, scene, seat, row, late=late)


def line(panel: Panel, scene: Scene, seat: Seat, row: int, *, late: bool) -> None:
    """One seat's row."""
    view = seen(scene)
    player, y = view.players[seat], 62 + 42 * row
    if seat in view.to_act and view.phase not in ("plan", "over"):
        panel.icon(panel.width / 2, y, active_row(panel.width - 8))
    if done(view, seat):
        panel.icon(22, y, marks.tick(24))
    elif seat in view.to_act:
        panel.icon(22, y, marks.triangle(20, left=panel.rtl))
    elif view.order:
        panel.figure(22, y, str(place(view, seat)), Type("words", 24), MUTE)
    panel.icon(53, y, crest(HOUSE[seat], 16))
    name, style = lines.fit(scene.names[seat], Type("words", 26), 82 if late else 104)
    panel.words(78, y + 9, name, style, MUTE if player.passive else PAPER, room=104)
    if player.special is not None and not late:
        panel.icon(196, y, icon(player.special, 25, GOLD, LACQUER))
    figures = [(240, player.chests), (298, player.rice)] + ([(182, player.points)] if late else [])
    for x, number in figures:
        panel.figure(x, y, str(number), Type("words", 27), PAPER)


def done(view: ShogunView, seat: Seat) -> bool:
    """Ready with the plan, or done with the action (or the winter) that is carried out."""
    if view.phase == "plan":
        return view.players[seat].ready
    if view.turn is None or seat not in view.order or view.turn not in view.order:
        return view.phase == "special" and view.players[seat].special is not None
    return view.order.index(seat) < view.order.index(view.turn)


def place(view: ShogunView, seat: Seat) -> int:
    """The order space of a seat, from its special card."""
    special = view.players[seat].special
    return view.specials.index(special) + 1 if special in view.specials else view.order.index(seat) + 1


@lru_cache(maxsize=4)
def active_row(width: int) -> Image.Image:
    """The gold edge round the row of who is to act."""
    pen = Pen(width, 40)
    pen.box((0, 0, width, 40), 9, RAISED, GOLD, 3)
    return pen.sprite()


@lru_cache(maxsize=4)
def point_star(size: float) -> Image.Image:
    """Points."""
    pen = Pen(size, size)
    pen.polygon(star(size / 2, size / 2 + 1, size * 0.48, size * 0.22, 5), MUTE)
    return pen.sprite()


def open_events(canvas: Canvas, scene: Scene) -> None:
    """The events that lie open, two lines each: what they do and what they cost in winter."""
    view = seen(scene)
    if not view.events:
        return
    top = TOP + 68 + 42 * len(view.players)
    panel = Panel(canvas, (12, top, 136, top + 14 + 62 * len(view.events)))
    winter = len(view.events) == 1 and view.phase != "plan"
    for number, event in enumerate(view.events):
        y = 24 + 62 * number
        shade = MUTE if winter else PAPER
        panel.icon(26, y, event_icon(event, 28, shade, LACQUER))
        panel.words(48, y + 9, say(scene, f"picture.short.{kind(event)}"), Type("words", 25), shade, room=72)
        panel.icon(26, y + 30, icon("rice", 26, PAPER, LACQUER))
        loss = f"−{RICE_LOSS[event]}" if RICE_LOSS[event] else "0"
        panel.words(48, y + 39, loss, Type("words", 25), PAPER, room=72)


def tray(canvas: Canvas, scene: Scene) -> None:
    """The cubes in the tray, and how many are inside the tower."""
    view = seen(scene)
    panel = Panel(canvas, (716, TOP + 878, 1068, TOP + 1078))
    panel.words(14, 36, say(scene, "picture.tray"), Type("words", 26), PAPER, room=190)
    panel.words(14, 36, say(scene, "picture.inside"), Type("quiet", 25), MUTE, room=120, end=True)
    players = len(view.players)
    for number in range(players + 1):
        column, row = divmod(number, 3)
        x, y = 14 + 168 * column, 74 + 46 * row
        panel.icon(x + 78, y, cell(158, 40))
        chip = crest(HOUSE[number], 15) if number < players else farmer_chip(15)
        panel.icon(x + 22, y, chip)
        panel.figure(x + 66, y, str(view.tray[number]), Type("words", 29), PAPER)
        panel.figure(x + 130, y, str(view.tower[number]), Type("quiet", 26), MUTE)


@lru_cache(maxsize=4)
def cell(width: int, height: int) -> Image.Image:
    """The ground of a pair of figures."""
    pen = Pen(width, height)
    pen.box((0, 0, width, height), 8, SUMI)
    return pen.sprite()


def actions(canvas: Canvas, scene: Scene) -> None:
    """The ten actions: done, now, open, hidden."""
    view = seen(scene)
    current = (
        view.action_index if view.phase == "action" else (10 if view.phase in ("winter", "over") else -1)
    )
    for number in range(10 if view.phase != "draft" else 0):
        box = (12 + 106 * number, HEIGHT - STRIP + 12, 12 + 106 * number + 98, HEIGHT - 14)
        now = number == current
        panel = Panel(canvas, box, active=now, fill=PAPER if now else RAISED if number > current else LACQUER)
        shade = INK if now else MUTE if number < current else PAPER
        panel.words(10, 32, str(number + 1), Type("words", 25), QUIET_INK if now else MUTE, room=40)
        if number < current:
            panel.icon(76, 22, marks.tick(26))
        if number < len(view.actions):
            ground_ = PAPER if now else RAISED if number > current else LACQUER
            action_icon(panel, view.actions[number], shade, ground_)
        else:
            panel.icon(49, 70, hidden())


def action_icon(panel: Panel, action: str, shade: str, fill: str) -> None:
    """An action's picture, with its number of armies and the letter of a battle."""
    added = ADDED.get(action) or {"battle_a": "A", "battle_b": "B"}.get(action)
    if added is None:
        panel.icon(49, 70, icon(action, 52, shade, fill))
        return
    panel.icon(36, 70, icon(action, 40, shade, fill))
    panel.figure(76, 72, added, Type("words", 25), shade)


@lru_cache(maxsize=1)
def hidden() -> Image.Image:
    """A card that lies face down."""
    pen = Pen(60, 60)
    pen.circle(30, 30, 26, LINE)
    pen.circle(30, 30, 26 - EDGE, RAISED)
    pen.circle(30, 30, 18, LINE)
    pen.circle(30, 30, 18 - EDGE, RAISED)
    image = pen.sprite()
    lines.write_centred(image, 30, 30, "?", Type("words", 26), PAPER)
    return image


__all__ = ["board", "caption", "describe", "hand"]
