"""An interaction's answers as Discord takes them, for tests without a simulated one."""

from __future__ import annotations

import json
from typing import Any

import discord
from discord.http import MultipartParameters


class Answers:
    """The response of one interaction, and Discord's end of all its ways."""

    def __init__(self) -> None:
        self._response_type: discord.InteractionResponseType | None = None

    @property
    def type(self) -> discord.InteractionResponseType | None:
        """What the first answer was."""
        return self._response_type

    def is_done(self) -> bool:
        """Whether it was answered."""
        return self._response_type is not None

    async def heard(self, message: dict[str, Any]) -> None:
        """A message, or a change of one."""

    async def begun(self, kind: discord.InteractionResponseType) -> None:
        """An answer is coming."""

    async def create_interaction_response(
        self, _number: int, _token: str, *, params: MultipartParameters, **_: Any
    ) -> None:
        """The first answer."""
        told = payload(params.payload, params.multipart)
        if "components" in told.get("data", ()):
            await self.heard(told["data"])
        else:
            await self.begun(discord.InteractionResponseType(told["type"]))

    async def edit_original_interaction_response(self, _application: int, _token: str, **given: Any) -> None:
        """What the first answer becomes."""
        await self.heard(payload(given["payload"], given["multipart"]))

    async def execute_webhook(self, _application: int, _token: str, **given: Any) -> None:
        """One more answer."""
        await self.heard(payload(given["payload"], given["multipart"]))


def payload(plain: Any, multipart: Any) -> dict[str, Any]:
    """What is sent, with files or without."""
    found: dict[str, Any] = json.loads(multipart[0]["value"]) if multipart else plain
    return found
