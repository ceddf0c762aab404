"""Round the map of Shogun: head, turn order, open events, special cards, the tray, the strip below."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from engines.protocol import Seat, Seen
from engines.shogun.data import CHEST_CARDS, CHESTS, RICE, RICE_LOSS, SPACES
from engines.shogun.model import ShogunView
from render import marks
from render import text as lines
from render.canvas import Canvas, Pen, star
from render.kept import kept
from render.panels import Panel, pill, rounded
from render.scene import Scene
from render.shogun.icons import ADDED, crest, farmer_chip, icon, struck
from render.shogun.lens import TOP
from render.shogun.map import MAP_HEIGHT
from render.shogun.plan import pending
from render.shogun.since import done_before, goods_changed
from render.shogun.words import HOUSE, is_private, kind, now_line, ranked, say, seats, title, view_of, winners
from render.shogun.wrap import fitted, wrapped
from render.theme import (
    EDGE,
    GOLD,
    HEAD,
    INK,
    LACQUER,
    LINE,
    MUTE,
    NIGHT,
    PAPER,
    QUIET_INK,
    RAISED,
    SUMI,
    WIDTH,
    WORDS,
    Type,
)

STRIP = 138  # the ten actions below it
HEIGHT = TOP + MAP_HEIGHT + STRIP
ROW, EVENT_ROW = 42, 58  # of a seat in the order, of an open event
SMALL = Type("words", 26)
THROWERS = ("attacked", "attacked-neutral", "revolted")  # events whose cubes the next `thrown` throws

Box = tuple[int, int, int, int]


def panels(canvas: Canvas, scene: Scene) -> None:
    """Everything round the map that this phase needs."""
    view = view_of(scene)
    head(canvas, scene)
    order(canvas, scene)
    open_events(canvas, scene)
    if view.phase == "draft":
        groups(canvas, scene)
        draft_strip(canvas, scene)
        return
    if view.phase in ("plan", "special"):
        specials(canvas, view)
    if view.phase == "over":
        champion(canvas, scene)
        results(canvas, scene)
    else:
        tray(canvas, scene)
        actions(canvas, scene)


# -- above ------------------------------------------------------------------------------------


def head(canvas: Canvas, scene: Scene, *, large: bool = False) -> None:
    """The year and season, whose turn it is, the event in force; a preview says whom it is for.

    `large` for a picture that is read on a phone: no type below 30.
    """
    view, private = view_of(scene), is_private(scene)
    if private:
        canvas.image.paste(NIGHT, (0, 0, WIDTH, TOP - 12))
        canvas.paste(marks.tape(WIDTH, 12, SUMI), 0, TOP - 12)
    right = WIDTH - 390 if view.event is not None or private else WIDTH - 12
    panel = Panel(canvas, (12, 0, right, TOP - 4), drawn=False)
    panel.words(10, 47, title(scene), HEAD, PAPER, room=panel.width - 20)
    start = 12.0
    if view.turn is not None:
        panel.icon(30, 75, crest(HOUSE[view.turn], 20))
        start = 62
    room = panel.width - start - 8
    line_, style = fitted(now_line(scene), Type("words", 31), 30 if large else 26, room)
    panel.words(start, 85, line_, style, GOLD, room=room)
    if private:
        edge = Panel(canvas, (right, 0, WIDTH, TOP - 4), drawn=False)
        if large:
            large_pill(edge, say(scene, "picture.private"))
        else:
            pill(edge, 14, 48, say(scene, "picture.private"), room=edge.width - 24, end=True)
    elif view.event is not None:
        event_panel(canvas, scene, view.event, large=large)


LARGE = Type("words", 30)


def large_pill(panel: Panel, text: str) -> None:
    """Only you see this, in large type."""
    text, style = lines.fit(text, LARGE, panel.width - 100)
    length = round(lines.width(text, style)) + 84
    begin = panel.width - 14 - length
    panel.icon(begin + length / 2, 48, rounded(length, 52, GOLD))
    panel.icon(begin + 38, 48, marks.eye(38, INK, GOLD))
    panel.words(begin + 66, 59, text, style, INK, room=length)


def event_panel(canvas: Canvas, scene: Scene, event: str, *, large: bool) -> None:
    """The event in force."""
    panel = Panel(canvas, (WIDTH - 380, 12, WIDTH - 12, TOP - 16))
    panel.icon(40, 42, event_icon(event, 44, PAPER, LACQUER))
    name = say(scene, f"picture.event.{kind(event)}")
    if large or lines.width(name, Type("narrow", 26)) > panel.width - 88:  # two lines, where one would be cut
        found = wrapped(name, LARGE, panel.width - 88)[:2]
        for number, line_ in enumerate(found):
            y = 52 if len(found) == 1 else 36 + 34 * number
            panel.words(76, y, line_, LARGE, PAPER, room=panel.width - 80)
        return
    panel.words(76, 38, name, WORDS, PAPER, room=panel.width - 88)
    panel.words(76, 70, say(scene, "picture.in-force"), Type("quiet", 26), MUTE, room=panel.width - 88)


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


# -- on the left --------------------------------------------------------------------------------


class Column(NamedTuple):
    """A column of figures in the order: its picture and its middle."""

    what: str
    x: int


def columns(view: ShogunView) -> tuple[Column, ...]:
    """The figures that matter now: groups and armies in the draft, points from the second year on."""
    if view.phase == "draft":
        return Column("bid", 240), Column("armies", 298)
    if view.year == 2 or view.phase == "over":
        return Column("points", 226), Column("tax", 268), Column("rice", 310)
    return Column("tax", 240), Column("rice", 298)


def order_box(players: int) -> Box:
    """Where the order lies."""
    return 12, TOP + 12, 344, TOP + 56 + ROW * players


def order(canvas: Canvas, scene: Scene) -> None:
    """The seats in turn order: done, place, crest, name, special card, figures."""
    view = view_of(scene)
    panel = Panel(canvas, order_box(len(view.players)), afloat=True)
    key = "picture.ranking" if view.phase == "over" else "picture.order" if view.order else "picture.players"
    shown = columns(view)
    panel.words(14, 32, say(scene, key), SMALL, PAPER, room=shown[0].x - 34)
    for what, x in shown:
        mark = point_star(24) if what == "points" else icon(what, 26, MUTE, LACQUER)
        panel.icon(x, 22, mark)
    for row, seat in enumerate(seats(scene)):
        line(panel, scene, seat, row, shown)


def line(panel: Panel, scene: Scene, seat: Seat, row: int, shown: tuple[Column, ...]) -> None:
    """One seat's row."""
    view = view_of(scene)
    player, y = view.players[seat], 62 + ROW * row
    if seat in view.to_act and view.phase != "plan":
        panel.icon(panel.width / 2, y, active_row(panel.width - 8))
    first_mark(panel, view, seat, y)
    panel.icon(53, y, crest(HOUSE[seat], 16))
    late = len(shown) == 3
    room = (100 if late else 104) if player.special is not None else shown[0].x - 24 - 76
    name, style = lines.fit(scene.names[seat], SMALL, min(room, 136))
    used = panel.words(76, y + 9, name, style, MUTE if player.passive else PAPER, room=room)
    if player.passive:
        panel.icon(76 + used / 2, y + 1, strike(round(used) + 6))
    if player.special is not None:
        panel.icon(192 if late else 196, y, icon(player.special, 25, GOLD, LACQUER))
    figures = {
        "points": player.points,
        "tax": player.chests,
        "rice": player.rice,
        "bid": len(view.draft.groups[seat]) if view.draft else 0,
        "armies": sum(view.draft.groups[seat]) if view.draft else 0,
    }
    fresh = goods_changed(scene, seat)
    for what, x in shown:
        new = {"tax": "chests"}.get(what, what) in fresh
        if new:
            panel.icon(x, y, goods_plate())
        panel.figure(x, y, str(figures[what]), Type("words", 27), INK if new else PAPER)


@lru_cache(maxsize=1)
def goods_plate() -> Image.Image:
    """The ground of a figure that has changed since the viewer looked."""
    pen = Pen(40, 34)
    pen.box((0, 0, 40, 34), 7, GOLD)
    return pen.sprite()


def first_mark(panel: Panel, view: ShogunView, seat: Seat, y: float) -> None:
    """Before a name: the winner's star, done, to act, or the place in the order."""
    if view.phase == "over":
        if seat in winners(view):
            panel.icon(22, y, marks.star_octagon(15))
        else:
            panel.figure(22, y, str(ranked(view).index(seat) + 1), Type("words", 26), MUTE)
    elif done(view, seat):
        panel.icon(22, y, marks.tick(24))
    elif seat in view.to_act:
        panel.icon(22, y, marks.triangle(20, left=panel.rtl))
    elif view.order:
        panel.figure(22, y, str(place(view, seat)), Type("words", 26), MUTE)


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


@kept
def strike(width: int) -> Image.Image:
    """Through the name of a seat that resigned."""
    pen = Pen(width, 8)
    pen.line([(2, 4), (width - 2, 4)], MUTE, 3)
    return pen.sprite()


@lru_cache(maxsize=4)
def point_star(size: float) -> Image.Image:
    """Points."""
    pen = Pen(size, size)
    pen.polygon(star(size / 2, size / 2 + 1, size * 0.48, size * 0.22, 5), MUTE)
    return pen.sprite()


def events_box(players: int, events: int) -> Box:
    """Where the open events lie: below the order, and above the seal of the first region."""
    top = order_box(players)[3] + 12
    return 12, top, 136, top + 10 + EVENT_ROW * events


def open_events(canvas: Canvas, scene: Scene) -> None:
    """The events that lie open, two lines each: what they do and what they cost in winter."""
    view = view_of(scene)
    if not view.events:
        return
    panel = Panel(canvas, events_box(len(view.players), len(view.events)), afloat=True)
    winter = len(view.events) == 1 and view.phase != "plan"  # only its loss of rice is still to come
    for number, event in enumerate(view.events):
        y = 22 + EVENT_ROW * number
        shade = MUTE if winter else PAPER
        panel.icon(26, y, event_icon(event, 26, shade, LACQUER))
        word = say(scene, f"picture.short.{kind(event)}")
        panel.words(48, y + 9, word, Type("words", 26), shade, room=72)
        panel.icon(26, y + 28, icon("rice", 24, PAPER, LACQUER))
        loss = f"−{RICE_LOSS[event]}" if RICE_LOSS[event] else "0"
        panel.words(48, y + 37, loss, Type("words", 26), PAPER, room=72)


# -- on the right -------------------------------------------------------------------------------

SPECIALS: Box = (908, TOP + 772, 1068, TOP + 868)
TRAY: Box = (716, TOP + 878, 1068, TOP + 1078)
THROW: Box = (645, TOP + 878, 1068, TOP + 1078)  # wider, with what was thrown


def specials(canvas: Canvas, view: ShogunView) -> None:
    """The special cards by their place in the turn order; a taken one with its owner's crest."""
    panel = Panel(canvas, SPECIALS, afloat=True)
    owners = {player.special: seat for seat, player in enumerate(view.players) if player.special}
    for number, special in enumerate(view.specials):
        row, column = divmod(number, 3)
        x, y = 18 + 51 * column, 28 + 42 * row
        seat = owners.get(special)
        if seat is None:
            panel.figure(x, y, str(number + 1), Type("words", 26), MUTE)
        else:
            panel.icon(x, y, crest(HOUSE[seat], 10))
        panel.icon(x + 24, y, icon(special, 26, GOLD if seat is None else MUTE, LACQUER))


class Throw(NamedTuple):
    """The last throw into the tower: where, and cubes by seat, farmers last."""

    province: str
    thrown: tuple[int, ...]
    fallen: tuple[int, ...]


def last_throw(events: tuple[Seen, ...]) -> Throw | None:
    """The last battle's or revolt's throw among these events."""
    found, province = None, ""
    for event in events:
        if event.code in THROWERS:
            province = str(event.params["province"])
        elif event.code == "thrown":
            found = Throw(province, tuple(event.params["thrown"]), tuple(event.params["fallen"]))
    return found


def tray(canvas: Canvas, scene: Scene) -> None:
    """The cubes in the tray and inside the tower; after a battle what it threw and what fell out."""
    view = view_of(scene)
    last = last_throw(scene.events)
    panel = Panel(canvas, THROW if last else TRAY, afloat=True)
    inside = say(scene, "picture.inside")
    panel.words(14, 36, inside, Type("quiet", 26), MUTE, room=120, end=True)
    word = say(scene, "picture.tray")
    if last is not None:
        cubes, out = sum(last.thrown), sum(last.fallen)
        word = say(scene, "picture.threw", province=last.province, cubes=cubes, out=out)
    panel.words(14, 36, word, SMALL, PAPER, room=panel.width - 34 - min(120, lines.width(inside, SMALL)))
    players = len(view.players)
    wide = 194 if last else 158
    for number in range(players + 1):
        column, row = divmod(number, 3)
        x, y = 14 + (wide + 10) * column, 74 + 46 * row
        fought = last is not None and last.fallen[number] > view.tray[number]
        panel.icon(x + wide / 2, y, cell(wide, 40, edged=fought))
        chip = crest(HOUSE[number], 15) if number < players else farmer_chip(15)
        panel.icon(x + 22, y, chip)
        if last is None:
            panel.figure(x + 66, y, str(view.tray[number]), Type("words", 29), PAPER)
            panel.figure(x + 130, y, str(view.tower[number]), Type("quiet", 26), MUTE)
        else:
            panel.figure(x + 60, y, str(last.thrown[number]), Type("quiet", 26), MUTE)
            panel.icon(x + 84, y, into(panel.rtl))
            panel.figure(x + 110, y, str(last.fallen[number]), Type("words", 29), PAPER)
            panel.figure(x + 170, y, str(view.tower[number]), Type("quiet", 26), MUTE)


@lru_cache(maxsize=8)
def cell(width: int, height: int, *, edged: bool) -> Image.Image:
    """The ground of a row of figures; an edge where these cubes fought and have left the tray."""
    pen = Pen(width, height)
    pen.box((0, 0, width, height), 8, SUMI, PAPER if edged else SUMI, 2)
    return pen.sprite()


@lru_cache(maxsize=2)
def into(rtl: bool) -> Image.Image:
    """From what was thrown to what fell out."""
    pen = Pen(16, 18)
    pen.polygon([(13, 2), (3, 9), (13, 16)] if rtl else [(3, 2), (13, 9), (3, 16)], MUTE)
    return pen.sprite()


# -- the strip below ----------------------------------------------------------------------------


def actions(canvas: Canvas, scene: Scene) -> None:
    """The ten actions: done, now, open, hidden; a gold bar below those done since the viewer looked."""
    view = view_of(scene)
    current = view.action_index if view.phase == "action" else (10 if view.phase == "winter" else -1)
    old = done_before(scene)
    mine = pending(view)
    for number in range(10):
        box = (12 + 106 * number, HEIGHT - STRIP + 12, 12 + 106 * number + 98, HEIGHT - 14)
        now = number == current
        ground = PAPER if now else RAISED if number > current else LACQUER
        panel = Panel(canvas, box, active=now, fill=ground)
        shade = INK if now else MUTE if number < current else PAPER
        panel.words(10, 32, str(number + 1), Type("words", 26), QUIET_INK if now else MUTE, room=40)
        if number < current:
            panel.icon(76, 22, marks.tick(26))
        if old <= number < current:
            panel.icon(49, 103, underline(82))
        if number < len(view.actions):
            action_icon(panel, view.actions[number], shade, ground)
            if view.actions[number] in mine and number >= current:
                panel.icon(76, 24, card_sign(ground, acts=mine[view.actions[number]] not in CHEST_CARDS))
        else:
            panel.icon(49, 70, hidden())


@lru_cache(maxsize=4)
def underline(width: int) -> Image.Image:
    """New since the viewer looked."""
    pen = Pen(width, 7)
    pen.box((0, 0, width, 7), 3, GOLD)
    return pen.sprite()


@lru_cache(maxsize=8)
def card_sign(ground: str, *, acts: bool) -> Image.Image:
    """The viewer's own card lies on this action: a province's in gold, one of chests hollow."""
    pen = Pen(22, 30)
    pen.box((0, 0, 22, 30), 5, INK if acts else MUTE)
    pen.box((2.5, 2.5, 19.5, 27.5), 3, GOLD if acts else ground)
    return pen.sprite()


def action_icon(panel: Panel, action: str, shade: str, fill: str) -> None:
    """An action's picture, with its number of armies and the letter of a battle."""
    added = ADDED.get(action) or {"battle_a": "A", "battle_b": "B"}.get(action)
    if added is None:
        panel.icon(49, 70, icon(action, 52, shade, fill))
        return
    panel.icon(36, 70, icon(action, 40, shade, fill))
    panel.figure(76, 72, added, Type("words", 26), shade)


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


def draft_strip(canvas: Canvas, scene: Scene) -> None:
    """The open cards, the card turned up, and the pile."""
    draft = view_of(scene).draft
    if draft is None:
        return
    cards = [draft.drawn] if draft.drawn is not None else list(draft.open)
    for number, card in enumerate(cards):
        left = 12 + 372 * number
        open_card(canvas, scene, card, (left, HEIGHT - STRIP + 12, left + 360, HEIGHT - 14))
    panel = Panel(canvas, (756, HEIGHT - STRIP + 12, 1068, HEIGHT - 14))
    panel.icon(46, 56, hidden())
    panel.words(88, 50, say(scene, "picture.pile"), SMALL, PAPER, room=210)
    count = say(scene, "picture.pile-cards", cards=len(draft.undrafted))
    panel.words(88, 84, count, Type("quiet", 26), MUTE, room=210)


def open_card(canvas: Canvas, scene: Scene, card: str, box: Box) -> None:
    """A province card that may be drafted: its goods and its spaces; the one turned up in gold."""
    draft = view_of(scene).draft
    turned_up = draft is not None and draft.drawn == card
    panel = Panel(canvas, box, active=turned_up, fill=PAPER)
    panel.words(18, 46, scene.words.term("shogun", card), Type("words", 31), INK, room=190)
    if turned_up:
        panel.words(16, 46, say(scene, "picture.turned-up"), Type("quiet", 26), QUIET_INK, room=130, end=True)
    for x, what, gain in ((36, "tax", CHESTS[card]), (124, "rice", RICE[card])):
        panel.icon(x, 82, icon(what, 28, INK, PAPER))
        panel.figure(x + 34, 82, str(gain), Type("words", 30), INK)
    for number in range(SPACES[card]):
        panel.icon(212 + 26 * number, 82, space())


@lru_cache(maxsize=1)
def space() -> Image.Image:
    """A free space for a building, on paper."""
    pen = Pen(20, 20)
    pen.circle(10, 10, 8, INK)
    pen.circle(10, 10, 5.5, PAPER)
    return pen.sprite()


def groups(canvas: Canvas, scene: Scene) -> None:
    """The army groups that the seat to act has still to place."""
    view = view_of(scene)
    if view.draft is None or view.turn is None:
        return
    panel = Panel(canvas, TRAY, afloat=True)
    panel.words(14, 36, say(scene, "picture.groups", seat=view.turn), SMALL, PAPER, room=324)
    for number, armies in enumerate(view.draft.groups[view.turn]):
        row, column = divmod(number, 5)
        panel.icon(46 + 65 * column, 82 + 66 * row, group(armies))


@kept
def group(armies: int) -> Image.Image:
    """An army group: a cube and how many armies it is."""
    pen = Pen(58, 56)
    pen.box((0, 0, 58, 56), 9, RAISED, MUTE, 2)
    image = pen.sprite()
    image.alpha_composite(icon("armies", 24, PAPER, RAISED), (5, 15))
    lines.write_centred(image, 42, 28, str(armies), Type("words", 30), PAPER)
    return image


def results(canvas: Canvas, scene: Scene) -> None:
    """The final points by seat, and for what the last ones were scored where the events tell it."""
    view = view_of(scene)
    scored = {int(e.params["seat"]): e.params for e in scene.events if e.code == "scored"}
    order_ = ranked(view)
    wide = (WIDTH - 24 - 12 * (len(order_) - 1)) // len(order_)
    for number, seat in enumerate(order_):
        left = 12 + (wide + 12) * number
        best = seat in winners(view)
        panel = Panel(canvas, (left, HEIGHT - STRIP + 12, left + wide, HEIGHT - 14), active=best)
        panel.icon(30, 28, crest(HOUSE[seat], 17))
        panel.words(56, 38, scene.names[seat], SMALL, PAPER, room=wide - 64)
        panel.figure(wide - 36, 80, str(view.players[seat].points), Type("words", 44), PAPER)
        own = [p for p in view.provinces.values() if p.owner == seat]
        parts = {"provinces": len(own), "buildings": sum(p.buildings for p in own)}
        if seat in scored:
            parts = {part: int(scored[seat][part]) for part in PARTS}
        step = min(64, (wide - 76) // 3)
        for place_, (part, count) in enumerate(parts.items()):
            x = 12 + step // 2 + step * place_
            panel.icon(x, 63, part_sign(part, 24))
            panel.figure(x, 92, str(count), Type("words", 26), PAPER)


PARTS = ("provinces", "buildings", "majorities")


def part_sign(part: str, size: int) -> Image.Image:
    """What points are for: a card, a keep, a star."""
    if part == "majorities":
        return point_star(size)
    return icon("bid" if part == "provinces" else "castle", size, MUTE, LACQUER)


def champion(canvas: Canvas, scene: Scene) -> None:
    """In the sea: who has won, large, and what the signs of the points mean."""
    view = view_of(scene)
    best = winners(view)
    panel = Panel(canvas, (645, TOP + 868, 1068, TOP + 1078), active=True, afloat=True)
    shown = best[:3]
    for number, seat in enumerate(shown):
        panel.icon(62 + 66 * number, 62, crest(HOUSE[seat], 40 if len(shown) == 1 else 30))
    start = 122.0 if len(shown) == 1 else 40 + 66.0 * len(shown)
    names = say(scene, "picture.winners", seats=best)
    panel.words(start, 52, names, Type("words", 34), PAPER, room=panel.width - start - 14)
    points = say(scene, "picture.points", points=view.players[best[0]].points)
    panel.words(start, 90, points, Type("words", 30), GOLD, room=panel.width - start - 14)
    for number, part in enumerate(PARTS):
        y = 120 + 31 * number
        panel.icon(32, y, part_sign(part, 24))
        panel.words(56, y + 9, say(scene, f"picture.part.{part}"), SMALL, MUTE, room=panel.width - 70)
