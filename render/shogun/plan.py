"""What the viewer alone knows of his plan: where each of his actions will be done."""

from __future__ import annotations

from engines.shogun.data import CHEST_CARDS
from engines.shogun.model import Plan, ShogunView

PLANNED = ("plan", "special", "action")


def pending(view: ShogunView) -> Plan:
    """What of the viewer's plan nobody else has seen: actions to come; in phase `plan` the bid too."""
    if view.viewer is None or view.phase not in PLANNED:
        return {}
    done = finished(view)
    return {space: card for space, card in view.players[view.viewer].plan.items() if space not in done}


def finished(view: ShogunView) -> set[str]:
    """The spaces of the viewer's plan that all have seen: carried out, or on their way."""
    if view.phase not in ("special", "action"):
        return set()
    done = {"bid"}
    if view.phase == "action":
        done |= set(view.actions[: view.action_index])
        if view.viewer in view.order and view.turn in view.order:
            begun = view.order.index(view.viewer) <= view.order.index(view.turn)
            done |= {view.actions[view.action_index]} if begun else set()
    return done


def planned(view: ShogunView) -> dict[str, str]:
    """The viewer's provinces with the action that is planned there."""
    return {card: space for space, card in pending(view).items() if card not in CHEST_CARDS}
