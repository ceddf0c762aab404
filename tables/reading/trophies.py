"""A finished game shown in another channel: by one of its players, once in each channel."""

from __future__ import annotations

from db.repositories import outbox
from tables.core import letters
from tables.core.admission import admit
from tables.core.errors import not_played
from tables.core.house import House
from tables.core.model import Table

TROPHY = "trophy"  # the kind of its row


async def share(house: House, table_id: int, user_id: int, channel_id: int, interaction_id: int) -> Table:
    """Posts what a game is summed up in, with the seed, to a channel of the table's server.

    Raises `no-table`, `not-running`, `not-seated`, `already-shared`, and `shared-often` for who has filled
    channels of this server lately.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        admit(loaded.table(), user_id)
        if done is not None:
            return loaded.table()
        if loaded.row.status != "over" or loaded.state is None:
            code = not_played(loaded.row.status, begun=loaded.row.started_at is not None)
            raise loaded.refusal("not-over" if loaded.row.status == "running" else code)
        if loaded.seat_of(user_id) is None:
            raise loaded.refusal("not-seated")
        place = f"channel:{channel_id}"
        if await outbox.known(house.database.reads, place, TROPHY, table_id):
            raise loaded.refusal("already-shared")
        if not house.calls.may_fill(user_id, loaded.row.guild_id or 0):
            raise loaded.refusal("shared-often")
        shown = {**letters.scene(loaded, None), **letters.ending(loaded)}
        async with house.writing(table_id, interaction_id) as tx:
            await house.post(tx, [letters.message(loaded, place, TROPHY, (), **shown)])
        return loaded.table()
