"""What would follow from an action in Shogun, from a view alone: costs, food, revolts, odds of battles."""

from __future__ import annotations

from collections.abc import Iterator

from engines.protocol import RulesError, Seat, Seen
from engines.shogun.data import (
    BUILDINGS,
    CHEST_CARDS,
    CHESTS,
    COST,
    REGION,
    RICE,
    RICE_LOSS,
    SPACES,
)
from engines.shogun.forecast import forecast
from engines.shogun.model import (
    Battle,
    ChooseSpecial,
    DraftCard,
    Move,
    Place,
    PlanCards,
    Revolts,
    ShogunView,
)
from engines.shogun.notation import parse_action
from engines.shogun.odds import battle_odds, revolt_odds
from engines.shogun.planning import bid_cost
from engines.shogun.rules import rice_of


def foresee(view: ShogunView, action: str, *, odds: bool) -> tuple[Seen, ...]:
    """What would follow from the viewer's action; () where nothing is worth a word, or the text is none."""
    if view.viewer is None:
        return ()
    try:
        what = parse_action(action)
    except RulesError:
        return ()
    if isinstance(what, PlanCards):
        return tuple(of_plan(view, view.viewer, what, odds=odds))
    if isinstance(what, Battle | Move):
        return tuple(of_march(view, view.viewer, what, odds=odds))
    if isinstance(what, ChooseSpecial) and what.special in view.specials:
        place = view.specials.index(what.special) + 1
        return (_seen("place", place=place, of=len(view.players)),)
    if isinstance(what, Revolts) and odds:
        return tuple(of_revolts(view, what))
    if isinstance(what, DraftCard | Place):
        return tuple(of_draft(view, what))
    return ()


def _seen(code: str, /, **params: object) -> Seen:
    return Seen.model_validate({"code": code, "params": params})


def of_plan(view: ShogunView, seat: Seat, plan: PlanCards, *, odds: bool) -> Iterator[Seen]:
    """Of a plan: what it costs and may bring, whether the provinces are fed, and where it meets unrest."""
    laid = {space: card for space, card in plan.cards.items() if space == "bid" or card not in CHEST_CARDS}
    bid = bid_cost(laid.get("bid"))
    cost = sum(COST[space] for space in laid if space != "bid")
    chests = view.players[seat].chests
    if cost + bid > chests:
        yield _seen("cost-short", cost=cost, bid=bid, short=cost + bid - chests)
    elif cost or bid:
        yield _seen("cost", cost=cost, bid=bid, left=chests - cost - bid)
    gathered = laid.get("rice")
    if gathered is not None and gathered in RICE:
        events = view.events or (None,)
        gains = [rice_of(gathered, event, None) for event in events]
        own = sum(province.owner == seat for province in view.provinces.values())
        least, most = winter_losses(view)
        rice = view.players[seat].rice + min(gains)
        least, most = max(0, rice - most), max(0, rice - least)
        yield _seen(
            "rice-sure" if least == most else "rice", rice=rice, provinces=own, least=least, most=most
        )
    for space in ("rice", "tax"):
        card = laid.get(space)
        markers = view.provinces[card].unrest if card is not None and card in view.provinces else 0
        if card is None or card not in view.provinces:
            continue
        if not markers:
            yield _seen("unrest", province=card)
        elif odds:
            held = round(100 * revolt_odds(view, card, markers).held)
            yield _seen("revolt-odds", province=card, markers=markers, held=held)
        else:
            yield _seen("revolt", province=card, markers=markers)
    for space in BUILDINGS:
        name = laid.get(space)
        if name is None or name not in view.provinces:
            continue
        for doubt in forecast(view, space, name).warns:
            if doubt.code == "cannot-build":
                yield _seen("no-building", building=space, province=name, why=doubt.params["why"])


def of_march(view: ShogunView, seat: Seat, march: Battle | Move, *, odds: bool) -> Iterator[Seen]:
    """Of a march or an attack: what stays behind, what it meets, what a tie destroys; the odds on request."""
    target = view.provinces.get(march.to)
    start = view.players[seat].plan.get(view.actions[view.action_index]) if view.pending else None
    if target is None or start is None or start not in view.provinces:
        return
    yield _seen("stays", province=start, armies=view.provinces[start].armies - march.armies)
    if target.owner == seat:
        yield _seen("joins", province=march.to, armies=target.armies + march.armies)
        return
    if odds:
        chances = battle_odds(view, seat, march.to, march.armies)
        win, lose = round(100 * chances.win), round(100 * chances.lose)
        left = round(chances.left / chances.win) if chances.win > 0.005 else 0
        params = {"province": march.to, "win": win, "tie": 100 - win - lose, "lose": lose}
        yield _seen("odds", **params)
        if left:
            yield _seen("left", province=march.to, armies=left)
    if target.owner is not None and target.unrest:
        yield _seen("farmers-idle", province=march.to)
    if target.buildings:
        built = [building for building in BUILDINGS if getattr(target, building)]
        yield _seen("spoils", province=march.to, buildings=built)


def of_revolts(view: ShogunView, order: Revolts) -> Iterator[Seen]:
    """Of an order of revolts: the odds of holding each province, as the tower is now."""
    farmers = view.winter.farmers if view.winter is not None else 0
    for name in order.provinces:
        if name in view.provinces:
            held = revolt_odds(view, name, view.provinces[name].unrest + farmers).held
            yield _seen("hold", province=name, held=round(100 * held))


def of_draft(view: ShogunView, action: DraftCard | Place) -> Iterator[Seen]:
    """Of a province to draft: its goods, its spaces, its region."""
    drawn = view.draft.drawn if view.draft is not None else None
    name = action.card if isinstance(action, DraftCard) else drawn
    if name is None:
        return
    region = REGION[view.options.side][name]
    yield _seen(
        "land", province=name, chests=CHESTS[name], rice=RICE[name], spaces=SPACES[name], region=region
    )


def winter_losses(view: ShogunView) -> tuple[int, int]:
    """The least and the most rice that the winter may cost, by the events that lie open."""
    losses = [RICE_LOSS[event] for event in view.events] or [0]
    return min(losses), max(losses)
