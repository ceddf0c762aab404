"""Pictures that somebody asks for: one at a time for each user, so that nobody's posts wait behind them."""

from __future__ import annotations

from cogs.services import Interaction, Services
from render import Picture, Scene
from tables.core.model import Shown
from workers.drawing import drawn


async def drawn_for(interaction: Interaction, part: str, scene: Scene) -> tuple[Picture | None, bool]:
    """A picture for who asks, after those that the same user asked for before, and whether it was drawn."""
    return await one_each(interaction.client, interaction.user.id, part, scene)


async def drawn_for_seat(
    client: Services, shown: Shown, part: str, scene: Scene
) -> tuple[Picture | None, bool]:
    """The same for who has the seat that sees this."""
    user_id = None if shown.seat is None else shown.table.seats[shown.seat].user_id
    return await one_each(client, user_id or 0, part, scene)


async def one_each(client: Services, user_id: int, part: str, scene: Scene) -> tuple[Picture | None, bool]:
    """One at a time for a user: six hundred presses at once would keep the boards of others waiting."""
    async with client.drawing.of(user_id):
        return await drawn(client.studio, part, scene)
