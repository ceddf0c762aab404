"""Movement: modes, marches, overruns, muster, the Mori box (7, 9.3)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.protocol import Json, RulesError
from engines.sekigahara import cards, control, victory
from engines.sekigahara import reach as reaching
from engines.sekigahara.board import SEAT, Board, Marching, contains, without
from engines.sekigahara.data import (
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
from engines.sekigahara.model import Discard, End, March, Mode, Mori, Move, Muster

PRICE: dict[Mode, int] = {"none": 0, "minimal": 0, "limited": 1, "total": 2}  # cards (7.1)
STACKS: dict[Mode, int | None] = {"none": 0, "minimal": 1, "limited": 3, "total": None}
MORI_LEADER = "mori-leader"


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
    """A stack marches, overrunning what it may (7.3, 7.4).

    Raises `no-activation`, `no-block-named`, `not-there`, `besieged`, `moved-already`, `no-path`,
    `segment-used`, `no-leader`, `not-in-hand`, `bad-drop`, `force-drop`, `too-far`, `enemy-in-way`.
    """
    march, side = marching(board), board.active
    roads = check_march(board, action)
    if action.origin not in march.activated:
        march.activated.append(action.origin)
    if action.leader and action.origin not in march.leaders:
        march.leaders.append(action.origin)
    if action.force:
        cards.discard(board, side, [action.force])
    march.segments.update(roads)
    drops = action.drop or {}
    dropped = {place: block_order(drops[place]) for place in action.path if place in drops}
    board.tell(
        "marched",
        {side: {"blocks": block_order(action.blocks), "dropped": dropped}},
        seat=SEAT[side],
        origin=action.origin,
        path=list(action.path),
        to=action.path[-1],
        n=len(action.blocks),
        drop={place: len(drops[place]) for place in action.path if place in drops},
        leader=action.leader,
        force=action.force,
        reveals=bool(action.leader or action.force),
    )
    if action.leader:
        board.tell("leader-shown", seat=SEAT[side], at=action.origin, leader=action.leader, reveals=True)
    if action.force:
        board.tell("force-march", seat=SEAT[side], card=action.force, reveals=True)
    board.take_blocks(side, action.origin, action.blocks)
    walk(board, action, drops)


def walk(board: Board, action: March, drops: dict[str, tuple[str, ...]]) -> None:
    """Carries the stack along its path, step by step."""
    march, side = marching(board), board.active
    stack = list(action.blocks)
    before = action.origin
    for place in action.path:
        board.place_blocks(side, place, stack)
        march.moved.setdefault(place, []).extend(stack)
        if overrun(board, side, place) is None:
            return
        control.take(board, side, place)
        stays = stack if place == action.path[-1] else list(drops.get(place, ()))
        onward = without(stack, stays)
        board.take_blocks(side, place, onward)
        march.moved[place] = without(march.moved[place], onward)
        if stays and before not in march.entered.setdefault(place, []):
            march.entered[place].append(before)
        stack, before = onward, place


def check_march(board: Board, action: March) -> list[Segment]:
    """The segments of a legal march; see `march_stack` for what is raised."""
    march, side = marching(board), board.active
    if not may_activate(march, action.origin):
        raise RulesError("no-activation", mode=march.mode, at=action.origin)
    need_blocks(board, action)
    if action.leader and (action.leader not in LEADERS or action.leader not in board.at(side, action.origin)):
        raise RulesError("no-leader", at=action.origin, block=action.leader)
    if action.force:
        need_cards(board, side, [action.force])
    drops = check_drops(action)
    roads = check_roads(march, action)
    terrain = reaching.terrain_of_board(board, side)
    steps = reaching.allowance(
        len(action.blocks),
        highway=reaching.only_highways(action.origin, action.path),
        leadership=bool(action.leader) or reaching.leads(terrain, action.origin),
        force=bool(action.force),
    )
    if len(action.path) > steps:
        raise RulesError("too-far", steps=max(steps, 0), n=len(action.blocks))
    size = len(action.blocks)
    for place in action.path[:-1]:
        if reaching.stops(terrain, place, size):
            raise RulesError("enemy-in-way", at=place)
        size -= len(drops.get(place, ()))
    return roads


def need_blocks(board: Board, action: March) -> None:
    """Raises `no-block-named`, `not-there`, `besieged`, `moved-already` unless these may march."""
    free = available(board, action.origin)
    if action.blocks and contains(free, action.blocks):
        return
    at, named = action.origin, block_order(action.blocks)
    if not named:
        raise RulesError("no-block-named")
    if missing := without(named, board.at(board.active, at)):
        raise RulesError("not-there", at=at, blocks=missing)
    code = "moved-already" if free or not board.is_besieged(at) else "besieged"
    raise RulesError(code, at=at, blocks=without(named, free))


def check_roads(march: Marching, action: March) -> list[Segment]:
    """The segments of the path. Raises `no-path`, `segment-used`."""
    roads: list[Segment] = []
    here = action.origin
    for place in action.path:
        road = segment(here, place)
        if road is None:
            raise RulesError("no-path", origin=here, to=place, near=list(NEIGHBOURS.get(here, ())))
        if road in march.segments or road in roads:
            raise RulesError("segment-used", origin=here, to=place)
        roads.append(road)
        here = place
    if not roads:
        raise RulesError("no-path", origin=here, to=here, near=list(NEIGHBOURS[here]))
    return roads


def check_drops(action: March) -> dict[str, tuple[str, ...]]:
    """What is dropped where. Raises `bad-drop`, `force-drop`."""
    drops = action.drop or {}
    gone = [face for faces in drops.values() for face in faces]
    stops = set(action.path[:-1])
    if not stops.issuperset(drops):
        raise RulesError("bad-drop", places=list(drops))
    if not contains(action.blocks, gone) or len(gone) >= len(action.blocks):
        raise RulesError("bad-drop", blocks=gone)
    if gone and action.force:
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
    places = [place for place, mons in RECRUITS.items() if any(owner_of(mon) == side for mon in mons)]
    return [place for place in places if muster_open(board, place)]


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

    Raises `no-muster`, `no-block-named`, `not-in-box`, `bad-muster-place`, `muster-one-mon`,
    `muster-one-block`, `muster-enemy`.
    """
    march, side = marching(board), board.active
    if not may_muster(march):
        raise RulesError("no-muster", mode=march.mode)
    need_in_box(board.boxes[side], action.blocks)
    mons = RECRUITS.get(action.to, ())
    if not any(owner_of(mon) == side for mon in mons):
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
