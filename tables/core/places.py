"""Where a table is shown, as the courier found out when it posted."""

from __future__ import annotations

from db.repositories import tables
from tables.core.house import House


async def placed(house: House, table_id: int, **found: int | None) -> None:
    """Remembers the thread and the messages that are given; None leaves a value as it is."""
    values = {name: value for name, value in found.items() if value is not None}
    if not values:
        return
    async with house.lock(table_id):
        async with house.database.transaction() as tx:
            await tables.change(tx, table_id, values)
        house.amend(table_id, values)
