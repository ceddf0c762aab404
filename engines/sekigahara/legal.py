"""What a side may do, listed: complete where the set is small, else completions of a prefix.

Marches are the large set and have a module of their own. With more than `MOST` actions only likely
ones that continue the prefix are listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engines.protocol import Action
from engines.sekigahara import battle, combat, flow, marches, model, movement, notation, week
from engines.sekigahara.board import Board, without
from engines.sekigahara.data import (
    LEADERS,
    LOYALTY,
    MON,
    RECRUITS,
    SIDES,
    Side,
    block_order,
    card_kind,
    deploys,
)
from engines.sekigahara.marches import march_origins
from engines.sekigahara.subsets import groups, hands, kinds

__all__ = ["actions", "deployments", "fight_actions", "kinds", "listed", "march_origins", "musters"]

MOST = 1500  # actions that are still listed as complete
SAMPLE = 400  # completions of a prefix where they are not


def actions(board: Board, side: Side) -> Iterator[Action]:
    """Every legal action of a side that has to decide, lazily, but for marches."""
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
            for some in movements(board, side).values():
                yield from some
        case "combat":
            yield from (model.Combat(at=place) for place in combat.to_fight(board))
        case _:
            yield from fight_actions(board, side)


def movements(board: Board, side: Side) -> dict[str, Iterator[Action]]:
    """What there is to do in a movement phase beside marches, by the first word of its notation."""
    return {
        "end": iter([model.End()]),
        "discard": redraws(board, side),
        "muster": musters(board, side),
        "mori": moris(board, side),
    }


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


def modes(board: Board, side: Side) -> Iterator[model.Move]:
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


# -- lists --------------------------------------------------------------------------------


def listed(board: Board, side: Side, prefix: str) -> tuple[bool, tuple[str, ...]]:
    """(complete, actions in canonical notation) of a side; see `Engine.legal`."""
    if side not in flow.deciders(board):
        return True, ()
    others = list(islice(actions(board, side), MOST + 1))
    stacks = marching(board, side, MOST - len(others))
    if stacks is not None:
        return True, tuple(dict.fromkeys([*map(notation.text, others), *stacks]))
    start = " ".join(prefix.casefold().split())
    found: dict[str, None] = {}
    for text in likely(board, side, others, start):
        if text.startswith(start):
            found[text] = None
        if len(found) == SAMPLE:
            break
    return False, tuple(found)


def marching(board: Board, side: Side, room: int) -> list[str] | None:
    """All marches in notation, None where there is no room for so many."""
    if room < 0:
        return None
    if board.phase != "march":
        return []
    if marches.number(board, side, room) > room:
        return None
    found = list(islice(marches.every(board, side), room + 1))
    return [march.text() for march in found] if len(found) <= room else None


def likely(board: Board, side: Side, others: list[Action], start: str) -> Iterator[str]:
    """Actions in notation among which those that continue `start` are, as far as they can be guessed."""
    words = start.split()
    if words[:1] == ["discard"] and any(isinstance(action, model.Discard) for action in others):
        yield from discards(board, side, words[1:])
    if board.phase != "march":
        yield from map(notation.text, others)
        return
    if "/" in words:
        yield from (plan.text() for plan in islice(marches.likely_branches(board, side, words), MOST))
        return
    begun = words[0] if words else ""
    for word, some in movements(board, side).items():
        if word.startswith(begun):
            yield from map(notation.text, islice(some, MOST))
    if "march".startswith(begun):
        yield from (march.text() for march in marches.likely(board, side, words[1:]))


def discards(board: Board, side: Side, words: list[str]) -> Iterator[str]:
    """Discards that begin with the cards typed so far, where there are too many to list them all."""
    hand = board.hands[side]
    owed = [week.owed_discard(board, side)] if board.phase == "discard" else range(len(hand) + 1)
    for typed in typed_cards(hand, words):
        for more in hands(without(hand, typed), [size - len(typed) for size in owed]):
            yield " ".join(("discard", *typed, *more))


def typed_cards(hand: list[str], words: list[str]) -> list[list[str]]:
    """What the words mean: cards of the hand, the last word perhaps only the beginning of one."""
    whole, last = words[:-1], words[-1:]
    rest = without(hand, whole)
    if len(rest) + len(whole) != len(hand):
        return []
    return [[*whole, card] for card in kinds(rest) if card.startswith(last[0])] if last else [[]]
