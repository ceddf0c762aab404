"""What an action of Shogun's opponent was for, worked out anew from what a viewer knows.

A plan is a secret until it is played, so its reasons are the seat's own, and everybody's after the end.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.capabilities import Deed
from engines.protocol import RulesError, Seat, Seen
from engines.shogun.data import BUILDINGS, CHEST_CARDS, REGION
from engines.shogun.foresight import winter_losses
from engines.shogun.model import Battle, ChooseSpecial, Move, PlanCards, Revolts, ShogunView, Stay
from engines.shogun.notation import parse_action
from engines.shogun.odds import battle_odds, revolt_odds
from engines.shogun.planning import bid_rank
from engines.shogun.rules import rice_of, tax_of
from engines.shogun.winter import majorities

MOST = 3


def reasons(deed: Deed[ShogunView]) -> tuple[Seen, ...]:
    """Why an action was done, the weightiest reason first."""
    if deed.action is None:
        return ()
    try:
        action = parse_action(deed.action)
    except RulesError:
        return ()
    if isinstance(action, PlanCards):
        return tuple(of_plan(deed.before, deed.seat, action))[:MOST]
    if isinstance(action, ChooseSpecial):
        return tuple(of_special(deed, action))[:MOST]
    if isinstance(action, Battle | Move | Stay):
        return tuple(of_march(deed.before, deed.seat, action))[:MOST]
    if isinstance(action, Revolts):
        return tuple(of_revolts(deed.before, action))
    return ()


def of_plan(view: ShogunView, seat: Seat, plan: PlanCards) -> Iterator[Seen]:
    """Of a plan: whom it feeds, the majority that it takes, what it taxes, a bid to be early."""
    laid = {space: card for space, card in plan.cards.items() if card in view.provinces}
    own = sum(province.owner == seat for province in view.provinces.values())
    grown = laid.get("rice")
    if grown is not None:
        gain = min(rice_of(grown, event, None) for event in view.events or (None,))
        rice, loss = view.players[seat].rice + gain, winter_losses(view)[1]
        if rice - gain - loss < own:
            yield Seen(code="feeds", params={"province": grown, "rice": gain, "n": own})
    for building in BUILDINGS:
        name = laid.get(building)
        if name is not None and leads(view, seat, building, name):
            region = REGION[view.options.side][name]
            yield Seen(code="leads", params={"province": name, "building": building, "region": region})
    bid = plan.cards.get("bid")
    if bid_rank(bid) < 3:
        yield Seen(code="bids", params={"n": CHEST_CARDS.index(bid or "chest0")})
    taxed = laid.get("tax")
    if taxed is not None:
        yield Seen(code="taxes", params={"province": taxed, "n": tax_of(taxed, None, None)})


def leads(view: ShogunView, seat: Seat, building: str, name: str) -> bool:
    """Whether one more building there makes or shares a majority that the seat did not have alone."""
    region = REGION[view.options.side][name]
    found = [m for m in majorities(view) if m.region == region and m.building == building]
    if found and found[0].seats == (seat,):
        return False
    return not found or _count(view, seat, building, region) + 1 >= _count(
        view, found[0].seats[0], building, region
    )


def _count(view: ShogunView, seat: Seat, building: str, region: str) -> int:
    regions = REGION[view.options.side]
    return sum(
        p.owner == seat and getattr(p, building) and regions[name] == region
        for name, p in view.provinces.items()
    )


def of_special(deed: Deed[ShogunView], action: ChooseSpecial) -> Iterator[Seen]:
    """Of a special card: its place in the turn order, and the action of the plan that it helps, if known."""
    view = deed.before
    helped = {"tax+1": ("tax",), "rice+1": ("rice",), "recruit6": ("recruit5",)}
    plan = view.players[deed.seat].plan
    for space in helped.get(action.special, ("battle_a", "battle_b")):
        if plan.get(space) in view.provinces and action.special != "defense+1":
            yield Seen(code="helps", params={"special": action.special, "province": plan[space]})
            break
    if action.special in view.specials:
        place = view.specials.index(action.special) + 1
        yield Seen(code="place", params={"place": place, "of": len(view.players)})


def of_march(view: ShogunView, seat: Seat, action: Battle | Move | Stay) -> Iterator[Seen]:
    """Of a march: the odds and what is won, or whom it guards; of staying: what it guards."""
    source = view.players[seat].plan.get(view.actions[view.action_index]) if view.pending else None
    if isinstance(action, Stay):
        if source is not None:
            yield Seen(code="stays", params={"province": source})
        return
    target = view.provinces.get(action.to)
    if target is None:
        return
    if target.owner == seat:
        yield Seen(code="guards", params={"province": action.to, "n": action.armies})
        return
    odds = battle_odds(view, seat, action.to, action.armies)
    if action.armies == 1 and odds.win < 0.35:
        yield Seen(code="must", params={"province": action.to})
        return
    yield Seen(code="odds", params={"province": action.to, "win": round(100 * odds.win)})
    if target.owner is not None and target.buildings:
        built = [building for building in BUILDINGS if getattr(target, building)]
        yield Seen(code="spoils", params={"province": action.to, "buildings": built, "seat": target.owner})
    if target.owner is not None and target.unrest:
        yield Seen(code="alone", params={"province": action.to, "seat": target.owner})


def of_revolts(view: ShogunView, action: Revolts) -> Iterator[Seen]:
    """Of an order of revolts: the first is the safest, and takes its farmers with it."""
    if not action.provinces or action.provinces[0] not in view.provinces:
        return
    name = action.provinces[0]
    farmers = view.provinces[name].unrest + (view.winter.farmers if view.winter else 0)
    held = round(100 * revolt_odds(view, name, farmers).held)
    yield Seen(code="first", params={"province": name, "held": held})
