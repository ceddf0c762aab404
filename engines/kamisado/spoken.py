"""Kamisado's actions in words: which tower, from where, to which colour."""

from __future__ import annotations

from engines.kamisado import notation
from engines.kamisado.data import COLOR_OF, SIDES
from engines.kamisado.model import Fill, KamisadoView, Move, Push
from engines.protocol import RulesError, Seen


def spoken(view: KamisadoView, action: str) -> tuple[Seen, ...]:
    """The phrase that says an action; () for a spectator or for what is none."""
    if view.viewer is None:
        return ()
    try:
        made = notation.parse_text(action, view, view.viewer)
    except RulesError:
        return ()
    if isinstance(made, Fill):
        return (Seen(code="fill", params={"side": made.side}),)
    if not isinstance(made, Move | Push):
        return (Seen(code=made.type),)
    own = [t for t in view.towers if t.square == made.from_ and t.owner == SIDES[view.viewer]]
    params = {"from": made.from_, "to": made.to, "color": COLOR_OF[made.to]}
    return tuple(Seen(code=made.type, params={"tower": tower.color, **params}) for tower in own)
