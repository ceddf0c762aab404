"""The panel of a movement phase: marches, musters, the Mori box, exchanges.

Picks of a march: from > blocks > to > way > leader; or, of a force march, the card. `all_kyoto` is from where
and every block there, in one pick. Where somebody is to be left on the way (`drop`, before the destination)
> who stays at each place, then of those left behind at each place > who goes on > to > way > who stays, until
nobody does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence

from engines.protocol import Choice, Json, Prompt, Ready, Seen
from engines.sekigahara import foresight, legal, model, movement, notation, sight
from engines.sekigahara import reach as reaching
from engines.sekigahara.asking import (
    ENDS,
    MOST_LISTED,
    Dialogue,
    Picks,
    answered,
    aside,
    ask,
    finish,
    noted,
    once,
    one,
    picked,
    places,
    several,
)
from engines.sekigahara.board import SEAT, Board, without
from engines.sekigahara.course import Course
from engines.sekigahara.data import LEADERS, MON, RECRUITS, Side, block_order, card_order
from engines.sekigahara.subsets import groups

Faces = tuple[str, ...]
ALL, SOME, DROP = "all", "some", "drop"
SHOWN = "shown"
BOX = "box"  # the Mori box, where the hand is asked about: a card is `mori` too
AT = "_"  # between what is done and where: `march_edo`
ODDS = "odds"
MOST_ODDS = 4  # fights whose odds are worked out at once


def question(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    """The panel of a movement phase after these picks. Raises ValueError, KeyError for strange ones.

    From where somebody marches and where somebody musters are choices of the first question.
    """
    found, notes = _kinds(board, side), movement_notes(board)
    if "redraw" in found:
        return noted(_exchange(board, side, path, found), notes)
    if path:
        what, _, place = path[0].partition(AT)
        path = (*([place] if place else []), *path[1:])
        if what == ALL:
            what, path = "march", (place, whole_stack(board, place), *path[1:])
        return noted(found[what](board, side, path), notes)
    choices = [*_first_steps(board, side, found), *_others(found)]
    return noted(ask("movement", choices, mode=movement.marching(board).mode), notes)


def _exchange(
    board: Board, side: Side, path: Picks, found: Mapping[str, Callable[[Board, Side, Picks], Prompt | Ready]]
) -> Prompt | Ready:
    """Where nothing moves: which cards are exchanged, and beside it what else may be done."""
    hand = card_order(board.hands[side])
    beside = [aside("end", "danger")]
    if "mori" in found:
        beside.insert(0, Choice(key=BOX, code="mori", aside=True))
    if not path:
        return ask("redraw", [*several(hand, "card"), *beside], 1, len(hand))
    if path[0] in {BOX, "end"}:
        return found["mori" if path[0] == BOX else "end"](board, side, path[1:])
    return found["redraw"](board, side, path)


def kinds(board: Board, side: Side) -> list[str]:
    """What may be done now, without where: each begins a path of the panel too."""
    return list(_kinds(board, side))


def _first_steps(board: Board, side: Side, found: Collection[str]) -> list[Choice]:
    """Marches by where they begin, with all blocks there or with some; musters by where they come."""
    starts = origins(board, side) if "march" in found else []
    spots = movement.muster_places(board) if "muster" in found else []
    whole = [place for place in starts if _whole_goes(board, side, place)]
    if len(starts) + len(whole) + len(spots) > MOST_LISTED:
        whole = []
    choices = list[Choice]()
    for place in starts:
        if place in whole:
            blocks: list[Json] = [*block_order(movement.available(board, place))]
            params: dict[str, Json] = {"what": place, "blocks": blocks}
            choices.append(Choice(key=f"{ALL}{AT}{place}", code="march-all", params=params, marks=(place,)))
        code = "march-some" if place in whole else "march-at"
        choices.append(Choice(key=f"march{AT}{place}", code=code, params={"what": place}, marks=(place,)))
    return choices + [
        Choice(key=f"muster{AT}{place}", code="muster-at", params={"what": place}, marks=(place,))
        for place in spots
    ]


def _whole_goes(board: Board, side: Side, place: str) -> bool:
    """Whether all who may march from here can go somewhere together; of one block nobody need say so."""
    size = len(movement.available(board, place))
    return size > 1 and _can_go(board, side, reaching.terrain_of_board(board, side), place, size)


def whole_stack(board: Board, place: str) -> str:
    """The pick of every block that may march from here."""
    return "+".join(choice.key for choice in several(block_order(movement.available(board, place)), "block"))


def _others(found: Collection[str]) -> list[Choice]:
    """What has no place: beside the question, but for the end where nothing else is left."""
    keys = [kind for kind in found if kind not in {"march", "muster"}]
    return [
        Choice(key=key, code=key, style="primary" if key == "end" else "plain", aside=len(found) > 1)
        for key in keys
    ]


def movement_notes(board: Board) -> list[Seen]:
    """What is left of activations, muster and segments."""
    march = movement.marching(board)
    if march.mode == "none":
        return []
    most = movement.STACKS[march.mode]
    if most is None:
        left = Seen(code="every-stack")
    elif number := max(0, most - movement.stacks_used(march)):
        left = Seen(code="stacks-left", params={"n": number})
    else:
        left = Seen(code="no-stack-left")
    muster = "muster-left" if movement.may_muster(march) else "mustered" if march.mustered else "no-muster"
    roads = [
        Seen(code="road-too" if number else "road-used", params={"one": a, "two": b})
        for number, (a, b) in enumerate(sorted(march.segments))
    ]
    return [left, Seen(code=muster), *roads]


def _kinds(board: Board, side: Side) -> dict[str, Callable[[Board, Side, Picks], Prompt | Ready]]:
    march = movement.marching(board)
    kinds: dict[str, Callable[[Board, Side, Picks], Prompt | Ready]] = {}
    if origins(board, side):
        kinds["march"] = lambda board, side, path: answered(_stack(board, side), path)
    if board.boxes[side] and movement.may_muster(march) and movement.muster_places(board):
        kinds["muster"] = lambda board, side, path: answered(_muster(board, side), path)
    if side == "ishida" and board.mori_box and board.hands[side]:
        kinds["mori"] = lambda board, side, path: answered(_mori(board, side), path)
    if march.mode == "none" and not march.redrawn and board.hands[side]:
        kinds["redraw"] = _redraw
    kinds["end"] = lambda _board, _side, path: finish(path, 0, model.End(), sure=len(kinds) == 1)
    return kinds


# -- marches --------------------------------------------------------------------------------


def origins(board: Board, side: Side) -> list[str]:
    """Places from which somebody can go somewhere."""
    terrain = reaching.terrain_of_board(board, side)
    return [p for p in legal.march_origins(board) if _can_go(board, side, terrain, p, 1)]


def _can_go(board: Board, side: Side, terrain: reaching.Terrain, origin: str, size: int) -> bool:
    """Whether a stack of this size gets anywhere."""
    leader = any(face in LEADERS for face in board.at(side, origin))
    ways = reaching.ways(terrain, origin, size, leader=leader, force=bool(board.hands[side]))
    return next(ways, None) is not None


def _stack(board: Board, side: Side) -> Dialogue:
    """A march from its beginning."""
    origin = one((yield ask("march-from", places(origins(board, side)))), origins(board, side))
    faces = block_order(movement.available(board, origin))
    terrain = reaching.terrain_of_board(board, side)
    most = len(faces)
    while most and not _can_go(board, side, terrain, origin, most):
        most -= 1  # larger stacks cannot move from here
    group = picked((yield ask("march-blocks", several(faces, "block"), 1, most, at=origin)), faces, 1, most)
    way, dropping = yield from _destination(board, side, terrain, origin, group)
    march = model.March(origin=origin, blocks=group, path=way.path)
    if way.leadership:
        leaders = [face for face in block_order(set(board.at(side, origin))) if face in LEADERS]
        leader = leaders[0]
        if len(leaders) > 1:
            leader = one((yield ask("march-leader", once(leaders, "block"), at=origin)), leaders)
        march = march.model_copy(update={"leader": leader})
    if way.force:
        hand = card_order(board.hands[side])
        card = one((yield ask("march-force", once(dict.fromkeys(hand), "card"), at=origin)), hand)
        return _ready(board, march.model_copy(update={"force": card}))
    if not dropping:
        return _ready(board, march)
    drop = yield from _drops(terrain, group, way.path)
    march = march.model_copy(update={"drop": drop or None})
    branches = yield from _branches(board, march)
    return _ready(board, march.model_copy(update={"branches": branches or None}))


def _destination(
    board: Board, side: Side, terrain: reaching.Terrain, origin: str, group: Faces
) -> Generator[Prompt, str, tuple[reaching.Way, bool]]:
    leader, force = any(face in LEADERS for face in board.at(side, origin)), bool(board.hands[side])
    reached = reaching.reach(terrain, origin, len(group), leader=leader, force=force, either=True)
    notes = _reach_notes(board, side, terrain, origin, len(group))
    marches = [
        model.March(origin=origin, blocks=group, path=ways[0].path)
        for place, ways in reached.items()
        if terrain.theirs.get(place) and not reaching.overruns(terrain, place, len(group))
    ]
    odds = (lambda: _odds_of(board, side, marches)) if marches else None
    return (yield from _where(terrain, origin, len(group), reached, notes, odds=odds))


def _odds_of(board: Board, side: Side, marches: Sequence[model.March]) -> list[Seen]:
    """The odds of the battles that these marches lead to, of a few of them, the nearest first."""
    view = sight.view(board.state(), SEAT[side])
    fights = [march for march in marches if foresight.fights(view, side, march)]
    nearest = sorted(fights, key=lambda march: len(march.path))[:MOST_ODDS]
    found = list[Seen]()
    for march in nearest:
        at, after = march.path[-1], foresight.after_march(view, side, march)
        told = foresight.chances(view, side, at, after.mine[at], after.theirs[at])
        found += [Seen(code="odds-at", params={"at": at, "n": one.params["n"]}) for one in told]
    return found


def _where(
    terrain: reaching.Terrain,
    start: str,
    size: int,
    reached: Mapping[str, Sequence[reaching.Way]],
    notes: Sequence[Seen],
    *,
    odds: Callable[[], list[Seen]] | None = None,
) -> Generator[Prompt, str, tuple[reaching.Way, bool]]:
    """Where blocks go, which way if there are several, and whether some are to be left on the way.

    The `odds` of fights there are told once asked for.
    """
    targets = [_target(terrain, place, found, size) for place, found in reached.items()]
    asked = ask("march-to", targets, at=start, n=size).model_copy(update={"notes": tuple(notes)})
    beside, dropping = dict[str, Choice](), False
    if size > 1 and any(len(way.path) > 1 for ways in reached.values() for way in ways):
        beside[DROP] = aside(DROP)
    if odds is not None:
        beside[ODDS] = aside(ODDS, tells=True)
    while (pick := (yield with_beside(asked, beside))) in beside:
        del beside[pick]
        dropping |= pick == DROP
        if pick == ODDS and odds is not None:
            asked = asked.model_copy(update={"notes": (*notes, *odds())})
    to = one(pick, reached)
    ways = {str(number): way for number, way in enumerate(reached[to], 1)}
    if len(ways) == 1:
        return ways["1"], dropping
    way = ways[(yield ask("march-way", [_way(n, way) for n, way in ways.items()], at=start, to=to))]
    return way, dropping


def with_beside(asked: Prompt, beside: Mapping[str, Choice]) -> Prompt:
    """A question with what stands beside it."""
    return asked.model_copy(update={"choices": (*asked.choices, *beside.values())})


def _reach_notes(board: Board, side: Side, terrain: reaching.Terrain, origin: str, size: int) -> list[Seen]:
    """How many steps this group may take, and what more of them would cost."""
    given = reaching.leads(terrain, origin)
    steps = {
        name: max(0, reaching.allowance(size, highway=fast, leadership=given, force=False))
        for name, fast in (("steps", False), ("fast", True))
    }
    notes = [Seen(code="reach-led" if given else "reach", params={"n": size, **steps})]
    if not given and any(face in LEADERS for face in board.at(side, origin)):
        notes.append(Seen(code="reach-leader"))
    return [*notes, Seen(code="reach-card")] if board.hands[side] else notes


def _target(terrain: reaching.Terrain, place: str, ways: Sequence[reaching.Way], size: int) -> Choice:
    """A location in reach, with what it costs and whom it meets."""
    cheapest = ways[0]
    costs = _costs(cheapest)
    if cheapest.leadership and any(way.force and not way.leadership for way in ways):
        costs[0] = "leader-or-card"
    if terrain.theirs.get(place) or place in terrain.disks:
        costs += [] if reaching.overruns(terrain, place, size) else ["meets-enemies"]
    params: dict[str, Json] = {"what": place, "n": len(cheapest.path), "costs": costs}
    return Choice(key=place, code="to-for" if costs else "to", params=params, marks=(place,))


def _way(number: str, way: reaching.Way) -> Choice:
    costs = _costs(way)
    params: dict[str, Json] = {"places": list(way.path), "n": len(way.path), "costs": costs}
    return Choice(key=number, code="way-for" if costs else "way", params=params, marks=way.path)


def _costs(way: reaching.Way) -> list[str]:
    """What a way needs, as terms."""
    needs = {"leader-is-shown": way.leadership, "card-is-spent": way.force, "overruns": bool(way.overruns)}
    return [term for term, needed in needs.items() if needed]


def _drops(terrain: reaching.Terrain, group: Faces, path: Faces) -> Generator[Prompt, str, dict[str, Faces]]:
    """Who stays at each place on the way; enough go on to overrun what is still ahead."""
    stack, drop = block_order(group), dict[str, Faces]()
    for number, place in enumerate(path[:-1], 1):
        least = _go_on(terrain, path[number:-1], len(stack))
        if len(stack) > least:
            most = len(stack) - least
            stay = picked(
                (yield ask("march-drop", several(stack, "block"), 0, most, at=place)), stack, 0, most
            )
            stack = without(stack, stay)
            drop.update({place: stay} if stay else {})
    return drop


def _go_on(terrain: reaching.Terrain, ahead: Faces, size: int) -> int:
    """How many blocks must go on to overrun whom they meet ahead."""
    need = 1
    while need < size and any(reaching.stops(terrain, place, need) for place in ahead):
        need += 1
    return need


def _branches(board: Board, march: model.March) -> Generator[Prompt, str, tuple[model.Branch, ...]]:
    """Those left behind may go on: place by place, and again where some of them are left (7.3.1)."""
    course, found = movement.check_march(board, march), list[model.Branch]()
    asked: list[str] = []
    while start := next((p for p in course.dropped if p not in asked and _can_branch(course, p)), None):
        there = block_order(course.dropped[start].blocks)
        group = picked(
            (yield ask("march-onward", several(there, "block"), 0, len(there), at=start)),
            there,
            0,
            len(there),
        )
        if not group:
            asked.append(start)
            continue
        reached = _onward(course, start, len(group))
        farthest = max(len(way.path) for ways in reached.values() for way in ways)
        notes = [Seen(code="onward", params={"n": farthest})]
        way, dropping = yield from _where(course.terrain, start, len(group), reached, notes)
        drop = (yield from _drops(course.terrain, group, way.path)) if dropping else {}
        found.append(model.Branch(origin=start, blocks=group, path=way.path, drop=drop or None))
        course = movement.check_leg(course, found[-1])
    return tuple(found)


def _can_branch(course: Course, start: str) -> bool:
    """Whether anybody who was dropped here can go on."""
    return bool(course.dropped[start].blocks) and next(course.onward(start, 1), None) is not None


def _onward(course: Course, start: str, size: int) -> dict[str, list[reaching.Way]]:
    """By destination, the ways of a branch, shortest first."""
    found: dict[str, list[reaching.Way]] = {}
    for path in sorted(course.onward(start, size), key=lambda path: (len(path), path)):
        beaten = tuple(place for place in path if reaching.overruns(course.terrain, place, size))
        found.setdefault(path[-1], []).append(reaching.Way(path, False, False, beaten))
    return dict(sorted(found.items()))


def _ready(board: Board, march: model.March) -> Ready:
    """The march to confirm, with a warning of what cannot be taken back."""
    terrain = reaching.terrain_of_board(board, board.active)
    after = movement.check_march(board, march).terrain
    beaten = any(after.theirs.get(place, 0) < number for place, number in terrain.theirs.items())
    warning = "overrun" if beaten else "leader-shown" if march.leader else None
    return Ready(action=notation.text(march), warning=warning, once=warning is not None, then=ENDS)


# -- musters, the Mori box, exchanges -----------------------------------------------------------


def _muster(board: Board, side: Side) -> Dialogue:
    """Where to, then blocks of one mon shown at home, or one block unseen, in one pick (7.2).

    Where the box has too many groups the mon is picked first.
    """
    spots = movement.muster_places(board)
    to = one((yield ask("muster-to", places(spots))), spots)
    box = block_order(board.boxes[side])
    homes = {mon: [face for face in box if MON[face] == mon] for mon in RECRUITS[to]}
    homes = {mon: faces for mon, faces in homes.items() if faces}
    unseen = list(dict.fromkeys(box))
    if not homes:
        face = one((yield ask("muster-unseen", once(unseen, "block"), at=to)), box)
        return Ready(action=notation.text(model.Muster(to=to, blocks=(face,))), then=ENDS)
    together = {AT.join([SHOWN, *group]): group for faces in homes.values() for group in _most_first(faces)}
    if len(together) + len(unseen) > MOST_LISTED:
        together = {}
    choices = [
        Choice(key=key, code="muster-shown", params={"blocks": list(group)})
        for key, group in together.items()
    ] or [Choice(key=mon, code="muster-mon", params={"what": mon}) for mon in homes]
    choices += [Choice(key=face, code="muster-one", params={"what": face}) for face in unseen]
    how = one((yield ask("muster-how", choices, at=to)), [choice.key for choice in choices])
    if how in unseen:
        return Ready(action=notation.text(model.Muster(to=to, blocks=(how,))), then=ENDS)
    shown = together.get(how)
    if shown is None:
        own = homes[how]
        asked = ask("muster-blocks", several(own, "block"), 1, len(own), at=to)
        shown = picked((yield asked), own, 1, len(own))
    return Ready(action=notation.text(model.Muster(to=to, blocks=shown, shown=True)), then=ENDS)


def _most_first(faces: Sequence[str]) -> list[Faces]:
    """Every group of these blocks that may come together, the largest first."""
    return sorted(groups(faces, range(1, len(faces) + 1)), key=len, reverse=True)


def _mori(board: Board, side: Side) -> Dialogue:
    """Which blocks of the box, the leader only with all others, and for which cards (9.3)."""
    box, hand = block_order(board.mori_box), card_order(board.hands[side])
    others = [face for face in box if face != movement.MORI_LEADER]
    faces, how = tuple(box), ALL
    if others:
        how = SOME
        if len(others) < len(box) <= len(hand):
            how = one(
                (yield ask("mori-how", [Choice(key=key, code=f"mori-{key}") for key in (SOME, ALL)])),
                (SOME, ALL),
            )
    if how == SOME:
        most = min(len(others), len(hand))
        faces = picked((yield ask("mori-blocks", several(others, "block"), 1, most)), others, 1, most)
    size = len(faces)
    asked = ask("mori-cards", several(hand, "card"), size, size, n=size)
    cards = picked((yield asked), hand, size, size)
    return Ready(action=notation.text(model.Mori(cards=cards, blocks=faces)), then=ENDS)


def _redraw(board: Board, side: Side, path: Picks) -> Ready:
    hand = card_order(board.hands[side])
    return finish(path, 1, model.Discard(cards=picked(path[0], hand, 0, len(hand))), then=ENDS)
