"""The guided panel's tree, and random actions by walking it.

A movement phase has a module of its own (`moving`); every other phase asks one or two questions. Keys of
equal blocks or cards are `mori3`, `mori3.2`, ... Beside the question of a battle stand its odds, orders
and the standing answer, for the side that waits too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engines.capabilities import SEPARATOR
from engines.chance import Chance
from engines.protocol import Action, Choice, Follow, Json, Prompt, Ready, RulesError, Seen
from engines.sekigahara import (
    battle,
    combat,
    flow,
    legal,
    model,
    movement,
    moving,
    notation,
    orders,
    sight,
    week,
)
from engines.sekigahara.asking import (
    MOST_LISTED,
    NOTHING,
    Picks,
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
from engines.sekigahara.data import BIDS, ISHIDA, OTHER, SIDES, TOKUGAWA, Side
from engines.sekigahara.data import block_order as in_block_order
from engines.sekigahara.data import card_order as in_card_order
from engines.sekigahara.odds import odds


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
    bid = model.Bid(card=one(path[0], hand))
    if len(path) == 1:  # it confirms the bid, so that no press more is needed
        firsts = once(SIDES, "goes-first")
        return ask("bid-first", [*firsts, Choice(key=LATER, code=LATER)], card=bid.card)
    if path[1] == LATER:
        return finish(path, 2, bid, sure=True)
    laid = (bid, model.First(side=SIDES[SIDES.index(one(path[1], SIDES))]))
    return Ready(action=f"{ORDERS} {orders.written(laid)}", sure=True)


def _first(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    if not path:
        return ask("first", once(SIDES, "side"))
    first: Side = "ishida" if one(path[0], SIDES) == "ishida" else "tokugawa"
    return finish(path, 1, model.First(side=first), sure=True)


def _move(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    hand = in_card_order(board.hands[side])
    open_modes = {mode: price for mode, price in movement.PRICE.items() if price <= len(hand)}
    every = [move for move in legal.modes(board, side) if move.cards]
    if not path:
        free = [Choice(key=m, code=f"mode-{m}", params={"n": n}) for m, n in open_modes.items() if not n]
        costly = [Choice(key=_paid(m), code=f"pay-{m.mode}", params={"cards": list(m.cards)}) for m in every]
        if len(free) + len(costly) <= MOST_LISTED:
            return ask("mode", [*free, *costly])
        return ask("mode", [Choice(key=m, code=f"mode-{m}", params={"n": n}) for m, n in open_modes.items()])
    if (named := next((move for move in every if _paid(move) == path[0]), None)) is not None:
        return _moved(board, side, named, path[1:])
    mode: model.Mode = next(m for m in open_modes if m == one(path[0], open_modes))
    price = open_modes[mode]
    if price and len(path) == 1:
        return ask("pay", several(hand, "card"), price, price, n=price, mode=mode)
    if not price:
        return finish(path, 1, model.Move(mode=mode), sure=True)
    return _moved(board, side, model.Move(mode=mode, cards=picked(path[1], hand, price, price)), path[2:])


def _moved(board: Board, side: Side, move: model.Move, path: Picks) -> Prompt | Ready:
    """What a mode allows, before it is paid for: both are confirmed together, as orders.

    Or it is paid for alone.
    """
    if path == (PAY,):
        return Ready(action=notation.text(move))
    found = moving.question(orders.moved(board, [move]), side, path)
    if isinstance(found, Ready):
        text = f"{ORDERS} {notation.text(move)}{SEPARATOR}{found.action}"
        return found.model_copy(update={"action": text, "sure": False})
    return found if path else moving.with_beside(found, {PAY: aside(PAY)})


def _paid(move: model.Move) -> str:
    return "_".join([move.mode, *move.cards])


# -- combat ---------------------------------------------------------------------------------


def _combat(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    spots = combat.to_fight(board)
    if not path:
        return ask("combat", [*places(spots), *_asked_again(board, side)])
    if path[0] in BESIDE:
        return _beside(_combat, board, side, path)
    return finish(path, 1, model.Combat(at=one(path[0], spots)), sure=True)


def _castle(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    answers, at = ("inside", STAY, "outside"), battle.fighting(board).at
    if not path:
        return ask("castle", [Choice(key=key, code=key) for key in answers], at=at)
    answer = one(path[0], answers)
    if answer == STAY:
        return finish(path, 1, model.Stand(answer="inside", at=at))
    return finish(path, 1, model.Castle(inside=answer == "inside"))


LATER, PAY = "later", "pay"
DONE, ODDS, ORDERS = orders.DONE, "odds", orders.WORD
STANDINGS: dict[str, model.Standing] = {"never": "never", "ask": "ask"}
STAY, ASKED = "stay", "unstay"
AT_ONCE = 5  # deployments that are picked together
NO_MORE = Follow(code="done", action=f"{ORDERS} {DONE}")
BESIDE = frozenset({ODDS, ORDERS, ASKED, "go", *STANDINGS})  # keys that lead to no action of the phase


def _deploy(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    """What is deployed by which card, several at once as orders; where they are too many, block by block.

    One that cannot stand beside another (the same card, the same block) is asked about anew.
    """
    found = orders.deployments(board, side)
    if len(found) > MOST_LISTED:
        return _deploy_block(board, side, path, found)
    keys, clash = {order_key(action): action for action in found}, False
    while path and path[0] != DONE and path[0] not in BESIDE:
        laid = [keys[key] for key in path[0].split("+")]
        if _together(board, side, laid):
            return _deployed(path, laid)
        path, clash = path[1:], True
    if path:
        return _besides_deploying(board, side, path, last=not found)
    choices = [_whole_choice(board, side, action) for action in found]
    most = max(1, min(len(found), len(battle.undeployed(board, side)), AT_ONCE))
    beside = [*besides(board, side), aside(DONE, "danger")]
    asked = ask("deploy", [*choices, *beside], 1, most, at=battle.fighting(board).at)
    return noted(asked, [*battle_notes(board, side), *([Seen(code="not-together")] if clash else [])])


def _whole_choice(board: Board, side: Side, action: model.Deploy) -> Choice:
    """A deployment with its card and what it adds."""
    pair = len(action.blocks) > 1
    code = "deploy-pair" if pair else "deploy-led" if action.card is None else "deploy-by"
    params: dict[str, Json] = {"blocks": list(action.blocks)} if pair else {"what": action.blocks[0]}
    params = {**params, "card": action.card, **_adds(board, side, action)}
    return Choice(key=order_key(action), code=code, params=params)


def _together(board: Board, side: Side, laid: Sequence[model.Deploy]) -> bool:
    """Whether all of these can be deployed, one after the other."""
    try:
        orders.after(board, side, laid)
    except RulesError:
        return False
    return True


def _deployed(path: Picks, laid: Sequence[model.Deploy]) -> Ready:
    """One is deployed; of several the first is, and the others are when the side may."""
    if len(laid) == 1:
        return finish(path, 1, laid[0], "deploy", once=True, then=NO_MORE)
    if len(path) != 1:
        raise ValueError(path)
    return Ready(action=f"{ORDERS} {orders.written(laid)}", warning="deploy-several", once=True)


def _besides_deploying(board: Board, side: Side, path: Picks, *, last: bool) -> Prompt | Ready:
    """No more is deployed, unasked where nothing can be; or what stands beside the question."""
    if path[0] == DONE:
        return finish(path, 1, model.Done(), "done", once=True, sure=last)
    return _beside(_deploy, board, side, path)


def _deploy_block(board: Board, side: Side, path: Picks, found: Sequence[model.Deploy]) -> Prompt | Ready:
    """Which block, then by which card; a double card may take a second block."""
    faces = in_block_order({face for action in found for face in action.blocks})
    if not path:
        choices = [_block_choice(board, side, face, found) for face in faces]
        beside = [*besides(board, side), aside(DONE, "danger")]
        asked = ask("deploy", [*choices, *beside], at=battle.fighting(board).at)
        return noted(asked, battle_notes(board, side))
    if path[0] == DONE or path[0] in BESIDE:
        return _besides_deploying(board, side, path, last=False)
    face = one(path[0], faces)
    fit = [action for action in found if face in action.blocks]
    if len(fit) == 1:
        return finish(path, 1, fit[0], "deploy", once=True, then=NO_MORE)
    keys = {deploy_key(action, face): action for action in fit}
    if len(path) == 1:
        choices = [_deploy_choice(board, side, action, key) for key, action in keys.items()]
        return noted(ask("deploy-card", choices, what=face), battle_notes(board, side)[:2])
    return finish(path, 2, keys[path[1]], "deploy", once=True, then=NO_MORE)


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


def _stays_note(board: Board, side: Side) -> list[Seen]:
    return [Seen(code="stays", params={"places": sorted(board.stays[side])})] if board.stays[side] else []


def besides(board: Board, side: Side) -> list[Choice]:
    """What stands beside the questions of a battle: its odds, orders, the standing answer."""
    fight = board.battle
    found = []
    if fight is not None and not fight.siege and board.phase in orders.FIGHTING:
        found.append(aside(ODDS, tells=True))
    if orders.fight_of(board, side):
        found.append(aside(ORDERS))
    return [*found, aside("never" if board.standing[side] == "ask" else "ask"), *_asked_again(board, side)]


def _asked_again(board: Board, side: Side) -> list[Choice]:
    """The way to be asked again about a castle that stays inside."""
    return [aside(ASKED)] if board.stays[side] else []


def _unstay(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    spots = sorted(board.stays[side])
    if not path:
        return ask("unstay", places(spots))
    return finish(path, 1, model.Stand(answer="ask", at=one(path[0], spots)), sure=True)


def _beside(
    question: Callable[[Board, Side, Picks], Prompt | Ready], board: Board, side: Side, path: Picks
) -> Prompt | Ready:
    """What was pressed beside a question; the odds are shown with the question itself."""
    if path[0] in STANDINGS:
        return finish(path, 1, model.Stand(answer=STANDINGS[path[0]]), sure=True)
    if path[0] == ORDERS:
        return _orders(board, side, path[1:])
    if path[0] == ASKED:
        return _unstay(board, side, path[1:])
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
    if not orders.fight_of(board, side):
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
    so_far: list[Json] = [
        face for action in laid if isinstance(action, model.Deploy) for face in action.blocks
    ]
    told = [Seen(code="orders-so-far", params={"blocks": so_far})] if laid else []
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
    if answer == "challenge":
        return finish(path, 1, model.Challenge())
    return finish(path, 1, model.Accept(), sure=len(answers) == 1)


def _waiting(board: Board, side: Side, path: Picks) -> Prompt | Ready:
    """What a side may settle while the other has to decide; who goes first, while the bids are secret."""
    wishes = (*SIDES, LATER) if board.phase == "bid" and side in board.sealed else ()
    if not path:
        offered = [Choice(key=key, code="goes-first", params={"what": key}, aside=True) for key in SIDES]
        beside = [*offered, aside(LATER)] if wishes else []
        asked = ask("waiting", [*beside, *besides(board, side)])
        told = battle_notes(board, side) if board.phase in orders.FIGHTING else []
        return noted(asked, [*told, *_stays_note(board, side)])
    if path[0] in wishes:
        firsts = [model.First(side=name) for name in SIDES if name == path[0]]
        return Ready(action=f"{ORDERS} {orders.written(firsts)}".strip(), sure=True)
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
    "discard": _discard, "bid": _bid, "first": _first, "move": _move, "march": moving.question,
    "combat": _combat, "castle": _castle, "deploy": _deploy, "challenge": _challenge, "answer": _answer,
    "lose": _lose, "retreat": _retreat,
}  # fmt: skip


# -- random actions -----------------------------------------------------------------------------


MARCHES = 3  # of 4 random choices in the movement phase that could be a march are one


def random_action(board: Board, side: Side, chance: Chance) -> Action:
    """A random walk down the panel, which reaches every kind of action."""
    path: Picks = ()
    while True:
        found = prompt(board, side, path)
        if isinstance(found, Ready):
            return notation.parse(found.action)
        path = (*path, _random_word(board, side, found, chance))


def _random_word(board: Board, side: Side, found: Prompt, chance: Chance) -> str:
    """A random answer to a question, as a word of the path."""
    if any(choice.key in {PAY, LATER} for choice in found.choices):
        return PAY if board.phase == "move" else LATER  # orders are no action
    kinds = moving.kinds(board, side) if found.code in {"movement", "redraw"} else []
    if "march" in kinds and chance.happens(MARCHES, 4):
        return "march"
    if any(choice.key == moving.DROP for choice in found.choices):
        return moving.DROP  # who stays is asked, so that somebody may
    if found.code == "redraw":
        kind = chance.pick(kinds)
        if kind != "redraw":
            return moving.BOX if kind == "mori" else kind
        kinds = []
    acting = [c for c in found.choices if c.key not in {*BESIDE, STAY} and not c.tells]
    offered = kinds or [c.key for c in acting if found.code != "redraw" or not c.aside]
    if found.code == "mode":  # each as likely, whatever pays for it
        mode = chance.pick(sorted({key.partition("_")[0] for key in offered}))
        offered = [key for key in offered if key.partition("_")[0] == mode]
    most = 1 if found.code == "deploy" else found.most
    number = found.least + chance.below(most - found.least + 1)
    return "+".join(chance.shuffled(offered)[:number]) or NOTHING
