"""What an entry of a plan would cost and yield, as far as can be known while players plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engines.protocol import Seat
from engines.shogun.data import ACTIONS, BATTLES, BUILDINGS, CHEST_CARDS, COST, OPEN_ACTIONS, STOCK
from engines.shogun.model import ShogunView
from engines.shogun.odds import revolt_odds
from engines.shogun.planning import bid_cost, cards_due
from engines.shogun.rules import battle_targets, no_building, recruits_of, rice_of, tax_of

RECRUITING = ("recruit5", "recruit3", "recruit1_move")
SIX = "recruit6"  # the special card whose holder has to place six


class Warn(NamedTuple):
    """A doubt about an entry: a message id below `shogun.warning.` and its parameters."""

    code: str
    params: dict[str, str | int]


class Forecast(NamedTuple):
    """An entry of a plan.

    cost   chests it takes if it is carried out
    gain   least and most chests, rice or armies it brings, by the open events; 0, 0 for the rest
    warns  what may keep it from working, by the board as it is now
    """

    cost: int
    gain: tuple[int, int]
    warns: tuple[Warn, ...]


def forecast(view: ShogunView, space: str, card: str) -> Forecast:
    """Cost, yield and doubts of the viewer's `card` on `space`; special cards are not known yet."""
    if space == "bid":
        return Forecast(bid_cost(card), (0, 0), ())
    if card in CHEST_CARDS:
        return Forecast(0, (0, 0), ())
    return Forecast(COST[space], _gain(view, space, card), tuple(_doubts(view, space, card)))


def _gain(view: ShogunView, space: str, card: str) -> tuple[int, int]:
    events = view.events or (None,)
    if space == "tax":
        gains = [tax_of(card, event, None) for event in events]
    elif space == "rice":
        gains = [rice_of(card, event, None) for event in events]
    elif space in BUILDINGS or space in BATTLES:
        return 0, 0
    else:
        gains = [recruits_of(space, event, None) for event in events]
    return min(gains), max(gains)


def _doubts(view: ShogunView, space: str, card: str) -> list[Warn]:
    province = view.provinces[card]
    found: list[Warn] = []
    if view.viewer is not None and view.players[view.viewer].chests < COST[space]:
        found.append(Warn("cannot-pay", {}))
    if space in RECRUITING and view.viewer is not None:
        found += _few(space, view.players[view.viewer].supply, _gain(view, space, card)[1])
    if space in BUILDINGS:
        stock = STOCK[space] - len([p for p in view.provinces.values() if getattr(p, space)])
        why = no_building(view, card, space, COST[space], stock)
        if why is not None:
            found.append(Warn("cannot-build", {"why": why}))
    if space in ("tax", "rice") and province.unrest:
        held = round(100 * revolt_odds(view, card, province.unrest).held)
        found.append(Warn("will-revolt", {"province": card, "unrest": province.unrest, "held": held}))
    if space in BATTLES and province.armies < 2:
        found.append(Warn("one-army", {"province": card}))
    elif space in BATTLES and not battle_targets(view, _seat(view), card):
        found.append(Warn("no-target", {"province": card}))
    return found


def _few(space: str, supply: int, armies: int) -> list[Warn]:
    """Whether the supply may not hold what has to be placed, all of it or nothing."""
    if supply < armies:
        return [Warn("few-armies", {"supply": supply, "armies": armies})]
    if space == "recruit5" and supply < recruits_of(space, None, SIX):
        return [Warn(SIX, {"supply": supply, "special": SIX})]
    return []


def _seat(view: ShogunView) -> Seat:
    return -1 if view.viewer is None else view.viewer


def troubles(view: ShogunView, plan: Mapping[str, str]) -> list[tuple[str, Warn]]:
    """What may not work in a plan, space by space as the sheet shows them.

    Chests are counted over the whole plan, which says more than an entry's own doubt. A plan that is
    whole, but bids nothing, comes last in the turn order.
    """
    short, armies = chests_short(view, plan), armies_short(view, plan)
    found: list[tuple[str, Warn]] = []
    for space in spaces_in_order(view):
        card = plan.get(space)
        if card is None:
            continue
        warns = forecast(view, space, card).warns
        if space in short:
            found.append((space, Warn("short", {"n": short[space]})))
        found += [(space, warn) for warn in warns if space not in short or warn.code != "cannot-pay"]
        if space in armies and not any(warn.code in ("few-armies", SIX) for warn in warns):
            supply, missing, six = armies[space]
            few = Warn("few-armies", {"supply": supply, "armies": supply + missing})
            found.append((space, Warn(SIX, {"supply": supply, "special": SIX}) if six else few))
    own = sum(province.owner == view.viewer for province in view.provinces.values())
    if "bid" not in plan and len(plan) == cards_due(own):
        found.append(("bid", Warn("no-bid", {})))
    return found


def spaces_in_order(view: ShogunView) -> list[str]:
    """The eleven spaces as the sheet shows them: open actions in their order, hidden ones, the bid."""
    return [*view.actions, *(action for action in ACTIONS if action not in view.actions), "bid"]


def chests_short(view: ShogunView, plan: Mapping[str, str]) -> dict[str, int]:
    """Actions of a plan for which chests will be short, in the order carried out: action -> chests missing.

    The bid is paid first; open actions come in their order, the closed ones last in the order of the board,
    and a tax brings its least. Closed actions may come in any order, so this is a warning, not a verdict.
    """
    if view.viewer is None:
        return {}
    chests = view.players[view.viewer].chests - bid_cost(plan.get("bid"))
    closed = [action for action in ACTIONS if action not in view.actions[:OPEN_ACTIONS]]
    short: dict[str, int] = {}
    for action in (*view.actions[:OPEN_ACTIONS], *closed):
        card = plan.get(action)
        if card is None or card in CHEST_CARDS:
            continue
        if action == "tax":
            chests += _gain(view, action, card)[0]
        elif COST[action] > chests:
            short[action] = COST[action] - chests
        else:
            chests -= COST[action]
    return short


def armies_short(view: ShogunView, plan: Mapping[str, str]) -> dict[str, tuple[int, int, bool]]:
    """Recruiting actions of a plan for which the supply will be short, in the order carried out.

    Action -> armies in the supply then, armies missing, and whether that is so for the holder of `recruit6`
    alone, who has to place six for `recruit5`: that action may starve, and so may those behind it. What
    battles bring back into the supply is not counted: a warning, not a verdict.
    """
    if view.viewer is None:
        return {}
    short: dict[str, tuple[int, int, bool]] = {}
    closed = [action for action in ACTIONS if action not in view.actions[:OPEN_ACTIONS]]
    order = [a for a in (*view.actions[:OPEN_ACTIONS], *closed) if a in RECRUITING]
    for special in (None, SIX):
        supply = view.players[view.viewer].supply
        for action in order:
            card = plan.get(action)
            if card is None or card in CHEST_CARDS:
                continue
            armies = _gain(view, action, card)[1]
            if special == SIX and action == "recruit5":
                armies = max(armies, recruits_of(action, None, SIX))
            if armies > supply:
                short.setdefault(action, (supply, armies - supply, special == SIX))
            else:
                supply -= armies
    return short
