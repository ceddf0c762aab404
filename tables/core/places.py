"""What the courier found out when it posted: where a table is shown, and what became of a row."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from db.repositories import outbox, tables, users
from db.rows import Message, OutboxRow
from tables.core.house import House


@dataclass(frozen=True)
class Delivery:
    """How a row arrived.

    message_id  the message that shows it, None where it needed none
    shown       columns of its table that say where it is shown now, such as `board_message_id`
    chapter     the chapter that the message shows by now
    lines       what is to be posted after it
    """

    message_id: int | None = None
    shown: Mapping[str, int] = field(default_factory=dict)
    chapter: str | None = None
    lines: tuple[Message, ...] = ()


async def delivered(house: House, row: OutboxRow, delivery: Delivery) -> None:
    """A row arrived: that, and all that follows from it, in one transaction."""
    async with AsyncExitStack() as stack:
        shown = row.table_id if delivery.shown else None
        if shown is not None:
            await stack.enter_async_context(house.lock(shown))
        async with house.database.transaction() if shown is None else house.changing(shown) as tx:
            await outbox.sent(tx, row.id, delivery.message_id, house.clock.now(), chapter=delivery.chapter)
            if shown is not None:
                await tables.change(tx, shown, delivery.shown)
            await house.post(tx, list(delivery.lines))
        if shown is not None:
            house.amend(shown, dict(delivery.shown))
    if delivery.lines:
        house.queued()


async def put_off(house: House, row: OutboxRow, until: int, why: str) -> None:
    """A row was not taken: it is tried again at `until`, ms UTC."""
    async with house.database.transaction() as tx:
        await outbox.later(tx, row.id, until, why)


async def given_up(house: House, row: OutboxRow, why: str) -> None:
    """A row is not sent: its place is gone or closed, or it is not wanted any more."""
    async with house.database.transaction() as tx:
        if row.damaged:
            await outbox.discard(tx, row.id)
        else:
            await outbox.drop(tx, row.id, why, house.clock.now())


async def say(house: House, messages: list[Message]) -> None:
    """Queues what the Discord layer has to tell at a table."""
    async with house.database.transaction() as tx:
        await house.post(tx, messages)
    house.queued()


async def dm_closed(house: House, user_id: int, told: list[Message]) -> None:
    """No more hands by DM to this user; who sits with him at a table is told there."""
    async with house.database.transaction() as tx:
        await users.close_dm(tx, user_id)
        await house.post(tx, told)
    house.queued()


async def placed(house: House, table_id: int, **found: int | None) -> None:
    """Remembers the thread and the messages that are given; None leaves a value as it is."""
    values = {name: value for name, value in found.items() if value is not None}
    if not values:
        return
    async with house.lock(table_id):
        async with house.changing(table_id) as tx:
            await tables.change(tx, table_id, values)
        house.amend(table_id, values)
