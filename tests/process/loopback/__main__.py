"""Starts the loopback Discord on a free port and prints where it is.

With `each` it imports what one needs, forks one for every empty line on stdin, and ends the one whose process
id a line has.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys

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
    print(json.dumps({"host": host, "port": port, "pid": os.getpid()}), flush=True)
    await asyncio.Event().wait()


def end(process: int) -> None:
    """It is gone when this returns."""
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def serve_each() -> None:
    """One for each test, as long as there are tests."""
    gc.collect()
    gc.freeze()
    serving = set[int]()
    for line in sys.stdin:
        if line.strip():
            serving.remove(int(line))
            end(int(line))
        elif process := os.fork():
            serving.add(process)
        else:
            try:
                asyncio.run(serve())
            finally:
                os._exit(1)
    for process in serving:
        end(process)


if __name__ == "__main__":
    if sys.argv[1:] == ["each"]:
        serve_each()
    else:
        asyncio.run(serve())
