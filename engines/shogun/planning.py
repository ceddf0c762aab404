"""Secret planning, the reveal of the bids, and the turn order (A year 3-5, rules P)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.chance import Chance
from engines.protocol import RulesError, Seat
from engines.shogun.data import ACTIONS, CHEST_CARDS, OPEN_ACTIONS, PLACES, SPECIALS
from engines.shogun.model import Plan
from engines.shogun.play import Play

MOST = len(PLACES)


def cards_due(own: int) -> int:
    """How many cards a plan of a seat with `own` provinces holds (P2); with none, the chest cards (L1)."""
    return min(MOST, len(CHEST_CARDS) + own)


def bid_cost(card: str | None) -> int:
    """Chests that a card costs on the bid space."""
    return CHEST_CARDS.index(card) if card in CHEST_CARDS else 0


def bid_rank(card: str | None) -> int:
    """Rank of a bid, 0 the best: chest 4 > 3 > 2 > 1 > a province > chest 0 > no card (A year 5)."""
    if card is None:
        return 6
    if card == "chest0":
        return 5
    return 4 - CHEST_CARDS.index(card) if card in CHEST_CARDS else 4


def check_plan(plan: Plan, own: Sequence[str], chests: int) -> None:
    """Refuse a plan against the rules (P1, P2, P4; Ruling: a bid too high).

    Raises RulesError `not-your-card`, `card-twice`, `wrong-number-of-cards`, `bid-too-high`.
    """
    seen: set[str] = set()
    for space, card in plan.items():
        if card not in CHEST_CARDS and card not in own:
            raise RulesError("not-your-card", space=space, card=card)
        if card in seen:
            raise RulesError("card-twice", card=card)
        seen.add(card)
    due = cards_due(len(own))
    if len(plan) != due:
        raise RulesError("wrong-number-of-cards", cards=len(plan), due=due)
    if bid_cost(plan.get("bid")) > chests:
        raise RulesError("bid-too-high", bid=bid_cost(plan.get("bid")), chests=chests)


def cards_for(
    plan: Mapping[str, str], space: str, others: Sequence[str], own: Sequence[str], chests: int
) -> list[str | None]:
    """The cards that may go on `space` so that the plan can still be finished; None is no card.

    `plan` holds what lies on other spaces already, `others` are the further spaces still to be filled.
    """
    hand = [card for card in (*own, *CHEST_CARDS) if card not in plan.values()]
    missing = cards_due(len(own)) - len(plan)
    fitting: list[str | None] = []
    for card in (*hand, None):
        if space == "bid" and bid_cost(card) > chests:
            continue
        left = [c for c in hand if c != card]
        if _can_finish(missing - (card is not None), others, left, chests):
            fitting.append(card)
    return fitting


def empty_spaces(plan: Mapping[str, str]) -> list[str]:
    """Spaces without a card: those after the last action of the plan, then those it left out."""
    reached = max((PLACES.index(space) for space in plan if space != "bid"), default=-1)
    return [space for space in (*PLACES[reached + 1 :], *PLACES[: reached + 1]) if space not in plan]


def filled(plan: Mapping[str, str], own: Sequence[str], chests: int) -> Plan | None:
    """The plan finished with chest cards, the dearest on actions, then provinces; None if it cannot be.

    Spaces after the last one of the plan are filled before those it left empty on the way.
    """
    hand = [card for card in (*reversed(CHEST_CARDS), *own) if card not in plan.values()]
    missing = cards_due(len(own)) - len(plan)
    empty = empty_spaces(plan)
    whole = dict(plan)
    if missing and "bid" in empty:
        bids = sorted((c for c in hand if bid_cost(c) <= chests), key=lambda c: (c in own, bid_cost(c)))
        if bids:
            whole["bid"] = bids[0]
            hand.remove(bids[0])
            missing -= 1
        empty.remove("bid")
    if not 0 <= missing <= len(empty):
        return None
    whole.update(zip(empty[:missing], hand, strict=False))
    try:
        check_plan(whole, own, chests)
    except RulesError:
        return None
    return {space: whole[space] for space in PLACES if space in whole}


def _can_finish(need: int, spaces: Sequence[str], hand: Sequence[str], chests: int) -> bool:
    """Whether exactly `need` cards of the hand can be laid on the spaces with a bid that can be paid."""
    if not 0 <= need <= len(spaces) or need > len(hand):
        return False
    if "bid" not in spaces or need < len(spaces):
        return True
    return any(bid_cost(card) <= chests for card in hand)


def random_plan(own: Sequence[str], chests: int, chance: Chance) -> Plan:
    """A legal plan with cards and empty spaces at random."""
    plan: Plan = {}
    due = cards_due(len(own))
    spaces = chance.shuffled(PLACES)[:due]
    hand = chance.shuffled([*own, *CHEST_CARDS])
    if "bid" in spaces:
        bid = next((card for card in hand if bid_cost(card) <= chests), None)
        if bid is not None:
            hand.remove(bid)
            plan["bid"] = bid
        spaces.remove("bid")
    plan.update(zip(spaces, hand, strict=False))
    return {space: plan[space] for space in PLACES if space in plan}


def reveal(play: Play) -> None:
    """The last plan is in: the event is drawn (A year 4), bids are shown, paid and ranked (A year 5)."""
    event = play.chance.pick(play.events)
    play.events.remove(event)
    play.event = event
    play.tell("event-drawn", reveals=True, event=event)
    ranks: dict[int, list[Seat]] = {}
    for seat in play.active:
        purse = play.players[seat]
        card = (purse.plan or {}).get("bid")
        purse.chests -= bid_cost(card)
        play.tell("bid", reveals=True, seat=seat, card=card, chests=bid_cost(card))
        ranks.setdefault(bid_rank(card), []).append(seat)
    if play.passive:
        ranks[7] = sorted(play.passive)
    play.bid_order = [seat for rank in sorted(ranks) for seat in play.chance.shuffled(ranks[rank])]
    play.tell("bids-ranked", reveals=True, seats=list(play.bid_order))
    play.phase = "special"


def free_specials(play: Play) -> list[str]:
    """Special cards that nobody holds yet, by the space they lie on."""
    taken = {purse.special for purse in play.players}
    return [special for special in play.specials if special not in taken]


def take_special(play: Play, seat: Seat, special: str) -> None:
    """A seat takes a special card; its space is the seat's place in the turn order (A year 5)."""
    play.players[seat].special = special
    play.tell("special-taken", seat=seat, special=special, space=play.specials.index(special) + 1)


def settle_order(play: Play) -> None:
    """All have a special card: the turn order is known and the first action begins."""
    places = {purse.special: seat for seat, purse in enumerate(play.players)}
    play.order = [places[special] for special in play.specials if special in places]
    play.bid_order = []
    play.phase = "action"
    play.action_index = 0
    play.turn = play.order[0]
    play.tell("order-settled", seats=list(play.order))


def deal_round(play: Play) -> None:
    """Action cards (A year 1) and special cards (A year 2) are shuffled and laid out; all plan (A year 3)."""
    play.actions = play.chance.shuffled(ACTIONS)
    play.specials = play.chance.shuffled(SPECIALS)
    play.phase = "plan"
    play.turn = None
    play.order = []
    play.action_index = 0
    play.tell(
        "round-dealt",
        reveals=True,
        year=play.year,
        season=play.season,
        actions=play.actions[:OPEN_ACTIONS],
        specials=list(play.specials),
    )
