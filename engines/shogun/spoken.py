"""Shogun's actions in words."""

from __future__ import annotations

from engines.protocol import RulesError, Seen
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


def spoken(view: ShogunView, text: str) -> tuple[Seen, ...]:
    """The phrases that say an action; () for a spectator or for what is none."""
    if view.viewer is None:
        return ()
    try:
        made = parse_action(text)
    except RulesError:
        return ()
    match made:
        case DraftCard(card=None):
            return (Seen(code="draft-pile"),)
        case DraftCard():
            return (Seen(code="draft", params={"card": made.card, "armies": made.armies}),)
        case Place():
            return (Seen(code="place", params={"armies": made.armies}),)
        case PlanCards():
            return tuple(
                Seen(code="plan", params={"space": space, "card": card}) for space, card in made.cards.items()
            )
        case ChooseSpecial():
            return (Seen(code="choose_special", params={"special": made.special}),)
        case Battle() | Move():
            here = view.provinces.get(made.to)
            own = here is not None and here.owner == view.viewer  # to a province of one's own nobody attacks
            return (Seen(code="move" if own else made.type, params={"to": made.to, "armies": made.armies}),)
        case Revolts():
            return (Seen(code="revolts", params={"provinces": list(made.provinces)}),)
    return (Seen(code=made.type),)
