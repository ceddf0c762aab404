"""The Shogun map: owners by fill and crest, armies, buildings, unrest, battles and previews of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial, reduce
from typing import NamedTuple

from PIL import Image, ImageChops

from engines.shogun.data import BUILDINGS, CHESTS, PROVINCES, REGION, RICE, SPACES, in_play, neighbours
from engines.shogun.model import Battle, DraftCard, Move, Place, Province, Revolts, ShogunAction
from render import marks
from render import text as lines
from render.canvas import Canvas, Pen, unit
from render.colour import rgb
from render.kept import kept
from render.scene import Picture, Scene
from render.shogun import layers
from render.shogun.icons import WORDS_ON, crest, flame, icon, planned_chip
from render.shogun.lens import TOP, WHOLE, Lens, area_lens, ground
from render.shogun.map import FILLS, LABELS, SEALS, outline, seal, seal_name, seal_name_box
from render.shogun.palette import colours
from render.shogun.panels import HEIGHT, head, panels
from render.shogun.plan import planned
from render.shogun.room import ICON, NAME_TYPE, SMALL, TIGHT, breadth, chip_at, row_at
from render.shogun.since import News, news
from render.shogun.targets import plates, previewed, targets
from render.shogun.words import HOUSE, alt, say, source, view_of
from render.theme import FIGURE, GOLD, INK, MUTE, PAPER, SHU, SHU_DARK, SUMI, WASHI, WHITE, WIDTH, Type

NAME_UP = 30  # from a province's label point, where crest and armies are, up to its name
NO_CREST = "–"
MEDAL = 20  # the radius of the mark of a battle
CREST = 19  # of an owner's crest
HALO = {y: [x for x in range(-3, 4) if 4 < x * x + y * y < 11] for y in range(4)}  # round a pixel, by row
MANY = 10  # armies whose figure needs a plate of its own

Sprite = Callable[[], Image.Image]  # one that is kept, looked up where it is put on
Mark = tuple[Sprite, float, float]  # with its middle on the map


def board(scene: Scene) -> Picture:
    """The public map, or a player's own with what his panel asks; a region or a province enlarged."""
    part = area_lens(scene.area, view_of(scene).options.side)
    if part is not None:
        return area(scene, part)
    canvas = Canvas.blank(WIDTH, HEIGHT, SUMI, rtl=scene.words.rtl)
    draw_map(canvas, scene, WHOLE)
    canvas.image.paste(GOLD, (0, TOP - 3, WIDTH, TOP - 1))
    panels(canvas, scene)
    return Picture(canvas.png(colours()), "shogun.png", alt(scene))


def area(scene: Scene, lens: Lens) -> Picture:
    """A part of the map enlarged below the head."""
    canvas = Canvas.blank(WIDTH, TOP + lens.height, SUMI, rtl=scene.words.rtl)
    draw_map(canvas, scene, lens)
    canvas.image.paste(SUMI, (0, 0, WIDTH, TOP))
    canvas.image.paste(GOLD, (0, TOP - 3, WIDTH, TOP - 1))
    head(canvas, scene, large=True)
    return Picture(canvas.png(colours()), "shogun-area.png", alt(scene))


# -- the map ----------------------------------------------------------------------------


def draw_map(canvas: Canvas, scene: Scene, lens: Lens) -> None:
    """Fills, borders, outlines of a preview, each province's marks, and battles over them."""
    view = view_of(scene)
    fills = dict.fromkeys(in_play(view.options.side, len(view.players)), "neutral")
    fills |= {name: HOUSE[p.owner] for name, p in view.provinces.items() if p.owner is not None}
    land = ground(lens, {name: FILLS[fill] for name, fill in fills.items()}, view.options.side)
    canvas.image.spread(land, lens.down)
    seals(canvas, scene, lens)
    action = previewed(scene)
    outlines(canvas, scene, action, lens)
    seen, plan = [name for name in PROVINCES if lens.whole or lens.sees(name)], planned(view)
    for name in seen:
        stand(canvas, scene, name, plan.get(name), lens)
    under = fights(canvas, scene, lens) | advance(canvas, scene, action, lens)
    for name in sorted(under & set(seen)):  # last, so that nothing hides a name
        province = view.provinces.get(name)
        label(canvas, scene, name, (INK, MUTE) if province is None else words_on(province), lens)
    plates(canvas, scene, lens)


def seals(canvas: Canvas, scene: Scene, lens: Lens) -> None:
    """The seal of each region in play, and its name beside the numeral."""
    view = view_of(scene)
    for region in sorted({REGION[view.options.side][name] for name in view.provinces}):
        plate = seal_name(say(scene, f"picture.region.{region}"), lens.scale)
        box = seal_name_box(region, plate.width / lens.scale - 14)
        x, y = SEALS[region]
        if not lens.holds(box) or not lens.holds((x - 22, y - 22, x + 22, y + 22)):
            continue
        canvas.centre(seal(region, lens.scale), *lens.at(x, y))
        left, top, _, _ = box
        canvas.paste(plate, *lens.at(left, top))


def outlines(canvas: Canvas, scene: Scene, action: ShogunAction | None, lens: Lens) -> None:
    """Conquered land in gold dashes, targets in white ones, own land in dots; what acts in gold."""
    view = view_of(scene)
    chosen = {mark for choice in scene.picked for mark in choice.marks}
    aims = {mark for choice in scene.prompt.choices for mark in choice.marks} if scene.prompt else set()
    reached = targets(scene)
    aims |= {target.name for target in reached}
    own = {target.name for target in reached if target.own}
    if (open_ := source(view)) is not None:
        chosen.add(open_)
    if view.draft is not None:
        aims |= set(view.draft.open) if view.draft.drawn is None else set()
        chosen |= {view.draft.drawn} if view.draft.drawn else set()
    if isinstance(action, Battle | Move):
        chosen.add(action.to)
    elif isinstance(action, DraftCard) and action.card:
        chosen.add(action.card)
    elif isinstance(action, Revolts):
        chosen |= set(action.provinces)
    taken = {name for name in view.provinces if news(scene, name).taken} - chosen - aims
    for names, what in (
        (taken, "taken"),
        ((aims & own) - chosen, "own"),
        (aims - own - chosen, "target"),
        (chosen, "chosen"),
    ):
        for name in sorted(names & set(view.provinces)):
            image, (x, y) = outline(name, what, lens.scale)
            left, top = lens.at(0, 0)
            canvas.paste(image, left + x, top + y)


# -- battles ----------------------------------------------------------------------------


def fights(canvas: Canvas, scene: Scene, lens: Lens) -> set[str]:
    """Crossed swords where the last battle was, its beak in the province that was attacked.

    Returns the provinces whose names it may lie on.
    """
    found = [e for e in scene.events if e.code in ("attacked", "attacked-neutral")]
    if found:
        one, other = str(found[-1].params["source"]), str(found[-1].params["province"])
        x, y = layers.meeting(one, other)
        if lens.holds((x, y, x, y)):
            medal(canvas, one, other, WHITE, lens, swords=True)
            return near((one, other))
    return set()


def advance(canvas: Canvas, scene: Scene, action: ShogunAction | None, lens: Lens) -> set[str]:
    """The battle or march to confirm, or the group to draft: how many armies go where, in gold.

    Returns the provinces whose names it may lie on.
    """
    view = view_of(scene)
    start = source(view)
    if isinstance(action, Battle | Move) and start is not None:
        medal(canvas, start, action.to, GOLD, lens, swords=False)
        x, y = medal_at(start, action.to, lens)
        canvas.figure(x, y, str(action.armies), Type("words", round(28 * lens.scale)), INK)
        return near((start, action.to))
    if isinstance(action, Revolts):
        for number, name in enumerate(action.provinces, 1):
            x, y = LABELS[name]
            crest_at = x + crest_aside(view.provinces[name].armies, lens.scale), y
            numbered(canvas, crest_at, str(number), lens, CREST)
        return set()
    card, armies = None, None
    if isinstance(action, DraftCard):
        card, armies = action.card, action.armies
    elif isinstance(action, Place) and view.draft is not None:
        card, armies = view.draft.drawn, action.armies
    if card is not None and armies is not None:
        numbered(canvas, LABELS[card], f"+{armies}", lens, 25)
    return set()


def near(names: tuple[str, str]) -> set[str]:
    """Two neighbours and what lies round them."""
    return {*names, *neighbours(names[0]), *neighbours(names[1])}


def numbered(canvas: Canvas, spot: tuple[float, float], word: str, lens: Lens, radius: int) -> None:
    """A gold disc with a number at a place of the map."""
    x, y = lens.at(*spot)
    pen = Pen(72, 72)
    pen.circle(36, 36, radius, PAPER, PAPER, 6)
    pen.circle(36, 36, radius, GOLD, INK, 4)
    canvas.centre(pen.sprite(), x, y)
    canvas.figure(x, y, word, Type("words", 28), INK)


def medal(canvas: Canvas, one: str, other: str, fill: str, lens: Lens, *, swords: bool) -> None:
    """A disc where two provinces meet, with a beak into the second."""
    x, y = layers.meeting(one, other)
    tx, ty = LABELS[other]
    dx, dy = unit(tx - x, ty - y)
    canvas.centre(
        disc(round(dx, 1), round(dy, 1), fill, lens.scale, swords=swords), *medal_at(one, other, lens)
    )


def medal_at(one: str, other: str, lens: Lens) -> tuple[float, float]:
    """The middle of the disc where two provinces meet: all of it in the picture."""
    x, y = lens.at(*layers.meeting(one, other))
    room = (MEDAL + 7) * lens.scale
    return min(max(x, room), lens.width - room), min(max(y, lens.down + room), lens.down + lens.height - room)


@kept
def disc(dx: float, dy: float, fill: str, scale: float, *, swords: bool) -> Image.Image:
    """The disc of a battle with its beak in this direction."""
    pen = Pen(80 * scale, 80 * scale)
    dx, dy = unit(dx, dy)
    middle = 40 * scale

    def at(x: float, y: float) -> tuple[float, float]:
        return middle + x * scale, middle + y * scale

    sides = [at(dx * 12 - dy * s * 15, dy * 12 + dx * s * 15) for s in (-1, 1)]
    for shade, more in ((WHITE, 6), (INK, 3)):  # ink on a dark land would vanish
        pen.polygon([at(dx * 33, dy * 33), *sides], shade, shade, more * scale)
        pen.circle(middle, middle, MEDAL * scale, shade, shade, more * scale)
    pen.circle(middle, middle, MEDAL * scale, fill)
    pen.polygon([at(dx * 30, dy * 30), *sides], fill)
    if swords:
        marks.draw_swords(pen, middle, middle, 12.5 * scale, SHU)
    return pen.sprite()


# -- a province's marks -----------------------------------------------------------------


def words_on(province: Province) -> tuple[str, str]:
    """The colour of words on a province, and the province's own."""
    if province.owner is None:
        return INK, WASHI
    house = HOUSE[province.owner]
    return WORDS_ON[house], FILLS[house]


def label(canvas: Canvas, scene: Scene, name: str, shades: tuple[str, str], lens: Lens) -> None:
    """A province's name, above its marks."""
    x, y = LABELS[name]
    word = tag(scene.words.term("shogun", name), *shades, lens.scale)
    canvas.centre(word, *lens.at(x, y - NAME_UP))


@kept
def tag(word: str, colour: str, halo: str, scale: float = 1) -> Image.Image:
    """A name with its halo."""
    letters, wider = lettering(word, scale)
    image = Image.new("RGBA", letters.size, (*rgb(halo), 0))
    image.putalpha(wider)
    image.paste(colour, (0, 0), letters)
    return image


@kept
def lettering(word: str, scale: float) -> tuple[Image.Image, Image.Image]:
    """Stencils of a name and of its halo: shaping and widening it anew for every picture takes too long."""
    style = Type(NAME_TYPE.cut, round(NAME_TYPE.size * scale))
    letters = Image.new("L", (round(lines.width(word, style)) + 10, round(44 * scale)))
    lines.write(letters, 5, round(31 * scale), word, style, WHITE)
    rows = {  # a stroke of the font's own outlines takes four times as long
        y: reduce(ImageChops.lighter, (ImageChops.offset(letters, x, 0) for x in across))
        for y, across in HALO.items()
    }
    around = (ImageChops.offset(row, 0, y * way) for y, row in rows.items() for way in {1, -1 if y else 1})
    return letters, reduce(ImageChops.lighter, around, letters)


class Stand(NamedTuple):
    """All that is drawn of a province: what stands there, as this viewer sees it.

    space    the action that the viewer has planned there
    farmers  how many rise in a revolt
    """

    name: str
    word: str
    province: Province | None
    new: News
    space: str | None
    farmers: int | None
    values: bool


def stand(canvas: Canvas, scene: Scene, name: str, space: str | None, lens: Lens) -> None:
    """A province's name, crest and armies (or goods, or what is planned), buildings, spaces and unrest."""
    view = view_of(scene)
    province, word = view.provinces.get(name), scene.words.term("shogun", name)
    winter = view.winter
    rising = province is not None and winter is not None and name in winter.revolts
    farmers = province.unrest + winter.farmers if province and winter and rising else None
    values = scene.layer == "values"
    put_marks(canvas, Stand(name, word, province, news(scene, name), space, farmers, values), lens)


def put_marks(canvas: Canvas, key: Stand, lens: Lens) -> None:
    """All that is drawn of a province."""
    corner, found = arranged(key, lens.scale)
    x, y = map(round, lens.at(*corner))
    for sprite, right, down in found:
        canvas.paste(sprite(), x + right, y + down)


@lru_cache(maxsize=512)
def arranged(key: Stand, scale: float) -> tuple[tuple[int, int], list[tuple[Sprite, int, int]]]:
    """A point of the map above and left of a province's marks, and where they are seen from there."""
    x, y = LABELS[key.name]
    shades = (INK, MUTE) if key.province is None else words_on(key.province)
    found: list[Mark] = []
    if key.province is not None:
        found += goods(key, shades, scale) if key.values else armies(key, scale)
        found += row(key.name, key.province, shades, key.farmers, key.new, scale)
    found.append((partial(tag, key.word, *shades, scale), x, y - NAME_UP))
    sizes = [sprite().size for sprite, _, _ in found]
    left = int(min(mx - wide / scale / 2 for (wide, _), (_, mx, _) in zip(sizes, found, strict=True))) - 2
    top = int(min(my - tall / scale / 2 for (_, tall), (_, _, my) in zip(sizes, found, strict=True))) - 2
    return (left, top), [
        (sprite, round((mx - left) * scale - wide / 2), round((my - top) * scale - tall / 2))
        for (wide, tall), (sprite, mx, my) in zip(sizes, found, strict=True)
    ]


def armies(key: Stand, scale: float) -> list[Mark]:
    """The owner's crest, or what the viewer plans there, and how many armies stand there."""
    province, new = key.province or Province(), key.new
    colour, _ = words_on(province)
    x, y = LABELS[key.name]
    if province.owner is None:
        found: list[Mark] = [(partial(figure_of, NO_CREST, colour, scale), x, y + 2)]
        return found if new.was is None else [*found, (partial(former, HOUSE[new.was], scale), x - 30, y + 2)]
    word = str(province.armies)
    style = Type(FIGURE.cut, round(FIGURE.size * scale))
    length = lines.width(word, style) / scale
    left = x + crest_aside(province.armies, scale) - 21
    own = key.space is None
    chip = partial(crest, HOUSE[province.owner]) if own else partial(planned_chip, str(key.space))
    found = []
    middle = left + 50 + length / 2
    if new.armies or new.taken or province.armies >= MANY:
        ground_ = GOLD if new.armies or new.taken else PAPER
        found.append((partial(plate, round(length * scale), ground_, scale), middle, y))
        colour = INK
    found.append((partial(chip, CREST * scale), left + 21, y))
    if new.was is not None:
        found.append((partial(former, HOUSE[new.was], scale), left + 4, y + 14))
    return [*found, (partial(figure_of, word, colour, scale), middle, y)]


def crest_aside(armies: int, scale: float) -> float:
    """How far the crest's middle lies from the province's label point: it and the figure are centred."""
    length = lines.width(str(armies), Type(FIGURE.cut, round(FIGURE.size * scale))) / scale
    return 21 - (42 + 8 + length) / 2


@kept
def figure_of(word: str, colour: str, scale: float, size: int = FIGURE.size) -> Image.Image:
    """A figure as a sprite, its ink in the middle."""
    style = Type(FIGURE.cut, round(size * scale))
    wide, tall = round(lines.width(word, style)) + 8, round(size * scale) + 8
    image = Image.new("RGBA", (wide + wide % 2, tall + tall % 2), (*rgb(colour), 0))
    lines.write_centred(image, image.width / 2, image.height / 2, word, style, colour)
    return image


@kept
def plate(length: int, fill: str, scale: float) -> Image.Image:
    """The ground of a figure, edged in ink and white: it shows on any land and over a border."""
    wide, tall = length + 16 * scale, 42 * scale
    pen = Pen(wide, tall)
    pen.box((0, 0, wide, tall), 10 * scale, WHITE)
    pen.box((1.5 * scale, 1.5 * scale, wide - 1.5 * scale, tall - 1.5 * scale), 9 * scale, INK)
    pen.box((4 * scale, 4 * scale, wide - 4 * scale, tall - 4 * scale), 7 * scale, fill)
    return pen.sprite()


@kept
def former(house: str, scale: float) -> Image.Image:
    """The crest of who has lost a province, small and struck through."""
    image = crest(house, 12 * scale, WHITE).copy()
    pen = Pen(image.width, image.height)
    far = image.width - 3 * scale
    for shade, wide in ((WHITE, 6.5), (SHU, 3.5)):
        pen.line([(3 * scale, far), (far, 3 * scale)], shade, wide * scale)
    image.alpha_composite(pen.sprite())
    return image


def goods(key: Stand, shades: tuple[str, str], scale: float) -> list[Mark]:
    """What tax and rice gain there."""
    x, y = LABELS[key.name]
    colour, fill = shades
    found: list[Mark] = []
    for at, what, number in ((x - 32, "tax", CHESTS[key.name]), (x + 17, "rice", RICE[key.name])):
        found.append((partial(icon, what, round(25 * scale), colour, fill), at, y))
        found.append((partial(figure_of, str(number), colour, scale, 30), at + 22, y))
    return found


def row(
    name: str,
    province: Province,
    shades: tuple[str, str],
    farmers: int | None,
    new: News,
    scale: float = 1,
) -> list[Mark]:
    """A row of buildings and of rings for free spaces, with a chip of the unrest or of the farmers that rise.

    Marks lie nearer to each other the less room there is; the chip has its own place where a row is full.
    """
    chip = risen(province, farmers, new, scale)
    found = row_marks(name, province, shades, new, ICON, scale)
    whole = [*found, chip] if chip is not None else found
    if fits(name, whole, scale):
        return in_line(name, whole, scale)
    found = row_marks(name, province, shades, new, SMALL, scale)
    whole = [*found, chip] if chip is not None else found
    if chip is None or fits(name, whole, scale):
        return in_line(name, whole, scale)
    return [*in_line(name, found, scale), (chip, *chip_at(name))]


def fits(name: str, found: list[Sprite], scale: float) -> bool:
    """Whether these marks have room in a line, as near to each other as may be."""
    return sum(mark().width / scale - TIGHT for mark in found) + TIGHT <= breadth(name)


def in_line(name: str, found: list[Sprite], scale: float) -> list[Mark]:
    """Marks beside each other where the province has room for them."""
    widths = [mark().width / scale for mark in found]
    gaps, long = max(1, len(found) - 1), sum(widths)
    gap = min(3.0, max(-TIGHT, (breadth(name) - long) / gaps))
    left, y = row_at(name, long + gap * (len(found) - 1))
    placed: list[Mark] = []
    for mark, wide in zip(found, widths, strict=True):
        placed.append((mark, left + wide / 2, y))
        left += wide + gap
    return placed


def row_marks(
    name: str, province: Province, shades: tuple[str, str], new: News, size: int, scale: float
) -> list[Sprite]:
    """Buildings of this size, those that are new on gold, and rings for free spaces."""
    found: list[Sprite] = []
    for building in BUILDINGS:
        if getattr(province, building):
            fresh = building in new.built
            found.append(
                partial(tile, building, size, scale)
                if fresh
                else partial(icon, building, round(size * scale), *shades)
            )
    return found + [partial(ring, shades[0], scale)] * (SPACES[name] - province.buildings)


@kept
def tile(building: str, size: int, scale: float) -> Image.Image:
    """A building that is new: on gold, edged in ink and white."""
    side = (size + 7) * scale
    pen = Pen(side, side)
    pen.box((0, 0, side, side), 7 * scale, WHITE)
    pen.box((1.5 * scale, 1.5 * scale, side - 1.5 * scale, side - 1.5 * scale), 6 * scale, INK)
    pen.box((3.5 * scale, 3.5 * scale, side - 3.5 * scale, side - 3.5 * scale), 5 * scale, GOLD)
    image = pen.sprite()
    shape = icon(building, round((size - 3) * scale), INK, GOLD)
    image.alpha_composite(shape, ((image.width - shape.width) // 2, (image.height - shape.height) // 2))
    return image


@kept
def ring(colour: str, scale: float = 1) -> Image.Image:
    """A free space for a building."""
    pen = Pen(18 * scale, 18 * scale)
    pen.circle(9 * scale, 9 * scale, 6.5 * scale, colour)
    pen.circle(9 * scale, 9 * scale, 4 * scale, None)
    return pen.sprite()


def risen(province: Province, farmers: int | None, new: News, scale: float) -> Sprite | None:
    """The chip of a province that revolts, or that is in unrest; None for one at peace."""
    if farmers is not None:
        return partial(revolt, farmers, scale)
    return partial(unrest, province.unrest, scale, fresh=new.unrest) if province.unrest else None


@kept
def unrest(markers: int, scale: float = 1, *, fresh: bool = False) -> Image.Image:
    """A paper chip with a flame and the number of markers; a gold one where it is new."""
    pen = Pen(44 * scale, 28 * scale)
    pen.box((0, 0, 44 * scale, 28 * scale), 14 * scale, GOLD if fresh else PAPER, INK, 2 * scale)
    image = pen.sprite()
    image.alpha_composite(
        flame(round(21 * scale), GOLD if fresh else PAPER), (round(5 * scale), round(3 * scale))
    )
    lines.write_centred(image, 32 * scale, 14 * scale, str(markers), Type("words", round(26 * scale)), INK)
    return image


@kept
def revolt(farmers: int, scale: float = 1) -> Image.Image:
    """A red chip with the farmers' hat and how many of them rise."""
    pen = Pen(56 * scale, 32 * scale)
    pen.box((0, 0, 56 * scale, 32 * scale), 16 * scale, SHU_DARK, PAPER, 2.5 * scale)
    image = pen.sprite()
    hat = icon("farmers", round(22 * scale), PAPER, SHU_DARK)
    image.alpha_composite(hat, (round(6 * scale), round(4 * scale)))
    lines.write_centred(image, 40 * scale, 16 * scale, str(farmers), Type("words", round(26 * scale)), PAPER)
    return image
