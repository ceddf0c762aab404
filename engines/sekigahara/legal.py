"""What a side may do, listed: complete where the set is small, else completions of a prefix.

Marches are the large set. They are listed one by one up to `MOST`; beyond that only simple ones
(no drops, nothing spent needlessly) that continue the prefix are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice, product

from engines.base import Action
from engines.sekigahara import battle, combat, flow, model, movement, notation, week
from engines.sekigahara import reach as reaching
from engines.sekigahara.board import Board
from engines.sekigahara.data import (
    LEADERS,
    LOYALTY,
    MON,
    PLACES,
    RECRUITS,
    SIDES,
    Side,
    block_order,
    card_kind,
    deploys,
)
from engines.sekigahara.data import card_order as in_card_order

MOST = 1500  # actions that are still listed as complete
SAMPLE = 400  # completions of a prefix where they are not


def subsets(
    items: Iterable[str], sizes: Sequence[int], order: Callable[[Iterable[str]], list[str]]
) -> Iterator[tuple[str, ...]]:
    """Every multiset of these sizes out of `items`, each once, in the order of the data."""
    counts = Counter(items)
    names = order(counts)
    for chosen in product(*(range(counts[name] + 1) for name in names)):
        if sum(chosen) in sizes:
            yield tuple(name for name, n in zip(names, chosen, strict=True) for _ in range(n))


def hands(cards: Iterable[str], sizes: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Every choice of this many cards."""
    return subsets(cards, sizes, in_card_order)


def groups(faces: Iterable[str], sizes: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Every choice of this many blocks."""
    return subsets(faces, sizes, block_order)


def kinds(names: Iterable[str]) -> list[str]:
    """Each card once, in the order of the data."""
    return in_card_order(set(names))


def actions(board: Board, side: Side) -> Iterator[Action]:
    """Every legal action of a side that has to decide, lazily; marches come last."""
    match board.phase:
        case "discard":
            yield from (
                model.Discard(cards=c) for c in hands(board.hands[side], [week.owed_discard(board, side)])
            )
        case "bid":
            yield from (model.Bid(card=card) for card in kinds(board.hands[side]))
        case "first":
            yield from (model.First(side=first) for first in SIDES)
        case "move":
            yield from modes(board, side)
        case "march":
            yield model.End()
            yield from redraws(board, side)
            yield from musters(board, side)
            yield from moris(board, side)
            yield from marches(board, side)
        case "combat":
            yield from (model.Combat(at=place) for place in combat.to_fight(board))
        case _:
            yield from fight_actions(board, side)


def fight_actions(board: Board, side: Side) -> Iterator[Action]:
    """Legal actions from the question of the castle to the retreat."""
    match board.phase:
        case "castle":
            yield from (model.Castle(inside=inside) for inside in (True, False))
        case "deploy":
            yield from deployments(board, side)
            yield model.Done()
        case "challenge":
            if LOYALTY in board.hands[side]:
                yield model.Challenge()
            yield model.Accept()
        case "answer":
            yield from (model.Show(card=card) for card in kinds(battle.proofs(board)))
            yield model.Concede()
        case "lose":
            yield from losses(board, side)
        case "retreat":
            yield from retreats(board, side)


def modes(board: Board, side: Side) -> Iterator[Action]:
    """Modes with every way to pay."""
    for mode, price in movement.PRICE.items():
        yield from (model.Move(mode=mode, cards=cards) for cards in hands(board.hands[side], [price]))


def redraws(board: Board, side: Side) -> Iterator[Action]:
    """Exchanges of mode `none`."""
    march = movement.marching(board)
    if march.mode == "none" and not march.redrawn:
        sizes = range(len(board.hands[side]) + 1)
        yield from (model.Discard(cards=cards) for cards in hands(board.hands[side], sizes))


def musters(board: Board, side: Side) -> Iterator[Action]:
    """Every muster: one block unseen anywhere, blocks of one mon shown at home."""
    box = board.boxes[side]
    if not box or not movement.may_muster(movement.marching(board)):
        return
    for place in movement.muster_places(board):
        for face in block_order(set(box)):
            yield model.Muster(to=place, blocks=(face,))
        for mon in RECRUITS[place]:
            own = [face for face in box if MON[face] == mon]
            for faces in groups(own, range(1, len(own) + 1)):
                yield model.Muster(to=place, blocks=faces, shown=True)


def moris(board: Board, side: Side) -> Iterator[Action]:
    """Every way to bring blocks of the Mori box."""
    if side != "ishida":
        return
    for number in range(1, min(len(board.mori_box), len(board.hands[side])) + 1):
        for faces in groups(board.mori_box, [number]):
            if movement.MORI_LEADER not in faces or number == len(board.mori_box):
                yield from (
                    model.Mori(cards=cards, blocks=faces) for cards in hands(board.hands[side], [number])
                )


def deployments(board: Board, side: Side) -> Iterator[Action]:
    """Every deployment: leaders without a card, then block by block, then two by a double card."""
    fight = battle.fighting(board)
    free = block_order(battle.undeployed(board, side))
    faces = block_order(set(free))
    if battle.cardless(fight, side):
        yield from (model.Deploy(blocks=(face,)) for face in faces if face in LEADERS)
    for card in kinds(board.hands[side]):
        fit = [face for face in faces if deploys(card, face)]
        yield from (model.Deploy(card=card, blocks=(face,)) for face in fit)
        if card_kind(card) == "double":
            pairs = [face for face in free if MON[face] == card.partition("-")[0]]
            yield from (model.Deploy(card=card, blocks=pair) for pair in groups(pairs, [2]))


def losses(board: Board, side: Side) -> Iterator[Action]:
    """Every choice of losses."""
    due = battle.fighting(board).losses.get(side, 0)
    blocks, disks = combat.loss_pool(board, side)
    for gone in [(), *((disk,) for disk in disks)]:
        for faces in groups(blocks, [due - len(gone)]):
            yield model.Lose(blocks=faces, disks=gone)


def retreats(board: Board, side: Side) -> Iterator[Action]:
    """Every retreat, with every choice of blocks for the castle."""
    fight = battle.fighting(board)
    here = list(board.at(side, fight.at))
    most = combat.IN_CASTLE if combat.may_enter_castle(fight) else 0
    for inside in groups(here, range(most + 1)):
        if len(inside) == len(here):
            yield model.Retreat(castle=inside)
        else:
            yield from (model.Retreat(to=to, castle=inside) for to in combat.retreat_targets(board))


# -- marches ------------------------------------------------------------------------------


def march_origins(board: Board) -> list[str]:
    """Places from which a march may start now."""
    march, here = movement.marching(board), board.blocks[board.active]
    places = [place for place in PLACES if place in here and movement.may_activate(march, place)]
    return [place for place in places if movement.available(board, place)]


def marches(board: Board, side: Side) -> Iterator[model.March]:
    """Every legal march: groups, paths, drops, leaders and force marches."""
    terrain = reaching.terrain_of_board(board, side)
    for origin in march_origins(board):
        faces = movement.available(board, origin)
        leaders = [face for face in block_order(set(board.at(side, origin))) if face in LEADERS]
        for group in groups(faces, range(1, min(len(faces), reaching.LARGEST) + 1)):
            for path in paths(terrain, origin, len(group), bool(leaders), bool(board.hands[side])):
                for leader in [None, *leaders]:
                    for force in [None, *kinds(board.hands[side])]:
                        march = model.March(
                            origin=origin, blocks=group, path=path, leader=leader, force=force
                        )
                        if fits(terrain, march):
                            yield march
                            if not force:
                                yield from dropping(terrain, march)


def fits(terrain: reaching.Terrain, march: model.March) -> bool:
    """Whether the path is within the allowance."""
    highway = reaching.only_highways(march.origin, march.path)
    leadership = bool(march.leader) or reaching.leads(terrain, march.origin)
    most = reaching.allowance(
        len(march.blocks), highway=highway, leadership=leadership, force=bool(march.force)
    )
    return len(march.path) <= most


def paths(
    terrain: reaching.Terrain, origin: str, size: int, leader: bool, force: bool
) -> list[tuple[str, ...]]:
    """Paths of an undivided stack, whatever they need. One that drops blocks has no more of them."""
    return [way.path for way in reaching.ways(terrain, origin, size, leader=leader, force=force)]


def dropping(terrain: reaching.Terrain, march: model.March) -> Iterator[model.March]:
    """The same march with every way to drop blocks on the way."""
    before = march.path[:-1]
    if len(march.blocks) < 2 or not before:
        return
    for drop in drops(march.blocks, before):
        if drop:
            dropped = march.model_copy(update={"drop": drop})
            if reaches(terrain, dropped):
                yield dropped


def drops(blocks: tuple[str, ...], places: tuple[str, ...]) -> Iterator[dict[str, tuple[str, ...]]]:
    """Every way to leave blocks at these places so that at least one goes on."""
    if not places:
        yield {}
        return
    for stay in groups(blocks, range(len(blocks))):
        rest = list((Counter(blocks) - Counter(stay)).elements())
        for later in drops(tuple(rest), places[1:]):
            yield {places[0]: stay, **later} if stay else later


def reaches(terrain: reaching.Terrain, march: model.March) -> bool:
    """Whether a stack that gets smaller still overruns what lies on its path."""
    size = len(march.blocks)
    for place in march.path[:-1]:
        if reaching.stops(terrain, place, size):
            return False
        size -= len((march.drop or {}).get(place, ()))
    return True


def simple_marches(board: Board, side: Side, prefix: str) -> Iterator[model.March]:
    """Marches without drops that spend only what they need and may continue the prefix."""
    words = prefix.split()
    terrain = reaching.terrain_of_board(board, side)
    for origin in march_origins(board):
        if len(words) > 1 and not origin.startswith(words[1]):
            continue
        leaders = [face for face in block_order(set(board.at(side, origin))) if face in LEADERS]
        hand = kinds(board.hands[side])
        for group in likely_groups(movement.available(board, origin), words[2:]):
            reached = reaching.reach(terrain, origin, len(group), leader=bool(leaders), force=bool(hand))
            for way in (way for found in reached.values() for way in found):
                for leader in leaders if way.leadership else [None]:
                    for force in hand if way.force else [None]:
                        yield model.March(
                            origin=origin, blocks=group, path=way.path, leader=leader, force=force
                        )


def likely_groups(faces: list[str], words: list[str]) -> list[tuple[str, ...]]:
    """Groups that continue the blocks typed so far: as typed, one more, all, each alone."""
    typed: list[str] = []
    for word in words:
        if word == ">":
            return [tuple(block_order(typed))] if typed and not Counter(typed) - Counter(faces) else []
        if Counter([*typed, word]) <= Counter(faces):
            typed.append(word)
    rest = list((Counter(faces) - Counter(typed)).elements())
    found = [tuple(typed)] if typed else []
    everyone = tuple(block_order(faces))
    if len(everyone) <= reaching.LARGEST:
        found.append(everyone)
    found += [tuple(block_order([*typed, face])) for face in block_order(set(rest))]
    found += [tuple(pair) for pair in combinations(everyone, 2)] if not typed and len(everyone) > 2 else []
    return list(dict.fromkeys(group for group in found if len(group) <= reaching.LARGEST))


def listed(board: Board, side: Side, prefix: str) -> tuple[bool, tuple[str, ...]]:
    """(complete, actions in canonical notation) of a side; see `Engine.legal`."""
    if side not in flow.deciders(board):
        return True, ()
    every = list(islice(actions(board, side), MOST + 1))
    if len(every) <= MOST:
        return True, tuple(dict.fromkeys(notation.text(action) for action in every))
    start = " ".join(prefix.casefold().split())
    others = (action for action in every if not isinstance(action, model.March))
    likely = [others, simple_marches(board, side, start)] if board.phase == "march" else [iter(every)]
    texts = (notation.text(action) for some in likely for action in some)
    return False, tuple(dict.fromkeys(islice((text for text in texts if text.startswith(start)), SAMPLE)))
