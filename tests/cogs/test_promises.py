"""What Discord hears of an answer: one request where it is quick, a deferral before it where it is not."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from discord import InteractionResponseType as Kind
from discord.webhook.async_ import async_context

from cogs.text import sending
from cogs.text.layout import laid_out
from tests.hearing import payload


class Line:
    """Discord's end: each request in its order, a first answer by its kind."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bool, bool]] = []  # way, whether private, whether with a message
        self.open = asyncio.Event()  # until then no first answer arrives
        self.open.set()

    async def create_interaction_response(self, _number: int, _token: str, *, params: Any, **_: Any) -> None:
        told = payload(params.payload, params.multipart)
        await self.open.wait()
        self._take(Kind(told["type"]).name, told.get("data") or {})

    async def edit_original_interaction_response(self, *_: Any, **given: Any) -> None:
        self._take("edit", payload(given["payload"], given["multipart"]))

    async def execute_webhook(self, *_: Any, **given: Any) -> None:
        self._take("follow-up", payload(given["payload"], given["multipart"]))

    def _take(self, way: str, told: dict[str, Any]) -> None:
        flags = discord.MessageFlags._from_value(told.get("flags", 0))
        self.heard.append((way, flags.ephemeral, "components" in told))


@pytest.fixture
def line():
    line = Line()
    was = async_context.set(cast(Any, line))
    yield line
    async_context.reset(was)


def asked(age_s: float = 0.0) -> Any:
    """An interaction that began so long ago."""
    return SimpleNamespace(
        id=1,
        token="",
        application_id=1,
        _session=None,
        extras={},
        created_at=discord.utils.utcnow() - timedelta(seconds=age_s),
        client=SimpleNamespace(
            http=SimpleNamespace(proxy=None, proxy_auth=None),
            allowed_mentions=discord.AllowedMentions.none(),
        ),
        response=Response(),
    )


class Response:
    """The first answer's kind, as discord.py keeps it."""

    _response_type: Kind | None = None

    def is_done(self) -> bool:
        return self._response_type is not None

    @property
    def type(self) -> Kind | None:
        return self._response_type


MESSAGE = laid_out("Done.")


async def test_a_quick_answer_is_one_request(line):
    one = asked()
    await sending.wait(one)
    assert line.heard == []
    await sending.say(one, MESSAGE)
    await sending.settle(one)
    assert line.heard == [("channel_message", True, True)]


async def test_a_quick_answer_for_all_is_seen_by_all(line):
    one = asked()
    await sending.wait(one, private=False)
    await sending.say(one, MESSAGE)
    assert line.heard == [("channel_message", False, True)]


async def test_a_quick_change_of_what_was_pressed_is_one_request(line):
    one = asked()
    await sending.hold(one)
    await sending.edit(one, MESSAGE, ())
    assert line.heard == [("message_update", False, True)]


@pytest.mark.parametrize("promise", [sending.wait, sending.hold])
async def test_a_late_answer_is_announced(line, monkeypatch, promise):
    monkeypatch.setattr(sending, "SOON_S", 0.0)
    one = asked()
    await promise(one)
    await sending.edit(one, MESSAGE, ())
    assert [way for way, _, _ in line.heard] == [one.response.type.name, "edit"]
    assert one.response.type.name.startswith("deferred")


async def test_a_deferral_on_its_way_is_waited_for(line, monkeypatch):
    monkeypatch.setattr(sending, "SOON_S", 1e-9)
    line.open.clear()
    one = asked()
    await sending.wait(one)
    for _ in range(20):
        await asyncio.sleep(0)
    saying = asyncio.create_task(sending.say(one, MESSAGE))
    for _ in range(20):
        await asyncio.sleep(0)
    assert line.heard == []
    line.open.set()
    await saying
    assert line.heard == [("deferred_channel_message", True, False), ("edit", False, True)]


async def test_what_waited_in_line_is_announced_at_once(line):
    one = asked(sending.LATEST_S)
    await sending.wait(one)
    assert line.heard == [("deferred_channel_message", True, False)]


async def test_a_press_that_changes_nothing_is_acknowledged_in_the_end(line):
    one = asked()
    await sending.hold(one)
    await sending.settle(one)
    await sending.settle(one)
    assert line.heard == [("deferred_message_update", False, False)]


async def test_a_refusal_of_a_press_leaves_the_message_and_stands_below(line):
    one = asked()
    await sending.hold(one)
    await sending.say(one, MESSAGE)
    assert line.heard == [("deferred_message_update", False, False), ("follow-up", True, True)]


async def test_what_follows_a_quick_answer_is_as_after_a_deferral(line):
    one = asked()
    await sending.wait(one)
    await sending.wait(one)
    await sending.say(one, MESSAGE)
    await sending.say(one, MESSAGE)
    await sending.edit(one, MESSAGE, ())
    await sending.add(one, MESSAGE)
    assert [way for way, _, _ in line.heard] == ["channel_message", "edit", "edit", "follow-up"]


async def test_a_message_is_promised_to_change_once(line):
    one = asked()
    await sending.hold(one)
    with pytest.raises(discord.InteractionResponded):
        await sending.hold(one)
