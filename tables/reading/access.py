"""What may be read of tables, and by whom."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from db.repositories import actions, tables
from db.rows import ActionRow
from engines import record
from engines.capabilities import Statistics
from engines.protocol import Json, RulesError, Seen, Step, Viewer
from tables.core import soundness
from tables.core.admission import admit, may_see
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded, committed, record_of, told_of
from tables.core.model import Filters, Happened, Purpose, Shown, Table, Waiting
from tables.core.soundness import Found, earlier, stuck

log = logging.getLogger("hatamoto.tables")
MOST_NAMED = 25
HEADED = re.compile(r"# ?(\d{1,18})(?: |$)")  # of an action: the table it is for
LOOKS = 5  # at a table that is being played


Power = Callable[[Table], bool]


def powerless(_table: Table) -> bool:
    """Nobody has power over a table unless it is asked with that."""
    return False


async def find(  # noqa: PLR0917 - who asks, where, about what
    house: House,
    user_id: int,
    channel_id: int,
    table_id: int | None,
    guild_id: int | None = None,
    purpose: Purpose = "any",
    power: Power = powerless,
) -> Table:
    """The table meant: named, else this thread's or channel's, else the only one that waits for the user.

    By its number, one of this server, or of one's own; those of other servers do not exist for who asks.
    Of several in a channel those come first that the purpose fits, so that nobody names a table for
    what only one of them allows. Private tables are there for whom they are (`core.admission`), and for who
    has `power` over them, as a moderator. Raises `no-table`, `no-table-here`, `which-table` (tables, games).
    """
    if table_id is not None:
        table = await house.table(table_id)
        if not power(table):
            admit(table, user_id)
        of_this_server = guild_id is not None and table.place.guild_id == guild_id
        if not (of_this_server or user_id == table.creator_id or own([table], user_id)):
            raise TableError("no-table")
        return table
    return one(await meant(house, user_id, channel_id, purpose, power), user_id)


async def meant(
    house: House, user_id: int, channel_id: int, purpose: Purpose, power: Power = powerless
) -> list[Table]:
    """The tables that may be meant without a number: those of this place, else the user's own."""
    placed = [await house.table(n) for n in await tables.in_channel(house.database.reads, channel_id)]
    here = [table for table in placed if may_see(table, user_id) or power(table)]
    live = [table for table in here if table.status in ("open", "running", "broken")]
    last = [table for table in here if table.status == "over"][:1]  # of the games played here
    fit = [table for table in here if fits(table, user_id, purpose)]
    past = last if purpose in ("over", "played") else []
    for found in (own(fit, user_id), fit, past, own(live, user_id), live, here[:1]):
        if found:
            return found
    return [waiting.table for waiting in await mine(house, user_id)]


def headed(text: str) -> tuple[int | None, str]:
    """A typed action without the table's number at its head (`#12 d8-d3`), and that number."""
    match = HEADED.match(text)
    return (None, text) if match is None else (int(match[1]), text[match.end() :])


def waiting_for(found: list[Table], user_id: int) -> list[Table]:
    """Those of the tables that wait for the user."""
    return [table for table in found if table.seat_of(user_id) in table.to_act]


def fits(table: Table, user_id: int, purpose: Purpose) -> bool:
    """Whether what is asked for can be done at this table, by its state alone."""
    if purpose == "join":
        return table.status == "open" and table.seat_of(user_id) is None
    return purpose != "over" and table.status == ("running" if purpose == "played" else purpose)


def own(found: list[Table], user_id: int) -> list[Table]:
    """Those at which the user sits or is invited."""
    return [t for t in found if any(user_id in (seat.user_id, seat.invited) for seat in t.seats)]


def one(found: list[Table], user_id: int) -> Table:
    """The only one, or the only one that waits for the user. Raises `no-table-here`, `which-table`."""
    waiting = waiting_for(found, user_id)
    for some in (found, waiting):
        if len(some) == 1:
            return some[0]
    if not found:
        raise TableError("no-table-here")
    named = (waiting or found)[:MOST_NAMED]
    raise TableError("which-table", tables=[t.id for t in named], games=[t.game for t in named])


async def mine(house: House, user_id: int) -> list[Waiting]:
    """The user's running games, those that wait for the user first, the longest first."""
    found = []
    for number in await tables.of_user(house.database.reads, user_id):
        row, seats = await house.rows(number)
        table = Loaded(row, seats).table()
        own_seat = next((seat for seat in seats if seat.user_id == user_id), None)
        acts = own_seat is not None and own_seat.acts
        since = (own_seat.acts_since if own_seat and acts else table.turn_since) or table.created_at
        found.append(Waiting(table, since, acts))
    return sorted(found, key=lambda waiting: (not waiting.mine, waiting.since, waiting.table.id))


async def listing(house: House, guild_id: int, filters: Filters) -> list[Table]:
    """A server's tables, newest first; private ones only to who sits or is invited there."""
    where, params = ["t.guild_id = ?"], list[Any]([guild_id])
    for condition, value in (("t.status = ?", filters.status), ("t.game = ?", filters.game)):
        if value is not None:
            where.append(condition)
            params.append(value)
    if filters.user_id is not None:
        where.append("EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND ? IN (s.user_id, s.invited))")
        params.append(filters.user_id)
    else:
        where.append("NOT t.private")
    if filters.player_id is not None:
        where.append("EXISTS (SELECT 1 FROM seats p WHERE p.table_id = t.id AND p.user_id = ?)")
        params.append(filters.player_id)
    rows = await tables.some(house.database.reads, " AND ".join(where), params, filters.most)
    return [await house.table(row.id) for row in rows]


def viewer_of(loaded: Loaded, user_id: int | None) -> Viewer:
    """The seat whose view this user may see. Raises `no-table`, `not-running`."""
    admit(loaded.table(), user_id)
    if loaded.state is None:
        raise loaded.refusal("not-running", status=loaded.row.status)
    return loaded.seat_of(user_id)


async def watch(house: House, table_id: int, user_id: int) -> Shown:
    """The public view, for whoever may watch. Raises `no-table`, `not-running`."""
    loaded = await house.look(table_id)
    viewer_of(loaded, user_id)
    return loaded.shown(None)


async def chronicle(house: House, table_id: int, user_id: int) -> list[Happened]:
    """What happened in the actions that stand, as everybody may know it. Raises `no-table`, `not-running`."""
    loaded = await house.look(table_id)
    viewer_of(loaded, user_id)
    log = await actions.log(house.database.reads, table_id)
    return await house.aside.run(_chronicle, loaded, log)


def _chronicle(loaded: Loaded, log: list[ActionRow]) -> list[Happened]:
    history = record.fold(record_of(loaded, log))
    told = [Happened(0, None, tuple(event.seen_by(None) for event in history.start.events))]
    for entry, ply in zip(log, history.plies, strict=True):
        if entry.undo is not None:
            del told[len(told) - entry.undo :]
        else:
            told.append(Happened(entry.seq, entry.at, tuple(event.seen_by(None) for event in ply.events)))
    return told


async def show(house: House, table_id: int, user_id: int | None, at: int | None) -> Shown:
    """What this user may see now, or saw after the first `at` entries. Raises `bad-ply` of the rules."""
    loaded = await house.look(table_id)
    viewer = viewer_of(loaded, user_id)
    if at is None:
        return loaded.shown(viewer)
    log = await actions.log(house.database.reads, table_id)
    if not 0 <= at <= len(log):
        raise loaded.refusal(RulesError("bad-ply", ply=at, most=len(log)))
    state, events = await house.aside.run(earlier, loaded, log[:at])
    return replace(loaded, state=state, events=events).shown(viewer)


async def export(house: House, table_id: int, user_id: int | None) -> dict[str, Json]:
    """The record of a finished game; while it runs, the asker's own view, without seed or actions."""
    loaded = await house.look(table_id)
    viewer = viewer_of(loaded, user_id)
    row = loaded.row
    if row.status != "running":
        log = await actions.log(house.database.reads, table_id)
        result = None if row.result is None else json.loads(row.result)
        players = [{"role": seat.role, "name": seat.name, "level": seat.level} for seat in loaded.seats]
        return {**record_of(loaded, log).json_value(), "players": players, "result": result}
    told = told_of(loaded.seats)
    return {
        "game": row.game,
        "rules": row.rules,
        "options": json.loads(row.options),
        "seats": len(loaded.seats),
        "commitment": committed(row),
        **({} if told is None else {"nonce_commitments": list(told)}),
        "to_act": sorted(loaded.to_act),
        "view": loaded.view(viewer).model_dump(mode="json"),
    }


async def statistics(house: House, table_id: int) -> tuple[Seen, ...]:
    """What a finished game is summed up in, from the events of the actions that stand in its log."""
    loaded = await house.look(table_id)
    if not isinstance(loaded.engine, Statistics) or loaded.row.status != "over" or loaded.state is None:
        return ()
    entries = await actions.log(house.database.reads, table_id)
    try:
        return await house.aside.run(summed_up, loaded, entries)
    except RulesError as error:  # the result itself stands
        log.warning("table %s is not summed up: %s", table_id, stuck(error))
        return ()


def summed_up(loaded: Loaded, log: list[Any]) -> tuple[Seen, ...]:
    """A game's statistics by replay of its log."""
    history = record.fold(record_of(loaded, log))
    standing: list[record.Ply] = []
    for ply in history.plies:
        if isinstance(ply.entry, record.Undone):
            del standing[len(standing) - ply.entry.undo :]
        else:
            standing.append(ply)
    rules = loaded.engine
    if not isinstance(rules, Statistics):
        return ()
    return rules.statistics(history.start, [Step(ply.state, ply.events) for ply in standing])


async def check_table(house: House, table_id: int) -> Found:
    """What is wrong with one running table, read as it is kept: a bot may go on writing meanwhile."""
    reads = house.database.reads
    for _ in range(LOOKS):
        row, seats = await house.stored_rows(table_id)
        snapshot, log = await tables.snapshot(reads, table_id), await actions.log(reads, table_id)
        after = await tables.get(reads, table_id)
        if after is not None and after.version == row.version:
            break
    return await house.aside.run(soundness.examined, Loaded(row, seats), snapshot, log)
