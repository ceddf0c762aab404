"""When it gives up, and when it takes a draw: by what everybody sees."""

from __future__ import annotations

from engines.sekigahara.data import LAST_WEEK, OTHER, RESOURCES, Side
from engines.sekigahara.model import SekigaharaView
from engines.sekigahara.thinking.field import efforts

REACH = 3  # the most effort that a stack makes in one turn: four steps on highways, all that there is spent
FEW = 6  # with so many times fewer blocks, and
BEHIND = 14  # so many points behind, it gives up
EARLY = 4  # not before this week
BLOCKS_A_POINT = 3.0  # blocks that weigh as much as a point at a draw


def blocks(view: SekigaharaView, side: Side) -> int:
    """Blocks that a side has on the map."""
    return sum(getattr(here, side) for here in view.map.values())


def resigns(view: SekigaharaView, side: Side) -> bool:
    """Whether it is lost beyond doubt, as a movement phase of this side begins."""
    enemy = OTHER[side]
    lead = view.points[enemy] - view.points[side]
    if view.phase != "move" or lead <= 0:
        return False
    mine, theirs = blocks(view, side), blocks(view, enemy)
    still = view.boxes[side] + view.bags[side] + (len(view.mori_box) if side == "ishida" else 0)
    if view.week >= EARLY and lead >= BEHIND and FEW * (mine + still) <= theirs:
        return True
    last = view.week == LAST_WEEK and view.turn == "B"
    return last and lead > _swing(view, side)


def _swing(view: SekigaharaView, side: Side) -> int:
    """The most by which this last turn may change the lead; without bound where enemies can be reached."""
    swing = 0
    own = [place for place, here in view.map.items() if getattr(here, side)]
    enemy = OTHER[side]
    if side == "ishida" and view.mori_box:
        own.append("osaka")
    if view.box:
        return 2 * (view.points["ishida"] + view.points["tokugawa"])  # a muster may come anywhere
    for place, here in view.map.items():
        if not any(efforts(start)[place] <= REACH for start in own):
            continue
        if getattr(here, enemy) or (place == "osaka" and enemy == "ishida" and "hideyori" in view.disks):
            return 2 * (view.points["ishida"] + view.points["tokugawa"])
        swing += 4 * (here.holder == enemy) + 2 * (place in RESOURCES and view.control.get(place) != side)
    return swing


def accepts_draw(view: SekigaharaView, side: Side) -> bool:
    """Whether its points and blocks are no better than the other side's; a tie is Ishida's (2.2)."""
    enemy = OTHER[side]
    lead = view.points[side] - view.points[enemy]
    ahead = lead + (blocks(view, side) - blocks(view, enemy)) / BLOCKS_A_POINT
    return ahead < 0 if side == "ishida" else ahead <= 0
