"""The health port of the shipped process: who can reach it, and what it says."""

from __future__ import annotations

import asyncio
import re
import socket
from pathlib import Path

import aiohttp

from tests.process.castle import Castle
from tests.process.discord_client import DEADLINE, ROOT, Json
from tests.process.hatamoto_process import Launcher, running

METRIC = re.compile(r"`(hatamoto_[a-z_]+)`")
LISTENS = "0A"  # the state in /proc/net/tcp


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listeners(port: int) -> list[str]:
    """Local addresses, in the kernel's hex, on which this machine listens at this port."""
    lines = [
        line.split()
        for table in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]
    ]
    return [
        line[1].split(":")[0] for line in lines if line[3] == LISTENS and line[1].endswith(f":{port:04X}")
    ]


async def healthz(session: aiohttp.ClientSession, address: str) -> Json:
    """What it says of itself; its status says the same."""
    async with session.get(f"{address}/healthz") as answer:
        found: Json = await answer.json()
        assert answer.status == (200 if found["status"] == "ok" else 503)
        return found


async def test_the_health_port_is_local_and_says_what_the_manual_lists(castle: Castle, by: Launcher) -> None:
    port = free_port()
    settings = {"HATAMOTO_HTTP_PORT": str(port)}
    async with (
        running(castle.discord, castle.database, by=by, more=settings),
        aiohttp.ClientSession() as session,
    ):
        place = await castle.open_table()
        assert listeners(port) == ["0100007F"], "127.0.0.1 and nothing else"
        address = f"http://127.0.0.1:{port}"
        loop = asyncio.get_running_loop()
        end = loop.time() + DEADLINE
        while (health := await healthz(session, address))["status"] != "ok":  # discord.py is ready after 2 s
            assert loop.time() < end, health
            await castle.discord.read(0.2)
        async with session.get(f"{address}/metrics") as answer:
            assert answer.status == 200
            text = await answer.text()
        listed = METRIC.findall((ROOT / "docs/operations.md").read_text())
        assert len(listed) > 5
        for name in listed:
            assert re.search(rf"^{name}(_count)?(\{{.*\}})? [\d.e+-]+$", text, re.MULTILINE), name
        assert re.search(r"^hatamoto_tables_running 1\.0$", text, re.MULTILINE)
        assert place not in text
        for path in ("/", "/healthz/", "/metrics/x", "/../bot.py", "/hatamoto.db"):
            async with session.get(f"{address}{path}") as answer:
                assert answer.status == 404, path
        async with session.post(f"{address}/healthz") as answer:
            assert answer.status == 405
