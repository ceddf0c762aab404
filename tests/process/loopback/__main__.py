"""Starts the loopback Discord on a free port and prints where it is."""

from __future__ import annotations

import asyncio
import json

from aiohttp import web

from tests.process.loopback.control import Control
from tests.process.loopback.faults import Faults
from tests.process.loopback.gateway import Gateway
from tests.process.loopback.rest import Rest, discord_manners
from tests.process.loopback.world import World


async def serve() -> None:
    """Serves until the process is ended."""
    world = World()
    gateway, faults = Gateway(world), Faults(world)
    app = web.Application(middlewares=[discord_manners], client_max_size=32 * 1024 * 1024)
    app["world"], app["faults"] = world, faults
    app.add_routes(Rest(world, gateway).routes())
    app.add_routes(Control(world, gateway, faults).routes())
    app.add_routes([web.get("/gateway", gateway.serve), web.get("/gateway/", gateway.serve)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    print(json.dumps({"host": host, "port": port}), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve())
