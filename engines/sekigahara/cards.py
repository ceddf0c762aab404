"""Cards: drawing, discarding, and what is drawn after a fight (3.3, 8.10)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.sekigahara.board import SEAT, Board, without
from engines.sekigahara.data import OTHER, SIDES, Side, card_order


def discard(board: Board, side: Side, cards: Sequence[str]) -> None:
    """Cards from the hand to the discards; the last named lies on top."""
    board.hands[side] = without(board.hands[side], cards)
    board.discards[side].extend(cards)


def draw(board: Board, side: Side, number: int) -> None:
    """Draws cards; an empty deck is reshuffled from its discards, with both empty the rest is lost (3.3)."""
    drawn: list[str] = []
    for _ in range(number):
        if not board.decks[side]:
            if not board.discards[side]:
                break
            board.decks[side] = board.chance.shuffled(card_order(board.discards[side]))
            board.discards[side] = []
            board.tell("reshuffled", seat=SEAT[side], reveals=True)
        drawn.append(board.decks[side].pop(0))
    board.hands[side].extend(drawn)
    if drawn:
        own = {side: {"cards": card_order(drawn)}}
        board.tell("drew", own, seat=SEAT[side], n=len(drawn), reveals=True)


def after_fight(board: Board, overrun: tuple[Side, int] | None = None) -> None:
    """Used cards are discarded and replaced, and losses bring cards, all in one go (8.10).

    `overrun`: the side that lost blocks in an overrun at the end of the retreat, and how many.
    """
    fight = board.battle
    if fight is None:
        raise ValueError("no fight to draw cards for")
    for side in SIDES:
        used, lost = fight.used[side], len(fight.lost[side])
        due = len(used) + (lost if fight.siege else lost // 2)
        if overrun and overrun[0] == side:
            due += overrun[1] // 2
        board.discards[side].extend(used)
        fight.used[side] = []
        draw(board, side, due)


def top(board: Board, side: Side) -> str | None:
    """The card on top of a side's discards, the only one that is seen (3.3)."""
    return board.discards[side][-1] if board.discards[side] else None


def bid_winner(bids: dict[Side, int]) -> Side:
    """The higher bid (6.3); a side without one loses, without any Tokugawa chooses (Ruling: no bids)."""
    if len(bids) == 2:
        return max(SIDES, key=lambda side: bids[side])
    return next(iter(bids), OTHER["ishida"])
