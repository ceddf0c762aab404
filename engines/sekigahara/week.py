"""The week: discards, reinforcements, the bid, turns A and B (6)."""

from __future__ import annotations

from engines.protocol import RulesError
from engines.sekigahara import cards, control, victory
from engines.sekigahara.board import SEAT, Board, without
from engines.sekigahara.data import BIDS, LAST_WEEK, OTHER, RECRUITS_A_WEEK, SIDES, Side, block_order
from engines.sekigahara.model import Bid, Discard, First

NEW_CARDS = 5


def owed_discard(board: Board, side: Side) -> int:
    """Half the hand, rounded down (6.2)."""
    return len(board.hands[side]) // 2


def discarders(board: Board) -> list[Side]:
    """Sides that still have to choose their discards; a discard of 0 cards is not asked for."""
    return [side for side in SIDES if side not in board.sealed and owed_discard(board, side)]


def seal_discard(board: Board, side: Side, action: Discard) -> None:
    """A side's discards, in secret. Raises `wrong-discard`, `not-in-hand`."""
    owed = owed_discard(board, side)
    if len(action.cards) != owed:
        raise RulesError("wrong-discard", n=owed)
    _seal(board, side, action.cards, "discard-chosen")


def _seal(board: Board, side: Side, chosen: tuple[str, ...], code: str) -> None:
    if missing := without(chosen, board.hands[side]):
        raise RulesError("not-in-hand", cards=missing)
    board.sealed[side] = chosen
    board.tell(code, {side: {"cards": list(chosen)}}, seat=SEAT[side])


def reinforce(board: Board) -> None:
    """Both discards go down, then cards, then blocks; counts are taken before the first draw (6.2).

    With as many resources both have one block more (Ruling: as many resources).
    """
    for side in SIDES:
        chosen = board.sealed.get(side, ())
        cards.discard(board, side, chosen)
        top = chosen[-1] if chosen else None
        own = {side: {"cards": list(chosen)}}
        if chosen:
            board.tell("discarded", own, seat=SEAT[side], n=len(chosen), top=top, reveals=True)
    board.sealed = {}
    forts, goods = control.more(control.castles(board)), control.more(control.resources(board))
    for side in SIDES:
        cards.draw(board, side, NEW_CARDS + (forts == side))
    for side in SIDES:
        recruit(board, side, RECRUITS_A_WEEK[board.week - 1] + (goods in {side, None}))
    board.phase = "bid"


def recruit(board: Board, side: Side, number: int) -> None:
    """Blocks from the bag to the recruitment box (4.4); an empty bag gives nothing."""
    drawn = take_from_bag(board, side, number)
    board.boxes[side].extend(drawn)
    if drawn:
        own = {side: {"blocks": block_order(drawn)}}
        board.tell("recruited", own, seat=SEAT[side], n=len(drawn), reveals=True)


def take_from_bag(board: Board, side: Side, number: int) -> list[str]:
    """Blocks drawn at random, as far as there are any."""
    bag = block_order(board.bags[side])
    drawn = [bag.pop(board.chance.below(len(bag))) for _ in range(min(number, len(bag)))]
    board.bags[side] = bag
    return drawn


# -- the bid (6.3) ------------------------------------------------------------------------


def bidders(board: Board) -> list[Side]:
    """Sides that still have to bid; an empty hand does not."""
    return [side for side in SIDES if side not in board.sealed and board.hands[side]]


def seal_bid(board: Board, side: Side, action: Bid) -> None:
    """A side's bid, in secret. Raises `not-in-hand`."""
    _seal(board, side, (action.card,), "bid-chosen")


def open_bids(board: Board) -> None:
    """Both bids are shown and discarded; the higher number chooses who goes first."""
    bids = {side: board.sealed[side][0] for side in SIDES if board.sealed.get(side)}
    for side, card in bids.items():
        cards.discard(board, side, [card])
        board.tell("bid", seat=SEAT[side], card=card, bid=BIDS[side][card], reveals=True)
    board.sealed = {}
    winner = cards.bid_winner({side: BIDS[side][card] for side, card in bids.items()})
    board.first = board.active = winner
    board.phase = "first"
    board.tell("bid-won", seat=SEAT[winner])


def choose_first(board: Board, action: First) -> None:
    """Who moves and fights first in turns A and B."""
    board.tell("first", seat=SEAT[board.active], first=SEAT[action.side])
    board.first = action.side
    board.turn = "A"
    begin_turn(board, action.side)


# -- turns (6.4) --------------------------------------------------------------------------


def begin_turn(board: Board, side: Side) -> None:
    """A side's movement phase begins."""
    board.active = side
    board.march = None
    board.battle = None
    board.phase = "move"
    board.tell("turn", seat=SEAT[side], week=board.week, turn=board.turn)


def end_turn(board: Board) -> None:
    """The next side, the next turn (6.4), the next week (6.1), or the end after week 7."""
    if board.active == board.first:
        begin_turn(board, OTHER[board.first])
    elif board.turn == "A":
        board.turn = "B"
        begin_turn(board, board.first)
    elif board.week == LAST_WEEK:
        victory.by_points(board)
    else:
        board.week += 1
        board.turn = "A"
        board.march = None
        board.phase = "discard"
        board.tell("week", week=board.week)
