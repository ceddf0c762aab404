"""A reminder that a player asks for."""

from __future__ import annotations

from db import tables
from tables import letters
from tables.errors import TableError
from tables.house import House
from tables.model import Table
from tables.play import playing

EVERY_MS = 3600 * 1000  # between two reminders at a table


async def remind(house: House, table_id: int, user_id: int) -> Table:
    """Mentions the others who have to act. Raises `too-soon` (until), `your-turn`."""
    async with house.lock(table_id):
        loaded = await house.load(table_id)
        row, now = loaded.row, house.clock.now()
        seat = playing(loaded, user_id)
        late = [s for s in loaded.seats if s.acts and s.seat != seat]
        if not late:
            raise TableError("your-turn", table=table_id, game=row.game)
        if row.reminded_at is not None and now < row.reminded_at + EVERY_MS:
            raise TableError("too-soon", table=table_id, game=row.game, until=row.reminded_at + EVERY_MS)
        after = loaded.updated(reminded_at=now)
        users = [s.user_id for s in late if s.user_id is not None]
        told = letters.line(after, "reminded", users, by=seat, seats=[s.seat for s in late])
        async with house.writing(table_id, None) as tx:
            await tables.change(tx, table_id, {"reminded_at": now})
            await house.post(tx, [told])
        house.keep(after)
        return after.table()
