"""What goes wrong on request: rate limits, and answers that are held back."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import Literal

from aiohttp import web

from tests.process.loopback.world import World


@dataclass
class Faults:
    """Faults of REST requests whose `METHOD path` matches a pattern.

    limit   how many of the next requests are answered with `status` and `code`, a 429 with `retry_after`
    hold    "before": requests wait and nothing happens; "after": it happens, but nobody hears of it
    """

    world: World
    limit: int = 0
    limited: str = ""
    retry_after: float = 0.2
    everywhere: bool = False
    status: int = 429
    code: int = 0
    hold: Literal["", "before", "after"] = ""
    held: str = ""
    thawed: asyncio.Event = field(default_factory=asyncio.Event)

    def rate_limit(
        self, count: int, pattern: str, retry_after: float, everywhere: bool, status: int = 429, code: int = 0
    ) -> None:
        """From now on the next `count` matching requests are refused; by another status they are no limit."""
        self.status, self.code = status, code
        self.limit, self.limited = count, pattern
        self.retry_after, self.everywhere = retry_after, everywhere

    def freeze(self, when: Literal["before", "after"], pattern: str) -> None:
        """From now on matching requests hang."""
        self.hold, self.held = when, pattern
        self.thawed = asyncio.Event()

    def thaw(self) -> None:
        """Lets what hangs go on."""
        self.hold = ""
        self.thawed.set()

    def refuse(self, line: str) -> web.Response | None:
        """The refusal for this request, if it is to have one."""
        if self.limit <= 0 or not re.search(self.limited, line):
            return None
        self.limit -= 1
        if self.status != 429:
            return web.json_response({"message": "no", "code": self.code}, status=self.status)
        body = {
            "message": "You are being rate limited.",
            "retry_after": self.retry_after,
            "global": self.everywhere,
        }
        return web.json_response(body, status=429, headers={"Via": "1.1 loopback"})

    async def wait(self, when: Literal["before", "after"], line: str) -> None:
        """Returns when this request may go on."""
        if self.hold == when and re.search(self.held, line):
            self.world.note("held", line=line, when=when)
            await self.thawed.wait()
