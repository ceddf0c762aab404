"""Who is called elsewhere than at the table: by DM each time, or by one DM a day that lists what waits.

What calls somebody to a turn is looked at when it is queued: who wishes to be called by DM is named at the
table without a ping, and has a row of their own in the same transaction; for a digest a timer is set. Few
wish either, so who does is kept in memory, and no post waits for the database.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from db.rows import Message, UserRow
from tables.core.quiet import zone_named

TABLE, BY_DM, DIGEST = "table", "dm", "digest"
NUDGE = "nudge"  # a line that calls, and goes when the next board comes
LAST = "last"  # a nudge: all the others have chosen
CALL = "call"  # a row by DM that calls
TURNS = frozenset({"board", NUDGE, "reminder"})  # kinds of rows that call to a turn
LINES = frozenset({"in-order", "resumed", "reminded"})  # and lines
TURN = "call-turn"
SAID = {
    "reminder": "call-reminder",
    "reminded": "call-reminded",
    LAST: "call-last",
}  # the DM's line, else TURN
WISHED = frozenset({TURN, *SAID.values()})  # lines of calls by DM that somebody wished
WISHES = 0  # no table: what the other processes are told when a wish has changed
KEPT = ("table", "game", "version", "locale", "names", "users")  # of a row at the table, for the one by DM


class Redirected(NamedTuple):
    """Rows to be queued, and users whose digest is to come."""

    messages: list[Message]
    digests: frozenset[int]


class Elsewhere:
    """What few people wish about their calls."""

    def __init__(self) -> None:
        self._wishes: dict[int, UserRow] = {}

    def note(self, user_id: int, row: UserRow | None) -> None:
        """What a person wishes now; None of one who is forgotten."""
        if row is None or row.call_by == TABLE:
            self._wishes.pop(user_id, None)
        else:
            self._wishes[user_id] = row

    def clear(self) -> None:
        """All wishes are about to be read."""
        self._wishes.clear()

    def digest_due(self, user_id: int, now: int) -> int:
        """When a user's next digest comes, ms UTC."""
        row = self._wishes[user_id]
        return next_at(row.zone, row.digest_at, now)

    def redirected(self, messages: Iterable[Message]) -> Redirected:
        """The messages as the people whom they call wish to be called."""
        found, digests = list(messages), set[int]()
        if not self._wishes:
            return Redirected(found, frozenset())
        told = {message.destination for message in found if message.kind == CALL}
        made: list[Message] = []
        for message in found:
            kept, by_dm, daily = self._parted(message)
            made += [] if kept is None else [kept]
            made += [one for one in by_dm if one.destination not in told]  # once, whatever calls them
            digests |= daily
        return Redirected(made, frozenset(digests))

    def _parted(self, message: Message) -> tuple[Message | None, list[Message], set[int]]:
        """A message without those who are called elsewhere, their DMs, and those with a digest."""
        if message.kind not in TURNS | {"line"} or not message.destination.startswith("table:"):
            return message, [], set()
        data = json.loads(message.payload)
        code = str(data.get("code") or "")
        moved = [user for user in data.get("mention") or () if user in self._wishes]
        if not moved or data.get("direct") or (message.kind == "line" and code not in LINES):
            return message, [], set()
        there = [user for user in data["mention"] if user not in self._wishes]
        acting = users_to_act(data)
        by_dm = [
            call(message, data, user, SAID.get(code, TURN))
            for user in moved
            if self._wishes[user].call_by == BY_DM and user in acting
        ]
        daily = {user for user in moved if self._wishes[user].call_by == DIGEST and user in acting}
        kept = replace(message, payload=json.dumps({**data, "mention": there}, ensure_ascii=False))
        empty = not there and message.kind in (NUDGE, "reminder")  # it had nothing else to say
        return None if empty else kept, by_dm, daily


def users_to_act(data: dict[str, Any]) -> set[int]:
    """Of those whom a row calls the ones who have to act: a board may also call who is next."""
    called = set(data["mention"])
    seats, users = data.get("to_act"), data.get("users") or []
    return called if seats is None else called & {users[seat] for seat in seats if seat < len(users)}


def call(message: Message, data: dict[str, Any], user_id: int, code: str) -> Message:
    """The row by DM that calls a user in place of one at the table."""
    payload: dict[str, Any] = {**{name: data.get(name) for name in KEPT}, "mention": [], "code": code}
    params = data.get("params") or {}
    payload["params"] = {name: params[name] for name in ("since", "by") if name in params}
    return Message(message.table_id, f"user:{user_id}", CALL, json.dumps(payload, ensure_ascii=False))


def next_at(zone: str, minute: int, now: int) -> int:
    """When the wall clock of a zone next shows a minute of the day, ms UTC, after `now`."""
    here = datetime.fromtimestamp(now / 1000, zone_named(zone))
    then = here.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0, fold=0)
    if then.timestamp() * 1000 <= now:
        then = (here + timedelta(days=1)).replace(
            hour=minute // 60, minute=minute % 60, second=0, microsecond=0, fold=0
        )
    return int(then.timestamp() * 1000)
