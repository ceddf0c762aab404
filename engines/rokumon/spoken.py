"""Rokumon's actions in words."""

from __future__ import annotations

from engines.protocol import RulesError, Seen
from engines.rokumon.model import Deploy, Fight, Move, Revenge, RokumonView, Surprise
from engines.rokumon.notation import read_text


def spoken(view: RokumonView, text: str) -> tuple[Seen, ...]:
    """The phrase that says an action; () for a spectator or for what is none."""
    if view.viewer is None or view.side is None:
        return ()
    try:
        made = read_text(text, view.side)
    except RulesError:
        return ()
    match made:
        case Deploy(token=None):
            return (Seen(code="deploy-any", params={"at": made.at}),)
        case Deploy():
            return (Seen(code="deploy", params={"token": made.token, "at": made.at}),)
        case Move() | Surprise():
            return (Seen(code=made.type, params={"from": made.origin, "to": made.target}),)
        case Fight(revenge=0):
            return (Seen(code="fight", params={"at": made.at}),)
        case Fight():
            return (Seen(code="fight-added", params={"at": made.at, "count": made.revenge}),)
        case Revenge(count=0):
            return (Seen(code="revenge-none"),)
        case Revenge():
            return (Seen(code="revenge", params={"count": made.count}),)
    return (Seen(code=made.type, params={"act": view.act}),)
