"""Tables whose place Discord keeps from the bot: the channel is gone, or the bot may not write there.

Such a table is barred. Its posts wait in the outbox and are tried again each hour, its clocks and reminders
stand, who is called is called by DM, and it goes on when a post is taken or somebody moves it elsewhere.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import replace

from db.repositories import outbox, tables
from db.rows import Message, SeatRow
from tables.core import caps, clocks, letters
from tables.core.errors import TableError, not_played
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.model import Place, Table

log = logging.getLogger("hatamoto.tables")


async def bar(house: House, table_id: int) -> bool:
    """A post was refused for its place: the table stands from now on, and its players are told by DM.

    Returns whether its posts wait; those of a table that has ended do not, its players are told of the end.
    """
    async with house.lock(table_id):
        loaded = Loaded(*await house.rows(table_id))
        row, now = loaded.row, house.clock.now()
        waits = row.status in ("open", "running")
        if row.barred_at is not None:
            return waits
        after = clocks.rewound(loaded.updated(barred_at=now), now) if waits else loaded.updated(barred_at=now)
        code = {"open": "barred-lobby", "running": "barred"}.get(row.status, "barred-over")
        async with house.revising(after, to_each_player(after, code)):
            pass
        return waits


def to_each_player(loaded: Loaded, code: str) -> list[Message]:
    """A sentence to each player who can be reached."""
    return [
        letters.call(loaded, seat.user_id, code)
        for seat in loaded.people
        if seat.user_id is not None and seat.gone != "deleted"
    ]


async def call(house: House, table_id: int, user_ids: Collection[int]) -> None:
    """By DM to those whom a post called that Discord refused for what it says."""
    loaded = Loaded(*await house.rows(table_id))
    wanted = [seat.user_id for seat in loaded.people if seat.user_id in user_ids and seat.user_id is not None]
    async with house.database.transaction() as tx:
        await house.post(tx, [letters.call(loaded, user_id, "refused") for user_id in wanted])
    house.queued()


async def unbar(house: House, table_id: int) -> None:
    """A post was taken again: everything goes on, and the time between counts for nobody."""
    if (await house.rows(table_id))[0].barred_at is None:
        return
    async with house.lock(table_id):
        loaded = Loaded(*await house.rows(table_id))
        if loaded.row.barred_at is None:
            return
        after = running_on(loaded, house.clock.now())
        goes_on = after.row.status == "running"
        lines = [letters.line(after, "unbarred", letters.expected(after))] if goes_on else []
        house.counted[table_id] = house.clock.now()
        async with house.revising(after, lines) as tx:
            await outbox.hurry(tx, f"table:{table_id}")


def running_on(loaded: Loaded, now: int) -> Loaded:
    """A barred table as it goes on: clocks run from now, a turn is as old as when the table stopped."""
    since = loaded.row.barred_at
    if since is None:
        return loaded
    seats = tuple(delayed(seat, since, now) for seat in loaded.seats)
    return clocks.rewound(replace(loaded.updated(barred_at=None), seats=seats), now)


def delayed(seat: SeatRow, since: int, now: int) -> SeatRow:
    """A seat's turn as if the time since then had not been."""
    if seat.acts_since is None:
        return seat
    return replace(seat, acts_since=seat.acts_since + now - max(seat.acts_since, min(since, now)))


async def move(
    house: House,
    table_id: int,
    user_id: int,
    place: Place,
    interaction_id: int,
    *,
    in_place: bool,
    moderator: bool = False,
) -> Table:
    """Takes a table to another channel of its server; what could not be posted is posted there.

    Raises `over`, `never-begun`, `not-seated`, `other-server`, `already-here`, `channel-not-allowed`,
    `broken`.
    """
    async with house.asked(table_id, interaction_id) as done:
        loaded = Loaded(*await house.rows(table_id))
        if done is not None:
            return loaded.table()
        row = loaded.row
        movable(loaded, user_id, place, moderator=moderator)
        await caps.allowed_here(house, place, row.game)
        if row.status == "running":
            loaded = await house.load(table_id)
        moved = loaded.updated(
            channel_id=place.channel_id,
            thread_id=place.thread_id,
            in_place=in_place,
            lobby_message_id=None,
            board_message_id=None,
        )
        after = running_on(moved, house.clock.now())
        house.counted[table_id] = house.clock.now()
        async with house.revising(after, [], interaction_id) as tx:
            where = ("channel_id", "thread_id", "in_place", "lobby_message_id", "board_message_id")
            await tables.change(tx, table_id, {name: getattr(after.row, name) for name in where})
            first = await outbox.queued_next(tx)
            await house.post(tx, opening(after))
            if row.barred_at is not None:
                await outbox.behind(tx, f"table:{table_id}", first)
            if row.status == "running":
                await house.post(tx, [letters.board_again(after)])
        return after.table()


def movable(loaded: Loaded, user_id: int, place: Place, *, moderator: bool) -> None:
    """Raises what `move` does, but for what the server's moderators allow."""
    row = loaded.row
    if row.status not in ("open", "running"):
        code = not_played(row.status, begun=row.started_at is not None)
        raise loaded.refusal(code, status=row.status)
    if loaded.seat_of(user_id) is None and not moderator:
        raise loaded.refusal("not-seated")
    if row.guild_id != place.guild_id:
        raise loaded.refusal("other-server")
    here = row.channel_id == place.channel_id and place.thread_id in (None, row.thread_id)
    if here and row.barred_at is None:
        raise loaded.refusal("already-here")


def opening(loaded: Loaded) -> list[Message]:
    """The first posts at a new place: a lobby's message, which carries the thread, and who has to act."""
    posts = [letters.lobby(loaded)] if loaded.row.status == "open" or not loaded.row.in_place else []
    if loaded.row.status == "running":
        if not loaded.row.in_place:
            posts.append(letters.at_table(loaded, "thread"))
        posts.append(letters.line(loaded, "moved", letters.expected(loaded)))
    return posts


async def shown_elsewhere(house: House, guild_id: int, channel_id: int) -> None:
    """A channel or thread was deleted, or closed to the bot: its tables' boards are posted anew.

    That finds a table's other place, or bars the table. Where a post waits already, that one does.
    """
    for table_id in await tables.live_at(house.database.reads, guild_id, channel_id):
        async with house.lock(table_id):
            loaded = Loaded(*await house.rows(table_id))
            waits = await outbox.waiting(house.database.reads, f"table:{table_id}", most=1)
            if waits or loaded.aside or loaded.row.status not in ("open", "running"):
                continue
            try:
                running = loaded.row.status == "running"
                post = letters.board_again(await house.load(table_id)) if running else letters.lobby(loaded)
            except TableError as error:
                log.warning("table %s has no board to be shown elsewhere: %s", table_id, error.code)
                continue
            async with house.writing(table_id, None) as tx:
                await house.post(tx, [post])


async def try_again(house: House, guild_id: int) -> None:
    """Something changed in a server: what could not be posted there is tried now."""
    barred = await tables.barred_in(house.database.reads, guild_id)
    if not barred:
        return
    async with house.database.transaction() as tx:
        for table_id in barred:
            await outbox.hurry(tx, f"table:{table_id}")
    house.queued()
