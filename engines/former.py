"""What older versions called the end of a game, in events that are still stored: all say `game-over` now."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from engines.values import GAME_OVER, Event, Json, Seen

WON = frozenset({"match-won", "game-won", "over"})  # Kamisado, Rokumon, Sekigahara, with their `winner`
LOST = "game-lost"  # Rokumon's solo, which nobody won


def renamed(event: Json) -> Json:
    """An event's JSON as it would be written today; as it is where it is no such event."""
    code = event.get("code") if isinstance(event, dict) else None
    params = event.get("params") if isinstance(code, str) and isinstance(event, dict) else None
    if not isinstance(params, dict):
        return event
    if code == LOST:
        return {**event, "code": GAME_OVER, "params": {"winners": []}}
    if code in WON and "winner" in params:
        rest = {name: value for name, value in params.items() if name != "winner"}
        return {**event, "code": GAME_OVER, "params": {**rest, "winners": [params["winner"]]}}
    return event


StoredEvent = Annotated[Event, BeforeValidator(renamed)]
StoredSeen = Annotated[Seen, BeforeValidator(renamed)]
