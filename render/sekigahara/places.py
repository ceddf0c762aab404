"""What stands on the map of Sekigahara: markers, plates with stacks and disks, edges, used roads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import hypot

from PIL import Image

from engines.protocol import Action, RulesError
from engines.sekigahara.data import CASTLES
from engines.sekigahara.foresight import foresee
from engines.sekigahara.model import Combat, March, Muster, Retreat
from engines.sekigahara.notation import with_mode
from render import marks
from render.canvas import Box, Pen, between
from render.kept import kept
from render.scene import Scene
from render.sekigahara import labels
from render.sekigahara.arrows import PREVIEW, Arrow, disc, stayed, travels
from render.sekigahara.field import DISK_AT, Field, Stand
from render.sekigahara.fresh import Fresh, fresh
from render.sekigahara.geography import AT, kind_of
from render.sekigahara.pieces import battlements, disk, marker, plate, token
from render.sekigahara.room import meets
from render.sekigahara.words import own_side, view_of
from render.theme import GOLD, INK, PAPER, SHU_DARK, WHITE

MOVING = ("move", "march")


def map_of(field: Field, scene: Scene, closed: Sequence[Box] = ()) -> list[labels.Laid]:
    """All that lies on the map, names last; returns where the labels lie. `closed`: panels on the map."""
    edges, new = edged(scene), fresh(scene)
    used_roads(field, scene)
    arrows, numbers = ways(field, scene)
    pieces(field, edges, new)
    written = [
        *labels.names(field, scene, edges),
        *labels.clans(field, scene, edges),
        *labels.badges(field, figures(scene, new), edges),
        *numbers,
    ]
    laid = labels.lay(field, written, arrows, edges, closed)
    labels.draw(field, laid)
    return laid


# -- plates -----------------------------------------------------------------------------------


def pieces(field: Field, edges: dict[str, str], new: Fresh) -> None:
    """Markers, plates and stacks from north to south; places where both sides stand last."""
    for here in sorted(field.stands.values(), key=lambda s: (len(s.stacks) > 1, s.y)):
        draw_stand(field, here, edges.get(here.place), new)


def draw_stand(field: Field, here: Stand, edge: str | None, new: Fresh) -> None:
    """A place: its marker alone, or a plate with marker, stacks and disks."""
    canvas, view, place, k = field.canvas, field.view, here.place, here.k
    seen_here, kind = view.map[place], kind_of(place)
    side = seen_here.holder or CASTLES.get(place) if kind == "castle" else view.control.get(place)
    _, top, _, bottom = here.box
    middle = (top + bottom) / 2
    if not here.wide and place in new.places:
        canvas.centre(ghost(round(66 * k)), here.x, here.y)
    if edge and not here.wide and kind == "town":
        canvas.centre(ring(edge, k), here.x, here.y)
    elif edge:
        size = (round(here.wide) + 8, round(bottom - top) + 8) if here.wide else (round(52 * k),) * 2
        canvas.centre(halo(edge, *size), here.x, middle)
    if here.wide:
        sheet = plate(round(here.wide), round(bottom - top), fresh=place in new.places)
        canvas.centre(sheet, here.x, middle)
    changed = place in new.castles or place in new.resources
    canvas.centre(marker(kind, side, k, fresh=changed), *here.marker_at)
    for number, (owner, count) in enumerate(here.stacks):
        x, y = here.token_at(number)
        canvas.centre(token(owner, count, k), x, y)
        if seen_here.besieged and seen_here.holder == owner:
            canvas.centre(battlements(INK, k), x - 3 * k, y - 24 * k)
    for number, name in enumerate(d for d in view.disks if DISK_AT[d] == place):
        x, y = here.disk_at
        canvas.centre(disk(name, k), x + 30 * number * k, y)
    if here.fights:
        x, y = here.marker_at
        canvas.centre(marks.swords(19 * k), x, y - 30 * k)
    if view.march is not None and view.phase in MOVING and place in view.march.activated:
        x, y = here.marker_at
        canvas.centre(ticked(k), x - 19 * k, y + 17 * k)


@kept
def halo(edge: str, wide: int, tall: int) -> Image.Image:
    """The edge of a place in a preview: `chosen` gold, `target` white."""
    pen = Pen(wide + 12, tall + 12)
    pen.box((0, 0, wide + 12, tall + 12), 20, INK)
    pen.box((3, 3, wide + 9, tall + 9), 17, GOLD if edge == "chosen" else WHITE)
    pen.box((8, 8, wide + 4, tall + 4), 13, INK)
    return pen.sprite()


@lru_cache(maxsize=4)
def ring(edge: str, k: float = 1.0) -> Image.Image:
    """The same round a town without blocks."""
    pen = Pen(46 * k, 46 * k)
    pen.circle(23 * k, 23 * k, 22 * k, INK)
    pen.circle(23 * k, 23 * k, 19.5 * k, GOLD if edge == "chosen" else WHITE)
    pen.circle(23 * k, 23 * k, 13 * k, INK)
    return pen.sprite()


@lru_cache(maxsize=4)
def ghost(size: int) -> Image.Image:
    """Where a stack stood that is gone: gold dashes on ink."""
    pen = Pen(size, size)
    corners = [(5, 5), (size - 5, 5), (size - 5, size - 5), (5, size - 5), (5, 5)]
    pen.line(corners, INK, 8)
    pen.dashes(corners, GOLD, 4.5, 12, 8, round_ends=False)
    return pen.sprite()


@lru_cache(maxsize=2)
def ticked(k: float = 1.0) -> Image.Image:
    """On a place that was activated this phase."""
    pen = Pen(28 * k, 28 * k)
    pen.circle(14 * k, 14 * k, 13.5 * k, INK)
    pen.circle(14 * k, 14 * k, 12 * k, WHITE)
    pen.circle(14 * k, 14 * k, 10.5 * k, INK)
    pen.line([(8 * k, 14.5 * k), (12.5 * k, 19 * k), (20 * k, 9.5 * k)], GOLD, 3.4 * k)
    return pen.sprite()


# -- roads ------------------------------------------------------------------------------------


def used_roads(field: Field, scene: Scene) -> None:
    """A bar across each road that a stack has taken this phase, where no arrow says so: others may not."""
    drawn = {frozenset(pair) for travel in travels(scene.events) for pair in pairwise(travel.stops)}
    march = field.view.march
    used = march.segments if march is not None and field.view.phase in MOVING else ()
    left, top, right, bottom = field.bounds
    for one, other in used:
        line = field.way([one, other])
        if len(line) < 2 or {one, other} in drawn:
            continue
        if not any(left < x < right and top < y < bottom for x, y in line):
            continue
        ends = list(accumulate(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)))
        for part in (0.5, 0.35, 0.65):
            (ax, ay), *_, (bx, by) = between(line, ends[-1] * part, ends[-1] * part + 2, ends)
            box = (ax - 2, ay - 2, ax + 2, ay + 2)
            if any(meets(box, stand.box) for stand in field.stands.values()):
                continue
            field.canvas.centre(crossbar(round(bx - ax, 1), round(by - ay, 1), field.k), ax, ay)
            break


@kept
def crossbar(dx: float, dy: float, k: float) -> Image.Image:
    """Two strokes across a road that runs this way."""
    size = 40 * k
    pen = Pen(size, size)
    far = max(hypot(dx, dy), 0.1)
    ux, uy = dx / far, dy / far
    for colour, width, reach in ((INK, 7.5, 13.5), (WHITE, 4.0, 12.0)):
        for along in (-5.0, 5.0):
            x, y = size / 2 + ux * along * k, size / 2 + uy * along * k
            start = x - uy * reach * k, y + ux * reach * k
            pen.line([start, (x + uy * reach * k, y - ux * reach * k)], colour, width * k, round_ends=False)
    return pen.sprite()


def ways(field: Field, scene: Scene) -> tuple[list[Arrow], list[labels.Label]]:
    """Draws the ways of all marches and retreats of the events, and those of the action to confirm."""
    arrows: list[Arrow] = []
    numbers: list[labels.Label] = []
    for count, travel in enumerate(travels(scene.events)):
        if not any(stop in field.stands for stop in travel.stops):
            continue
        arrow = Arrow(field, travel.stops)
        arrow.draw(field, travel.side)
        arrows.append(arrow)
        if travel.number and not travel.branch:
            wish = arrow.wish(f"march {count}", field)
            if wish is None:
                continue
            image = disc(travel.number, travel.side, field.k)
            numbers.append(labels.Label(wish, image, 4))
    for stops in previewed_ways(scene):
        arrow = Arrow(field, stops)
        arrow.draw(field, PREVIEW)
        arrows.append(arrow)
    return arrows, numbers


# -- what a panel asks --------------------------------------------------------------------------


def edged(scene: Scene) -> dict[str, str]:
    """How places are edged: `chosen` or `target`."""
    edges: dict[str, str] = {}
    if scene.prompt is not None:
        edges.update({place: "target" for choice in scene.prompt.choices for place in choice.marks})
    edges.update({place: "chosen" for choice in scene.picked for place in choice.marks})
    action = previewed(scene)
    if isinstance(action, March):
        edges.update({action.origin: "chosen", **{leg.path[-1]: "chosen" for leg in action.legs}})
    elif isinstance(action, Muster) or (isinstance(action, Retreat) and action.to):
        edges[str(action.to)] = "chosen"
    elif isinstance(action, Combat):
        edges[action.at] = "chosen"
    return edges


def previewed(scene: Scene) -> Action | None:
    """The action to confirm, None where there is none or it names what does not exist."""
    if not scene.action:
        return None
    try:
        _, action = with_mode(scene.action)
    except RulesError:
        return None
    named: list[str | None] = []
    if isinstance(action, March):
        named = [place for leg in action.legs for place in (leg.origin, *leg.path, *(leg.drop or {}))]
    elif isinstance(action, Muster | Retreat):
        named = [action.to]
    elif isinstance(action, Combat):
        named = [action.at]
    return None if any(place is not None and place not in AT for place in named) else action


def previewed_ways(scene: Scene) -> list[tuple[str, ...]]:
    """The stops of the march or retreat to confirm."""
    action, view = previewed(scene), view_of(scene)
    if isinstance(action, March):
        return [(leg.origin, *leg.path) for leg in action.legs]
    if isinstance(action, Retreat) and action.to is not None and view.battle is not None:
        return [(view.battle.at, action.to)]
    return []


def arriving(march: March) -> Counter[str]:
    """How many blocks of a march end where."""
    ends: Counter[str] = Counter()
    for leg in march.legs:
        drops = {place: len(faces) for place, faces in (leg.drop or {}).items()}
        ends.update(drops)
        ends[leg.path[-1]] += len(leg.blocks) - sum(drops.values())
        if leg is not march:
            ends[leg.origin] -= len(leg.blocks)
    return +ends


# -- figures at places --------------------------------------------------------------------------

Figure = tuple[str, str, str, str, str]  # place, word, fill, ink, sign
MEETS = {"battle": "fight", "castle": "fight", "siege": "castle"}


def figures(scene: Scene, new: Fresh) -> list[Figure]:
    """How many came, stayed, were lost: since the viewer last looked, else by what happened; a preview's."""
    action = previewed(scene)
    if isinstance(action, March):
        return foreseen(scene, arriving(action))
    if isinstance(action, Muster):
        return [(action.to, f"+{len(action.blocks)}", GOLD, INK, "")]
    if isinstance(action, Combat):
        return foreseen(scene, Counter())
    if scene.prompt is not None and scene.prompt.code == "march-to" and scene.help != "none":
        return targets(scene)
    if scene.since is not None:
        return changed(new)
    return happened(scene)


def foreseen(scene: Scene, ends: Counter[str]) -> list[Figure]:
    """How many arrive where; whom they meet there, with the odds where help is full."""
    events = (
        () if scene.help == "none" else foresee(view_of(scene), scene.action or "", odds=scene.help == "full")
    )
    odds = {str(event.params["at"]): f" {event.params['n']}%" for event in events if event.code == "odds"}
    found: list[Figure] = []
    met: set[str] = set()
    for event in events:
        if event.code in MEETS:
            at = str(event.params["at"])
            met.add(at)
            word = f"{event.params['mine']}:{event.params['theirs']}" if event.code != "siege" else ""
            found.append((at, word + odds.get(at, ""), PAPER, INK, MEETS[event.code]))
        elif event.code == "overrun":
            found.append((str(event.params["at"]), f"−{event.params['n']}", SHU_DARK, PAPER, "overrun"))
    return [*found, *((place, f"+{n}", GOLD, INK, "") for place, n in ends.items() if place not in met)]


def targets(scene: Scene) -> list[Figure]:
    """Which of the places that a stack may go to it would have to fight for, and its odds once asked for."""
    view, own = view_of(scene), own_side(scene)
    found: list[Figure] = []
    notes = () if scene.prompt is None else scene.prompt.notes
    odds = {str(note.params["at"]): f"{note.params['n']}%" for note in notes if note.code == "odds-at"}
    for choice in scene.prompt.choices if scene.prompt is not None else ():
        place, costs = choice.key, choice.params.get("costs") or ()
        if place not in AT:
            continue
        if "overruns" in costs:
            found.append((place, "", SHU_DARK, PAPER, "overrun"))
        elif "meets-enemies" in costs:
            held = view.map[place].holder
            sign = "castle" if held not in (own, None) else "fight"
            found.append((place, odds.get(place, ""), PAPER, INK, sign))
    return found


def changed(new: Fresh) -> list[Figure]:
    """How many blocks more or fewer stand there."""
    return [
        (place, f"+{n}", GOLD, INK, "") if n > 0 else (place, f"−{-n}", SHU_DARK, PAPER, "")
        for (place, _), n in new.stacks.items()
    ]


def happened(scene: Scene) -> list[Figure]:
    """What the events of the last step brought and cost."""
    found: list[Figure] = [
        (place, f"+{count}", PAPER, INK, "") for place, count in stayed(scene.events).items()
    ]
    lost: Counter[str] = Counter()
    for event in scene.events:
        if event.code in ("mustered", "mustered-shown", "mori-joined"):
            place = str(event.params.get("to", event.params.get("at")))
            found.append((place, f"+{event.params['n']}", PAPER, INK, ""))
        if event.code in ("overrun", "lost"):
            lost[str(event.params["at"])] += int(event.params["n"])
    return [*found, *((place, f"−{count}", SHU_DARK, PAPER, "") for place, count in lost.items())]
