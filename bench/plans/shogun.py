"""Two plain plans of Shogun: build wherever it can be paid, and march with all there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from engines.chance import Chance
from engines.protocol import Seat, View
from engines.shogun.data import BUILDINGS, CHESTS, COST, RICE, SPACES, neighbours
from engines.shogun.model import Battle, Move, Plan, PlanCards, ShogunAction, ShogunView, Stay
from engines.shogun.notation import format_action
from engines.shogun.planning import filled
from engines.shogun.rules import (
    battle_actions,
    draft_actions,
    move_actions,
    revolt_actions,
    special_actions,
)

BUILDING = ("castle", "temple", "theater", "tax", "rice", "recruit5", "recruit3", "recruit1_move")
MARCHING = ("recruit5", "recruit3", "battle_a", "battle_b", "tax", "rice", "theater", "temple", "castle")
SURE = 3  # armies more than a target has, to attack it


def builder(view: View, chance: Chance) -> str:
    """Castles, temples and theaters first, then tax, rice and armies; it marches only where it must."""
    return _chosen(cast(ShogunView, view), chance, BUILDING, most=1)


def marcher(view: View, chance: Chance) -> str:
    """Armies first, two battle cards where the most stand, all of them into the weakest neighbour."""
    return _chosen(cast(ShogunView, view), chance, MARCHING, most=99)


def _chosen(view: ShogunView, chance: Chance, wishes: Sequence[str], most: int) -> str:
    seat = view.viewer or 0
    if view.phase == "plan":
        return format_action(PlanCards.model_validate(_plan(view, seat, wishes)))
    return format_action(_decided(view, seat, chance, most))


def _plan(view: ShogunView, seat: Seat, wishes: Sequence[str]) -> Plan:
    """Each action of the wishes in turn in the best province left, as long as the chests last."""
    own = [name for name, province in view.provinces.items() if province.owner == seat]
    left, purse, plan = list(own), view.players[seat].chests, cast(Plan, {})
    for action in wishes:
        if not left or COST[action] > purse:
            continue
        name = max(left, key=lambda one: _worth(view, seat, action, one))
        if _worth(view, seat, action, name) < 0:
            continue
        plan[action] = name
        left.remove(name)
        purse -= COST[action]
    return filled(plan, own, purse) or filled({}, own, purse) or {}


def _worth(view: ShogunView, seat: Seat, action: str, name: str) -> float:
    """How well an action suits a province; below 0 not at all."""
    province = view.provinces[name]
    if action in BUILDINGS:
        return -1.0 if getattr(province, action) or province.buildings >= SPACES[name] else SPACES[name]
    if action in ("tax", "rice"):
        return -1.0 if province.unrest else (CHESTS if action == "tax" else RICE)[name]
    near = [view.provinces[one] for one in neighbours(name) if one in view.provinces]
    rivals = [one.armies for one in near if one.owner != seat]
    if action.startswith("battle"):
        return province.armies - min(rivals, default=99) - SURE
    return sum(rivals) - province.armies + 99.0


def _decided(view: ShogunView, seat: Seat, chance: Chance, most: int) -> ShogunAction:
    """The first special card, the biggest march into the weakest, any order of revolts."""
    if view.phase == "special":
        return next(special_actions({player.special for player in view.players}, view.specials))
    if view.draft is not None:
        return next(draft_actions(view.draft, seat))
    if view.winter is not None:
        return next(revolt_actions(view.winter.revolts))
    source = view.players[seat].plan[view.actions[view.action_index]]
    marches: list[Battle | Move | Stay] = []
    if view.pending == "battle":
        marches += battle_actions(view, seat, source)
    else:
        marches += move_actions(view, seat, source)
    return max(marches, key=lambda one: _march(view, seat, one, most) + chance.below(100) / 1000)


def _march(view: ShogunView, seat: Seat, march: Battle | Move | Stay, most: int) -> float:
    """Attacks by the armies that are more, own provinces at the worst; `most` armies where none is sure."""
    if isinstance(march, Stay):
        return 0.0
    target = view.provinces[march.to]
    more = march.armies - target.armies
    if target.owner == seat:
        return -1.0 - march.armies
    return float(more) if more >= SURE else -20.0 + min(march.armies, most)


PLANS = {"greedy-a": builder, "greedy-b": marcher}
