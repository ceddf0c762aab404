"""What the viewer alone knows of his plan: where each of his actions will be done."""

from __future__ import annotations

from engines.shogun.data import CHEST_CARDS
from engines.shogun.model import Plan, ShogunView

PLANNED = ("plan", "special", "action")


def pending(view: ShogunView) -> Plan:
    """What of the viewer's plan nobody else has seen yet: actions still to come; in phase `plan` the bid too."""
    if view.viewer is None or view.phase not in PLANNED:
        return {}
    plan = view.players[view.viewer].plan
    if view.phase == "plan":
        return plan
    shown = {"bid", *(view.actions[: view.action_index] if view.phase == "action" else ())}
    if view.phase == "action" and view.turn is not None and view.turn in view.order:
        begun = view.order.index(view.viewer) <= view.order.index(view.turn)
        shown |= {view.actions[view.action_index]} if begun else set()
    return {space: card for space, card in plan.items() if space not in shown}


def planned(view: ShogunView) -> dict[str, str]:
    """The viewer's provinces with the action that is planned there."""
    return {card: space for space, card in pending(view).items() if card not in CHEST_CARDS}
