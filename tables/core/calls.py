"""How often one person may have another called: then what is posted names him without a ping.

Turns, reminders and ends are the game's own calls and are never counted; these are what somebody may bring
about as often as he likes: invitations, votes, offered seats.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import replace
from typing import Any

from db.rows import Message
from tables.core.clock import Clock
from tables.core.elsewhere import LAST, NUDGE

AGAIN_MS = 10 * 60 * 1000  # a call more in this time
OWN, ALL = 3, 10  # calls at once that one person, and everybody together, has for another and a kind
MOST_KNOWN = 20_000
KINDS = frozenset({"lobby", "vote", "offer"})
LINES = frozenset({"invited", "resumed", "offer-declined", "handed", "time-given", LAST})


class Calls:
    """Counts calls in memory, by who calls, whom and what for."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._left: OrderedDict[tuple[Any, ...], tuple[float, int]] = OrderedDict()
        self._lobbies: OrderedDict[tuple[int | None, int], bool] = OrderedDict()

    def quietened(self, message: Message) -> Message:
        """The message, calling nobody who was called too often for the like of it."""
        if message.kind not in KINDS | {"line", NUDGE}:
            return message
        data = json.loads(message.payload)
        kind = message.kind if message.kind in KINDS else data.get("code")
        called = data.get("mention") or []
        if not called or kind not in KINDS | LINES:
            return message
        by = caller(data)
        there = [user for user in called if self._calls(message, by, user, kind)]
        if there == called:
            return message
        return replace(message, payload=json.dumps({**data, "mention": there}, ensure_ascii=False))

    def may_fill(self, by: int, guild: int) -> bool:
        """Whether somebody may post something of his own in a channel of a server; counts as a call of it."""
        return self._may(by, guild, "trophy")

    def _calls(self, message: Message, by: int | None, user: int, kind: str) -> bool:
        """Whether this message calls this user. One of a lobby does as the lobby's first: it only changes."""
        key = (message.table_id, user)
        if message.kind != "lobby":
            return self._may(by, user, kind)
        if key not in self._lobbies:
            self._lobbies[key] = self._may(by, user, kind)
            if len(self._lobbies) > MOST_KNOWN:
                self._lobbies.popitem(last=False)
        return self._lobbies[key]

    def _may(self, by: int | None, user: int, kind: str) -> bool:
        """Takes a call of this kind, where there is one left for this pair and for the one who is called."""
        keys = ((by, user, kind), OWN), ((user, kind), ALL)
        left = [self._now(key, most) for key, most in keys]
        if min(left) < 1:
            return False
        for (key, _), calls in zip(keys, left, strict=True):
            self._left[key] = (calls - 1, self._clock.now())
            self._left.move_to_end(key)
        while len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        return True

    def _now(self, key: tuple[Any, ...], most: int) -> float:
        calls, at = self._left.get(key, (float(most), self._clock.now()))
        return min(float(most), calls + max(self._clock.now() - at, 0) / AGAIN_MS)


def caller(data: dict[str, Any]) -> int | None:
    """Who brought a message about: the seat that it names, else who sits first, as a lobby's maker does."""
    users: list[int | None] = data.get("users") or []
    by = (data.get("params") or {}).get("by")
    if isinstance(by, int) and 0 <= by < len(users):
        return users[by]
    return next((user for user in users if user is not None), None)
