"""How the bot is: a reading for its owner, and `/healthz` and `/metrics` for machines.

What serves them, 2 MB of modules, is read in where a port is asked for.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import discord
from prometheus_client import Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from cogs.ops.timers import BackupReading, Backups
from cogs.services import Services
from db.errors import DatabaseError
from db.upkeep import health
from workers.metrics import REGISTRY, RENDER

if TYPE_CHECKING:
    from aiohttp import web

COMMIT = Histogram(
    "hatamoto_commit_seconds",
    "A write transaction, from its turn to the commit",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
    registry=REGISTRY,
)
GAUGES = {
    name: Gauge(f"hatamoto_{name}", text, registry=REGISTRY)
    for name, text in {
        "outbox_rows": "Posts that wait to be sent",
        "outbox_oldest_seconds": "Age of the oldest of them",
        "timers_late": "Timers that are due for more than a minute",
        "tables_running": "Games that run",
        "database_bytes": "Size of the database with its log",
        "database_failing": "1 while nothing can be written: a full disk, a lock, a fault",
        "disk_free_bytes": "Room on the database's disk",
        "shards": "Shards of this process",
        "guilds": "Servers",
        "backup_age_seconds": "Since the newest copy in HATAMOTO_BACKUPS; -1 where there is none",
        "backup_failing": "1 after a copy that could not be made, or where none can be",
        "backup_progress": "How far the copy is that is being made, 0 to 1",
        "gateway_latency_seconds": "Round trip of the gateway's heartbeat; -1 while there is none",
    }.items()
}
log = logging.getLogger("hatamoto.health")
LATE_MS = 60_000
STALE_S = 900  # a post that waits for longer is no longer a hiccup


@dataclass(frozen=True)
class Reading:
    """Numbers of one moment. Seconds and bytes; `latency` None while the gateway is silent.

    `fault` is the code of the DatabaseError by which writing fails now.
    """

    ready: bool
    outbox: int
    oldest: float
    late: int
    running: int
    size: int
    free: int | None
    fault: str | None
    shards: int
    guilds: int
    latency: float | None
    uptime: float
    backups: BackupReading | None = None

    @property
    def well(self) -> bool:
        """Whether nobody needs to look after it."""
        return self.ready and self.latency is not None and self.fault is None

    def parameters(self) -> dict[str, Any]:
        """Parameters of the owner's line."""
        return {
            "uptime": round(self.uptime / 3600, 1),
            "guilds": self.guilds,
            "shards": self.shards,
            "latency": None if self.latency is None else round(self.latency * 1000),
            "running": self.running,
            "outbox": self.outbox,
            "oldest": round(self.oldest),
            "late": self.late,
            "commit": average(COMMIT),
            "render": average(RENDER),
            "size": round(self.size / 1e6, 1),
            "free": "?" if self.free is None else round(self.free / 1e9, 1),
            "version": program_version(),
        }


def average(histogram: Histogram) -> float | None:
    """Milliseconds on average; None before the first."""
    samples = [sample for metric in histogram.collect() for sample in metric.samples]
    found = {sample.name.rpartition("_")[2]: sample.value for sample in samples}
    return round(found["sum"] / found["count"] * 1000, 1) if found.get("count") else None


def program_version() -> str:
    """The program's own version where it is known, and discord.py's."""
    try:
        own = version("hatamoto")
    except PackageNotFoundError:
        own = "from its folder"
    return f"{own}, discord.py {discord.__version__}"


class Health:
    """Reads the numbers when somebody asks, and answers on a local port where one is set."""

    def __init__(self, bot: Services, port: int | None, host: str, backups: Backups | None = None) -> None:
        self._bot = bot
        self._port = port
        self._host = host
        self._backups = backups
        self._began = time.monotonic()
        self._runner: web.AppRunner | None = None

    async def reading(self) -> Reading:
        """Everything now. Raises DatabaseError."""
        bot = self._bot
        now = bot.clock.now()
        fault = await bot.database.failing()
        counts = await health.counts(bot.database.reads, now - LATE_MS)
        latency = bot.latency if bot.is_ready() else math.nan
        return Reading(
            ready=bot.is_ready() and not bot.is_closed(),
            outbox=counts.unsent,
            oldest=0.0 if counts.oldest is None else max(now - counts.oldest, 0) / 1000,
            late=counts.late,
            running=counts.running,
            size=await bot.database.size(),
            free=await bot.database.room(),
            fault=fault,
            shards=len(bot.shards) or 1,
            guilds=len(bot.guilds),
            latency=latency if math.isfinite(latency) else None,
            uptime=time.monotonic() - self._began,
            backups=None if self._backups is None else await asyncio.to_thread(self._backups.reading),
        )

    async def start(self) -> None:
        """Opens the port, if there is one."""
        if self._port is None:
            return
        from aiohttp import web

        app = web.Application()
        app.add_routes([web.get("/healthz", self._healthz), web.get("/metrics", self._metrics)])
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:  # nobody may look, but everybody may play
            log.warning("no health port: %s", error)

    @property
    def port(self) -> int | None:
        """The port that is open, if one is."""
        addresses = self._runner.addresses if self._runner else []
        return int(addresses[0][1]) if addresses else None

    async def close(self) -> None:
        """Closes it."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _healthz(self, _request: web.Request) -> web.Response:
        """200 where all is well, 503 and what is wrong otherwise."""
        from aiohttp import web

        try:
            found = await self.reading()
        except DatabaseError as error:
            return web.json_response({"status": "failing", "database": error.code}, status=503)
        body = {
            "status": "ok" if found.well else "failing",
            "database": found.fault or "ok",
            "gateway": found.latency is not None,
            "outbox": found.outbox,
            "outbox_oldest_seconds": found.oldest,
            "outbox_stale": found.oldest > STALE_S,
            "timers_late": found.late,
            "backups": state_of_copies(found.backups),
            "backup_age_seconds": None if found.backups is None else found.backups.age,
        }
        return web.json_response(body, status=200 if found.well else 503)

    async def _metrics(self, _request: web.Request) -> web.Response:
        """The numbers in Prometheus' text format."""
        from aiohttp import web

        try:
            found = await self.reading()
        except DatabaseError as error:
            return web.Response(text=f"# the database cannot be read: {error.code}\n", status=503)
        copies = found.backups
        for name, value in {
            "outbox_rows": found.outbox,
            "outbox_oldest_seconds": found.oldest,
            "timers_late": found.late,
            "tables_running": found.running,
            "database_bytes": found.size,
            "database_failing": found.fault is not None,
            "disk_free_bytes": -1 if found.free is None else found.free,
            "shards": found.shards,
            "guilds": found.guilds,
            "backup_age_seconds": -1 if copies is None or copies.age is None else copies.age,
            "backup_failing": copies is not None and copies.failing,
            "backup_progress": 0 if copies is None or copies.progress is None else copies.progress,
            "gateway_latency_seconds": -1 if found.latency is None else found.latency,
        }.items():
            GAUGES[name].set(value)
        return web.Response(
            body=generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4}
        )


def state_of_copies(copies: BackupReading | None) -> str:
    """Copies in a word."""
    if copies is None:
        return "off"
    return "failing" if copies.failing else "none yet" if copies.age is None else "ok"
