"""What may be read of tables, and by whom."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from db.repositories import actions, tables
from engines.capabilities import Statistics
from engines.protocol import Json, RulesError, Seen, Viewer
from tables.core import soundness
from tables.core.admission import admit, may_see
from tables.core.archive import ArchiveError
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded, committed, told_of
from tables.core.model import Filters, Happened, Purpose, Shown, Table, Waiting, Why
from tables.core.soundness import Found, stuck

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
        return await house.at_hand(table) if purpose == "running" else table
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
        known = await house.known(number)
        table = known.table()
        own_seat = next((seat for seat in known.seats if seat.user_id == user_id), None)
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
        where.append("t.private = 0")
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
    return await house.archive.ask("chronicle", table_id, read=happened_of)


def happened_of(told: list[list[Any]]) -> list[Happened]:
    """The archive's answer."""
    return [Happened(number, at, seen_of(events)) for number, at, events in told]


def seen_of(events: list[Any]) -> tuple[Seen, ...]:
    """Events as the archive tells them."""
    return tuple(Seen.model_validate(event) for event in events)


async def show(house: House, table_id: int, user_id: int | None, at: int | None) -> Shown:
    """What this user may see now, or saw after the first `at` entries. Raises `bad-ply` of the rules."""
    loaded = await house.look(table_id)
    viewer = viewer_of(loaded, user_id)
    if at is None:
        return loaded.shown(viewer)
    return (await moment(house, loaded, at, viewer))[0]


async def moment(
    house: House, loaded: Loaded, at: int | None, viewer: Viewer, user_id: int | None = None
) -> tuple[Shown, int, int]:
    """What `viewer` saw after `at` entries, how many those are, and how many there are.

    at  None: the first entry that `user_id` has not seen (`folding.unseen`)

    Raises `bad-ply` of the rules, `broken` where the log does not lead there.
    """

    def read(found: dict[str, Any]) -> tuple[Shown, int, int]:
        view = loaded.engine.view_type.model_validate(found["view"])
        shown = replace(now, seat=viewer, view=view, events=seen_of(found["seen"]))
        return shown, found["at"], found["last"]

    now = loaded.shown(viewer)
    return await house.archive.ask("moment", loaded.row.id, at, viewer, user_id, read=read)


async def export(house: House, table_id: int, user_id: int | None) -> dict[str, Json]:
    """The record of a finished game; while it runs, the asker's own view, without seed or actions."""
    loaded = await house.look(table_id)
    viewer = viewer_of(loaded, user_id)
    row = loaded.row
    if row.status != "running":
        kept: dict[str, Json] = await house.archive.ask("record", table_id, read=dict)
        result = None if row.result is None else json.loads(row.result)
        players = [{"role": seat.role, "name": seat.name, "level": seat.level} for seat in loaded.seats]
        return {**kept, "players": players, "result": result}
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
    try:
        return await house.archive.ask("statistics", table_id, read=seen_of)
    except RulesError as error:  # the result itself stands
        log.warning("table %s is not summed up: %s", table_id, stuck(error))
        return ()
    except ArchiveError as error:  # and is posted, whatever others ask the archive for
        log.warning("table %s is not summed up: %s", table_id, error)
        return ()


async def why(house: House, table_id: int, user_id: int) -> Why:
    """What an opponent's last action was for, as far as the user may know it.

    Raises `no-table`, `not-running`, `no-bot` where none plays, `no-reason` where there is nothing to say.
    """
    loaded = await house.look(table_id)
    viewer = viewer_of(loaded, user_id)
    if all(seat.level is None for seat in loaded.seats):
        raise loaded.refusal("no-bot")
    found: Why | None = await house.archive.ask("why", table_id, viewer, read=why_of)
    if found is None:
        raise loaded.refusal("no-reason")
    return found


def why_of(told: list[Any] | None) -> Why | None:
    """The archive's answer."""
    if told is None:
        return None
    entry, seat, action, reasons = told
    return Why(entry, seat, action, seen_of(reasons))


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
