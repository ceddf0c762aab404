"""Answers on their way to Discord, which sends each of them back: that is not read.

discord.py makes objects of the message that an answer became and of all that lies in it, a tenth of the work.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import discord
from discord import AllowedMentions, MessageFlags
from discord import InteractionResponseType as Kind
from discord.http import MultipartParameters
from discord.webhook.async_ import async_context, interaction_response_params

from cogs.services import Interaction
from cogs.text.layout import Laid

TO_ONE, LAID_OUT = MessageFlags(ephemeral=True).value, MessageFlags(components_v2=True).value
NOBODY = AllowedMentions.none().to_dict()
BYTES = "application/octet-stream"


async def wait(interaction: Interaction, *, private: bool = True) -> None:
    """Tells Discord that an answer is coming, as nothing that touches the disk may promise three seconds."""
    if not interaction.response.is_done():
        kind = Kind.deferred_channel_message
        data = {"flags": TO_ONE} if private else None
        await _first(interaction, kind, interaction_response_params(kind.value, data))


async def hold(interaction: Interaction) -> None:
    """Tells Discord that the message that was pressed becomes another, or stays as it is."""
    kind = Kind.deferred_message_update
    await _first(interaction, kind, interaction_response_params(kind.value))


async def send(interaction: Interaction, message: Laid, files: Sequence[discord.File] = ()) -> None:
    """The first answer, to who asked alone."""
    kind, data = Kind.channel_message, written(message, files)
    with packed({"type": kind.value, "data": {**data, "flags": data["flags"] | TO_ONE}}, files) as params:
        await _first(interaction, kind, params)


async def edit(interaction: Interaction, message: Laid, files: Sequence[discord.File], **more: None) -> None:
    """The answer that was promised, or the message that was pressed, becomes this one."""
    with packed({**more, **written(message, files)}, files) as params:
        await async_context.get().edit_original_interaction_response(
            interaction.application_id, interaction.token, **_line(interaction), **params._asdict()
        )


async def add(
    interaction: Interaction, message: Laid, files: Sequence[discord.File] = (), *, private: bool = True
) -> None:
    """One more answer below the first."""
    data = written(message, files)
    with packed({**data, "flags": data["flags"] | (TO_ONE if private else 0)}, files) as params:
        await async_context.get().execute_webhook(
            interaction.application_id,
            interaction.token,
            **_line(interaction),
            **params._asdict(),
            wait=True,
            with_components=True,
        )


def written(message: Laid, files: Sequence[discord.File]) -> dict[str, Any]:
    """A message as Discord takes it, which pings nobody."""
    return {
        "components": message.to_components(),
        "tts": False,
        "flags": LAID_OUT,
        "allowed_mentions": NOBODY,
        "attachments": [file.to_dict(index) for index, file in enumerate(files)],
    }


def packed(payload: dict[str, Any], files: Sequence[discord.File]) -> MultipartParameters:
    """What is sent, with the files that belong to it, which are closed with it."""
    if not files:
        return MultipartParameters(payload, None, None)
    form: list[dict[str, Any]] = [
        {"name": "payload_json", "value": json.dumps(payload, separators=(",", ":"))}
    ]
    form += [
        {"name": f"files[{index}]", "value": file.fp, "filename": file.filename, "content_type": BYTES}
        for index, file in enumerate(files)
    ]
    return MultipartParameters(None, form, files)


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
