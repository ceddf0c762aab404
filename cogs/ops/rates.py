"""How often one user, and one server, may ask: token buckets in memory, on the clock that is passed in.

Playing is never slowed: its buckets hold more than any hand can press. What only looks has smaller ones, and
what folds a whole log has one of its own, so that nobody's playing or asking pays for it.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from cogs.services import Kind
from tables.core.clock import Clock

MOST_KNOWN = 20_000  # buckets; the one that was not used for longest is full again anyway


@dataclass(frozen=True)
class Rate:
    """`burst` at once, then `per_second`."""

    burst: float
    per_second: float


RATES: dict[Kind, Rate] = {
    "playing": Rate(600, 5),  # moves, presses, one's own hand
    "typing": Rate(60, 4),  # completions: Discord asks at pauses in typing, not at every key
    "asking": Rate(60, 1),  # every other command
    "reading": Rate(60, 1),  # replays, logs, exports, proofs: a press a second for as long as one likes
    "importing": Rate(6, 1 / 60),  # records brought along
}
SERVER = Rate(3000, 50)


class Buckets:
    """One bucket a key, full at first."""

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._rate = rate
        self._clock = clock
        self._left: OrderedDict[int, tuple[float, int]] = OrderedDict()  # tokens, and when that was

    def take(self, key: int) -> float:
        """Takes one token; seconds until there is one, 0.0 where it was there. A clock may be set back."""
        now = self._clock.now()
        tokens, at = self._left.get(key, (self._rate.burst, now))
        tokens = min(self._rate.burst, tokens + max(now - at, 0) / 1000 * self._rate.per_second)
        allowed = tokens >= 1
        self._left[key] = (tokens - allowed, now)
        self._left.move_to_end(key)
        if len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        return 0.0 if allowed else (1 - tokens) / self._rate.per_second

    def __len__(self) -> int:
        return len(self._left)


class Limiter:
    """The buckets of this process."""

    def __init__(self, clock: Clock, factor: float = 1.0) -> None:
        """`factor` multiplies every rate; 0 switches them off."""
        self._on = factor > 0

        def buckets(rate: Rate) -> Buckets:
            return Buckets(Rate(rate.burst * (factor or 1), rate.per_second * (factor or 1)), clock)

        self._own = {kind: buckets(rate) for kind, rate in RATES.items()}
        self._servers = buckets(SERVER)

    def wait(self, user_id: int, guild_id: int | None, kind: Kind) -> int:
        """Whole seconds that this user has to wait for his turn, 0 where he may go on."""
        if not self._on:
            return 0
        own = self._own[kind].take(user_id)
        if own or guild_id is None:
            return -int(-own // 1)
        return -int(-self._servers.take(guild_id) // 1)
