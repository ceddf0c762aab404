"""Where armies may go: own and enemy land told apart by its line, the odds of an attack on a plate."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import NamedTuple

from PIL import Image

from engines.protocol import RulesError
from engines.shogun.data import PROVINCES
from engines.shogun.model import Battle, Move, ShogunAction
from engines.shogun.notation import parse_action
from engines.shogun.odds import Odds, battle_odds
from engines.shogun.rules import battle_targets, move_targets
from render import text as lines
from render.canvas import Canvas, Pen
from render.kept import kept
from render.scene import Scene
from render.shogun import layers
from render.shogun.lens import Lens
from render.shogun.map import LABELS, POLYGONS, SEALS
from render.shogun.room import NAME_TYPE, overlap, row_box
from render.shogun.words import source, view_of
from render.theme import INK, MUTE, PAPER, SHU, SHU_DARK, WHITE, Type

Box = tuple[float, float, float, float]
OUTSIDE = 450  # how bad a corner of a plate is that lies in another province
STEP = 9  # from one place that is tried for a plate to the next
SMALL_PLATE, LARGE_PLATE = (92, 48), (132, 100)


class Target(NamedTuple):
    """A province that armies may go to: whether it is the mover's own, and else the odds of an attack."""

    name: str
    own: bool
    odds: Odds | None


def previewed(scene: Scene) -> ShogunAction | None:
    """The action to confirm, None where there is none or it is not one of this game."""
    if not scene.action:
        return None
    try:
        return parse_action(scene.action)
    except RulesError:
        return None


def targets(scene: Scene) -> list[Target]:
    """What the open card of the seat to act may reach; with an action to confirm, where that goes.

    Odds are shown to the seat itself, where the table shows odds: of all that may go, or of those chosen.
    """
    view, start = view_of(scene), source(view_of(scene))
    if start is None or view.turn is None:
        return []
    action = previewed(scene)
    if isinstance(action, Battle | Move):
        names, armies = [action.to], action.armies
    elif action is not None:
        return []
    else:
        names, armies = asked(scene, start), view.provinces[start].armies - 1
    shown = scene.help == "full" and view.viewer == view.turn
    found = []
    for name in names:
        own = view.provinces[name].owner == view.turn
        odds = battle_odds(view, view.turn, name, armies) if shown and not own and armies > 0 else None
        found.append(Target(name, own, odds))
    return found


def asked(scene: Scene, start: str) -> list[str]:
    """The provinces that may be chosen now: the one that was, while its armies are counted."""
    view = view_of(scene)
    if scene.prompt is not None:
        choices = scene.picked if scene.prompt.code == "armies" else scene.prompt.choices
        marks = {mark for choice in choices for mark in choice.marks} - {start}
        return [name for name in PROVINCES if name in marks and name in view.provinces]
    find = battle_targets if view.pending == "battle" else move_targets
    return list(find(view, view.turn if view.turn is not None else -1, start))


def plates(canvas: Canvas, scene: Scene, lens: Lens) -> None:
    """The odds of each target, where they hide least."""
    large = not lens.whole
    size = LARGE_PLATE if large else SMALL_PLATE
    wide, tall = size[0] / lens.scale, size[1] / lens.scale
    taken: list[Box] = []
    action, start = previewed(scene), source(view_of(scene))
    if isinstance(action, Battle | Move) and start is not None:
        taken.append(box_at(layers.meeting(start, action.to), 56, 56))
    for target in targets(scene):
        if target.odds is None:
            continue
        spots = spots_of(target.name, wide, tall)
        free = (spot for spot in spots if not any(overlap(box_at(spot, wide, tall), box) for box in taken))
        spot = next(free, spots[0])
        taken.append(box_at(spot, wide, tall))
        x, y = lens.at(*spot)
        half_x, half_y = size[0] / 2 + 4, size[1] / 2 + 4
        x = min(max(x, half_x), lens.width - half_x)
        y = min(max(y, lens.down + half_y), lens.down + lens.height - half_y)
        canvas.centre(plate(*hundredths(target.odds), large=large), x, y)


def hundredths(odds: Odds) -> tuple[int, int, int]:
    """Winning, a tie and losing in 100 battles."""
    win, lose = round(100 * odds.win), round(100 * odds.lose)
    return win, 100 - win - lose, lose


def box_at(spot: tuple[float, float], wide: float, tall: float) -> Box:
    """The box of a plate in the middle of a point."""
    x, y = spot
    return x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2


@lru_cache(maxsize=256)
def spots_of(name: str, wide: float, tall: float) -> tuple[tuple[float, float], ...]:
    """Points in a province for a plate of this size, the best first: off names, figures and rows of marks."""
    ring = POLYGONS[name]
    left, top = min(x for x, _ in ring), min(y for _, y in ring)
    right, bottom = max(x for x, _ in ring), max(y for _, y in ring)
    near = [
        (weight, box)
        for other in PROVINCES
        for weight, box in obstacles(other, own=other == name)
        if overlap((left - wide, top - tall, right + wide, bottom + tall), box)
    ]
    near += [(2, (x - 48, y - 50, x + 48, y + 50)) for x, y in SEALS.values()]
    lx, ly = LABELS[name]
    found = []
    for column in range(int((right - left) / STEP) + 1):
        for row in range(int((bottom - top) / STEP) + 1):
            spot = left + column * STEP, top + row * STEP
            if not inside(spot, ring):
                continue
            box = box_at(spot, wide, tall)
            corners = ((box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3]))
            cost: float = OUTSIDE * sum(not inside(corner, ring) for corner in corners)
            cost += sum(weight * overlap(box, other) for weight, other in near)
            found.append((cost + hypot(spot[0] - lx, spot[1] - ly - 40), spot))
    return tuple(spot for _, spot in sorted(found)[:40]) or ((lx, ly + 40),)


def obstacles(name: str, *, own: bool) -> list[tuple[float, Box]]:
    """What a plate had better not hide of a province, with how bad that is."""
    x, y = LABELS[name]
    half = lines.width(name, NAME_TYPE) / 2
    return [
        (14, (x - half, y - 44, x + half, y - 18)),
        (4, (x - 44, y - 20, x + 44, y + 20)),
        (0.3 if own else 2, row_box(name)),
    ]


def inside(point: tuple[float, float], ring: list[tuple[float, float]]) -> bool:
    """Whether a point lies in a polygon."""
    x, y = point
    within = False
    for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            within = not within
    return within


@kept
def plate(win: int, tie: int, lose: int, *, large: bool) -> Image.Image:
    """Odds: the figure of winning and a bar of win, tie and lose; a large one has all three figures."""
    wide, tall = LARGE_PLATE if large else SMALL_PLATE
    pen = Pen(wide + 8, tall + 8)
    pen.box((0, 0, wide + 8, tall + 8), 15, WHITE)
    pen.box((1.5, 1.5, wide + 6.5, tall + 6.5), 14, INK)
    pen.box((4, 4, wide + 4, tall + 4), 11, PAPER)
    left, bar = 14.0, wide - 20
    top, bottom = (54, 70) if large else (tall - 12, tall - 1)
    for share, shade in ((win, INK), (tie, MUTE), (lose, SHU)):
        right = left + bar * share / 100
        if share:
            pen.box((left, top, right, bottom), 0, shade)
        left = right
    image = pen.sprite()
    middle = wide / 2 + 4
    if not large:
        lines.write_centred(image, middle, 23, f"{win} %", Type("words", 30), INK)
        return image
    lines.write_centred(image, middle, 32, f"{win} %", Type("words", 40), INK)
    lines.write_centred(image, middle - 26, 86, str(tie), Type("quiet", 30), INK)
    lines.write_centred(image, middle + 30, 86, str(lose), Type("words", 30), SHU_DARK)
    return image
