"""A step of Shogun that happens in one place: it enlarged, what happened, and where on the map it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engines.protocol import Seen
from engines.shogun.data import PROVINCES, in_play
from engines.shogun.foresight import foresee
from render import marks
from render.canvas import Canvas, Pen
from render.flat import as_ground
from render.kept import kept
from render.panels import Panel
from render.scene import Picture, Scene
from render.shogun import layers
from render.shogun.board import draw_map
from render.shogun.icons import crest, farmer_chip, icon
from render.shogun.lens import TOP, Lens, round_places
from render.shogun.map import FILLS
from render.shogun.narration import important, steps
from render.shogun.palette import colours
from render.shogun.panels import head, last_throw
from render.shogun.targets import targets
from render.shogun.words import HOUSE, alt, is_private, say, source, view_of
from render.shogun.wrap import fitted, wrapped
from render.theme import GOLD, INK, LACQUER, MUTE, NIGHT, PAPER, SHU, SUMI, WHITE, WIDTH, Type

BAND = 238  # below the place: what happened, and the key map
KEY = layers.KEY_SIZE[0] // 2  # the key map's width
WORDS_TYPE, LINE = Type("words", 31), 42
ENDS = ("conquered", "conquered-neutral", "held", "tied", "tied-neutral")
WIDE = frozenset(  # they concern the whole board
    ("provinces-given", "winter-came", "year-began", "events-opened", "round-dealt", "game-over", "scored")
)


def focus(scene: Scene) -> Picture | None:
    """The place of all that is new, and of what is to be done next; None where that is not one place.

    Where only the card to be carried out next lies elsewhere, it is the place of what happened.
    """
    lens = lens_of(scene)
    if lens is None:
        return None
    height = TOP + lens.height + BAND
    night = NIGHT if is_private(scene) else SUMI
    canvas = Canvas.blank(WIDTH, height, night, rtl=scene.words.rtl)
    draw_map(canvas, scene, lens)
    canvas.image.paste(SUMI, (0, 0, WIDTH, TOP))
    canvas.image.paste(night, (0, TOP + lens.height, WIDTH, height))
    for edge in (TOP - 3, TOP + lens.height):
        canvas.image.paste(GOLD, (0, edge, WIDTH, edge + 2))
    head(canvas, scene, large=True)
    key_map(canvas, scene, lens)
    told(canvas, scene, lens)
    return Picture(canvas.png(colours()), "shogun-place.png", alt(scene))


def lens_of(scene: Scene) -> Lens | None:
    """The window of it all, else of what happened alone."""
    ahead, behind = places(scene), happened(scene)
    return next((lens for names in (ahead, behind) if names and (lens := round_places(names))), None)


def places(scene: Scene) -> set[str]:
    """Provinces that have to be seen: of the events, of the open card and its targets; none: no focus."""
    view = view_of(scene)
    if no_place(scene):
        return set()
    found: set[str] = set()
    start = source(view)
    if start is not None:
        found |= {start, *(target.name for target in targets(scene))}
    if scene.prompt is not None or scene.action is not None:
        return found
    return (found | named(scene.events)) & set(view.provinces)


def happened(scene: Scene) -> set[str]:
    """Provinces of the events, without the card that is only laid open to be carried out next."""
    if no_place(scene) or scene.prompt is not None or scene.action is not None:
        return set()
    events = list(scene.events)
    while events and events[-1].code == "card-shown":
        events.pop()
    return named(events) & set(view_of(scene).provinces)


def no_place(scene: Scene) -> bool:
    """Whether the moment, or what happened, is of the whole board."""
    if view_of(scene).phase in ("plan", "over", "draft") or scene.layer is not None or scene.area is not None:
        return True
    asked = scene.prompt is not None or scene.action is not None
    return not asked and any(event.code in WIDE for event in scene.events)


def named(events: Sequence[Seen]) -> set[str]:
    """The provinces that events are of."""
    found: set[str] = set()
    for event in events:
        found |= {str(event.params[key]) for key in ("province", "source") if event.params.get(key)}
        several = event.params.get("provinces")
        found |= set(map(str, several)) if isinstance(several, list | tuple) else set()
    return found


# -- below the place ----------------------------------------------------------------------------


def key_map(canvas: Canvas, scene: Scene, lens: Lens) -> None:
    """The whole map small, with a gold frame round the place; it has no words, so it is never mirrored."""
    view = view_of(scene)
    fills = dict.fromkeys(in_play(view.options.side, len(view.players)), FILLS["neutral"])
    fills |= {n: FILLS[HOUSE[p.owner]] for n, p in view.provinces.items() if p.owner is not None}
    small = small_map(tuple(fills.get(name) for name in PROVINCES))
    left = 12 if canvas.rtl else WIDTH - 12 - KEY
    top = TOP + lens.height + (BAND - small.height) // 2 + 1
    canvas.image.paste(PAPER, (left - 2, top - 2, left + small.width + 2, top + small.height + 2))
    canvas.paste(small, left, top)
    part = KEY / WIDTH
    wide, tall = lens.width / lens.scale * part, lens.height / lens.scale * part
    canvas.paste(frame(round(wide), round(tall)), left + lens.left * part - 4, top + lens.top * part - 4)


@kept
def small_map(fills: tuple[str | None, ...]) -> Image.Image:
    """The land in these colours, in the palette: owners change less often than what is looked at."""
    found = layers.coloured(layers.key(), dict(zip(PROVINCES, fills, strict=True)))
    return as_ground(found.reduce(2), colours())


@kept
def frame(wide: int, tall: int) -> Image.Image:
    """A gold frame edged in ink and white."""
    pen = Pen(wide + 8, tall + 8)
    for inset, shade in ((0.0, WHITE), (1.5, INK), (3.0, GOLD), (6.5, INK)):
        pen.box((inset, inset, wide + 8 - inset, tall + 8 - inset), 5, shade)
    pen.box((8, 8, wide, tall), 3, None)
    return pen.sprite()


def told(canvas: Canvas, scene: Scene, lens: Lens) -> None:
    """Beside the key map: the fight, what the marks of the targets mean, or what happened."""
    top = TOP + lens.height + 12
    panel = Panel(canvas, (12, top, WIDTH - KEY - 36, top + BAND - 24))
    end = next((event for event in reversed(scene.events) if event.code in ENDS), None)
    if end is not None and scene.prompt is None and scene.action is None:
        fight(panel, scene, end)
    elif scene.action is None and any(target.odds is not None for target in targets(scene)):
        legend(panel, scene)
    else:
        paragraph(panel, scene, 46, 4)


def fight(panel: Panel, scene: Scene, end: Seen) -> None:
    """Who threw against whom: the cubes of both in the tray, and how it ended."""
    params = end.params
    attacker, owner = int(params["seat"]), params.get("owner")
    helped = bool(params.get("farmers"))
    figure = Type("words", 60)
    panel.icon(56, 58, crest(HOUSE[attacker], 34))
    panel.figure(142, 58, str(params["attackers"]), figure, PAPER)
    panel.icon(222, 58, marks.swords(26))
    start = 302.0
    if owner is not None:
        panel.figure(start, 58, str(params["defenders"]), figure, PAPER)
        panel.icon(start + 86, 58, crest(HOUSE[int(owner)], 34))
        start += 172
    if helped or owner is None:
        sign = "" if owner is None else "+"
        panel.figure(start, 58, f"{sign}{params['farmers']}", figure, PAPER)
        panel.icon(start + 86, 58, farmer_chip(34))
    found = wrapped(important(scene, end), WORDS_TYPE, panel.width - 40)[:2]
    for number, line in enumerate(found):
        panel.words(20, 138 + LINE * number, line, WORDS_TYPE, PAPER, room=panel.width - 40)
    throw = last_throw(scene.events)
    if throw is not None and len(found) == 1:
        cubes, out = sum(throw.thrown), sum(throw.fallen)
        word = say(scene, "picture.threw", province=throw.province, cubes=cubes, out=out)
        phrase(panel, 20, 138 + LINE, word, panel.width - 40, MUTE)


def legend(panel: Panel, scene: Scene) -> None:
    """What the figures and the bar on a target's plate are, and what its line says."""
    for number, (name, shade) in enumerate((("win", INK), ("tie", MUTE), ("lose", SHU))):
        panel.icon(38, 42 + 46 * number, swatch(shade))
        phrase(panel, 70, 53 + 46 * number, say(scene, f"focus.{name}"), 310)
    for number, (name, kind) in enumerate((("attack", "target"), ("own-land", "own"))):
        panel.icon(440, 42 + 46 * number, line_sample(kind))
        phrase(panel, 490, 53 + 46 * number, say(scene, f"focus.{name}"), 316)
    start = source(view_of(scene))
    if start is not None:
        armies = view_of(scene).provinces[start].armies - 1
        word = say(scene, "focus.may-go", armies=armies, source=start)
        phrase(panel, 20, 190, word, panel.width - 40, GOLD)


def phrase(panel: Panel, start: float, y: float, text: str, room: float, fill: str = PAPER) -> None:
    """A line of the legend, no smaller than may be read on a phone."""
    word, style = fitted(text, WORDS_TYPE, 30, room)
    panel.words(start, y, word, style, fill, room=room)


@lru_cache(maxsize=4)
def swatch(shade: str) -> Image.Image:
    """A piece of the bar."""
    pen = Pen(34, 24)
    pen.box((0, 0, 34, 24), 5, PAPER)
    pen.box((3, 3, 31, 21), 3, shade)
    return pen.sprite()


@lru_cache(maxsize=2)
def line_sample(kind: str) -> Image.Image:
    """A piece of the line round a target."""
    pen = Pen(72, 24)
    pen.line([(8, 12), (64, 12)], INK, 15)
    if kind == "own":
        pen.dashes([(10, 12), (62, 12)], WHITE, 8, 0.5, 16)
    else:
        pen.dashes([(6, 12), (66, 12)], WHITE, 7, 16, 9, round_ends=False)
    return pen.sprite()


def paragraph(panel: Panel, scene: Scene, y: float, most: int) -> None:
    """What would follow, else what happened: whole sentences, as many as there is room for."""
    kept: list[str] = []
    ahead = followed(scene)
    for sentence in ahead or reversed(steps(scene)):
        found = wrapped(sentence, WORDS_TYPE, panel.width - 40)
        if len(kept) + len(found) > most:
            break
        kept = [*kept, *found] if ahead else [*found, *kept]
    for number, line in enumerate(kept):
        panel.words(20, y + LINE * number, line, WORDS_TYPE, PAPER, room=panel.width - 40)
    if not kept:
        panel.icon(panel.width / 2, BAND / 2 - 12, icon("battle_a", 80, MUTE, LACQUER))


def followed(scene: Scene) -> list[str]:
    """Sentences about the action to confirm: what would follow from it."""
    view = view_of(scene)
    if scene.action is None or scene.help == "none":
        return []
    seen = foresee(view, scene.action, odds=scene.help == "full")
    return [say(scene, f"foresight.{one.code}", **one.params) for one in seen]
