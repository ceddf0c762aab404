"""Orders that a side leaves, as a text of actions in the usual notation, kept in secret by the table.

For a battle, `deploy mori3 with mori; deploy ukita-gun with ukita-sword; done`: each deployment is made as
soon as the side has the initiative; questions that are asked meanwhile (a challenge, a proof) are still
answered by the player. With a bid, `bid mori; first ishida`: the bid is made at once, and who goes first is
said once the bids lie open, by the side that won (6.3). For a movement phase, `move limited mori; march ...`:
one after the other, at once, so that a mode can be paid for in the press that makes its first march.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.capabilities import SEPARATOR, Edit
from engines.protocol import Action, RulesError, continuing
from engines.sekigahara import battle, flow, legal, model, notation
from engines.sekigahara.board import Board, board_of, without
from engines.sekigahara.data import SIDES, Side, block_order, card_order

WORD = notation.ORDERS
DONE = "done"
FIGHTING = frozenset({"deploy", "challenge", "answer"})
AT_ONCE = frozenset({"move", "march"})  # phases in which nothing of them waits for the other side
CARRIED_OUT = frozenset({"bid", "first", "move", "march", "deploy"})  # phases in which orders do something


def occasion(state: model.SekigaharaState, side: Side) -> str | None:
    """Names what a side may leave orders for: a bid, a movement phase or a battle; None for nothing."""
    if state.battle is not None:
        return fight_of(board_of(state), side)
    return bidding(state, side) or moving(state, side)


def fight_of(board: Board, side: Side) -> str | None:
    """Names the battle for which a side may leave orders; None where there is none, or it is done there."""
    fight = board.battle
    if fight is None or board.phase not in FIGHTING or side in fight.done:
        return None
    if fight.siege and side != fight.attacker:
        return None
    return f"battle {board.week}{board.turn} {fight.attacker} {fight.at}"


def bidding(board: Board | model.SekigaharaState, side: Side) -> str | None:
    """Names the bid with which a side may say who goes first; None where there is none, or it did not win."""
    bids = board.phase == "bid" and (side in board.sealed or bool(board.hands[side]))
    return f"bid {board.week}" if bids or (board.phase == "first" and board.active == side) else None


def has_bid(board: Board, side: Side) -> bool:
    """Whether a side's bid is made, so that who goes first is all that is left to say."""
    return side in board.sealed or board.phase == "first"


def moving(board: Board | model.SekigaharaState, side: Side) -> str | None:
    """Names the movement phase of the active side; None in any other."""
    mine = board.phase in AT_ONCE and board.active == side
    return f"move {board.week}{board.turn}" if mine else None


def read(board: Board, side: Side, text: str) -> tuple[Action, ...]:
    """The orders of a text without its first word, each checked as if those before it had stood.

    Raises `bad-action`, `orders-deploy-only`, `orders-bid-only`, `orders-move-only`, what they raise.
    """
    found = tuple(notation.parse(part) for part in text.split(";") if part.strip())
    if bidding(board, side):
        _check_bid(board, side, found)
        return found
    if moving(board, side):
        moved(board, found)
        return found
    for number, action in enumerate(found):
        last = number == len(found) - 1
        if not isinstance(action, model.Deploy) and not (isinstance(action, model.Done) and last):
            raise RulesError("orders-deploy-only", text=notation.text(action))
    after(board, side, found)
    return found


def _check_bid(board: Board, side: Side, found: Sequence[Action]) -> None:
    """A bid and who goes first, in this order; the bid is left out once it is made."""
    kinds = [action.type for action in found]
    due = ["first"] if has_bid(board, side) else ["bid", "first"]
    if found and kinds != due:
        raise RulesError("orders-bid-only")
    for action in found:
        if isinstance(action, model.Bid) and action.card not in board.hands[side]:
            raise RulesError("not-in-hand", cards=[action.card])


def moved(board: Board, actions: Sequence[Action]) -> Board:
    """A copy of the board after these actions of a movement phase, which raise what they ever raise.

    Raises `orders-move-only`. An exchange of cards draws some, so it is no order.
    """
    copy = Board.of(board.state(), board.chance)
    for action in actions:
        carry_out = flow.ACTS[copy.phase].get(type(action)) if moving(copy, board.active) else None
        if carry_out is None or isinstance(action, model.Discard):
            raise RulesError("orders-move-only", text=notation.text(action))
        carry_out(copy, board.active, action)
    return copy


def written(actions: Sequence[Action]) -> str:
    """Orders as text."""
    return SEPARATOR.join(notation.text(action) for action in actions)


def after(board: Board, side: Side, actions: Sequence[Action]) -> Board:
    """A copy of the board on which these deployments stand. Raises what `battle.deploy` raises."""
    copy = Board.of(board.state(), board.chance)
    fight = battle.fighting(copy)
    for action in actions:
        if not isinstance(action, model.Deploy):
            continue
        battle.check_deploy(copy, side, action)
        if action.card is not None:
            copy.hands[side] = without(copy.hands[side], [action.card])
            fight.used[side].append(action.card)
        fight.impact[side] += battle.impact_of_all(
            block_order(action.blocks), fight.deployed[side], sword=battle.with_special(fight, action)
        )
        fight.deployed[side].extend(block_order(action.blocks))
    return copy


def deployments(board: Board, side: Side) -> list[model.Deploy]:
    """What may be deployed on a board, whoever has the initiative."""
    return [action for action in legal.deployments(board, side) if isinstance(action, model.Deploy)]


def due(board: Board, side: Side, draft: str) -> Edit | None:
    """What the orders do now: the action and what is left. None while they wait; dropped once refused."""
    if not draft or board.phase not in CARRIED_OUT or side not in flow.deciders(board):
        return None
    first, *rest = draft.split(SEPARATOR)
    try:
        read(board, side, draft if board.phase == "bid" else first)
    except RulesError:
        return Edit(draft="")  # what it was meant for has changed: the player is asked himself
    return Edit(draft=SEPARATOR.join(rest), send=first)


def bids(board: Board, side: Side) -> list[tuple[Action, ...]]:
    """What may be ordered with a bid: each card and each side that may go first."""
    firsts = [model.First(side=first) for first in SIDES]
    if has_bid(board, side):
        return [(first,) for first in firsts]
    cards = dict.fromkeys(card_order(board.hands[side]))
    return [(model.Bid(card=card), first) for card in cards for first in firsts]


def completions(board: Board, side: Side, text: str) -> list[str]:
    """Texts that continue orders begun with `orders ...`.

    Each with one deployment more, or `done`; a mode, then what it allows; the bids, with who goes first.
    """
    if bidding(board, side):
        return continuing(text, [f"{WORD} {written(laid)}" for laid in bids(board, side)])
    given = text.partition(WORD)[2]
    whole, _, _ = given.rpartition(";")
    try:
        earlier = read(board, side, whole)
    except RulesError:
        return []
    if moving(board, side):
        here = moved(board, earlier)
        listed = legal.listed(here, side, given.rpartition(";")[2])[1] if moving(here, side) else ()
        begun = [written(earlier)] if earlier else []
        return continuing(text, [f"{WORD} {SEPARATOR.join([*begun, action])}" for action in listed])
    if any(isinstance(action, model.Done) for action in earlier):
        return []
    more = [*deployments(after(board, side, earlier), side), model.Done()]
    texts = [f"{WORD} {written([*earlier, action])}" for action in more]
    start = " ".join(text.casefold().split())
    return [full for full in texts if full.startswith(start) and len(full) <= 100]
