"""Study tables: a record that somebody brought along, to be stepped through by him alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from db.repositories import actions, tables, users
from db.rows import ActionRow, SeatRow
from engines import record
from engines.chance import commitment
from engines.protocol import Json, RulesError, printable
from engines.record import Acted, History, Record
from tables.core.errors import TableError, refused
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.model import Table, User
from tables.lobby.seating import new_table

MOST_BYTES = 1_000_000
MOST_DEPTH = 40  # brackets within brackets
MOST_PLIES = 2000
MOST_STUDIES = 20  # of one user; the oldest goes
MOST_NAME = 60  # characters
NOWHERE = 0  # its channel: it is not played anywhere
ONE_AT_A_TIME = 0  # no table's number: the lock of all who import


async def study(
    house: House, creator: User, data: bytes, interaction_id: int, unnamed: Callable[[int], str] = str
) -> Table:
    """A study table of this record, private to its creator.

    Seats that the record does not name are called what `unnamed` makes of their number, from 1.
    Raises `record-too-big` (most), `record-too-deep`, `record-too-long` (most), `bad-record`, and what
    the record's own game refuses.
    """
    async with house.asked(ONE_AT_A_TIME, interaction_id) as done:
        if done is not None:
            return await house.table(int(done["table"]))
        history, players = await house.aside.run(brought, data)
        return await store(house, creator, history, seats(history, players, unnamed), interaction_id)


def brought(data: bytes) -> tuple[History, Any]:
    """The record of a file, carried out, and the names that it brings: in a thread, as it may be long."""
    value = read(data)
    return carried_out(value), value.get("players") if isinstance(value, dict) else None


async def store(
    house: House, creator: User, history: History, named: list[SeatRow], interaction_id: int
) -> Table:
    """Stores a study, in place of the user's oldest where there are too many."""
    now = house.clock.now()
    async with house.database.transaction() as tx:
        await users.see(tx, creator.id, creator.name, creator.locale)
        for old in await tables.drop_studies(tx, creator.id, MOST_STUDIES - 1):
            house.forget(old)
        table_id = await tables.add(tx, row_of(history, creator, now))
        for entry in entries(history, table_id, now):
            await actions.add(tx, entry)
        loaded = await new_table(tx, table_id, named)
        last = history.plies[-1].events if history.plies else history.start.events
        after = Loaded(loaded.row, loaded.seats, history.state, last)
        await house.store(tx, after, [])
        await house.note(tx, interaction_id, table_id)
    house.keep(after)
    return after.table()


def read(data: bytes) -> Any:
    """JSON from outside, within its bounds."""
    if len(data) > MOST_BYTES:
        raise TableError("record-too-big", most=MOST_BYTES // 1000)
    if depth(data) > MOST_DEPTH:
        raise TableError("record-too-deep")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise TableError("bad-record", why="no JSON") from None


def depth(data: bytes) -> int:
    """How deep brackets nest, strings apart."""
    deepest = level = 0
    text = escaped = False
    for byte in data:
        if text:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                text = False
        elif byte == 0x22:
            text = True
        elif byte in b"[{":
            level += 1
            deepest = max(deepest, level)
        elif byte in b"]}":
            level -= 1
    return deepest


def carried_out(value: Json) -> History:
    """The record's history; its players and result, which an export adds, are not needed for it."""
    given = (
        {k: v for k, v in value.items() if k not in ("players", "result")}
        if isinstance(value, dict)
        else value
    )
    try:
        found = record.read_record(given)
        if len(found.actions) > MOST_PLIES:
            raise TableError("record-too-long", most=MOST_PLIES)
        return record.verify(found) if found.commitment else record.fold(found)
    except RulesError as error:
        raise refused(error) from None


def row_of(history: History, creator: User, now: int) -> dict[str, object]:
    """Column values of a study table: over, private, at no place."""
    found: Record = history.record
    result = found.engine.result(history.state)
    return {
        "game": found.game,
        "rules": found.rules,
        "status": "over",
        "options": json.dumps(found.options),
        "table_options": "{}",
        "channel_id": NOWHERE,
        "in_place": True,
        "private": True,
        "study": True,
        "creator_id": creator.id,
        "commitment": found.commitment or commitment(bytes.fromhex(found.seed)),
        "seed": bytes.fromhex(found.seed),
        "reseed": bytes.fromhex(found.seeds[-1][1]) if len(found.seeds) > 1 else None,
        "position": None if found.position is None else json.dumps(found.position),
        "result": None if result is None else json.dumps(result.model_dump(mode="json")),
        "version": 1,
        "entries": len(history.plies),
        "created_at": now,
        "started_at": now,
        "ended_at": now,
    }


def entries(history: History, table_id: int, now: int) -> list[ActionRow]:
    """The record's entries as rows of the log."""
    made = []
    for ply in history.plies:
        acted = ply.entry if isinstance(ply.entry, Acted) else None
        undo = None if isinstance(ply.entry, Acted) else ply.entry.undo
        action = None if acted is None else json.dumps(acted.action)
        seat = None if acted is None else acted.seat
        made.append(ActionRow(table_id, ply.number, seat, action, undo, False, False, None, now, reseed(ply)))
    return made


def reseed(ply: record.Ply) -> bytes | None:
    """The seed that an entry brought, where it took back a game's end."""
    fresh = None if isinstance(ply.entry, Acted) else ply.entry.seed
    return None if fresh is None else bytes.fromhex(fresh)


def seats(history: History, players: Any, unnamed: Callable[[int], str]) -> list[SeatRow]:
    """Seats with the names that the record brings, or what they are called; nobody sits there."""
    given = players if isinstance(players, list) else []
    made = []
    for seat, role in enumerate(history.record.engine.roles(history.state)):
        player = given[seat] if seat < len(given) and isinstance(given[seat], dict) else {}
        name = player.get("name")
        shown = printable(name, MOST_NAME) if isinstance(name, str) and name.strip() else unnamed(seat + 1)
        added = (history.record.nonces or ())[seat : seat + 1]
        nonce = bytes.fromhex(added[0]) if added and added[0] else None
        told = None if nonce is None else commitment(nonce)
        made.append(SeatRow(0, seat, role=role, name=shown, nonce=nonce, nonce_told=told))
    return made
