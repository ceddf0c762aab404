"""Deployments in a battle or siege: impact, specials, initiative, loyalty (8.2-8.6, 8.9.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engines.protocol import RulesError
from engines.sekigahara.board import SEAT, Board, Fight, without
from engines.sekigahara.data import (
    ANY_CARD,
    KIND,
    LEADERS,
    LOYALTY,
    MON,
    OTHER,
    OWNER,
    SIDES,
    STRENGTH,
    Side,
    block_order,
    card_kind,
    deploys,
)
from engines.sekigahara.model import Challenge, Concede, Deploy, Done, Pending, Show

SPECIAL = 2  # of a gun or cavalry block by a sword card, and for each earlier one of its kind (8.4.1)


def fighting(board: Board) -> Fight:
    """The fight that is on."""
    if board.battle is None:
        raise RulesError("no-battle")
    return board.battle


def initiative(fight: Fight) -> Side:
    """Who deploys or is done (8.5): the side with less impact, the attacker on equal; in a siege he alone."""
    if fight.siege or fight.defender in fight.done:
        return fight.attacker
    if fight.attacker in fight.done:
        return fight.defender
    behind = fight.impact[fight.defender] < fight.impact[fight.attacker]
    return fight.defender if behind else fight.attacker


def is_over(fight: Fight) -> bool:
    """Whether all deployments are done."""
    return fight.attacker in fight.done and (fight.siege or fight.defender in fight.done)


def undeployed(board: Board, side: Side) -> list[str]:
    """A side's blocks of this fight that have not been deployed, nor wait for an answer."""
    fight = fighting(board)
    out = [face for face in (*fight.deployed[side], *fight.deployed[OTHER[side]]) if OWNER[face] == side]
    if fight.pending and fight.pending.side == side:
        out.extend(fight.pending.blocks)
    return without(board.at(side, fight.at), out)


def cardless(fight: Fight, side: Side) -> bool:
    """Whether leaders may still come without a card: until the side's first card here (8.2.4).

    Ruling: leaders without a card.
    """
    return all(card == LOYALTY for card in fight.used[side])


def impact_of(face: str, standing: Iterable[str], *, sword: bool) -> int:
    """What a block adds beside the blocks that stand on its side already (8.3.2, 8.3.3, 8.4.1)."""
    earlier = list(standing)
    value = STRENGTH[face] + sum(MON[other] == MON[face] for other in earlier)
    kind = KIND[face]
    if sword and kind:
        value += SPECIAL + SPECIAL * sum(KIND[other] == kind for other in earlier)
    return value


def impact_of_all(faces: Sequence[str], standing: Sequence[str], *, sword: bool) -> int:
    """What blocks add one after the other."""
    return sum(impact_of(face, (*standing, *faces[:n]), sword=sword) for n, face in enumerate(faces))


def deploy(board: Board, side: Side, action: Deploy) -> None:
    """A deployment (8.2.3, 8.4.2); one by card waits for the opponent's answer, except in a siege.

    Raises `no-block-named`, `no-such-block`, `no-such-leader`, `leaders-first`, `not-in-hand`,
    `card-does-not-deploy`, `too-many-blocks`.
    """
    fight = fighting(board)
    check_deploy(board, side, action)
    faces = tuple(block_order(action.blocks))
    if action.card is None:
        board.tell("led", seat=SEAT[side], blocks=list(faces), reveals=True)
        stand(board, side, faces, sword=False)
        return
    board.hands[side] = without(board.hands[side], [action.card])
    fight.used[side].append(action.card)
    board.tell("deployed", seat=SEAT[side], blocks=list(faces), card=action.card, reveals=True)
    if fight.siege:
        stand(board, side, faces, sword=False)
        return
    fight.pending = Pending(side=side, card=action.card, blocks=faces)
    board.phase = "challenge"


def check_deploy(board: Board, side: Side, action: Deploy) -> None:
    """Whether a deployment is legal; see `deploy` for what is raised."""
    fight = fighting(board)
    if not action.blocks:
        raise RulesError("no-block-named")
    if missing := without(action.blocks, undeployed(board, side)):
        raise RulesError("no-such-block", blocks=missing)
    if action.card is None:
        if len(action.blocks) != 1 or action.blocks[0] not in LEADERS:
            raise RulesError("no-such-leader", blocks=list(action.blocks))
        if not cardless(fight, side):
            raise RulesError("leaders-first")
        return
    if action.card not in board.hands[side]:
        raise RulesError("not-in-hand", cards=[action.card])
    if not all(deploys(action.card, face) for face in action.blocks):
        raise RulesError("card-does-not-deploy", card=action.card, blocks=list(action.blocks))
    double = card_kind(action.card) == "double" and not ANY_CARD.intersection(action.blocks)
    if len(action.blocks) > (2 if double else 1):
        raise RulesError("too-many-blocks", card=action.card)


def stand(board: Board, side: Side, faces: Sequence[str], *, sword: bool) -> None:
    """Blocks stand on a side and add their impact, challenges being over (8.3.1)."""
    fight = fighting(board)
    added = impact_of_all(faces, fight.deployed[side], sword=sword)
    fight.deployed[side].extend(faces)
    fight.impact[side] += added
    board.phase = "deploy"
    board.tell("impact", seat=SEAT[side], n=added, **scores(fight))


def with_special(fight: Fight, action: Deploy) -> bool:
    """Whether a deployment brings a special attack: by a sword card, and not in a siege (8.4.1, 8.9.5)."""
    return action.card is not None and card_kind(action.card) == "sword" and not fight.siege


def done(board: Board, side: Side, _action: Done) -> None:
    """A side will deploy no more; it may still challenge (8.5)."""
    fighting(board).done.append(side)
    board.tell("done", seat=SEAT[side])


def scores(fight: Fight) -> dict[str, Any]:
    """Both impacts, as an event tells them."""
    return {side: fight.impact[side] for side in SIDES}


# -- loyalty (8.6) ------------------------------------------------------------------------


def pending(board: Board) -> Pending:
    """The deployment that waits for an answer."""
    fight = fighting(board)
    if fight.pending is None:
        raise RulesError("no-battle")
    return fight.pending


def accept(board: Board) -> None:
    """The deployment stands, with its special if it has one."""
    fight, waiting = fighting(board), pending(board)
    fight.pending = None
    stand(board, waiting.side, waiting.blocks, sword=card_kind(waiting.card) == "sword")


def challenge(board: Board, side: Side, _action: Challenge) -> None:
    """A loyalty card is played (8.6.1). Raises `no-loyalty-card`."""
    if LOYALTY not in board.hands[side]:
        raise RulesError("no-loyalty-card")
    board.hands[side] = without(board.hands[side], [LOYALTY])
    fighting(board).used[side].append(LOYALTY)
    board.tell("challenged", seat=SEAT[side], blocks=list(pending(board).blocks), reveals=True)
    board.phase = "answer"


def proofs(board: Board) -> list[str]:
    """Cards in the deployer's hand that could have deployed the challenged block.

    One is enough for both of a double (8.6.3).
    """
    waiting = pending(board)
    return [card for card in board.hands[waiting.side] if deploys(card, waiting.blocks[0])]


def show(board: Board, side: Side, action: Show) -> None:
    """Another card proves loyalty and stays in hand (8.6.1). Raises `not-in-hand`, `no-proof`."""
    if action.card not in board.hands[side]:
        raise RulesError("not-in-hand", cards=[action.card])
    if action.card not in proofs(board):
        raise RulesError("no-proof", card=action.card)
    board.tell("shown", seat=SEAT[side], card=action.card, reveals=True)
    accept(board)


def concede(board: Board, side: Side, _action: Concede) -> None:
    """The blocks change sides and count for the challenger (8.6.1), without specials (8.6.2)."""
    fight, waiting = fighting(board), pending(board)
    fight.pending = None
    fight.defected[side].extend(waiting.blocks)
    board.tell("defected", seat=SEAT[side], by=SEAT[OTHER[side]], blocks=list(waiting.blocks), reveals=True)
    stand(board, OTHER[side], waiting.blocks, sword=False)
