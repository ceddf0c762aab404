"""The week: discards, bids, who goes first (6)."""

from __future__ import annotations

from engines.protocol import Action
from engines.sekigahara.data import BIDS, LAST_WEEK, LOYALTY, OTHER, card_order
from engines.sekigahara.model import Bid, Discard, First
from engines.sekigahara.thinking.field import Field
from engines.sekigahara.thinking.plans import card_value, cheapest
from engines.sekigahara.thinking.worth import Situation


def discard(s: Situation) -> Action:
    """The half that is missed least (6.2)."""
    f = Field(s.view, s.side)
    return Discard(cards=cheapest(s, f, len(s.hand) // 2)[0])


def bid(s: Situation) -> Action:
    """A card that is missed little for its number; never the only loyalty card."""
    f = Field(s.view, s.side)
    faces = [face for some in f.mine.values() for face in some]
    loyal = s.hand.count(LOYALTY)

    def cost(card: str) -> float:
        value = card_value(s, card, faces) - 0.004 * BIDS[s.side][card]
        return value + (1.0 if card == LOYALTY and loyal < 3 else 0.0)

    return Bid(card=min(card_order(set(s.hand)), key=cost))


def first(s: Situation) -> Action:
    """Last in the last week; before that first, where more of the enemy can be struck than strikes."""
    if s.view.week == LAST_WEEK:
        return First(side=OTHER[s.side])
    return First(side=s.side)
