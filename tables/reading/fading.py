"""A rating says less about who has not played for long: its deviation grows with absence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt

from openskill.models import PlackettLuce

from db.rows import RatingRow
from tables.core.options import UNITS

FIRST = PlackettLuce().rating().sigma  # of who has never played: more is never unknown
KEPT_DAYS = 30  # of absence that say nothing
UNKNOWN_DAYS = 730  # of absence after which a well known strength (deviation 3) is unknown again
GROWTH = (FIRST**2 - 3**2) / UNKNOWN_DAYS  # of the variance, a day


def faded(row: RatingRow, last: int | None, now: int) -> RatingRow:
    """The rating as it is worth now, when its last rated game ended at `last`, ms UTC."""
    if last is None:
        return row
    days = (now - last) / UNITS["d"] - KEPT_DAYS
    if days <= 0 or row.sigma >= FIRST:
        return row
    return replace(row, sigma=min(sqrt(row.sigma**2 + GROWTH * days), FIRST))


def all_faded(rows: Mapping[int, RatingRow], last: Mapping[int, int], now: int) -> dict[int, RatingRow]:
    """The same for several players."""
    return {user_id: faded(row, last.get(user_id), now) for user_id, row in rows.items()}
