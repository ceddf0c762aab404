"""Quiet hours: when a player is left alone, in the zone where he lives."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from db.rows import UserRow

DAY = 24 * 60  # minutes


@cache
def zones() -> frozenset[str]:
    """Names of the zones that may be chosen."""
    return frozenset(available_timezones())


def sensible(user: UserRow) -> bool:
    """Whether a clock can show his hours: this machine may lack a zone, a damaged row anything."""
    hours = (user.quiet_from, user.quiet_to)
    return user.zone in zones() and all(minute is None or 0 <= minute < DAY for minute in hours)


def quiet_until(user: UserRow | None, now: int) -> int | None:
    """When the quiet hours that reign now end, ms UTC; None outside them.

    They are hours of the wall clock, so over a change of daylight saving they last an hour more or less.
    """
    if user is None or user.quiet_from is None or user.quiet_to is None or not sensible(user):
        return None
    here = datetime.fromtimestamp(now / 1000, ZoneInfo(user.zone))
    minute = here.hour * 60 + here.minute
    over_midnight = user.quiet_from > user.quiet_to
    inside = (
        minute >= user.quiet_from or minute < user.quiet_to
        if over_midnight
        else user.quiet_from <= minute < user.quiet_to
    )
    if not inside:
        return None
    day = here.date() + timedelta(days=1 if over_midnight and minute >= user.quiet_from else 0)
    end = datetime(
        day.year, day.month, day.day, user.quiet_to // 60, user.quiet_to % 60, tzinfo=ZoneInfo(user.zone)
    )
    until = int(end.astimezone(UTC).timestamp() * 1000)
    return until if until > now else until + 3_600_000  # the second of two equal hours in autumn
