"""The guided panel's tree, and random actions by walking it.

Path of a movement phase: what > from > blocks > to > way > drops at each place > card. Every other
phase asks one or two questions. Keys of equal blocks or cards are `mori3`, `mori3.2`, ... Beside the
question of a battle stand its odds, orders and the standing answer, for the side that waits too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from engines.chance import Chance
from engines.protocol import Action, Choice, Json, Prompt, Ready, RulesError, Seen
from engines.sekigahara import battle, combat, flow, legal, model, movement, notation, orders, sight, week
from engines.sekigahara import reach as reaching
from engines.sekigahara.board import SEAT, Board, contains, without
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
)
from engines.sekigahara.data import block_order as in_block_order
from engines.sekigahara.data import card_order as in_card_order
from engines.sekigahara.odds import odds

Picks = tuple[str, ...]
NOTHING = "-"


def prompt(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    """The panel after the picks of `path`. Raises `not-your-turn`, `stale-path`."""
    if board.phase == "over":
        raise RulesError("not-your-turn", phase=board.phase)
    ask_next = _PHASES[board.phase] if side in flow.deciders(board) else _waiting
    try:
        found = ask_next(board, side, path)
    except (IndexError, KeyError, ValueError):
        raise RulesError("stale-path", path=list(path)) from None
    return found


def finish(
    path: Picks, length: int, action: Action, warning: str | None = None, *, once: bool = False
) -> Ready:
    """The end of a path of this length; `once`: its warning is the confirmation."""
    if len(path) != length:
        raise ValueError(path)
    return Ready(action=notation.text(action), warning=warning, once=once)


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


def noted(found: Prompt | Ready, notes: Sequence[Seen]) -> Prompt | Ready:
    """A prompt with what is to be seen beside it; the end of a path as it is."""
    if isinstance(found, Ready):
        return found
    return found.model_copy(update={"notes": (*notes, *found.notes)})


def aside(key: str, style: Literal["plain", "primary", "danger"] = "plain") -> Choice:
    """What stands beside a question."""
    return Choice(key=key, code=key, style=style, aside=True)


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
    branches, notes = _march_branches(board, side), movement_notes(board)
    if path:
        return noted(branches[path[0]](board, side, path[1:]), notes)
    style = {"end": "primary"}
    found = ask("movement", [
        Choice(key=key, code=key, style="primary" if key in style else "plain") for key in branches
    ], mode=movement.marching(board).mode)  # fmt: skip
    return noted(found, notes)


def movement_notes(board: Board) -> list[Seen]:
    """What is left of activations, muster and segments."""
    march = movement.marching(board)
    if march.mode == "none":
        return []
    most = movement.STACKS[march.mode]
    left = Seen(code="every-stack") if most is None else Seen(
        code="stacks-left", params={"n": max(0, most - movement.stacks_used(march))}
    )  # fmt: skip
    muster = "muster-left" if movement.may_muster(march) else "mustered" if march.mustered else "no-muster"
    roads = [Seen(code="road-used", params={"one": a, "two": b}) for a, b in sorted(march.segments)]
    return [left, Seen(code=muster), *roads]


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
        targets = [_target(terrain, place, found[0], len(group)) for place, found in reached.items()]
        asked = ask("march-to", targets, at=origin, n=len(group))
        return noted(asked, _reach_notes(board, side, terrain, origin, len(group)))
    found, rest = reached[one(path[0], reached)], path[1:]
    numbered = {str(number): way for number, way in enumerate(found, 1)}
    way = found[0]
    if len(found) > 1:
        if not rest:
            return ask("march-way", [_way(n, way) for n, way in numbered.items()], at=origin, to=path[0])
        way, rest = numbered[rest[0]], rest[1:]
    return _leader(board, side, model.March(origin=origin, blocks=group, path=way.path), way, rest)


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


def _target(terrain: reaching.Terrain, place: str, way: reaching.Way, size: int) -> Choice:
    """A location in reach, with what it costs and whom it meets."""
    costs = _costs(way)
    if terrain.theirs.get(place) or place in terrain.disks:
        costs += [] if reaching.overruns(terrain, place, size) else ["meets-enemies"]
    code = "to-for" if costs else "to"
    params: dict[str, Json] = {"what": place, "n": len(way.path), "costs": costs}
    return Choice(key=place, code=code, params=params, marks=(place,))


def _way(number: str, way: reaching.Way) -> Choice:
    costs = _costs(way)
    params: dict[str, Json] = {"places": list(way.path), "n": len(way.path), "costs": costs}
    return Choice(key=number, code="way-for" if costs else "way", params=params, marks=way.path)


def _costs(way: reaching.Way) -> list[str]:
    """What a way needs, as terms."""
    needs = {"leader-is-shown": way.leadership, "card-is-spent": way.force, "overruns": bool(way.overruns)}
    return [term for term, needed in needs.items() if needed]


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


DONE, ODDS, ORDERS = orders.DONE, "odds", orders.WORD
STANDINGS: dict[str, model.Standing] = {"never": "never", "ask": "ask"}
BESIDE = frozenset({ODDS, ORDERS, "go", *STANDINGS})  # keys that lead to no action of the phase


def _deploy(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    """Which block, then by which card; a double card may take a second block."""
    found = orders.deployments(board, side)
    faces = in_block_order({face for action in found for face in action.blocks})
    fight = battle.fighting(board)
    if not path:
        choices = [_block_choice(board, side, face, found) for face in faces]
        asked = ask("deploy", [*choices, *besides(board, side), aside(DONE, "danger")], at=fight.at)
        return noted(asked, battle_notes(board, side))
    if path[0] == DONE:
        return finish(path, 1, model.Done(), "done", once=True)
    if path[0] in BESIDE:
        return _beside(_deploy, board, side, path)
    face = one(path[0], faces)
    fit = [action for action in found if face in action.blocks]
    if len(fit) == 1:
        return finish(path, 1, fit[0], "deploy", once=True)
    keys = {deploy_key(action, face): action for action in fit}
    if len(path) == 1:
        choices = [_deploy_choice(board, side, action, key) for key, action in keys.items()]
        return noted(ask("deploy-card", choices, what=face), battle_notes(board, side)[:2])
    return finish(path, 2, keys[path[1]], "deploy", once=True)


def deploy_key(action: model.Deploy, face: str) -> str:
    """`free`, the card, or the card and the second block."""
    others = without(action.blocks, [face])
    return "_".join([action.card or "free", *others])


def _adds(board: Board, side: Side, action: model.Deploy) -> dict[str, Json]:
    """What a deployment would add if it stands, and both impacts then, the own one first."""
    fight = battle.fighting(board)
    score = battle.impact_of_all(
        in_block_order(action.blocks), fight.deployed[side], sword=battle.with_special(fight, action)
    )
    return {"n": score, "own": fight.impact[side] + score, "other": fight.impact[OTHER[side]]}


def _block_choice(board: Board, side: Side, face: str, found: Sequence[model.Deploy]) -> Choice:
    """A block with the most that it can add; with its card where only one deploys it."""
    fit = [action for action in found if face in action.blocks]
    best = max(fit, key=lambda action: int(_adds(board, side, action)["n"]))
    only = fit[0] if len(fit) == 1 else None
    code = "deploy-best" if only is None else "deploy-led" if only.card is None else "deploy-by"
    params: dict[str, Json] = {"what": face, "card": only and only.card, **_adds(board, side, best)}
    return Choice(key=face, code=code, params=params)


def _deploy_choice(board: Board, side: Side, action: model.Deploy, key: str) -> Choice:
    code = "deploy-free" if action.card is None else "deploy-two" if len(action.blocks) > 1 else "deploy-one"
    params: dict[str, Json] = {"what": action.card, "blocks": list(action.blocks)}
    return Choice(key=key, code=code, params={**params, **_adds(board, side, action)})


def battle_notes(board: Board, side: Side) -> list[Seen]:
    """Impact on both sides, who has the initiative, who has how many blocks left, the standing answer."""
    fight = battle.fighting(board)
    score = "siege-impact" if fight.siege else "impact"
    notes = [Seen(code=score, params={"at": fight.at, **battle.scores(fight)})]
    if board.phase == "deploy":
        notes.append(Seen(code="initiative", params={"seat": SEAT[battle.initiative(fight)]}))
    if not fight.siege:
        left = {name: len(battle.undeployed(board, name)) for name in SIDES}
        notes.append(Seen(code="undeployed", params=dict(left)))
    if board.standing[side] == "never" and not fight.siege:
        notes.append(Seen(code="standing-never"))
    return notes


def besides(board: Board, side: Side) -> list[Choice]:
    """What stands beside the questions of a battle: its odds, orders, the standing answer."""
    fight = board.battle
    found = []
    if fight is not None and not fight.siege and board.phase in orders.FIGHTING:
        found.append(aside(ODDS))
    if orders.occasion(board, side):
        found.append(aside(ORDERS))
    return [*found, aside("never" if board.standing[side] == "ask" else "ask")]


def _beside(
    question: Callable[[Board, Side, Picks], Prompt | Ready], board: Board, side: Side, path: Picks
) -> Prompt | Ready:
    """What was pressed beside a question; the odds are shown with the question itself."""
    if path[0] in STANDINGS:
        return finish(path, 1, model.Stand(answer=STANDINGS[path[0]]))
    if path[0] == ORDERS:
        return _orders(board, side, path[1:])
    found = question(board, side, path[1:])
    if isinstance(found, Ready) or len(path) > 1:
        return found
    rest = [choice for choice in found.choices if choice.key != ODDS]
    return noted(found.model_copy(update={"choices": tuple(rest)}), _odds_notes(board, side))


def _odds_notes(board: Board, side: Side) -> list[Seen]:
    known = odds(sight.view(board.state(), SEAT[side]), side)
    if known is None:
        return []
    losses = {"own": known.own_losses / 10, "theirs": known.their_losses / 10}
    return [Seen(code="odds", params={"wins": known.wins, **losses})]


def _orders(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    """Deployments one after the other; `go` leaves them, `done` leaves them and then no more."""
    if not orders.occasion(board, side):
        raise ValueError(path)
    laid: list[Action] = []
    for number, pick in enumerate(path):
        if pick in {"go", DONE}:
            if number + 1 < len(path):
                raise ValueError(path)
            laid += [model.Done()] if pick == DONE else []
            return Ready(action=f"{ORDERS} {orders.written(laid)}".strip())
        here = orders.after(board, side, laid)
        laid.append({order_key(action): action for action in orders.deployments(here, side)}[pick])
    here = orders.after(board, side, laid)
    choices = [_order_choice(here, side, action) for action in orders.deployments(here, side)]
    ends = [aside("go", "primary"), aside(DONE, "danger")]
    told = [Seen(code="orders-so-far", params={"orders": orders.written(laid)})] if laid else []
    return noted(ask("orders", [*choices, *ends]), told)


def order_key(action: model.Deploy) -> str:
    """The card and the blocks."""
    return "_".join([action.card or "free", *action.blocks])


def _order_choice(board: Board, side: Side, action: model.Deploy) -> Choice:
    code = "order-led" if action.card is None else "order"
    params: dict[str, Json] = {"what": action.card, "blocks": list(action.blocks)}
    return Choice(key=order_key(action), code=code, params={**params, **_adds(board, side, action)})


def _challenge(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    answers = [notation.text(action) for action in legal.fight_actions(board, side)]
    waiting = battle.pending(board)
    if not path:
        choices = [Choice(key=key, code=key) for key in answers]
        beside = [choice for choice in besides(board, side) if choice.key != "ask"]
        fight, by = battle.fighting(board), waiting.side
        adds = _adds(board, by, model.Deploy(card=waiting.card, blocks=waiting.blocks))
        asked = ask("challenge", [*choices, *beside], blocks=list(waiting.blocks), card=waiting.card)
        would = Seen(code="would-add", params={"seat": SEAT[by], "n": adds["n"], "at": fight.at})
        return noted(asked, [*battle_notes(board, side), would])
    if path[0] in BESIDE:
        return _beside(_challenge, board, side, path)
    answer = one(path[0], answers)
    return finish(path, 1, model.Challenge() if answer == "challenge" else model.Accept())


def _waiting(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    """What a side may settle while the other has to decide."""
    if not path:
        asked = ask("waiting", besides(board, side))
        return noted(asked, battle_notes(board, side) if board.phase in orders.FIGHTING else [])
    if path[0] not in BESIDE:
        raise ValueError(path)
    return _beside(_waiting, board, side, path)


CONCEDE = "concede"


def _answer(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    proofs = legal.kinds(battle.proofs(board))
    if not path:
        concede = Choice(key=CONCEDE, code="concede", style="danger")
        asked = ask("answer", [*once(proofs, "show"), concede], blocks=list(battle.pending(board).blocks))
        return noted(asked, battle_notes(board, side))
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
        offered = [choice for choice in found.choices if choice.key not in BESIDE]
        keys = [choice.key for choice in chance.shuffled(offered)[:number]]
        path = (*path, "+".join(keys) if keys else NOTHING)
