"""Numbers that tell how the bot is."""

from __future__ import annotations

from typing import NamedTuple

from db.database import Source


class Counts(NamedTuple):
    """Unsent posts and when the oldest was queued (ms UTC), timers that are late, games that run."""

    unsent: int
    oldest: int | None
    late: int
    running: int


async def counts(source: Source, late_before: int) -> Counts:
    """Everything now; a timer is late where it was due before `late_before`."""
    row = await source.one(
        "SELECT (SELECT count(*) FROM outbox WHERE state IN ('queued', 'flying')) AS unsent, "
        "(SELECT min(created_at) FROM outbox WHERE state IN ('queued', 'flying')) AS oldest, "
        "(SELECT count(*) FROM timers WHERE due_at < ?) AS late, "
        "(SELECT count(*) FROM tables WHERE status = 'running') AS running",
        (late_before,),
    )
    if row is None:
        raise ValueError("a query without a FROM has one row")
    return Counts(row["unsent"], row["oldest"], row["late"], row["running"])
