"""Answers on their way to Discord, which sends each of them back: that is not read.

discord.py makes objects of the message that an answer became and of all that lies in it, a tenth of the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import InteractionResponseType as Kind
from discord import MessageFlags, ui
from discord.http import MultipartParameters, handle_message_parameters
from discord.utils import MISSING
from discord.webhook.async_ import (
    async_context,
    interaction_message_response_params,
    interaction_response_params,
)

from cogs.services import Interaction


async def wait(interaction: Interaction, *, private: bool = True) -> None:
    """Tells Discord that an answer is coming, as nothing that touches the disk may promise three seconds."""
    if not interaction.response.is_done():
        kind = Kind.deferred_channel_message
        data = {"flags": MessageFlags(ephemeral=True).value} if private else None
        await _first(interaction, kind, interaction_response_params(kind.value, data))


async def hold(interaction: Interaction) -> None:
    """Tells Discord that the message that was pressed becomes another, or stays as it is."""
    kind = Kind.deferred_message_update
    await _first(interaction, kind, interaction_response_params(kind.value))


async def send(interaction: Interaction, message: ui.LayoutView, files: Sequence[discord.File] = ()) -> None:
    """The first answer, to who asked alone."""
    with interaction_message_response_params(
        type=Kind.channel_message.value,
        view=message,
        files=files,
        flags=MessageFlags(ephemeral=True),
        previous_allowed_mentions=interaction.client.allowed_mentions,
    ) as params:
        await _first(interaction, Kind.channel_message, params)


async def edit(
    interaction: Interaction,
    message: ui.LayoutView,
    files: Sequence[discord.File],
    content: str | None = MISSING,
) -> None:
    """The answer that was promised, or the message that was pressed, becomes this one."""
    with handle_message_parameters(
        content=content,
        attachments=files,
        view=message,
        previous_allowed_mentions=interaction.client.allowed_mentions,
    ) as params:
        await async_context.get().edit_original_interaction_response(
            interaction.application_id, interaction.token, **_line(interaction), **params._asdict()
        )


async def add(
    interaction: Interaction,
    message: ui.LayoutView,
    files: Sequence[discord.File] = (),
    *,
    private: bool = True,
) -> None:
    """One more answer below the first."""
    with handle_message_parameters(
        files=files,
        flags=MessageFlags(ephemeral=private),
        view=message,
        previous_allowed_mentions=interaction.client.allowed_mentions,
    ) as params:
        await async_context.get().execute_webhook(
            interaction.application_id,
            interaction.token,
            **_line(interaction),
            **params._asdict(),
            wait=True,
            with_components=True,
        )


async def _first(interaction: Interaction, kind: Kind, params: MultipartParameters) -> None:
    if interaction.response.is_done():
        raise discord.InteractionResponded(interaction)
    await async_context.get().create_interaction_response(
        interaction.id, interaction.token, **_line(interaction), params=params
    )
    interaction.response._response_type = kind  # noqa: SLF001 - as its own methods do


def _line(interaction: Interaction) -> dict[str, Any]:
    """The way that discord.py's own answers take."""
    http = interaction.client.http
    return {"session": interaction._session, "proxy": http.proxy, "proxy_auth": http.proxy_auth}  # noqa: SLF001
