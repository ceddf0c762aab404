"""The loopback Discord is as Discord is, where what is measured hangs on it."""

from __future__ import annotations

import pytest

from tests.process.loopback.gateway import Gateway, Session
from tests.process.loopback.world import World


@pytest.mark.parametrize(("intents", "heard"), [(1, []), (1 | 1 << 9, ["7"]), (1 | 1 << 12, [None])])
async def test_messages_are_heard_of_by_intents_alone(intents, heard):
    gateway = Gateway(World())
    gateway.sessions[0] = session = Session("one", intents=intents)
    for guild in ("7", None):
        await gateway.dispatch("MESSAGE_CREATE", {"channel_id": "9", "guild_id": guild})
    assert [event["d"]["guild_id"] for event in session.sent] == heard
