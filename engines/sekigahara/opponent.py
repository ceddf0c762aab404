"""The built-in opponent: plays whole games on its own view alone.

Hard plans (`thinking`); what is in this module are rules of thumb. Normal plans too, but decides one time
in three by rules of thumb; easy knows these alone, and acts one time in three at random where it moves.
The pieces that a seat cannot see are stood at random where they may be (`guess`), so that the rules can
list what it may do; what is weighed are counts, places and own faces. No clock, no budget but of
marches looked at: the same view, level and chance give the same answer everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from engines.chance import Chance
from engines.opponents import Level
from engines.protocol import Action, RulesError, View
from engines.sekigahara import battle, choices, combat, legal, model, movement, notation, reach
from engines.sekigahara.board import Board, Marching, without
from engines.sekigahara.data import (
    BIDS,
    BLOCK_COUNTS,
    CARD_COUNTS,
    CASTLES,
    ISHIDA,
    KIND,
    LOYALTY,
    MON,
    NEIGHBOURS,
    OTHER,
    RESOURCES,
    SIDES,
    STRENGTH,
    TOKUGAWA,
    Side,
    block_order,
    card_kind,
    card_order,
    deploys,
)
from engines.sekigahara.marches import march_origins, simple_marches
from engines.sekigahara.model import PlaceState, SekigaharaState, SekigaharaView
from engines.sekigahara.thinking import manners, mind

LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")
KEYS = frozenset({ISHIDA, TOKUGAWA})
SLIPS = (1, 3)  # how often normal decides by rules of thumb, and easy at random
WANDERS = frozenset({"discard", "bid", "first", "move", "march", "castle", "retreat"})
BUDGET = 600  # marches that are weighed for one action
CASTLE, RESOURCE, KILL, WIN = 20, 10, 8, 1000  # what things are worth to a march
ALONE = 6  # what a lone block has to gain more before it leaves a stack
ENEMY_BLOCK = 26  # tenths of impact that an unseen enemy block is taken for


def choose(view: View, level: Level, chance: Chance) -> str:
    """The action, in canonical notation, for the seat `view.viewer`."""
    if not isinstance(view, SekigaharaView) or view.viewer is None:
        raise ValueError("a seat's own view of Sekigahara is needed")
    side = SIDES[view.viewer]
    if level != "easy" and manners.resigns(view, side):
        return notation.text(model.Resign())
    board = Board.of(guess(view, side, chance), chance)
    if level == "hard" or (level == "normal" and not chance.happens(*SLIPS)):
        return notation.text(mind.decide(view, side, board))
    at_random = level == "easy" and view.phase in WANDERS and chance.happens(*SLIPS)
    decide = choices.random_action if at_random else _THINK[view.phase]
    return notation.text(decide(board, side, chance))


def accepts_draw(view: View) -> bool:
    """Whether it agrees to a draw: where it does not stand better."""
    if not isinstance(view, SekigaharaView) or view.viewer is None:
        return False
    return manners.accepts_draw(view, SIDES[view.viewer])


# -- a position that fits the view -------------------------------------------------------------


def guess(view: SekigaharaView, side: Side, chance: Chance) -> SekigaharaState:
    """A state in which `side` sees this view, unseen blocks and cards dealt at random."""
    enemy = OTHER[side]
    out = [*view.lost[enemy], *(view.mori_box if enemy == "ishida" else ()), *_shown(view, enemy)]
    unseen = chance.shuffled(without(_all(BLOCK_COUNTS[enemy]), out))
    places: dict[str, PlaceState] = {}
    for place, here in view.map.items():
        known = _shown(view, enemy) if view.battle and view.battle.at == place else []
        count = getattr(here, enemy) - len(known)
        theirs = [*known, *(unseen.pop() for _ in range(min(count, len(unseen))))]
        own = {side: here.faces or (), enemy: tuple(theirs)}
        places[place] = PlaceState(
            ishida=own["ishida"], tokugawa=own["tokugawa"], besieged=here.besieged, holder=here.holder
        )
    cards = chance.shuffled(_all(CARD_COUNTS[enemy]))
    march = view.march
    faces = (march.faces or {}) if march else {}
    return SekigaharaState(
        rules=view.rules,
        options=view.options,
        week=view.week,
        turn=view.turn,
        phase=view.phase,
        first=view.first,
        active=view.active,
        map=places,
        control=view.control,
        disks=view.disks,
        hands={side: view.hand or (), enemy: tuple(cards[: view.hands[enemy]])},
        boxes={side: view.box or ()},
        lost=view.lost,
        mori_box=view.mori_box,
        march=model.MarchState(**march.model_dump(exclude={"moved", "faces"}), moved=faces)
        if march
        else None,
        battle=view.battle,
    )


def _all(counts: dict[str, int]) -> list[str]:
    return [name for name, count in counts.items() for _ in range(count)]


def _shown(view: SekigaharaView, side: Side) -> list[str]:
    """A side's blocks that lie open in the fight."""
    fight = view.battle
    if fight is None:
        return []
    open_faces = [face for faces in fight.deployed.values() for face in faces]
    open_faces += fight.pending.blocks if fight.pending else ()
    return [face for face in open_faces if face in BLOCK_COUNTS[side]]


# -- cards ---------------------------------------------------------------------------------


def card_worth(board: Board, side: Side, card: str) -> int:
    """How useful a card is: blocks on the map that it deploys, swords and doubles more, loyalty a little."""
    if card == LOYALTY:
        return 4
    faces = [face for here in board.blocks[side].values() for face in here]
    fit = [face for face in faces if MON[face] == card.partition("-")[0]]
    special = sum(KIND[face] is not None for face in fit) if card_kind(card) == "sword" else 0
    return len(fit) + special + (3 if card_kind(card) == "double" else 0)


def cheapest(board: Board, side: Side, number: int) -> tuple[str, ...]:
    """The cards that are missed least; a second copy counts half."""
    hand = card_order(board.hands[side])
    worth = {card: card_worth(board, side, card) for card in hand}
    chosen: list[str] = []
    for _ in range(number):
        left = without(hand, chosen)
        chosen.append(min(left, key=lambda card: worth[card] * 2 // left.count(card)))
    return tuple(chosen)


def _discard(board: Board, side: Side, _chance: Chance) -> Action:
    return model.Discard(cards=cheapest(board, side, len(board.hands[side]) // 2))


def _bid(board: Board, side: Side, _chance: Chance) -> Action:
    hand = card_order(board.hands[side])
    return model.Bid(card=min(hand, key=lambda card: card_worth(board, side, card) * 2 - BIDS[side][card]))


def _first(board: Board, side: Side, _chance: Chance) -> Action:
    return model.First(side=OTHER[side] if board.week == 7 else side)


# -- movement --------------------------------------------------------------------------------


def power(board: Board, side: Side, faces: Iterable[str]) -> int:
    """Tenths of impact that these blocks can be expected to bring with the hand there is."""
    hand = list(board.hands[side])
    mons: list[str] = []
    total = 0
    for face in sorted(block_order(faces), key=lambda face: -STRENGTH[face]):
        card = next((card for card in hand if deploys(card, face)), None)
        if card:
            hand.remove(card)
            total += 10 * (STRENGTH[face] + mons.count(MON[face]))
            mons.append(MON[face])
        elif face.endswith("-leader"):
            total += 10
        else:
            total += 1
    return total


def threat(board: Board, side: Side, place: str) -> int:
    """Enemy blocks next to a place."""
    return sum(board.count(OTHER[side], near) for near in NEIGHBOURS[place])


def march_worth(board: Board, side: Side, march: model.March) -> int:
    """What a march is worth: castles, resources, overruns, fights it should win; dangers cost."""
    to = march.path[-1]
    worth = -2 * len(march.blocks) - (7 if march.force else 0) - (1 if march.leader else 0)
    worth += _passing(board, side, march)
    worth += _arrival(board, side, march, to) - _leaving(board, side, march, len(march.blocks))
    if KEYS.intersection(march.blocks):
        worth -= 30 + 20 * threat(board, side, to)
    return worth


def _arrival(board: Board, side: Side, march: model.March, to: str) -> int:
    enemy = OTHER[side]
    enemies = board.count(enemy, to)
    castle = to in CASTLES and board.castle_side(to) == enemy
    alone = castle and not enemies and not board.disk(enemy, to)
    mine = power(board, side, [*march.blocks, *board.at(side, to)])
    size = len(march.blocks) + board.count(side, to)
    if not enemies:
        danger = max(0, threat(board, side, to) - size)
        siege = 12 if castle and not alone and size >= 3 else 0
        return (CASTLE if alone else siege) - 3 * danger + _nearness(board, side, to)
    inside = castle and enemies <= combat.IN_CASTLE
    theirs = ENEMY_BLOCK * min(enemies, board_hand(board, enemy)) + 10
    if mine <= theirs:
        return -30 - (theirs - mine) // 4
    return (
        18
        + min(30, (mine - theirs) // 4)
        + 4 * enemies
        + (CASTLE // 2 if castle else 0)
        - (6 if inside else 0)
    )


def board_hand(board: Board, side: Side) -> int:
    """How many cards a side could deploy with."""
    return max(1, len(board.hands[side]))


def _leaving(board: Board, side: Side, march: model.March, size: int) -> int:
    """What is left in danger where a stack of this size came from."""
    left = board.count(side, march.origin) - size
    near = threat(board, side, march.origin)
    cost = 0
    if march.origin in CASTLES and not left:
        cost += CASTLE if CASTLES[march.origin] != side else 4 * near
    if march.origin in RESOURCES and not left:
        cost += 4 * near
    if KEYS.intersection(without(board.at(side, march.origin), march.blocks)) and left < near + 3:
        cost += 25
    return cost


def _nearness(board: Board, side: Side, place: str) -> int:
    """A little for standing next to something to gain."""
    gains = 0
    for near in NEIGHBOURS[place]:
        free = not board.count(OTHER[side], near)
        gains += 3 if near in RESOURCES and board.control.get(near) != side and free else 0
        gains += 4 if near in CASTLES and board.castle_side(near) != side and free else 0
    return gains


def best_march(board: Board, side: Side) -> tuple[int, model.March] | None:
    """The march worth most, among the simple ones."""
    found: tuple[int, model.March] | None = None
    for march in islice(_spread(board, side), BUDGET):
        worth = march_worth(board, side, march)
        if found is None or worth > found[0]:
            found = (worth, march)
    return found


def with_branch(board: Board, side: Side, worth: int, march: model.March) -> model.March:
    """The march, or one from which a single block goes another way where that gains more (7.3.1).

    The block is one of the stack, or one more that comes along.
    """
    best = (worth + ALONE, march)
    if march.force:
        return march
    for rest, lone in _partings(board, march):
        whole = march.model_copy(update={"blocks": (*rest, lone)})
        main = march.model_copy(update={"blocks": rest})
        kept = march_worth(board, side, main) + _leaving(board, side, main, len(rest))
        kept -= _leaving(board, side, whole, len(rest) + 1)
        for place, path in _branches(board, whole, lone):
            shared = march.path[: march.path.index(place) + 1]
            way = model.March(origin=march.origin, blocks=(lone,), path=(*shared, *path))
            gain = march_worth(board, side, way) + _leaving(board, side, way, 1)
            gain -= _passing(board, side, way.model_copy(update={"path": shared}))
            if kept + gain > best[0]:
                branch = model.Branch(origin=place, blocks=(lone,), path=path)
                parted = whole.model_copy(update={"drop": {place: (lone,)}, "branches": (branch,)})
                best = (kept + gain, parted)
    return best[1]


def _partings(board: Board, march: model.March) -> Iterable[tuple[tuple[str, ...], str]]:
    """Who goes on along the march, and the block that could go another way."""
    lone = min((face for face in march.blocks if face not in KEYS), key=block_worth, default=None)
    if lone is not None and len(march.blocks) > 1:
        yield tuple(without(march.blocks, [lone])), lone
    others = without(movement.available(board, march.origin), march.blocks)
    more = min((face for face in others if face not in KEYS), key=block_worth, default=None)
    if more is not None:
        yield march.blocks, more


def _branches(board: Board, whole: model.March, lone: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Where the lone block could leave this march, and the ways it could go, none to where the stack goes."""
    for place in whole.path[:-1]:
        try:
            course = movement.check_march(board, whole.model_copy(update={"drop": {place: (lone,)}}))
        except RulesError:  # so large the stack is too slow, or so small it overruns nobody
            continue
        yield from ((place, path) for path in course.onward(place, 1) if set(path).isdisjoint(whole.path))


def _passing(board: Board, side: Side, march: model.March) -> int:
    """What a stack gains at the places of its path, whether it stops there or not."""
    terrain, worth = reach.terrain_of_board(board, side), 0
    for place in march.path:
        if reach.overruns(terrain, place, len(march.blocks)):
            worth += KILL * board.count(OTHER[side], place)
        takes = place in RESOURCES and board.control.get(place) != side
        worth += RESOURCE if takes and not terrain.theirs.get(place) else 0
    return worth


def _spread(board: Board, side: Side) -> Iterable[model.March]:
    """Simple marches, in turn from each place, so that the budget reaches all of them."""
    origins = [simple_marches(board, side, place) for place in march_origins(board)]
    while origins:
        going = []
        for marches in origins:
            march = next(marches, None)
            if march is not None:
                going.append(marches)
                yield march
        origins = going


def _move(board: Board, side: Side, _chance: Chance) -> Action:
    hand = len(board.hands[side])
    trial: model.Mode = "limited" if hand >= 4 else "minimal"
    board.march = Marching(mode="limited")
    best = best_march(board, side)
    if best is None or best[0] <= 0:
        return model.Move(mode="minimal")
    price = movement.PRICE[trial]
    return model.Move(mode=trial, cards=cheapest(board, side, price))


def _march(board: Board, side: Side, chance: Chance) -> Action:
    march = movement.marching(board)
    best = best_march(board, side)
    mustered = _muster(board, side)
    if best and best[0] > 0 and (not mustered or best[0] >= 8 or march.mode != "minimal"):
        return with_branch(board, side, *best)
    if mustered:
        return mustered
    if side == "ishida" and board.mori_box and len(board.hands[side]) > 6:
        block = next(
            (f for f in block_order(board.mori_box) if f != movement.MORI_LEADER), movement.MORI_LEADER
        )
        return model.Mori(cards=cheapest(board, side, 1), blocks=(block,))
    if march.mode == "none" and not march.redrawn:
        return model.Discard(cards=cheapest(board, side, min(2, len(board.hands[side]))))
    return with_branch(board, side, *best) if best and best[0] > 0 else model.End()


def _muster(board: Board, side: Side) -> Action | None:
    """The largest muster, where enemies are not near in greater number."""
    found = list(islice(legal.musters(board, side), BUDGET))
    found = [action for action in found if isinstance(action, model.Muster)]
    if not found:
        return None
    return max(
        (action for action in found if isinstance(action, model.Muster)),
        key=lambda action: (
            sum(STRENGTH[face] + 1 for face in action.blocks),
            -threat(board, side, action.to),
        ),
    )


# -- combat ----------------------------------------------------------------------------------


def _combat(board: Board, side: Side, _chance: Chance) -> Action:
    ahead = {p: power(board, side, board.at(side, p)) - ENEMY_BLOCK * board.count(OTHER[side], p)
             for p in combat.to_fight(board)}  # fmt: skip
    return model.Combat(at=max(ahead, key=lambda place: ahead[place]))


def _castle(board: Board, side: Side, _chance: Chance) -> Action:
    at = battle.fighting(board).at
    mine, theirs = power(board, side, board.at(side, at)), board.count(OTHER[side], at)
    return model.Castle(inside=mine <= ENEMY_BLOCK * theirs)


def _deploy(board: Board, side: Side, _chance: Chance) -> Action:
    """The deployment worth most; used cards are replaced, so there is seldom a reason to stop."""
    fight = battle.fighting(board)
    found = [action for action in legal.deployments(board, side) if isinstance(action, model.Deploy)]
    if not found:
        return model.Done()
    leaders = [action for action in found if action.card is None]
    if leaders and fight.impact[side] <= fight.impact[OTHER[side]]:
        return leaders[0]

    def worth(action: model.Deploy) -> int:
        sword = bool(action.card) and card_kind(action.card or "") == "sword" and not fight.siege
        score = 4 * battle.impact_of_all(action.blocks, fight.deployed[side], sword=sword)
        rest = without(board.hands[side], [action.card] if action.card else [])
        proof = any(deploys(card, action.blocks[0]) for card in rest)
        return score + (5 if proof or action.card is None else 0)

    return max(found, key=worth)


def _challenge(board: Board, side: Side, _chance: Chance) -> Action:
    waiting = battle.pending(board)
    gain = battle.impact_of_all(waiting.blocks, battle.fighting(board).deployed[waiting.side], sword=False)
    worth_it = gain >= 3 or bool(KEYS.intersection(waiting.blocks))
    return model.Challenge() if worth_it and LOYALTY in board.hands[side] else model.Accept()


def _answer(board: Board, side: Side, _chance: Chance) -> Action:
    proofs = sorted(legal.kinds(battle.proofs(board)), key=lambda card: card_worth(board, side, card))
    return model.Show(card=proofs[0]) if proofs else model.Concede()


def block_worth(face: str) -> int:
    """How much a block is missed."""
    if face in KEYS:
        return WIN
    return 3 * STRENGTH[face] + (2 if KIND.get(face) else 0) + (3 if face.endswith("-leader") else 0)


def _lose(board: Board, side: Side, _chance: Chance) -> Action:
    due = battle.fighting(board).losses.get(side, 0)
    blocks, disks = combat.loss_pool(board, side)
    worth = {unit: 0 if unit in disks else block_worth(unit) for unit in [*blocks, *disks]}
    gone = sorted([*blocks, *disks], key=lambda unit: worth[unit])[:due]
    return model.Lose(
        blocks=tuple(unit for unit in gone if unit not in disks),
        disks=tuple(unit for unit in gone if unit in disks),
    )


def _retreat(board: Board, side: Side, _chance: Chance) -> Action:
    fight = battle.fighting(board)

    def safety(place: str) -> tuple[bool, int, int]:
        foes = board.has_units(OTHER[side], place)
        return (
            not foes,
            board.count(side, place) - threat(board, side, place),
            -board.count(OTHER[side], place),
        )

    to = max(combat.retreat_targets(board), key=safety)
    here = block_order(board.at(side, fight.at))
    inside: tuple[str, ...] = ()
    if combat.may_enter_castle(fight) and len(here) > 2:
        inside = tuple(face for face in here if face not in KEYS)[:1]
    return model.Retreat(to=to, castle=inside)


Decide = Callable[[Board, Side, Chance], Action]
_THINK: dict[str, Decide] = {
    "discard": _discard, "bid": _bid, "first": _first, "move": _move, "march": _march, "combat": _combat,
    "castle": _castle, "deploy": _deploy, "challenge": _challenge, "answer": _answer, "lose": _lose,
    "retreat": _retreat,
}  # fmt: skip
