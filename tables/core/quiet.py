"""Quiet hours: when a player is left alone, in the zone where he lives."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from db.rows import UserRow

MINUTE_MS = 60_000
DAY_MINUTES = 24 * 60
MOST_SHIFT = 2 * 60  # minutes by which a clock is ever put forward or back


@cache
def zones() -> frozenset[str]:
    """Names of the zones that may be chosen."""
    return frozenset(available_timezones())


def quiet_until(user: UserRow | None, now: int) -> int | None:
    """When the quiet hours that reign now end, ms UTC; None outside them.

    They are hours of the wall clock, so over a change of daylight saving they last an hour more or less.
    An end in the hour that does not exist is where the clock is put forward; of an hour that exists twice
    both are quiet as far as they are named.
    """
    if user is None or user.quiet_from is None or user.quiet_to is None:
        return None
    zone = zone_named(user.zone)
    if not within(user.quiet_from, user.quiet_to, minute_of_day(zone, now)):
        return None
    ahead = (user.quiet_to - minute_of_day(zone, now)) % DAY_MINUTES
    until = now - now % MINUTE_MS + max(ahead - MOST_SHIFT, 0) * MINUTE_MS
    while within(user.quiet_from, user.quiet_to, minute_of_day(zone, until)):
        until += MINUTE_MS
    return until


def zone_named(name: str) -> tzinfo:
    """A zone; UTC for one that was chosen once and is not in today's list any more."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def minute_of_day(zone: tzinfo, at: int) -> int:
    """What the wall clock of a zone shows, in minutes after midnight."""
    here = datetime.fromtimestamp(at / 1000, zone)
    return here.hour * 60 + here.minute


def within(start: int, end: int, minute: int) -> bool:
    """Whether a minute of the day is one of these, the end not included, over midnight too."""
    if start > end:
        return minute >= start or minute < end
    return start <= minute < end
