"""Study tables: a record that somebody brought along, to be stepped through by him alone.

The record is read and carried out by the archive's process (`tables.reading.records`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from db.repositories import actions, tables, users
from db.rows import SeatRow
from engines.chance import commitment
from engines.protocol import Event, Json, State, printable
from engines.registry import engine
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import EVENTS, Loaded
from tables.core.model import Table, User
from tables.lobby.seating import new_table

MOST_BYTES = 1_000_000
MOST_STUDIES = 20  # of one user; the oldest goes
MOST_NAME = 60  # characters
NOWHERE = 0  # its channel: it is not played anywhere
ONE_AT_A_TIME = 0  # no table's number: the lock of all who store a study


@dataclass(frozen=True)
class Brought:
    """A record that was carried out: columns of its table, its log as it is written, and where it leads."""

    columns: dict[str, Any]
    log: str
    seeds: dict[int, bytes]
    seats: list[SeatRow]
    state: State
    events: tuple[Event, ...]


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
    if len(data) > MOST_BYTES:
        raise TableError("record-too-big", most=MOST_BYTES // 1000)
    now = house.clock.now()
    brought = await house.archive.ask(
        "study", data.decode("latin-1"), read=lambda found: brought_of(found, creator, unnamed, now)
    )
    async with house.asked(ONE_AT_A_TIME, interaction_id) as done:
        if done is not None:
            return await house.table(int(done["table"]))
        return await store(house, creator, brought, interaction_id)


def brought_of(found: list[Any], creator: User, unnamed: Callable[[int], str], now: int) -> Brought:
    """The archive's answer (`records.Carried`)."""
    columns, log, seeds, roles, players, nonces, state, events = found
    rules = engine(columns["game"])
    return Brought(
        row_of(columns, creator, now),
        log,
        {int(number): bytes.fromhex(seed) for number, seed in seeds.items()},
        seats(roles, players, nonces, unnamed),
        rules.load(state),
        EVENTS.validate_python(events),
    )


async def store(house: House, creator: User, brought: Brought, interaction_id: int) -> Table:
    """Stores a study, in place of the user's oldest where there are too many."""
    async with house.database.transaction() as tx:
        await users.see(tx, creator.id, creator.name, creator.locale)
        for old in await tables.drop_studies(tx, creator.id, MOST_STUDIES - 1):
            house.forget(old)
        table_id = await tables.add(tx, brought.columns)
        await actions.add_all(tx, table_id, brought.log, brought.seeds, brought.columns["created_at"])
        loaded = await new_table(tx, table_id, brought.seats)
        after = Loaded(loaded.row, loaded.seats, brought.state, brought.events)
        await house.store(tx, after, [])
        await house.note(tx, interaction_id, table_id)
    house.keep(after)
    return after.table()


def row_of(columns: dict[str, Any], creator: User, now: int) -> dict[str, object]:
    """Column values of a study table: over, private, at no place."""
    return {
        **columns,
        "seed": bytes.fromhex(columns["seed"]),
        "reseed": None if columns["reseed"] is None else bytes.fromhex(columns["reseed"]),
        "status": "over",
        "table_options": "{}",
        "channel_id": NOWHERE,
        "in_place": True,
        "private": True,
        "study": True,
        "creator_id": creator.id,
        "version": 1,
        "created_at": now,
        "started_at": now,
        "ended_at": now,
    }


def seats(
    roles: list[str], players: Json, nonces: list[str | None], unnamed: Callable[[int], str]
) -> list[SeatRow]:
    """Seats with the names that the record brings, or what they are called; nobody sits there."""
    given = players if isinstance(players, list) else []
    made = []
    for seat, role in enumerate(roles):
        player = given[seat] if seat < len(given) else None
        name = player.get("name") if isinstance(player, dict) else None
        shown = printable(name, MOST_NAME) if isinstance(name, str) and name.strip() else unnamed(seat + 1)
        added = nonces[seat] if seat < len(nonces) else None
        nonce = None if added is None else bytes.fromhex(added)
        told = None if nonce is None else commitment(nonce)
        made.append(SeatRow(0, seat, role=role, name=shown, nonce=nonce, nonce_told=told))
    return made
