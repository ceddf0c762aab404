"""Answers on their way to Discord: promised, given, changed.

Discord sends each of them back, which is not read: discord.py makes objects of the message that an answer
became and of all that lies in it, a tenth of the work.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any

import discord
from discord import AllowedMentions, MessageFlags
from discord import InteractionResponseType as Kind
from discord.http import MultipartParameters
from discord.webhook.async_ import async_context, interaction_response_params

from cogs.services import Interaction
from cogs.text.layout import Laid

TO_ONE, LAID_OUT = MessageFlags(ephemeral=True).value, MessageFlags(components_v2=True).value
BYTES = "application/octet-stream"
NOBODY = AllowedMentions.none().to_dict()
SOON_S = 1.0  # an answer that comes within it is Discord's first word of it
LATEST_S = 1.5  # since the interaction began: after three seconds Discord gives up
PROMISE = "promise"  # of an interaction's extras


@dataclass
class Promise:
    """That there will be an answer. Discord is told of it when the answer takes long, and not before.

    So most answers are one request and not two, and nobody sees "thinking" for the blink of an eye.
    """

    interaction: Interaction
    kind: Kind
    private: bool
    seconds: InitVar[float]  # until Discord is told, unless the answer is there
    timer: asyncio.TimerHandle = field(init=False)
    telling: asyncio.Task[None] | None = None

    def __post_init__(self, seconds: float) -> None:
        self.timer = asyncio.get_running_loop().call_later(seconds, self._late)

    def _late(self) -> None:
        self.telling = asyncio.create_task(self.tell(), name="deferral")

    async def tell(self) -> None:
        """Tells Discord. Raises discord.HTTPException."""
        data = {"flags": TO_ONE} if self.private else None
        await _first(self.interaction, self.kind, interaction_response_params(self.kind.value, data))

    async def taken(self) -> bool:
        """Whether the answer itself may still be the first; from now on Discord is told of nothing else."""
        self.timer.cancel()
        if self.telling is not None:
            await self.telling
        return self.telling is None


async def wait(interaction: Interaction, *, private: bool = True) -> None:
    """Promises an answer, as nothing that touches the disk may promise three seconds."""
    if not interaction.response.is_done() and PROMISE not in interaction.extras:
        await _promised(interaction, Kind.deferred_channel_message, private=private)


async def hold(interaction: Interaction) -> None:
    """Promises that the message that was pressed becomes another, or stays as it is."""
    if interaction.response.is_done() or PROMISE in interaction.extras:
        raise discord.InteractionResponded(interaction)
    await _promised(interaction, Kind.deferred_message_update, private=False)


async def _promised(interaction: Interaction, kind: Kind, *, private: bool) -> None:
    """Discord is told at once where the interaction is old already: what waited in line, or came late."""
    age = (discord.utils.utcnow() - interaction.created_at).total_seconds()
    left = min(SOON_S, LATEST_S - max(age, 0.0))
    interaction.extras[PROMISE] = Promise(interaction, kind, private, left)
    if left <= 0:
        await settle(interaction)


async def _open(interaction: Interaction) -> Promise | None:
    """What was promised and Discord does not know yet; it is for the caller to keep."""
    promise: Promise | None = interaction.extras.pop(PROMISE, None)
    return promise if promise is not None and await promise.taken() else None


async def settle(interaction: Interaction) -> None:
    """What is still promised when all is done was not needed: Discord is told that there is an answer."""
    if (promise := await _open(interaction)) is not None:
        await promise.tell()


async def say(interaction: Interaction, message: Laid, files: Sequence[discord.File] = ()) -> None:
    """What was promised to who asked; where it was given, or was a change, one more answer below."""
    promise = await _open(interaction)
    if promise is not None and promise.kind is Kind.deferred_channel_message:
        await _keep(promise, Kind.channel_message, message, files)
        return
    if promise is not None:
        await promise.tell()
    if interaction.response.type is Kind.deferred_channel_message:
        await _edit(interaction, message, files)
    elif interaction.response.is_done():
        await add(interaction, message, files)
    else:
        await send(interaction, message, files)


async def edit(interaction: Interaction, message: Laid, files: Sequence[discord.File]) -> None:
    """The answer that was promised, or the message that was pressed, becomes this one; its text goes."""
    promise = await _open(interaction)
    if promise is None:
        await _edit(interaction, message, files, content=None)
    elif promise.kind is Kind.deferred_message_update:
        await _keep(promise, Kind.message_update, message, files, content=None)
    else:
        await _keep(promise, Kind.channel_message, message, files)


async def _keep(
    promise: Promise, kind: Kind, message: Laid, files: Sequence[discord.File], **more: None
) -> None:
    """The answer is the first that Discord hears; what follows is as if it had been told before."""
    data = {**more, **written(message, files, private=promise.private)}
    with packed({"type": kind.value, "data": data}, files) as params:
        await _first(promise.interaction, promise.kind, params)


async def send(interaction: Interaction, message: Laid, files: Sequence[discord.File] = ()) -> None:
    """The first answer, to who asked alone."""
    kind, data = Kind.channel_message, written(message, files, private=True)
    with packed({"type": kind.value, "data": data}, files) as params:
        await _first(interaction, kind, params)


async def _edit(interaction: Interaction, message: Laid, files: Sequence[discord.File], **more: None) -> None:
    with packed({**more, **written(message, files)}, files) as params:
        await async_context.get().edit_original_interaction_response(
            interaction.application_id, interaction.token, **_line(interaction), **params._asdict()
        )


async def add(
    interaction: Interaction, message: Laid, files: Sequence[discord.File] = (), *, private: bool = True
) -> None:
    """One more answer below the first."""
    await settle(interaction)
    with packed(written(message, files, private=private), files) as params:
        await async_context.get().execute_webhook(
            interaction.application_id,
            interaction.token,
            **_line(interaction),
            **params._asdict(),
            wait=True,
            with_components=True,
        )


def written(message: Laid, files: Sequence[discord.File], *, private: bool = False) -> dict[str, Any]:
    """A message as Discord takes it, which pings nobody; a `private` one is for who asked alone."""
    return {
        "components": message.to_components(),
        "tts": False,
        "flags": LAID_OUT | (TO_ONE if private else 0),
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
