"""Who asks too much is answered at once, from memory alone (14.1)."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.webhook.async_ import async_context

from cogs.services import Kind
from cogs.text.answers import answered, within_limits
from locales import words
from tables.core import one_each
from tables.core.one_each import Door
from tests.hearing import Answers
from tests.messages import TEXT, parts_of

ENGLISH = words("en")


class Client:
    """What the way in may use: anything else that it asks for is not there."""

    def __init__(self, wait_s=0):
        self.limiter = SimpleNamespace(wait=lambda *_: wait_s)
        self.door = Door()
        self.refusals = asyncio.Semaphore(2)
        self.http = SimpleNamespace(proxy=None, proxy_auth=None)


class Response(Answers):
    """Notes what is answered, and how many answers are on their way at once."""

    going, most = 0, 0

    def __init__(self):
        super().__init__()
        self.given = []

    async def _give(self, what):
        Response.going += 1
        Response.most = max(Response.most, Response.going)
        await asyncio.sleep(0)
        Response.going -= 1
        self.given.append(what)

    async def begun(self, kind):
        assert kind is discord.InteractionResponseType.deferred_message_update
        await self._give("silence")

    async def autocomplete(self, choices):
        await self._give(choices)

    async def heard(self, message):
        assert discord.MessageFlags._from_value(message["flags"]).ephemeral
        await self._give("\n".join(part["content"] for part in parts_of(message) if part["type"] == TEXT))


class Lines:
    """Each interaction's answers take its own line."""

    async def create_interaction_response(self, number, token, **given):
        await token.create_interaction_response(number, token, **given)


@pytest.fixture(autouse=True)
def heard():
    was = async_context.set(Lines())  # type: ignore[arg-type]
    yield
    async_context.reset(was)


def interaction(client, kind, user_id=7):
    response = Response()
    return SimpleNamespace(
        id=1,
        token=response,
        client=client,
        _session=None,
        type=kind,
        user=SimpleNamespace(id=user_id),
        guild_id=1,
        locale=discord.Locale.american_english,
        response=response,
        created_at=discord.utils.utcnow(),
        extras={},
    )


KINDS: tuple[tuple[discord.InteractionType, Kind, Any, Any], ...] = (
    (discord.InteractionType.component, "reading", "silence", ENGLISH.plural("error.too-fast", 20)),
    (discord.InteractionType.autocomplete, "typing", [], []),
    (
        discord.InteractionType.application_command,
        "importing",
        ENGLISH("error.overtaken"),
        ENGLISH.plural("error.too-fast", 20),
    ),
)


@pytest.mark.parametrize(("type_", "kind", "overtaken", "refused"), KINDS)
async def test_of_a_flood_all_that_is_not_carried_out_is_answered_from_memory(
    type_, kind, overtaken, refused
):  # 14.1
    client = Client()
    sent = [
        interaction(
            client,
            type_,
        )
        for _ in range(100)
    ]
    async with client.door._queues.of(7):
        tasks = [asyncio.create_task(within_limits(one, kind)) for one in sent]
        for _ in range(500):
            await asyncio.sleep(0)
        assert [one.response.given for one in sent[1:-1]] == [[overtaken]] * 98, "at once, not at their turn"
    assert [await task for task in tasks] == [True] + [False] * 98 + [True]
    assert Response.most <= 2, "answers to a flood are a few at a time"
    client = Client(wait_s=20)
    late = interaction(client, type_)
    assert not await within_limits(late, kind)
    assert late.response.given == [refused]
    assert len(client.door) == 0, "who has asked too much does not even come to the door"


async def test_what_is_played_waits_at_no_door():  # 14.1
    client = Client()
    async with client.door._queues.of(7):
        assert await within_limits(interaction(client, discord.InteractionType.component), "playing")


async def test_what_is_refused_is_told_when_who_plays_was_answered(monkeypatch):  # 14.1
    async def lateness():
        return 1.0

    monkeypatch.setattr(one_each, "lateness", lateness)
    client, telling = Client(), list[asyncio.Task[bool]]()
    client.limiter.wait = lambda _user, _guild, kind: 0 if kind == "playing" else 20
    late = interaction(client, discord.InteractionType.autocomplete)

    async def played():
        telling.append(asyncio.create_task(within_limits(late, "typing")))
        for _ in range(10):
            await asyncio.sleep(0)
        assert late.response.given == []

    await answered(interaction(client, discord.InteractionType.component), "playing", played)
    assert not await telling[0]
    assert late.response.given == [[]]
