"""Movement: modes, marches, overruns, muster, the Mori box (7, 9.3)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from engines.protocol import Json, RulesError
from engines.sekigahara import cards, control, victory
from engines.sekigahara import reach as reaching
from engines.sekigahara.board import SEAT, Board, Marching, contains, without
from engines.sekigahara.course import Course
from engines.sekigahara.data import (
    CASTLES,
    LEADERS,
    MON,
    MORI_PLACE,
    NEIGHBOURS,
    OTHER,
    OWNER,
    RECRUITS,
    Segment,
    Side,
    block_order,
    card_order,
    segment,
)
from engines.sekigahara.model import Branch, Discard, End, March, Mode, Mori, Move, Muster

PRICE: dict[Mode, int] = {"none": 0, "minimal": 0, "limited": 1, "total": 2}  # cards (7.1)
STACKS: dict[Mode, int | None] = {"none": 0, "minimal": 1, "limited": 3, "total": None}
MORI_LEADER = "mori-leader"
Leg = March | Branch  # a path: the stack's own or that of a branch


def marching(board: Board) -> Marching:
    """The movement phase, which there is from its declaration to the end of the turn."""
    if board.march is None:
        raise RulesError("no-movement")
    return board.march


def declare(board: Board, action: Move) -> None:
    """The mode of this movement phase and its price (7.1). Raises `wrong-price`, `not-in-hand`."""
    side = board.active
    if len(action.cards) != PRICE[action.mode]:
        raise RulesError("wrong-price", mode=action.mode, n=PRICE[action.mode])
    need_cards(board, side, action.cards)
    cards.discard(board, side, action.cards)
    board.march = Marching(mode=action.mode)
    board.phase = "march"
    own = {side: {"cards": list(action.cards)}}
    top = action.cards[-1] if action.cards else None
    board.tell(
        "mode", own, seat=SEAT[side], mode=action.mode, n=len(action.cards), top=top, reveals=bool(top)
    )


def need_cards(board: Board, side: Side, named: Sequence[str]) -> None:
    """Raises `not-in-hand` with those that the hand does not hold."""
    if missing := without(named, board.hands[side]):
        raise RulesError("not-in-hand", cards=missing)


def redraw(board: Board, action: Discard) -> None:
    """Mode `none`: cards are exchanged once (7.1). Raises `no-redraw`, `not-in-hand`."""
    march, side = marching(board), board.active
    if march.mode != "none" or march.redrawn:
        raise RulesError("no-redraw", mode=march.mode)
    need_cards(board, side, action.cards)
    march.redrawn = True
    cards.discard(board, side, action.cards)
    top = action.cards[-1] if action.cards else None
    own = {side: {"cards": list(action.cards)}}
    if top:
        board.tell("redrawn", own, seat=SEAT[side], n=len(action.cards), top=top, reveals=True)
    else:  # legal, and the exchange is used up: that is told
        board.tell("redrawn-none", seat=SEAT[side])
    cards.draw(board, side, len(action.cards))


def end(board: Board, _action: End) -> None:
    """The movement phase is over."""
    board.tell("movement-over", seat=SEAT[board.active])
    board.phase = "combat"


# -- marches (7.3) ---------------------------------------------------------------------------


def available(board: Board, place: str) -> list[str]:
    """Faces that may still march from here: there since the phase began (7.3.1), not besieged (8.9.6).

    Ruling: freed by an overrun. Those may go at once.
    """
    march, side = marching(board), board.active
    if board.is_besieged(place) and board.castle_side(place) == side:
        return []
    return without(board.at(side, place), march.moved.get(place, ()))


def stacks_used(march: Marching) -> int:
    """Activations and musters so far."""
    return len(march.activated) + march.mustered


def may_activate(march: Marching, place: str) -> bool:
    """Whether a stack may march from here: activated already, or one more may be (7.1)."""
    most = STACKS[march.mode]
    if march.mode == "none":
        return False
    return place in march.activated or most is None or stacks_used(march) < most


def march_stack(board: Board, action: March) -> None:
    """A stack marches and may branch, overrunning what it may (7.3, 7.4).

    Raises `mode-none`, `no-activation`, `no-block-named`, `not-there`, `besieged`, `moved-already`,
    `moved-or-freed`, `no-path`, `segment-used`, `no-leader`, `not-in-hand`, `bad-drop`, `force-drop`,
    `too-far`, `enemy-in-way`, `force-branch`, `bad-branch`, `branch-too-far`.
    """
    march, side = marching(board), board.active
    course = check_march(board, action)
    if action.origin not in march.activated:
        march.activated.append(action.origin)
    if action.leader and action.origin not in march.leaders:
        march.leaders.append(action.origin)
    if action.force:
        cards.discard(board, side, [action.force])
    march.segments.update(course.terrain.used)
    told = {"leader": action.leader, "force": action.force, "reveals": bool(action.leader or action.force)}
    tell_leg(board, "marched", action, **told)
    if action.leader:
        board.tell("leader-shown", seat=SEAT[side], at=action.origin, leader=action.leader, reveals=True)
    if action.force:
        board.tell("force-march", seat=SEAT[side], card=action.force, reveals=True)
    for leg in action.legs:
        if leg is not action:
            tell_leg(board, "branched", leg)
        if not walk(board, leg):
            return  # an overrun ended the game
    for place, left in course.dropped.items():
        if place != action.origin and not left.blocks:  # all that came this way have branched on
            march.entered[place].remove(left.trail[-2])


def tell_leg(board: Board, code: str, leg: Leg, **more: Any) -> None:
    """A path of a march is told as it begins; its faces to its own side alone."""
    side, drops = board.active, leg.drop or {}
    dropped = {place: block_order(drops[place]) for place in leg.path if place in drops}
    board.tell(
        code,
        {side: {"blocks": block_order(leg.blocks), "dropped": dropped}},
        seat=SEAT[side],
        origin=leg.origin,
        path=list(leg.path),
        to=leg.path[-1],
        n=len(leg.blocks),
        drop={place: len(drops[place]) for place in leg.path if place in drops},
        **more,
    )


def walk(board: Board, leg: Leg) -> bool:
    """Carries blocks along their path, step by step; False where that ended the game."""
    march, side = marching(board), board.active
    drops, stack, before = leg.drop or {}, list(leg.blocks), leg.origin
    board.take_blocks(side, leg.origin, leg.blocks)
    if isinstance(leg, Branch):
        march.moved[leg.origin] = without(march.moved[leg.origin], leg.blocks)
    for number, place in enumerate(leg.path, 1):
        board.place_blocks(side, place, stack)
        march.moved.setdefault(place, []).extend(stack)
        if overrun(board, side, place) is None:
            return False
        control.take(board, side, place)
        stays = stack if number == len(leg.path) else list(drops.get(place, ()))
        onward = without(stack, stays)
        board.take_blocks(side, place, onward)
        march.moved[place] = without(march.moved[place], onward)
        if stays and before not in march.entered.setdefault(place, []):
            march.entered[place].append(before)
        stack, before = onward, place
    return True


def check_march(board: Board, action: March) -> Course:
    """A legal march as it will have gone; see `march_stack` for what is raised."""
    march, side = marching(board), board.active
    if march.mode == "none":
        raise RulesError("mode-none")
    if not may_activate(march, action.origin):
        raise RulesError("no-activation", mode=march.mode, at=action.origin)
    need_blocks(board, action)
    if action.leader and (action.leader not in LEADERS or action.leader not in board.at(side, action.origin)):
        raise RulesError("no-leader", at=action.origin, block=action.leader)
    if action.force:
        need_cards(board, side, [action.force])
        if action.branches:
            raise RulesError("force-branch")
    course = Course.begin(
        reaching.terrain_of_board(board, side),
        action.origin,
        action.blocks,
        leader=bool(action.leader),
        force=bool(action.force),
    )
    for leg in action.legs:
        course = check_leg(course, leg)
    return course


def check_leg(course: Course, leg: Leg) -> Course:
    """The march after this path of it, which is legal. Raises what `march_stack` does."""
    if isinstance(leg, Branch):
        need_dropped(course, leg)
    drops = check_drops(leg, force=course.force)
    check_roads(course.terrain.used, leg)
    steps = course.steps(leg.origin, leg.path)
    if len(leg.path) > steps:
        if isinstance(leg, Branch):
            raise RulesError("branch-too-far", steps=max(steps, 0), at=leg.origin)
        raise RulesError("too-far", steps=max(steps, 0), n=len(leg.blocks))
    if at := course.blocked(len(leg.blocks), leg.path, drops):
        raise RulesError("enemy-in-way", at=at)
    return course.after(leg.origin, leg.blocks, leg.path, drops)


def need_dropped(course: Course, leg: Branch) -> None:
    """Only what this march dropped at a place goes on from there (7.3.1).

    Raises `no-block-named`, or `bad-branch` with the blocks that are not of it.
    """
    if not leg.blocks:
        raise RulesError("no-block-named")
    there = course.dropped[leg.origin].blocks if leg.origin in course.dropped else ()
    if missing := without(leg.blocks, there):
        raise RulesError("bad-branch", at=leg.origin, blocks=missing)


def need_blocks(board: Board, action: March) -> None:
    """Raises `no-block-named`, `not-there`, `besieged`, `moved-already`, `moved-or-freed` unless these may
    march.
    """
    free = available(board, action.origin)
    if action.blocks and contains(free, action.blocks):
        return
    at, named = action.origin, block_order(action.blocks)
    if not named:
        raise RulesError("no-block-named")
    if missing := without(named, board.at(board.active, at)):
        raise RulesError("not-there", at=at, blocks=missing)
    code = "moved-already"
    if not free and board.is_besieged(at):
        code = "besieged"
    elif not free and at in CASTLES and musters_for(board.active, at) and marching(board).mustered:
        code = "moved-or-freed"  # the state does not tell a garrison that a muster freed from arrivals
    raise RulesError(code, at=at, blocks=without(named, free))


def check_roads(used: Set[Segment], leg: Leg) -> None:
    """Every segment of the path is there and free. Raises `no-path`, `segment-used`."""
    taken: set[Segment] = set()
    here = leg.origin
    for place in leg.path:
        road = segment(here, place)
        if road is None:
            raise RulesError("no-path", origin=here, to=place, near=list(NEIGHBOURS.get(here, ())))
        if road in used or road in taken:
            raise RulesError("segment-used", origin=here, to=place)
        taken.add(road)
        here = place
    if not taken:
        raise RulesError("no-path", origin=here, to=here, near=list(NEIGHBOURS[here]))


def check_drops(leg: Leg, *, force: bool) -> dict[str, tuple[str, ...]]:
    """What is dropped where. Raises `bad-drop`, `force-drop`."""
    drops = leg.drop or {}
    gone = [face for faces in drops.values() for face in faces]
    stops = set(leg.path[:-1])
    if not stops.issuperset(drops):
        raise RulesError("bad-drop", places=list(drops))
    if not contains(leg.blocks, gone) or len(gone) >= len(leg.blocks):
        raise RulesError("bad-drop", blocks=gone)
    if gone and force:
        raise RulesError("force-drop")
    return drops


def overrun(board: Board, side: Side, place: str) -> int | None:
    """Overruns the enemy here if `side`, which just arrived, may (7.4.2).

    Returns how many blocks died, None if that ended the game. In the movement phase their owner
    draws at once; at the end of a retreat `combat.conclude` counts them in.
    """
    enemy = OTHER[side]
    faces = block_order(board.at(enemy, place))
    outnumbered = board.count(side, place) >= reaching.OVERRUN * len(faces)
    if not faces or not outnumbered or board.castle_side(place) == enemy:
        return 0
    board.kill(enemy, place, faces)
    board.forget_entries(place)
    board.tell(
        "overrun", seat=SEAT[side], owner=SEAT[enemy], at=place, blocks=faces, n=len(faces), reveals=True
    )
    if victory.instant(board, faces, []):
        return None
    if board.battle is None:
        cards.draw(board, enemy, len(faces) // 2)
    return len(faces)


# -- muster (7.2) ----------------------------------------------------------------------------


def muster_places(board: Board) -> list[str]:
    """Own recruitment locations where blocks may be mustered now."""
    side = board.active
    return [place for place in RECRUITS if musters_for(side, place) and muster_open(board, place)]


def musters_for(side: Side, place: str) -> bool:
    """Whether this is a recruitment location of a side's daimyo."""
    return any(owner_of(mon) == side for mon in RECRUITS.get(place, ()))


def owner_of(mon: str) -> Side:
    """The side that a daimyo is on."""
    return OWNER[f"{mon}-leader"]


def muster_open(board: Board, place: str) -> bool:
    """Whether enemies keep a muster out: they do unless own blocks of the map are there.

    Blocks that marched in count (`entered`); of this phase's arrivals mustered and Mori ones do not.
    Ruling: no control for a muster.
    """
    march, side = marching(board), board.active
    if not board.count(OTHER[side], place):
        return True
    arrived = len(march.moved.get(place, ()))
    return board.count(side, place) > arrived or bool(march.entered.get(place))


def may_muster(march: Marching) -> bool:
    """Whether a muster is still to be had this turn."""
    most = STACKS[march.mode]
    return march.mode != "none" and not march.mustered and (most is None or stacks_used(march) < most)


def muster(board: Board, action: Muster) -> None:
    """Blocks come from the recruitment box (7.2).

    Raises `mode-none`, `no-muster`, `no-block-named`, `not-in-box`, `bad-muster-place`, `muster-one-mon`,
    `muster-one-block`, `muster-enemy`.
    """
    march, side = marching(board), board.active
    if march.mode == "none":
        raise RulesError("mode-none")
    if not may_muster(march):
        raise RulesError("no-muster", mode=march.mode)
    need_in_box(board.boxes[side], action.blocks)
    mons = RECRUITS.get(action.to, ())
    if not musters_for(side, action.to):
        raise RulesError("bad-muster-place", at=action.to)
    if action.shown and (
        {MON[face] for face in action.blocks} - set(mons) or len(mons_of(action.blocks)) > 1
    ):
        raise RulesError("muster-one-mon", at=action.to)
    if not action.shown and len(action.blocks) > 1:
        raise RulesError("muster-one-block")
    if not muster_open(board, action.to):
        raise RulesError("muster-enemy", at=action.to)
    march.mustered = True
    faces = block_order(action.blocks)
    board.boxes[side] = without(board.boxes[side], faces)
    seen = {"blocks": faces} if action.shown else {}
    code = "mustered-shown" if action.shown else "mustered"
    board.tell(
        code,
        {side: {"blocks": faces}},
        seat=SEAT[side],
        to=action.to,
        n=len(faces),
        reveals=action.shown,
        **seen,
    )
    besieged = kept_in(board, side, action.to)
    arrive(board, side, action.to, faces)
    if besieged and not board.count(OTHER[side], action.to):  # a muster frees nobody to march (7.2)
        march.moved[action.to].extend(besieged)


def kept_in(board: Board, side: Side, place: str) -> list[str]:
    """Own blocks that a siege keeps from marching and nothing else does."""
    if not board.is_besieged(place) or board.castle_side(place) != side:
        return []
    return without(board.at(side, place), marching(board).moved.get(place, ()))


def need_in_box(box: Sequence[str], named: Sequence[str]) -> None:
    """Raises `no-block-named`, or `not-in-box` with those that are not in the box."""
    if not named:
        raise RulesError("no-block-named")
    if missing := without(named, box):
        raise RulesError("not-in-box", blocks=missing)


def mons_of(faces: Sequence[str]) -> set[str]:
    """The daimyo of these blocks."""
    return {MON[face] for face in faces}


def mori(board: Board, action: Mori) -> None:
    """Cards bring blocks of the Mori box to Osaka, the leader last (9.3; Ruling: the Mori discard).

    Raises `not-your-box`, `mori-cards`, `not-in-hand`, `not-in-box`, `mori-leader-last`.
    """
    marching(board)
    side = board.active
    if side != "ishida":
        raise RulesError("not-your-box")
    if not action.blocks or len(action.cards) != len(action.blocks):
        raise RulesError("mori-cards", n=len(action.blocks))
    need_cards(board, side, action.cards)
    need_in_box(board.mori_box, action.blocks)
    left = without(board.mori_box, action.blocks)
    if MORI_LEADER in action.blocks and left:
        raise RulesError("mori-leader-last")
    cards.discard(board, side, action.cards)
    board.mori_box = left
    faces = block_order(action.blocks)
    own: dict[Side, dict[str, Json]] = {side: {"cards": card_order(action.cards)}}
    board.tell("mori", own, seat=SEAT[side], n=len(faces), blocks=faces, top=action.cards[-1], reveals=True)
    arrive(board, side, MORI_PLACE, faces)


def arrive(board: Board, side: Side, place: str, faces: Sequence[str]) -> None:
    """Blocks come to the map from a box: they may overrun, and do not march this turn."""
    board.place_blocks(side, place, faces)
    marching(board).moved.setdefault(place, []).extend(faces)
    if overrun(board, side, place) is not None:
        control.take(board, side, place)
