"""Times as people type them: reminders, quiet hours, a zone, the hour of a list."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from engines.protocol import printable
from engines.typed import plainly
from tables.core.errors import TableError
from tables.core.quiet import zones

OFF = "off"
HOUR = r"(\d{1,2})(?:[:.](\d{2}))? ?(?:([ap])\.?m\.?)?"
QUIET = re.compile(rf"{HOUR} ?- ?{HOUR}", re.IGNORECASE)


class Times(NamedTuple):
    """What was typed about reminders."""

    remind: int | None
    quiet: str | None
    zone: str | None
    next: bool | None
    call: str | None = None
    digest: str | None = None


def preferences(times: Times) -> dict[str, Any]:
    """What was typed as values of the user's row. Raises `bad-quiet`, `bad-zone`, `bad-hour`."""
    values: dict[str, Any] = {}
    if times.remind is not None:
        values["remind_hours"] = times.remind
    if times.quiet is not None:
        values["quiet_from"], values["quiet_to"] = quiet_hours(times.quiet)
    if times.zone is not None:
        known = {zone.casefold(): zone for zone in zones()}
        typed = plainly(times.zone).replace(" ", "_").casefold()
        if typed not in known:
            raise TableError("bad-zone", zone=printable(times.zone, 40))
        values["zone"] = known[typed]
    if times.next is not None:
        values["next_ping"] = times.next
    if times.call is not None:
        values["call_by"] = times.call
    if times.digest is not None:
        values["digest_at"] = hour_of(times.digest)
    return values


def hour_of(text: str) -> int:
    """`18`, `18:30` or `6pm` in minutes after midnight. Raises `bad-hour`."""
    match = re.fullmatch(HOUR, plainly(text), re.IGNORECASE)
    found = None if match is None else minute(*match.groups())
    if found is None:
        raise TableError("bad-hour", text=printable(text, 20))
    return found


def quiet_hours(text: str) -> tuple[int | None, int | None]:
    """`22-8`, `22:30-7:15` or `10pm-8am` in minutes after midnight; `off` for none. Raises `bad-quiet`."""
    typed = plainly(text)
    if typed.casefold() == OFF:
        return None, None
    match = QUIET.fullmatch(typed)
    if match is None:
        raise TableError("bad-quiet", text=printable(text, 20))
    start, end = minute(*match.groups()[:3]), minute(*match.groups()[3:])
    if start is None or end is None or start == end:
        raise TableError("bad-quiet", text=printable(text, 20))
    return start, end


def minute(hour: str, past: str | None, half: str | None) -> int | None:
    """A time of day in minutes after midnight, by the clock of 24 hours or of twice 12; None for none."""
    hours, minutes = int(hour), int(past or 0)
    if half is not None:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half.casefold() == "p" else 0)
    return hours * 60 + minutes if hours < 24 and minutes < 60 else None


def clock_time(minutes: int) -> str:
    """Minutes after midnight as `22:30`."""
    return f"{minutes // 60}:{minutes % 60:02}"
