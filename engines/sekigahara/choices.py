"""The guided panel's tree, and random actions by walking it.

Path of a movement phase: what > from > blocks > to > way > drops at each place > card. Every other
phase asks one or two questions. Keys of equal blocks or cards are `mori3`, `mori3.2`, ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from engines.base import Action, Choice, Json, Prompt, Ready, RulesError
from engines.chance import Chance
from engines.sekigahara import battle, combat, flow, legal, model, movement, notation, week
from engines.sekigahara import reach as reaching
from engines.sekigahara.board import Board, contains, without
from engines.sekigahara.data import (
    BIDS,
    ISHIDA,
    LEADERS,
    MON,
    OTHER,
    RECRUITS,
    SIDES,
    TOKUGAWA,
    Side,
    card_kind,
)
from engines.sekigahara.data import block_order as in_block_order
from engines.sekigahara.data import card_order as in_card_order

Picks = tuple[str, ...]
NOTHING = "-"


def prompt(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    """The panel after the picks of `path`. Raises `not-your-turn`, `stale-path`."""
    if side not in flow.deciders(board):
        raise RulesError("not-your-turn", phase=board.phase)
    try:
        found = _PHASES[board.phase](board, side, path)
    except (IndexError, KeyError, ValueError):
        raise RulesError("stale-path", path=list(path)) from None
    return found


def ready(action: Action, warning: str | None = None, **params: Json) -> Ready:
    """The end of a path."""
    return Ready(action=notation.text(action), warning=warning, params=params)


def finish(path: Picks, length: int, action: Action, warning: str | None = None) -> Ready:
    """The end of a path of this length."""
    if len(path) != length:
        raise ValueError(path)
    return ready(action, warning)


# -- questions ------------------------------------------------------------------------------


def several(items: Iterable[str], code: str) -> tuple[Choice, ...]:
    """A choice for each block or card, equal ones numbered."""
    seen: Counter[str] = Counter()
    choices = []
    for item in items:
        seen[item] += 1
        key = item if seen[item] == 1 else f"{item}.{seen[item]}"
        choices.append(Choice(key=key, code=code, params={"what": item}))
    return tuple(choices)


def once(items: Iterable[str], code: str, **params: Json) -> tuple[Choice, ...]:
    """A choice for each word."""
    return tuple(Choice(key=item, code=code, params={"what": item, **params}) for item in items)


def places(items: Iterable[str], code: str = "place") -> tuple[Choice, ...]:
    """A choice for each place, marked on the map."""
    return tuple(Choice(key=item, code=code, params={"what": item}, marks=(item,)) for item in items)


def ask(code: str, choices: Sequence[Choice], least: int = 1, most: int = 1, **params: Json) -> Prompt:
    """A prompt."""
    return Prompt(code=code, params=params, choices=tuple(choices), least=least, most=most)


def picked(pick: str, items: Iterable[str], least: int, most: int) -> tuple[str, ...]:
    """The items of a pick of several. Raises ValueError where they are not to be had."""
    names = [] if pick == NOTHING else [key.partition(".")[0] for key in pick.split("+")]
    if not least <= len(names) <= most or not contains(items, names):
        raise ValueError(pick)
    return tuple(names)


def one(pick: str, items: Iterable[str]) -> str:
    """The item of a pick of one. Raises ValueError where it is not to be had."""
    return picked(pick, items, 1, 1)[0]


# -- the week -------------------------------------------------------------------------------


def _discard(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    hand, owed = in_card_order(board.hands[side]), week.owed_discard(board, side)
    if not path:
        return ask("discard", several(hand, "card"), owed, owed, n=owed)
    return finish(path, 1, model.Discard(cards=picked(path[0], hand, owed, owed)))


def _bid(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    hand = in_card_order(board.hands[side])
    if not path:
        numbers = {card: BIDS[side][card] for card in hand}
        return ask("bid", [Choice(key=c, code="bid", params={"what": c, "n": n}) for c, n in numbers.items()])
    return finish(path, 1, model.Bid(card=one(path[0], hand)))


def _first(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    if not path:
        return ask("first", once(SIDES, "side"))
    first: Side = "ishida" if one(path[0], SIDES) == "ishida" else "tokugawa"
    return finish(path, 1, model.First(side=first))


def _move(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    hand = in_card_order(board.hands[side])
    open_modes = {mode: price for mode, price in movement.PRICE.items() if price <= len(hand)}
    if not path:
        return ask("mode", [Choice(key=m, code=f"mode-{m}", params={"n": n}) for m, n in open_modes.items()])
    mode: model.Mode = next(m for m in open_modes if m == one(path[0], open_modes))
    price = open_modes[mode]
    if price and len(path) == 1:
        return ask("pay", several(hand, "card"), price, price, n=price, mode=mode)
    paid = picked(path[1], hand, price, price) if price else ()
    return finish(path, 2 if price else 1, model.Move(mode=mode, cards=paid))


# -- movement ---------------------------------------------------------------------------------


def _march(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    branches = _march_branches(board, side)
    if not path:
        style = {"end": "primary"}
        return ask("movement", [
            Choice(key=key, code=key, style="primary" if key in style else "plain") for key in branches
        ], mode=movement.marching(board).mode)  # fmt: skip
    return branches[path[0]](board, side, path[1:])


def _march_branches(board: Board, side: Side) -> dict[str, Callable[[Board, Side, Picks], Prompt | Ready]]:
    march = movement.marching(board)
    branches: dict[str, Callable[[Board, Side, Picks], Prompt | Ready]] = {}
    if origins(board, side):
        branches["march"] = _stack
    if board.boxes[side] and movement.may_muster(march) and movement.muster_places(board):
        branches["muster"] = _muster
    if side == "ishida" and board.mori_box and board.hands[side]:
        branches["mori"] = _mori
    if march.mode == "none" and not march.redrawn and board.hands[side]:
        branches["redraw"] = _redraw
    branches["end"] = lambda _board, _side, path: finish(path, 0, model.End())
    return branches


def origins(board: Board, side: Side) -> list[str]:
    """Places from which somebody can go somewhere."""
    terrain = reaching.terrain_of_board(board, side)
    return [p for p in legal.march_origins(board) if _can_go(board, side, terrain, p, 1)]


def _can_go(board: Board, side: Side, terrain: reaching.Terrain, origin: str, size: int) -> bool:
    """Whether a stack of this size gets anywhere."""
    leader = any(face in LEADERS for face in board.at(side, origin))
    ways = reaching.ways(terrain, origin, size, leader=leader, force=bool(board.hands[side]))
    return next(ways, None) is not None


def _reach(
    board: Board, side: Side, terrain: reaching.Terrain, origin: str, size: int
) -> dict[str, tuple[reaching.Way, ...]]:
    leader = any(face in LEADERS for face in board.at(side, origin))
    return reaching.reach(terrain, origin, size, leader=leader, force=bool(board.hands[side]))


def _stack(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    if not path:
        return ask("march-from", places(origins(board, side)))
    origin = one(path[0], origins(board, side))
    faces = in_block_order(movement.available(board, origin))
    terrain = reaching.terrain_of_board(board, side)
    most = len(faces)
    while most and not _can_go(board, side, terrain, origin, most):
        most -= 1  # larger stacks cannot move from here
    if len(path) == 1:
        return ask("march-blocks", several(faces, "block"), 1, most, at=origin)
    group = picked(path[1], faces, 1, most)
    return _destination(board, side, origin, group, path[2:])


def _destination(
    board: Board, side: Side, origin: str, group: tuple[str, ...], path: Picks
) -> Prompt | Ready:
    terrain = reaching.terrain_of_board(board, side)
    reached = _reach(board, side, terrain, origin, len(group))
    if not path:
        return ask(
            "march-to",
            [_target(place, found[0]) for place, found in reached.items()],
            at=origin,
            n=len(group),
        )
    found, rest = reached[one(path[0], reached)], path[1:]
    numbered = {str(number): way for number, way in enumerate(found, 1)}
    way = found[0]
    if len(found) > 1:
        if not rest:
            return ask("march-way", [_way(n, way) for n, way in numbered.items()], at=origin, to=path[0])
        way, rest = numbered[rest[0]], rest[1:]
    return _leader(board, side, model.March(origin=origin, blocks=group, path=way.path), way, rest)


def _target(place: str, way: reaching.Way) -> Choice:
    return Choice(
        key=place, code=f"to{_cost(way)}", params={"what": place, "n": len(way.path)}, marks=(place,)
    )


def _way(number: str, way: reaching.Way) -> Choice:
    params: dict[str, Json] = {"places": list(way.path), "n": len(way.path)}
    return Choice(key=number, code=f"way{_cost(way)}", params=params, marks=way.path)


def _cost(way: reaching.Way) -> str:
    return ("-leader" if way.leadership else "") + ("-force" if way.force else "")


def _leader(board: Board, side: Side, march: model.March, way: reaching.Way, path: Picks) -> Prompt | Ready:
    if way.leadership:
        leaders = [face for face in in_block_order(set(board.at(side, march.origin))) if face in LEADERS]
        if len(leaders) > 1:
            if not path:
                return ask("march-leader", once(leaders, "block"), at=march.origin)
            leaders, path = [one(path[0], leaders)], path[1:]
        march = march.model_copy(update={"leader": leaders[0]})
    if way.force:
        hand = in_card_order(board.hands[side])
        if not path:
            return ask("march-force", once(dict.fromkeys(hand), "card"), at=march.origin)
        march = march.model_copy(update={"force": one(path[0], hand)})
        return finish(path, 1, march, _march_warning(board, march))
    return _drops(board, march, path)


def _drops(board: Board, march: model.March, path: Picks) -> Prompt | Ready:
    stack: list[str] = in_block_order(march.blocks)
    drop: dict[str, tuple[str, ...]] = {}
    asked = 0
    for number, place in enumerate(march.path[:-1]):
        least = _goes_on(board, march, number, len(stack))
        if len(stack) <= least:
            continue
        if asked == len(path):
            return ask("march-drop", several(stack, "block"), 0, len(stack) - least, at=place)
        stay = picked(path[asked], stack, 0, len(stack) - least)
        asked += 1
        stack = without(stack, stay)
        drop.update({place: stay} if stay else {})
    march = march.model_copy(update={"drop": drop or None})
    return finish(path, asked, march, _march_warning(board, march))


def _goes_on(board: Board, march: model.March, number: int, size: int) -> int:
    """How many blocks must go on from the place of this number to overrun what is still ahead."""
    terrain = reaching.terrain_of_board(board, board.active)
    ahead = march.path[number + 1 : -1]
    need = 1
    while need < size and any(reaching.stops(terrain, place, need) for place in ahead):
        need += 1
    return need


def _march_warning(board: Board, march: model.March) -> str | None:
    terrain = reaching.terrain_of_board(board, board.active)
    if any(reaching.overruns(terrain, place, len(march.blocks)) for place in march.path):
        return "overrun"
    return "leader-shown" if march.leader else None


def _muster(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    spots = movement.muster_places(board)
    if not path:
        return ask("muster-to", places(spots))
    to = one(path[0], spots)
    box = in_block_order(board.boxes[side])
    if len(path) == 1:
        return ask("muster-blocks", several(box, "block"), 1, len(box), at=to)
    faces = picked(path[1], box, 1, len(box))
    home = len({MON[face] for face in faces}) == 1 and MON[faces[0]] in RECRUITS[to]
    if len(faces) > 1 and not home:
        raise RulesError("muster-one-mon", at=to)
    if len(faces) > 1 or not home:
        return finish(path, 2, model.Muster(to=to, blocks=faces, shown=len(faces) > 1))
    if len(path) == 2:
        return ask("muster-shown", once(("unseen", "shown"), "muster-how"), at=to)
    shown = one(path[2], ("unseen", "shown")) == "shown"
    return finish(path, 3, model.Muster(to=to, blocks=faces, shown=shown))


def _mori(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    box, hand = in_block_order(board.mori_box), in_card_order(board.hands[side])
    most = min(len(box), len(hand))
    if not path:
        return ask("mori-blocks", several(box, "block"), 1, most)
    faces = picked(path[0], box, 1, most)
    if movement.MORI_LEADER in faces and len(faces) < len(box):
        raise RulesError("mori-leader-last")
    if len(path) == 1:
        return ask("mori-cards", several(hand, "card"), len(faces), len(faces), n=len(faces))
    cards = picked(path[1], hand, len(faces), len(faces))
    return finish(path, 2, model.Mori(cards=cards, blocks=faces))


def _redraw(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    hand = in_card_order(board.hands[side])
    if not path:
        return ask("redraw", several(hand, "card"), 0, len(hand))
    return finish(path, 1, model.Discard(cards=picked(path[0], hand, 0, len(hand))))


# -- combat ---------------------------------------------------------------------------------


def _combat(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    spots = combat.to_fight(board)
    if not path:
        return ask("combat", places(spots))
    return finish(path, 1, model.Combat(at=one(path[0], spots)))


def _castle(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    answers = ("inside", "outside")
    if not path:
        return ask("castle", [Choice(key=key, code=key) for key in answers], at=battle.fighting(board).at)
    return finish(path, 1, model.Castle(inside=one(path[0], answers) == "inside"))


DONE = "done"


def _deploy(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    """First which block (or `done`), then which card; a double card may take a second block."""
    found = [action for action in legal.deployments(board, side) if isinstance(action, model.Deploy)]
    faces = in_block_order({face for action in found for face in action.blocks})
    fight = battle.fighting(board)
    if not path:
        style = Choice(key=DONE, code="done", style="danger")
        return ask("deploy", [*once(faces, "block"), style], at=fight.at, **fight.impact)
    if path[0] == DONE:
        return finish(path, 1, model.Done(), "done")
    face = one(path[0], faces)
    fit = [action for action in found if face in action.blocks]
    keys = dict.fromkeys(deploy_key(action, face) for action in fit)
    if len(path) == 1:
        choices = [_deploy_choice(board, side, deploy_action(fit, face, key), key) for key in keys]
        return ask("deploy-card", choices, what=face)
    return finish(path, 2, deploy_action(fit, face, one(path[1], keys)), "deploy")


def deploy_key(action: model.Deploy, face: str) -> str:
    """`free`, the card, or the card and the second block."""
    others = without(action.blocks, [face])
    return "_".join([action.card or "free", *others])


def deploy_action(fit: Sequence[model.Deploy], face: str, key: str) -> model.Deploy:
    """The deployment of a key."""
    return next(action for action in fit if deploy_key(action, face) == key)


def _deploy_choice(board: Board, side: Side, action: model.Deploy, key: str) -> Choice:
    fight = battle.fighting(board)
    sword = bool(action.card) and card_kind(action.card or "") == "sword" and not fight.siege
    score = battle.impact_of_all(action.blocks, fight.deployed[side], sword=sword)
    code = "deploy-free" if action.card is None else "deploy-two" if len(action.blocks) > 1 else "deploy-one"
    return Choice(key=key, code=code, params={"what": action.card, "blocks": list(action.blocks), "n": score})


def _challenge(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    answers = [notation.text(action) for action in legal.fight_actions(board, side)]
    waiting = battle.pending(board)
    if not path:
        choices = [Choice(key=key, code=key) for key in answers]
        return ask("challenge", choices, blocks=list(waiting.blocks), card=waiting.card)
    answer = one(path[0], answers)
    return finish(path, 1, model.Challenge() if answer == "challenge" else model.Accept())


CONCEDE = "concede"


def _answer(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    proofs = legal.kinds(battle.proofs(board))
    if not path:
        concede = Choice(key=CONCEDE, code="concede", style="danger")
        return ask("answer", [*once(proofs, "show"), concede], blocks=list(battle.pending(board).blocks))
    if path[0] == CONCEDE:
        return finish(path, 1, model.Concede())
    return finish(path, 1, model.Show(card=one(path[0], proofs)))


def _lose(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    due = battle.fighting(board).losses.get(side, 0)
    blocks, disks = combat.loss_pool(board, side)
    if not path:
        return ask("lose", several([*blocks, *disks], "block"), due, due, n=due, at=battle.fighting(board).at)
    gone = picked(path[0], [*blocks, *disks], due, due)
    lost = model.Lose(
        blocks=tuple(unit for unit in gone if unit not in disks),
        disks=tuple(unit for unit in gone if unit in disks),
    )
    return finish(path, 1, lost, "leader-lost" if {ISHIDA, TOKUGAWA}.intersection(gone) else None)


def _retreat(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    fight = battle.fighting(board)
    here = in_block_order(board.at(side, fight.at))
    inside: tuple[str, ...] = ()
    if combat.may_enter_castle(fight):
        most = min(combat.IN_CASTLE, len(here))
        if not path:
            return ask("retreat-castle", several(here, "block"), 0, most, at=fight.at)
        inside, path = picked(path[0], here, 0, most), path[1:]
    if len(inside) == len(here):
        return finish(path, 0, model.Retreat(castle=inside))
    targets = combat.retreat_targets(board)
    if not path:
        return ask("retreat-to", [_refuge(board, side, place) for place in targets], at=fight.at)
    return finish(path, 1, model.Retreat(to=one(path[0], targets), castle=inside))


def _refuge(board: Board, side: Side, place: str) -> Choice:
    code = "refuge-enemy" if board.has_units(OTHER[side], place) else "refuge"
    return Choice(key=place, code=code, params={"what": place}, marks=(place,))


_PHASES: dict[str, Callable[[Board, Side, Picks], Prompt | Ready]] = {
    "discard": _discard, "bid": _bid, "first": _first, "move": _move, "march": _march, "combat": _combat,
    "castle": _castle, "deploy": _deploy, "challenge": _challenge, "answer": _answer, "lose": _lose,
    "retreat": _retreat,
}  # fmt: skip


# -- random actions -----------------------------------------------------------------------------


MARCHES = 3  # of 4 random choices in the movement phase that could be a march are one


def random_action(board: Board, side: Side, chance: Chance) -> Action:
    """A random walk down the panel, which reaches every kind of action."""
    path: Picks = ()
    while True:
        try:
            found = prompt(board, side, path)
        except RulesError as error:
            if error.code not in {"muster-one-mon", "mori-leader-last"}:
                raise
            path = path[:-1]  # a pick of several that no rule allows: pick again
            continue
        if isinstance(found, Ready):
            return notation.parse(found.action)
        if not path and any(choice.key == "march" for choice in found.choices) and chance.happens(MARCHES, 4):
            path = ("march",)
            continue
        number = found.least + chance.below(found.most - found.least + 1)
        keys = [choice.key for choice in chance.shuffled(found.choices)[:number]]
        path = (*path, "+".join(keys) if keys else NOTHING)
