"""The Shogun map: owners by fill and crest, armies, buildings, unrest, battles and previews of them."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engines.protocol import RulesError
from engines.shogun.data import BUILDINGS, CHESTS, PROVINCES, REGION, RICE, SPACES, in_play
from engines.shogun.model import Battle, DraftCard, Move, Place, Province, Revolts, ShogunAction
from engines.shogun.notation import parse_action
from engines.shogun.rules import battle_targets, move_targets
from render import marks
from render import text as lines
from render.canvas import Canvas, Pen, unit
from render.colour import rgb
from render.panels import ground
from render.scene import Picture, Scene
from render.shogun.icons import WORDS_ON, crest, flame, icon
from render.shogun.map import (
    FILLS,
    LABELS,
    OUT,
    fill_land,
    meeting,
    outline,
    overlay,
    sea,
    seal_name,
    seal_name_box,
)
from render.shogun.palette import colours
from render.shogun.panels import HEIGHT, TOP, panels
from render.shogun.room import ICON, NAME_TYPE, SMALL, TIGHT, breadth, row_at
from render.shogun.words import HOUSE, alt, say, source, view_of
from render.theme import FIGURE, GOLD, INK, MUTE, PAPER, SHU, SHU_DARK, SUMI, WASHI, WHITE, WIDTH, Type

NAME_UP = 30  # from a province's label point, where crest and armies are, up to its name
NO_CREST = "–"
MEDAL = 20  # the radius of the mark of a battle


def board(scene: Scene) -> Picture:
    """The public map, or a player's own with what his panel asks."""
    canvas = Canvas(base(len(scene.names), view_of(scene).options.side), rtl=scene.words.rtl)
    provinces(canvas, scene)
    panels(canvas, scene)
    return Picture(canvas.png(colours()), "shogun.png", alt(scene))


# -- the map ----------------------------------------------------------------------------


@lru_cache(maxsize=3)  # six megabytes each
def base(players: int, side: str) -> Image.Image:
    """Sea, neutral land and what is out of play; the head and the strip empty."""
    canvas = Canvas(ground(WIDTH, HEIGHT, SUMI))
    canvas.image.paste(sea(), (0, TOP))
    for name in PROVINCES:
        fill = "neutral" if name in in_play(side, players) else OUT
        fill_land(canvas, name, fill, TOP)
    canvas.image.paste(GOLD, (0, TOP - 3, WIDTH, TOP - 1))
    return canvas.image


def provinces(canvas: Canvas, scene: Scene) -> None:
    """Fills, borders, outlines of a preview, each province's marks, and battles over them."""
    view = view_of(scene)
    for name, province in view.provinces.items():
        if province.owner is not None:
            fill_land(canvas, name, HOUSE[province.owner], TOP)
    canvas.paste(overlay(view.options.side, len(view.players)), 0, TOP)
    region_names(canvas, scene)
    action = previewed(scene)
    outlines(canvas, scene, action)
    for name in PROVINCES:
        if name in view.provinces:
            stand(canvas, scene, name, view.provinces[name])
        else:
            label(canvas, scene, name, INK, MUTE)
    fights(canvas, scene)
    advance(canvas, scene, action)


def region_names(canvas: Canvas, scene: Scene) -> None:
    """The name of each region in play beside the numeral on its seal."""
    view = view_of(scene)
    for region in sorted({REGION[view.options.side][name] for name in view.provinces}):
        plate = seal_name(say(scene, f"picture.region.{region}"))
        left, top, _, _ = seal_name_box(region, plate.width - 14)
        canvas.paste(plate, left, top + TOP)


def previewed(scene: Scene) -> ShogunAction | None:
    """The action to confirm, None where there is none or it is not one of this game."""
    if not scene.action:
        return None
    try:
        return parse_action(scene.action)
    except RulesError:
        return None


def outlines(canvas: Canvas, scene: Scene, action: ShogunAction | None) -> None:
    """What acts or was picked in gold, where it may go in white dashes; open cards of the draft too."""
    view = view_of(scene)
    chosen = {mark for choice in scene.picked for mark in choice.marks}
    aims = {mark for choice in scene.prompt.choices for mark in choice.marks} if scene.prompt else set()
    open_ = source(view)
    if open_ is not None and view.turn is not None:
        chosen.add(open_)
        if scene.prompt is None and action is None:
            find = battle_targets if view.pending == "battle" else move_targets
            aims |= set(find(view, view.turn, open_))
    if view.draft is not None:
        aims |= set(view.draft.open) if view.draft.drawn is None else set()
        chosen |= {view.draft.drawn} if view.draft.drawn else set()
    if isinstance(action, Battle | Move):
        chosen.add(action.to)
    elif isinstance(action, DraftCard) and action.card:
        chosen.add(action.card)
    elif isinstance(action, Revolts):
        chosen |= set(action.provinces)
    for names, what in ((aims - chosen, "target"), (chosen, "chosen")):
        for name in sorted(names & set(view.provinces)):
            image, (x, y) = outline(name, what)
            canvas.paste(image, x, y + TOP)


# -- battles ----------------------------------------------------------------------------


def fights(canvas: Canvas, scene: Scene) -> None:
    """Crossed swords where the last battle was, its beak in the province that was attacked."""
    found = [e for e in scene.events if e.code in ("attacked", "attacked-neutral")]
    if found:
        one, other = str(found[-1].params["source"]), str(found[-1].params["province"])
        medal(canvas, one, other, WHITE, swords=True)


def advance(canvas: Canvas, scene: Scene, action: ShogunAction | None) -> None:
    """The battle or march to confirm, or the group to draft: how many armies go where, in gold."""
    view = view_of(scene)
    start = source(view)
    if isinstance(action, Battle | Move) and start is not None:
        medal(canvas, start, action.to, GOLD, swords=False)
        x, y = meeting(start, action.to)
        canvas.figure(x, y + TOP, str(action.armies), Type("words", 28), INK)
        return
    if isinstance(action, Revolts):
        for number, name in enumerate(action.provinces, 1):
            numbered(canvas, name, str(number))
        return
    card, armies = None, None
    if isinstance(action, DraftCard):
        card, armies = action.card, action.armies
    elif isinstance(action, Place) and view.draft is not None:
        card, armies = view.draft.drawn, action.armies
    if card is not None and armies is not None:
        numbered(canvas, card, f"+{armies}")


def numbered(canvas: Canvas, name: str, word: str) -> None:
    """A gold disc with a number in the middle of a province."""
    x, y = LABELS[name]
    pen = Pen(64, 64)
    pen.circle(32, 32, 25, GOLD, INK, 3)
    canvas.centre(pen.sprite(), x, y + TOP)
    canvas.figure(x, y + TOP, word, Type("words", 28), INK)


def medal(canvas: Canvas, one: str, other: str, fill: str, *, swords: bool) -> None:
    """A disc where two provinces meet, with a beak into the second."""
    x, y = meeting(one, other)
    tx, ty = LABELS[other]
    dx, dy = unit(tx - x, ty - y)
    canvas.centre(disc(round(dx, 1), round(dy, 1), fill, swords=swords), x, y + TOP)


@lru_cache(maxsize=128)
def disc(dx: float, dy: float, fill: str, *, swords: bool) -> Image.Image:
    """The disc of a battle with its beak in this direction."""
    pen = Pen(72, 72)
    dx, dy = unit(dx, dy)
    tip = (36 + dx * 33, 36 + dy * 33)
    sides = [(36 + dx * 12 - dy * s * 15, 36 + dy * 12 + dx * s * 15) for s in (-1, 1)]
    pen.polygon([tip, *sides], INK, INK, 3)
    pen.circle(36, 36, MEDAL, fill, INK, 3)
    pen.polygon([(36 + dx * 30, 36 + dy * 30), *sides], fill)
    if swords:
        marks.draw_swords(pen, 36, 36, 12.5, SHU)
    return pen.sprite()


# -- a province's marks -----------------------------------------------------------------


def words_on(province: Province) -> tuple[str, str]:
    """The colour of words on a province, and the province's own."""
    if province.owner is None:
        return INK, WASHI
    house = HOUSE[province.owner]
    return WORDS_ON[house], FILLS[house]


def label(canvas: Canvas, scene: Scene, name: str, colour: str, halo: str) -> None:
    """A province's name, above its marks."""
    x, y = LABELS[name]
    canvas.centre(tag(scene.words.term("shogun", name), colour, halo), x, y + TOP - NAME_UP)


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
    winter = view_of(scene).winter
    rising = winter is not None and name in winter.revolts
    farmers = province.unrest + winter.farmers if winter is not None and rising else None
    buildings(canvas, name, province, (colour, fill), farmers)


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


def buildings(
    canvas: Canvas, name: str, province: Province, shades: tuple[str, str], farmers: int | None
) -> None:
    """A row of buildings, rings for free spaces, and a chip with the unrest or with the farmers that rise."""
    for sprite, x, y in row(name, province, shades, farmers):
        canvas.centre(sprite, x, y + TOP)


def row(
    name: str, province: Province, shades: tuple[str, str], farmers: int | None
) -> list[tuple[Image.Image, float, float]]:
    """That row's marks with their middles on the map, the nearer to each other the less room there is."""
    found = marks_of(name, province, shades, farmers, ICON)
    if sum(mark.width - TIGHT for mark in found) + TIGHT > breadth(name):
        found = marks_of(name, province, shades, farmers, SMALL)
    gaps, long = max(1, len(found) - 1), sum(mark.width for mark in found)
    gap = min(3.0, max(-TIGHT, (breadth(name) - long) / gaps))
    left, y = row_at(name, long + gap * (len(found) - 1))
    placed = []
    for mark in found:
        placed.append((mark, left + mark.width / 2, y))
        left += mark.width + gap
    return placed


def marks_of(
    name: str, province: Province, shades: tuple[str, str], farmers: int | None, size: int
) -> list[Image.Image]:
    """The marks of that row with buildings of this size."""
    colour, fill = shades
    found = [icon(b, size, colour, fill) for b in BUILDINGS if getattr(province, b)]
    found += [ring(colour)] * (SPACES[name] - province.buildings)
    if farmers is not None:
        found.append(revolt(farmers))
    elif province.unrest:
        found.append(unrest(province.unrest))
    return found


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


@lru_cache(maxsize=16)
def revolt(farmers: int) -> Image.Image:
    """A red chip with the farmers' hat and how many of them rise."""
    pen = Pen(56, 32)
    pen.box((0, 0, 56, 32), 16, SHU_DARK, PAPER, 2.5)
    image = pen.sprite()
    image.alpha_composite(icon("farmers", 22, PAPER, SHU_DARK), (6, 4))
    lines.write_centred(image, 40, 16, str(farmers), Type("words", 25), PAPER)
    return image
